//! Product tokens, and the names in user-agent lines (SPEC 7).

use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::limits::MAX_TOKEN_LEN;

/// The rank of a user-agent line for a crawler: the index of the crawler's product token that the line names; for `*`, the
/// number of tokens. A lower rank is preferred.
pub(crate) type Rank = usize;

/// The rank of a user-agent line that does not apply to the crawler.
pub(crate) const NOBODY: Rank = Rank::MAX;

/// Returns an error if `token` is not a product token in `dialect` (SPEC 7.6).
pub(crate) fn validate(token: &[u8], dialect: Dialect) -> Result<(), Error> {
    let is_token = (1..=MAX_TOKEN_LEN).contains(&token.len())
        && token != b"*"
        && token.iter().all(|byte| dialect.is_token_byte(*byte));
    if is_token { Ok(()) } else { Err(Error::Token) }
}

/// Returns the product token in a `User-Agent` header (SPEC 7.6): the first name that is not a browser's. In a comment
/// (in parentheses), only the names after `compatible;` count.
pub(super) fn in_user_agent(header: &[u8]) -> Option<&[u8]> {
    product(header).map(|(name, _)| name)
}

/// Returns the names in a text, in order of preference (SPEC 7.9).
pub(super) fn names_in(text: &[u8], dialect: Dialect) -> [Option<&[u8]>; 4] {
    let text = dialect.trim(text);
    let (product, part) = product(text).unwrap_or_default();
    let product = name_at_start(product, dialect);
    let inner = name_at_start(part, dialect).filter(|name| is_product(name));
    let first = name_at_start(text, dialect);
    let mut known = [product, inner, first].into_iter().flatten();
    let is_known = text.is_empty()
        || names_everyone(text, dialect)
        || known.any(|name| names(text, name, dialect));
    [product, inner, first, (!is_known).then_some(text)]
}

/// Returns the product token in a user-agent line whose value is `text`.
#[inline(never)]
fn name_at_start(text: &[u8], dialect: Dialect) -> Option<&[u8]> {
    match Name::parse(dialect.trim(text), dialect) {
        Name::Token(name) if !name.is_empty() => Some(name),
        _ => None,
    }
}

/// Returns the product token in a `User-Agent` header, and the header from the start of the part that holds the token. A
/// parenthesis, `;` or `,` starts a part.
fn product(header: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b";,()".contains(byte);
    let (mut depth, mut is_compatible) = (0_usize, false);
    let (mut rest, mut part) = (header, header);
    loop {
        let len = rest.iter().position(is_end).unwrap_or(rest.len());
        let (word, after) = rest.split_at(len);
        if depth == 0 || is_compatible {
            let name = word.split(|byte| *byte == b'/').next().unwrap_or(word);
            if is_product(name) {
                return Some((name, part));
            }
        }
        let (end, after) = after.split_first()?;
        if !end.is_ascii_whitespace() {
            part = after;
        }
        match end {
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                is_compatible &= depth > 0;
            }
            b';' => is_compatible |= depth > 0 && word.eq_ignore_ascii_case(b"compatible"),
            _ => {}
        }
        rest = after;
    }
}

/// Returns whether a name in a `User-Agent` header may be a crawler: a product token with a letter that is not a browser's.
fn is_product(name: &[u8]) -> bool {
    const OTHERS: &str = "Mozilla AppleWebKit KHTML Gecko Chrome Safari Version Mobile compatible";
    let is_it = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
    validate(name, Dialect::Rfc9309).is_ok()
        && name.iter().any(u8::is_ascii_alphabetic)
        && !OTHERS.split(' ').any(is_it)
}

/// The bytes that a token in a user-agent line may have (SPEC 7.3, 7.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alphabet {
    /// `[A-Za-z_-]`, the alphabet of RFC 9309.
    Letters,
    /// `[A-Za-z0-9._-]`.
    DigitsAndDots,
    /// Every byte: the whole value is the name.
    Any,
}

impl Alphabet {
    fn widest(dialect: Dialect) -> Alphabet {
        match dialect {
            Dialect::Rfc9309 => Alphabet::DigitsAndDots,
            Dialect::Google => Alphabet::Letters,
            Dialect::Koster1996 => Alphabet::Any,
        }
    }

    /// Returns the alphabet in which a crawler with this token reads user-agent lines.
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

    /// Returns the longest prefix of `value` that is in this alphabet.
    fn token_at_start(self, value: &[u8]) -> &[u8] {
        let end = value.iter().position(|byte| !self.contains(*byte));
        end.and_then(|end| value.get(..end)).unwrap_or(value)
    }
}

/// Returns whether the trimmed value of a user-agent line names a crawler with this token (SPEC 7.2, 7.3, 7.8, 7.9).
#[inline]
pub(crate) fn names(value: &[u8], token: &[u8], dialect: Dialect) -> bool {
    // Nearly all lines name other crawlers, so the cheap comparison comes first.
    let Some((start, rest)) = value.split_at_checked(token.len()) else {
        return false;
    };
    if !start.eq_ignore_ascii_case(token) {
        return false;
    }
    let alphabet = Alphabet::of_token(token, dialect);
    // A token that was not validated may have bytes outside the alphabet. In rfc9309, only a line whose value equals the token
    // names it (SPEC 7.9); in google, no line names it.
    match rest.first() {
        None if dialect == Dialect::Rfc9309 => true,
        None => alphabet.token_at_start(start).len() == start.len(),
        Some(next) => {
            alphabet.token_at_start(start).len() == start.len() && !alphabet.contains(*next)
        }
    }
}

/// The name in the value of a user-agent line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name<'a> {
    /// `*` (SPEC 7.4).
    Everyone,
    /// A product token. An empty token names no crawler.
    Token(&'a [u8]),
}

impl<'a> Name<'a> {
    /// Parses the value of a user-agent line, with the longest token that `dialect` permits (SPEC 7.3, 7.4, 7.8).
    pub(crate) fn parse(value: &'a [u8], dialect: Dialect) -> Name<'a> {
        Name::in_alphabet(value, Alphabet::widest(dialect), dialect)
    }

    /// Parses the value of a user-agent line as a crawler with this token reads it (SPEC 7.3, 7.4, 7.8).
    pub(super) fn parse_for(value: &'a [u8], token: &[u8], dialect: Dialect) -> Name<'a> {
        Name::in_alphabet(value, Alphabet::of_token(token, dialect), dialect)
    }

    /// Returns the name as it is written, or `*` for every crawler; `None` if the token is empty.
    pub(crate) fn written(self) -> Option<&'a [u8]> {
        match self {
            Name::Everyone => Some(b"*"),
            Name::Token(name) => (!name.is_empty()).then_some(name),
        }
    }

    fn in_alphabet(value: &'a [u8], alphabet: Alphabet, dialect: Dialect) -> Name<'a> {
        if names_everyone(value, dialect) {
            Name::Everyone
        } else {
            Name::Token(alphabet.token_at_start(dialect.trim(value)))
        }
    }
}

/// Returns whether the value of a user-agent line names every crawler (SPEC 7.4).
#[inline]
pub(crate) fn names_everyone(value: &[u8], dialect: Dialect) -> bool {
    match value {
        [b'*'] => true,
        [b'*', after, ..] => dialect.is_space(*after),
        _ => false,
    }
}

impl Dialect {
    /// Returns in words why `token` is not a product token in this dialect (SPEC 7.6); `None` if `token` is a product token. If
    /// `token` is a `User-Agent` header, the words name the product token in the header.
    ///
    /// ```
    /// use robots::Dialect;
    ///
    /// let fault = Dialect::Rfc9309.token_fault("ExampleBot/1.0 (+https://example.com/bot)");
    /// let words = "`ExampleBot/1.0 (+https://example.com/bot)` is a User-Agent header; its token is ExampleBot";
    /// assert_eq!(fault.as_deref(), Some(words));
    /// assert_eq!(Dialect::Rfc9309.token_fault("ExampleBot"), None);
    /// ```
    pub fn token_fault(self, token: impl AsRef<[u8]>) -> Option<String> {
        const SHOWN: usize = 200;
        let token = token.as_ref();
        validate(token, self).err()?;
        let shown = match token.get(..SHOWN) {
            Some(start) => format!("`{}...`", start.escape_ascii()),
            None => format!("`{}`", token.escape_ascii()),
        };
        let found = in_user_agent(token).filter(|found| *found != token);
        if let Some(found) = found {
            let found = found.escape_ascii();
            return Some(format!(
                "{shown} is a User-Agent header; its token is {found}"
            ));
        }
        let form = match self {
            Dialect::Google => "in google it has letters, '_' and '-' only".to_owned(),
            Dialect::Rfc9309 => {
                format!("it has 1 to {MAX_TOKEN_LEN} letters, digits, '.', '_' and '-'")
            }
            Dialect::Koster1996 => format!(
                "it has 1 to {MAX_TOKEN_LEN} characters of a token of RFC 1945, and is not `*`"
            ),
        };
        Some(format!("{shown} is not a product token: {form}"))
    }

    /// Returns the name in the value of a user-agent line (SPEC 7.3, 7.4, 7.8): a product token as it is written, or `*`.
    /// Returns `None` if the value names no crawler.
    ///
    /// In rfc9309, a crawler may read a shorter name if its own token has neither a digit nor a dot: see
    /// [`Crawler::agent_name`](crate::Crawler::agent_name).
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
