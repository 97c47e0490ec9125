//! The options of the crawler.

use clap::{Args, ValueEnum};
use robots::{Crawler, Dialect, Error, Preset};

use crate::fault::{Fault, complain};

/// The dialect of the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DialectName {
    /// RFC 9309, the standard
    #[default]
    Rfc9309,
    /// the verdicts of Google's open-source matcher
    Google,
    /// the first draft, of 1996
    Koster1996,
}

impl From<DialectName> for Dialect {
    fn from(name: DialectName) -> Dialect {
        match name {
            DialectName::Rfc9309 => Dialect::Rfc9309,
            DialectName::Google => Dialect::Google,
            DialectName::Koster1996 => Dialect::Koster1996,
        }
    }
}

/// Returns the name of a dialect, as options and output use it.
pub(crate) fn dialect_name(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Rfc9309 => "rfc9309",
        Dialect::Google => "google",
        Dialect::Koster1996 => "koster1996",
    }
}

/// The heading of these options in the help.
const HEADING: &str = "Crawler";

/// The crawler.
#[derive(Args, Clone, Debug)]
pub(crate) struct Who {
    /// Product token of the crawler, such as ExampleBot; several in order of preference
    #[arg(short, long = "agent", value_name = "TOKEN", required = true, help_heading = HEADING)]
    agents: Vec<String>,
    /// Obey only groups that name the crawler, as AdsBot-Google does
    #[arg(long, help_heading = HEADING)]
    ignore_star: bool,
    /// Obey the groups of all tokens, not only of the first that a group names, as Google's matcher does
    #[arg(long, help_heading = HEADING)]
    merge_tokens: bool,
    /// Take TOKEN as it is, also if it names a well-known crawler that obeys a second token or ignores `*`
    #[arg(long, help_heading = HEADING)]
    exact: bool,
    #[command(flatten)]
    pub(crate) how: How,
}

/// How the crawler reads a file.
#[derive(Args, Clone, Debug)]
pub(crate) struct How {
    /// The dialect of the protocol
    #[arg(
        short,
        long,
        help_heading = HEADING,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "rfc9309|google|koster1996"
    )]
    pub(crate) dialect: DialectName,
    /// Let a crawl-delay line end the user-agent lines of a group
    #[arg(long, help_heading = HEADING)]
    crawl_delay_ends_agents: bool,
    /// Read at most N bytes of a robots.txt and ignore the rest
    #[arg(long, help_heading = HEADING, value_name = "N", default_value_t = robots::limits::MIN_MAX_BYTES)]
    max_bytes: usize,
}

impl Who {
    pub(crate) fn crawler(&self) -> Result<Crawler, Fault> {
        let mut crawler = self.how.crawler(&self.agents)?;
        let mut ignore_star = self.ignore_star;
        if let Some(preset) = self.preset() {
            crawler = self.how.crawler(preset.tokens())?;
            ignore_star |= preset.ignores_star();
            complain(&note(preset));
        }
        Ok(crawler
            .with_ignore_star(ignore_star)
            .with_merge_tokens(self.merge_tokens))
    }

    /// Returns the first product token.
    pub(crate) fn token(&self) -> &str {
        self.agents.first().map(String::as_str).unwrap_or_default()
    }

    /// Returns the well-known crawler that the options name alone, if it differs from its token.
    fn preset(&self) -> Option<Preset> {
        let [token] = &*self.agents else {
            return None;
        };
        let preset = Preset::find(token).filter(|_| !self.exact)?;
        (preset.tokens().len() > 1 || preset.ignores_star() && !self.ignore_star).then_some(preset)
    }
}

/// Says what the operator of a crawler documents.
fn note(preset: Preset) -> String {
    let name = preset.name();
    let does = match preset.tokens().get(1) {
        Some(second) => format!("{name} obeys the group of {second} where none names {name}"),
        None => format!("{name} ignores the groups of `*`"),
    };
    let source = preset.documentation().unwrap_or("its operator");
    format!("{does}, says {source}; --exact takes the token alone")
}

impl How {
    /// Returns a crawler with these tokens and options.
    pub(crate) fn crawler<T: AsRef<[u8]>>(&self, tokens: &[T]) -> Result<Crawler, Fault> {
        let (first, others) = tokens.split_first().ok_or_else(|| {
            Fault::new("--agent is missing: give the product token of the crawler")
        })?;
        let of = |token: &T, error: Error| {
            let token = token.as_ref().escape_ascii();
            Fault::new(format!("--agent '{token}': {error}"))
        };
        let mut crawler = Crawler::new(first).map_err(|error| of(first, error))?;
        for token in others {
            crawler = crawler
                .with_token(token)
                .map_err(|error| of(token, error))?;
        }
        let dialect = Dialect::from(self.dialect);
        let crawler = crawler
            .with_dialect(dialect)
            .map_err(|error| Fault::new(format!("--dialect {}: {error}", dialect_name(dialect))))?;
        let crawler = crawler.with_max_bytes(self.max_bytes).map_err(|_| {
            Fault::new(format!(
                "--max-bytes {}: give a number from {} to {}",
                self.max_bytes,
                robots::limits::MIN_MAX_BYTES,
                robots::limits::MAX_MAX_BYTES
            ))
        })?;
        Ok(crawler.with_crawl_delay_ends_agents(self.crawl_delay_ends_agents))
    }

    /// Returns the number of bytes to read: one more than the limit shows that the file is longer.
    pub(crate) fn worth_reading(&self) -> usize {
        self.max_bytes.saturating_add(1)
    }
}
