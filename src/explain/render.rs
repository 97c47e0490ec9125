//! An explanation on a terminal: keys to the right, what they say to the left, the strongest first.

use core::fmt::{self, Display, Formatter};

use super::{Explanation, Fate, Matched, Other, Quote, agree, asks_rules};
use crate::dialect::Dialect;
use crate::verdict::{Reason, Verdict};

/// So many lines of a kind are shown; of the others is said how many there are.
const MOST_LINES: usize = 20;
/// So many characters of a line of the file are shown.
const MOST_CHARACTERS: usize = 60;
/// So many of a URL, of which the end tells more.
const MOST_OF_URL: usize = 400;

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        row(f, word(self.verdict), shown(&self.url, MOST_OF_URL))?;
        row(f, "path", shown(&self.path, MOST_OF_URL))?;
        row(f, "dialect", reading(self.dialect()))?;
        self.write_agents(f)?;
        if asks_rules(self.verdict) {
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
            let mut names = String::new();
            for (number, token) in self.crawler.tokens().enumerate() {
                names.push_str(if number > 0 { " or " } else { "" });
                names.push_str(&shown(token, MOST_CHARACTERS));
            }
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
        for (number, quote) in self.agents.iter().take(MOST_LINES).enumerate() {
            row(f, if number == 0 { "group" } else { "" }, Line(quote))?;
        }
        more(f, self.agents.len(), "that name it, too")
    }

    fn write_rules(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.matched.is_empty() {
            return match self.rule_count {
                0 => row(f, "rules", "there are none"),
                1 => row(f, "rules", "the only one does not match"),
                count => row(f, "rules", format_args!("none of the {count} matches")),
            };
        }
        let texts = self.matched.iter().take(MOST_LINES);
        let texts: Vec<String> = texts.map(|rule| Line(&rule.quote).to_string()).collect();
        let width = texts.iter().map(|text| text.chars().count()).max();
        let width = width.unwrap_or_default();
        for (number, (rule, text)) in self.matched.iter().zip(&texts).enumerate() {
            let key = if number == 0 { "rules" } else { "" };
            let why = self.why(rule);
            row(f, key, format_args!("{text:width$}  {why}"))?;
        }
        more(f, self.matched.len(), "that match and lose")
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
            return row(f, key, "otherwise: not a URL");
        }
        let word = word(other.verdict);
        if agree(self.verdict, other.verdict) {
            let by = match other.verdict.line() {
                0 => because(other.verdict).to_owned(),
                line => format!("by line {line}"),
            };
            return row(f, key, format_args!("{word}, too: {by}"));
        }
        match &other.quote {
            Some(quote) => row(f, key, format_args!("OTHERWISE {word}: {}", Line(quote))),
            None => row(
                f,
                key,
                format_args!("OTHERWISE {word}: {}", because(other.verdict)),
            ),
        }
    }
}

fn row(f: &mut Formatter<'_>, key: &str, text: impl Display) -> fmt::Result {
    writeln!(f, "{key:>10}  {text}")
}

/// How many of `count` lines were not shown.
fn more(f: &mut Formatter<'_>, count: usize, what: &str) -> fmt::Result {
    match count.saturating_sub(MOST_LINES) {
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

struct Line<'a>(&'a Quote);

impl Display for Line<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = shown(self.0.text(), MOST_CHARACTERS);
        write!(f, "line {}: {text}", self.0.line())
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
