//! Fetches of a site, one after the other, with any options, replies and clock readings: the engine does what the oracle does.
//! `ROBOTS_CASES` says how many fetches.

use super::server::{DAY, HOUR, NOW, ROBOTS};
use crate::oracle::Dialect as ModelDialect;
use crate::oracle::dates::day_number;
use crate::oracle::fetch::{self as model, Date, Header, Kind, Options, Reply, Target};
use crate::support::runner::{URLS, reached, run};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use robots::{Crawler, Dialect, Failure, Fetch, FetchOption, Outcome, OutcomeKind, Step};
use std::cell::RefCell;
use std::collections::BTreeMap;

macro_rules! options {
    ($($option:ident: $values:expr),* $(,)?) => {
        [$((stringify!($option), FetchOption::$option, &$values)),*]
    };
}

const TIMES: [u64; 9] = [1, 60, 300, 600, HOUR, DAY, 9 * DAY, 30 * DAY, 60 * DAY];

/// Each option with values that differ in their effect.
const OPTIONS: [(&str, FetchOption, &[u64]); 17] = options! {
    MaxRedirects: [0, 1, 2, 20],
    OnForbidden: [1, 2, 3, 4],
    OnTooManyRequests: [1, 2, 3, 4],
    OnServerError: [1, 2, 3, 4],
    OnUnreachable: [1, 2, 3, 4],
    ServerErrorIsMissing: [1],
    DefaultTTL: TIMES,
    MinTTL: [0, 60, HOUR, 9 * DAY],
    MaxTTL: TIMES,
    FailureTTL: TIMES,
    MaxRetryAfter: [0, 60, HOUR, 9 * DAY],
    UnreachableTTL: [0, HOUR, DAY, 30 * DAY],
    MissingKeepsCopy: [1],
    MissingTTL: TIMES,
    OnBadRedirect: [1, 2, 3, 4],
    NonGlobalRedirects: [1],
    UnreachableOverridesCopy: [1],
};

/// A header as it is sent, and what it says.
type Line = (&'static str, String, Header);

/// A date near the first fetches, or fifty years from them.
fn date() -> impl Strategy<Value = (String, Date)> {
    let years = vec![
        2027, 2027, 2027, 2026, 2028, 1969, 1970, 1976, 1977, 2076, 2077, 2099,
    ];
    let seconds = select(vec![0, 28_799, 28_800, 28_860, 36_000, 86_399]);
    let parts = (select(years), 13..18_i64, seconds, 0..5);
    parts.prop_map(|(year, day, second, form)| {
        let clock = format!(
            "{:02}:{:02}:{:02}",
            second / 3600,
            second / 60 % 60,
            second % 60
        );
        let days = day_number(year, 1, day).unwrap();
        let at = Date::At(u64::try_from(days * 86_400 + second).unwrap_or(0));
        let short = year % 100;
        match form {
            0 => (format!("Fri Jan {day} {clock} {year}"), at),
            1 => (
                format!("Friday, {day}-Jan-{short:02} {clock} GMT"),
                Date::ShortYear(year, 1, day, second as u64),
            ),
            2 => (format!("Fri, {day} Jan {year} {clock}"), Date::Unreadable),
            _ => (format!("Fri, {day} Jan {year} {clock} GMT"), at),
        }
    })
}

fn header() -> impl Strategy<Value = Line> {
    let control = [
        ("max-age=600", Some(600)),
        ("max-age=\"7200\", public", Some(7_200)),
        ("max-age=99999999999999999999", Some(u64::MAX)),
        ("max-age=864000", Some(864_000)),
        ("max-age=soon", Some(0)),
        ("Max-Age=7200, max-age=60", Some(60)),
        ("no-store", Some(0)),
        ("no-cache=\"x\", max-age=60", Some(0)),
        ("s-maxage=60, x=\"a, max-age=1\"", None),
    ]
    .map(|(text, ttl)| ("Cache-Control", text.to_owned(), Header::CacheControl(ttl)));
    let age = [
        ("60", Some(60)),
        ("old", None),
        ("99999999999999999999", Some(u64::MAX)),
    ]
    .map(|(text, age)| ("Age", text.to_owned(), Header::Age(age)));
    let retry = [
        ("0", 0),
        ("120", 120),
        ("7200", 7_200),
        ("99999999999999999999", u64::MAX),
    ]
    .map(|(text, seconds)| ("Retry-After", text.to_owned(), Header::RetryAfter(seconds)));
    let length = [3, 17, 1000].map(|length| {
        (
            "Content-Length",
            length.to_string(),
            Header::ContentLength(length),
        )
    });
    let tags = ["\"1\"", "\"2\""].map(|tag| ("ETag", tag.to_owned(), Header::ETag(tag)));
    let modified =
        ["then"].map(|date| ("Last-Modified", date.to_owned(), Header::LastModified(date)));
    let fixed: Vec<Line> = control
        .into_iter()
        .chain(age)
        .chain(retry)
        .chain(length)
        .chain(tags)
        .chain(modified)
        .collect();
    let dated = (date(), 0..3).prop_map(|((text, date), name)| match name {
        0 => ("Expires", text, Header::Expires(date)),
        1 => ("Date", text, Header::Date(date)),
        _ => ("Retry-After", text, Header::RetryAt(date)),
    });
    prop_oneof![3 => select(fixed), 2 => dated]
}

fn location() -> impl Strategy<Value = Line> {
    use Target::{Local, Public, TooLong, Unusable};
    let long = format!("https://b.example/{}", "x".repeat(8_192));
    let targets = [
        (ROBOTS, Public(ROBOTS)),
        ("https://example.com/a", Public("https://example.com/a")),
        (
            "HTTPS://Example.com:443/a#x",
            Public("https://example.com/a"),
        ),
        ("http://b.example/c", Public("http://b.example/c")),
        ("http://127.1/x", Local("http://127.0.0.1/x")),
        (
            "http://localhost.localdomain/",
            Local("http://localhost.localdomain/"),
        ),
        ("https://ip6-localhost/", Local("https://ip6-localhost/")),
        ("", Unusable),
        ("mailto:x", Unusable),
        ("ftp://b.example/", Unusable),
        (&long, TooLong),
    ]
    .map(|(text, target)| ("Location", text.to_owned(), Header::Location(target)));
    select(targets.to_vec())
}

/// A reply, with its time after the start of the fetch, and the time after it at which the body breaks off.
type Plan = (i64, Option<u16>, Vec<Line>, &'static [u8], Option<i64>);

fn reply() -> impl Strategy<Value = Plan> {
    let after = || select(vec![0_i64, 0, 0, 1, 3, -5, -3_600, -2 * DAY as i64]);
    let status = prop_oneof![
        4 => select(vec![200_u16, 200, 204, 206, 304, 304, 304, 401, 403, 404, 410, 429, 500, 503, 503, 600, 0]),
        1 => Just(301_u16),
    ];
    let lines = (vec(header(), 0..4), location()).prop_map(|(mut lines, location)| {
        lines.push(location);
        lines
    });
    let body = select(vec![
        &b"user-agent: *\ndisallow: /"[..],
        b"user-agent: *\ndisallow: /private",
        b"",
        b"\x1F\x8B\x08",
    ]);
    let status = prop_oneof![9 => status.prop_map(Some), 1 => Just(None)];
    let broken = prop_oneof![9 => Just(None), 1 => after().prop_map(Some)];
    (after(), status, lines, body, broken)
}

/// The time since the start of the fetch before, whether it is known, and the replies.
fn one_fetch() -> impl Strategy<Value = (i64, bool, Vec<Plan>)> {
    let day = DAY as i64;
    let pauses = vec![
        0,
        1,
        60,
        600,
        3_600,
        21_600,
        day - 1,
        day,
        day + 1,
        day,
        5 * day,
        7 * day,
        7 * day + 1,
        31 * day,
        -5,
        -3_600,
        -day,
    ];
    (
        select(pauses),
        prop::bool::weighted(0.95),
        vec(reply(), 1..5),
    )
}

/// Reports a reply to the engine.
fn report(fetch: &mut Fetch, reply: &Reply, lines: &[Line]) -> Result<(), robots::Error> {
    let Some(status) = reply.status else {
        return fetch.fail(Failure::Timeout, reply.at).map(drop);
    };
    fetch.status(status, reply.at)?;
    for (name, text, _) in lines {
        fetch.header(name, text)?;
    }
    if fetch.headers_end()? == Step::Body {
        fetch.body(reply.body)?;
        match reply.broken {
            Some(at) => fetch.fail(Failure::Reset, at)?,
            None => fetch.end()?,
        };
    }
    Ok(())
}

/// The outcome of the engine, as that of the model. `file`: the last file.
fn as_model(outcome: &Outcome, expected: &model::Outcome) -> (String, model::Outcome) {
    let kind = match outcome.kind {
        OutcomeKind::Rules => Kind::Rules,
        OutcomeKind::AllowAll => Kind::AllowAll,
        OutcomeKind::DisallowAll => Kind::DisallowAll,
        OutcomeKind::Defer => Kind::Defer,
        OutcomeKind::Unreachable => Kind::Unreachable,
    };
    // Validators are among those that the generator knows.
    let known = |value: &Option<Box<[u8]>>| {
        let known = ["\"1\"", "\"2\"", "then"].into_iter();
        value.as_ref().map(|value| {
            known
                .clone()
                .find(|text| text.as_bytes() == &**value)
                .unwrap()
        })
    };
    let seen = model::Outcome {
        kind,
        cause: "",
        status: outcome.http_status,
        file: expected.file,
        stale: outcome.stale,
        fetched_at: outcome.fetched_at,
        attempted_at: outcome.attempted_at,
        fresh_until: outcome.fresh_until,
        usable_until: outcome.usable_until,
        retry_at: outcome.retry_at,
        unreachable_since: outcome.unreachable_since,
        url: outcome.final_url.to_string(),
        hops: outcome.hops,
        downgraded: outcome.downgraded,
        etag: known(&outcome.etag),
        last_modified: known(&outcome.last_modified),
    };
    (format!("{:?}", outcome.cause), seen)
}

fn agrees_with_the_oracle(dialect: Dialect, model_dialect: ModelDialect) {
    let option = select(&OPTIONS[..]).prop_flat_map(|(name, option, values)| {
        select(values).prop_map(move |value| (name, option, value))
    });
    let reached_kinds = RefCell::new(BTreeMap::new());
    run(
        &(vec(option, 0..6), vec(one_fetch(), URLS)),
        |(options, fetches)| {
            let bare = Crawler::new("bot").unwrap().with_dialect(dialect).unwrap();
            let crawler = options.iter().fold(bare, |crawler, (_, option, value)| {
                crawler.with_fetch_option(*option, *value).unwrap()
            });
            let options = Options {
                dialect: model_dialect,
                set: options
                    .into_iter()
                    .map(|(name, _, value)| (name, value))
                    .collect(),
            };
            let mut before: Option<(Outcome, model::Outcome)> = None;
            let mut start = NOW;
            for (pause, is_known, plans) in fetches {
                start = start.saturating_add_signed(pause);
                before = before.filter(|_| is_known);
                let at = |after| start.saturating_add_signed(after);
                let mut replies: Vec<Reply> = plans
                    .iter()
                    .map(|(after, status, lines, body, broken)| Reply {
                        at: at(*after),
                        status: *status,
                        headers: lines.iter().map(|line| line.2).collect(),
                        body,
                        broken: broken.map(at),
                    })
                    .collect();
                replies.push(Reply {
                    at: start,
                    status: None,
                    headers: vec![],
                    body: b"",
                    broken: None,
                });

                let mut fetch = Fetch::new(std::slice::from_ref(&crawler), ROBOTS, start).unwrap();
                let known = before.as_ref().map(|(outcome, known)| {
                    fetch.set_previous(outcome).unwrap();
                    known
                });
                let (requests, expected) = model::fetch(&options, ROBOTS, start, known, &replies);
                let mut sent = Vec::new();
                for (place, reply) in replies.iter().enumerate() {
                    if fetch.step() == Step::Done {
                        break;
                    }
                    let headers = fetch.request_headers();
                    let headers =
                        headers.map(|(_, value)| std::str::from_utf8(value).unwrap().to_owned());
                    sent.push((fetch.url().to_owned(), headers.collect::<Vec<_>>()));
                    let lines = plans.get(place).map_or(&[][..], |plan| &plan.2);
                    report(&mut fetch, reply, lines).unwrap();
                }
                let outcome = fetch.outcome().unwrap().clone();
                let requests: Vec<_> = requests
                    .into_iter()
                    .map(|(url, values)| {
                        (
                            url,
                            values
                                .iter()
                                .map(|value| value.to_string())
                                .collect::<Vec<_>>(),
                        )
                    })
                    .collect();
                prop_assert_eq!(&sent, &requests);
                let (cause, seen) = as_model(&outcome, &expected);
                prop_assert_eq!(&cause, expected.cause);
                prop_assert_eq!(
                    &seen,
                    &model::Outcome {
                        cause: "",
                        ..expected.clone()
                    }
                );
                if outcome.kind == OutcomeKind::Rules {
                    let image = crawler.parse(expected.file.unwrap());
                    prop_assert_eq!(outcome.rules(0).unwrap().image(), image.image());
                }
                let stale = if outcome.stale { "stale " } else { "" };
                let kind = format!("{stale}{:?}", outcome.kind);
                *reached_kinds.borrow_mut().entry(kind).or_insert(0_u64) += 1;
                before = Some((outcome, expected));
            }
            Ok(())
        },
    );
    let kinds = reached_kinds.into_inner();
    for kind in [
        "Rules",
        "stale Rules",
        "AllowAll",
        "DisallowAll",
        "Defer",
        "Unreachable",
    ] {
        let count = kinds.get(kind).copied().unwrap_or(0);
        reached(&format!("{dialect:?}: {kind}"), count, 500);
    }
}

#[test]
fn rfc9309_agrees_with_the_oracle() {
    agrees_with_the_oracle(Dialect::Rfc9309, ModelDialect::Rfc9309);
}

#[test]
fn google_agrees_with_the_oracle() {
    agrees_with_the_oracle(Dialect::Google, ModelDialect::Google);
}

#[test]
fn koster1996_agrees_with_the_oracle() {
    agrees_with_the_oracle(Dialect::Koster1996, ModelDialect::Koster1996);
}
