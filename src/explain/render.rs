//! An explanation on a terminal: keys to the right, what they say to the left, the strongest first.

use core::fmt::{self, Display, Formatter};

use super::{Explanation, Fate, Matched, Other, Quote, agree};
use crate::dialect::Dialect;
use crate::verdict::{Reason, Verdict};

/// So many rules are shown; of the others is said how many there are.
const MOST_RULES: usize = 20;
/// So many user-agent lines.
const MOST_AGENTS: usize = 5;
/// So many characters of a line of the file are shown.
const MOST_CHARACTERS: usize = 60;
/// So many of a URL, of which the end tells more.
const MOST_OF_URL: usize = 240;

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        row(f, word(self.verdict), shown(&self.url, MOST_OF_URL))?;
        row(f, "path", shown(&self.path, MOST_OF_URL))?;
        row(f, "dialect", reading(self.dialect()))?;
        self.write_agents(f)?;
        self.write_rules(f)?;
        self.others
            .iter()
            .try_for_each(|other| self.write_other(f, other))
    }
}

impl Explanation {
    fn write_agents(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.agents.is_empty() {
            let tokens = self.crawler.tokens();
            let tokens: Vec<String> = tokens.map(|token| shown(token, MOST_CHARACTERS)).collect();
            let names = tokens.join(", ");
            return if self.crawler.ignore_star {
                row(
                    f,
                    "group",
                    format_args!("none names {names}; those for * are ignored"),
                )
            } else {
                row(f, "group", format_args!("none names {names} or *"))
            };
        }
        let lines = Lines::of(self.agents.iter().take(MOST_AGENTS));
        for (key, text) in keys("group").zip(&lines.texts) {
            row(f, key, text)?;
        }
        more(f, self.agents.len(), MOST_AGENTS, "that name it, too")
    }

    fn write_rules(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.matched.is_empty() {
            return match (self.verdict.reason(), self.rule_count) {
                (Reason::RobotsTxt, _) => {
                    row(f, "rules", "not asked: the robots.txt is always allowed")
                }
                (Reason::NoGroup, _) => Ok(()),
                (_, 0) => row(f, "rules", "there are none"),
                (_, 1) => row(f, "rules", "the only one does not match"),
                (_, count) => row(f, "rules", format_args!("none of the {count} matches")),
            };
        }
        let lines = Lines::of(self.matched.iter().map(|rule| &rule.quote).take(MOST_RULES));
        let width = lines.width;
        for ((key, text), rule) in keys("rules").zip(&lines.texts).zip(&self.matched) {
            row(f, key, format_args!("{text:width$}  {}", self.why(rule)))?;
        }
        more(f, self.matched.len(), MOST_RULES, "that match and lose")
    }

    /// Why a rule won or lost.
    fn why(&self, rule: &Matched) -> String {
        let mut why = match (rule.fate, rule.length()) {
            (Fate::Won, _) if self.dialect().first_match_wins() => "wins: the first".to_owned(),
            (Fate::Won, 1) => "wins: 1 octet".to_owned(),
            (Fate::Won, length) => format!("wins: {length} octets"),
            (Fate::Shorter, 1) => "loses: 1 octet".to_owned(),
            (Fate::Shorter, length) => format!("loses: {length} octets"),
            (Fate::TieLostToAllow, _) => "loses: as long, but allow wins ties".to_owned(),
            (Fate::LaterEqual, _) => "as long, further down".to_owned(),
            (Fate::AfterFirstMatch, _) => "loses: further down".to_owned(),
            (Fate::Empty, _) => "has no path, decides nothing".to_owned(),
        };
        if rule.pattern() != rule.path() {
            why.push_str(", compared as ");
            why.push_str(&shown(rule.pattern(), MOST_CHARACTERS));
        }
        why
    }

    fn write_other(&self, f: &mut Formatter<'_>, other: &Other) -> fmt::Result {
        let key = name(other.dialect);
        if other.verdict.error().is_some() {
            return row(f, key, "differs: not a URL");
        }
        let word = word(other.verdict);
        let is_same = agree(self.verdict, other.verdict);
        let how = if is_same { "agrees" } else { "differs" };
        match &other.quote {
            Some(quote) if is_same => row(
                f,
                key,
                format_args!("{how}: {word} by line {}", quote.line()),
            ),
            Some(quote) => {
                let text = shown(quote.text(), MOST_CHARACTERS);
                let line = quote.line();
                row(f, key, format_args!("{how}: {word} by line {line}: {text}"))
            }
            None => row(
                f,
                key,
                format_args!("{how}: {word}, {}", because(other.verdict)),
            ),
        }
    }
}

fn row(f: &mut Formatter<'_>, key: &str, text: impl Display) -> fmt::Result {
    writeln!(f, "{key:>10}  {text}")
}

/// The key stands beside the first line only.
fn keys(first: &str) -> impl Iterator<Item = &str> {
    core::iter::once(first).chain(core::iter::repeat(""))
}

/// How many of `count` lines were not shown.
fn more(f: &mut Formatter<'_>, count: usize, most: usize, what: &str) -> fmt::Result {
    match count.saturating_sub(most) {
        0 => Ok(()),
        count => row(f, "", format_args!("and {count} more {what}")),
    }
}

fn word(verdict: Verdict) -> &'static str {
    if verdict.allowed() {
        "allowed"
    } else {
        "disallowed"
    }
}

/// Why there is no line that decided.
fn because(verdict: Verdict) -> &'static str {
    match verdict.reason() {
        Reason::RobotsTxt => "it is the robots.txt",
        Reason::NoGroup => "no group applies",
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

/// What wins in a dialect.
fn reading(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Rfc9309 => "rfc9309: the longest rule wins",
        Dialect::Google => "google: the longest rule wins",
        Dialect::Koster1996 => "koster1996: the first rule wins",
    }
}

/// Lines of the file, their numbers one below the other.
struct Lines {
    texts: Vec<String>,
    /// Characters of the longest.
    width: usize,
}

impl Lines {
    fn of<'a>(quotes: impl Iterator<Item = &'a Quote> + Clone) -> Lines {
        let last = quotes.clone().map(Quote::line).max().unwrap_or_default();
        let digits = last.to_string().len();
        let text = |quote: &Quote| {
            let text = shown(quote.text(), MOST_CHARACTERS);
            format!("line {:digits$}: {text}", quote.line())
        };
        let texts: Vec<String> = quotes.map(text).collect();
        let width = texts.iter().map(|text| text.chars().count()).max();
        Lines {
            texts,
            width: width.unwrap_or_default(),
        }
    }
}

/// Octets of a stranger as a terminal may have them: what is no visible character is escaped, and what is
/// too long is cut in the middle, since paths differ at their ends.
fn shown(octets: &[u8], most: usize) -> String {
    let third = most / 3;
    // A character is at most four octets; what is cut out need not be looked at.
    let is_long = octets.len() > 8 * most;
    let (start, end) = if is_long {
        (
            octets.get(..4 * most),
            octets.get(octets.len() - 4 * most..),
        )
    } else {
        (Some(octets), None)
    };
    let mut characters: Vec<String> = Vec::new();
    for part in [start, end].into_iter().flatten() {
        for chunk in part.utf8_chunks() {
            characters.extend(chunk.valid().chars().map(visible));
            characters.extend(
                chunk
                    .invalid()
                    .iter()
                    .map(|octet| format!("\\x{octet:02x}")),
            );
        }
    }
    let tail = third.min(characters.len());
    let tail = characters.split_off(characters.len() - tail);
    let is_cut = is_long || characters.len() + tail.len() > most;
    if is_cut {
        characters.truncate(most - third - 1);
    }
    let mut shown = characters.concat();
    if is_cut {
        shown.push('…');
    }
    shown.extend(tail);
    shown
}

/// A character, or its escape if it is none that is seen. A quote needs none: there are none around it.
fn visible(character: char) -> String {
    match character {
        '\'' | '"' => character.to_string(),
        _ => character.escape_debug().collect(),
    }
}
