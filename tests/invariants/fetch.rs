//! Invariants of fetches, for any events at any times.

use proptest::prelude::*;
use robots::{Cause, Crawler, Dialect, Error, Failure, Fetch, Outcome, OutcomeKind, Step};

const URL: &str = "http://example.com/x";
pub const DAY: u64 = 86_400;
/// The last second of the year 9999 (SPEC 2.18).
pub const LAST: u64 = 253_402_300_799;

/// A file, and what `gzip` makes of it.
pub const TEXT: &[u8] = b"user-agent: *\ndisallow: /\n";
pub const GZIP: &[u8] = b"\
    \x1F\x8B\x08\x00\x00\x00\x00\x00\x02\xFF\x2B\x2D\x4E\x2D\xD2\x4D\x4C\x4F\xCD\x2B\xB1\x52\xD0\xE2\
    \x4A\xC9\x2C\x4E\xCC\xC9\xC9\x2F\xB7\x52\xD0\xE7\x02\x00\x0B\xEF\x40\x18\x1A\x00\x00\x00";

#[derive(Clone, Debug)]
pub enum Event {
    Status(u16, u64),
    Header(Vec<u8>, Vec<u8>),
    HeadersEnd,
    Body(Vec<u8>),
    End,
    Fail(u32, u64),
}

/// The events of one fetch that its state accepted, for the plainest reading of SPEC 2.
#[derive(Default)]
struct Reported {
    /// Of each response in turn.
    statuses: Vec<u16>,
    body: Vec<u8>,
    /// Of the last response.
    headers: Vec<(String, Vec<u8>)>,
    failed: bool,
    ended: bool,
}

/// The file in the body, by what was reported; `None` if it is not the file (SPEC 2.17).
fn file_of(seen: &Reported) -> Option<Vec<u8>> {
    let words = |name: &'static str| {
        let values = seen.headers.iter().filter(move |(known, _)| known == name);
        let words = values.flat_map(|(_, value)| value.split(|byte| *byte == b','));
        words.map(<[u8]>::trim_ascii)
    };
    let codings: Vec<_> = words("Content-Encoding")
        .filter(|word| !word.is_empty() && *word != b"identity")
        .collect();
    let number = |word: &[u8]| {
        let is_number = !word.is_empty() && word.iter().all(u8::is_ascii_digit);
        is_number.then(|| String::from_utf8_lossy(word).parse().unwrap_or(usize::MAX))
    };
    let lengths: Vec<Option<usize>> = words("Content-Length").map(number).collect();
    let body = &*seen.body;
    let begins_gzip = body.starts_with(&[0x1F, 0x8B]);
    let is_gzip = codings == [b"gzip"];
    let is_as_sent = codings.is_empty() || is_gzip && begins_gzip;
    let is_text = || {
        let is_control =
            |byte: &u8| *byte == 127 || *byte < 32 && !b"\t\n\x0C\r\x1A".contains(byte);
        !body.iter().any(is_control) && (is_gzip || std::str::from_utf8(body).is_ok())
    };
    if lengths.contains(&None)
        || lengths.windows(2).any(|two| two[0] != two[1])
        || is_as_sent && lengths.first().is_some_and(|len| Some(body.len()) < *len)
    {
        return None;
    }
    if is_gzip && begins_gzip {
        // One member or several.
        let count = body.len() / GZIP.len();
        return (body == GZIP.repeat(count)).then(|| TEXT.repeat(count));
    }
    (!begins_gzip && (codings.is_empty() || is_text())).then(|| body.to_vec())
}

/// The last file that was read.
struct Copy {
    body: Vec<u8>,
    fetched_at: u64,
    fresh_until: u64,
}

/// SPEC 2.18: what was known when the fetch began is as old as the clock permits.
fn set_clock(copy: &mut Option<Copy>, down: &mut Option<(u64, u64)>, now: u64) {
    if let Some(copy) = copy {
        let ttl = copy.fresh_until - copy.fetched_at;
        copy.fetched_at = copy.fetched_at.min(now);
        copy.fresh_until = copy.fresh_until.min(now + ttl);
    }
    if let Some((since, last)) = down {
        (*since, *last) = (now.min(*since), now.min(*last));
    }
}

/// Whether the site as a whole may be allowed: only if its server said so.
fn may_allow_all(seen: &Reported, dialect: Dialect, cause: Cause) -> bool {
    let last = seen.statuses.last().copied();
    !seen.failed
        && match last {
            Some(401 | 403) => dialect != Dialect::Koster1996,
            Some(304 | 429) => false,
            // Redirects that led nowhere: koster1996 defers those without an end (SPEC 2.3).
            Some(300..=399) if dialect == Dialect::Koster1996 => {
                !matches!(cause, Cause::TooManyRedirects | Cause::RedirectLoop)
            }
            Some(300..=399) => true,
            Some(400..=499) => true,
            _ => false,
        }
}

/// Feeds events to fetches, one after the other on the same site, and compares each outcome with the oracle.
pub fn drive(dialect: Dialect, all: &[Event]) -> Result<(), TestCaseError> {
    let crawler = Crawler::new("bot").unwrap().with_dialect(dialect).unwrap();
    let crawlers = [crawler.clone()];

    // Since when nothing was answered, and the last attempt of that outage.
    let mut copy: Option<Copy> = None;
    let mut down: Option<(u64, u64)> = None;
    // The last time reported.
    let mut now = 0;
    let mut fetch = Fetch::new(&crawlers, URL, now).unwrap();
    let mut seen = Reported::default();
    let mut conditional = false;
    for event in all {
        let step = fetch.step();
        let result = match event {
            Event::Status(status, time) => {
                conditional = fetch.request_headers().next().is_some();
                let result = fetch.status(*status, *time);
                if step == Step::Get && *time <= LAST {
                    seen.statuses.push(*status);
                    seen.headers.clear();
                    now = *time;
                    set_clock(&mut copy, &mut down, now);
                }
                (step == Step::Get, result)
            }
            Event::Header(name, value) => {
                if step == Step::Headers {
                    let name = String::from_utf8_lossy(name).into_owned();
                    seen.headers.push((name, value.clone()));
                }
                (step == Step::Headers, fetch.header(name, value))
            }
            Event::HeadersEnd => (step == Step::Headers, fetch.headers_end()),
            Event::Body(text) => {
                if step == Step::Body {
                    seen.body.extend_from_slice(text);
                }
                let result = fetch.body(text);
                // It has enough.
                seen.ended |= step == Step::Body && fetch.step() == Step::Done;
                (step == Step::Body, result)
            }
            Event::End => {
                seen.ended |= step == Step::Body;
                (step == Step::Body, fetch.end())
            }
            Event::Fail(failure, time) => {
                if *time <= LAST {
                    seen.failed = true;
                    now = *time;
                    set_clock(&mut copy, &mut down, now);
                }
                (
                    true,
                    fetch.fail(Failure::from_code(*failure).unwrap(), *time),
                )
            }
        };
        let is_late =
            matches!(event, Event::Status(_, time) | Event::Fail(_, time) if *time > LAST);
        // Out of turn, or at no valid time: an error, and nothing is changed.
        match result {
            (true, result) if is_late => {
                prop_assert_eq!(result, Err(Error::Argument));
                prop_assert_eq!(fetch.step(), step);
            }
            (true, result) => prop_assert_eq!(result, Ok(fetch.step())),
            (false, result) => {
                prop_assert_eq!(result, Err(Error::InvalidState));
                prop_assert_eq!(fetch.step(), step);
            }
        }
        let most = match dialect {
            Dialect::Koster1996 => 21,
            _ => 6,
        };
        prop_assert!(seen.statuses.len() <= most, "five hops, or twenty");
        prop_assert_eq!(fetch.outcome().is_some(), fetch.step() == Step::Done);
        let Some(outcome) = fetch.outcome().cloned() else {
            continue;
        };

        prop_assert_eq!(outcome.attempted_at, now);
        let last = seen.statuses.last().copied().unwrap_or_default();
        let has_body = seen.ended && !seen.failed && (200..300).contains(&last);
        let found = has_body.then(|| file_of(&seen)).flatten();
        let renewed = !seen.failed && last == 304 && conditional && copy.is_some();
        let allowed = outcome.check(0, URL, now).allowed();
        let by_rules = |body: &[u8]| crawler.parse(body).is_allowed(URL);
        if found.is_some() || renewed {
            down = None;
            prop_assert_eq!(fetch.file(), found.as_deref());
            let body = found.unwrap_or_else(|| copy.unwrap().body);
            prop_assert_eq!(outcome.kind, OutcomeKind::Rules);
            prop_assert_eq!(allowed, by_rules(&body));
            copy = Some(Copy {
                body,
                fetched_at: now,
                fresh_until: outcome.fresh_until,
            });
        } else if may_allow_all(&seen, dialect, outcome.cause)
            // SPEC 2.15: a redirect that leads nowhere does not replace a copy.
            && !(copy.is_some() && (300..400).contains(&last))
        {
            (copy, down) = (None, None);
            prop_assert_eq!(outcome.kind, OutcomeKind::AllowAll);
        } else if dialect == Dialect::Koster1996 && !seen.failed && matches!(last, 401 | 403) {
            (copy, down) = (None, None);
            prop_assert_eq!((outcome.kind, allowed), (OutcomeKind::DisallowAll, false));
        } else {
            let since = match down {
                Some((since, last)) if now - last <= 7 * DAY => since,
                _ => now,
            };
            down = Some((since, now));
            match &copy {
                // SPEC 2.11: koster1996 verifies a copy before it is used past its TTL.
                Some(copy) if dialect == Dialect::Koster1996 && now >= copy.fresh_until => {
                    prop_assert_eq!((outcome.kind, allowed), (OutcomeKind::Defer, false));
                }
                Some(copy) => {
                    prop_assert_eq!(outcome.kind, OutcomeKind::Rules);
                    prop_assert!(outcome.stale);
                    prop_assert_eq!(allowed, by_rules(&copy.body));
                }
                None if dialect != Dialect::Koster1996 && now - since > 30 * DAY => {
                    prop_assert_eq!(outcome.kind, OutcomeKind::AllowAll)
                }
                None => {
                    let kind = match dialect {
                        Dialect::Koster1996 => OutcomeKind::Defer,
                        _ => OutcomeKind::Unreachable,
                    };
                    prop_assert_eq!((outcome.kind, allowed), (kind, false));
                }
            }
        }
        prop_assert!(outcome.retry_at >= now || outcome.kind == OutcomeKind::Rules);
        prop_assert!(!outcome.check(0, URL, outcome.usable_until).allowed());
        let stored = Outcome::decode(&outcome.encode().unwrap(), &crawlers).unwrap();
        prop_assert_eq!(format!("{stored:?}"), format!("{outcome:?}"));

        // The next fetch of the same site knows this one, as it was stored.
        fetch = Fetch::new(&crawlers, URL, now).unwrap();
        fetch.set_previous(&stored).unwrap();

        seen = Reported::default();
    }

    Ok(())
}
