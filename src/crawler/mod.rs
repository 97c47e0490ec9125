//! Who asks: the product tokens of a crawler and how it reads a robots.txt.

pub(crate) mod options;
mod preset;
pub(crate) mod token;

use self::token::{NOBODY, Name, Rank};
use crate::crawler::options::{FetchOption, Policy};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::limits::{MAX_MAX_BYTES, MAX_TOKENS, MIN_MAX_BYTES};
use crate::util::shared_bytes::SharedBytes;

/// A crawler: its product tokens in order of preference, its dialect, its limits.
///
/// Immutable and cheap to clone; share it between threads. Each `with_` method gives a changed one.
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
    /// Each behind its length, in four bytes.
    tokens: SharedBytes,
    pub(crate) dialect: Dialect,
    pub(crate) max_bytes: usize,
    pub(crate) ignore_star: bool,
    pub(crate) merge_tokens: bool,
    pub(crate) crawl_delay_ends_agents: bool,
    pub(crate) policy: Policy,
}

impl Crawler {
    /// A crawler that calls itself `token`: the bare product token, such as `ExampleBot`, as site
    /// owners write it in a robots.txt.
    ///
    /// # Errors
    /// [`Error::Token`] for what is no product token (SPEC 7.6), a whole `User-Agent` header among it;
    /// [`Error::Memory`].
    pub fn new(token: impl AsRef<[u8]>) -> Result<Crawler, Error> {
        let token = token.as_ref();
        token::validate(token, Dialect::default())?;
        Crawler::from_tokens(&[token], Dialect::default())
    }

    /// Adds a token that counts where no group names an earlier one (SPEC 7.1).
    ///
    /// # Errors
    /// [`Error::Token`] for what is no product token in the crawler's dialect;
    /// [`Error::Argument`] past 64 tokens; [`Error::Memory`].
    pub fn with_token(mut self, token: impl AsRef<[u8]>) -> Result<Crawler, Error> {
        let token = token.as_ref();
        token::validate(token, self.dialect)?;
        if self.tokens().count() >= MAX_TOKENS {
            return Err(Error::Argument);
        }
        self.tokens = joined(self.tokens().chain([token]))?;
        Ok(self)
    }

    /// Sets the dialect; [`Dialect::Rfc9309`] until then.
    ///
    /// # Errors
    /// [`Error::Token`] when one of the tokens is none in that dialect (google: `[A-Za-z_-]+`).
    pub fn with_dialect(mut self, dialect: Dialect) -> Result<Crawler, Error> {
        self.tokens()
            .try_for_each(|token| token::validate(token, dialect))?;
        self.dialect = dialect;
        Ok(self)
    }

    /// Sets how many bytes of a robots.txt are read (SPEC 4.5): 512,000 until then, the least
    /// that may be set; at most 1 GiB.
    ///
    /// # Errors
    /// [`Error::Argument`] outside that range.
    pub fn with_max_bytes(mut self, max_bytes: usize) -> Result<Crawler, Error> {
        if !(MIN_MAX_BYTES..=MAX_MAX_BYTES).contains(&max_bytes) {
            return Err(Error::Argument);
        }
        self.max_bytes = max_bytes;
        Ok(self)
    }

    /// Whether `*` groups are ignored (SPEC 7.5); off until set.
    #[must_use]
    pub fn with_ignore_star(mut self, on: bool) -> Crawler {
        self.ignore_star = on;
        self
    }

    /// Whether the groups of all tokens are merged, as Google's matcher does, instead of obeying
    /// the first token that any group names (SPEC 7.7); off until set.
    #[must_use]
    pub fn with_merge_tokens(mut self, on: bool) -> Crawler {
        self.merge_tokens = on;
        self
    }

    /// Whether a `crawl-delay` line ends a run of user-agent lines (SPEC 6.1); off until set.
    #[must_use]
    pub fn with_crawl_delay_ends_agents(mut self, on: bool) -> Crawler {
        self.crawl_delay_ends_agents = on;
        self
    }

    /// Sets what is done about the fetch of a robots.txt (SPEC 2 and 3).
    ///
    /// # Errors
    /// [`Error::Argument`] for a value out of the option's range.
    pub fn with_fetch_option(mut self, option: FetchOption, value: u64) -> Result<Crawler, Error> {
        self.policy.set(option, value)?;
        Ok(self)
    }

    /// What is done about the fetch of a robots.txt: the value that was set, or the dialect's.
    pub fn fetch_option(&self, option: FetchOption) -> u64 {
        self.policy.get(option, self.dialect)
    }

    /// A crawler of tokens that nobody checked. Google's own matcher takes any string for a
    /// product token; only tests that compare with it need this.
    #[doc(hidden)]
    pub fn unchecked(tokens: &[&[u8]], dialect: Dialect) -> Crawler {
        let crawler = Crawler::from_tokens(tokens, dialect);
        crawler.unwrap_or_else(|_| {
            std::alloc::handle_alloc_error(std::alloc::Layout::new::<Crawler>())
        })
    }

    /// The same, as far as there is memory.
    pub(crate) fn from_tokens(tokens: &[&[u8]], dialect: Dialect) -> Result<Crawler, Error> {
        Ok(Crawler {
            tokens: joined(tokens.iter().copied())?,
            dialect,
            max_bytes: MIN_MAX_BYTES,
            ignore_star: false,
            merge_tokens: false,
            crawl_delay_ends_agents: false,
            policy: Policy::default(),
        })
    }

    /// The product tokens, in order of preference.
    pub fn tokens(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest: &[u8] = &self.tokens;
        core::iter::from_fn(move || {
            let (len, behind) = rest.split_first_chunk()?;
            let (token, behind) = behind.split_at_checked(u32::from_le_bytes(*len) as usize)?;
            rest = behind;
            Some(token)
        })
    }

    /// How much the crawler prefers what a user-agent line names (SPEC 7.1, 7.2, 7.5, 7.7).
    pub(crate) fn rank(&self, value: &[u8]) -> Rank {
        match Name::parse(value, self.dialect) {
            Name::Everyone if self.ignore_star => NOBODY,
            Name::Everyone => self.tokens().count(),
            Name::Token(name) => {
                let rank = self
                    .tokens()
                    .position(|token| token.eq_ignore_ascii_case(name));
                match rank {
                    Some(_) if self.merge_tokens => 0,
                    Some(rank) => rank,
                    None => NOBODY,
                }
            }
        }
    }
}

impl core::fmt::Debug for Crawler {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let tokens: Vec<_> = self.tokens().map(String::from_utf8_lossy).collect();
        f.debug_struct("Crawler")
            .field("tokens", &tokens)
            .field("dialect", &self.dialect)
            .field("max_bytes", &self.max_bytes)
            .field("ignore_star", &self.ignore_star)
            .field("merge_tokens", &self.merge_tokens)
            .field("crawl_delay_ends_agents", &self.crawl_delay_ends_agents)
            .finish_non_exhaustive()
    }
}

/// Tokens in one block.
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
