//! A parser for RFC 9651 Dictionaries (structured field values). It validates every value, because one error voids
//! the whole dictionary. It returns only values that are tokens.
//!
//! On allocation failure this parser returns [`Error::Memory`](crate::Error::Memory), whereas the crate `sfv` aborts. A
//! property test compares both parsers.

use crate::base::error::Error;
use crate::bytes::sort::sort;
use crate::bytes::try_alloc::push;
use crate::url::canonical::hex;

/// A key and its value, if the value is a token.
pub(super) type Member<'a> = (&'a [u8], Option<&'a [u8]>);

/// Returns the members of a dictionary, sorted by key. If members have equal keys, only the last of them is kept (RFC 9651,
/// 4.2.2). Returns no members if `text` is not a dictionary.
pub(super) fn members(text: &[u8]) -> Result<Vec<Member<'_>>, Error> {
    let mut members = Vec::new();
    let mut reader = DictionaryReader { rest: text };
    reader.skip(b" ");
    let mut has_ended = reader.rest.is_empty();
    while !has_ended {
        let Some((member, is_last)) = reader.element() else {
            return Ok(Vec::new());
        };
        push(&mut members, member)?;
        has_ended = is_last;
    }
    // If members have equal keys, the member that is last in `text` is sorted first, and kept. The keys are slices of `text`,
    // so their addresses give their order.
    sort(&mut members, |(a, _), (b, _)| {
        (a, b.as_ptr()) < (b, a.as_ptr())
    });
    members.dedup_by(|(later, _), (kept, _)| later == kept);
    Ok(members)
}

/// A reader of the rest of the text. Each method reads what its name says, and returns `None` on a syntax error.
struct DictionaryReader<'a> {
    rest: &'a [u8],
}

impl<'a> DictionaryReader<'a> {
    fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        self.rest = self.rest.strip_prefix(&[byte])?;
        Some(())
    }

    fn run(&mut self, is_part: impl Fn(u8) -> bool) -> &'a [u8] {
        let end = self.rest.iter().position(|byte| !is_part(*byte));
        let (run, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        run
    }

    fn skip(&mut self, of: &[u8]) {
        self.run(|byte| of.contains(&byte));
    }

    /// Reads a member and the comma after it. Returns the member and whether it is the last.
    fn element(&mut self) -> Option<(Member<'a>, bool)> {
        let member = self.member()?;
        self.skip(b" \t");
        let is_last = self.rest.is_empty();
        if !is_last {
            self.take(b',')?;
            self.skip(b" \t");
        }
        Some((member, is_last))
    }

    fn member(&mut self) -> Option<Member<'a>> {
        let key = self.key()?;
        let mut token = None;
        if self.take(b'=').is_some() {
            if self.take(b'(').is_some() {
                self.inner_list()?;
            } else {
                token = self.bare_item()?;
            }
        }
        self.parameters()?;
        Some((key, token))
    }

    fn key(&mut self) -> Option<&'a [u8]> {
        let is_start = |byte: u8| byte.is_ascii_lowercase() || byte == b'*';
        if !is_start(self.peek()?) {
            return None;
        }
        Some(self.run(|byte| {
            is_start(byte) || byte.is_ascii_digit() || matches!(byte, b'_' | b'-' | b'.')
        }))
    }

    fn inner_list(&mut self) -> Option<()> {
        loop {
            self.skip(b" ");
            if self.take(b')').is_some() {
                return Some(());
            }
            self.bare_item()?;
            self.parameters()?;
            if !matches!(self.peek()?, b' ' | b')') {
                return None;
            }
        }
    }

    fn parameters(&mut self) -> Option<()> {
        while self.take(b';').is_some() {
            self.skip(b" ");
            self.key()?;
            if self.take(b'=').is_some() {
                self.bare_item()?;
            }
        }
        Some(())
    }

    /// Reads an item. Returns `Some(None)` for an item that is no token.
    fn bare_item(&mut self) -> Option<Option<&'a [u8]>> {
        match self.peek()? {
            b'*' | b'A'..=b'Z' | b'a'..=b'z' => return Some(Some(self.run(is_token_byte))),
            b'-' | b'0'..=b'9' => self.number(true)?,
            b'"' => self.string()?,
            b':' => self.byte_sequence()?,
            b'?' => {
                self.next();
                matches!(self.next()?, b'0' | b'1').then_some(())?;
            }
            b'@' => {
                self.next();
                self.number(false)?;
            }
            b'%' => self.display_string()?,
            _ => return None,
        }
        Some(None)
    }

    fn number(&mut self, or_decimal: bool) -> Option<()> {
        let _sign = self.take(b'-');
        let digits = self.run(|byte| byte.is_ascii_digit()).len();
        if self.peek() == Some(b'.') {
            self.next();
            let fraction = self.run(|byte| byte.is_ascii_digit()).len();
            let is_decimal = (1..=12).contains(&digits) && (1..=3).contains(&fraction);
            return (or_decimal && is_decimal).then_some(());
        }
        (1..=15).contains(&digits).then_some(())
    }

    fn string(&mut self) -> Option<()> {
        self.take(b'"')?;
        loop {
            match self.next()? {
                b'"' => return Some(()),
                b'\\' => matches!(self.next()?, b'"' | b'\\').then_some(())?,
                b' '..=b'~' => {}
                _ => return None,
            }
        }
    }

    fn byte_sequence(&mut self) -> Option<()> {
        self.take(b':')?;
        let data = self.run(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
        let padding = self.run(|byte| byte == b'=');
        // Upper bound on the padding of base64. Padding may be missing (RFC 9651, 4.2.7).
        let most = match data.len() % 4 {
            0 => 0,
            1 => return None,
            2 => 2,
            _ => 1,
        };
        (padding.len() <= most).then_some(())?;
        self.take(b':')
    }

    fn display_string(&mut self) -> Option<()> {
        self.take(b'%')?;
        self.take(b'"')?;
        // The decoded bytes must be UTF-8. A character has at most four bytes.
        let mut pending = [0_u8; 4];
        let mut len = 0;
        loop {
            let byte = match self.next()? {
                b'"' => return (len == 0).then_some(()),
                b'%' => self.lower_hex()? << 4 | self.lower_hex()?,
                byte @ b' '..=b'~' => byte,
                _ => return None,
            };
            *pending.get_mut(len)? = byte;
            len += 1;
            match core::str::from_utf8(pending.get(..len)?) {
                Ok(_) => len = 0,
                Err(error) if error.error_len().is_none() => {}
                Err(_) => return None,
            }
        }
    }

    fn lower_hex(&mut self) -> Option<u8> {
        hex(self.next().filter(|digit| !digit.is_ascii_uppercase())?)
    }
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~:/".contains(&byte)
}
