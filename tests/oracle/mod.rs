//! The naive oracle: SPEC sections 2 to 8, 9.1, 9.2, 9.4 to 9.6 and 13 implemented as plainly as possible, to compare the engine
//! with. It uses only `std`, shares no code with `src/`, keeps every group of the file, copies freely, and tries every
//! rule on every URL.
//!
//! One module per section: `fetch` (2, 3), `file` (4, 5), `groups` (6, 7, 9), `paths` (8.1, 8.5b, 8.6), `readings` (8.11),
//! `winner` (the rest of 8), `preferences` (9.4, 9.5), `page_controls` and `dates` (9.6), `uses` (13).
//! Each step carries the number of the row it comes from.

pub mod dates;
pub mod fetch;
mod file;
mod groups;
pub mod page_controls;
mod paths;
pub mod preferences;
mod readings;
mod setup;
pub mod uses;
mod winner;

#[allow(unused_imports, reason = "what other tests call")]
pub use paths::path_params_query_google;
#[allow(unused_imports, reason = "what other tests call")]
pub use setup::{OPTIONS, Setup};

/// The interpretation of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Rfc9309,
    Google,
    Koster1996,
}

/// Why the answer is what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The text is not a URL, or the body is an address: there is no verdict.
    None,
    RuleAllowed,
    RuleDisallowed,
    NoRule,
    NoGroup,
    RobotsTxt,
    /// 4.4: the file is compressed.
    Unreachable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub allowed: bool,
    pub reason: Reason,
    /// The line of the deciding rule; 0 if none.
    pub line: u32,
    /// 8.5b: the text is not a URL.
    pub url_error: bool,
    /// 8.13: every other URL has the same answer.
    pub site_wide: bool,
}

/// What a robots.txt says to one crawler.
pub struct Site {
    dialect: Dialect,
    /// The rules of the groups obeyed, in file order; `None` when no group applies.
    rules: Option<Vec<groups::Rule>>,
    /// 4.4: the file is none, since it is compressed.
    is_compressed: bool,
    /// 4.7: the body is an address.
    is_address: bool,
    pub crawl_delay: Option<f64>,
    pub sitemaps: Vec<Vec<u8>>,
    /// 9.4, 9.5, 9.7: those of the groups obeyed, and those in no group.
    preference_lines: Vec<preferences::Line>,
}

pub fn parse(setup: &Setup, body: &[u8]) -> Site {
    let is_compressed = setup.dialect != Dialect::Google && file::begins_compressed(body);
    let original = body;
    let body = if is_compressed { b"" } else { body };
    let lines = file::lines(setup, body);
    let (groups, sitemaps, mut preference_lines) = groups::all_groups(setup, &lines);
    let obeyed = groups::obeyed(setup, &groups);
    let rules = obeyed.as_ref().map(|obeyed| {
        obeyed
            .iter()
            .flat_map(|group| group.rules.clone())
            .collect()
    });
    // 9.2: of several crawl-delays in the groups obeyed the largest, the politest, counts.
    let mut crawl_delay: Option<f64> = None;
    for group in obeyed.unwrap_or_default() {
        preference_lines.extend(group.preferences);
        for &delay in &group.delays {
            crawl_delay = Some(crawl_delay.map_or(delay, |so_far| so_far.max(delay)));
        }
    }
    Site {
        dialect: setup.dialect,
        rules,
        is_compressed,
        is_address: file::is_address(original),
        crawl_delay,
        sitemaps,
        preference_lines,
    }
}

impl Site {
    pub fn decide(&self, url: &[u8]) -> Answer {
        self.decide_as_is(&self.deciding(url))
    }

    /// Each reading of a URL as a URL (8.11).
    pub fn readings(&self, url: &[u8]) -> Vec<Vec<u8>> {
        readings::readings(self.dialect, url)
    }

    /// The reading that decides: the first that is not allowed, else the second (8.11).
    fn deciding(&self, url: &[u8]) -> Vec<u8> {
        let mut readings = self.readings(url);
        let forbidden = |url: &Vec<u8>| !self.decide_as_is(url).allowed;
        let second = 1.min(readings.len() - 1);
        let deciding = readings.iter().position(forbidden).unwrap_or(second);
        readings.swap_remove(deciding)
    }

    pub fn decide_as_is(&self, url: &[u8]) -> Answer {
        let mut answer = winner::decide(self.dialect, self.rules.as_deref(), url);
        if self.is_address && !answer.url_error {
            return Answer {
                allowed: false,
                reason: Reason::None,
                ..answer
            };
        }
        // Rules that match nothing (8.5) or have no path (8.8) distinguish no URLs.
        let starts =
            |first: &u8| *first == b'/' || *first == b'*' && self.dialect != Dialect::Koster1996;
        let distinguishes = |rule: &groups::Rule| {
            rule.path.first().is_some_and(starts) && rule.path != b"/" && rule.path != b"*"
        };
        let varies = self.rules.iter().flatten().any(distinguishes);
        answer.site_wide = !varies && !answer.url_error && answer.reason != Reason::RobotsTxt;
        if self.is_compressed && !answer.url_error && answer.reason != Reason::RobotsTxt {
            return Answer {
                allowed: false,
                reason: Reason::Unreachable,
                ..answer
            };
        }
        answer
    }

    /// Every rule that matches by itself: its line, whether it allows, the bytes it counts with.
    pub fn matching(&self, url: &[u8]) -> Vec<(u32, bool, usize)> {
        let rules = self.rules.as_deref().unwrap_or_default();
        winner::matching(self.dialect, rules, &self.deciding(url))
    }

    /// The path and query that rules are matched with (8.1, 8.6); `None` when the URL is none.
    pub fn path(&self, url: &[u8]) -> Option<Vec<u8>> {
        paths::canonical_url(self.dialect, &self.deciding(url))
    }

    /// How many rules the groups obeyed have that count (8.5, 8.8); `None` when no group applies.
    pub fn rule_count(&self) -> Option<usize> {
        self.rules.as_ref().map(Vec::len)
    }
}

/// The canonical form (8.6) of a rule's path.
pub fn canonical_rule(dialect: Dialect, path: &[u8]) -> Vec<u8> {
    paths::canonical_rule(dialect, path)
}
