//! `robots_extensions`: extension lines of a robots.txt.

use super::convert::*;
use super::crawler::robots_crawler;
use crate::page::Extensions;

/// The extension lines of a robots.txt for one crawler: lines in the crawler's groups and outside all groups. Immutable.
///
/// Owner: created by `robots_extensions_parse`, freed by `robots_extensions_free`.
/// Threads: any number of threads may use it at the same time.
/// Allocates: the function that creates it, for the lines and the rules. No function aborts when out of memory.
pub struct robots_extensions(Extensions);

/// One extension line.
#[repr(C)]
pub struct robots_extension {
    /// `sizeof(robots_extension)`.
    pub size: usize,
    /// Value as written, without comment and surrounding white space; any bytes, at least one.
    pub value: robots_str,
    /// Number of the line, from 1.
    pub line: u32,
    /// Field, one of `enum robots_extension_field`. Later versions may add values.
    pub field: u32,
    /// 1 if the line is in a group that applies to the crawler; 0 if it is outside all groups.
    pub in_group: u32,
    /// Number of requests that a request-rate allows in `seconds`; 0 for another field or an invalid value.
    pub requests: u32,
    /// Period of the request-rate in seconds.
    pub seconds: u32,
    /// Start of a visit-time, or of a request-rate with times, in minutes after midnight UTC, 0 to 1439.
    pub from: u32,
    /// End of the visit-time or of the times, 1 to 1440. An end that is not later than `from` is on the next day. 0 if the
    /// line gives no times.
    pub until: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Parses the extension lines of a robots.txt (SPEC 9.3, 9.4, 9.5). Extension lines have no effect on a verdict. The
/// result omits groups that do not apply to the crawler.
///
/// Parameters: `body`, `body_len`: the file, any bytes, including none. `out`: receives the extensions.
/// Returns: `ROBOTS_OK`. The content of the file is never an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_extensions_parse(
    crawler: *const robots_crawler,
    body: *const c_char,
    body_len: usize,
    out: *mut *mut robots_extensions,
) -> robots_status {
    exported!(handle_into(out, || {
        let robots_crawler(crawler) = borrowed!(crawler)?;
        Extensions::parse(crawler, bytes!(body, body_len)?).map(robots_extensions)
    }))
}

/// Returns one extension line.
///
/// Parameters: `index`: from 0, in the order of the file. `out`: receives the line.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element.
/// Owner: the value belongs to `extensions`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_extensions_line(
    extensions: *const robots_extensions,
    index: usize,
    out: *mut robots_extension,
) -> robots_status {
    exported!(struct_into(out, || {
        let line = borrowed!(extensions)?
            .0
            .line(index)
            .ok_or(Stop(ROBOTS_END))?;
        let rate = line.request_rate();
        let hours = rate.map_or(line.visit_time(), |rate| rate.hours);
        Ok(robots_extension {
            size: 0,
            value: robots_str::new(line.value),
            line: line.line,
            field: line.field as u32,
            in_group: line.in_group.into(),
            requests: rate.map_or(0, |rate| rate.requests),
            seconds: rate.map_or(0, |rate| rate.seconds),
            from: hours.map_or(0, |hours| hours.from),
            until: hours.map_or(0, |hours| hours.until),
            reserved: 0,
        })
    }))
}

/// Frees extensions and everything borrowed from them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_extensions_free(extensions: *mut robots_extensions) {
    exported!(free(extensions))
}
