//! The formats of logs, each recognised by its lines.

use std::borrow::Cow;
use std::net::IpAddr;

use super::entry::{Entry, Unread, target_of};
use super::fields::{Fields, Names, Slot, read_json};
use super::time::Times;

/// A reader of the lines of one file.
pub(super) struct LineReader {
    names: Names,
    times: Times,
    /// The columns of W3C, after `#Fields:`.
    columns: Option<Vec<Option<(Slot, u16)>>>,
    /// The letters of the columns of an index of captures.
    letters: Vec<u8>,
}

/// The columns of an index without a header: 11 or 9.
const LETTERS: &[u8] = b"NbamskrMSVg";
const OLD_LETTERS: &[u8] = b"NbamskrVg";

impl LineReader {
    pub(super) fn new(names: Names) -> LineReader {
        LineReader {
            names,
            times: Times::default(),
            columns: None,
            letters: Vec::new(),
        }
    }

    /// Forgets the headers: another file begins.
    pub(super) fn start_file(&mut self) {
        self.columns = None;
        self.letters.clear();
    }

    /// Reads a line; `None`: it is a header or blank.
    pub(super) fn read<'l>(&mut self, line: &'l [u8]) -> Result<Option<Entry<'l>>, Unread> {
        match line {
            [] => return Ok(None),
            [b'{', ..] => {
                let fields = read_json(&self.names, line)?;
                return fields.entry(&mut self.times, false).map(Some);
            }
            [b'#', directive @ ..] => {
                if let Some(fields) = directive.strip_prefix(b"Fields:") {
                    let names = fields.split(|byte| byte.is_ascii_whitespace());
                    let names = names.filter(|name| !name.is_empty());
                    let slot = |name| self.names.slot(std::str::from_utf8(name).ok()?);
                    self.columns = Some(names.map(slot).collect());
                }
                return Ok(None);
            }
            [b' ', b'C', b'D', b'X', letters @ ..] => {
                self.letters = letters
                    .iter()
                    .copied()
                    .filter(u8::is_ascii_graphic)
                    .collect();
                return Ok(None);
            }
            _ => {}
        }
        if let Some(columns) = &self.columns {
            return w3c(columns, line)?.entry(&mut self.times, true).map(Some);
        }
        match combined(line, &mut self.times) {
            Err(Unread::Form) => match line.trim_ascii() {
                [] => Ok(None),
                _ => self.capture(line).map(Some),
            },
            read => read.map(Some),
        }
    }

    /// Reads a line of an index of captures (CDX, CDXJ).
    fn capture<'l>(&mut self, line: &'l [u8]) -> Result<Entry<'l>, Unread> {
        let mut words = line.split(|byte| *byte == b' ');
        let (_, date) = (words.next(), words.next().unwrap_or_default());
        if date.len() != 14 || !date.iter().all(u8::is_ascii_digit) {
            return Err(Unread::Form);
        }
        let mut fields = match memchr::memchr(b'{', line) {
            Some(at) if words.next().is_some_and(|word| word.starts_with(b"{")) => {
                read_json(&self.names, line.get(at..).unwrap_or_default())?
            }
            _ => {
                let count = line.split(|byte| *byte == b' ').count();
                let letters = match &*self.letters {
                    [] if count == OLD_LETTERS.len() => OLD_LETTERS,
                    [] => LETTERS,
                    given => given,
                };
                if count != letters.len() {
                    return Err(if count < 3 { Unread::Form } else { Unread::Cut });
                }
                let mut fields = Fields::default();
                for (letter, word) in letters.iter().zip(line.split(|byte| *byte == b' ')) {
                    match letter {
                        b'a' => fields.set_text((Slot::Url, 0), word),
                        b's' => fields.set_text((Slot::Status, 0), word),
                        b'S' => fields.set_text((Slot::Bytes, 0), word),
                        _ => {}
                    }
                }
                fields
            }
        };
        fields.set_text((Slot::Time, 0), date);
        let mut entry = fields.entry(&mut self.times, false)?;
        entry.agent = None;
        Ok(entry)
    }
}

fn w3c<'l>(columns: &[Option<(Slot, u16)>], line: &'l [u8]) -> Result<Fields<'l>, Unread> {
    let separator = match memchr::memchr(b'\t', line) {
        Some(_) => b'\t',
        None => b' ',
    };
    let mut fields = Fields::default();
    let mut words = line.split(|byte| *byte == separator);
    for column in columns {
        let word = words.next().ok_or(Unread::Columns)?;
        if let Some(slot) = column {
            fields.set_text(*slot, word);
        }
    }
    match words.next() {
        None | Some(b"") => Ok(fields),
        Some(_) => Err(Unread::Columns),
    }
}

/// Reads a line in the common or combined format, perhaps with the host before it.
fn combined<'l>(line: &'l [u8], times: &mut Times) -> Result<Entry<'l>, Unread> {
    let mut from = 0;
    let (start, time, rest) = loop {
        let rest = line.get(from..).unwrap_or_default();
        let open = from + memchr::memchr(b'[', rest).ok_or(Unread::Form)?;
        from = open + 1;
        let inner = line.get(from..).unwrap_or_default();
        // The time of a combined log has 26 bytes.
        if !inner.first().is_some_and(u8::is_ascii_digit) {
            continue;
        }
        let Some(close) = memchr::memchr(b']', inner) else {
            return Err(Unread::Cut);
        };
        let (text, rest) = inner.split_at(close);
        // A user may have brackets and a time, too, but no quote: the server escapes it.
        if text.len() >= 19 && (rest.starts_with(b"] \"") || rest.len() < 3) {
            let time = times.parse(text).ok_or(Unread::Time)?;
            break (line.get(..open).unwrap_or_default(), time, rest);
        }
    };
    let mut words = start
        .split(|byte| *byte == b' ')
        .filter(|word| !word.is_empty());
    let first = words.next().ok_or(Unread::Form)?;
    let second = words.next().unwrap_or_default();
    let is_address = |word: &[u8]| {
        let text = std::str::from_utf8(word).ok();
        text.is_some_and(|text| text.parse::<IpAddr>().is_ok())
    };
    let (host, address) = match second {
        b"-" | b"" => (None, first),
        _ if is_address(second) && !is_address(first) => (Some(Cow::Borrowed(first)), second),
        _ => (None, first),
    };
    let rest = rest.strip_prefix(b"] \"").ok_or(match rest.len() {
        ..3 => Unread::Cut,
        _ => Unread::Form,
    })?;
    let (request, rest) = quoted(rest, |rest| matches!(rest, [b' ', b'0'..=b'9' | b'-', ..]))?;
    let (status, rest) = word(rest).ok_or(Unread::Cut)?;
    let (bytes, rest) = word(rest).ok_or(Unread::Cut)?;
    let status = match status {
        b"-" => None,
        _ if status.len() == 3 => Some(number(status).ok_or(Unread::Form)? as u16),
        _ => return Err(Unread::Form),
    };
    let bytes = match bytes {
        b"-" => 0,
        _ => number(bytes).ok_or(Unread::Form)?,
    };
    let agent = match rest.strip_prefix(b"\"") {
        None => None,
        Some(referer) => {
            let ends = |rest: &[u8]| matches!(rest, [] | [b' ', ..]);
            let (_, rest) = quoted(referer, ends)?;
            let agent = rest.strip_prefix(b"\"").ok_or(Unread::Cut)?;
            let (agent, _) = quoted(agent, ends)?;
            Some(match agent {
                b"-" => Cow::default(),
                _ => unescaped(agent),
            })
        }
    };
    Ok(Entry {
        time,
        host,
        target: target_of(unescaped(request)),
        status,
        bytes,
        agent,
        address: Some(Cow::Borrowed(address)),
    })
}

/// Splits at the quote that ends a text: it is not escaped, and what follows it is an end. Some servers write a quote of the client as
/// it is.
fn quoted(text: &[u8], is_end: impl Fn(&[u8]) -> bool) -> Result<(&[u8], &[u8]), Unread> {
    let mut at = 0;
    loop {
        let rest = text.get(at..).ok_or(Unread::Cut)?;
        at += memchr::memchr2(b'"', b'\\', rest).ok_or(Unread::Cut)?;
        let after = text.get(at + 1..).unwrap_or_default();
        match text.get(at) {
            Some(b'"') if is_end(after) => {
                let before = text.get(..at).unwrap_or_default();
                return Ok((before, after.get(1..).unwrap_or_default()));
            }
            Some(b'\\') => at += 2,
            _ => at += 1,
        }
    }
}

fn word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(b' ', text).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (!word.is_empty()).then(|| (word, rest.get(1..).unwrap_or_default()))
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Decodes the escapes of nginx and Apache.
fn unescaped(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        rest = after;
        let (b'\\', [code, after @ ..]) = (first, after) else {
            out.push(*first);
            continue;
        };
        let digits = after.get(..2).filter(|_| *code == b'x');
        let byte = digits
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        rest = match byte {
            Some(_) => after.get(2..).unwrap_or_default(),
            None => after,
        };
        out.push(byte.unwrap_or(match code {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            other => *other,
        }));
    }
    Cow::Owned(out)
}
