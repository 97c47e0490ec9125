//! Product tokens, and what a user-agent line names (SPEC 7).

use crate::dialect::Dialect;
use crate::error::Error;
use crate::limits::MAX_TOKEN_LEN;
use crate::parser::directive::trim;

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

/// What the value of a user-agent line names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name<'a> {
    /// `*` (SPEC 7.4).
    Everyone,
    /// A product token. An empty one names no crawler.
    Token(&'a [u8]),
}

impl<'a> Name<'a> {
    /// Parses the value of a user-agent line (SPEC 7.3, 7.4, 7.8).
    pub(crate) fn parse(value: &'a [u8], dialect: Dialect) -> Name<'a> {
        match value {
            [b'*'] => return Name::Everyone,
            [b'*', after, ..] if dialect.is_space(*after) => return Name::Everyone,
            _ => {}
        }
        if dialect.whole_value_is_name() {
            return Name::Token(trim(value, dialect));
        }
        let end = value.iter().position(|byte| !dialect.is_token_byte(*byte));
        Name::Token(end.and_then(|end| value.get(..end)).unwrap_or(value))
    }
}

impl Dialect {
    /// Returns what the value of a user-agent line names (SPEC 7.3, 7.4, 7.8): `*` for everyone, a product token
    /// as it is written, or `None` if it names no crawler.
    ///
    /// ```
    /// use robots::Dialect;
    ///
    /// assert_eq!(Dialect::Rfc9309.agent_name(b"ExampleBot/2.1"), Some(&b"ExampleBot"[..]));
    /// assert_eq!(Dialect::Rfc9309.agent_name(b"* # all"), Some(&b"*"[..]));
    /// assert_eq!(Dialect::Rfc9309.agent_name(b"(none)"), None);
    /// ```
    pub fn agent_name(self, value: &[u8]) -> Option<&[u8]> {
        match Name::parse(value, self) {
            Name::Everyone => Some(b"*"),
            Name::Token(name) => (!name.is_empty()).then_some(name),
        }
    }
}
