//! `robots_page_controls`: restrictions on what a crawler does with a response.

use super::convert::*;
use super::crawler::robots_crawler;
use super::status::ROBOTS_E_ARG;
use crate::bytes::date::Zone;
use crate::page::controls::{Control, PageControls, PageRule};

/// What one response says to one crawler: its page-level controls (SPEC 9.6), and its statements about use (SPEC 13.2).
///
/// Owner: created by `robots_page_controls_new`, freed by `robots_page_controls_free`.
/// Threads: one thread adds values; then any number of threads may read it at the same time.
/// Allocates: the functions that create it and add values. No function aborts when out of memory.
pub struct robots_page_controls(pub(super) PageControls);

/// One rule of a page.
#[repr(C)]
pub struct robots_page_rule {
    /// `sizeof(robots_page_rule)`.
    pub size: usize,
    /// Rule as written, such as `max-snippet: 20`; any bytes, at most 256. Empty if no rule decides.
    pub text: robots_str,
    /// Product token that the rule names; empty for a rule for every crawler.
    pub agent: robots_str,
    /// Value of the control; 0 for an unknown rule.
    pub value: i64,
    /// Source of the rule, one of `enum robots_page_source`. Later versions may add values.
    pub source: u32,
    /// Number of the header or element in the source, from 1 in the order of addition; 0 if no rule decides.
    pub number: u32,
    /// Time zone of a date, one of `enum robots_zone`.
    pub zone: u32,
    /// Always 0.
    pub reserved: u32,
}

impl robots_page_rule {
    fn new(value: i64, rule: Option<&PageRule>) -> robots_page_rule {
        let agent = rule.and_then(|rule| rule.agent.as_deref());
        robots_page_rule {
            size: 0,
            text: robots_str::maybe(rule.map(|rule| &*rule.text)),
            agent: robots_str::maybe(agent),
            value,
            source: rule.map_or(0, |rule| rule.source as u32),
            number: rule.map_or(0, |rule| rule.number),
            zone: rule.map_or(Zone::Known, |rule| rule.zone) as u32,
            reserved: 0,
        }
    }
}

const CONTROL: &core::ffi::CStr = why!("control is not one of enum robots_control");

/// Creates the controls of a response. They restrict nothing until the caller adds headers or elements.
///
/// Parameters: `crawler`: a rule may name one of its product tokens. `out`: receives the controls, which do not
/// need `crawler`.
/// Returns: `ROBOTS_OK`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_page_controls_new(
    crawler: *const robots_crawler,
    out: *mut *mut robots_page_controls,
) -> robots_status {
    exported!(handle_into(out, || {
        let controls = PageControls::new(&borrowed!(crawler)?.0);
        Ok::<_, Error>(robots_page_controls(controls))
    }))
}

/// Adds a header of the response. These headers have an effect: `X-Robots-Tag` and `Robots-Tag`; for `robots_use_for` also
/// `Content-Usage`, `Content-Signal`, `Link`, `tdm-reservation` and `tdm-policy`. The case of the name does not matter. Add
/// repeated headers one by one.
///
/// Parameters: `name`, `name_len`: the name. `value`, `value_len`: the value, any bytes.
/// Returns: `ROBOTS_OK`. After an error every control of `controls` is 0, its most restrictive value.
/// Allocates: the rules that decide, up to 64 unknown rules, and the statements for `robots_use_for` (SPEC 13.6): at most 16 KiB
/// each of `Content-Usage` and `Content-Signal`, 16 addresses of terms, the policy of TDMRep.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_page_controls_add_header(
    controls: *mut robots_page_controls,
    name: *const c_char,
    name_len: usize,
    value: *const c_char,
    value_len: usize,
) -> robots_status {
    exported!(change(controls, |controls| {
        controls.add_header(bytes!(name, name_len)?, bytes!(value, value_len)?)
    }))
}

/// Adds a `<meta>` element of the page. An element has an effect if its name is `robots`, `*` or a product token of the
/// crawler; for `robots_use_for` also if its name is `tdm-reservation` or `tdm-policy`. The case of the name does not matter.
///
/// Parameters: `name`, `name_len`, `content`, `content_len`: the attributes with HTML escapes decoded, any bytes.
/// Returns: `ROBOTS_OK`. After an error every control of `controls` is 0, its most restrictive value.
/// Allocates: the rules that decide, up to 64 unknown rules, and the policy of TDMRep for `robots_use_for`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_page_controls_add_meta(
    controls: *mut robots_page_controls,
    name: *const c_char,
    name_len: usize,
    content: *const c_char,
    content_len: usize,
) -> robots_status {
    exported!(change(controls, |controls| {
        controls.add_meta(bytes!(name, name_len)?, bytes!(content, content_len)?)
    }))
}

/// Adds a value to controls and returns the status. After an error or a panic every control has its most restrictive
/// value.
///
/// # Safety
/// As for [`handle_to_change`].
unsafe fn change(
    controls: *mut robots_page_controls,
    add: impl FnOnce(&mut PageControls) -> Result<(), Error>,
) -> robots_status {
    // SAFETY: the caller's promise.
    let Ok(robots_page_controls(controls)) = (unsafe { changeable!(controls) }) else {
        return ROBOTS_E_ARG;
    };
    let status = status_of(|| add(controls));
    if status != ROBOTS_OK {
        controls.set_incomplete();
    }
    status
}

/// Returns the value of a control, and the rule that decides: the first of the most restrictive rules.
///
/// Parameters: `control`: one of `enum robots_control`, which describes the values. `out`: receives the value and the
/// rule. If no rule decides, `source` is `ROBOTS_PAGE_NONE`.
/// Returns: `ROBOTS_OK`. After an error of this call or of an addition, the value is 0, the most restrictive value.
/// Owner: the strings belong to `controls`; they are valid until a value is added.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_page_controls_get(
    controls: *const robots_page_controls,
    control: u32,
    out: *mut robots_page_rule,
) -> robots_status {
    exported!(struct_into(out, || {
        let controls = &borrowed!(controls)?.0;
        let control = Control::from_code(control).ok_or_else(|| refuse(CONTROL))?;
        // `UnavailableAfter` is the only time; -1 means no time.
        let unit = match (control, controls.get(control)) {
            (Control::UnavailableAfter, 0..) => 1_000,
            _ => 1,
        };
        let value = controls.get(control).saturating_mul(unit);
        Ok(robots_page_rule::new(value, controls.decided_by(control)))
    }))
}

/// Returns one of the rules for the crawler that are unknown or have an invalid value; at most 64.
///
/// Parameters: `index`: from 0, in the order of addition. `out`: receives the rule.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element.
/// Owner: the strings belong to `controls`; they are valid until a value is added.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_page_controls_unknown(
    controls: *const robots_page_controls,
    index: usize,
    out: *mut robots_page_rule,
) -> robots_status {
    exported!(struct_into(out, || {
        let mut unknown = borrowed!(controls)?.0.unknown();
        let rule = unknown.nth(index).ok_or(Stop(ROBOTS_END))?;
        Ok(robots_page_rule::new(0, Some(rule)))
    }))
}

/// Frees controls and everything borrowed from them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_page_controls_free(controls: *mut robots_page_controls) {
    exported!(free(controls))
}
