//! Explains a verdict: the group obeyed, every matching rule by priority, and the verdicts of the other dialects.
//! Works from the body, outside the hot path.

mod render;

pub(super) use render::word;

use core::cmp::Reverse;

use crate::crawler::Crawler;
use crate::crawler::token::Name;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::parser;
use crate::parser::directive::Field;
use crate::parser::reader::{ObeyedGroups, Reader, Standing};
use crate::rule::{Priority, RuleRef};
use crate::rules::single_rule::{self, SingleRules};
use crate::url::reading;
use crate::util::try_alloc::{copy, push};
use crate::verdict::Verdict;

codes! {
    /// Why a matching rule won or lost.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    #[repr(u8)]
    pub enum MatchResult: robots_match_result("ROBOTS_MATCH_") in explain, "Why a rule that matches decides or does not." {
        /// The rule decides.
        Won = 0 ROBOTS_MATCH_WON,
        /// A longer rule decides (SPEC 8.7).
        Shorter = 1 ROBOTS_MATCH_SHORTER,
        /// A rule of the same length that allows decides (SPEC 8.7).
        TieLostToAllow = 2 ROBOTS_MATCH_TIE_LOST_TO_ALLOW,
        /// An earlier rule of the same length and kind decides.
        LaterEqual = 3 ROBOTS_MATCH_LATER_EQUAL,
        /// An earlier rule decides (SPEC 8.7, koster1996).
        AfterFirstMatch = 4 ROBOTS_MATCH_AFTER_FIRST_MATCH,
        /// A rule without a path has no effect (SPEC 8.8, google).
        Empty = 5 ROBOTS_MATCH_EMPTY,
    }
    ALL: pub(self), from_code: pub(self) u32
}

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    line: u32,
    text: Vec<u8>,
}

impl Quote {
    fn new(line: u32, text: &[u8], dialect: Dialect) -> Result<Quote, Error> {
        Ok(Quote {
            line,
            text: copy(dialect.trim(text))?,
        })
    }

    /// Returns its number; the first is 1.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Returns the line as written, without the comment and surrounding white space. Any bytes.
    pub fn text(&self) -> &[u8] {
        &self.text
    }
}

/// A rule that matches the URL.
#[derive(Clone, Debug)]
pub struct Matched {
    quote: Quote,
    allow: bool,
    path_len: usize,
    pattern: Vec<u8>,
    result: MatchResult,
}

impl Matched {
    /// Returns its line; the first is 1.
    pub fn line(&self) -> u32 {
        self.quote.line
    }

    /// Returns the line as written, without the comment and surrounding white space. Any bytes.
    pub fn text(&self) -> &[u8] {
        &self.quote.text
    }

    /// Whether it is an allow rule.
    pub fn allow(&self) -> bool {
        self.allow
    }

    /// Returns the path as written.
    pub fn path(&self) -> &[u8] {
        let text = &self.quote.text;
        let start = text.len().saturating_sub(self.path_len);
        text.get(start..).unwrap_or_default()
    }

    /// Returns the path as compared: in canonical form (SPEC 8.6), with a final `$` for the end. In google an `Allow` of
    /// `/index.html` that matched its directory returns that directory (SPEC 8.10).
    pub fn pattern(&self) -> &[u8] {
        &self.pattern
    }

    /// Returns the length of the pattern in bytes, `*` and `$` counted (SPEC 8.7).
    pub fn length(&self) -> usize {
        self.pattern.len()
    }

    /// Returns why it won or lost.
    pub fn result(&self) -> MatchResult {
        self.result
    }

    fn priority(&self, dialect: Dialect) -> Priority {
        let rule = RuleRef::new(self.line(), self.allow);
        Priority::new(rule, self.length() as u32, dialect.first_match_wins())
    }
}

/// The verdict of another dialect on the same file and URL.
#[derive(Clone, Debug)]
pub struct Other {
    dialect: Dialect,
    verdict: Verdict,
    quote: Option<Quote>,
}

impl Other {
    /// Returns the dialect.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns its verdict; with [`Error::Url`] if only google accepts the URL (SPEC 8.5b).
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Returns the line that decides in this dialect, if one does.
    pub fn quote(&self) -> Option<&Quote> {
        self.quote.as_ref()
    }
}

/// An explanation of a verdict. Its `Display` is plain text for a terminal, without colours; it escapes control
/// characters of the file and the URL.
///
/// ```
/// let crawler = robots::Crawler::new("ExampleBot")?;
/// let body = "User-agent: *\nDisallow: /shop\nAllow: /shop/open\n";
/// let why = robots::explain(&crawler, body, "https://example.com/shop/open/1")?;
/// assert_eq!(why.verdict(), crawler.parse(body).check("/shop/open/1"));
/// assert_eq!(why.winner().map(robots::Matched::line), Some(3));
/// print!("{why}");
/// # Ok::<(), robots::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explanation {
    crawler: Crawler,
    url: Vec<u8>,
    path: Vec<u8>,
    /// Whether the path is not that of the URL as it is (SPEC 8.11).
    is_other_reading: bool,
    verdict: Verdict,
    token: Option<Vec<u8>>,
    agents: Vec<Quote>,
    rule_count: usize,
    matched: Vec<Matched>,
    others: Vec<Other>,
}

impl Explanation {
    /// Returns the verdict, equal to that of [`crate::Rules::check`].
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Returns the dialect that decided.
    pub fn dialect(&self) -> Dialect {
        self.crawler.reading.dialect
    }

    /// Returns the URL.
    pub fn url(&self) -> &[u8] {
        &self.url
    }

    /// Returns the path and query of the URL as compared: in canonical form (SPEC 8.6). Of a URL with several readings
    /// (SPEC 8.11) it is that of the reading that decides.
    pub fn path(&self) -> &[u8] {
        &self.path
    }

    /// Returns the crawler's product token that the obeyed groups name: `*` for everyone, `None` if no group applies
    /// (SPEC 7.1). If the groups of all tokens are merged (SPEC 7.7), returns the first of them.
    pub fn token(&self) -> Option<&[u8]> {
        self.token.as_deref()
    }

    /// Returns the user-agent lines that name the crawler, in file order.
    pub fn agents(&self) -> &[Quote] {
        &self.agents
    }

    /// Returns the number of rules in the obeyed groups, whether or not they match.
    pub fn rule_count(&self) -> usize {
        self.rule_count
    }

    /// Returns every matching rule, the highest priority first. Empty for /robots.txt if it is always allowed (SPEC 8.9).
    pub fn matched(&self) -> &[Matched] {
        &self.matched
    }

    /// Returns the rule that decides, if one does.
    pub fn winner(&self) -> Option<&Matched> {
        self.matched
            .first()
            .filter(|matched| matched.result == MatchResult::Won)
    }

    /// Returns the verdicts of the other two dialects, in the order of their numbers.
    pub fn others(&self) -> &[Other] {
        &self.others
    }

    /// Returns the verdict of this or another dialect.
    pub fn verdict_in(&self, dialect: Dialect) -> Verdict {
        self.others
            .iter()
            .find(|other| other.dialect == dialect)
            .map_or(self.verdict, |other| other.verdict)
    }
}

/// Explains what [`Crawler::parse`] and [`crate::Rules::check`] decide on a file and a URL.
///
/// # Errors
/// [`Error::Url`] for what is no URL (SPEC 8.5b); [`Error::Memory`].
pub fn explain(
    crawler: &Crawler,
    body: impl AsRef<[u8]>,
    url: impl AsRef<[u8]>,
) -> Result<Explanation, Error> {
    let (body, url) = (body.as_ref(), url.as_ref());
    let dialect = crawler.reading.dialect;
    // The rules that decided matched one of the readings (SPEC 8.11).
    let decide = |reading: &[u8]| crawler.check_reading(body, reading);
    let (verdict, number) = reading::decide_each(url, dialect, decide);
    if let Some(error) = verdict.error() {
        return Err(error);
    }
    let mut left = number;
    let decided = reading::others(url, dialect, |reading| {
        left = left.checked_sub(1)?;
        (left == 0).then(|| copy(reading))
    });
    let decided = decided?.transpose()?;
    let mut explanation = Explanation {
        crawler: crawler.clone(),
        url: copy(url)?,
        path: single_rule::canonical_url(decided.as_deref().unwrap_or(url), dialect)?,
        is_other_reading: decided.is_some(),
        verdict,
        token: None,
        agents: Vec::new(),
        rule_count: 0,
        matched: Vec::new(),
        others: others(crawler, body, url)?,
    };
    // A compressed file has no line that counts (SPEC 4.4).
    let body = if parser::is_compressed(body, dialect) {
        b""
    } else {
        body
    };
    let obeyed = ObeyedGroups::new(crawler, body)?;
    let canonical_url = copy(&explanation.path)?;
    let mut rules = SingleRules::new(&canonical_url, dialect);
    for line in Reader::new(crawler, body) {
        let Some(directive) = line.directive else {
            continue;
        };
        let quote = || Quote::new(line.number, line.text, dialect);
        if obeyed.is_called_by(&line) {
            if explanation.token.is_none() {
                explanation.token = Some(token(crawler, directive.value)?);
            }
            push(&mut explanation.agents, quote()?)?;
        }
        let allow = match directive.field {
            Field::Allow => true,
            Field::Disallow => false,
            _ => continue,
        };
        let path = directive.value;
        let counts = !path.is_empty() || dialect.reports_empty_rules();
        if obeyed.standing(&line) != Standing::Obeyed || !counts {
            continue;
        }
        explanation.rule_count += 1;
        let matches = rules.matches(path)?;
        if !(matches || allow && rules.matches_directory(path)?) {
            continue;
        }
        let mut pattern = single_rule::canonical(path, dialect)?;
        if !matches {
            // SPEC 8.10: the directory matches, not the rule's own path.
            let slash = pattern.iter().rposition(|byte| *byte == b'/');
            pattern.truncate(slash.map_or(0, |slash| slash + 1));
            push(&mut pattern, b'$')?;
        }
        let rule = Matched {
            quote: quote()?,
            allow,
            path_len: path.len(),
            pattern,
            result: MatchResult::Won,
        };
        push(&mut explanation.matched, rule)?;
    }
    judge(&mut explanation.matched, dialect);
    Ok(explanation)
}

/// Sorts the matching rules by priority and sets the result of each.
fn judge(matched: &mut [Matched], dialect: Dialect) {
    matched.sort_unstable_by_key(|rule| Reverse(rule.priority(dialect)));
    let Some((winner, losers)) = matched.split_first_mut() else {
        return;
    };
    let is_first = dialect.first_match_wins();
    for rule in losers.iter_mut() {
        rule.result = match () {
            () if is_first => MatchResult::AfterFirstMatch,
            () if rule.pattern.is_empty() => MatchResult::Empty,
            () if rule.length() < winner.length() => MatchResult::Shorter,
            () if rule.allow == winner.allow => MatchResult::LaterEqual,
            () => MatchResult::TieLostToAllow,
        };
    }
    if winner.pattern.is_empty() {
        winner.result = MatchResult::Empty;
    }
}

/// Returns the verdicts of the other dialects. No group names a token that is invalid in a dialect (SPEC 7.6).
fn others(crawler: &Crawler, body: &[u8], url: &[u8]) -> Result<Vec<Other>, Error> {
    let mut others = Vec::new();
    for dialect in Dialect::ALL {
        if dialect == crawler.reading.dialect {
            continue;
        }
        let mut other = crawler.clone();
        other.reading.dialect = dialect;
        let verdict = other.check_once(body, url);
        let before = (verdict.line() as usize).checked_sub(1);
        let line = before.and_then(|before| Reader::new(&other, body).nth(before));
        let quote = line.map(|line| Quote::new(verdict.line(), line.text, dialect));
        let quote = quote.transpose()?;
        push(
            &mut others,
            Other {
                dialect,
                verdict,
                quote,
            },
        )?;
    }
    Ok(others)
}

/// Returns the crawler's token that a user-agent line names, in the crawler's own case.
fn token(crawler: &Crawler, value: &[u8]) -> Result<Vec<u8>, Error> {
    match crawler.name_in(value) {
        Name::Everyone => copy(b"*"),
        Name::Token(name) => {
            let own = crawler
                .tokens()
                .find(|token| token.eq_ignore_ascii_case(name));
            copy(own.unwrap_or(name))
        }
    }
}

/// Whether two verdicts have the same effect.
fn agree(a: Verdict, b: Verdict) -> bool {
    a.allowed() == b.allowed() && a.error() == b.error()
}
