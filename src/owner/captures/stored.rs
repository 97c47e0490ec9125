//! Parses an HTTP response from an archive, with or without its transfer and content codings (SPEC 11.8).

use std::borrow::Cow;

use super::meaning::{ANY_TIME, ANY_URL, Capture, is_redirect};
use crate::base::error::Error;
use crate::crawler::Crawler;
use crate::site::fetch::{Cause, Fetch, inflated, redirect_target};

impl Capture<'_> {
    /// Parses the stored response to a request for `url`. `max_bytes`: the size limit of a robots.txt (SPEC 4.5); the returned
    /// body may have one byte more. `is_cut`: whether the archive holds only a part of the message.
    ///
    /// ```
    /// let message = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    /// let capture = robots::Capture::of_message("https://example.com/robots.txt", message, 512_000, false)?;
    /// assert_eq!((capture.status, capture.body.as_deref()), (Some(200), Some(&b"abc"[..])));
    /// # Ok::<(), robots::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if the size limit is out of range; [`Error::Memory`] on allocation failure.
    pub fn of_message(
        url: &str,
        message: &[u8],
        max_bytes: usize,
        is_cut: bool,
    ) -> Result<Capture<'static>, Error> {
        let (head, raw) = split(message);
        let mut lines = head.split(|byte| *byte == b'\n');
        let mut capture = Capture {
            status: lines.next().and_then(status),
            body: Some(Cow::default()),
            ..Capture::default()
        };
        let Some(status) = capture.status else {
            capture.failure = Some(Cause::OtherFailure);
            return Ok(capture);
        };
        let headers: Vec<(&[u8], &[u8])> = lines.filter_map(header).collect();
        if is_redirect(status) {
            let location = values(&headers, "location").next().unwrap_or_default();
            let Ok(target) = redirect_target(url, location) else {
                // A URL too long to follow is an outage, as in a live fetch (SPEC 2.3).
                capture.failure = Some(Cause::BadRedirect);
                return Ok(capture);
            };
            let target = target.map_or_else(String::new, String::from);
            capture.target = Some(target.into_bytes().into());
        }
        let file = match status {
            200..=299 => file(status, &headers, raw, max_bytes, is_cut)?,
            // A body with a status other than 2xx changes no verdict.
            _ => Ok(raw.get(..=max_bytes).unwrap_or(raw).to_vec()),
        };
        match file {
            Ok(body) => capture.body = Some(body.into()),
            Err(cause) => capture.failure = Some(cause),
        }
        Ok(capture)
    }
}

/// Returns the file in the body of a 2xx response, or why the file is incomplete. A [`Fetch`] decides this, as for a live
/// server.
fn file(
    status: u16,
    headers: &[(&[u8], &[u8])],
    raw: &[u8],
    max_bytes: usize,
    mut is_cut: bool,
) -> Result<Result<Vec<u8>, Cause>, Error> {
    let has_coding = |name, coding| {
        let mut last = values(headers, name).flat_map(|value| value.split(|byte| *byte == b','));
        let last = last.next_back().unwrap_or_default();
        last.trim_ascii().eq_ignore_ascii_case(coding)
    };
    let mut body = Cow::from(raw);
    if has_coding("transfer-encoding", b"chunked") {
        if let Some((joined, is_whole)) = unchunked(raw) {
            body = joined.into();
            is_cut |= !is_whole;
        }
    }
    let crawler = Crawler::without_token().with_max_bytes(max_bytes)?;
    let mut fetch = Fetch::new(core::slice::from_ref(&crawler), ANY_URL, ANY_TIME)?;
    fetch.status(status, ANY_TIME)?;
    let is_deflate = has_coding("content-encoding", b"deflate");
    let text = is_deflate.then(|| inflated(&body, max_bytes + 1)).flatten();
    for (name, value) in headers {
        let is_of_coding = [&b"content-encoding"[..], b"content-length"]
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known));
        if text.is_none() || !is_of_coding {
            fetch.header(name, value)?;
        }
    }
    fetch.headers_end()?;
    let file = fetch.file_in(text.as_deref().unwrap_or(&body), !is_cut)?;
    // The cut does not matter if the body already exceeds the size limit.
    Ok(match file.map(Cow::into_owned) {
        Ok(file) if is_cut && file.len() <= max_bytes => Err(Cause::Truncated),
        file => file,
    })
}

fn split(message: &[u8]) -> (&[u8], &[u8]) {
    let ends = [&b"\r\n\r\n"[..], b"\n\n"];
    let ends = ends.iter();
    let ends = ends.filter_map(|end| Some((memchr::memmem::find(message, end)?, end.len())));
    let (at, len) = ends.min().unwrap_or((message.len(), 0));
    let (head, rest) = message.split_at(at);
    (head, rest.get(len..).unwrap_or_default())
}

fn status(line: &[u8]) -> Option<u16> {
    let line = line.strip_prefix(b"HTTP/")?;
    let status = line.split(|byte| *byte == b' ').nth(1)?.trim_ascii();
    core::str::from_utf8(status).ok()?.parse().ok()
}

fn header(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (name, value) = line.split_at(memchr::memchr(b':', line)?);
    Some((name.trim_ascii(), value.get(1..)?.trim_ascii()))
}

/// Returns the values of all headers with this name.
fn values<'a>(
    headers: &'a [(&[u8], &'a [u8])],
    name: &'a str,
) -> impl DoubleEndedIterator<Item = &'a [u8]> {
    let all = headers.iter();
    all.filter(move |(other, _)| other.eq_ignore_ascii_case(name.as_bytes()))
        .map(|(_, value)| *value)
}

/// Joins the chunks of a body (RFC 9112, section 7.1), and returns whether the last chunk is there. `None` if the archive stored
/// the body without chunks: the first line is no chunk size, or is 0 with text after it.
fn unchunked(body: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut rest = body;
    let mut joined = Vec::new();
    let mut is_first = true;
    loop {
        let Some((size, after)) = chunk_size(rest) else {
            return (!is_first).then_some((joined, false));
        };
        if size == 0 {
            let is_file = is_first && !after.trim_ascii().is_empty();
            return (!is_file).then_some((joined, true));
        }
        is_first = false;
        let Some((chunk, next)) = after.split_at_checked(size) else {
            joined.extend_from_slice(after);
            return Some((joined, false));
        };
        joined.extend_from_slice(chunk);
        let next = next.strip_prefix(b"\r").unwrap_or(next);
        match next.strip_prefix(b"\n") {
            Some(next) => rest = next,
            None => return Some((joined, false)),
        }
    }
}

/// Returns the size of a chunk and the bytes after its size line.
fn chunk_size(rest: &[u8]) -> Option<(usize, &[u8])> {
    let (line, after) = rest.split_at(memchr::memchr(b'\n', rest)?);
    let size = line.split(|byte| *byte == b';').next()?.trim_ascii();
    let is_hex = !size.is_empty() && size.iter().all(u8::is_ascii_hexdigit);
    let size = core::str::from_utf8(size).ok().filter(|_| is_hex)?;
    Some((usize::from_str_radix(size, 16).ok()?, after.get(1..)?))
}
