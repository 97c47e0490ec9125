//! Reads the file tdmrep.json of TDMRep (SPEC 13.4), which says for which pages of a site rights are reserved.
//!
//! A JSON crate would abort the process on allocation failure. This reader returns [`Error::Memory`], and keeps only the fields
//! of rules.

use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::limits::MAX_TDM_FILE;
use crate::base::rule::RulePath;
use crate::bytes::try_alloc::{append, push, zeros};
use crate::core::check::pieces::scratch_len;
use crate::core::rules::single_rule::{self, SingleRules};
use crate::url::reading;

/// The dialect of paths. TDMRep refers to Google's way of matching, whose wildcards and escapes are the same as in RFC 9309.
const DIALECT: Dialect = Dialect::Rfc9309;

#[derive(Clone, Debug, Default)]
pub(super) struct TdmRule {
    /// The canonical path.
    location: Vec<u8>,
    /// Whether rights are reserved; `None` for a value that is neither 0 nor 1.
    pub(super) is_reserved: Option<bool>,
    pub(super) policy: Option<Vec<u8>>,
}

/// The rules of a file, in file order.
#[derive(Clone, Debug, Default)]
pub(super) struct TdmFile {
    rules: Vec<TdmRule>,
    /// Whether the file is unknown or invalid.
    pub(super) is_unread: bool,
}

impl TdmFile {
    pub(super) fn parse(json: &[u8]) -> Result<TdmFile, Error> {
        let mut rules = Vec::new();
        let is_text = json.len() <= MAX_TDM_FILE && core::str::from_utf8(json).is_ok();
        let is_read = is_text && JsonReader { rest: json }.file(&mut rules)?.is_some();
        let rules = if is_read { rules } else { Vec::new() };
        Ok(TdmFile {
            rules,
            is_unread: !is_read,
        })
    }

    /// Returns the first rule whose location matches a URL. If clients send different paths for the URL (SPEC 8.11), each path
    /// has a first matching rule. The result is the rule for which `says` returns the least value.
    pub(super) fn most_restrictive<'f, S: Ord>(
        &'f self,
        url: &[u8],
        says: impl Fn(Option<&'f TdmRule>) -> S,
    ) -> Result<Option<&'f TdmRule>, Error> {
        let mut found = None;
        if self.rules.is_empty() {
            return Ok(found);
        }
        let mut is_first = true;
        let find = |reading: reading::Reading<'_>| {
            let rule = match self.find_one(reading.url) {
                Ok(rule) => rule,
                Err(error) => return Some(error),
            };
            if core::mem::take(&mut is_first) || says(rule) < says(found) {
                found = rule;
            }
            None
        };
        match reading::each(url, DIALECT, find)? {
            Some(error) => Err(error),
            None => Ok(found),
        }
    }

    fn find_one(&self, url: &[u8]) -> Result<Option<&TdmRule>, Error> {
        let url = single_rule::canonical_url(url, DIALECT)?;
        let mut scratch = zeros(scratch_len(url.len()))?;
        let mut search = SingleRules::new(&url, DIALECT, &mut scratch);
        let mut rules = self.rules.iter();
        Ok(rules.find(|rule| search.matches_canonical(&RulePath::split(&rule.location, DIALECT))))
    }
}

/// The maximum number of open brackets in a JSON text: a bound on the recursion.
const MAX_DEPTH: usize = 128;

/// A reader of the rest of a JSON text (RFC 8259). Its methods return `None` on a syntax error.
struct JsonReader<'j> {
    rest: &'j [u8],
}

/// What a reader returns: a value, a syntax error, or a lack of memory.
type Read<T> = Result<Option<T>, Error>;

/// Evaluates to the value of a [`Read`]. If there is no value, returns from the function.
macro_rules! read {
    ($read:expr) => {
        match $read {
            Some(value) => value,
            None => return Ok(None),
        }
    };
}

impl JsonReader<'_> {
    fn skip_blanks(&mut self) {
        let blanks = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let end = self.rest.iter().position(|byte| !blanks(byte));
        self.rest = self
            .rest
            .get(end.unwrap_or(self.rest.len())..)
            .unwrap_or_default();
    }

    /// Reads a byte, after white space.
    fn take(&mut self, byte: u8) -> Option<()> {
        self.skip_blanks();
        self.rest = self.rest.strip_prefix(&[byte])?;
        Some(())
    }

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// Reads an array of rules, to the end of the text.
    fn file(&mut self, rules: &mut Vec<TdmRule>) -> Read<()> {
        self.rest = self.rest.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(self.rest);
        read!(self.take(b'['));
        if self.take(b']').is_none() {
            loop {
                if let Some(rule) = read!(self.rule()?) {
                    push(rules, rule)?;
                }
                if self.take(b',').is_none() {
                    break;
                }
            }
            read!(self.take(b']'));
        }
        self.skip_blanks();
        Ok(self.rest.is_empty().then_some(()))
    }

    /// Reads an object. Returns no rule if the object has no location.
    fn rule(&mut self) -> Read<Option<TdmRule>> {
        let (mut rule, mut has_location) = (TdmRule::default(), false);
        read!(self.take(b'{'));
        if self.take(b'}').is_some() {
            return Ok(Some(None));
        }
        loop {
            let key = read!(self.string()?);
            read!(self.take(b':'));
            match &*key {
                b"tdm-reservation" => {
                    let start = self.rest;
                    read!(self.value(2)?);
                    let len = start.len() - self.rest.len();
                    rule.is_reserved = match start.get(..len).unwrap_or_default().trim_ascii() {
                        b"1" => Some(true),
                        b"0" => Some(false),
                        _ => None,
                    };
                }
                // If keys are equal, the last key counts, whatever its value is.
                b"location" => {
                    let text = read!(self.string_if_any()?);
                    has_location = matches!(text.first(), Some(b'/' | b'*'));
                    rule.location = single_rule::canonical(&text, DIALECT)?;
                }
                b"tdm-policy" => {
                    let text = read!(self.string_if_any()?);
                    rule.policy = Some(text).filter(|text| !text.is_empty());
                }
                _ => read!(self.value(2)?),
            }
            if self.take(b',').is_none() {
                break;
            }
        }
        read!(self.take(b'}'));
        Ok(Some(has_location.then_some(rule)))
    }

    /// Reads a value. Returns the value if it is a string, else an empty text.
    fn string_if_any(&mut self) -> Read<Vec<u8>> {
        self.skip_blanks();
        match self.rest.first() {
            Some(b'"') => self.string(),
            _ => Ok(self.value(2)?.map(|()| Vec::new())),
        }
    }

    /// Reads a string, and decodes its escapes.
    fn string(&mut self) -> Read<Vec<u8>> {
        let mut text = Vec::new();
        read!(self.take(b'"'));
        loop {
            let end = self
                .rest
                .iter()
                .position(|byte| matches!(byte, b'"' | b'\\' | 0..b' '));
            let (plain, rest) = self.rest.split_at(read!(end));
            append(&mut text, plain)?;
            self.rest = rest;
            match self.next() {
                Some(b'"') => return Ok(Some(text)),
                Some(b'\\') => {
                    let decoded = read!(self.escape());
                    append(&mut text, decoded.encode_utf8(&mut [0; 4]).as_bytes())?;
                }
                _ => return Ok(None),
            }
        }
    }

    /// Reads an escape after its `\`. Half of a surrogate pair is read as U+FFFD.
    fn escape(&mut self) -> Option<char> {
        Some(match self.next()? {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            byte @ (b'"' | b'\\' | b'/') => char::from(byte),
            b'u' => {
                let first = self.unit()?;
                let rest = self.rest;
                let mut units = [first, 0];
                let is_pair = (0xD800..0xDC00).contains(&first) && rest.starts_with(b"\\u");
                if is_pair {
                    self.rest = rest.get(2..)?;
                    units = [first, self.unit()?];
                }
                let mut decoded = char::decode_utf16(units);
                let char = decoded.next()?.ok();
                if is_pair && char.is_none() {
                    self.rest = rest;
                }
                char.unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return None,
        })
    }

    /// Reads four hexadecimal digits.
    fn unit(&mut self) -> Option<u16> {
        let (digits, rest) = self.rest.split_at_checked(4)?;
        let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
        let text = core::str::from_utf8(digits).ok().filter(|_| is_hex)?;
        self.rest = rest;
        u16::from_str_radix(text, 16).ok()
    }

    /// Reads a value and drops it. `depth`: the number of open brackets.
    fn value(&mut self, depth: usize) -> Read<()> {
        self.skip_blanks();
        let (close, is_object) = match self.rest.first() {
            Some(b'"') => return Ok(self.string()?.map(|_| ())),
            Some(b'[') => (b']', false),
            Some(b'{') => (b'}', true),
            _ => return Ok(self.literal()),
        };
        if depth == MAX_DEPTH {
            return Ok(None);
        }
        read!(self.next());
        if self.take(close).is_some() {
            return Ok(Some(()));
        }
        loop {
            if is_object {
                read!(self.string()?);
                read!(self.take(b':'));
            }
            read!(self.value(depth + 1)?);
            if self.take(b',').is_none() {
                return Ok(self.take(close));
            }
        }
    }

    /// Reads a number, `true`, `false` or `null`.
    fn literal(&mut self) -> Option<()> {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let end = self.rest.iter().position(|byte| !is_part(byte));
        let (text, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        (matches!(text, b"true" | b"false" | b"null") || is_number(text)).then_some(())
    }
}

/// Returns whether a text is a number of JSON.
fn is_number(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let (whole, rest) = text.split_at(digits(text));
    let is_whole = matches!(whole, [b'0'] | [b'1'..=b'9', ..]);
    let (is_fraction, rest) = match rest.strip_prefix(b".") {
        Some(rest) => (
            digits(rest) > 0,
            rest.get(digits(rest)..).unwrap_or_default(),
        ),
        None => (true, rest),
    };
    let is_exponent = match rest {
        [] => true,
        [b'e' | b'E', b'+' | b'-', digits @ ..] | [b'e' | b'E', digits @ ..] => {
            !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    };
    is_whole && is_fraction && is_exponent
}
