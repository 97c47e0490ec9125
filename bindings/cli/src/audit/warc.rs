//! Reads the requests of a crawler from a WARC file: request and response records.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

use super::auditor::Auditor;
use super::entry::Entry;
use super::time::Time;
use crate::filter::archive::{Head, head, skip};

/// The bytes of an HTTP message that are read: its head.
const MESSAGE: u64 = 64 * 1024;

/// A request or a response, or both if one follows the other.
#[derive(Default)]
struct Exchange {
    url: Vec<u8>,
    date: Option<i128>,
    /// The User-Agent of the request record, which may be missing.
    request: Option<Option<Vec<u8>>>,
    /// Status and bytes.
    response: Option<(Option<u16>, u64)>,
}

/// Reads all records.
pub(super) fn read(
    source: &mut dyn BufRead,
    auditor: &mut Auditor,
    advance: &mut dyn FnMut(&Auditor),
) -> io::Result<()> {
    let mut number = 0;
    // Some archives hold responses only, and name the crawler once.
    let mut agent = None;
    let mut waiting = Exchange::default();
    let read = loop {
        number += 1;
        let head = match head(source, number) {
            Ok(Some(head)) => head,
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        };
        let is_http =
            head.content_type.is_empty() || head.content_type.starts_with(b"application/http");
        let is_request = &*head.kind == b"request";
        let is_response = matches!(&*head.kind, b"response" | b"revisit");
        let mut block = Vec::new();
        if &*head.kind == b"warcinfo" || is_http && (is_request || is_response) {
            source
                .take(head.length.min(MESSAGE))
                .read_to_end(&mut block)?;
        }
        skip(source, head.length.saturating_sub(block.len() as u64))?;
        if &*head.kind == b"warcinfo" {
            agent = header(&block, b"http-header-user-agent").map(<[u8]>::to_vec);
        } else if is_http && (is_request || is_response) {
            let is_other_half = waiting.url == head.url
                && match is_request {
                    true => waiting.request.is_none() && waiting.response.is_some(),
                    false => waiting.response.is_none() && waiting.request.is_some(),
                };
            if !is_other_half {
                std::mem::take(&mut waiting).end(auditor, agent.as_deref());
            }
            waiting.add(head, &block, is_request);
        }
        advance(auditor);
    };
    waiting.end(auditor, agent.as_deref());
    read
}

impl Exchange {
    fn add(&mut self, head: Head, block: &[u8], is_request: bool) {
        self.url = head.url;
        self.date = self.date.or(head.date);
        if is_request {
            self.request = Some(header(block, b"user-agent").map(<[u8]>::to_vec));
        } else {
            let status = block.get(9..12).filter(|_| block.starts_with(b"HTTP/"));
            let status = status.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
            self.response = Some((status, head.length));
        }
    }

    /// Counts the request. `agent`: the User-Agent of the whole archive.
    fn end(self, auditor: &mut Auditor, agent: Option<&[u8]>) {
        if self.request.is_none() && self.response.is_none() {
            return;
        }
        let (status, bytes) = self.response.unwrap_or_default();
        let ms = self
            .date
            .and_then(|date| i64::try_from(date / 1_000_000).ok());
        let Some(ms) = ms.filter(|_| !self.url.is_empty()) else {
            return auditor.record(Err(&self.url));
        };
        let of_request = self.request.flatten();
        let entry = Entry {
            time: Time {
                ms,
                is_whole: ms % 1000 == 0,
            },
            host: None,
            target: Cow::Borrowed(&self.url),
            status,
            bytes,
            agent: of_request.as_deref().or(agent).map(Cow::Borrowed),
            address: None,
        };
        auditor.record(Ok(&entry));
    }
}

/// Returns the value of a header, by its name in lower case.
fn header<'b>(block: &'b [u8], wanted: &[u8]) -> Option<&'b [u8]> {
    let mut lines = block.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines
        .by_ref()
        .take_while(|line| !line.is_empty())
        .find_map(|line| {
            let colon = memchr::memchr(b':', line)?;
            let (name, value) = line.split_at(colon);
            let value = value.get(1..)?.trim_ascii();
            name.eq_ignore_ascii_case(wanted).then_some(value)
        })
}
