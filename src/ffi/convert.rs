//! From arguments of C to values of the core, and back. Each file of this folder imports all of it.

pub(super) use core::ffi::c_char;
use std::sync::OnceLock;

pub(super) use super::guard::guarded;
use super::guard::guarded_stop;
pub(super) use super::status::{ROBOTS_OK, Stop, robots_status};
pub(super) use super::string::robots_str;
pub(super) use super::verdict::robots_verdict;
pub(super) use crate::base::error::Error;
pub(super) use crate::base::verdict::Verdict;

/// [`guarded`], for a function that returns a status.
#[inline(always)]
pub(super) fn status_of(body: impl FnOnce() -> Result<(), Error>) -> robots_status {
    match guarded(body) {
        Ok(()) => ROBOTS_OK,
        Err(error) => Stop::from(error).status(),
    }
}

/// [`guarded`], for a function that returns a verdict.
#[inline(always)]
pub(super) fn verdict_of(body: impl FnOnce() -> Result<Verdict, Error>) -> robots_verdict {
    guarded(body).unwrap_or_else(Verdict::from_error).into()
}

/// [`guarded`], for a function that returns a borrowed string: empty after an error.
#[inline(always)]
pub(super) fn string_of<'a>(body: impl FnOnce() -> Result<&'a [u8], Error>) -> robots_str {
    guarded(body).map_or(robots_str::EMPTY, robots_str::new)
}

/// [`guarded`], for a function that returns a status and writes one result. The output is set to `safe` first, and
/// stays so after every error, a panic included.
///
/// # Safety
/// As for [`output`].
#[inline(always)]
pub(super) unsafe fn result_into<T>(
    out: *mut T,
    safe: T,
    body: impl FnOnce() -> Result<T, Stop>,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    let out = match unsafe { output(out, safe) } {
        Ok(out) => out,
        Err(error) => return Stop::from(error).status(),
    };
    match guarded_stop(body) {
        Ok(result) => {
            *out = result;
            ROBOTS_OK
        }
        Err(stop) => stop.status(),
    }
}

/// [`result_into`], for a handle: null after an error.
///
/// # Safety
/// As for [`output`].
#[inline(always)]
pub(super) unsafe fn handle_into<T>(
    out: *mut *mut T,
    body: impl FnOnce() -> Result<*mut T, Error>,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { result_into(out, core::ptr::null_mut(), || Ok(body()?)) }
}

/// [`handle_into`], for a value that becomes a handle which [`free`] frees.
///
/// # Safety
/// As for [`output`].
#[inline(always)]
pub(super) unsafe fn new_into<T>(
    out: *mut *mut T,
    body: impl FnOnce() -> Result<T, Error>,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { handle_into(out, || into_handle(body()?)) }
}

/// A caller's `len` elements at `start`.
///
/// # Safety
/// `start` is null, or valid for reads of `len` elements that no one writes during `'a`.
#[inline(always)]
pub(super) unsafe fn input<'a, T>(start: *const T, len: usize) -> Result<&'a [T], Error> {
    if len == 0 {
        return Ok(&[]);
    }
    let is_possible = len
        .checked_mul(size_of::<T>())
        .is_some_and(|size| size <= isize::MAX as usize);
    if start.is_null() || !is_possible || !start.is_aligned() {
        return Err(Error::Argument);
    }
    // SAFETY: not null, aligned, and of a possible size; the caller guarantees the rest.
    Ok(unsafe { core::slice::from_raw_parts(start, len) })
}

/// A caller's string: bytes of any value.
///
/// # Safety
/// As for [`input`].
#[inline(always)]
pub(super) unsafe fn text<'a>(start: *const c_char, len: usize) -> Result<&'a [u8], Error> {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { input(start.cast::<u8>(), len) }
}

/// A caller's handle, borrowed.
///
/// # Safety
/// `handle` is null, or came from this library and was not freed; nobody changes it during `'a`.
#[inline(always)]
pub(super) unsafe fn borrowed<'a, T>(handle: *const T) -> Result<&'a T, Error> {
    // SAFETY: null becomes `None`; the caller guarantees the rest.
    unsafe { handle.as_ref() }.ok_or(Error::Argument)
}

/// A caller's handle, to change it.
///
/// # Safety
/// `handle` is null, or came from this library, was not freed and is used by no other thread during `'a`.
#[inline(always)]
pub(super) unsafe fn changeable<'a, T>(handle: *mut T) -> Result<&'a mut T, Error> {
    // SAFETY: null becomes `None`; the caller guarantees the rest.
    unsafe { handle.as_mut() }.ok_or(Error::Argument)
}

/// A place for a result, set to `safe` first.
///
/// # Safety
/// `out` is null, or valid for reads and writes by us alone during `'a`.
#[inline(always)]
pub(super) unsafe fn output<'a, T>(out: *mut T, safe: T) -> Result<&'a mut T, Error> {
    if out.is_null() || !out.is_aligned() {
        return Err(Error::Argument);
    }
    // SAFETY: not null and aligned; the caller guarantees the rest. The place may never have been
    // written, so it is written before there is a reference to it.
    unsafe {
        out.write(safe);
        Ok(&mut *out)
    }
}

/// Returns what the first call made.
pub(super) fn once<T>(
    place: &OnceLock<T>,
    make: impl FnOnce() -> Result<T, Error>,
) -> Result<&T, Error> {
    match place.get() {
        Some(made) => Ok(made),
        None => {
            let made = make()?;
            // Another thread may have been faster.
            Ok(place.get_or_init(|| made))
        }
    }
}

/// Returns `value` as a handle that [`free`] frees.
pub(super) fn into_handle<T>(value: T) -> Result<*mut T, Error> {
    // A `Box` of one would abort without memory; a list of one says so, and as a boxed slice is the same.
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
    let _ = guarded(|| {
        // SAFETY: not null; the caller promises that it is ours and not used again.
        drop(unsafe { Box::from_raw(handle) });
        Ok(())
    });
}

/// Checks that a caller's struct has room for a `T`, whose first member, `size`, says how large the struct is to the
/// caller.
///
/// # Safety
/// `T` is `repr(C)` and starts with its `size`. `out` is null, or readable for one `usize`.
#[inline(always)]
pub(super) unsafe fn has_room_for<T>(out: *mut T) -> Result<(), Error> {
    if out.is_null() || !out.is_aligned() {
        return Err(Error::Argument);
    }
    // SAFETY: not null, aligned, and it starts with its size.
    match unsafe { out.cast::<usize>().read() } < size_of::<T>() {
        true => Err(Error::Argument),
        false => Ok(()),
    }
}

/// [`guarded`], for a function that returns a status and fills a caller's struct with a `size`: with the value, or with
/// zeros after an error. The struct may grow at its end in later versions; the bytes of the caller's after ours stay.
///
/// # Safety
/// As for [`has_room_for`]; `T` may be all zeros. `out` is null, or valid for reads and writes by us alone of as many bytes
/// as its `size` says.
pub(super) unsafe fn sized_output<T>(
    out: *mut T,
    value: impl FnOnce() -> Result<T, Stop>,
) -> robots_status {
    const SIZE: usize = size_of::<usize>();
    // SAFETY: the caller's promise.
    if let Err(error) = unsafe { has_room_for(out) } {
        return Stop::from(error).status();
    }
    let rest = size_of::<T>() - SIZE;
    // SAFETY: there is room for a `T`; its size stays.
    let place = unsafe {
        let place = out.cast::<u8>().add(SIZE);
        place.write_bytes(0, rest);
        place
    };
    match guarded_stop(value) {
        Ok(value) => {
            // SAFETY: as above; bytes are copied from a `T` to where there is room for one.
            unsafe {
                let from = (&raw const value).cast::<u8>().add(SIZE);
                place.copy_from_nonoverlapping(from, rest);
            }
            ROBOTS_OK
        }
        Err(stop) => stop.status(),
    }
}
