//! The file with expectations: one on each line, and the robots.txt that was recorded.

use std::fmt::Write as _;
use std::path::Path;

use robots::{Preset, Purpose, Severity};

use crate::crawler::{How, named_in};
use crate::crawler_names::{self, EVERYONE, tokens_of};
use crate::fault::{Fault, complain};
use crate::file_groups::FileGroups;
use crate::input;
use crate::screen::{lossy, safe};

/// Words for the purposes of well-known crawlers.
const PURPOSES: [(&str, Purpose); 8] = [
    ("search", Purpose::Search),
    ("ai-search", Purpose::AiSearch),
    ("training", Purpose::Training),
    ("user-request", Purpose::UserRequest),
    ("ads", Purpose::Commerce),
    ("archive", Purpose::Archive),
    ("seo", Purpose::Seo),
    ("other", Purpose::Other),
];

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
    /// A crawler, its tokens with commas between them, a purpose, or `*`. Empty: each crawler.
    pub(super) who: String,
    pub(super) claim: Claim,
}

impl Expectation {
    /// Returns the names of the crawlers that it speaks of: what `-a` takes.
    pub(super) fn names(&self) -> Vec<&str> {
        let is_it = |(name, _): &&(&str, Purpose)| name.eq_ignore_ascii_case(&self.who);
        match PURPOSES.iter().find(is_it) {
            Some((_, purpose)) => of_purpose(*purpose).map(|preset| preset.name()).collect(),
            None => vec![&self.who],
        }
    }

    /// Whether it speaks of a crawler: the first of its tokens is its name.
    pub(super) fn is_about(&self, name: &str) -> bool {
        let is_it = |of: &str| first_token(of).eq_ignore_ascii_case(first_token(name));
        self.who.is_empty() || self.names().into_iter().any(is_it)
    }
}

fn first_token(name: &str) -> &str {
    tokens_of(name).first().copied().unwrap_or(EVERYONE)
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

/// The most bytes of a file with expectations.
const MOST_BYTES: usize = 16 << 20;

/// What a line of the robots.txt that was recorded begins with.
const MARK: u8 = b'|';

/// Reads a file with expectations.
pub(super) fn read(path: &Path) -> Result<Expectations, Fault> {
    let bytes = input::read(path, MOST_BYTES)?;
    // Some editors write a byte order mark.
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    let mut file = Expectations {
        all: Vec::new(),
        recorded: None,
    };
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        if let Some(line) = line.strip_prefix(&[MARK]) {
            let body = file.recorded.get_or_insert_default();
            body.extend_from_slice(line.strip_prefix(b" ").unwrap_or(line));
            body.push(b'\n');
            continue;
        }
        let of_line = |fault| at(path, number, fault);
        let line = std::str::from_utf8(line).map_err(|_| of_line(Fault::new("it is not UTF-8")))?;
        // In a URL a `#` follows no space.
        let line = match line.trim_start().starts_with('#') {
            true => "",
            false => line.split(" #").next().unwrap_or_default(),
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        let (who, claim) = claim(&words).map_err(of_line)?;
        file.all.push(Expectation {
            number,
            text: words.join(" "),
            who: who.to_owned(),
            claim,
        });
    }
    let needs_record = |one: &&Expectation| {
        matches!(
            one.claim,
            Claim::Unchanged | Claim::Changed(_) | Claim::NoNewFaults
        )
    };
    let unmet = file.all.iter().find(needs_record);
    match (file.all.is_empty(), unmet) {
        (true, _) => Err(Fault::new(format!(
            "{} expects nothing: write a line such as `Googlebot allow /shop/`",
            input::shown(path)
        ))),
        (false, Some(one)) if file.recorded.is_none() => Err(at(
            path,
            one.number,
            Fault::new(format!(
                "{}: the file holds no robots.txt to compare with: `robots test --record` writes one",
                safe(one.text.as_bytes())
            )),
        )),
        _ => Ok(file),
    }
}

fn claim<'w>(words: &[&'w str]) -> Result<(&'w str, Claim), Fault> {
    if let [who, "unchanged" | "allow" | "deny" | "changed", ..] = words {
        let is_purpose = |of: &str| PURPOSES.iter().any(|(it, _)| it.eq_ignore_ascii_case(of));
        let mut tokens = tokens_of(who).into_iter();
        if let Some(purpose) = tokens.find(|of| who != of && is_purpose(of)) {
            return Err(Fault::new(format!(
                "{}: a list has the tokens of one crawler: write a line for {purpose}, and one for each other",
                safe(who.as_bytes())
            )));
        }
        if let Some((purpose, _)) = PURPOSES.iter().find(|(purpose, _)| is_near(who, purpose)) {
            return Err(Fault::new(format!(
                "{}: write `{purpose}`, or the whole name of a crawler",
                safe(who.as_bytes())
            )));
        }
    }
    Ok(match words {
        ["no", "errors"] => ("", Claim::NoFaults(Severity::Error)),
        ["no", "warnings"] => ("", Claim::NoFaults(Severity::Warning)),
        ["no", "new", "warnings"] => ("", Claim::NoNewFaults),
        ["sitemap", url] => ("", Claim::Sitemap((*url).to_owned())),
        ["changed", path] if matches_all(path) => {
            return Err(Fault::new(format!(
                "changed {}: this accepts each change of each crawler: record the file again instead",
                safe(path.as_bytes())
            )));
        }
        ["changed", path] => ("", Claim::Changed(accepted(path)?)),
        [who @ ("changed" | "no" | "sitemap"), ..] => {
            return Err(Fault::new(format!(
                "{}: {who} is not the name of a crawler",
                safe(words.join(" ").as_bytes())
            )));
        }
        [who, "changed", path] => (*who, Claim::Changed(accepted(path)?)),
        [who, "unchanged"] => (*who, Claim::Unchanged),
        [who, verdict @ ("allow" | "deny"), url] => (
            *who,
            Claim::Verdict {
                allows: *verdict == "allow",
                url: (*url).to_owned(),
            },
        ),
        _ => {
            return Err(Fault::new(format!(
                "{}: write `TOKEN allow URL`, `TOKEN deny URL`, `TOKEN unchanged`, `changed PATH`, `sitemap URL`, `no errors` or `no warnings`",
                safe(words.join(" ").as_bytes())
            )));
        }
    })
}

/// Returns whether a word is a purpose with one letter added, left out or another, or two in each other's place. With a letter
/// at its end, except for a plural, it may be a name such as `archiver`.
fn is_near(word: &str, purpose: &str) -> bool {
    let [word, purpose] = [word, purpose].map(|text| text.to_ascii_lowercase().into_bytes());
    let starts = word.iter().zip(&purpose).take_while(|(a, b)| a == b);
    let start = starts.count();
    let rests = [&word, &purpose].map(|text| text.get(start..).unwrap_or_default());
    match rests {
        _ if purpose.len() < 4 => false,
        [[last], []] => *last == b's',
        [[_, a @ ..], [_, b @ ..]] if a == b => true,
        [[_, a @ ..], b] | [b, [_, a @ ..]] if a == b => true,
        [[a, b, rest @ ..], [c, d, others @ ..]] => (a, b, rest) == (d, c, others),
        _ => false,
    }
}

/// Returns whether a path matches every URL.
fn matches_all(path: &str) -> bool {
    let rest = path.strip_prefix('/').unwrap_or(path);
    let has_end = rest.contains('*') && rest.ends_with('$');
    let stars = rest.strip_suffix('$').filter(|_| has_end).unwrap_or(rest);
    stars.bytes().all(|byte| byte == b'*')
}

/// Returns a path that is accepted to change.
fn accepted(path: &str) -> Result<String, Fault> {
    match path.starts_with(['/', '*']) {
        true => Ok(path.to_owned()),
        false => Err(Fault::new(format!(
            "{}: a path begins with `/`, as in a robots.txt",
            safe(path.as_bytes())
        ))),
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
    let mut names = PURPOSES.map(|(name, _)| name.to_owned()).to_vec();
    names.push(EVERYONE.to_owned());
    for agent in &outline.agents {
        let name = lossy(&agent.name);
        let is_it = |other: &str| other.eq_ignore_ascii_case(&name);
        let is_known = Preset::find(&name).is_some();
        // A name that no crawler can have, or one that ignores the file, has no verdict.
        if is_known || names.iter().any(|other| is_it(other)) || named_in(how, &name).is_err() {
            continue;
        }
        match crawler_names::advice(&name) {
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
