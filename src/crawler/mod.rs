//! Crawlers: their product tokens, and how they read and fetch a robots.txt.

pub(crate) mod operator;
pub(crate) mod options;
pub(crate) mod preset;
pub(crate) mod token;

use self::token::{NOBODY, Name, Rank};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::limits::{MAX_PER_CODE, MAX_TOKENS};
use crate::bytes::shared_bytes::SharedBytes;
use crate::crawler::options::{FetchOption, LintOption, Policy, ReadOption, ReadOptions};

/// A crawler: its product tokens in order of preference, its dialect, its limits and its fetch options.
///
/// A crawler is immutable and cheap to clone, and threads may share it. Each `with_` method returns a changed crawler.
///
/// ```
/// use robots::{Crawler, Dialect};
///
/// let crawler = Crawler::new("Googlebot-Image")?
///     .with_token("Googlebot")?
///     .with_dialect(Dialect::Google)?;
/// let rules = crawler.parse("User-agent: Googlebot\nDisallow: /private/\n");
/// assert!(!rules.is_allowed("https://example.com/private/page"));
/// # Ok::<(), robots::Error>(())
/// ```
#[derive(Clone)]
pub struct Crawler {
    /// For each token its length, a little-endian `u32`, then its bytes.
    tokens: SharedBytes,
    pub(crate) reading: ReadOptions,
    /// Whether lint reports every code; no verdict depends on this option.
    pub(crate) lint_all: bool,
    pub(crate) lint_limit: usize,
    pub(crate) policy: Policy,
}

impl Crawler {
    /// Creates a crawler with one product token: the bare name that site owners write in a robots.txt, such as
    /// `ExampleBot`.
    ///
    /// # Errors
    /// [`Error::Token`] if `token` is not a product token of rfc9309 (SPEC 7.6), for example a whole `User-Agent` header;
    /// [`Error::Memory`]. [`Dialect::token_fault`] returns the reason in words. For a token that only koster1996 permits,
    /// start with [`Crawler::without_token`], set the dialect, then add the token.
    pub fn new(token: impl AsRef<[u8]>) -> Result<Crawler, Error> {
        Crawler::from_tokens(&[], Dialect::default())?.with_token(token)
    }

    /// Returns the product token in a `User-Agent` header (SPEC 7.6): the first product that is not a browser's. In a
    /// comment (in parentheses), only the products after `compatible;` count.
    ///
    /// ```
    /// use robots::Crawler;
    ///
    /// let header = "Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com/bot)";
    /// assert_eq!(Crawler::token_from_user_agent(header), Ok("ExampleBot"));
    /// ```
    ///
    /// # Errors
    /// [`Error::Token`] if the header has no such product.
    pub fn token_from_user_agent(header: &(impl AsRef<[u8]> + ?Sized)) -> Result<&str, Error> {
        let found = token::in_user_agent(header.as_ref()).ok_or(Error::Token)?;
        core::str::from_utf8(found).map_err(|_| Error::Token)
    }

    /// Creates a crawler without a product token; it obeys only `*` groups (SPEC 7.4).
    ///
    /// ```
    /// let anyone = robots::Crawler::without_token();
    /// let rules = anyone.parse("User-agent: ExampleBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n");
    /// assert!(rules.is_allowed("/a") && !rules.is_allowed("/b"));
    /// ```
    pub fn without_token() -> Crawler {
        Crawler::unchecked(&[], Dialect::default())
    }

    /// Adds a token. The crawler obeys the groups of this token only if no group names an earlier token (SPEC 7.1).
    ///
    /// # Errors
    /// [`Error::Token`] if `token` is not a product token in the crawler's dialect; [`Error::Argument`] if there
    /// are 64 tokens already; [`Error::Memory`].
    pub fn with_token(self, token: impl AsRef<[u8]>) -> Result<Crawler, Error> {
        let token = token.as_ref();
        token::validate(token, self.reading.dialect)?;
        self.and_token(token)
    }

    /// Adds a token without validating it.
    fn and_token(mut self, token: &[u8]) -> Result<Crawler, Error> {
        if self.tokens().count() >= MAX_TOKENS {
            return Err(Error::Argument);
        }
        self.tokens = joined(self.tokens().chain([token]))?;
        Ok(self)
    }

    /// Adds the names in a text as tokens, in order of preference (SPEC 7.9). Any text is permitted, such as a `User-Agent`
    /// header or the name in a user-agent line. A text without a name adds no token. Set the dialect first.
    ///
    /// ```
    /// use robots::Crawler;
    ///
    /// let crawler = Crawler::without_token().with_names_in("Yahoo! Slurp")?;
    /// let tokens: Vec<_> = crawler.tokens().collect();
    /// assert_eq!(tokens, [&b"Slurp"[..], b"Yahoo"]);
    /// assert!(!crawler.parse("User-agent: Yahoo! Slurp\nDisallow: /\n").is_allowed("/"));
    /// # Ok::<(), robots::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if the crawler would have more than 64 tokens; [`Error::Memory`].
    pub fn with_names_in(mut self, text: impl AsRef<[u8]>) -> Result<Crawler, Error> {
        let names = token::names_in(text.as_ref(), self.reading.dialect);
        for name in names.into_iter().flatten() {
            if !self.tokens().any(|token| token.eq_ignore_ascii_case(name)) {
                self = self.and_token(name)?;
            }
        }
        Ok(self)
    }

    /// Sets the dialect. Default: [`Dialect::Rfc9309`].
    ///
    /// # Errors
    /// [`Error::Token`] if a token is invalid in this dialect; google permits `[A-Za-z_-]+`.
    pub fn with_dialect(mut self, dialect: Dialect) -> Result<Crawler, Error> {
        self.tokens()
            .try_for_each(|token| token::validate(token, dialect))?;
        self.reading.dialect = dialect;
        Ok(self)
    }

    /// Sets how many bytes of a robots.txt are read (SPEC 4.5). Default and minimum: 512,000; maximum: 1 GiB.
    ///
    /// # Errors
    /// [`Error::Argument`] if `max_bytes` is out of that range.
    pub fn with_max_bytes(mut self, max_bytes: usize) -> Result<Crawler, Error> {
        self.reading.set(ReadOption::MaxBytes, max_bytes as u64)?;
        Ok(self)
    }

    /// Sets whether `*` groups are ignored (SPEC 7.5). Default: off.
    #[must_use]
    pub fn with_ignore_star(mut self, on: bool) -> Crawler {
        self.reading.ignore_star = on;
        self
    }

    /// Sets whether the groups of all tokens are merged, as in Google's matcher (SPEC 7.7). Default: off. If the option is off,
    /// the crawler obeys only the groups of its first token that any group names.
    #[must_use]
    pub fn with_merge_tokens(mut self, on: bool) -> Crawler {
        self.reading.merge_tokens = on;
        self
    }

    /// Sets whether a `crawl-delay` line ends a run of user-agent lines (SPEC 6.1). Default: off.
    #[must_use]
    pub fn with_crawl_delay_ends_agents(mut self, on: bool) -> Crawler {
        self.reading.crawl_delay_ends_agents = on;
        self
    }

    /// Sets whether lint also reports the codes that are off by default ([`Code::is_on_request`](crate::Code::is_on_request)).
    /// Default: off. No verdict depends on this option.
    #[must_use]
    pub fn with_lint_all(mut self, on: bool) -> Crawler {
        self.lint_all = on;
        self
    }

    /// Sets the maximum number of diagnostics of each code in a report of lint. Diagnostics above the maximum are only counted.
    /// Default: [`MAX_PER_CODE`]. To get all fixes of a file, set the maximum to `usize::MAX`; the report then needs up to 200
    /// times the memory of the file.
    #[must_use]
    pub fn with_lint_limit(mut self, most: usize) -> Crawler {
        self.lint_limit = most;
        self
    }

    /// Sets an option for fetches of a robots.txt (SPEC 2 and 3).
    ///
    /// # Errors
    /// [`Error::Argument`] if `value` is out of the option's range.
    pub fn with_fetch_option(mut self, option: FetchOption, value: u64) -> Result<Crawler, Error> {
        self.policy.set(option, value)?;
        Ok(self)
    }

    /// Returns the value of a fetch option. An option that is not set has the default of the dialect.
    pub fn fetch_option(&self, option: FetchOption) -> u64 {
        self.policy.get(option, self.reading.dialect)
    }

    /// Sets an option by its number in the C API.
    ///
    /// # Errors
    /// [`Error::Argument`] if the option is unknown, or the value is out of the option's range; [`Error::Token`] if a token is
    /// invalid in the new dialect.
    #[doc(hidden)]
    pub fn with_option(mut self, code: u32, value: u64) -> Result<Crawler, Error> {
        if LintOption::from_code(code).is_some() {
            return match value {
                0 | 1 => Ok(self.with_lint_all(value == 1)),
                _ => Err(Error::Argument),
            };
        }
        let Some(option) = ReadOption::from_code(code) else {
            let option = FetchOption::from_code(code).ok_or(Error::Argument)?;
            return self.with_fetch_option(option, value);
        };
        self.reading.set(option, value)?;
        match option {
            // The dialect decides which tokens are valid.
            ReadOption::Dialect => {
                let dialect = self.reading.dialect;
                self.with_dialect(dialect)
            }
            _ => Ok(self),
        }
    }

    /// Returns the value of the option with this number in the C API; `None` if the number is unknown.
    #[doc(hidden)]
    pub fn option(&self, code: u32) -> Option<u64> {
        if LintOption::from_code(code).is_some() {
            return Some(self.lint_all.into());
        }
        if let Some(option) = FetchOption::from_code(code) {
            return Some(self.fetch_option(option));
        }
        let mut values = self.reading.values().into_iter();
        values.find_map(|(option, value)| (option as u32 == code).then_some(value))
    }

    /// Creates a crawler without validating its tokens. Tests need this, since Google's matcher accepts any string as a
    /// product token.
    #[doc(hidden)]
    pub fn unchecked(tokens: &[&[u8]], dialect: Dialect) -> Crawler {
        let crawler = Crawler::from_tokens(tokens, dialect);
        crawler.unwrap_or_else(|_| {
            std::alloc::handle_alloc_error(std::alloc::Layout::new::<Crawler>())
        })
    }

    /// Creates a crawler without validating its tokens.
    pub(crate) fn from_tokens(tokens: &[&[u8]], dialect: Dialect) -> Result<Crawler, Error> {
        Ok(Crawler {
            tokens: joined(tokens.iter().copied())?,
            reading: ReadOptions::new(dialect),
            lint_all: false,
            lint_limit: MAX_PER_CODE,
            policy: Policy::default(),
        })
    }

    /// Returns the product tokens, in order of preference.
    pub fn tokens(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest: &[u8] = &self.tokens;
        core::iter::from_fn(move || {
            let (len, after) = rest.split_first_chunk()?;
            let (token, after) = after.split_at_checked(u32::from_le_bytes(*len) as usize)?;
            rest = after;
            Some(token)
        })
    }

    /// Returns the rank of a user-agent line by its value (SPEC 7.1, 7.2, 7.5, 7.7).
    pub(crate) fn rank(&self, value: &[u8]) -> Rank {
        let reading = &self.reading;
        let mut tokens = self.tokens();
        if token::names_everyone(value, reading.dialect) {
            let last = tokens.count();
            return if reading.ignore_star { NOBODY } else { last };
        }
        match tokens.position(|token| token::names(value, token, reading.dialect)) {
            Some(_) if reading.merge_tokens && reading.dialect.merges_groups() => 0,
            Some(rank) => rank,
            None => NOBODY,
        }
    }

    /// Returns the name in the value of a user-agent line (SPEC 7.3). If the line names a token of the crawler, the name is
    /// read in the alphabet of this token, otherwise in the alphabet of the crawler's first token.
    pub(crate) fn name_in<'v>(&self, value: &'v [u8]) -> Name<'v> {
        let own = self
            .tokens()
            .find(|token| token::names(value, token, self.reading.dialect));
        let token = own.or_else(|| self.tokens().next()).unwrap_or_default();
        Name::parse_for(value, token, self.reading.dialect)
    }

    /// Returns the name that this crawler reads in the value of a user-agent line (SPEC 7.3, 7.4, 7.8): a product token as the
    /// line writes it, or `*`. Returns `None` if the value names no crawler.
    ///
    /// ```
    /// use robots::Crawler;
    ///
    /// let example = Crawler::new("ExampleBot")?;
    /// assert_eq!(example.agent_name(b"ExampleBot2"), Some(&b"ExampleBot"[..]));
    /// let majestic = Crawler::new("MJ12bot")?;
    /// assert_eq!(majestic.agent_name(b"MJ12bot/v1.4.8"), Some(&b"MJ12bot"[..]));
    /// # Ok::<(), robots::Error>(())
    /// ```
    pub fn agent_name<'v>(&self, value: &'v [u8]) -> Option<&'v [u8]> {
        self.name_in(value).written()
    }
}

impl core::fmt::Debug for Crawler {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let tokens: Vec<_> = self.tokens().map(String::from_utf8_lossy).collect();
        f.debug_struct("Crawler")
            .field("tokens", &tokens)
            .field("reading", &self.reading)
            .finish_non_exhaustive()
    }
}

/// Joins tokens into one block: for each token its length, then its bytes.
fn joined<'a>(tokens: impl Iterator<Item = &'a [u8]>) -> Result<SharedBytes, Error> {
    let mut all = Vec::new();
    for token in tokens {
        let len = u32::try_from(token.len()).map_err(|_| Error::Argument)?;
        all.try_reserve(token.len() + size_of_val(&len))
            .map_err(|_| Error::Memory)?;
        all.extend_from_slice(&len.to_le_bytes());
        all.extend_from_slice(token);
    }
    SharedBytes::copy_of(&all)
}
