//! Robots.txt files as rows of a CSV or TSV table.

use std::io::Read;
use std::str::FromStr;

use robots::{Capture, Cause, parse_date};

use super::counts::LeftOut;
use super::item::{Content, Event, Item, Sink};
use super::site_names::keys_of_name;

/// The names of the columns, the first of each is the usual one.
const ORIGIN: &[&str] = &["origin"];
const URL: &[&str] = &["url"];
const HOST: &[&str] = &["host", "site"];
const STATUS: &[&str] = &["status", "http_status", "status_code"];
const BODY: &[&str] = &["body", "robots_txt", "robots", "content"];
const DATE: &[&str] = &["date"];
const TARGET: &[&str] = &["target"];
const FAILURE: &[&str] = &["failure"];

/// Returns the separator of a table, if this is its first line.
pub(super) fn separator(line: &[u8]) -> Option<u8> {
    let line = line
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(line)
        .trim_ascii_end();
    [b'\t', b','].into_iter().find(|separator| {
        let names: Vec<&[u8]> = line.split(|byte| byte == separator).map(bare).collect();
        let mut sites = [ORIGIN, URL, HOST].into_iter();
        sites.any(|site| place(&names, site).is_some()) && place(&names, BODY).is_some()
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
    let columns = [ORIGIN, URL, HOST, STATUS, BODY, DATE, TARGET, FAILURE];
    let [origin, url, host, status, body, date, target, failure] =
        columns.map(|known| place(&names, known));
    let mut row = csv::ByteRecord::new();
    while rows
        .read_byte_record(&mut row)
        .map_err(|error| error.to_string())?
    {
        let line = row.position().map_or(0, csv::Position::line);
        let cell = |column: Option<usize>| {
            let cell = row.get(column?).map(<[u8]>::trim_ascii);
            cell.filter(|cell| !cell.is_empty())
        };
        let is_no = |name: &str, text: &[u8], what: &str| {
            format!(
                "line {line}: the {name} '{}' is no {what}",
                text.escape_ascii()
            )
        };
        let is_url = |site: &&[u8]| url.is_none() || Capture::key(*site).is_some();
        let site = match cell(origin).filter(is_url) {
            None => cell(url).map(|url| (Capture::key(url).into_iter().collect(), url)),
            Some(site) => Some((Capture::key_of_origin(site).into_iter().collect(), site)),
        };
        let host = || cell(host).map(|host| (keys(host), host));
        let (keys, name): (Vec<Box<str>>, _) = site.or_else(host).unwrap_or_default();
        let date = cell(date).map(|text| time(text).ok_or_else(|| is_no("date", text, "date")));
        let status = match cell(status) {
            None if status.is_none() => Some(200),
            None => None,
            Some(text) => Some(number(text).ok_or_else(|| is_no("status", text, "number"))?),
        };
        let has_page = keys.iter().any(|key| !is_robots(key));
        let name = || String::from_utf8_lossy(name).into_owned();
        let is_page = has_page || name().contains("://");
        let event = if keys.is_empty() && !is_page {
            Event::LeftOut(LeftOut::Name, name())
        } else if keys.is_empty() || has_page && target.is_none() {
            // Without targets nothing leads to a page.
            Event::LeftOut(LeftOut::Page, name())
        } else {
            Event::Item(Item {
                keys,
                date: date.transpose()?,
                content: Content::Capture(Capture {
                    status,
                    failure: cell(failure).map(|_| Cause::OtherFailure),
                    target: cell(target).map(|target| target.to_vec().into()),
                    // A row that ends before its body is cut.
                    body: body
                        .and_then(|body| row.get(body))
                        .map(|body| body.get(..most).unwrap_or(body).to_vec().into()),
                }),
            })
        };
        if !sink(event) {
            break;
        }
    }
    Ok(())
}

/// Returns whether a key is that of a robots.txt.
fn is_robots(key: &str) -> bool {
    Capture::key_of_origin(key).as_deref() == Some(key)
}

/// Returns the keys of a host, or of an origin in its place.
fn keys(host: &[u8]) -> Vec<Box<str>> {
    let host = std::str::from_utf8(host).ok();
    host.and_then(keys_of_name).unwrap_or_default()
}

/// Returns the nanoseconds of a date, or of seconds since 1970.
fn time(text: &[u8]) -> Option<i128> {
    parse_date(text).or_else(|| number::<i128>(text)?.checked_mul(1_000_000_000))
}

fn number<T: FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}
