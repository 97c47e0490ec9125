//! The scripted server, and the checks of an outcome.

use super::{questions, record};
use robots::{
    Cause, Crawler, Dialect, Error, Failure, Fetch, Origin, Outcome, OutcomeKind, Reason, Step,
};

pub(crate) const NOW: u64 = 1_800_000_000;
pub(crate) const MINUTE: u64 = 60;
pub(crate) const HOUR: u64 = 3600;
pub(crate) const DAY: u64 = 24 * HOUR;
pub(crate) const URL: &str = "https://example.com/any/page";
pub(crate) const ROBOTS: &str = "https://example.com/robots.txt";
pub(crate) const BODY: &str = "User-agent: *\nDisallow: /private/\n";

pub(crate) fn crawler(dialect: Dialect) -> Crawler {
    Crawler::new("ExampleBot")
        .unwrap()
        .with_dialect(dialect)
        .unwrap()
}

pub(crate) fn standard() -> Crawler {
    crawler(Dialect::Rfc9309)
}

/// What a server does with one request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Act<'a> {
    Respond(u16, Vec<(&'a str, &'a str)>, &'a [u8]),
    /// A response that breaks off.
    Break(u16, &'a [u8], Failure),
    Fail(Failure),
}
pub(crate) use Act::{Break, Fail, Respond};

pub(crate) fn plain(status: u16) -> Act<'static> {
    Respond(status, vec![], BODY.as_bytes())
}

pub(crate) fn to(location: &str) -> Act<'_> {
    Respond(301, vec![("Location", location)], b"moved")
}

/// Runs a fetch against a script. Each act answers one request; the fetch must send exactly that many.
pub(crate) fn run(fetch: &mut Fetch, script: &[Act], now: u64) -> Outcome {
    for act in script {
        assert_eq!(fetch.step(), Step::Get, "{act:?} is one too many");
        let (status, headers, body, end) = match act {
            Fail(failure) => {
                assert_eq!(fetch.fail(*failure, now), Ok(Step::Done));
                continue;
            }
            Respond(status, headers, body) => (*status, headers.clone(), *body, None),
            Break(status, body, failure) => (*status, vec![], *body, Some(*failure)),
        };
        assert_eq!(fetch.status(status, now), Ok(Step::Headers));
        for (name, value) in headers {
            assert_eq!(fetch.header(name, value), Ok(Step::Headers));
        }
        if fetch.headers_end().unwrap() != Step::Body {
            continue;
        }
        for piece in body.chunks(1000) {
            if fetch.body(piece).unwrap() == Step::Done {
                break;
            }
        }
        match end {
            Some(failure) => assert_eq!(fetch.fail(failure, now), Ok(Step::Done)),
            None if fetch.step() == Step::Done => {}
            None => assert_eq!(fetch.end(), Ok(Step::Done)),
        }
    }
    assert_eq!(fetch.step(), Step::Done, "{script:?}");
    fetch.outcome().unwrap().clone()
}

/// The origin of a URL.
pub(crate) fn origin(url: impl AsRef<[u8]>) -> Result<Origin, Error> {
    let origin = Origin::from_url(url.as_ref());
    record::origin(url.as_ref(), &origin);
    origin
}

/// Whether the robots.txt at a URL governs another URL.
pub(crate) fn governs(robots: &str, url: &str) -> bool {
    let governs = Origin::from_url(robots).unwrap().governs(url);
    record::governs(robots, url, governs);
    governs
}

/// The first fetch of a site.
pub(crate) fn first(crawler: &Crawler, script: &[Act], now: u64) -> Outcome {
    let mut fetch = Fetch::new(std::slice::from_ref(crawler), URL, now).unwrap();
    let outcome = run(&mut fetch, script, now);
    record::attempt(crawler, None, script, now, &outcome);
    questions::attempt(crawler, None, script, now, &outcome);
    outcome
}

/// A later one.
pub(crate) fn again(crawler: &Crawler, previous: &Outcome, script: &[Act], now: u64) -> Outcome {
    let mut fetch = Fetch::new(std::slice::from_ref(crawler), URL, now).unwrap();
    fetch.set_previous(previous).unwrap();
    let outcome = run(&mut fetch, script, now);
    record::attempt(crawler, Some(previous), script, now, &outcome);
    questions::attempt(crawler, Some(previous), script, now, &outcome);
    outcome
}

/// Kind, cause, whether `/open` and `/private/x` may be fetched just afterwards.
pub(crate) fn seen(outcome: &Outcome, now: u64) -> (OutcomeKind, Cause, bool, bool) {
    let allowed = |path: &str| {
        let verdict = outcome.check(0, format!("https://example.com{path}"), now);
        assert_eq!(verdict, outcome.check(0, path, now));
        assert_eq!(
            verdict.reason() == Reason::Defer,
            outcome.kind == OutcomeKind::Defer
        );
        assert_eq!(
            verdict.reason() == Reason::Unreachable,
            outcome.kind == OutcomeKind::Unreachable
        );
        // Rules know neither site nor time, but never call an outage a ban.
        let by_rules = outcome.rules(0).unwrap().check(path);
        match outcome.kind {
            OutcomeKind::Defer => assert_eq!(by_rules.reason(), Reason::Unreachable),
            _ => assert_eq!(by_rules, verdict),
        }
        record::check(outcome, path, now, verdict);
        verdict.allowed()
    };
    (
        outcome.kind,
        outcome.cause,
        allowed("/open"),
        allowed("/private/x"),
    )
}

pub(crate) const RULES: (OutcomeKind, bool, bool) = (OutcomeKind::Rules, true, false);
pub(crate) const ALLOW: (OutcomeKind, bool, bool) = (OutcomeKind::AllowAll, true, true);
pub(crate) const DISALLOW: (OutcomeKind, bool, bool) = (OutcomeKind::DisallowAll, false, false);
pub(crate) const UNREACHABLE: (OutcomeKind, bool, bool) = (OutcomeKind::Unreachable, false, false);
pub(crate) const DEFER: (OutcomeKind, bool, bool) = (OutcomeKind::Defer, false, false);

/// One row of SPEC 2 in the three dialects.
pub(crate) fn row(script: &[Act], cause: Cause, wanted: [(OutcomeKind, bool, bool); 3]) {
    for (dialect, (kind, open, private)) in Dialect::ALL.into_iter().zip(wanted) {
        let outcome = first(&crawler(dialect), script, NOW);
        assert_eq!(
            seen(&outcome, NOW),
            (kind, cause, open, private),
            "{dialect:?} {script:?}"
        );
    }
}

/// Allowed as a whole; koster1996: deferred.
pub(crate) const ENDLESS: [(OutcomeKind, bool, bool); 3] = [ALLOW, ALLOW, DEFER];

/// One hop more than a dialect follows (SPEC 2.2): the URL of each.
pub(crate) fn too_many(dialect: Dialect) -> Vec<String> {
    let most = crawler(dialect).fetch_option(robots::FetchOption::MaxRedirects);
    (0..=most).map(|n| format!("/{n}")).collect()
}

/// A file with headers.
pub(crate) fn with(headers: &[(&'static str, &'static str)]) -> [Act<'static>; 1] {
    [Respond(200, headers.to_vec(), BODY.as_bytes())]
}
