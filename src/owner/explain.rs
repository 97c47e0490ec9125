//! Explains a verdict: the obeyed group, every matching rule by priority, and the verdicts of the other dialects.

use core::cmp::Reverse;
use core::fmt::{self, Display, Formatter, Write};
use core::iter;

use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::rule::{Priority, RuleRef};
use crate::base::verdict::{Reason, Verdict};
use crate::bytes::display::from_fn;
use crate::bytes::try_alloc::{copy, push, zeros};
use crate::core::check::pieces::scratch_len;
use crate::core::parse;
use crate::core::parse::directive::Field;
use crate::core::parse::reader::{ObeyedGroups, Reader, Standing};
use crate::core::rules::single_rule::{self, SingleRules};
use crate::crawler::Crawler;
use crate::crawler::token::Name;
use crate::url::reading;

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
        /// An earlier rule of the same length and effect decides.
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
#[non_exhaustive]
pub struct Quote {
    /// Number of the line, counted from 1.
    pub line: u32,
    /// Bytes of the line, without the comment and surrounding white space.
    pub text: Vec<u8>,
}

impl Quote {
    fn new(line: u32, text: &[u8], dialect: Dialect) -> Result<Quote, Error> {
        Ok(Quote {
            line,
            text: copy(dialect.trim(text))?,
        })
    }
}

/// A rule that matches the URL.
#[derive(Clone, Debug)]
pub struct Matched {
    /// Line of the rule.
    pub quote: Quote,
    /// Whether the rule allows.
    pub allow: bool,
    path_len: usize,
    /// Path in canonical form (SPEC 8.6), including a final `$`. Its length decides the priority (SPEC 8.7). If an `Allow:
    /// /index.html` matches only through its directory (SPEC 8.10, google), the path is the directory and a `$`.
    pub pattern: Vec<u8>,
    /// Why the rule won or lost.
    pub result: MatchResult,
}

impl Matched {
    /// Returns the path as written.
    pub fn path(&self) -> &[u8] {
        let text = &self.quote.text;
        let start = text.len().saturating_sub(self.path_len);
        text.get(start..).unwrap_or_default()
    }

    fn priority(&self, dialect: Dialect) -> Priority {
        let rule = RuleRef::new(self.quote.line, self.allow);
        Priority::new(rule, self.pattern.len() as u32, dialect.first_match_wins())
    }
}

/// The verdict of another dialect on the same file and URL.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Other {
    /// The other dialect.
    pub dialect: Dialect,
    /// Verdict of this dialect, with [`Error::Url`] if the canonical path is too long (SPEC 8.12).
    pub verdict: Verdict,
    /// Line that decides in this dialect; `None` if no line decides.
    pub quote: Option<Quote>,
}

/// An explanation of a verdict. Its `Display` writes plain text for a terminal, without colours, and escapes control
/// characters.
///
/// ```
/// let crawler = robots::Crawler::new("ExampleBot")?;
/// let body = "User-agent: *\nDisallow: /shop\nAllow: /shop/open\n";
/// let why = robots::explain(&crawler, body, "https://example.com/shop/open/1")?;
/// assert_eq!(why.verdict, crawler.parse(body).check("/shop/open/1"));
/// assert_eq!(why.winner().map(|rule| rule.quote.line), Some(3));
/// print!("{why}");
/// # Ok::<(), robots::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explanation {
    pub(super) crawler: Crawler,
    /// URL that was checked.
    pub url: Vec<u8>,
    /// Path and query of the URL in canonical form (SPEC 8.6). If the URL has several readings (SPEC 8.11), this is the reading
    /// that decides.
    pub path: Vec<u8>,
    /// Whether the path differs from the path of the URL as written (SPEC 8.11).
    is_other_reading: bool,
    /// Verdict, equal to the result of [`crate::Rules::check`].
    pub verdict: Verdict,
    /// Product token that the obeyed groups name: `*` for every crawler, `None` if no group applies (SPEC 7.1). If the groups
    /// of all tokens are merged (SPEC 7.7), this is the crawler's token that the file names first.
    pub token: Option<Vec<u8>>,
    /// User-agent lines that name the crawler, in file order.
    pub agents: Vec<Quote>,
    /// Number of rules in the obeyed groups, whether or not they match.
    pub rule_count: usize,
    /// Every matching rule, the highest priority first. Empty for /robots.txt if no rule decides on this path (SPEC 8.9).
    pub matched: Vec<Matched>,
    /// Verdicts of the other two dialects, in the order of the dialect numbers.
    pub others: Vec<Other>,
}

impl Explanation {
    /// Returns the dialect of the crawler.
    pub fn dialect(&self) -> Dialect {
        self.crawler.reading.dialect
    }

    /// Returns the rule that decides; `None` if no rule decides.
    pub fn winner(&self) -> Option<&Matched> {
        let first = self.matched.first();
        first.filter(|matched| matched.result == MatchResult::Won)
    }

    /// Returns the verdict of a dialect.
    pub fn verdict_in(&self, dialect: Dialect) -> Verdict {
        let mut others = self.others.iter();
        let other = others.find(|other| other.dialect == dialect);
        other.map_or(self.verdict, |other| other.verdict)
    }
}

/// Explains what [`Crawler::parse`] and [`crate::Rules::check`] decide on a file and a URL.
///
/// # Errors
/// [`Error::Url`] if `url` is not a URL (SPEC 8.5b); [`Error::Argument`] if `body` is an address (SPEC 4.7); [`Error::Memory`] on
/// allocation failure.
pub fn explain(
    crawler: &Crawler,
    body: impl AsRef<[u8]>,
    url: impl AsRef<[u8]>,
) -> Result<Explanation, Error> {
    let (body, url) = (body.as_ref(), url.as_ref());
    let dialect = crawler.reading.dialect;
    // `number` is the index of the reading that decides (SPEC 8.11).
    let (verdict, number) = crawler.check_once_numbered(body, url);
    if let Some(error) = verdict.error() {
        return Err(error);
    }
    let mut readings = 0..number;
    let decided = reading::each(url, dialect, |reading| match readings.next() {
        Some(_) => None,
        None => Some(copy(reading.url)),
    });
    let decided = decided?.transpose()?;
    let mut explanation = Explanation {
        crawler: crawler.clone(),
        url: copy(url)?,
        path: single_rule::canonical_url(decided.as_deref().unwrap_or(url), dialect)?,
        is_other_reading: number > 0,
        verdict,
        token: None,
        agents: Vec::new(),
        rule_count: 0,
        matched: Vec::new(),
        others: others(crawler, body, url)?,
    };
    // No line of a compressed file counts (SPEC 4.4).
    let is_compressed = parse::is_compressed(body, dialect);
    let body = if is_compressed { b"" } else { body };
    let obeyed = ObeyedGroups::new(crawler, body)?;
    let canonical_url = copy(&explanation.path)?;
    let mut scratch = zeros(scratch_len(canonical_url.len()))?;
    let mut rules = SingleRules::new(&canonical_url, dialect, &mut scratch);
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
            // SPEC 8.10: the directory matches, but the path itself does not.
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
            () if rule.pattern.len() < winner.pattern.len() => MatchResult::Shorter,
            () if rule.allow == winner.allow => MatchResult::LaterEqual,
            () => MatchResult::TieLostToAllow,
        };
    }
    if winner.pattern.is_empty() {
        winner.result = MatchResult::Empty;
    }
}

/// Returns the verdicts of the other dialects. If a token is invalid in a dialect (SPEC 7.6), no group names the token in that
/// dialect.
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
        let other = Other {
            dialect,
            verdict,
            quote,
        };
        push(&mut others, other)?;
    }
    Ok(others)
}

/// Returns the crawler's token that a user-agent line names, as the crawler writes it.
fn token(crawler: &Crawler, value: &[u8]) -> Result<Vec<u8>, Error> {
    match crawler.name_in(value) {
        Name::Everyone => copy(b"*"),
        Name::Token(name) => {
            let mut own = crawler.tokens();
            let own = own.find(|token| token.eq_ignore_ascii_case(name));
            copy(own.unwrap_or(name))
        }
    }
}

fn agree(a: Verdict, b: Verdict) -> bool {
    a.allowed() == b.allowed() && a.error() == b.error()
}

// The code below writes the text for a terminal: a key and a value on each line. This code does not allocate. The limits bound
// the length of the text, even for a hostile file.

/// Upper bound on the rules that are shown; further rules are only counted.
const MOST_RULES: usize = 20;
/// Upper bound on the user-agent lines that are shown; further lines are only counted.
const MOST_AGENTS: usize = 5;
/// Upper bound on the characters of a line that are shown.
const MOST_CHARACTERS: usize = 60;
/// Upper bound on the characters of a URL that are shown.
const MOST_OF_URL: usize = 240;

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        row(f, word(self.verdict), shown(&self.url, MOST_OF_URL))?;
        let note = if self.is_other_reading {
            ", as browsers and URL libraries read it"
        } else {
            ""
        };
        let path = shown(&self.path, MOST_OF_URL);
        row(f, "path", format_args!("{path}{note}"))?;
        let name = name(self.dialect());
        let is_first = self.dialect().first_match_wins();
        let winner = if is_first { "first" } else { "longest" };
        row(f, "dialect", format_args!("{name}: the {winner} rule wins"))?;
        if self.verdict.reason() == Reason::Unreachable {
            let why =
                "it is compressed, so it counts as unreachable: undo its content coding first";
            row(f, "file", why)?;
        } else {
            self.write_agents(f)?;
            self.write_rules(f)?;
            if self.path == b"/robots.txt" && !self.dialect().frees_robots_txt() {
                let why = "crawlers always fetch it to read their rules; here it is a page";
                row(f, "file", why)?;
            }
        }
        let mut others = self.others.iter();
        others.try_for_each(|other| self.write_other(f, other))
    }
}

impl Explanation {
    fn write_agents(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.agents.is_empty() {
            let names = from_fn(|f| {
                let separators = iter::once("").chain(iter::repeat(", "));
                let mut tokens = separators.zip(self.crawler.tokens());
                tokens.try_for_each(|(separator, token)| {
                    write!(f, "{separator}{}", shown(token, MOST_CHARACTERS))
                })
            });
            let star = if self.crawler.reading.ignore_star {
                "; those for * are ignored"
            } else {
                " or *"
            };
            return row(f, "group", format_args!("none names {names}{star}"));
        }
        let agents = self.agents.iter().take(MOST_AGENTS);
        let digits = digits(agents.clone());
        for (key, agent) in keys("group").zip(agents) {
            row(f, key, numbered(agent, digits))?;
        }
        more(f, self.agents.len(), MOST_AGENTS, "that also name it")
    }

    fn write_rules(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.matched.is_empty() {
            return match (self.verdict.reason(), self.rule_count) {
                (Reason::RobotsTxt, _) => row(
                    f,
                    "rules",
                    "not used: crawlers always fetch /robots.txt to read their rules",
                ),
                (Reason::NoGroup, _) => Ok(()),
                (_, 0) => row(f, "rules", "there are none"),
                (_, 1) => row(f, "rules", "the only one does not match"),
                (_, count) => row(f, "rules", format_args!("none of the {count} matches")),
            };
        }
        let rules = self.matched.iter().take(MOST_RULES);
        let digits = digits(rules.clone().map(|rule| &rule.quote));
        let line = |rule: &Matched| width(numbered(&rule.quote, digits));
        let widest = rules.clone().map(line).max().unwrap_or_default();
        for (key, rule) in keys("rules").zip(rules) {
            let (text, gap) = (numbered(&rule.quote, digits), widest - line(rule));
            let why = from_fn(|f| self.write_why(f, rule));
            row(f, key, format_args!("{text}{:gap$}  {why}", ""))?;
        }
        more(f, self.matched.len(), MOST_RULES, "that match and lose")
    }

    fn write_why(&self, f: &mut Formatter<'_>, rule: &Matched) -> fmt::Result {
        match (rule.result, rule.pattern.len()) {
            (MatchResult::Won, _) if self.dialect().first_match_wins() => {
                f.write_str("wins: the first")
            }
            (MatchResult::Won, 1) => f.write_str("wins: 1 byte"),
            (MatchResult::Won, length) => write!(f, "wins: {length} bytes"),
            (MatchResult::Shorter, 1) => f.write_str("loses: 1 byte"),
            (MatchResult::Shorter, length) => write!(f, "loses: {length} bytes"),
            (MatchResult::TieLostToAllow, _) => f.write_str("loses: as long, but allow wins ties"),
            (MatchResult::LaterEqual, _) => f.write_str("as long, on a later line"),
            (MatchResult::AfterFirstMatch, _) => f.write_str("loses: on a later line"),
            (MatchResult::Empty, _) => f.write_str("has no path, decides nothing"),
        }?;
        match &*rule.pattern {
            pattern if pattern == rule.path() => Ok(()),
            pattern => write!(f, ", compared as {}", shown(pattern, MOST_CHARACTERS)),
        }
    }

    fn write_other(&self, f: &mut Formatter<'_>, other: &Other) -> fmt::Result {
        let key = name(other.dialect);
        if other.verdict.error().is_some() {
            return row(f, key, "differs: in its form the path is too long");
        }
        let word = word(other.verdict);
        let is_same = agree(self.verdict, other.verdict);
        let how = if is_same { "agrees" } else { "differs" };
        let why = from_fn(|f| match &other.quote {
            Some(quote) if is_same => write!(f, " by line {}", quote.line),
            Some(quote) => write!(f, " by {}", numbered(quote, 1)),
            None => write!(f, ", {}", because(other.verdict)),
        });
        row(f, key, format_args!("{how}: {word}{why}"))
    }
}

fn row(f: &mut Formatter<'_>, key: &str, text: impl Display) -> fmt::Result {
    writeln!(f, "{key:>10}  {text}")
}

/// Returns the key for the first line, then empty keys.
fn keys(first: &str) -> impl Iterator<Item = &str> {
    iter::once(first).chain(iter::repeat(""))
}

/// Writes how many lines remain after the first `most` of `count` lines.
fn more(f: &mut Formatter<'_>, count: usize, most: usize, what: &str) -> fmt::Result {
    match count.saturating_sub(most) {
        0 => Ok(()),
        count => row(f, "", format_args!("and {count} more {what}")),
    }
}

pub(super) fn word(verdict: Verdict) -> &'static str {
    let is_allowed = verdict.allowed();
    if is_allowed { "allowed" } else { "disallowed" }
}

/// Returns why no line decides.
fn because(verdict: Verdict) -> &'static str {
    match verdict.reason() {
        Reason::RobotsTxt => "it is /robots.txt",
        Reason::NoGroup => "no group applies",
        Reason::Unreachable => "the file is compressed",
        _ => "no rule matches",
    }
}

fn name(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Rfc9309 => "rfc9309",
        Dialect::Google => "google",
        Dialect::Koster1996 => "koster1996",
    }
}

/// Returns the number of a line, padded to `digits`, and the text of the line.
fn numbered(quote: &Quote, digits: usize) -> impl Display {
    from_fn(move |f| {
        let text = shown(&quote.text, MOST_CHARACTERS);
        write!(f, "line {:digits$}: {text}", quote.line)
    })
}

/// Returns how many digits the highest line number has.
fn digits<'q>(quotes: impl Iterator<Item = &'q Quote>) -> usize {
    let last = quotes.map(|quote| quote.line).max().unwrap_or_default();
    width(last)
}

fn width(of: impl Display) -> usize {
    struct Count(usize);
    impl Write for Count {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.chars().count();
            Ok(())
        }
    }
    let mut count = Count(0);
    // Counting cannot fail.
    let _ = write!(count, "{of}");
    count.0
}

/// Escapes untrusted bytes for a terminal. Cuts a long text in the middle, because paths differ at their ends.
fn shown(bytes: &[u8], most: usize) -> impl Display {
    let third = most / 3;
    // A character has at most four bytes, so the first and the last 4 * `most` bytes are enough.
    let (start, end) = if bytes.len() > 8 * most {
        (bytes.get(..4 * most), bytes.get(bytes.len() - 4 * most..))
    } else {
        (Some(bytes), None)
    };
    let characters = move || [start, end].into_iter().flatten().flat_map(characters);
    let count = characters().count();
    let tail = third.min(count);
    let is_cut = end.is_some() || count > most;
    let head = if is_cut {
        (most - third - 1).min(count - tail)
    } else {
        count - tail
    };
    from_fn(move |f| {
        characters().take(head).try_for_each(|it| it.fmt(f))?;
        f.write_str(if is_cut { "…" } else { "" })?;
        characters().skip(count - tail).try_for_each(|it| it.fmt(f))
    })
}

/// A character, or a byte that is not valid UTF-8.
enum Character {
    Valid(char),
    Byte(u8),
}

fn characters(bytes: &[u8]) -> impl Iterator<Item = Character> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid().chars().map(Character::Valid);
        valid.chain(chunk.invalid().iter().copied().map(Character::Byte))
    })
}

/// Escapes invisible characters. Quotes need no escape: the text is not quoted.
impl Display for Character {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Character::Valid(quote @ ('\'' | '"')) => f.write_char(*quote),
            Character::Valid(character) => write!(f, "{}", character.escape_debug()),
            Character::Byte(byte) => write!(f, "\\x{byte:02x}"),
        }
    }
}
