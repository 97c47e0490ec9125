//! The URLs that crawlers lose or gain from the robots.txt that was recorded.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use robots::{Crawler, DifferenceResult, DifferentPath, Rules};

use super::file::{Claim, Expectation, Expectations};
use crate::crawler::{How, named_in};
use crate::fault::Fault;
use crate::file_groups::FileGroups;
use crate::screen::{self, lossy, safe};
use crate::signals::{self, Signal};
use crate::subject::Subject;
use crate::verdict::{deciding_line, is_same, line_number};

/// How long the crawlers of a robots.txt are compared; those that are left are not decided.
const MOST_TIME: Duration = Duration::from_secs(5);

/// The most URLs that are shown of those that crawlers lose, or gain.
const MOST_SHOWN: usize = 3;

/// The most crawlers that a file names newly and that are compared; the others are not decided. A hostile file has ten thousands.
pub(super) const MOST_NAMED: usize = 200;

/// The most lines that accept changes. A hostile file needs ten thousands.
pub(super) const MOST_LINES: usize = 20;

/// What has changed for crawlers, and the line that decides the first URL; 0: none.
pub(super) struct Change {
    pub(super) text: String,
    /// The text without the crawlers, if it is the same for all of them.
    pub(super) common: Option<String>,
    pub(super) line: u32,
    /// The paths that accept the change, for each crawler; `None`: it is not proved that they accept all of it.
    pub(super) accepts: Option<Vec<(String, Vec<String>)>>,
}

/// The robots.txt that was recorded, and the one to test.
pub(super) struct Changes<'s> {
    how: &'s How,
    expected: &'s Expectations,
    subject: &'s Subject,
    start: Instant,
    /// The groups of both files.
    files: [FileGroups; 2],
    /// The lines of the expectations that accept nothing.
    needless: RefCell<Vec<usize>>,
}

/// The paths on which two files differ for a crawler; `None` if that is not decided.
type Found = Option<Vec<DifferentPath>>;

impl<'s> Changes<'s> {
    pub(super) fn new(
        how: &'s How,
        expected: &'s Expectations,
        subject: &'s Subject,
    ) -> Result<Self, Fault> {
        let [old, new] =
            bodies(expected, subject).map(|body| FileGroups::of(how, how.dialect(), body));
        Ok(Changes {
            how,
            expected,
            subject,
            start: Instant::now(),
            files: [old?, new?],
            needless: RefCell::default(),
        })
    }

    /// Returns what has changed for the crawlers of an expectation; `None`: it is proved that nothing has.
    pub(super) fn of(&self, expected: &Expectation) -> Result<Option<Change>, Fault> {
        if self.is_the_same() {
            return Ok(None);
        }
        let mut kinds: Vec<(Vec<String>, Found)> = Vec::new();
        let mut newly_named = match expected.is_of_everyone() {
            true => self.newly_named()?,
            false => Vec::new(),
        };
        let too_many = newly_named.split_off(newly_named.len().min(MOST_NAMED));
        if !too_many.is_empty() {
            kinds.push((too_many, None));
        }
        let names = newly_named.iter().map(String::as_str);
        let mut signals: Vec<(Vec<String>, Vec<Signal>)> = Vec::new();
        for name in expected.names.iter().map(String::as_str).chain(names) {
            let own = signals::changes(&named_in(self.how, name)?, self.files.each_ref())?;
            match signals.iter_mut().find(|(_, known)| *known == own) {
                Some((names, _)) => names.push(name.to_owned()),
                None => signals.push((vec![name.to_owned()], own)),
            }
            let found = self.between(name, self.accepted(name, None))?;
            match kinds.iter_mut().find(|(_, known)| is_alike(known, &found)) {
                Some((names, _)) => names.push(name.to_owned()),
                None => kinds.push((vec![name.to_owned()], found)),
            }
        }
        signals.retain(|(_, own)| !own.is_empty());
        kinds.retain(|(_, found)| found.as_ref().is_none_or(|paths| !paths.is_empty()));
        let paths = kinds.iter().filter_map(|(_, found)| found.as_ref());
        let mut lines = paths.flatten().map(|path| line_number(path.verdicts()[1]));
        let line = lines.find(|line| *line > 0);
        let line = line.or_else(|| {
            signals
                .iter()
                .flat_map(|(_, own)| own)
                .map(|of| of.line)
                .next()
        });
        let texts = kinds.iter().map(|(names, found)| text(names, found));
        let of_signals = signals
            .iter()
            .map(|(names, own)| text_of_signals(names, own));
        let text = texts.chain(of_signals).collect::<Vec<String>>().join("; ");
        // A crawler that is named anew is shown.
        let common = match (&*kinds, &*signals) {
            _ if !newly_named.is_empty() => None,
            ([(_, found)], []) => Some(self::text(&[], found)),
            ([], [(_, own)]) => Some(text_of_signals(&[], own)),
            ([(names, found)], [(others, own)]) if names == others => {
                Some(self::text(&[], found) + &text_of_signals(&[], own))
            }
            _ => None,
        };
        let each = kinds.iter().flat_map(|(names, found)| {
            let paths =
                move |name: &String| Some((name.clone(), self.paths(name, found.as_ref()?)?));
            names.iter().map(paths)
        });
        let change = Change {
            text,
            common,
            line: line.unwrap_or_default(),
            accepts: each.collect::<Option<_>>().filter(|_| signals.is_empty()),
        };
        Ok((!kinds.is_empty() || !signals.is_empty()).then_some(change))
    }

    /// Returns the paths of the rules that decide: of the old and the new one the longer. It is proved that they accept each change.
    fn paths(&self, name: &str, found: &[DifferentPath]) -> Option<Vec<String>> {
        let found = Some(found).filter(|found| found.len() <= MOST_LINES)?;
        let rules = self.rules(&named_in(self.how, name).ok()?);
        let rules = rules.map(|rules| rules.effective_rules().ok());
        let mut paths: Vec<String> = Vec::new();
        for path in found {
            let sides = rules.iter().flatten().zip(path.verdicts());
            let deciding = sides.filter_map(|(rules, verdict)| {
                let line = deciding_line(verdict)?;
                let rule = rules.iter().find(|rule| rule.line() == line)?;
                Some(lossy(rule.pattern()))
            });
            let path = deciding.max_by_key(String::len)?;
            // A line of expectations can show it.
            let path =
                Some(path).filter(|path| !path.contains(' ') && *path == safe(path.as_bytes()))?;
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        let lines = paths.iter().map(|path| format!("Disallow: {path}\n"));
        let accepted = self.accepted(name, None) + &lines.collect::<String>();
        let left = self.between(name, accepted).ok()??;
        left.is_empty().then_some(paths)
    }

    /// Returns whether the robots.txt is the one that was recorded, so that there is nothing to compare.
    fn is_the_same(&self) -> bool {
        let recorded = self.expected.recorded.as_deref().unwrap_or_default();
        let ended = |body| <[u8]>::strip_suffix(body, b"\n").unwrap_or(body).to_vec();
        self.subject.has_file() && ended(recorded) == ended(&self.subject.body)
    }

    /// Returns the crawlers that were part of everyone else, and that the file names now.
    fn newly_named(&self) -> Result<Vec<String>, Fault> {
        let [_, outline] = &self.files;
        let names = outline.agents.iter().map(|agent| lossy(&agent.name));
        let is_new = |name: &String| {
            let mut all = self.expected.all.iter();
            let is_said =
                |one: &Expectation| matches!(one.claim, Claim::Unchanged) && one.is_about(name);
            !all.any(is_said) && named_in(self.how, name).is_ok()
        };
        Ok(names.filter(is_new).collect())
    }

    /// Returns whether the path of an expectation accepts no change that the others do not, without those that are needless, too.
    pub(super) fn is_needless(&self, expected: &Expectation) -> Result<bool, Fault> {
        let unchanged = self.expected.all.iter();
        let unchanged = unchanged.filter(|one| matches!(one.claim, Claim::Unchanged));
        for name in unchanged.flat_map(|one| &one.names) {
            let is_needed = |found: Found| found.is_none_or(|paths| !paths.is_empty());
            if expected.is_about(name)
                && is_needed(self.between(name, self.accepted(name, Some(expected)))?)
            {
                return Ok(false);
            }
        }
        self.needless.borrow_mut().push(expected.number);
        Ok(true)
    }

    /// Returns the robots.txt whose disallow rules match what is accepted to change for a crawler, `without` an expectation.
    fn accepted(&self, name: &str, without: Option<&Expectation>) -> String {
        let mut body = "User-agent: *\n".to_owned();
        for one in &self.expected.all {
            if let Claim::Changed(path) = &one.claim {
                let is_it = |other: &Expectation| {
                    other.number == one.number || self.needless.borrow().contains(&one.number)
                };
                let is_left_out = without.is_some_and(is_it);
                if !is_left_out && one.is_about(name) {
                    let _ = writeln!(body, "Disallow: {path}");
                }
            }
        }
        body
    }

    fn between(&self, name: &str, accepted: String) -> Result<Found, Fault> {
        if self.start.elapsed() > MOST_TIME {
            return Ok(None);
        }
        let crawler = named_in(self.how, name)?;
        let [old, new] = self.rules(&crawler);
        let accepted = crawler.with_ignore_star(false).parse(accepted);
        let found = old.difference_outside(&new, &accepted);
        let found = found.map_err(|error| Fault::new(error.to_string()))?;
        let is_decided = found.result() != DifferenceResult::NotDecided;
        Ok(is_decided.then(|| found.paths().cloned().collect()))
    }

    /// Returns the rules that were recorded, and those to test.
    fn rules(&self, crawler: &Crawler) -> [Rules; 2] {
        bodies(self.expected, self.subject).map(|body| crawler.parse(body))
    }
}

/// Returns the robots.txt that was recorded, and the one to test.
fn bodies<'s>(expected: &'s Expectations, subject: &'s Subject) -> [&'s [u8]; 2] {
    let old = expected.recorded.as_deref().unwrap_or_default();
    // A site without a robots.txt allows everything.
    let new: &[u8] = match subject.has_file() {
        true => &subject.body,
        false => b"",
    };
    [old, new]
}

/// Returns the lines about use that crawlers lose and gain, as a part of a sentence.
fn text_of_signals(names: &[String], signals: &[Signal]) -> String {
    let list = signals.iter().take(MOST_SHOWN).map(|signal| {
        let place = match signal.is_new {
            true => format!("is new (line {})", signal.line),
            false => "is gone".to_owned(),
        };
        format!("`{}` {place}", signal.text)
    });
    let list = list.collect::<Vec<String>>().join(", ");
    let more = match signals.len().saturating_sub(MOST_SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("for {}: {list}{more}", screen::names(names, names.len()))
}

/// Returns whether two crawlers have the same changes.
fn is_alike(a: &Found, b: &Found) -> bool {
    let is_equal = |a: &DifferentPath, b: &DifferentPath| {
        a.path() == b.path() && is_same(a.verdicts()[1], b.verdicts()[1])
    };
    match (a, b) {
        (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_equal(a, b)),
        _ => a.is_none() && b.is_none(),
    }
}

/// Returns what crawlers lose and gain, as a part of a sentence.
fn text(names: &[String], found: &Found) -> String {
    let names = screen::names(names, names.len());
    let Some(paths) = found else {
        return format!("not decided for {names}: too hard, or too many, to compare");
    };
    let list = |is_lost: bool| {
        let is_it = |path: &&DifferentPath| path.verdicts()[1].allowed() != is_lost;
        let all: Vec<&DifferentPath> = paths.iter().filter(is_it).collect();
        let shown = all.iter().take(MOST_SHOWN).map(|path| {
            let line = match deciding_line(path.verdicts()[1]) {
                None => "no rule matches".to_owned(),
                Some(line) => format!("line {line}"),
            };
            format!("{} ({line})", safe(path.path().as_bytes()))
        });
        let shown: Vec<String> = shown.collect();
        match all.len().saturating_sub(MOST_SHOWN) {
            0 => shown.join(", "),
            more => format!("{} and {more} more", shown.join(", ")),
        }
    };
    match (list(true), list(false)) {
        (lost, gained) if gained.is_empty() => format!("{names} may no longer fetch {lost}"),
        (lost, gained) if lost.is_empty() => format!("{names} may now fetch {gained}"),
        (lost, gained) => format!("{names} may no longer fetch {lost}, and may now fetch {gained}"),
    }
}
