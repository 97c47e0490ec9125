//! HTTP responses as WARC files keep them: with their transfer and content coding, or already without.

use std::io::Read;

use flate2::read::{MultiGzDecoder, ZlibDecoder};
use robots::Failure;

use super::item::Response;

/// Reads a response. `None` if it does not begin with a status line.
pub(super) fn response(message: &[u8], most: usize, is_truncated: bool) -> Option<Response> {
    let (head, body) = split(message);
    let mut lines = head.split(|byte| *byte == b'\n');
    let status = lines.next()?.strip_prefix(b"HTTP/")?;
    let status = status.split(|byte| *byte == b' ').nth(1)?.trim_ascii();
    let status = std::str::from_utf8(status).ok()?.parse().ok()?;
    let mut headers = Vec::new();
    for line in lines {
        if let Some(colon) = memchr::memchr(b':', line) {
            let (name, value) = line.split_at(colon);
            let name = String::from_utf8_lossy(name.trim_ascii()).into_owned();
            let value = value.get(1..).unwrap_or_default().trim_ascii();
            headers.push((name, value.to_vec()));
        }
    }
    let has = |name: &str, wanted: &str| {
        headers.iter().any(|(header, value)| {
            header.eq_ignore_ascii_case(name)
                && String::from_utf8_lossy(value)
                    .to_ascii_lowercase()
                    .contains(wanted)
        })
    };
    let unchunked = has("Transfer-Encoding", "chunked")
        .then(|| unchunk(body))
        .flatten();
    let (body, is_whole) = match &unchunked {
        Some((body, is_whole)) => (&**body, *is_whole),
        None => (body, true),
    };
    let body = if has("Content-Encoding", "br") || has("Content-Encoding", "zstd") {
        Err(Failure::EncodedBody)
    } else if has("Content-Encoding", "gzip") && body.starts_with(&[0x1F, 0x8B]) {
        decode(MultiGzDecoder::new(body), most)
    } else if has("Content-Encoding", "deflate") && body.first().is_some_and(|b| b & 0x0F == 8) {
        decode(ZlibDecoder::new(body), most)
    } else {
        Ok(body.get(..most).unwrap_or(body).to_vec())
    };
    // What lies past the size limit does not matter.
    let body = match body {
        Ok(body) if (is_truncated || !is_whole) && body.len() < most => Err(Failure::Truncated),
        body => body,
    };
    Some(Response {
        status,
        headers,
        body,
    })
}

/// Returns a response without a usable body.
pub(super) fn failed(status: u16, failure: Failure) -> Response {
    Response {
        status,
        headers: Vec::new(),
        body: Err(failure),
    }
}

/// Splits a message after its header.
fn split(message: &[u8]) -> (&[u8], &[u8]) {
    let ends = [&b"\r\n\r\n"[..], b"\n\n"];
    let end = ends
        .iter()
        .filter_map(|end| Some((memchr::memmem::find(message, end)?, end.len())))
        .min();
    match end {
        Some((at, len)) => {
            let (head, rest) = message.split_at(at);
            (head, rest.get(len..).unwrap_or_default())
        }
        None => (message, b""),
    }
}

/// Undoes the chunks, and returns whether the last one is there. `None` if there are none: the body was stored without.
fn unchunk(body: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut rest = body;
    let mut whole = Vec::new();
    let mut is_first = true;
    loop {
        let Some(end) = memchr::memchr(b'\n', rest) else {
            return (!is_first).then_some((whole, false));
        };
        let (line, after) = rest.split_at(end);
        let size = line.split(|byte| *byte == b';').next().unwrap_or_default();
        let size = std::str::from_utf8(size.trim_ascii()).ok();
        let Some(size) = size.and_then(|size| usize::from_str_radix(size, 16).ok()) else {
            return (!is_first).then_some((whole, false));
        };
        is_first = false;
        if size == 0 {
            return Some((whole, true));
        }
        let after = after.get(1..).unwrap_or_default();
        let chunk = after.get(..size);
        whole.extend_from_slice(chunk.unwrap_or(after));
        let Some(next) = chunk.and_then(|_| after.get(size..)) else {
            return Some((whole, false));
        };
        rest = next
            .strip_prefix(b"\r\n")
            .or(next.strip_prefix(b"\n"))
            .unwrap_or(next);
    }
}

/// Reads the compressed file of a robots.txt.
pub(super) fn gzip(coded: impl Read, most: usize) -> Response {
    Response {
        body: decode(MultiGzDecoder::new(coded), most),
        ..failed(200, Failure::Truncated)
    }
}

fn decode(coded: impl Read, most: usize) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    match coded.take(most as u64).read_to_end(&mut body) {
        Ok(_) => Ok(body),
        Err(_) => Err(Failure::Truncated),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]
mod tests {
    use super::*;

    fn body(head: &str, body: &[u8]) -> Result<Vec<u8>, Failure> {
        let message = [head.as_bytes(), b"\r\n\r\n", body].concat();
        response(&message, 1000, false).unwrap().body
    }

    #[test]
    fn chunks_and_codings_are_undone_where_they_are() {
        const CHUNKED: &str = "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked";
        let text =
            |body: Result<Vec<u8>, Failure>| body.map(|body| String::from_utf8(body).unwrap());
        for (coded, wanted) in [
            ("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", Ok("abcde")),
            ("A\nabcdefghij\n0\n", Ok("abcdefghij")),
            ("3\r\nabc\r\n", Err(Failure::Truncated)),
            ("9\r\nabc", Err(Failure::Truncated)),
            ("User-agent: *\r\n", Ok("User-agent: *\r\n")),
            ("", Ok("")),
        ] {
            let wanted = wanted.map(str::to_owned);
            assert_eq!(text(body(CHUNKED, coded.as_bytes())), wanted, "{coded}");
        }
        let gzip = {
            use std::io::Write as _;
            let mut coder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            coder.write_all(b"User-agent: *").unwrap();
            coder.finish().unwrap()
        };
        const GZIP: &str = "HTTP/1.0 200\r\nContent-Encoding: gzip";
        assert_eq!(text(body(GZIP, &gzip)), Ok("User-agent: *".to_owned()));
        assert_eq!(text(body(GZIP, b"as it is")), Ok("as it is".to_owned()));
        assert_eq!(body(GZIP, &gzip[..20]), Err(Failure::Truncated));
        assert_eq!(
            body("HTTP/1.1 200 OK\r\nContent-Encoding: br", b"?"),
            Err(Failure::EncodedBody)
        );
        assert!(response(b"<html>", 1000, false).is_none());
        let cut = response(b"HTTP/1.1 200 OK\n\nabc", 1000, true).unwrap();
        assert_eq!(cut.body, Err(Failure::Truncated));
    }
}
