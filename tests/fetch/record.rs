//! The chapters `fetch` and `origins` of the conformance suite: what the tests of this folder try, as scripts of events.

use super::server::{Act, URL};
use super::{spec_1, spec_2, spec_2_bodies, spec_2_gzip, spec_2_outages, spec_2_redirects, spec_3};
use crate::suite::{DIALECTS, Fields, Suite, bytes};
use robots::{Crawler, Dialect, Error, Failure, FetchOption, Origin, Outcome, Reason, Verdict};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::HashMap;

/// A row of the specification, what is tried, and the test that tries it. Lifetimes are recorded for section 3.
#[rustfmt::skip]
const TABLES: &[(&str, &str, fn())] = &[
    ("1.2", "the origin of a URL and the place of its robots.txt", spec_1::spec_1_origins),
    ("1.2", "a robots.txt governs its own origin alone", spec_1::spec_1_2_governs_its_own_origin_alone),
    ("1.5", "addresses are hosts", spec_1::spec_1_5_addresses),
    ("1.6", "what has no robots.txt is an error", spec_1::spec_1_6_schemes),
    ("2.1", "a file that is found is obeyed", spec_2::spec_2_1_success),
    ("2.1", "what is no robots.txt has no rules", spec_2::spec_2_1_odd_bodies),
    ("2.4", "a page that sends browsers elsewhere is a file like any other", spec_2::spec_2_4_html_redirects),
    ("2.2", "redirects are followed, and the rules govern the first origin", spec_2_redirects::spec_2_2_redirects),
    ("2.2", "a redirect to the same URL counts like any other", spec_2_redirects::spec_2_2_redirects_to_itself),
    ("2.3", "redirects that lead nowhere", spec_2_redirects::spec_2_3_bad_redirects),
    ("2.5", "400 to 499: there is no file", spec_2::spec_2_5_unavailable),
    ("2.5", "a file that is gone leaves no rules", spec_2::spec_2_5_copy),
    ("2.6", "401 and 403", spec_2::spec_2_6_forbidden),
    ("2.7", "429 is an outage", spec_2::spec_2_7_too_many_requests),
    ("2.8", "500 to 599 are an outage", spec_2::spec_2_8_server_errors),
    ("2.9", "any other status is an outage", spec_2::spec_2_9_other_status),
    ("2.10", "a failure of the network is an outage", spec_2::spec_2_10_failures),
    ("2.11", "a copy stays in use during an outage", spec_2_outages::spec_2_11_copy_while_unreachable),
    ("2.11", "a copy is used within its lifetime, and verified after it", spec_2_outages::spec_2_11_koster1996_verifies_a_copy),
    ("2.11", "that there was no file is no copy of one", spec_2_outages::spec_2_11_missing_is_no_copy),
    ("2.12", "an outage of more than 30 days opens a site", spec_2_outages::spec_2_12_thirty_days),
    ("2.12", "a pause of more than 7 days starts an outage anew", spec_2_outages::spec_2_12_a_pause_starts_the_outage_anew),
    ("2.15", "a copy stays in use where redirects lead nowhere", spec_2_redirects::spec_2_15_bad_redirects_keep_the_copy),
    ("2.17", "part of a file is no file", spec_2_bodies::spec_2_17_partial_content),
    ("2.17", "fewer bytes than stated are no file", spec_2_bodies::spec_2_17_short_body),
    ("2.17", "a body whose coding was not undone is no file", spec_2_bodies::spec_2_17_encoded_body),
    ("2.17", "an empty body is an empty file", spec_2_bodies::spec_2_17_empty_body),
    ("2.17", "gzip is decoded, and shows whether the file is whole", spec_2_gzip::spec_2_17_gzip),
    ("2.20", "an HTML page is a file without rules", spec_2_bodies::spec_2_20_html_pages),
    ("3.1", "how long a file is fresh", spec_3::spec_3_1_ttls),
    ("3.1", "how long the lack of a file is known", spec_3::spec_3_1_negative_ttls),
    ("3.5", "304 renews the rules", spec_3::spec_3_5_not_modified),
    ("3.6", "Retry-After is obeyed within bounds", spec_3::spec_3_6_retry_after),
];

thread_local! {
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

struct Recorder {
    suite: Suite,
    row: &'static str,
    why: &'static str,
    histories: HashMap<Vec<u8>, History>,
    checks: Vec<Check>,
}

/// How an outcome came about.
#[derive(Clone)]
struct History {
    dialect: &'static str,
    /// Times and responses.
    attempts: Vec<(u64, Value)>,
    /// The record of the outcome before.
    previous: Option<Vec<u8>>,
}

struct Check {
    record: Vec<u8>,
    path: String,
    now: u64,
    word: &'static str,
    /// A later attempt asks the same with the same answer.
    is_repeated: bool,
}

#[test]
fn the_conformance_suite_is_what_the_tables_say() {
    let recorder = Recorder {
        suite: Suite::new(),
        row: "",
        why: "",
        histories: HashMap::new(),
        checks: Vec::new(),
    };
    RECORDER.set(Some(recorder));
    for (row, why, table) in TABLES {
        with(|recorder| (recorder.row, recorder.why) = (row, why));
        table();
        with(Recorder::write_checks);
    }
    RECORDER.take().unwrap().suite.finish();
}

fn with(act: impl FnOnce(&mut Recorder)) {
    RECORDER.with_borrow_mut(|recorder| recorder.as_mut().map(act));
}

/// The place of a URL's robots.txt.
pub(crate) fn origin(url: &[u8], origin: &Result<Origin, Error>) {
    let expect = match origin {
        Ok(origin) => json!({"answer": "value", "value": origin.robots_url()}),
        Err(_) => json!({"answer": "error"}),
    };
    with(|recorder| {
        let question = vec![("kind", json!("origin")), ("url", bytes(url))];
        recorder.suite.add(
            "origins",
            &[recorder.row],
            "rfc9309",
            recorder.why,
            question,
            expect,
        );
    });
}

/// Whether one robots.txt governs a URL.
pub(crate) fn governs(robots_url: &str, url: &str, governs: bool) {
    with(|recorder| {
        let question = vec![
            ("kind", json!("governs")),
            ("robots_url", json!(robots_url)),
            ("url", json!(url)),
        ];
        let expect = json!({"answer": "value", "value": if governs { "yes" } else { "no" }});
        recorder.suite.add(
            "origins",
            &[recorder.row],
            "rfc9309",
            recorder.why,
            question,
            expect,
        );
    });
}

/// One attempt to fetch a file, after another or as the first. Only what a crawler does by default is recorded.
pub(crate) fn attempt(
    crawler: &Crawler,
    previous: Option<&Outcome>,
    script: &[Act],
    now: u64,
    outcome: &Outcome,
) {
    with(|recorder| recorder.attempt(crawler, previous, script, now, outcome));
}

/// Whether a path may be fetched.
pub(crate) fn check(outcome: &Outcome, path: &str, now: u64, verdict: Verdict) {
    with(|recorder| recorder.check(outcome, path, now, verdict));
}

impl Recorder {
    fn attempt(
        &mut self,
        crawler: &Crawler,
        previous: Option<&Outcome>,
        script: &[Act],
        now: u64,
        outcome: &Outcome,
    ) {
        let is_it = |dialect: &Dialect| {
            let standard = super::server::crawler(*dialect);
            format!("{standard:?}") == format!("{crawler:?}")
                && FetchOption::all()
                    .all(|it| standard.fetch_option(it) == crawler.fetch_option(it))
        };
        let dialect = Dialect::ALL.into_iter().find(is_it);
        let previous = previous.map(|previous| previous.encode().unwrap());
        let earlier = match &previous {
            None => Some(Vec::new()),
            Some(record) => self
                .histories
                .get(record)
                .map(|history| history.attempts.clone()),
        };
        let (Some(mut attempts), Some(dialect)) = (earlier, dialect) else {
            return;
        };
        attempts.push((now, script.iter().map(response).collect()));
        let dialect = DIALECTS[dialect as usize];
        let history = History {
            dialect,
            attempts,
            previous,
        };
        self.histories
            .insert(outcome.encode().unwrap(), history.clone());
        if self.row.starts_with("3.") {
            let wait = outcome.retry_at - outcome.attempted_at;
            let expect = json!({"answer": "value", "value": wait.to_string()});
            self.add(&history, "due", vec![], expect);
            for now in [outcome.usable_until - 1, outcome.usable_until] {
                let verdict = outcome.check(0, "https://example.com/open", now);
                self.check(outcome, "/open", now, verdict);
            }
        }
    }

    fn check(&mut self, outcome: &Outcome, path: &str, now: u64, verdict: Verdict) {
        let word = match verdict.reason() {
            Reason::Defer | Reason::Unreachable => "defer",
            _ if verdict.allowed() => "allow",
            _ => "deny",
        };
        let record = outcome.encode().unwrap();
        let Some(history) = self.histories.get(&record) else {
            return;
        };
        let same = |check: &&mut Check| {
            Some(&check.record) == history.previous.as_ref()
                && (check.path.as_str(), check.word) == (path, word)
        };
        if history.attempts.len() > 2 {
            for check in self.checks.iter_mut().filter(|check| same(check)) {
                check.is_repeated = true;
            }
        }
        let path = path.to_owned();
        self.checks.push(Check {
            record,
            path,
            now,
            word,
            is_repeated: false,
        });
    }

    fn write_checks(&mut self) {
        for check in std::mem::take(&mut self.checks) {
            if check.is_repeated {
                continue;
            }
            let history = self.histories[&check.record].clone();
            let url = format!("https://example.com{}", check.path);
            let question = vec![("url", json!(url)), ("at", json!(check.now))];
            self.add(&history, "fetch", question, json!({"answer": check.word}));
        }
        self.histories.clear();
    }

    fn add(&mut self, history: &History, kind: &str, question: Fields, expect: Value) {
        let mut fields: Fields = vec![
            ("kind", json!(kind)),
            ("agents", json!(["ExampleBot"])),
            ("site", json!(URL)),
            ("attempts", shortened(&history.attempts)),
        ];
        fields.extend(question);
        self.suite.add(
            "fetch",
            &[self.row],
            history.dialect,
            self.why,
            fields,
            expect,
        );
    }
}

/// Attempts as JSON. Three and more of the same, each so many seconds after the other, are one with `every` and `times`.
fn shortened(attempts: &[(u64, Value)]) -> Value {
    let mut all = Vec::new();
    let mut rest = attempts;
    while let Some(((at, responses), after)) = rest.split_first() {
        let step = after
            .first()
            .map_or(0, |(next, _)| next.saturating_sub(*at));
        let times = (0..)
            .zip(rest)
            .take_while(|(n, (time, others))| *time == at + n * step && others == responses)
            .count();
        let mut attempt = json!({"at": at, "responses": responses});
        let taken = if times >= 3 && step > 0 {
            attempt["every"] = json!(step);
            attempt["times"] = json!(times);
            times
        } else {
            1
        };
        all.push(attempt);
        rest = &rest[taken..];
    }
    json!(all)
}

fn response(act: &Act) -> Value {
    let word = |failure: &Failure| format!("{failure:?}").to_ascii_lowercase();
    match act {
        Act::Fail(failure) => json!({"failure": word(failure)}),
        Act::Break(status, body, failure) => {
            json!({"status": status, "body": bytes(body), "failure": word(failure)})
        }
        Act::Respond(status, headers, body) => {
            let headers: Vec<Value> = headers
                .iter()
                .map(|(name, value)| json!([name, bytes(value.as_bytes())]))
                .collect();
            json!({"status": status, "headers": headers, "body": bytes(body)})
        }
    }
}
