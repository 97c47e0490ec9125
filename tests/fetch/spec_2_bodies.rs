//! SPEC 2.16, 2.17: a redirect as the final status, and bodies that are not the file.

use super::server::*;
use robots::{Cause, Dialect, Failure, Fetch, FetchOption, Outcome, OutcomeKind};

/// SPEC 2.16: a redirect as the final status says nothing about the file.
#[test]
pub(crate) fn spec_2_16_redirect_as_the_final_status() {
    for dialect in Dialect::ALL {
        let crawlers = [crawler(dialect)];
        let kind = match dialect {
            Dialect::Koster1996 => OutcomeKind::Defer,
            _ => OutcomeKind::Unreachable,
        };
        for status in [300, 301, 302, 303, 305, 307, 308, 399] {
            for body in ["", BODY] {
                let outcome = Outcome::from_status(&crawlers, URL, status, body, NOW).unwrap();
                assert_eq!(
                    seen(&outcome, NOW),
                    (kind, Cause::RedirectNotFollowed, false, false),
                    "{status}"
                );
                assert_eq!(outcome.http_status, status);
                assert_eq!(outcome.unreachable_since, Some(NOW));
            }
        }
        let outcome = Outcome::from_status(&crawlers, URL, 304, "", NOW).unwrap();
        assert_eq!((outcome.kind, outcome.cause), (kind, Cause::OddStatus));
    }
}

/// A body that is not the file (SPEC 2.17), with and without a copy.
fn not_the_file(act: Act, cause: Cause) {
    let script = std::slice::from_ref(&act);
    row(script, cause, [UNREACHABLE, UNREACHABLE, DEFER]);
    let found = first(&standard(), &[plain(200)], NOW);
    let kept = again(&standard(), &found, script, NOW + DAY);
    assert_eq!(
        seen(&kept, NOW + DAY),
        (OutcomeKind::Rules, cause, true, false),
        "{act:?}"
    );
    assert_eq!(
        (kept.stale, kept.unreachable_since),
        (true, Some(NOW + DAY))
    );
}

/// SPEC 2.17: part of a file.
#[test]
pub(crate) fn spec_2_17_partial_content() {
    for body in [&b""[..], b"User-agent: *\nAllow: /\n"] {
        not_the_file(Respond(206, vec![], body), Cause::PartialContent);
    }
    let outcome = Outcome::from_status(&[standard()], URL, 206, BODY, NOW).unwrap();
    assert_eq!(outcome.cause, Cause::PartialContent);
}

/// SPEC 2.17: fewer bytes than the headers state.
#[test]
pub(crate) fn spec_2_17_short_body() {
    let len = BODY.len().to_string();
    let more = (BODY.len() + 1).to_string();
    let with = |headers: &[(&'static str, &str)], body: &'static [u8]| {
        let headers: Vec<_> = headers
            .iter()
            .map(|(name, value)| (*name, value.to_string()))
            .collect();
        (headers, body)
    };
    let outcome = |(headers, body): (Vec<(&'static str, String)>, &'static [u8])| {
        let headers = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
        first(&standard(), &[Respond(200, headers, body)], NOW).cause
    };
    const BYTES: &[u8] = BODY.as_bytes();
    for headers in [
        &[("Content-Length", &*more)][..],
        &[("content-length", "99999999999999999999999")],
        &[("Content-Length", &more), ("Content-Length", &len)],
        &[("Content-Length", &len), ("Content-Length", &more)],
        &[("Content-Length", &len), ("Content-Length", "7")],
        &[("Content-Length", "7, 8"), ("Content-Encoding", "gzip")],
        &[("Content-Length", &more), ("Content-Encoding", "identity")],
        &[("Content-Length", "many")],
        &[("Content-Length", "-1")],
        &[("Content-Length", "")],
        &[("Content-Length", "7 7")],
        &[("Content-Length", &more), ("Transfer-Encoding", "identity")],
    ] {
        assert_eq!(
            outcome(with(headers, BYTES)),
            Cause::ShortBody,
            "{headers:?}"
        );
    }
    for headers in [
        &[("Content-Length", &*len)][..],
        // A client that undoes a coding reports the bytes it undid.
        &[("Content-Length", "1")],
        &[("Content-Length", &len), ("Content-Length", &len)],
        &[("Content-Length", &more), ("Content-Encoding", "gzip")],
        &[("Content-Length", &more), ("Transfer-Encoding", "chunked")],
    ] {
        assert_eq!(outcome(with(headers, BYTES)), Cause::Found, "{headers:?}");
    }
    // A body cut at the size limit is as long as it need be.
    let mut long = BYTES.to_vec();
    long.resize(512_001, b'\n');
    let act = Respond(200, vec![("Content-Length", "9999999")], &long);
    assert_eq!(first(&standard(), &[act], NOW).cause, Cause::Found);
    for body in [&b"User-agent: *\n"[..], b""] {
        let act = Respond(200, vec![("Content-Length", "100")], body);
        not_the_file(act, Cause::ShortBody);
    }
}

/// SPEC 2.17: a content coding that was not undone.
#[test]
pub(crate) fn spec_2_17_encoded_body() {
    let gzip = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x0B, 0x2D, 0x4E, 0x2D];
    for headers in [
        vec![],
        vec![("Content-Encoding", "br")],
        vec![("Content-Encoding", "gzip, gzip")],
        vec![("Content-Encoding", "gzip"), ("Content-Encoding", "gzip")],
        vec![
            ("Content-Type", "application/gzip"),
            ("Content-Length", "100"),
        ],
    ] {
        not_the_file(Respond(200, headers, &gzip), Cause::EncodedBody);
    }
    for compressed in [
        &b"\x28\xB5\x2F\xFD\x04"[..],
        b"\xFD7zXZ\0",
        b"\xEF\xBB\xBF\x1F\x8B",
        b"x\x9C\x0B",
    ] {
        not_the_file(Respond(200, vec![], compressed), Cause::EncodedBody);
    }
    let deflated = Respond(200, vec![("Content-Encoding", "deflate")], b"x^\x0B");
    not_the_file(deflated, Cause::EncodedBody);
    // brotli and raw deflate have no start of their own.
    const BROTLI: &[u8] = b"\x8B\x10\x80User-agent: *\nDisallow: /private/\n\x03";
    const RAW_DEFLATE: &[u8] = b"\x0B\x2D\x4E\x2D\xD2\x4D\x4C\x4F\xCD\x2B\xB1\x52\xD0\xE2\x72\xC9\x2C\x4E\xCC\xC9\xC9\x2F\xB7\x52\
        \xD0\x2F\x28\xCA\x2C\x4B\x2C\x49\xD5\xE7\x02\x00";
    for (coding, body) in [
        ("br", BROTLI),
        // Cut, without a control character.
        ("br", b"\x8B\x0C\x80User-agent: *\nDisallow: /\n"),
        ("deflate", RAW_DEFLATE),
        ("compress", b"\x1F\x9D\x90\x55"),
    ] {
        let act = Respond(200, vec![("Content-Encoding", coding)], body);
        not_the_file(act, Cause::EncodedBody);
    }
    // No client undoes a transfer coding but `chunked`, nor that twice.
    for coding in ["deflate, chunked", "gzip", "chunked, chunked"] {
        let act = Respond(200, vec![("Transfer-Encoding", coding)], BODY.as_bytes());
        not_the_file(act, Cause::EncodedBody);
    }
    let mut long = gzip.to_vec();
    long.resize(600_000, 0);
    not_the_file(Respond(200, vec![], &long), Cause::EncodedBody);
    let outcome = Outcome::from_status(&[standard()], URL, 200, gzip, NOW).unwrap();
    assert_eq!(outcome.cause, Cause::EncodedBody);
    // What only looks a little like it is a file.
    for body in [&b"\x1F"[..], b"\x1F\x8A", b"x^", b"User-agent: *\n\x1F\x8B"] {
        assert_eq!(
            first(&standard(), &[Respond(200, vec![], body)], NOW).cause,
            Cause::Found
        );
    }
    // A client that undoes codings leaves the header as it came.
    for coding in ["gzip", "br", "deflate", "zstd"] {
        let act = Respond(200, vec![("Content-Encoding", coding)], BODY.as_bytes());
        row(&[act], Cause::Found, [RULES; 3]);
    }
}

/// SPEC 2.17: an empty body under a content coding is an empty file.
#[test]
pub(crate) fn spec_2_17_empty_body() {
    for headers in [
        vec![],
        vec![("Content-Length", "0"), ("Content-Encoding", "gzip")],
        vec![("Content-Encoding", "no-such-coding")],
        vec![("Transfer-Encoding", "chunked"), ("Content-Length", "100")],
    ] {
        row(
            &[Respond(200, headers, b"")],
            Cause::Found,
            [(OutcomeKind::Rules, true, true); 3],
        );
    }
}

/// The bytes that the rules came from; none if this fetch brought no file.
#[test]
fn the_file_of_a_fetch() {
    let crawlers = [standard()];
    let file = |script: &[Act]| {
        let mut fetch = Fetch::new(&crawlers, URL, NOW).unwrap();
        assert_eq!(fetch.file(), None);
        run(&mut fetch, script, NOW);
        fetch.file().map(<[u8]>::to_vec)
    };
    assert_eq!(
        file(&[to("/b"), plain(200)]).as_deref(),
        Some(BODY.as_bytes())
    );
    assert_eq!(
        file(&[Respond(200, vec![], b"")]).as_deref(),
        Some(&b""[..])
    );
    let long = vec![b'#'; 600_000];
    assert_eq!(file(&[Respond(200, vec![], &long)]).unwrap().len(), 512_001);
    for script in [
        plain(404),
        plain(206),
        Break(200, BODY.as_bytes(), Failure::Reset),
        Respond(200, vec![("Content-Length", "100")], b"User-agent: *"),
    ] {
        assert_eq!(file(&[script]), None);
    }
}

/// SPEC 2.20: an HTML page has a cause of its own, and an option decides what it means.
#[test]
pub(crate) fn spec_2_20_html_pages() {
    const PAGE: &str =
        "\n<!DOCTYPE html>\n<title>Just a moment...</title>\nDisallow: /\nSitemap: /x\n";
    let page = Respond(200, vec![], PAGE.as_bytes());
    let all = (OutcomeKind::Rules, true, true);
    row(std::slice::from_ref(&page), Cause::Html, [all; 3]);
    // One that holds a group is a file in the wrong place, or one with a header around it.
    for file in [
        format!("<html><pre>\n{BODY}</pre>"),
        format!("{BODY}<html>"),
        format!("<rules>\n{BODY}"),
    ] {
        row(
            &[Respond(200, vec![], file.as_bytes())],
            Cause::Found,
            [RULES; 3],
        );
    }
    for (value, wanted, kept) in [
        (1, ALLOW, false),
        (2, DISALLOW, true),
        (3, DEFER, true),
        (4, UNREACHABLE, true),
    ] {
        for dialect in Dialect::ALL {
            let crawler = crawler(dialect).with_fetch_option(FetchOption::OnHtml, value);
            let crawler = crawler.unwrap();
            let (kind, open, private) = wanted;
            let outcome = first(&crawler, std::slice::from_ref(&page), NOW);
            assert_eq!(seen(&outcome, NOW), (kind, Cause::Html, open, private));
            assert_eq!(outcome.unreachable_since.is_some(), kept);
            let found = first(&crawler, &[plain(200)], NOW);
            assert_eq!(found.cause, Cause::Found);
            let later = again(&crawler, &found, std::slice::from_ref(&page), NOW + HOUR);
            assert_eq!((later.cause, later.stale), (Cause::Html, kept));
            assert_eq!(later.kind == OutcomeKind::Rules, kept);
            // The page has the status of a page.
            let missing = Respond(404, vec![], PAGE.as_bytes());
            assert_eq!(first(&crawler, &[missing], NOW).cause, Cause::Missing);
        }
    }
    // Without the option the page has replaced the rules.
    let found = first(&standard(), &[plain(200)], NOW);
    let outcome = again(&standard(), &found, &[page], NOW + HOUR);
    assert_eq!(
        seen(&outcome, NOW + HOUR),
        (OutcomeKind::Rules, Cause::Html, true, true)
    );
    let record = outcome.encode().unwrap();
    assert_eq!(
        Outcome::decode(&record, &[standard()]).unwrap().cause,
        Cause::Html
    );
}
