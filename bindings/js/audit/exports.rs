//! The exports of the module.
#![allow(
    unsafe_code,
    reason = "an export has a name that no other function may have"
)]

use std::cell::RefCell;

use crate::page::Audit;

#[derive(Default)]
struct State {
    /// What the page wrote, or what it reads.
    buffer: Vec<u8>,
    audit: Option<Audit>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

impl State {
    /// Leaves a text for the page, and returns its length.
    fn say(&mut self, text: String) -> usize {
        self.buffer = text.into_bytes();
        self.buffer.len()
    }
}

fn with<T>(call: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow_mut(call)
}

/// Makes the buffer `len` bytes long, and returns its address. The next call of any function may move the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn robots_audit_buffer(len: usize) -> *mut u8 {
    with(|state| {
        state.buffer.resize(len, 0);
        state.buffer.as_mut_ptr()
    })
}

/// Starts an audit. The buffer has the robots.txt of `robots` bytes, and then options as JSON. Returns the length of what is wrong with
/// the options.
#[unsafe(no_mangle)]
pub extern "C" fn robots_audit_start(robots: usize) -> usize {
    with(|state| {
        let (robots, options) = state
            .buffer
            .split_at_checked(robots)
            .unwrap_or((&state.buffer, &[]));
        match Audit::new(robots, options) {
            Ok(audit) => {
                state.audit = Some(audit);
                0
            }
            Err(fault) => state.say(fault),
        }
    })
}

/// Begins a file, whose name is in the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn robots_audit_start_file() {
    with(|state| {
        if let Some(audit) = &mut state.audit {
            audit.start_file(&String::from_utf8_lossy(&state.buffer));
        }
    });
}

/// Reads the buffer, the next bytes of the file. Returns whether the rest can be read.
#[unsafe(no_mangle)]
pub extern "C" fn robots_audit_feed() -> bool {
    with(|state| match &mut state.audit {
        Some(audit) => audit.feed(&state.buffer),
        None => false,
    })
}

/// Ends the file. The buffer has the reason why its end was not read, or nothing. Returns the length of what is wrong with the file.
#[unsafe(no_mangle)]
pub extern "C" fn robots_audit_end_file() -> usize {
    with(|state| {
        let cut = String::from_utf8_lossy(&state.buffer);
        let fault = state.audit.as_mut().map(|audit| audit.end_file(&cut));
        state.say(fault.unwrap_or_default())
    })
}

/// Returns how many lines were read.
#[unsafe(no_mangle)]
pub extern "C" fn robots_audit_lines() -> f64 {
    with(|state| state.audit.as_ref().map_or(0, Audit::lines) as f64)
}

/// Ends the audit. Returns the length of the report, which is JSON.
#[unsafe(no_mangle)]
pub extern "C" fn robots_audit_report() -> usize {
    with(|state| {
        let report = state.audit.take().map(|audit| audit.report());
        state.say(report.unwrap_or_default())
    })
}
