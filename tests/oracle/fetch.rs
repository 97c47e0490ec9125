//! SPEC 2 and 3 written down as plainly as possible: from the replies to one fetch to its outcome.

use super::Dialect;
use super::dates::day_number;
use std::collections::BTreeMap;

const DAY: u64 = 86_400;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Rules,
    AllowAll,
    DisallowAll,
    Defer,
    Unreachable,
}
use Kind::*;

/// Each option, and its defaults in rfc9309, google and koster1996. A treatment is the number of its kind.
const DEFAULTS: [(&str, [u64; 3]); 17] = [
    ("MaxRedirects", [5, 5, 20]),
    ("OnForbidden", [1, 1, 2]),
    ("OnTooManyRequests", [4, 4, 3]),
    ("OnServerError", [4, 4, 3]),
    ("OnUnreachable", [4, 4, 3]),
    ("ServerErrorIsMissing", [0; 3]),
    ("DefaultTTL", [DAY, DAY, 7 * DAY]),
    ("MinTTL", [300; 3]),
    ("MaxTTL", [DAY, 30 * DAY, 30 * DAY]),
    ("FailureTTL", [600; 3]),
    ("MaxRetryAfter", [DAY; 3]),
    ("UnreachableTTL", [30 * DAY, 30 * DAY, u32::MAX as u64]),
    ("MissingKeepsCopy", [0; 3]),
    ("MissingTTL", [21_600; 3]),
    ("OnBadRedirect", [1; 3]),
    ("NonGlobalRedirects", [0; 3]),
    ("UnreachableOverridesCopy", [0; 3]),
];

#[derive(Clone, Debug)]
pub struct Options {
    pub dialect: Dialect,
    pub set: BTreeMap<&'static str, u64>,
}

impl Options {
    fn get(&self, name: &str) -> u64 {
        let (_, defaults) = DEFAULTS.iter().find(|(known, _)| *known == name).unwrap();
        let default = defaults[self.dialect as usize];
        self.set.get(name).copied().unwrap_or(default)
    }

    fn treatment(&self, name: &str) -> Kind {
        [Rules, AllowAll, DisallowAll, Defer, Unreachable][self.get(name) as usize]
    }
}

/// A date in a header.
#[derive(Clone, Copy, Debug)]
pub enum Date {
    At(u64),
    /// Year, month, day and second of the day; of the year only two digits are sent.
    ShortYear(i64, i64, i64, u64),
    Unreadable,
}

impl Date {
    /// 3.3
    fn read(self, now: u64) -> Option<u64> {
        match self {
            Date::At(time) => Some(time).filter(|time| *time > 0),
            Date::ShortYear(year, month, day, second) => (1900..2500)
                .filter(|other| other % 100 == year % 100)
                .filter_map(|year| Some(day_number(year, month, day)? * 86_400 + second as i64))
                .rfind(|time| *time <= now as i64 + 50 * 31_556_952)
                .and_then(|time| u64::try_from(time).ok()),
            Date::Unreadable => None,
        }
    }
}

/// What a header says.
#[derive(Clone, Copy, Debug)]
pub enum Header {
    /// The shortest TTL of its directives, if any states one.
    CacheControl(Option<u64>),
    Age(Option<u64>),
    Expires(Date),
    Date(Date),
    RetryAfter(u64),
    RetryAt(Date),
    ContentLength(u64),
    ETag(&'static str),
    LastModified(&'static str),
    Location(Target),
}

/// Where a `Location` leads (2.3).
#[derive(Clone, Copy, Debug)]
pub enum Target {
    Public(&'static str),
    Local(&'static str),
    Unusable,
    TooLong,
}

/// What the server does with one request, and when.
#[derive(Clone, Debug)]
pub struct Reply {
    pub at: u64,
    /// `None`: a failure, such as a timeout.
    pub status: Option<u16>,
    pub headers: Vec<Header>,
    pub body: &'static [u8],
    /// When the body breaks off, if so.
    pub broken: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub kind: Kind,
    pub cause: &'static str,
    pub status: u16,
    /// The last file, whether it decides or not.
    pub file: Option<&'static [u8]>,
    pub stale: bool,
    pub fetched_at: u64,
    pub attempted_at: u64,
    pub fresh_until: u64,
    pub usable_until: u64,
    pub retry_at: u64,
    pub unreachable_since: Option<u64>,
    pub url: String,
    pub hops: u8,
    pub downgraded: bool,
    pub etag: Option<&'static str>,
    pub last_modified: Option<&'static str>,
}

impl Outcome {
    fn made_at(&self) -> u64 {
        self.fetched_at.max(self.attempted_at)
    }
}

/// The URL of each request with the validators sent, and the outcome.
pub type Fetched = (Vec<(String, Vec<&'static str>)>, Outcome);

/// A fetch of `url` that starts at a time. The last reply is a failure.
pub fn fetch(
    options: &Options,
    url: &str,
    start: u64,
    previous: Option<&Outcome>,
    replies: &[Reply],
) -> Fetched {
    let mut requests = Vec::new();
    let mut visited: Vec<String> = Vec::new();
    let mut attempt = Attempt {
        options,
        // 2.18
        known: previous.filter(|known| known.fetched_at <= start).cloned(),
        url: url.to_owned(),
        now: start,
        status: 0,
        headers: &[],
        hops: 0,
        downgraded: false,
    };
    attempt.set_clock(start);
    for reply in replies {
        // 3.5
        let asked = attempt.copy().filter(|copy| copy.url == attempt.url);
        let validators = asked.map_or(vec![], |copy| {
            [copy.etag, copy.last_modified]
                .into_iter()
                .flatten()
                .collect()
        });
        requests.push((attempt.url.clone(), validators.clone()));
        attempt.set_clock(reply.at);
        let Some(status) = reply.status else {
            return (requests, attempt.failure("Timeout"));
        };
        (attempt.status, attempt.headers) = (status, &reply.headers);
        let treatment = |name| options.treatment(name);
        let outcome = match status {
            206 => attempt.failure("PartialContent"),
            200..=299 => attempt.body(reply),
            304 if !validators.is_empty() => {
                attempt.current("NotModified", attempt.copy().unwrap().file.unwrap())
            }
            304 => attempt.failure("OddStatus"),
            300..=399 => match attempt.redirect(&visited) {
                Ok(next) => {
                    visited.push(attempt.url.clone());
                    attempt.downgraded |=
                        attempt.url.starts_with("https:") && next.starts_with("http:");
                    (attempt.url, attempt.hops) = (next.to_owned(), attempt.hops + 1);
                    (attempt.status, attempt.headers) = (0, &[]);
                    continue;
                }
                Err(outcome) => *outcome,
            },
            401 | 403 => match treatment("OnForbidden") {
                kind @ (AllowAll | DisallowAll) => attempt.unavailable(kind, "Forbidden"),
                kind => attempt.outage(kind, "Forbidden"),
            },
            429 => match treatment("OnTooManyRequests") {
                AllowAll => attempt.unavailable(AllowAll, "TooManyRequests"),
                kind => attempt.outage(kind, "TooManyRequests"),
            },
            400..=499 => attempt.unavailable(AllowAll, "Missing"),
            500..=599 if options.get("ServerErrorIsMissing") == 1 => {
                attempt.unavailable(AllowAll, "Missing")
            }
            500..=599 => match treatment("OnServerError") {
                AllowAll => attempt.unavailable(AllowAll, "ServerError"),
                kind => attempt.outage(kind, "ServerError"),
            },
            _ => attempt.failure("OddStatus"),
        };
        return (requests, outcome);
    }
    panic!("the last reply is a failure")
}

/// A fetch so far.
struct Attempt<'a> {
    options: &'a Options,
    known: Option<Outcome>,
    url: String,
    now: u64,
    status: u16,
    headers: &'a [Header],
    hops: u8,
    downgraded: bool,
}

impl Attempt<'_> {
    /// 2.18
    fn set_clock(&mut self, now: u64) {
        self.now = now;
        if let Some(known) = self.known.as_mut().filter(|known| known.made_at() > now) {
            let ttl = known.fresh_until - known.fetched_at;
            known.fetched_at = known.fetched_at.min(now);
            known.attempted_at = known.attempted_at.min(now);
            known.fresh_until = known.fresh_until.min(now + ttl);
            known.unreachable_since = known.unreachable_since.map(|since| since.min(now));
        }
    }

    fn copy(&self) -> Option<&Outcome> {
        self.known.as_ref().filter(|known| known.file.is_some())
    }

    fn first<T>(&self, read: impl Fn(Header) -> Option<T>) -> Option<T> {
        self.headers.iter().find_map(|header| read(*header))
    }

    /// 3.3: what a date is relative to.
    fn date(&self) -> u64 {
        let date = |header| match header {
            Header::Date(date) => date.read(self.now),
            _ => None,
        };
        self.first(date).unwrap_or(self.now)
    }

    /// 3.2, 3.3: the TTL that the headers state.
    fn stated_ttl(&self) -> Option<u64> {
        let control = |header: &Header| match header {
            Header::CacheControl(ttl) => *ttl,
            _ => None,
        };
        let expires = |header| match header {
            Header::Expires(date) => {
                Some(date.read(self.now).unwrap_or(0).saturating_sub(self.date()))
            }
            _ => None,
        };
        let age = |header| match header {
            Header::Age(age) => age,
            _ => None,
        };
        let ttl = self
            .headers
            .iter()
            .filter_map(control)
            .min()
            .or_else(|| self.first(expires))?;
        Some(ttl.saturating_sub(self.first(age).unwrap_or(0)))
    }

    /// 3.2: the bounds.
    fn bounded(&self, ttl: u64) -> u64 {
        ttl.max(self.options.get("MinTTL"))
            .min(self.options.get("MaxTTL"))
    }

    /// 2.1, 2.17
    fn body(&mut self, reply: &Reply) -> Outcome {
        if let Some(at) = reply.broken {
            self.set_clock(at);
            return self.failure("Reset");
        }
        let lengths = self.headers.iter().filter_map(|header| match header {
            Header::ContentLength(length) => Some(*length),
            _ => None,
        });
        let lengths: Vec<u64> = lengths.collect();
        let is_short = |length: &u64| *length != lengths[0] || reply.body.len() < *length as usize;
        if reply.body.starts_with(b"\x1F\x8B") {
            self.failure("EncodedBody")
        } else if lengths.iter().any(is_short) {
            self.failure("ShortBody")
        } else {
            self.current("Found", reply.body)
        }
    }

    /// 2.1, 3.5: a file that was fetched or confirmed now.
    fn current(&self, cause: &'static str, file: &'static [u8]) -> Outcome {
        let etag = self.first(|header| match header {
            Header::ETag(etag) => Some(etag),
            _ => None,
        });
        let last_modified = self.first(|header| match header {
            Header::LastModified(date) => Some(date),
            _ => None,
        });
        let confirmed = self.copy().filter(|_| cause == "NotModified");
        let ttl = self.bounded(self.stated_ttl().unwrap_or(self.options.get("DefaultTTL")));
        // 3.8
        let longest = if self.options.dialect == Dialect::Koster1996 {
            7 * DAY
        } else {
            DAY
        };
        Outcome {
            file: Some(file),
            usable_until: self.now + ttl.max(longest),
            etag: etag.or_else(|| confirmed?.etag),
            last_modified: last_modified.or_else(|| confirmed?.last_modified),
            ..self.site_wide(Rules, cause, self.now + ttl)
        }
    }

    fn site_wide(&self, kind: Kind, cause: &'static str, retry_at: u64) -> Outcome {
        Outcome {
            kind,
            cause,
            status: self.status,
            file: None,
            stale: false,
            fetched_at: self.now,
            attempted_at: self.now,
            fresh_until: retry_at,
            usable_until: retry_at,
            retry_at,
            unreachable_since: None,
            url: self.url.clone(),
            hops: self.hops,
            downgraded: self.downgraded,
            etag: None,
            last_modified: None,
        }
    }

    /// 2.2, 2.3, 2.15: the next URL, or the outcome.
    fn redirect(&self, visited: &[String]) -> Result<&'static str, Box<Outcome>> {
        let location = |header| match header {
            Header::Location(target) => Some(target),
            _ => None,
        };
        let cause = match self.first(location).unwrap_or(Target::Unusable) {
            Target::TooLong => return Err(self.failure("BadRedirect").into()),
            Target::Unusable => "BadRedirect",
            Target::Local(_) if self.options.get("NonGlobalRedirects") == 0 => "NonGlobalRedirect",
            Target::Public(url) | Target::Local(url) => {
                if url != self.url && visited.iter().any(|known| known == url) {
                    "RedirectLoop"
                } else if u64::from(self.hops) >= self.options.get("MaxRedirects") {
                    "TooManyRedirects"
                } else {
                    return Ok(url);
                }
            }
        };
        let is_endless = matches!(cause, "RedirectLoop" | "TooManyRedirects");
        let is_set = self.options.set.contains_key("OnBadRedirect");
        let kind = match self.options.dialect {
            Dialect::Koster1996 if is_endless && !is_set => Defer,
            _ => self.options.treatment("OnBadRedirect"),
        };
        let outcome = match kind {
            AllowAll | DisallowAll if self.copy().is_none() => self.unavailable(kind, cause),
            _ => self.outage(kind, cause),
        };
        Err(outcome.into())
    }

    /// 2.5
    fn unavailable(&self, kind: Kind, cause: &'static str) -> Outcome {
        let longest = self.options.get("MissingTTL");
        let ttl = self
            .bounded(self.stated_ttl().unwrap_or(longest))
            .min(longest)
            .max(1);
        let keeps = kind == AllowAll && self.options.get("MissingKeepsCopy") == 1;
        match self
            .copy()
            .filter(|copy| keeps && self.now < copy.fetched_at + DAY)
        {
            Some(copy) => {
                let end = copy.fetched_at + DAY;
                self.kept(copy, Rules, cause, (self.now + ttl).min(end), end)
            }
            None => self.site_wide(kind, cause, self.now + ttl),
        }
    }

    /// 2.9, 2.10, 2.17
    fn failure(&self, cause: &'static str) -> Outcome {
        self.outage(self.options.treatment("OnUnreachable"), cause)
    }

    /// 2.11 to 2.13, 3.6
    fn outage(&self, kind: Kind, cause: &'static str) -> Outcome {
        let continued = self
            .known
            .as_ref()
            .filter(|known| self.now - known.attempted_at <= 7 * DAY);
        let since = continued
            .and_then(|known| known.unreachable_since)
            .unwrap_or(self.now);
        let length = self.now - since;
        let is_long = length > self.options.get("UnreachableTTL");
        let least = self.options.get("FailureTTL");
        let back_off = length
            .min(DAY)
            .min(self.options.get("DefaultTTL"))
            .max(least);
        let requested = self.first(|header| match header {
            Header::RetryAfter(seconds) => Some(seconds),
            Header::RetryAt(date) => Some(date.read(self.now)?.saturating_sub(self.date())),
            _ => None,
        });
        let requested = requested
            .filter(|_| matches!(self.status, 429 | 503))
            .unwrap_or(0);
        let retry_at = self.now + back_off.max(requested.min(self.options.get("MaxRetryAfter")));
        let is_koster = self.options.dialect == Dialect::Koster1996;
        let outcome = match self.copy() {
            None if is_long && kind != DisallowAll => {
                self.site_wide(AllowAll, "UnreachableLong", retry_at)
            }
            None => self.site_wide(kind, cause, retry_at),
            Some(copy) => {
                let is_overridden = self.options.get("UnreachableOverridesCopy") == 1 && !is_long;
                let end = if is_koster {
                    copy.fresh_until
                } else {
                    u64::MAX
                };
                if is_overridden || self.now >= end {
                    let kind = match kind {
                        AllowAll if is_koster => Defer,
                        AllowAll => Unreachable,
                        kind => kind,
                    };
                    self.kept(copy, kind, cause, retry_at, retry_at)
                } else {
                    self.kept(copy, Rules, cause, retry_at, end.min(retry_at + DAY))
                }
            }
        };
        Outcome {
            unreachable_since: Some(since),
            ..outcome
        }
    }

    /// A copy that decides (`Rules`) or waits.
    fn kept(
        &self,
        copy: &Outcome,
        kind: Kind,
        cause: &'static str,
        retry_at: u64,
        usable_until: u64,
    ) -> Outcome {
        Outcome {
            kind,
            cause,
            status: self.status,
            stale: kind == Rules,
            attempted_at: self.now,
            retry_at,
            usable_until,
            unreachable_since: None,
            ..copy.clone()
        }
    }
}
