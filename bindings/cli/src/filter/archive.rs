//! Robots.txt files in a tar or in WARC files.

use std::io::{self, BufRead, Read};

use robots::{Capture, parse_date};

use super::counts::LeftOut;
use super::item::{Content, Event, Item, Sink};
use super::site_names::{is_gzip, keys_of_path};

/// Reads a tar: each file is named after its host or origin.
pub(super) fn tar(source: &mut dyn Read, most: usize, sink: &mut Sink<'_>) -> io::Result<()> {
    for entry in tar::Archive::new(source).entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path = entry.path()?.into_owned();
        let event = match keys_of_path(&path) {
            None => Event::LeftOut(LeftOut::Name, path.display().to_string()),
            Some(keys) => {
                let mut body = Vec::new();
                let size = entry.size();
                (&mut entry).take(most as u64).read_to_end(&mut body)?;
                let is_cut = (body.len() as u64) < size;
                Event::Item(Item {
                    keys,
                    date: None,
                    content: Content::file(&body, is_gzip(&path), is_cut),
                })
            }
        };
        if !sink(event) {
            break;
        }
    }
    Ok(())
}

/// The longest line of a WARC header, and the longest HTTP header.
const LONGEST_LINE: u64 = 64 * 1024;
const LONGEST_HEAD: usize = 256 * 1024;

/// The header of a WARC record, as far as it is used.
#[derive(Default)]
pub(crate) struct Head {
    pub(crate) kind: Vec<u8>,
    pub(crate) content_type: Vec<u8>,
    pub(crate) url: Vec<u8>,
    pub(crate) date: Option<i128>,
    pub(crate) length: u64,
    is_truncated: bool,
}

/// Reads WARC records: responses and resources.
pub(super) fn warc(source: &mut dyn BufRead, most: usize, sink: &mut Sink<'_>) -> io::Result<()> {
    let mut number = 0_u64;
    while let Some(head) = head(source, number + 1)? {
        number += 1;
        let Some(key) = key(&head) else {
            skip(source, head.length)?;
            continue;
        };
        let mut block = Vec::new();
        let wanted = head.length.min((most + LONGEST_HEAD) as u64);
        source.take(wanted).read_to_end(&mut block)?;
        let is_cut = head.is_truncated || (block.len() as u64) < head.length;
        skip(source, head.length.saturating_sub(block.len() as u64))?;
        let content = match &*head.kind {
            b"response" => Content::Message(block, is_cut),
            _ => Content::file(&block, false, is_cut),
        };
        let item = Item {
            keys: vec![key],
            date: head.date,
            content,
        };
        if !sink(Event::Item(item)) {
            break;
        }
    }
    Ok(())
}

/// Returns the key of the URL of an HTTP response or a resource. Redirects may lead to any page.
fn key(head: &Head) -> Option<Box<str>> {
    let is_http =
        head.content_type.is_empty() || head.content_type.starts_with(b"application/http");
    match &*head.kind {
        b"response" if is_http => Capture::key(&head.url),
        b"resource" => Capture::key(&head.url),
        _ => None,
    }
}

/// Reads the header of the next record; `None` at the end.
pub(crate) fn head(source: &mut dyn BufRead, number: u64) -> io::Result<Option<Head>> {
    let damaged = |what: &str| io::Error::other(format!("record {number}: {what}"));
    let mut line = Vec::new();
    loop {
        read_line(source, &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        if !line.trim_ascii().is_empty() {
            break;
        }
    }
    if !line.starts_with(b"WARC/") {
        return Err(damaged("there is no WARC header"));
    }
    let mut head = Head::default();
    let mut length = None;
    loop {
        read_line(source, &mut line)?;
        let text = line.trim_ascii();
        if text.is_empty() {
            break;
        }
        let Some(colon) = memchr::memchr(b':', text) else {
            continue;
        };
        let (name, value) = text.split_at(colon);
        let value = value.get(1..).unwrap_or_default().trim_ascii();
        let is = |wanted: &str| name.eq_ignore_ascii_case(wanted.as_bytes());
        if is("WARC-Type") {
            head.kind = value.to_ascii_lowercase();
        } else if is("WARC-Target-URI") {
            let url = value
                .strip_prefix(b"<")
                .and_then(|url| url.strip_suffix(b">"));
            head.url = url.unwrap_or(value).to_vec();
        } else if is("WARC-Date") {
            head.date = parse_date(value);
        } else if is("Content-Type") {
            head.content_type = value.to_ascii_lowercase();
        } else if is("WARC-Truncated") {
            head.is_truncated = true;
        } else if is("Content-Length") {
            length = std::str::from_utf8(value)
                .ok()
                .and_then(|text| text.parse().ok());
        }
    }
    head.length = length.ok_or_else(|| damaged("it has no Content-Length"))?;
    Ok(Some(head))
}

fn read_line(source: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    line.clear();
    source
        .take(LONGEST_LINE)
        .read_until(b'\n', line)
        .map(|_| ())
}

/// Skips bytes without keeping them.
pub(crate) fn skip(source: &mut dyn BufRead, mut count: u64) -> io::Result<()> {
    while count > 0 {
        let available = source.fill_buf()?.len() as u64;
        if available == 0 {
            break;
        }
        let now = available.min(count);
        source.consume(now as usize);
        count -= now;
    }
    Ok(())
}
