//! The options of the crawler.

use clap::{Args, ValueEnum};
use robots::{Crawler, Dialect, Error, Preset};

use crate::fault::{Fault, complain};
use crate::words::dialect_name;

/// The dialect of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DialectName {
    /// RFC 9309, the standard
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

/// The heading of these options in the help.
const HEADING: &str = "Crawler";

/// The crawlers.
#[derive(Args, Clone, Debug)]
pub(crate) struct Who {
    /// A crawler, such as ExampleBot; `*` is everyone else
    ///
    /// Give its product token. Tokens of one crawler, in order of preference, have commas between them:
    /// `Googlebot-Image,Googlebot`. Another --agent is another crawler. `*` is everyone whom the file does not name.
    #[arg(short, long = "agent", value_name = "TOKEN[,TOKEN...]", help_heading = HEADING)]
    agents: Vec<String>,
    /// Obey only groups that name the crawler, as AdsBot-Google does
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    ignore_star: bool,
    /// Obey the groups of all tokens, not only of the first that a group names, as Google's matcher does
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    merge_tokens: bool,
    /// Take TOKEN as it is, also if it names a well-known crawler with a dialect or a second token, or one that ignores `*`
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    exact: bool,
    #[command(flatten)]
    pub(crate) how: How,
}

/// How the crawler reads a file.
#[derive(Args, Clone, Debug)]
pub(crate) struct How {
    /// The dialect of the protocol [default: that of a well-known crawler, else rfc9309]
    #[arg(
        short,
        long,
        help_heading = HEADING,
        hide_short_help = true,
        value_enum,
        hide_possible_values = true,
        value_name = "rfc9309|google|koster1996"
    )]
    dialect: Option<DialectName>,
    /// Let a crawl-delay line end the user-agent lines of a group
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    crawl_delay_ends_agents: bool,
    /// Read at most N bytes of a robots.txt and ignore the rest
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "N", default_value_t = robots::limits::MIN_MAX_BYTES)]
    max_bytes: usize,
}

/// A crawler and its name.
pub(crate) struct Named {
    /// Its first product token; `*` for everyone else.
    pub(crate) name: String,
    pub(crate) crawler: Crawler,
}

/// The name of everyone else.
pub(crate) const EVERYONE: &str = "*";

/// Returns the product tokens of a value of --agent; `*` has none.
pub(crate) fn tokens_of(agent: &str) -> Vec<&str> {
    match agent {
        EVERYONE => Vec::new(),
        _ => agent.split(',').map(str::trim).collect(),
    }
}

impl Who {
    /// Whether no crawler is given.
    pub(crate) fn is_empty(&self) -> bool {
        self.agents.is_empty()
    }

    /// Returns the crawlers, in the order of the options.
    pub(crate) fn crawlers(&self) -> Result<Vec<Named>, Fault> {
        self.agents.iter().map(|agent| self.named(agent)).collect()
    }

    /// Returns the crawler of a command that takes one.
    pub(crate) fn crawler(&self) -> Result<Named, Fault> {
        match &*self.agents {
            [agent] => self.named(agent),
            [] => Err(Fault::new(
                "the crawler is missing: give --agent, such as -a ExampleBot",
            )),
            [first, second, ..] => Err(Fault::new(format!(
                "give one crawler: run the command once for each, or if these are tokens of one crawler, write -a {first},{second}"
            ))),
        }
    }

    /// Returns a crawler. If its first token names a well-known crawler, it is read as its operator describes it.
    fn named(&self, agent: &str) -> Result<Named, Fault> {
        let tokens = tokens_of(agent);
        let name = tokens.first().copied().unwrap_or(EVERYONE);
        let preset = match self.exact || name == EVERYONE {
            true => None,
            false => governed(name)?,
        };
        let is_alone = tokens.len() == 1;
        let crawler = match self.exact {
            true => self.how.crawler(&tokens)?,
            false => named_in(&self.how, agent)?,
        };
        if let Some(preset) = preset {
            self.note(preset, if is_alone { preset.tokens() } else { &[] });
        }
        let ignores_star = preset.is_some_and(|preset| preset.ignores_star());
        Ok(Named {
            name: name.to_owned(),
            crawler: crawler
                .with_ignore_star(self.ignore_star || ignores_star)
                .with_merge_tokens(self.merge_tokens),
        })
    }

    /// Says what the operator of a well-known crawler describes, if it differs from a crawler with this token.
    fn note(&self, preset: Preset, tokens: &[&str]) {
        if let Some(says) = self.how.differs(preset, tokens, self.ignore_star) {
            complain(&format!("{says}; --exact takes the token alone"));
        }
    }
}

/// Returns the crawler of a value of --agent without the other options of [`Who`].
pub(crate) fn named_in(how: &How, agent: &str) -> Result<Crawler, Fault> {
    let tokens = tokens_of(agent);
    let preset = tokens.first().map_or(Ok(None), |token| governed(token))?;
    match (preset, &*tokens) {
        (Some(preset), [_]) => how.known(preset),
        (Some(preset), _) => {
            let crawler = how.crawler_in(how.dialect_of(preset), &tokens)?;
            Ok(crawler.with_ignore_star(preset.ignores_star()))
        }
        (None, _) => how.crawler(&tokens),
    }
}

/// Returns the well-known crawler with this name.
///
/// # Errors
/// For one that ignores the robots.txt: there is nothing to decide.
pub(crate) fn governed(name: &str) -> Result<Option<Preset>, Fault> {
    match Preset::find(name) {
        Some(preset) if preset.ignores_robots_txt() => Err(Fault::new(format!(
            "{} ignores the robots.txt, says {}: there is no verdict on it",
            preset.name(),
            preset.documentation().unwrap_or("its operator")
        ))),
        found => Ok(found),
    }
}

/// The dialect of crawlers that are not well known.
const DEFAULT: Dialect = Dialect::Rfc9309;

impl How {
    /// Returns the dialect that was given, or else the default.
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect.map_or(DEFAULT, Dialect::from)
    }

    /// Returns the dialect that was given, or else that of a well-known crawler; its own, too, if its tokens are none in the
    /// dialect that was given (SPEC 7.6).
    pub(crate) fn dialect_of(&self, preset: Preset) -> Dialect {
        let fits = |dialect: &Dialect| {
            let mut tokens = preset.tokens().iter();
            tokens.all(|token| dialect.token_fault(token).is_none())
        };
        let given = self.dialect.map(Dialect::from).filter(fits);
        given.unwrap_or(preset.dialect())
    }

    /// Returns a crawler with these tokens and options.
    pub(crate) fn crawler<T: AsRef<[u8]>>(&self, tokens: &[T]) -> Result<Crawler, Fault> {
        self.crawler_in(self.dialect(), tokens)
    }

    /// Returns a well-known crawler with these options.
    pub(crate) fn known(&self, preset: Preset) -> Result<Crawler, Fault> {
        let crawler = self.crawler_in(self.dialect_of(preset), preset.tokens())?;
        Ok(crawler.with_ignore_star(preset.ignores_star()))
    }

    /// Returns how a well-known crawler differs from one with its name, in words; `None` if it does not.
    /// `tokens`: those that it obeys. `ignores_star`: an option says so already.
    pub(crate) fn differs(
        &self,
        preset: Preset,
        tokens: &[&str],
        ignores_star: bool,
    ) -> Option<String> {
        let name = preset.name();
        let mut says = Vec::new();
        if let Some(second) = tokens.get(1) {
            says.push(format!(
                "obeys the group of {second} where none names {name}"
            ));
        }
        if preset.ignores_star() && !ignores_star {
            says.push("ignores the groups of `*`".to_owned());
        }
        if self.dialect.is_none() && preset.dialect() != DEFAULT {
            let dialect = dialect_name(preset.dialect());
            says.push(format!("reads files in the dialect {dialect}"));
        }
        let source = preset.documentation().unwrap_or("its operator");
        (!says.is_empty()).then(|| format!("{name} {}, says {source}", says.join(", and ")))
    }

    /// Returns a crawler with these tokens and options, in a dialect.
    pub(crate) fn crawler_in<T: AsRef<[u8]>>(
        &self,
        dialect: Dialect,
        tokens: &[T],
    ) -> Result<Crawler, Fault> {
        let of = |error: Error| Fault::new(format!("--agent: {error}"));
        let mut crawler = Crawler::without_token().with_dialect(dialect).map_err(of)?;
        for token in tokens {
            crawler =
                crawler
                    .with_token(token)
                    .map_err(|error| match dialect.token_fault(token) {
                        Some(fault) => Fault::new(format!("--agent: {fault}")),
                        None => of(error),
                    })?;
        }
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
