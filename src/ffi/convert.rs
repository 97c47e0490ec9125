//! Converts arguments of C to values of the core, and results of the core to values of C. Most files of this folder import all
//! items.

use core::ffi::CStr;
pub(super) use core::ffi::c_char;
pub(super) use core::ptr::{null, null_mut};
use std::sync::OnceLock;

pub(super) use super::guard::guarded;
use super::refusal::ADDRESS;
pub(super) use super::refusal::{Blame, refuse, why};
pub(super) use super::status::{ROBOTS_E_TIME, ROBOTS_END, ROBOTS_OK, Stop, robots_status};
pub(super) use super::string::robots_str;
pub(super) use super::verdict::robots_verdict;
pub(super) use crate::base::error::Error;
use crate::base::limits::seconds_of;
pub(super) use crate::base::verdict::Verdict;

/// The body of an exported function. The promises at the top of `ffi` make every unsafe call in the body sound.
macro_rules! exported {
    ($body:expr) => {
        // SAFETY: the C caller keeps the promises at the top of `ffi`.
        unsafe { $body }
    };
}
pub(super) use exported;

#[inline(always)]
fn status(result: Result<(), Stop>) -> robots_status {
    result.map_or_else(|Stop(status)| status, |()| ROBOTS_OK)
}

/// Runs a body and returns its status.
#[inline(always)]
pub(super) fn status_of<E: From<Error> + Into<Stop>>(
    body: impl FnOnce() -> Result<(), E>,
) -> robots_status {
    status(guarded(body).map_err(E::into))
}

/// Runs a body and returns its verdict.
#[inline(always)]
pub(super) fn verdict_of<E: From<Error> + Into<Stop>>(
    body: impl FnOnce() -> Result<Verdict, E>,
) -> robots_verdict {
    guarded(body).map_or_else(
        |error| error.into().into(),
        |verdict| verdict.blame(ADDRESS).into(),
    )
}

/// Runs a body with the time in the unit of the engine: whole seconds since 1970. All times of the C API are in milliseconds.
#[inline(always)]
pub(super) fn at_time<T>(
    now_ms: u64,
    body: impl FnOnce(u64) -> Result<T, Error>,
) -> Result<T, Stop> {
    let now = seconds_of(now_ms).map_err(|_| Stop(ROBOTS_E_TIME))?;
    body(now).map_err(Stop::from)
}

/// Converts a time of the engine to milliseconds. `u64::MAX`, which means never, stays `u64::MAX`.
pub(super) fn milliseconds(seconds: u64) -> u64 {
    seconds.saturating_mul(1_000)
}

/// Converts an option from milliseconds to seconds. Refuses a fraction of a second, because a caller that passes 90 probably
/// means 90 seconds.
pub(super) fn whole_seconds(milliseconds: u64) -> Result<u64, Error> {
    if milliseconds % 1_000 != 0 {
        return Err(Error::Argument);
    }
    Ok(milliseconds / 1_000)
}

/// Runs a body and returns its value, or `safe` after an error.
#[inline(always)]
pub(super) fn value_or<T>(safe: T, body: impl FnOnce() -> Result<T, Error>) -> T {
    guarded(body).unwrap_or(safe)
}

/// Runs a body, writes its result to `out` and returns its status. `out` holds `safe` before the body runs and after an error.
///
/// # Safety
/// As for [`output`].
#[inline(always)]
pub(super) unsafe fn result_into<T>(
    out: *mut T,
    safe: T,
    body: impl FnOnce() -> Result<T, Stop>,
) -> robots_status {
    // SAFETY: the caller's promise.
    unsafe { result_into_named(out, safe, OUT, body) }
}

/// Does the same as [`result_into`] for a parameter with another name than `out`. `why`: the text for a wrong `out`.
///
/// # Safety
/// As for [`output`].
#[inline(always)]
pub(super) unsafe fn result_into_named<T>(
    out: *mut T,
    safe: T,
    why: &'static CStr,
    body: impl FnOnce() -> Result<T, Stop>,
) -> robots_status {
    // SAFETY: the caller's promise.
    let result = match unsafe { output(out, safe, why) } {
        Ok(out) => guarded(body).map(|result| *out = result),
        Err(error) => Err(error.into()),
    };
    status(result)
}

/// Does the same as [`result_into`] for a value that becomes a handle. After an error the handle is null.
///
/// # Safety
/// As for [`output`].
#[inline(always)]
pub(super) unsafe fn handle_into<T, E: From<Error> + Into<Stop>>(
    out: *mut *mut T,
    body: impl FnOnce() -> Result<T, E>,
) -> robots_status {
    let made = || Ok(into_handle(body().map_err(E::into)?)?);
    // SAFETY: the caller's promise.
    unsafe { result_into(out, null_mut(), made) }
}

/// Does the same as [`result_into`] for a struct with a `size`. After an error all fields except `size` are zeros. Bytes after
/// the `T`, which a later version may use, stay unchanged.
///
/// # Safety
/// As for [`checked_size`]. All zeros are a valid `T`. `out` is null, or valid for reads and writes of `size` bytes by this
/// call alone.
pub(super) unsafe fn struct_into<T>(
    out: *mut T,
    body: impl FnOnce() -> Result<T, Stop>,
) -> robots_status {
    const SIZE: usize = size_of::<usize>();
    // SAFETY: the caller's promise.
    if let Err(error) = unsafe { checked_size(out) } {
        return status(Err(error.into()));
    }
    let rest = size_of::<T>() - SIZE;
    // SAFETY: there is room for a `T`; the caller's `size` stays.
    let place = unsafe { out.cast::<u8>().add(SIZE) };
    // SAFETY: as above.
    unsafe { place.write_bytes(0, rest) };
    status(guarded(body).map(|value| {
        let from = (&raw const value).cast::<u8>();
        // SAFETY: as above; the bytes come from a `T`.
        unsafe { place.copy_from_nonoverlapping(from.add(SIZE), rest) };
    }))
}

/// The text for an output that is NULL or not aligned.
const OUT: &CStr = why!(
    "out is NULL or not aligned: pass the address of a variable of the type that the function writes"
);
pub(super) const SIZE: &CStr = why!(
    "out has a size that is too small: initialize the struct by its macro, such as ROBOTS_RULE_INIT, and compile with the header of this version"
);

/// Returns a caller's `len` elements at `start`. `why` is the text for a wrong `start` or `len`.
///
/// # Safety
/// `start` is null, or valid for reads of `len` elements that no one writes during `'a`.
#[inline(always)]
pub(super) unsafe fn elements<'a, T>(
    start: *const T,
    len: usize,
    why: &'static CStr,
) -> Result<&'a [T], Error> {
    if len == 0 {
        return Ok(&[]);
    }
    let is_possible = len
        .checked_mul(size_of::<T>())
        .is_some_and(|size| size <= isize::MAX as usize);
    if start.is_null() || !is_possible || !start.is_aligned() {
        return Err(refuse(why));
    }
    // SAFETY: not null, aligned, and of a possible size; the caller guarantees the rest.
    Ok(unsafe { core::slice::from_raw_parts(start, len) })
}

/// Returns the bytes of a caller's string by [`elements`]. An error names the parameters.
///
/// # Safety
/// As for [`elements`].
macro_rules! bytes {
    ($start:ident, $len:ident) => {
        elements::<u8>(
            $start.cast(),
            $len,
            why!(
                stringify!($start),
                " is NULL or ",
                stringify!($len),
                " is too large: pass the address of the string and its number of bytes"
            ),
        )
    };
}
pub(super) use bytes;

/// Makes the text for a handle that is null.
macro_rules! null_handle {
    ($handle:ident) => {
        why!(
            stringify!($handle),
            " is NULL: pass the handle of a call that returned ROBOTS_OK, before it is freed"
        )
    };
}
pub(super) use null_handle;

/// Calls [`handle_at`]. An error names the parameter.
macro_rules! borrowed {
    ($handle:ident) => {
        handle_at($handle, null_handle!($handle))
    };
}
pub(super) use borrowed;

/// Calls [`handle_to_change`]. An error names the parameter.
macro_rules! changeable {
    ($handle:ident) => {
        handle_to_change($handle, null_handle!($handle))
    };
}
pub(super) use changeable;

/// Returns a caller's handle, borrowed.
///
/// # Safety
/// `handle` is null, or came from this library and was not freed; no one changes it during `'a`.
#[inline(always)]
pub(super) unsafe fn handle_at<'a, T>(
    handle: *const T,
    why: &'static CStr,
) -> Result<&'a T, Error> {
    // SAFETY: null becomes `None`; the caller guarantees the rest.
    unsafe { handle.as_ref() }.ok_or_else(|| refuse(why))
}

/// Returns a caller's handle, borrowed to change it.
///
/// # Safety
/// `handle` is null, or came from this library, was not freed and is used by no other thread during `'a`.
#[inline(always)]
pub(super) unsafe fn handle_to_change<'a, T>(
    handle: *mut T,
    why: &'static CStr,
) -> Result<&'a mut T, Error> {
    // SAFETY: null becomes `None`; the caller guarantees the rest.
    unsafe { handle.as_mut() }.ok_or_else(|| refuse(why))
}

/// Writes `safe` to `out`, a caller's place for a result, and returns the place. `why` is the text for a wrong `out`.
///
/// # Safety
/// `out` is null, or valid for reads and writes during `'a`, and nothing else uses it then.
#[inline(always)]
pub(super) unsafe fn output<'a, T>(
    out: *mut T,
    safe: T,
    why: &'static CStr,
) -> Result<&'a mut T, Error> {
    if out.is_null() || !out.is_aligned() {
        return Err(refuse(why));
    }
    // SAFETY: not null and aligned; the caller guarantees the rest. The write comes before the reference is made, because the
    // place may be uninitialized.
    unsafe {
        out.write(safe);
        Ok(&mut *out)
    }
}

/// Returns the `size` that the caller has set in a struct. Refuses a struct without room for a `T`.
///
/// # Safety
/// `T` is `repr(C)` and begins with its `size`. `out` is null, or readable for one `usize`.
#[inline(always)]
pub(super) unsafe fn checked_size<T>(out: *mut T) -> Result<usize, Error> {
    if out.is_null() || !out.is_aligned() {
        return Err(refuse(OUT));
    }
    // SAFETY: not null, aligned, and it begins with its size.
    let size = unsafe { out.cast::<usize>().read() };
    if size < size_of::<T>() {
        return Err(refuse(SIZE));
    }
    Ok(size)
}

/// Returns the value in `place`. If there is no value yet, `make` creates it.
pub(super) fn once<T>(
    place: &OnceLock<T>,
    make: impl FnOnce() -> Result<T, Error>,
) -> Result<&T, Error> {
    if let Some(made) = place.get() {
        return Ok(made);
    }
    let made = make()?;
    // If another thread was faster, the result is the value of that thread.
    Ok(place.get_or_init(|| made))
}

/// Returns `value` as a handle that [`free`] frees.
pub(super) fn into_handle<T>(value: T) -> Result<*mut T, Error> {
    // `Box::new` aborts when out of memory. A `Vec` returns an error, and its boxed slice has the layout of a `Box<T>`.
    let mut one = Vec::new();
    one.try_reserve_exact(1).map_err(|_| Error::Memory)?;
    one.push(value);
    Ok(Box::into_raw(one.into_boxed_slice()).cast())
}

/// Frees a handle of [`into_handle`]; null does nothing.
///
/// # Safety
/// `handle` is null, or came from this library, was not freed and is used by no other thread.
pub(super) unsafe fn free<T>(handle: *mut T) {
    if handle.is_null() {
        return;
    }
    // A panic cannot be reported here.
    value_or((), || {
        // SAFETY: not null; the caller guarantees the rest.
        drop(unsafe { Box::from_raw(handle) });
        Ok(())
    });
}
