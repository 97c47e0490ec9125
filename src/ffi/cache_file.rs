//! Saves a `robots_cache` to a file, and loads a cache from a file.

use std::io::{self, ErrorKind};
use std::path::Path;

use super::cache::robots_cache;
use super::convert::*;
use super::status::ROBOTS_E_FILE;

use crate::site::cache::Cache;

const PATH: &core::ffi::CStr =
    why!("path is not that of a regular file: pass one without a NUL, in UTF-8 on Windows");

/// Numbers of records that `robots_cache_save` or `robots_cache_load` returns.
#[repr(C)]
pub struct robots_cache_file {
    /// `sizeof(robots_cache_file)`.
    pub size: usize,
    /// Number of records that were saved or imported.
    pub records: usize,
    /// Number of records of another format version or other crawlers.
    pub foreign: usize,
    /// Number of damaged places; each holds one record or several.
    pub damaged: usize,
    /// Number of records that the cache had no room for.
    pub no_room: usize,
    /// Error number of the system after `ROBOTS_E_FILE`, such as an `errno`; 0 without a number.
    pub os_error: i64,
}

/// Saves the records of `robots_cache_each` to a file, completely or not at all: an error leaves the old file unchanged.
/// The file keeps its permissions, and a symbolic link stays a link. Other threads may use the cache during the call.
///
/// Parameters: `path`, `path_len`: the file; UTF-8 on Windows. `out`: receives the number of records.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_FILE`; `ROBOTS_E_STATE` in a forked child.
/// Allocates: as `robots_cache_each`, and a buffer that is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_save(
    cache: *const robots_cache,
    path: *const c_char,
    path_len: usize,
    out: *mut robots_cache_file,
) -> robots_status {
    exported!(file_into(cache, path, path_len, out, |cache, path, out| {
        out.records = cache.save(path)?;
        Ok(())
    }))
}

/// Imports the records of a file of `robots_cache_save`, as `robots_cache_import` does. Only damaged records are lost.
///
/// Parameters: as for `robots_cache_save`.
/// Returns: as `robots_cache_save`; `ROBOTS_OK` also if records are refused; `ROBOTS_E_IMAGE_FORMAT` for any other file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_load(
    cache: *const robots_cache,
    path: *const c_char,
    path_len: usize,
    out: *mut robots_cache_file,
) -> robots_status {
    exported!(file_into(cache, path, path_len, out, |cache, path, out| {
        let loaded = cache.load(path)?;
        out.records = loaded.imported;
        out.foreign = loaded.foreign;
        out.damaged = loaded.damaged;
        out.no_room = loaded.no_room;
        Ok(())
    }))
}

/// Does the same as [`struct_into`] for the numbers of records of a file. After an error of the system `out` has the error
/// number.
///
/// # Safety
/// As for [`struct_into`], [`handle_at`] and [`elements`].
unsafe fn file_into(
    cache: *const robots_cache,
    path: *const c_char,
    path_len: usize,
    out: *mut robots_cache_file,
    work: impl FnOnce(&Cache, &Path, &mut robots_cache_file) -> io::Result<()>,
) -> robots_status {
    let mut failed = None;
    let numbers = || {
        // SAFETY: the caller's promise.
        let (robots_cache(cache), path) = unsafe { (borrowed!(cache)?, bytes!(path, path_len)?) };
        let mut numbers = robots_cache_file {
            size: 0,
            records: 0,
            foreign: 0,
            damaged: 0,
            no_room: 0,
            os_error: 0,
        };
        match work(cache, as_path(path)?, &mut numbers) {
            Ok(()) => Ok(numbers),
            Err(error) => {
                let reason = reason(&error);
                failed = reason
                    .is_none()
                    .then(|| error.raw_os_error().unwrap_or(0).into());
                Err(reason.unwrap_or(Error::Argument).into())
            }
        }
    };
    // SAFETY: the caller's promise.
    let status = unsafe { struct_into(out, numbers) };
    let Some(os_error) = failed else {
        return status;
    };
    // SAFETY: `struct_into` ran its body, so `out` is valid.
    unsafe { (&raw mut (*out).os_error).write(os_error) };
    ROBOTS_E_FILE
}

/// Returns the error of the library; `None` for an error of the system.
fn reason(error: &io::Error) -> Option<Error> {
    match error.kind() {
        ErrorKind::OutOfMemory => Some(Error::Memory),
        ErrorKind::InvalidInput => Some(refuse(PATH)),
        _ => error.get_ref()?.downcast_ref().copied(),
    }
}

#[cfg(unix)]
fn as_path(path: &[u8]) -> Result<&Path, Error> {
    use std::os::unix::ffi::OsStrExt;
    Ok(Path::new(std::ffi::OsStr::from_bytes(path)))
}

#[cfg(not(unix))]
fn as_path(path: &[u8]) -> Result<&Path, Error> {
    std::str::from_utf8(path)
        .map(Path::new)
        .map_err(|_| refuse(PATH))
}
