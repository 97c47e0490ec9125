//! Why a URL may be fetched or not: the group obeyed, every rule that matches, in the order of their
//! strength, and what the other dialects would say. Cold: works from the body, for people.

mod render;

use core::cmp::Reverse;

use crate::crawler::Crawler;
use crate::crawler::token::Name;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::parser::directive::{Field, trim};
use crate::parser::line::Lines;
use crate::parser::line_index::{LineIndex, Standing};
use crate::rule::Priority;
use crate::rules;
use crate::rules::single_rule::{self, SingleRules};
use crate::util::try_alloc::{copy, push};
use crate::verdict::Verdict;

/// What became of a rule that matches. The discriminant is the number of the C API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum MatchResult {
    /// It decides.
    Won = 0,
    /// A longer one decides (SPEC 8.7).
    Shorter = 1,
    /// As long as the winner, which allows (SPEC 8.7).
    TieLostToAllow = 2,
    /// As long as the winner and of the same kind, but further down: it would have decided the same.
    LaterEqual = 3,
    /// An earlier one decides (SPEC 8.7, koster1996).
    AfterFirstMatch = 4,
    /// Without a path it decides nothing, even where nothing else matches (SPEC 8.8, google).
    Empty = 5,
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
            text: copy(trim(text, dialect))?,
        })
    }

    /// Its number; the first is 1.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The line as it is written, without comment and the white space around it. Any octets.
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
    /// Its line; the first is 1.
    pub fn line(&self) -> u32 {
        self.quote.line
    }

    /// The line as it is written, without comment and the white space around it. Any octets.
    pub fn text(&self) -> &[u8] {
        &self.quote.text
    }

    /// Whether it allows.
    pub fn allow(&self) -> bool {
        self.allow
    }

    /// The path as it is written.
    pub fn path(&self) -> &[u8] {
        let text = &self.quote.text;
        let start = text.len().saturating_sub(self.path_len);
        text.get(start..).unwrap_or_default()
    }

    /// The path as it is compared: in canonical form (SPEC 8.6), `$` for the end; in google that of the
    /// directory where the rule stands for it (SPEC 8.10).
    pub fn pattern(&self) -> &[u8] {
        &self.pattern
    }

    /// Octets of the pattern, `*` and `$` counted (SPEC 8.7).
    pub fn length(&self) -> usize {
        self.pattern.len()
    }

    /// What became of it.
    pub fn result(&self) -> MatchResult {
        self.result
    }

    fn strength(&self, dialect: Dialect) -> Priority {
        if dialect.first_match_wins() {
            Priority::from_line(self.line())
        } else {
            Priority::new(self.length() as u32, self.allow, self.line())
        }
    }
}

/// What another dialect decides on the same file and URL.
#[derive(Clone, Debug)]
pub struct Other {
    dialect: Dialect,
    verdict: Verdict,
    quote: Option<Quote>,
}

impl Other {
    /// The dialect.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Its verdict; with [`Error::Url`] where only google takes it for a URL (SPEC 8.5b).
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The line that decides in it, if one does.
    pub fn quote(&self) -> Option<&Quote> {
        self.quote.as_ref()
    }
}

/// Why a verdict is what it is. Its `Display` says it on a terminal: without colours, and without
/// anything of the file or the URL that a terminal would obey.
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
    verdict: Verdict,
    token: Option<Vec<u8>>,
    agents: Vec<Quote>,
    rule_count: usize,
    matched: Vec<Matched>,
    others: Vec<Other>,
}

impl Explanation {
    /// The verdict: that of [`crate::Rules::check`].
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The dialect that decided.
    pub fn dialect(&self) -> Dialect {
        self.crawler.dialect
    }

    /// The URL that was asked about.
    pub fn url(&self) -> &[u8] {
        &self.url
    }

    /// Its path and query as they are compared: in canonical form (SPEC 8.6).
    pub fn path(&self) -> &[u8] {
        &self.path
    }

    /// Which of the crawler's product tokens the groups obeyed name, as the crawler spells it; `*` where
    /// they name everyone, `None` where no group applies (SPEC 7.1). Where the groups of all tokens are
    /// merged (SPEC 7.7) that of the first of them.
    pub fn token(&self) -> Option<&[u8]> {
        self.token.as_deref()
    }

    /// The user-agent lines that name the crawler, in file order: why their groups are obeyed.
    pub fn agents(&self) -> &[Quote] {
        &self.agents
    }

    /// How many rules the groups obeyed have, whether or not they match.
    pub fn rule_count(&self) -> usize {
        self.rule_count
    }

    /// Every rule that matches, the strongest first. None for a robots.txt itself where it is always allowed
    /// (SPEC 8.9): the rules are not asked.
    pub fn matched(&self) -> &[Matched] {
        &self.matched
    }

    /// The rule that decides, if one does.
    pub fn winner(&self) -> Option<&Matched> {
        self.matched
            .first()
            .filter(|matched| matched.result == MatchResult::Won)
    }

    /// What the other two dialects decide, in the order of their numbers.
    pub fn others(&self) -> &[Other] {
        &self.others
    }

    /// What this or another dialect decides.
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
    let dialect = crawler.dialect;
    let verdict = rules::check_trusted(&rules::compile(crawler, body)?, url);
    if let Some(error) = verdict.error() {
        return Err(error);
    }
    let mut explanation = Explanation {
        crawler: crawler.clone(),
        url: copy(url)?,
        path: single_rule::canonical_url(url, dialect)?,
        verdict,
        token: None,
        agents: Vec::new(),
        rule_count: 0,
        matched: Vec::new(),
        others: others(crawler, body, url)?,
    };
    let index = LineIndex::new(crawler, body)?;
    let canonical_url = copy(&explanation.path)?;
    let mut rules = SingleRules::new(&canonical_url, dialect);
    for place in index.lines() {
        let Some(directive) = place.directive else {
            continue;
        };
        let quote = || Quote::new(place.number, place.text, dialect);
        if index.is_called_by(&place) {
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
        if place.standing != Standing::Obeyed || !counts {
            continue;
        }
        explanation.rule_count += 1;
        let mut pattern = single_rule::canonical(path, dialect)?;
        if !rules.matches(path)? {
            if !allow || !rules.matches_directory(path)? {
                continue;
            }
            // SPEC 8.10: not the rule matches, but the directory that it stands for.
            let slash = pattern.iter().rposition(|octet| *octet == b'/');
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

/// Puts the rules that match in the order of their strength, and says of each what became of it.
fn judge(matched: &mut [Matched], dialect: Dialect) {
    matched.sort_unstable_by_key(|rule| Reverse(rule.strength(dialect)));
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

/// What the other dialects decide. A token that is none in one of them (SPEC 7.6) is named by nobody there.
fn others(crawler: &Crawler, body: &[u8], url: &[u8]) -> Result<Vec<Other>, Error> {
    let mut others = Vec::new();
    for dialect in Dialect::ALL {
        if dialect == crawler.dialect {
            continue;
        }
        let mut other = crawler.clone();
        other.dialect = dialect;
        let verdict = rules::check_trusted(&rules::compile(&other, body)?, url);
        let mut lines = Lines::new(body, other.max_bytes, dialect);
        let before = (verdict.line() as usize).checked_sub(1);
        let line = before.and_then(|before| lines.nth(before));
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

/// What a user-agent line that names the crawler names, as the crawler spells it.
fn token(crawler: &Crawler, value: &[u8]) -> Result<Vec<u8>, Error> {
    match Name::parse(value, crawler.dialect) {
        Name::Everyone => copy(b"*"),
        Name::Token(name) => {
            let spelt = crawler
                .tokens()
                .find(|token| token.eq_ignore_ascii_case(name));
            copy(spelt.unwrap_or(name))
        }
    }
}

/// Whether two verdicts let the same be done.
fn agree(a: Verdict, b: Verdict) -> bool {
    a.allowed() == b.allowed() && a.error() == b.error()
}
