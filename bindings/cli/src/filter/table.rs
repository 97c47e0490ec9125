//! Robots.txt files as rows of a CSV or TSV table.

use std::io::Read;

use robots::Failure;

use super::counts::LeftOut;
use super::item::{Content, Event, Item, Response, Sink};
use super::site_names::{keys_of_name, robots_origin};

/// The names of the columns, the first of each is the usual one.
const SITE: &[&str] = &["origin", "url", "host", "site"];
const STATUS: &[&str] = &["status", "http_status", "status_code"];
const BODY: &[&str] = &["body", "robots_txt", "robots", "content"];

/// The status of a row without a response.
const NO_RESPONSE: u16 = 0;

/// Returns the separator of a table, if this is its first line.
pub(super) fn separator(line: &[u8]) -> Option<u8> {
    let line = line
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(line)
        .trim_ascii_end();
    [b'\t', b','].into_iter().find(|separator| {
        let names: Vec<&[u8]> = line.split(|byte| byte == separator).map(bare).collect();
        place(&names, SITE).is_some() && place(&names, BODY).is_some()
    })
}

/// Returns the name of a column without quotes.
fn bare(name: &[u8]) -> &[u8] {
    let name = name.trim_ascii();
    name.strip_prefix(b"\"")
        .and_then(|name| name.strip_suffix(b"\""))
        .unwrap_or(name)
}

fn place(names: &[&[u8]], wanted: &[&str]) -> Option<usize> {
    wanted.iter().find_map(|wanted| {
        names
            .iter()
            .position(|name| name.eq_ignore_ascii_case(wanted.as_bytes()))
    })
}

/// Reads a table, row by row.
pub(super) fn read(
    source: &mut dyn Read,
    separator: u8,
    most: usize,
    sink: &mut Sink<'_>,
) -> Result<(), String> {
    let mut rows = csv::ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .from_reader(source);
    let names = rows
        .byte_headers()
        .map_err(|error| error.to_string())?
        .clone();
    let names: Vec<&[u8]> = names
        .iter()
        .map(|name| bare(name.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(name)))
        .collect();
    let missing = || "the columns origin and body are missing".to_owned();
    let site = place(&names, SITE).ok_or_else(missing)?;
    let body = place(&names, BODY).ok_or_else(missing)?;
    let status = place(&names, STATUS);
    let is_url = names
        .get(site)
        .is_some_and(|name| name.eq_ignore_ascii_case(b"url"));
    let mut row = csv::ByteRecord::new();
    while rows
        .read_byte_record(&mut row)
        .map_err(|error| error.to_string())?
    {
        let line = row.position().map_or(0, csv::Position::line);
        let name = String::from_utf8_lossy(row.get(site).unwrap_or_default()).into_owned();
        let body = row
            .get(body)
            .map(|body| body.get(..most).unwrap_or(body).to_vec());
        let status = match status.map(|at| row.get(at).unwrap_or_default().trim_ascii()) {
            None => None,
            Some(b"") => Some(NO_RESPONSE),
            Some(text) => {
                let number = std::str::from_utf8(text)
                    .ok()
                    .and_then(|text| text.parse().ok());
                Some(number.ok_or_else(|| {
                    format!(
                        "line {line}: the status '{}' is no number",
                        text.escape_ascii()
                    )
                })?)
            }
        };
        let event = match keys(name.trim()) {
            _ if is_page(name.trim(), is_url) => Event::LeftOut(LeftOut::Page, name),
            None => Event::LeftOut(LeftOut::Name, name),
            Some(keys) => Event::Item(Item {
                keys,
                date: 0,
                content: match (status, body) {
                    (None, Some(body)) => Content::Body(body),
                    // A row that ends before its body is cut.
                    (status, body) => Content::Response(Response {
                        status: status.unwrap_or(NO_RESPONSE),
                        headers: Vec::new(),
                        body: body.ok_or(Failure::Truncated),
                    }),
                },
            }),
        };
        if !sink(event) {
            break;
        }
    }
    Ok(())
}

/// Whether a cell is the URL of a page. In a column of URLs that of the start page is one, elsewhere it names the site.
fn is_page(name: &str, is_url: bool) -> bool {
    let Some((_, rest)) = name.split_once("://") else {
        return false;
    };
    let start = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    match rest.get(start..).unwrap_or_default() {
        "" | "/robots.txt" => false,
        "/" => is_url,
        _ => true,
    }
}

/// Returns the keys of a cell: an origin, the URL of a robots.txt, or a host.
fn keys(name: &str) -> Option<Vec<String>> {
    match robots_origin(name.as_bytes()) {
        Some(origin) => Some(vec![origin.key().to_owned()]),
        None => keys_of_name(name),
    }
}
