//! SPEC 2: what a fetch result means, but for redirects (`spec_2_redirects`) and outages (`spec_2_outages`).

use super::server::*;
use robots::{
    Cause, Dialect, Error, Failure, Fetch, FetchOption, Outcome, OutcomeKind, Reason, Step,
};

/// SPEC 2.1
#[test]
pub(crate) fn spec_2_1_success() {
    for status in [200, 201, 203, 205, 207, 299] {
        row(&[plain(status)], Cause::Found, [RULES; 3]);
    }
    row(
        &[Respond(204, vec![], b"")],
        Cause::Found,
        [(OutcomeKind::Rules, true, true); 3],
    );
}

/// SPEC 2.1, 4.3, 4.4: what is no robots.txt has no rules.
#[test]
pub(crate) fn spec_2_1_odd_bodies() {
    let utf16: Vec<u8> = [0xFF, 0xFE]
        .into_iter()
        .chain(BODY.bytes().flat_map(|o| [o, 0]))
        .collect();
    let html = b"<!doctype html>\n<html><head><title>Not found</title></head>\n<body>Disallow nothing</body></html>\n";
    for (body, cause) in [
        (&utf16[..], Cause::Found),
        (html, Cause::Html),
        (&[0; 100], Cause::Found),
        (b"", Cause::Found),
    ] {
        row(
            &[Respond(200, vec![], body)],
            cause,
            [(OutcomeKind::Rules, true, true); 3],
        );
    }
}

/// SPEC 2.4: a page that sends browsers elsewhere is a file like any other.
#[test]
pub(crate) fn spec_2_4_html_redirects() {
    let html = b"<meta http-equiv=\"refresh\" content=\"0; url=https://example.com/other\">\n<frameset><frame src=x>\n";
    let refresh = Respond(
        200,
        vec![("Refresh", "0; url=/x"), ("Location", "/y")],
        html,
    );
    row(
        &[refresh],
        Cause::Html,
        [(OutcomeKind::Rules, true, true); 3],
    );
}

/// SPEC 2.1, 4.5: of 10 MB what counts is read, and no more is asked for.
#[test]
pub(crate) fn spec_2_1_ten_megabytes() {
    let line = b"Disallow: /a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z/01\n";
    let mut body = BODY.as_bytes().to_vec();
    while body.len() < 10_000_000 {
        body.extend_from_slice(line);
    }
    body.extend_from_slice(b"Disallow: /\n");
    for dialect in Dialect::ALL {
        let crawler = crawler(dialect);
        let mut fetch = Fetch::new(std::slice::from_ref(&crawler), URL, NOW).unwrap();
        fetch.status(200, NOW).unwrap();
        fetch.headers_end().unwrap();
        let mut passed = 0;
        for piece in body.chunks(16 * 1024) {
            passed += piece.len();
            if fetch.body(piece).unwrap() == Step::Done {
                break;
            }
        }
        assert_eq!(fetch.step(), Step::Done);
        assert!((512_001..512_001 + 16 * 1024).contains(&passed), "{passed}");
        let outcome = fetch.outcome().unwrap();
        assert_eq!(
            outcome.rules(0).unwrap().image(),
            crawler.parse(&body).image()
        );
        assert_eq!(
            seen(outcome, NOW),
            (OutcomeKind::Rules, Cause::Found, true, false)
        );
    }
}

/// SPEC 4.5: in whatever pieces it comes, and wherever it ends near the limit.
#[test]
pub(crate) fn spec_4_5_pieces() {
    let crawler = standard();
    for len in [0, 1, 511_999, 512_000, 512_001, 512_100] {
        let mut body = b"User-agent: *\n".to_vec();
        while body.len() < len {
            body.extend_from_slice(b"Disallow: /private/a\n");
        }
        body.truncate(len);
        for piece in [1, 999, 512_000, 600_000] {
            if piece == 1 && len > 10 {
                continue;
            }
            let mut fetch = Fetch::new(std::slice::from_ref(&crawler), URL, NOW).unwrap();
            fetch.status(200, NOW).unwrap();
            fetch.headers_end().unwrap();
            for piece in body.chunks(piece) {
                if fetch.body(piece).unwrap() == Step::Done {
                    break;
                }
            }
            assert_eq!(fetch.step() == Step::Done, len > 512_000);
            if fetch.step() != Step::Done {
                fetch.end().unwrap();
            }
            assert_eq!(
                fetch.outcome().unwrap().rules(0).unwrap().image(),
                crawler.parse(&body).image()
            );
        }
    }
}

/// SPEC 2.1, 3.1: a slow drip is a file; its lifetime begins with the response.
#[test]
pub(crate) fn slow_drip() {
    let mut fetch = Fetch::new(&[standard()], URL, NOW).unwrap();
    fetch.status(200, NOW).unwrap();
    fetch.headers_end().unwrap();
    for byte in BODY.as_bytes() {
        assert_eq!(fetch.body([*byte]), Ok(Step::Body));
        assert_eq!(fetch.body([]), Ok(Step::Body));
    }
    fetch.end().unwrap();
    let outcome = fetch.outcome().unwrap();
    assert_eq!(outcome.fresh_until, NOW + DAY);
    assert_eq!(
        seen(outcome, NOW),
        (OutcomeKind::Rules, Cause::Found, true, false)
    );
}

/// SPEC 2.5
#[test]
pub(crate) fn spec_2_5_unavailable() {
    for status in [400, 402, 404, 405, 410, 418, 428, 430, 451, 499] {
        row(&[plain(status)], Cause::Missing, [ALLOW; 3]);
    }
}

/// SPEC 2.5: the copy of up to 24 h, which is an option.
#[test]
pub(crate) fn spec_2_5_copy() {
    let found = first(&standard(), &[plain(200)], NOW);
    let gone = again(&standard(), &found, &[plain(404)], NOW + HOUR);
    assert_eq!(
        seen(&gone, NOW + HOUR),
        (OutcomeKind::AllowAll, Cause::Missing, true, true)
    );

    let keeps = standard()
        .with_fetch_option(FetchOption::MissingKeepsCopy, 1)
        .unwrap();
    // Whatever status allows all (SPEC 2.6 to 2.8).
    let keeps = [FetchOption::OnTooManyRequests, FetchOption::OnServerError]
        .into_iter()
        .fold(keeps, |crawler, option| {
            crawler.with_fetch_option(option, 1).unwrap()
        });
    for status in [401, 403, 429, 503] {
        let kept = again(&keeps, &found, &[plain(status)], NOW + HOUR);
        assert_eq!((kept.kind, kept.stale), (OutcomeKind::Rules, true));
    }
    let kept = again(&keeps, &found, &[plain(404)], NOW + HOUR);
    assert_eq!(
        seen(&kept, NOW + HOUR),
        (OutcomeKind::Rules, Cause::Missing, true, false)
    );
    assert_eq!(
        (kept.stale, kept.retry_at, kept.usable_until),
        (true, NOW + 7 * HOUR, NOW + DAY)
    );
    // However often it is asked, the copy grows old.
    let kept = again(&keeps, &kept, &[plain(404)], NOW + 23 * HOUR);
    assert_eq!((kept.stale, kept.retry_at), (true, NOW + DAY));
    let late = kept.check(0, "https://example.com/open", NOW + DAY);
    assert_eq!((late.allowed(), late.reason()), (false, Reason::Defer));
    let gone = again(&keeps, &kept, &[plain(404)], NOW + DAY);
    assert_eq!(
        seen(&gone, NOW + DAY),
        (OutcomeKind::AllowAll, Cause::Missing, true, true)
    );
}

/// SPEC 2.6
#[test]
pub(crate) fn spec_2_6_forbidden() {
    for status in [401, 403] {
        row(&[plain(status)], Cause::Forbidden, [ALLOW, ALLOW, DISALLOW]);
    }
    for (treatment, kind) in [
        (1, OutcomeKind::AllowAll),
        (2, OutcomeKind::DisallowAll),
        (3, OutcomeKind::Defer),
        (4, OutcomeKind::Unreachable),
    ] {
        let crawler = standard()
            .with_fetch_option(FetchOption::OnForbidden, treatment)
            .unwrap();
        // The choice is the crawler's, whatever its dialect becomes.
        for dialect in Dialect::ALL {
            let crawler = crawler.clone().with_dialect(dialect).unwrap();
            assert_eq!(first(&crawler, &[plain(403)], NOW).kind, kind);
        }
    }
    // Defer and unreachable are an outage: a copy stays in use, and the wait is that of a failure.
    for treatment in [3, 4] {
        let crawler = standard()
            .with_fetch_option(FetchOption::OnForbidden, treatment)
            .unwrap();
        let found = first(&crawler, &[plain(200)], NOW);
        let kept = again(&crawler, &found, &[plain(401)], NOW + HOUR);
        assert_eq!(
            seen(&kept, NOW + HOUR),
            (OutcomeKind::Rules, Cause::Forbidden, true, false)
        );
        assert_eq!(
            (kept.unreachable_since, kept.retry_at),
            (Some(NOW + HOUR), NOW + HOUR + 10 * MINUTE)
        );
    }
}

/// SPEC 2.7
#[test]
pub(crate) fn spec_2_7_too_many_requests() {
    row(
        &[plain(429)],
        Cause::TooManyRequests,
        [UNREACHABLE, UNREACHABLE, DEFER],
    );
    let lenient = standard()
        .with_fetch_option(FetchOption::OnTooManyRequests, 1)
        .unwrap();
    let found = first(&standard(), &[plain(200)], NOW);
    // As 404: it is an answer, so that the copy is no longer used.
    let outcome = again(&lenient, &found, &[plain(429)], NOW + DAY);
    assert_eq!(
        seen(&outcome, NOW + DAY),
        (OutcomeKind::AllowAll, Cause::TooManyRequests, true, true)
    );
    assert_eq!(outcome.unreachable_since, None);
}

/// SPEC 2.8, 2.14
#[test]
pub(crate) fn spec_2_8_server_errors() {
    for status in [500, 502, 503, 504, 599] {
        row(
            &[plain(status)],
            Cause::ServerError,
            [UNREACHABLE, UNREACHABLE, DEFER],
        );
    }
    for dialect in Dialect::ALL {
        let mut fetch = Fetch::new(&[crawler(dialect)], URL, NOW).unwrap();
        fetch.set(FetchOption::ServerErrorIsMissing, 1).unwrap();
        let outcome = run(&mut fetch, &[plain(503)], NOW);
        assert_eq!(
            seen(&outcome, NOW),
            (OutcomeKind::AllowAll, Cause::Missing, true, true)
        );
        let defers = crawler(dialect)
            .with_fetch_option(FetchOption::OnServerError, 3)
            .unwrap();
        assert_eq!(first(&defers, &[plain(500)], NOW).kind, OutcomeKind::Defer);
        let allows = crawler(dialect)
            .with_fetch_option(FetchOption::OnServerError, 1)
            .unwrap();
        assert_eq!(
            first(&allows, &[plain(500)], NOW).kind,
            OutcomeKind::AllowAll
        );
    }
}

/// SPEC 2.9
#[test]
pub(crate) fn spec_2_9_other_status() {
    for status in [0, 1, 100, 101, 103, 199, 600, 777, 999, u16::MAX] {
        row(
            &[plain(status)],
            Cause::OddStatus,
            [UNREACHABLE, UNREACHABLE, DEFER],
        );
    }
    // Nobody asked whether it was modified.
    row(
        &[plain(304)],
        Cause::OddStatus,
        [UNREACHABLE, UNREACHABLE, DEFER],
    );
    let strict = crawler(Dialect::Google)
        .with_fetch_option(FetchOption::OnUnreachable, 3)
        .unwrap();
    assert_eq!(first(&strict, &[plain(600)], NOW).kind, OutcomeKind::Defer);
}

/// SPEC 2.10: half a body is none, whatever it says.
#[test]
pub(crate) fn spec_2_10_failures() {
    let failures = [
        (Failure::Dns, Cause::Dns),
        (Failure::Connect, Cause::Connect),
        (Failure::Tls, Cause::Tls),
        (Failure::Timeout, Cause::Timeout),
        (Failure::Reset, Cause::Reset),
        (Failure::Truncated, Cause::Truncated),
        (Failure::Other, Cause::OtherFailure),
        (Failure::EncodedBody, Cause::EncodedBody),
    ];
    for (failure, cause) in failures {
        row(&[Fail(failure)], cause, [UNREACHABLE, UNREACHABLE, DEFER]);
        row(
            &[Break(200, b"User-agent: *\nAllow: /\nDisa", failure)],
            cause,
            [UNREACHABLE, UNREACHABLE, DEFER],
        );
    }
    // Before the headers ended, of a status that would have allowed all.
    let mut fetch = Fetch::new(&[standard()], URL, NOW).unwrap();
    fetch.status(404, NOW).unwrap();
    fetch.fail(Failure::Reset, NOW).unwrap();
    assert_eq!(fetch.outcome().unwrap().kind, OutcomeKind::Unreachable);
}

/// SPEC 2.7 to 2.10: an outage is no ban. A treatment of disallow all still is one.
#[test]
fn an_outage_is_no_ban() {
    for act in [plain(429), plain(503), plain(600), Fail(Failure::Dns)] {
        let script = std::slice::from_ref(&act);
        let outcome = first(&standard(), script, NOW);
        let verdict = outcome.check(0, URL, NOW);
        assert_eq!(
            (outcome.kind, verdict.allowed(), verdict.reason()),
            (OutcomeKind::Unreachable, false, Reason::Unreachable),
            "{act:?}"
        );
        let read = Outcome::decode(&outcome.encode().unwrap(), &[standard()]).unwrap();
        assert_eq!(read.check(0, URL, NOW), verdict);
        let banned = [
            FetchOption::OnTooManyRequests,
            FetchOption::OnServerError,
            FetchOption::OnUnreachable,
        ]
        .into_iter()
        .fold(standard(), |crawler, option| {
            crawler.with_fetch_option(option, 2).unwrap()
        });
        let verdict = first(&banned, script, NOW).check(0, URL, NOW);
        assert_eq!(
            (verdict.allowed(), verdict.reason()),
            (false, Reason::DisallowAll)
        );
    }
    // The robots.txt itself may always be fetched (SPEC 8.9).
    let outcome = first(&standard(), &[plain(503)], NOW);
    assert_eq!(outcome.check(0, ROBOTS, NOW).reason(), Reason::RobotsTxt);
}

/// SPEC 2.19: replies of an FTP server.
#[test]
pub(crate) fn spec_2_19_ftp_replies() {
    let url = "ftp://example.com/pub/file";
    let start = |dialect| Fetch::new(&[crawler(dialect)], url, NOW).unwrap();
    let rows: [(&[u16], [OutcomeKind; 3], Cause); 4] = {
        use OutcomeKind::*;
        let down = [Unreachable, Unreachable, Defer];
        [
            (&[550], [AllowAll; 3], Cause::Missing),
            (&[530], [AllowAll, AllowAll, DisallowAll], Cause::Forbidden),
            (
                &[
                    400, 404, 421, 425, 426, 450, 451, 500, 501, 532, 551, 553, 599,
                ],
                down,
                Cause::OtherFailure,
            ),
            (
                &[0, 120, 150, 331, 350, 600, u16::MAX],
                down,
                Cause::OddStatus,
            ),
        ]
    };
    for (replies, kinds, cause) in rows {
        for reply in replies {
            for (dialect, kind) in Dialect::ALL.into_iter().zip(kinds) {
                let mut fetch = start(dialect);
                assert_eq!(fetch.ftp_reply(*reply, NOW), Ok(Step::Done), "{reply}");
                let outcome = fetch.outcome().unwrap();
                assert_eq!((outcome.kind, outcome.cause), (kind, cause), "{reply}");
                assert_eq!(outcome.http_status, 0);
            }
        }
    }
    for reply in [200, 226, 250, 299] {
        for dialect in Dialect::ALL {
            let mut fetch = start(dialect);
            assert_eq!(fetch.ftp_reply(reply, NOW), Ok(Step::Body));
            fetch.body(BODY).unwrap();
            fetch.end().unwrap();
            let outcome = fetch.outcome().unwrap();
            assert_eq!(
                (outcome.kind, outcome.cause),
                (OutcomeKind::Rules, Cause::Found)
            );
            assert!(
                !outcome
                    .check(0, "ftp://example.com/private/", NOW)
                    .allowed()
            );
            assert!(outcome.check(0, "ftp://example.com/open", NOW).allowed());
        }
    }
    // An option for 5xx does not make a failed transfer a missing file.
    let mut fetch = start(Dialect::Rfc9309);
    fetch.set(FetchOption::ServerErrorIsMissing, 1).unwrap();
    fetch.ftp_reply(551, NOW).unwrap();
    assert_eq!(fetch.outcome().unwrap().kind, OutcomeKind::Unreachable);
    // Another scheme, another step, no time: nothing changes.
    let mut http = Fetch::new(&[standard()], URL, NOW).unwrap();
    assert_eq!(http.ftp_reply(550, NOW), Err(Error::InvalidState));
    assert_eq!(http.status(200, NOW), Ok(Step::Headers));
    let mut fetch = start(Dialect::Rfc9309);
    assert_eq!(fetch.ftp_reply(550, NOW * 1000), Err(Error::Argument));
    assert_eq!(fetch.ftp_reply(226, NOW), Ok(Step::Body));
    assert_eq!(fetch.ftp_reply(550, NOW), Err(Error::InvalidState));
}
