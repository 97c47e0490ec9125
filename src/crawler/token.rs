//! Product tokens, and what a user-agent line names (SPEC 7).

use crate::dialect::Dialect;
use crate::error::Error;
use crate::limits::MAX_TOKEN_LEN;

/// The rank of what a user-agent line names: 0 is the crawler's first product token, lower is preferred.
pub(crate) type Rank = usize;

/// The rank of a name that is not the crawler's.
pub(crate) const NOBODY: Rank = Rank::MAX;

/// Returns an error if `token` is not a product token in `dialect` (SPEC 7.6).
pub(crate) fn validate(token: &[u8], dialect: Dialect) -> Result<(), Error> {
    let is_token = !token.is_empty()
        && token.len() <= MAX_TOKEN_LEN
        && token.iter().all(|byte| dialect.is_token_byte(*byte));
    if is_token { Ok(()) } else { Err(Error::Token) }
}

/// The bytes of a token in a user-agent line (SPEC 7.3, 7.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alphabet {
    /// `[A-Za-z_-]`, that of RFC 9309.
    Letters,
    /// `[A-Za-z0-9._-]`.
    DigitsAndDots,
    /// Every byte: the whole value is the name.
    Any,
}

impl Alphabet {
    /// Returns the widest alphabet of `dialect`.
    fn widest(dialect: Dialect) -> Alphabet {
        match dialect {
            Dialect::Rfc9309 => Alphabet::DigitsAndDots,
            Dialect::Google => Alphabet::Letters,
            Dialect::Koster1996 => Alphabet::Any,
        }
    }

    /// Returns the alphabet in which a crawler called `token` reads user-agent lines.
    fn of_token(token: &[u8], dialect: Dialect) -> Alphabet {
        let is_narrow = || token.iter().all(|byte| Alphabet::Letters.contains(*byte));
        match Alphabet::widest(dialect) {
            Alphabet::DigitsAndDots if is_narrow() => Alphabet::Letters,
            widest => widest,
        }
    }

    fn contains(self, byte: u8) -> bool {
        match self {
            Alphabet::Letters => Dialect::Google.is_token_byte(byte),
            Alphabet::DigitsAndDots => Dialect::Rfc9309.is_token_byte(byte),
            Alphabet::Any => true,
        }
    }

    /// Returns the longest start of `value` that is in this alphabet.
    fn token_at_start(self, value: &[u8]) -> &[u8] {
        let end = value.iter().position(|byte| !self.contains(*byte));
        end.and_then(|end| value.get(..end)).unwrap_or(value)
    }
}

/// Returns whether the value of a user-agent line names a crawler called `token` (SPEC 7.2, 7.3, 7.8). `value` is
/// trimmed.
#[inline]
pub(crate) fn names(value: &[u8], token: &[u8], dialect: Dialect) -> bool {
    // Nearly all lines name other crawlers: the alphabets matter only if the token is at the start.
    let Some((start, rest)) = value.split_at_checked(token.len()) else {
        return false;
    };
    if !start.eq_ignore_ascii_case(token) {
        return false;
    }
    let alphabet = Alphabet::of_token(token, dialect);
    // A token that was not validated may hold any bytes.
    alphabet.token_at_start(start).len() == start.len()
        && rest.first().is_none_or(|next| !alphabet.contains(*next))
}

/// What the value of a user-agent line names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name<'a> {
    /// `*` (SPEC 7.4).
    Everyone,
    /// A product token. An empty one names no crawler.
    Token(&'a [u8]),
}

impl<'a> Name<'a> {
    /// Parses the value of a user-agent line, with the longest token that `dialect` permits (SPEC 7.3, 7.4, 7.8).
    pub(crate) fn parse(value: &'a [u8], dialect: Dialect) -> Name<'a> {
        Name::in_alphabet(value, Alphabet::widest(dialect), dialect)
    }

    /// Parses the value of a user-agent line as a crawler called `token` reads it (SPEC 7.3, 7.4, 7.8).
    pub(super) fn parse_for(value: &'a [u8], token: &[u8], dialect: Dialect) -> Name<'a> {
        Name::in_alphabet(value, Alphabet::of_token(token, dialect), dialect)
    }

    fn in_alphabet(value: &'a [u8], alphabet: Alphabet, dialect: Dialect) -> Name<'a> {
        if names_everyone(value, dialect) {
            Name::Everyone
        } else {
            Name::Token(alphabet.token_at_start(dialect.trim(value)))
        }
    }
}

/// Returns whether the value of a user-agent line names everyone (SPEC 7.4).
#[inline]
pub(crate) fn names_everyone(value: &[u8], dialect: Dialect) -> bool {
    match value {
        [b'*'] => true,
        [b'*', after, ..] => dialect.is_space(*after),
        _ => false,
    }
}

impl Dialect {
    /// Returns what the value of a user-agent line names (SPEC 7.3, 7.4, 7.8): `*` for everyone, a product token
    /// as it is written, or `None` if it names no crawler.
    ///
    /// In rfc9309 a crawler whose token has no digit and no dot reads a shorter token:
    /// see [`Crawler::agent_name`](crate::Crawler::agent_name).
    ///
    /// ```
    /// use robots::Dialect;
    ///
    /// assert_eq!(Dialect::Rfc9309.agent_name(b"ExampleBot/2.1"), Some(&b"ExampleBot"[..]));
    /// assert_eq!(Dialect::Rfc9309.agent_name(b"* # all"), Some(&b"*"[..]));
    /// assert_eq!(Dialect::Rfc9309.agent_name(b"(none)"), None);
    /// ```
    pub fn agent_name(self, value: &[u8]) -> Option<&[u8]> {
        Name::parse(value, self).written()
    }
}

impl<'a> Name<'a> {
    /// Returns the name as it is written, `*` for everyone; `None` if it names no crawler.
    pub(crate) fn written(self) -> Option<&'a [u8]> {
        match self {
            Name::Everyone => Some(b"*"),
            Name::Token(name) => (!name.is_empty()).then_some(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: &[&[u8]] = &[
        b"", b"*", b"* x", b"*x", b"Bot", b"bot", b"Bot2", b"Bot2.1", b"Bot.", b"Bot/2", b"Bot2/1",
        b"Bots", b"Bo", b"2Bot", b"Bot 2", b"Bot\0",
    ];

    #[test]
    fn a_line_names_the_token_that_its_name_is() {
        for dialect in Dialect::ALL {
            for token in [&b"Bot"[..], b"Bot2", b"bot.", b"", b"*", b"Bot/2"] {
                for value in VALUES {
                    if let Name::Token(name) = Name::parse_for(value, token, dialect) {
                        assert_eq!(
                            names(value, token, dialect),
                            name.eq_ignore_ascii_case(token),
                            "{dialect:?} {} {}",
                            token.escape_ascii(),
                            value.escape_ascii()
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_name_is_read_in_the_alphabet_of_the_token() {
        let read = |value: &'static [u8], token: &[u8]| {
            Name::parse_for(value, token, Dialect::Rfc9309).written()
        };
        assert_eq!(read(b"Other2.1/3", b"Bot"), Some(&b"Other"[..]));
        assert_eq!(read(b"Other2.1/3", b"Bot2"), Some(&b"Other2.1"[..]));
        assert_eq!(read(b"Other2.1/3", b"Bot."), Some(&b"Other2.1"[..]));
        assert_eq!(read(b"2Other", b"Bot"), None);
        assert_eq!(read(b"* x", b"Bot"), Some(&b"*"[..]));
    }

    #[test]
    fn a_dialect_returns_the_name_of_a_line() {
        use Dialect::{Google, Koster1996, Rfc9309};
        for (dialect, value, name) in [
            (Rfc9309, &b"Bot2.1/3"[..], Some(&b"Bot2.1"[..])),
            (Rfc9309, b"* x", Some(b"*")),
            (Rfc9309, b"(none)", None),
            (Google, b"Bot2.1/3", Some(b"Bot")),
            (Koster1996, b" Bot 2/3 \t ", Some(b"Bot 2/3")),
            (Koster1996, b" ", None),
        ] {
            assert_eq!(dialect.agent_name(value), name, "{dialect:?} {value:?}");
        }
    }
}
