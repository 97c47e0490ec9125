//! The robots.txt files of the sites over time, and the verdict for a request by those that were current.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use robots::{Capture, Crawler, LineKind, Reason, Rules};

use super::entry::{Entry, normal_host};
use crate::escapes::safe;

/// A robots.txt that was current from a time on.
pub(super) struct Version {
    /// The name of its file.
    pub(super) name: String,
    /// The host; `None`: of every host of the logs, or of --site.
    pub(super) host: Option<String>,
    /// Milliseconds since 1970; `None`: from the beginning.
    pub(super) from: Option<i64>,
    pub(super) capture: Capture<'static>,
}

/// What the rules of a version are for one crawler.
#[derive(Clone)]
struct Compiled {
    rules: Rules,
    /// Milliseconds.
    delay: Option<u32>,
    /// Why there is no verdict.
    fault: Option<Unjudged>,
}

/// Why a request of a crawler is not judged: [`UNJUDGED`] has the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unjudged {
    Host,
    Time,
    Grace,
    Url,
    Outage,
    Redirect,
    Ignores,
    Others,
}

pub(super) const UNJUDGED: [&str; Unjudged::Others as usize + 1] = [
    "of a host whose robots.txt is not known",
    "before the first robots.txt that is known",
    "within the grace after the first robots.txt that is known",
    "without a URL, such as OPTIONS *",
    "while the robots.txt was unreachable",
    "while the robots.txt was a redirect, which is not followed",
    "of crawlers whose operators say that they ignore the robots.txt",
    "of crawlers past the first 1,000 that are not well known",
];

/// The verdict for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    Unjudged(Unjudged),
    /// A request for a robots.txt that is not known here: every crawler must read it, and nothing was judged.
    RobotsTxt,
    Allowed,
    /// By this version and its line; 0: a rule for the whole site.
    Forbidden(u32, u32),
}

/// The files, and their rules for each crawler.
pub(super) struct Versions {
    all: Vec<Version>,
    /// Indexes into `all`, by time: of each host, and of every host.
    of_hosts: HashMap<String, Vec<usize>>,
    of_every: Vec<usize>,
    /// The host of --site.
    site: Option<String>,
    /// Milliseconds for which a crawler may use a copy.
    grace: i64,
    compiled: AllCompiled,
}

/// The rules of all versions for the crawlers so far.
struct AllCompiled {
    /// By version, then by crawler.
    rows: Vec<Vec<Option<Compiled>>>,
    /// The rules of each version that most crawlers share.
    shared: Vec<Option<Compiled>>,
}

impl Versions {
    /// Sorts the files by host and time.
    ///
    /// # Errors
    /// Two files of one host from one time on.
    pub(super) fn new(
        all: Vec<Version>,
        site: Option<String>,
        grace: i64,
    ) -> Result<Versions, String> {
        let mut versions = Versions {
            of_hosts: HashMap::new(),
            of_every: Vec::new(),
            compiled: AllCompiled {
                rows: vec![Vec::new(); all.len()],
                shared: vec![None; all.len()],
            },
            site,
            grace,
            all,
        };
        for (index, version) in versions.all.iter().enumerate() {
            match version.host.clone() {
                Some(host) => versions.of_hosts.entry(host).or_default().push(index),
                None => versions.of_every.push(index),
            }
        }
        let all = &versions.all;
        let from = |index: &usize| all.get(*index).and_then(|version| version.from);
        for list in versions
            .of_hosts
            .values_mut()
            .chain([&mut versions.of_every])
        {
            list.sort_by_key(from);
            let same = list.windows(2).find_map(|pair| match pair {
                [one, other] if from(one) == from(other) => all.get(*one).zip(all.get(*other)),
                _ => None,
            });
            if let Some((one, other)) = same {
                return Err(format!(
                    "--robots: {} and {} are of one site and one time: give each the date from which on it was served, FILE@DATE",
                    safe(one.name.as_bytes()),
                    safe(other.name.as_bytes())
                ));
            }
        }
        Ok(versions)
    }

    /// Returns the names of all groups, in lower case.
    pub(super) fn named(&self) -> HashSet<String> {
        let reader = Crawler::without_token();
        let mut names = HashSet::new();
        for version in &self.all {
            let body = version.capture.body.as_deref().unwrap_or_default();
            let Ok(outline) = robots::outline(&reader, body) else {
                continue;
            };
            for line in outline
                .lines()
                .filter(|line| line.kind == LineKind::UserAgent)
            {
                let value = outline.body().get(line.value.clone()).unwrap_or_default();
                let name = reader
                    .agent_name(value)
                    .and_then(|name| std::str::from_utf8(name).ok());
                names.extend(name.map(str::to_ascii_lowercase));
            }
        }
        names.remove("*");
        names
    }

    pub(super) fn get(&self, version: u32) -> Option<&Version> {
        self.all.get(version as usize)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Version> {
        self.all.iter()
    }

    /// Whether files without a host judge the lines of every host.
    pub(super) fn judge_every_host(&self) -> bool {
        self.site.is_none() && !self.of_every.is_empty()
    }

    /// Judges a request of a crawler, and returns its crawl-delay in milliseconds. `index`: the crawler's.
    pub(super) fn judge(
        &mut self,
        index: usize,
        crawler: &Crawler,
        entry: &Entry<'_>,
    ) -> (Judgement, Option<u32>) {
        let unjudged = |why| match entry.path() {
            Some(b"/robots.txt") => (Judgement::RobotsTxt, None),
            _ => (Judgement::Unjudged(why), None),
        };
        let host = entry.normal_host();
        let list = match host.as_deref().map(std::str::from_utf8) {
            Some(Err(_)) => None,
            Some(Ok(host)) => self.of_hosts.get(host).or_else(|| {
                let is_its = self.site.as_deref().is_none_or(|site| site == host);
                is_its.then_some(&self.of_every)
            }),
            None if self.of_every.is_empty() && self.of_hosts.len() == 1 => {
                self.of_hosts.values().next()
            }
            None => Some(&self.of_every),
        };
        let Some(list) = list.filter(|list| !list.is_empty()) else {
            return unjudged(Unjudged::Host);
        };
        let Some(path) = entry.path() else {
            return unjudged(Unjudged::Url);
        };
        let time = entry.time.ms;
        let from = |index: &usize| self.all.get(*index).and_then(|version| version.from);
        // The versions that were current at a time or before are those before this index; the last of them is the newest.
        let end_at =
            |time: i64| list.partition_point(|index| from(index).is_none_or(|from| from <= time));
        let (start, end) = (end_at(time - self.grace), end_at(time));
        if end == 0 {
            return unjudged(Unjudged::Time);
        }
        let (mut delay, mut result) = (None, None);
        for version in list
            .get(start.saturating_sub(1)..end)
            .into_iter()
            .flatten()
            .rev()
        {
            let Some(compiled) = self.compiled.get(&self.all, *version, index, crawler) else {
                return unjudged(Unjudged::Outage);
            };
            delay = match (result, delay, compiled.delay) {
                (None, _, own) => own,
                (_, Some(one), Some(other)) => Some(std::cmp::min::<u32>(one, other)),
                _ => None,
            };
            let judgement = match compiled.fault {
                // Also where Google's rules forbid it.
                _ if path == b"/robots.txt" => Judgement::Allowed,
                Some(why) => Judgement::Unjudged(why),
                None => {
                    let verdict = compiled.rules.check(as_path(path));
                    match verdict.error() {
                        Some(_) => Judgement::Unjudged(Unjudged::Url),
                        None if verdict.allowed() => Judgement::Allowed,
                        None => Judgement::Forbidden(*version as u32, verdict.line()),
                    }
                }
            };
            result = Some(match (result, judgement) {
                (_, Judgement::Allowed) | (Some(Judgement::Allowed), _) => Judgement::Allowed,
                (None, judgement) => judgement,
                (Some(Judgement::Forbidden(..)), Judgement::Unjudged(_)) => judgement,
                (Some(earlier), _) => earlier,
            });
        }
        let result = match result {
            Some(Judgement::Forbidden(..)) if start == 0 => Judgement::Unjudged(Unjudged::Grace),
            Some(result) => result,
            None => Judgement::Unjudged(Unjudged::Time),
        };
        (result, delay)
    }

    /// Returns the text of a line of a version.
    pub(super) fn line(&self, version: u32, number: u32) -> Cow<'_, [u8]> {
        let body = self
            .get(version)
            .and_then(|version| version.capture.body.as_deref());
        let mut rest = body.unwrap_or_default();
        for _ in 1..number {
            let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            let is_crlf = rest.get(end..end + 2) == Some(b"\r\n");
            rest = rest
                .get(end + 1 + usize::from(is_crlf)..)
                .unwrap_or_default();
        }
        let end = memchr::memchr2(b'\n', b'\r', rest)
            .unwrap_or(rest.len())
            .min(500);
        match number {
            0 => Cow::Borrowed(b"(whole site)"),
            _ => Cow::Borrowed(rest.get(..end).unwrap_or_default().trim_ascii()),
        }
    }
}

impl AllCompiled {
    /// Returns the rules of a version for a crawler. Crawlers that no group names share the bytes.
    fn get(
        &mut self,
        all: &[Version],
        version: usize,
        index: usize,
        crawler: &Crawler,
    ) -> Option<&Compiled> {
        let row = self.rows.get_mut(version)?;
        if row.len() <= index {
            row.resize(index + 1, None);
        }
        let place = row.get_mut(index)?;
        if place.is_none() {
            let mut own = Compiled::of(&all.get(version)?.capture, crawler)?;
            let shared = self.shared.get_mut(version)?;
            if shared.is_none() {
                let nobody = Crawler::without_token();
                *shared = Compiled::of(&all.get(version)?.capture, &nobody);
            }
            let is_same = |it: &&Compiled| it.rules.image() == own.rules.image();
            if let Some(shared) = shared.as_ref().filter(is_same) {
                own = shared.clone();
            }
            *place = Some(own);
        }
        place.as_ref()
    }
}

impl Compiled {
    fn of(capture: &Capture<'_>, crawler: &Crawler) -> Option<Compiled> {
        let meaning = capture.meaning(crawler).ok()?;
        let verdict = meaning.rules.check("/");
        let is_outage = matches!(verdict.reason(), Reason::Unreachable | Reason::Defer);
        let fault = match meaning.target {
            Some(_) => Some(Unjudged::Redirect),
            None => is_outage.then_some(Unjudged::Outage),
        };
        let delay = meaning.rules.crawl_delay();
        Some(Compiled {
            delay: delay.map(|delay| (delay * 1000.0) as u32),
            rules: meaning.rules,
            fault,
        })
    }
}

/// Returns the path of a URL without a path, such as `https://example.com?q`.
fn as_path(path: &[u8]) -> Cow<'_, [u8]> {
    match path.first() {
        Some(b'/') => Cow::Borrowed(path),
        _ => Cow::Owned([b"/", path].concat()),
    }
}

/// Returns the host of a site that is given as a URL or a host.
pub(super) fn host_of_site(site: &str) -> String {
    let rest = site.split_once("://").map_or(site, |(_, rest)| rest);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let host = rest.get(..end).unwrap_or_default();
    String::from_utf8_lossy(&normal_host(host.as_bytes())).into_owned()
}
