//! The URL of each line of a list: the line itself, or a column of a table.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use clap::Args;

use crate::fault::Fault;
use crate::input;

/// The form of a list of URLs.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ListForm {
    /// The list is a table: the URL is in this column. A name is looked up in the first line, in any case; a number
    /// counts from 1, and the first line is a row. Columns end at tabs or, if the first line has none, at commas as in
    /// CSV
    #[arg(long, value_name = "NAME|N", hide_short_help = true)]
    column: Option<String>,
    /// A NUL ends each line, not a line feed
    #[arg(short = '0', long, hide_short_help = true)]
    null: bool,
}

/// Where the URL of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The byte that ends a line: LF (a CR before it does not count) or NUL.
    pub(crate) end: u8,
    column: Option<Column>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Column {
    index: usize,
    separator: u8,
}

/// A line of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<'l> {
    /// The line as it is, without its end.
    pub(crate) line: &'l [u8],
    /// `None`: the line has no such column, or is not CSV.
    pub(crate) url: Option<&'l [u8]>,
}

/// The longest first line of a table.
const LONGEST_HEADER: u64 = 1 << 20;

/// A list whose form is known.
pub(crate) struct List {
    pub(crate) source: Box<dyn Read + Send>,
    pub(crate) layout: Layout,
    /// The line with the names of the columns, with its end.
    pub(crate) header: Vec<u8>,
}

impl ListForm {
    /// Returns the byte that ends a line: LF (a CR before it does not count) or NUL.
    pub(crate) fn line_end(&self) -> u8 {
        if self.null { 0 } else { b'\n' }
    }

    /// Reads the first line of a table.
    pub(crate) fn open(&self, path: &Path, source: Box<dyn Read + Send>) -> Result<List, Fault> {
        let end = self.line_end();
        let Some(wanted) = &self.column else {
            let layout = Layout { end, column: None };
            return Ok(List {
                source,
                layout,
                header: Vec::new(),
            });
        };
        let mut source = BufReader::with_capacity(64 * 1024, source);
        let mut first = Vec::new();
        (&mut source)
            .take(LONGEST_HEADER)
            .read_until(end, &mut first)
            .map_err(|error| input::cannot_read(path, &error))?;
        let line = first.strip_suffix(&[end]).unwrap_or(&first);
        let line = without_cr(line, end);
        let separator = if line.contains(&b'\t') { b'\t' } else { b',' };
        let number = wanted.parse::<usize>().ok();
        let index = match number {
            Some(0) => None,
            Some(number) => Some(number - 1),
            None => find(line, wanted, separator),
        };
        let Some(index) = index else {
            return Err(Fault::new(format!(
                "--column {wanted}: {} has no such column; its first line is: {}",
                input::shown(path),
                crate::screen::safe(line.get(..200).unwrap_or(line))
            )));
        };
        let column = Some(Column { index, separator });
        let layout = Layout { end, column };
        Ok(match number {
            Some(_) => List {
                source: Box::new(io::Cursor::new(first).chain(source)),
                layout,
                header: Vec::new(),
            },
            None => List {
                source: Box::new(source),
                layout,
                header: first,
            },
        })
    }
}

fn find(line: &[u8], wanted: &str, separator: u8) -> Option<usize> {
    // The byte order mark of a spreadsheet program.
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    let mut scratch = Vec::new();
    (0..)
        .map_while(|index| {
            Some(
                field(line, index, separator, &mut scratch)?
                    .trim_ascii()
                    .to_vec(),
            )
        })
        .position(|name| name.eq_ignore_ascii_case(wanted.as_bytes()))
}

impl Layout {
    pub(crate) fn record<'l>(&self, line: &'l [u8], scratch: &'l mut Vec<u8>) -> Record<'l> {
        let url = match self.column {
            None => Some(line),
            Some(Column { index, separator }) => field(line, index, separator, scratch),
        };
        Record { line, url }
    }
}

/// Returns a line without the CR of a CRLF.
pub(crate) fn without_cr(line: &[u8], end: u8) -> &[u8] {
    match line.strip_suffix(b"\r") {
        Some(line) if end == b'\n' => line,
        _ => line,
    }
}

/// Returns a field of a row. Only in CSV do quotes enclose a field; a quote that does not end makes a row invalid.
fn field<'l>(
    line: &'l [u8],
    index: usize,
    separator: u8,
    scratch: &'l mut Vec<u8>,
) -> Option<&'l [u8]> {
    if separator == b'\t' || memchr::memchr(b'"', line).is_none() {
        return plain_field(line, index, separator);
    }
    // A field of several lines: its lines are no rows.
    if memchr::memchr_iter(b'"', line).count() % 2 != 0 {
        return None;
    }
    let mut rest = line;
    for _ in 0..index {
        let (_, after) = quoted_field(rest, scratch)?;
        rest = after?;
    }
    let (is_quoted, after) = quoted_field(rest, scratch)?;
    if is_quoted {
        return Some(scratch);
    }
    let len = after.map_or(rest.len(), |after| rest.len() - after.len() - 1);
    rest.get(..len)
}

fn plain_field(line: &[u8], index: usize, separator: u8) -> Option<&[u8]> {
    let mut rest = line;
    for _ in 0..index {
        let end = memchr::memchr(separator, rest)?;
        rest = rest.get(end + 1..)?;
    }
    let end = memchr::memchr(separator, rest).unwrap_or(rest.len());
    rest.get(..end)
}

/// Reads the first field of the rest of a row, and decodes it to `scratch` if it is quoted. Returns whether it is, and the
/// fields after it.
fn quoted_field<'l>(rest: &'l [u8], scratch: &mut Vec<u8>) -> Option<(bool, Option<&'l [u8]>)> {
    let Some(mut text) = rest.strip_prefix(b"\"") else {
        let end = memchr::memchr(b',', rest);
        return Some((false, end.and_then(|end| rest.get(end + 1..))));
    };
    scratch.clear();
    loop {
        let quote = memchr::memchr(b'"', text)?;
        scratch.extend_from_slice(text.get(..quote)?);
        match text.get(quote + 1..)? {
            [b'"', after @ ..] => {
                scratch.push(b'"');
                text = after;
            }
            [b',', after @ ..] => return Some((true, Some(after))),
            [] => return Some((true, None)),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        let field = |line: &str, index, separator| {
            let mut scratch = Vec::new();
            field(line.as_bytes(), index, separator, &mut scratch)
                .map(|field| String::from_utf8_lossy(field).into_owned())
        };
        for (line, index, separator, wanted) in [
            ("a\tb\tc", 1, b'\t', Some("b")),
            ("a\tb", 2, b'\t', None),
            ("a\t\"b\tc", 1, b'\t', Some("\"b")),
            ("a,b,c", 2, b',', Some("c")),
            ("", 0, b',', Some("")),
            ("\"a,\"\"b\",c", 0, b',', Some("a,\"b")),
            ("\"a,b\",c", 1, b',', Some("c")),
            ("c,\"a,b\"", 0, b',', Some("c")),
            ("c,\"a,b\"", 1, b',', Some("a,b")),
            ("c,\"a,b\"", 2, b',', None),
            ("c,\"a", 0, b',', None),
            ("\"a\"x,c", 1, b',', None),
        ] {
            assert_eq!(
                field(line, index, separator).as_deref(),
                wanted,
                "{line} {index}"
            );
        }
    }
}
