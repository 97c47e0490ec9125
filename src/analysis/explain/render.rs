//! An explanation as text for a terminal: keys, then values, the highest priority first. Nothing here allocates.

use core::fmt::{self, Display, Formatter, Write};
use core::iter;

use super::{Explanation, MatchResult, Matched, Other, Quote, agree};
use crate::dialect::Dialect;
use crate::util::display::from_fn;
use crate::verdict::{Reason, Verdict};

/// The most rules shown; the others are counted.
const MOST_RULES: usize = 20;
/// The most user-agent lines shown.
const MOST_AGENTS: usize = 5;
/// The most characters of a line shown.
const MOST_CHARACTERS: usize = 60;
/// The most characters of a URL shown.
const MOST_OF_URL: usize = 240;

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        row(f, word(self.verdict), shown(&self.url, MOST_OF_URL))?;
        let note = match self.is_other_reading {
            true => ", as browsers and URL libraries read it",
            false => "",
        };
        let path = shown(&self.path, MOST_OF_URL);
        row(f, "path", format_args!("{path}{note}"))?;
        let name = name(self.dialect());
        let winner = match self.dialect().first_match_wins() {
            true => "first",
            false => "longest",
        };
        row(f, "dialect", format_args!("{name}: the {winner} rule wins"))?;
        if self.verdict.reason() == Reason::Unreachable {
            let why =
                "it is compressed, so it counts as unreachable: undo its content coding first";
            row(f, "file", why)?;
        } else {
            self.write_agents(f)?;
            self.write_rules(f)?;
        }
        self.others
            .iter()
            .try_for_each(|other| self.write_other(f, other))
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
            let star = match self.crawler.reading.ignore_star {
                true => "; those for * are ignored",
                false => " or *",
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
                (Reason::RobotsTxt, _) => {
                    row(f, "rules", "not used: /robots.txt is always allowed")
                }
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

    /// Writes why a rule won or lost.
    fn write_why(&self, f: &mut Formatter<'_>, rule: &Matched) -> fmt::Result {
        match (rule.result, rule.length()) {
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
        match rule.pattern() {
            pattern if pattern == rule.path() => Ok(()),
            pattern => write!(f, ", compared as {}", shown(pattern, MOST_CHARACTERS)),
        }
    }

    fn write_other(&self, f: &mut Formatter<'_>, other: &Other) -> fmt::Result {
        let key = name(other.dialect);
        if other.verdict.error().is_some() {
            return row(f, key, "differs: not a URL");
        }
        let word = word(other.verdict);
        let is_same = agree(self.verdict, other.verdict);
        let how = if is_same { "agrees" } else { "differs" };
        let why = from_fn(|f| match &other.quote {
            Some(quote) if is_same => write!(f, " by line {}", quote.line()),
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

/// Writes how many of `count` lines were not shown.
fn more(f: &mut Formatter<'_>, count: usize, most: usize, what: &str) -> fmt::Result {
    match count.saturating_sub(most) {
        0 => Ok(()),
        count => row(f, "", format_args!("and {count} more {what}")),
    }
}

/// Returns the effect of a verdict.
pub(in crate::analysis) fn word(verdict: Verdict) -> &'static str {
    if verdict.allowed() {
        "allowed"
    } else {
        "disallowed"
    }
}

/// Returns why no line decided.
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

/// Returns a line of the file, its number padded to `digits`.
fn numbered(quote: &Quote, digits: usize) -> impl Display {
    from_fn(move |f| {
        let text = shown(quote.text(), MOST_CHARACTERS);
        write!(f, "line {:digits$}: {text}", quote.line())
    })
}

/// Returns the number of digits of the last line's number.
fn digits<'q>(quotes: impl Iterator<Item = &'q Quote>) -> usize {
    let last = quotes.map(Quote::line).max().unwrap_or_default();
    width(last)
}

/// Returns the displayed width in characters.
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

/// Escapes untrusted bytes for a terminal. Long text is cut in the middle, since paths differ at their ends.
fn shown(bytes: &[u8], most: usize) -> impl Display {
    let third = most / 3;
    // A character is at most four bytes, so the middle need not be decoded.
    let (start, end) = match bytes.len() > 8 * most {
        true => (bytes.get(..4 * most), bytes.get(bytes.len() - 4 * most..)),
        false => (Some(bytes), None),
    };
    let characters = move || [start, end].into_iter().flatten().flat_map(characters);
    let count = characters().count();
    let tail = third.min(count);
    let is_cut = end.is_some() || count > most;
    let head = match is_cut {
        true => (most - third - 1).min(count - tail),
        false => count - tail,
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
