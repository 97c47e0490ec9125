//! Two clocks, in nanoseconds from some point in the past.

use std::sync::OnceLock;
use std::time::Instant;

pub type Clock = fn() -> u64;

/// The time that passes.
pub fn wall() -> u64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// The time this thread has had a processor: work of others on the same machine is not taken for ours.
#[cfg(target_os = "linux")]
pub fn thread() -> u64 {
    #[repr(C)]
    struct TimeSpec {
        seconds: std::ffi::c_long,
        nanoseconds: std::ffi::c_long,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: std::ffi::c_int, time: *mut TimeSpec) -> std::ffi::c_int;
    }
    const CLOCK_THREAD_CPUTIME_ID: std::ffi::c_int = 3;

    let mut time = TimeSpec {
        seconds: 0,
        nanoseconds: 0,
    };
    // SAFETY: a clock every Linux has, and a place for the result.
    let status = unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "clock_gettime");
    time.seconds as u64 * 1_000_000_000 + time.nanoseconds as u64
}

#[cfg(not(target_os = "linux"))]
pub fn thread() -> u64 {
    wall()
}
