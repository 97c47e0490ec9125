//! The file with expectations: one on each line, and the robots.txt that was recorded.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

use robots::{Code, Preset, Purpose, Severity, near_word};

use crate::crawler::{How, named_in};
use crate::crawler_names::{self, EVERYONE};
use crate::fault::{Fault, complain};
use crate::file_groups::FileGroups;
use crate::input;
use crate::screen::{lossy, safe};
use crate::subject::names_agent;
use crate::urls::as_sent;

/// What a line of the file expects.
pub(super) enum Claim {
    Verdict {
        allows: bool,
        url: String,
    },
    /// Each URL has the verdict of the robots.txt that was recorded.
    Unchanged,
    /// The URLs that a path matches may have another verdict: that is meant.
    Changed(String),
    Sitemap(String),
    /// Lint reports nothing of this severity or above.
    NoFaults(Severity),
    /// Lint reports no error or warning that it does not report of the robots.txt that was recorded.
    NoNewFaults,
}

/// An expectation.
pub(super) struct Expectation {
    /// Its line, from 1.
    pub(super) number: usize,
    /// Its line as it is, with single spaces.
    pub(super) text: String,
    /// Crawlers, purposes or `*`, with commas between them. Empty: each crawler.
    pub(super) who: String,
    /// The names of these crawlers: what `-a` takes.
    pub(super) names: Vec<String>,
    pub(super) claim: Claim,
}

impl Expectation {
    /// Whether it speaks of everyone whom the file does not name.
    pub(super) fn is_of_everyone(&self) -> bool {
        self.names.iter().any(|name| name == EVERYONE)
    }

    /// Whether it speaks of a crawler.
    pub(super) fn is_about(&self, name: &str) -> bool {
        let is_it = |of: &String| of.eq_ignore_ascii_case(name);
        self.names.is_empty() || self.names.iter().any(is_it)
    }
}

/// Returns the names in a list: the tokens of a well-known crawler are that crawler, and the word for a purpose is its crawlers.
fn names_of(list: &str) -> Vec<String> {
    let words: Vec<&str> = list.split(',').map(str::trim).collect();
    let own = Preset::all().find(|preset| {
        let tokens = preset.tokens();
        tokens.len() == words.len()
            && (tokens.iter().zip(&words)).all(|(token, word)| token.eq_ignore_ascii_case(word))
    });
    let mut names: Vec<String> = Vec::new();
    let words = match &own {
        Some(preset) => vec![preset.name()],
        None => words,
    };
    for word in words {
        let is_it = |purpose: &Purpose| purpose.word().eq_ignore_ascii_case(word);
        match Purpose::ALL.into_iter().find(is_it) {
            Some(purpose) => names.extend(of_purpose(purpose).map(|it| it.name().to_owned())),
            None => names.push(word.to_owned()),
        }
    }
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.to_ascii_lowercase()));
    names
}

/// Returns the well-known crawlers of a purpose that obey a robots.txt.
pub(super) fn of_purpose(purpose: Purpose) -> impl Iterator<Item = Preset> {
    let is_of = move |preset: &Preset| preset.purpose() == purpose && !preset.ignores_robots_txt();
    Preset::all().filter(is_of)
}

/// A file with expectations.
pub(super) struct Expectations {
    pub(super) all: Vec<Expectation>,
    /// The robots.txt that was recorded.
    pub(super) recorded: Option<Vec<u8>>,
}

impl Expectations {
    /// Returns the names that no well-known crawler has, each once, with the line of the first.
    pub(super) fn unknown(&self) -> Vec<(usize, &str)> {
        let is_known = |name: &str| {
            let mut tokens = Preset::all().flat_map(|preset| preset.tokens());
            name == EVERYONE || tokens.any(|token| token.eq_ignore_ascii_case(name))
        };
        let (mut seen, mut unknown) = (HashSet::new(), Vec::new());
        for one in &self.all {
            for name in &one.names {
                if !is_known(name) && seen.insert(name.to_ascii_lowercase()) {
                    unknown.push((one.number, &**name));
                }
            }
        }
        unknown
    }
}

/// The most bytes of a file with expectations.
const MOST_BYTES: usize = 16 << 20;

/// What a line of the robots.txt that was recorded begins with.
const MARK: u8 = b'|';

/// The lines with faults: an owner corrects all of them at once.
pub(super) type Faults = Vec<(usize, Fault)>;

/// Reads a file with expectations.
pub(super) fn read(path: &Path) -> Result<(Expectations, Faults), Fault> {
    let bytes = input::read(path, MOST_BYTES)?;
    // Some editors write a byte order mark.
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    if bytes.split(|byte| *byte == b'\n').any(names_agent) {
        return Err(Fault::new(format!(
            "{} is a robots.txt, not a file with expectations: write `robots test EXPECTATIONS ROBOTS_TXT`, the expectations first",
            input::shown(path)
        )));
    }
    let mut file = Expectations {
        all: Vec::new(),
        recorded: None,
    };
    let mut faults = Vec::new();
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        if let Some(line) = line.strip_prefix(&[MARK]) {
            let body = file.recorded.get_or_insert_default();
            body.extend_from_slice(line.strip_prefix(b" ").unwrap_or(line));
            body.push(b'\n');
            continue;
        }
        match expectation(number, line) {
            Ok(one) => file.all.extend(one),
            Err(fault) => faults.push((number, fault)),
        }
    }
    let needs_record = |one: &&Expectation| {
        matches!(
            one.claim,
            Claim::Unchanged | Claim::Changed(_) | Claim::NoNewFaults
        )
    };
    let unmet = file.all.iter().find(needs_record);
    match (file.all.is_empty() && faults.is_empty(), unmet) {
        (true, _) => Err(Fault::new(format!(
            "{} expects nothing: write a line such as `Googlebot allow /shop/`",
            input::shown(path)
        ))),
        (false, Some(one)) if file.recorded.is_none() => {
            faults.push((one.number, Fault::new(format!(
                "{}: the file holds no robots.txt to compare with: `robots test --record` writes one",
                safe(one.text.as_bytes())
            ))));
            Ok((file, faults))
        }
        _ => Ok((file, faults)),
    }
}

/// Reads a line; `None`: it is blank, or a comment.
fn expectation(number: usize, line: &[u8]) -> Result<Option<Expectation>, Fault> {
    let line = std::str::from_utf8(line).map_err(|_| Fault::new("it is not UTF-8"))?;
    // In a URL a `#` follows no space.
    let line = match line.trim_start().starts_with('#') {
        true => "",
        false => line.split(" #").next().unwrap_or_default(),
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.is_empty() {
        return Ok(None);
    }
    let text = words.join(" ");
    let (who, claim) = claim(&words).map_err(|advice| {
        let right = corrected(&words).map(|right| format!("write `{right}`"));
        let line = format!("{text}: {}", right.unwrap_or(advice));
        Fault::new(safe(line.as_bytes()))
    })?;
    let names = match who {
        "" => Vec::new(),
        who => names_of(who),
    };
    // A word that is near to that for a purpose may be the name of a group.
    let is_name = |name: &&String| Purpose::meant_by(name, true).next().is_none();
    let advice = names.iter().filter(is_name);
    let advice = advice.filter_map(|name| crawler_names::fault_of(name));
    let advice: Vec<String> = advice.collect();
    if !advice.is_empty() {
        return Err(Fault::new(advice.join("; ")));
    }
    Ok(Some(Expectation {
        number,
        text,
        who: who.to_owned(),
        names,
        claim,
    }))
}

/// The words of expectations, besides names, paths and URLs.
const WORDS: &str = "allow changed deny error errors new no sitemap unchanged warning warnings";

/// Returns the nearest line that is an expectation.
fn corrected(words: &[&str]) -> Option<String> {
    let right = |word: &&str| {
        let word = word.trim_end_matches(':');
        match &*word.to_ascii_lowercase() {
            "allowed" => "allow".to_owned(),
            "disallow" | "disallowed" | "denied" | "block" => "deny".to_owned(),
            _ => {
                let near = near_word(word.as_bytes(), &mut WORDS.split(' '));
                near.unwrap_or(word).to_owned()
            }
        }
    };
    let near: Vec<String> = words.iter().map(right).collect();
    let near: Vec<&str> = near.iter().map(String::as_str).collect();
    claim(&near).ok().map(|_| near.join(" "))
}

/// Returns the crawlers and the claim of a line, or what to write in its place.
fn claim<'w>(words: &[&'w str]) -> Result<(&'w str, Claim), String> {
    Ok(match words {
        // A group may have any name.
        [who, "unchanged"] => (*who, Claim::Unchanged),
        ["no", "error" | "errors"] => ("", Claim::NoFaults(Severity::Error)),
        ["no", "warning" | "warnings"] => ("", Claim::NoFaults(Severity::Warning)),
        ["no", "new", "warning" | "warnings"] => ("", Claim::NoNewFaults),
        ["sitemap", url] => ("", Claim::Sitemap((*url).to_owned())),
        ["changed", path] if matches_all(path) => {
            return Err(
                "this accepts each change of each crawler: record the file again instead"
                    .to_owned(),
            );
        }
        ["changed", path] => ("", Claim::Changed(accepted(path)?)),
        [who, ..] if who.ends_with(':') || ["changed", "no", "sitemap"].contains(who) => {
            return Err(FORMS.to_owned());
        }
        [who, verdict @ ("allow" | "deny"), url, _, ..] => {
            let rest = words.get(2..).unwrap_or_default().join("%20");
            return Err(format!(
                "a URL has no space: write `{who} {verdict} {url}`, or {rest}"
            ));
        }
        [who, "changed", path] if matches_all(path) && who.split(',').any(is_purpose) => {
            return Err(format!(
                "this accepts that each crawler of {who} loses all pages: name the crawlers that may, or record the file again"
            ));
        }
        [who, "changed", path] => (*who, Claim::Changed(accepted(path)?)),
        [who, verdict @ ("allow" | "deny"), url] => (
            *who,
            Claim::Verdict {
                allows: *verdict == "allow",
                url: as_sent(url).into_owned(),
            },
        ),
        _ => return Err(FORMS.to_owned()),
    })
}

/// Returns whether a name is the word for a purpose, such as `search`.
fn is_purpose(word: &str) -> bool {
    let is_it = |purpose: Purpose| purpose.word().eq_ignore_ascii_case(word);
    Purpose::ALL.into_iter().any(is_it)
}

/// The lines that can be written.
const FORMS: &str = "write `CRAWLER allow URL`, `CRAWLER deny URL`, `CRAWLER unchanged`, `changed PATH`, `sitemap URL`, `no errors` or `no warnings`";

/// Returns whether a path matches every URL.
pub(super) fn matches_all(path: &str) -> bool {
    let rest = path.strip_prefix('/').unwrap_or(path);
    let has_end = rest.contains('*') && rest.ends_with('$');
    let stars = rest.strip_suffix('$').filter(|_| has_end).unwrap_or(rest);
    stars.bytes().all(|byte| byte == b'*')
}

/// Returns a path that is accepted to change.
fn accepted(path: &str) -> Result<String, String> {
    match path.starts_with(['/', '*']) {
        true => Ok(path.to_owned()),
        false => Err("a path begins with `/`, as in a robots.txt".to_owned()),
    }
}

/// Returns a fault with the place in the file with expectations.
pub(super) fn at(path: &Path, number: usize, fault: Fault) -> Fault {
    match fault {
        Fault::Said(text) => Fault::Said(format!("{}:{number}: {text}", input::shown(path))),
        other => other,
    }
}

/// The most crawlers and sitemaps of a record: a hostile file has ten thousands of both.
const MOST: usize = 200;

/// Returns expectations that a robots.txt meets, with the file itself.
pub(super) fn record(how: &How, body: &[u8]) -> Result<Vec<u8>, Fault> {
    let outline = FileGroups::of(how, how.dialect(), body)?;
    let mut text =
        "# To accept a change, add a line such as `changed /path/`, or record again.\n".to_owned();
    let mut names = Purpose::ALL.map(|of| of.word().to_owned()).to_vec();
    names.push(EVERYONE.to_owned());
    for agent in &outline.agents {
        let name = lossy(&agent.name);
        let is_it = |other: &str| other.eq_ignore_ascii_case(&name);
        let is_known = Preset::find(&name).is_some();
        // A name that no crawler can have, or one that ignores the file, has no verdict.
        if is_known || names.iter().any(|other| is_it(other)) || named_in(how, &name).is_err() {
            continue;
        }
        match crawler_names::fault_of(&name) {
            Some(advice) => complain(&format!("{advice}; the record leaves it out")),
            None if names.len() < MOST => names.push(name),
            None => {}
        }
    }
    for name in names {
        let _ = writeln!(text, "{name:24}  unchanged");
    }
    for line in outline.sitemaps().take(MOST) {
        let url = lossy(outline.value(&line));
        if !url.contains(char::is_whitespace) {
            let _ = writeln!(text, "{:24}  {url}", "sitemap");
        }
    }
    let report = robots::lint(&how.crawler(&["robots"])?, body);
    let report = report.map_err(|error| Fault::new(error.to_string()))?;
    let all = report.diagnostics().iter();
    for shut in all.filter(|found| found.code == Code::SearchKeptOut) {
        let said = format!(
            "line {} shuts search out now ({}), and `unchanged` expects that it stays so",
            shut.line, shut.message
        );
        complain(&said);
        let _ = writeln!(text, "# {said}.");
    }
    let faults = [Severity::Warning, Severity::Error].map(|severity| report.total(severity));
    text.push_str(match faults {
        [0, 0] => "no warnings\n",
        _ => "no new warnings\n",
    });
    if faults != [0, 0] {
        complain("lint reports faults of the file (`robots lint`): the record expects no new ones");
    }
    let mut text = text.into_bytes();
    for line in body
        .strip_suffix(b"\n")
        .unwrap_or(body)
        .split(|byte| *byte == b'\n')
    {
        text.push(MARK);
        text.extend_from_slice(if line.is_empty() { b"" } else { b" " });
        text.extend_from_slice(line);
        text.push(b'\n');
    }
    Ok(text)
}
