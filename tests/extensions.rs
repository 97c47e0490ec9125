//! What else stands in a robots.txt: SPEC 9.3, 9.4, 9.5, and the `Content-Usage` header field.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

mod oracle;
mod support;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseError;
use robots::{
    Choice, Crawler, Dialect, Error, ExtensionField, Extensions, Preferences, Vocabulary,
};
use support::runner::run;
use support::{bridge, files};

fn extensions(body: &str) -> Extensions {
    Extensions::parse(&Crawler::new("ExampleBot").unwrap(), body).unwrap()
}

fn lines(extensions: &Extensions) -> Vec<(u32, ExtensionField, String, bool)> {
    let line = |line: robots::Extension<'_>| {
        let value = String::from_utf8_lossy(line.value()).into_owned();
        (line.line(), line.field(), value, line.in_group())
    };
    extensions.lines().map(line).collect()
}

/// All preferences as text: `u train-ai=n@3`, `s` for a content-signal.
fn shown(preferences: &Preferences) -> String {
    let one = |preference: &robots::Preference| {
        let vocabulary = match preference.vocabulary() {
            Vocabulary::ContentUsage => "u",
            _ => "s",
        };
        let choice = match preference.choice() {
            Choice::Yes => "y",
            Choice::No => "n",
            Choice::Unknown => "?",
        };
        let label = String::from_utf8_lossy(preference.label()).into_owned();
        format!("{vocabulary} {label}={choice}@{}", preference.line())
    };
    preferences.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn preferences(body: &str, url: &str) -> String {
    shown(&extensions(body).preferences(url).unwrap())
}

fn header(value: &str) -> String {
    shown(&Preferences::from_header(value).unwrap())
}

/// SPEC 9.3: kept and readable, of the groups obeyed and of no group, in any spelling of the field.
#[test]
fn spec_9_3_lines_are_kept() {
    let body = "Host: www.example.com # the best
User-agent: OtherBot
Noindex: /other
Disallow: /y
User-agent: x
User-agent: ExampleBot
Request-Rate : 1/5
Disallow: /x
VISIT-TIME:0400-0845
Clean-param: ref&sid /articles/
Noindex /gone
Host:
Unknown: field
Hosts: no
User-agent: OtherBot
Noindex: /other
";
    let line = |line, field, value: &str, in_group| (line, field, value.to_owned(), in_group);
    assert_eq!(
        lines(&extensions(body)),
        [
            line(1, ExtensionField::Host, "www.example.com", false),
            line(7, ExtensionField::RequestRate, "1/5", true),
            line(9, ExtensionField::VisitTime, "0400-0845", true),
            line(10, ExtensionField::CleanParam, "ref&sid /articles/", true),
            line(11, ExtensionField::Noindex, "/gone", true),
        ]
    );
    // A group is the crawler's also where it is named last.
    let late = "User-agent: a\nHost: h\nUser-agent: ExampleBot\n";
    assert_eq!(
        lines(&extensions(late)),
        [line(2, ExtensionField::Host, "h", true)]
    );
    // Without effect on a verdict.
    assert!(
        Crawler::new("ExampleBot")
            .unwrap()
            .parse(body)
            .is_allowed("/gone")
    );
    for field in ExtensionField::ALL {
        assert_eq!(
            field as usize,
            ExtensionField::ALL
                .iter()
                .position(|f| *f == field)
                .unwrap()
        );
        let body = format!("{}: x", field.name());
        assert_eq!(lines(&extensions(&body)), [line(1, field, "x", false)]);
    }
}

/// SPEC 9.3 and 6.6: after a blank line of koster1996 there is no group.
#[test]
fn spec_9_3_koster_records() {
    let crawler = Crawler::new("ExampleBot")
        .unwrap()
        .with_dialect(Dialect::Koster1996)
        .unwrap();
    let body = "User-agent: *\nDisallow: /x\nHost: a\n\nHost: b\nUser-agent: *\nHost: c\n";
    let extensions = Extensions::parse(&crawler, body).unwrap();
    let line =
        |line, value: &str, in_group| (line, ExtensionField::Host, value.to_owned(), in_group);
    assert_eq!(
        lines(&extensions),
        [line(3, "a", true), line(5, "b", false)]
    );
}

/// SPEC 9.3: `<n>/<t>[s|m|h] [hhmm-hhmm]`.
#[test]
fn spec_9_3_request_rates() {
    let rate = |value: &str| {
        let extensions = extensions(&format!("request-rate: {value}\n"));
        let rate = extensions.lines().find_map(|line| line.request_rate());
        rate.map(|rate| {
            (
                rate.requests,
                rate.seconds,
                rate.hours.map(|h| (h.from, h.until)),
            )
        })
    };
    assert_eq!(rate("1/5"), Some((1, 5, None)));
    assert_eq!(rate("30/10s"), Some((30, 10, None)));
    assert_eq!(rate("2/3m"), Some((2, 180, None)));
    assert_eq!(rate("100/24H"), Some((100, 86_400, None)));
    assert_eq!(
        rate("1/10m \t 1300-1659"),
        Some((1, 600, Some((780, 1019))))
    );
    assert_eq!(rate("4294967295/1"), Some((u32::MAX, 1, None)));
    for nonsense in [
        "10",
        "1/0",
        "0/5",
        "1/",
        "/5",
        "/",
        "1/5d",
        "1/5ss",
        "-1/5",
        "1/-5",
        "+1/5",
        "1.5/2",
        "1 / 5",
        "1/5 x",
        "1/5 0600-0845 x",
        "1/5 600-845",
        "4294967296/1",
        "1/4294967295m",
        "1/1193047h",
        "m",
        "1/m",
    ] {
        assert_eq!(rate(nonsense), None, "{nonsense}");
    }
    let other = extensions("visit-time: 1/5\n");
    assert_eq!(other.lines().find_map(|line| line.request_rate()), None);
}

/// SPEC 9.3: `hhmm-hhmm`, UTC.
#[test]
fn spec_9_3_visit_times() {
    let time = |value: &str| {
        let extensions = extensions(&format!("visit-time: {value}\n"));
        let hours = extensions.lines().find_map(|line| line.visit_time());
        hours.map(|hours| (hours.from, hours.until))
    };
    assert_eq!(time("0400-0845"), Some((240, 525)));
    assert_eq!(time("0000-2400"), Some((0, 1440)));
    assert_eq!(time("2200-0600"), Some((1320, 360)));
    assert_eq!(time("2200-0000"), Some((1320, 1440)));
    assert_eq!(time("2400-0100"), Some((0, 60)));
    for nonsense in [
        "",
        "0400",
        "0400-",
        "-0845",
        "0460-0845",
        "2401-0845",
        "2500-0100",
        "400-0845",
        "04:00-08:45",
        "0400 - 0845",
        "0400-08455",
        "+400-0845",
        "0400--845",
        "é0-0000",
    ] {
        assert_eq!(time(nonsense), None, "{nonsense}");
    }
}

/// SPEC 9.4: of the group obeyed, then of no group; absence says nothing; unknown keys are kept.
#[test]
fn spec_9_4_content_signals() {
    let body = "Content-Signal: search=no, ai-input=yes, file=no
User-agent: *
Content-Signal: search=no
Disallow: /
User-agent: ExampleBot
Disallow: /closed
Content-Signal: search=yes,ai-train=no , X=perhaps, y, =no,,z=
content-signal: AI-TRAIN=YES, ai-train=Yes
User-agent: OtherBot
Content-Signal: other=no
";
    let all = "s AI-TRAIN=y@8, s X=?@7, s ai-input=y@1, s ai-train=n@7, s file=n@1, s search=y@7, s y=?@7, s z=?@7";
    assert_eq!(preferences(body, "/open"), all);
    assert_eq!(preferences(body, "/closed/x"), "");
    assert_eq!(preferences(body, "/robots.txt"), "");
    assert_eq!(preferences("Content-Signal: a=yes\n", "/x"), "s a=y@1");
}

/// SPEC 9.5: the example of draft-ietf-aipref-attach.
#[test]
fn spec_9_5_the_example_of_the_draft() {
    let body = "User-Agent: *
Allow: /
Disallow: /never/
Content-Usage: / train-ai=n
Content-Usage: /ai-ok/ train-ai=y

User-Agent: ExampleBot
Allow: /
Content-Usage: / train-ai=y
";
    let of = |token: &str, url| {
        let crawler = Crawler::new(token).unwrap();
        shown(
            &Extensions::parse(&crawler, body)
                .unwrap()
                .preferences(url)
                .unwrap(),
        )
    };
    assert_eq!(of("SomeBot", "/test"), "u train-ai=n@4");
    assert_eq!(of("SomeBot", "https://example.com/never/test"), "");
    assert_eq!(of("SomeBot", "/ai-ok/test"), "u train-ai=y@5");
    assert_eq!(of("ExampleBot", "/never/test"), "u train-ai=y@9");
}

/// SPEC 9.5: the longest path wins whole; equal paths combine, `n` wins; without a path it is `/`.
#[test]
fn spec_9_5_paths() {
    let body = "User-agent: *
Content-Usage: train-ai=n, search=y
Content-Usage: /a\ttrain-ai=y
Content-Usage: /a train-ai=n, x=y
Content-Usage: /%61 x=1
Content-Usage: /b$ b=y
Content-Usage: /*.png c=y
Content-Usage: *.gif=y
Content-Usage: /broken train-ai=
Content-Usage: /nothing
";
    assert_eq!(
        preferences(body, "/"),
        "u *.gif=y@8, u search=y@2, u train-ai=n@2"
    );
    assert_eq!(preferences(body, "/a/b"), "u train-ai=n@4, u x=y@4");
    assert_eq!(preferences(body, "/b"), "u b=y@6");
    assert_eq!(preferences(body, "/b/x.png?q"), "u c=y@7");
    assert_eq!(preferences(body, "/broken"), "");
    assert_eq!(preferences(body, "/nothing/x"), "");
    assert_eq!(preferences(body, "/robots.txt"), "");
    // Of another length, of another kind: `/a*` and `/ab` are both of three bytes.
    let wild = "User-agent: *\nContent-Usage: /a* p=y\nContent-Usage: /ab p=n\n";
    assert_eq!(preferences(wild, "/abc"), "u p=n@3");
    assert_eq!(preferences(wild, "/acc"), "u p=y@2");
    // In no group it is a rule of nobody (SPEC 6.2).
    assert_eq!(
        preferences("Content-Usage: train-ai=n\nUser-agent: *\nAllow: /\n", "/x"),
        ""
    );
    assert_eq!(extensions(body).preferences("no url"), Err(Error::Url));
}

/// SPEC 9.5 and 5.1: white space is what the dialect takes for it.
#[test]
fn spec_9_5_white_space() {
    let of = |dialect, body: &str, url: &str| {
        let crawler = Crawler::new("ExampleBot")
            .unwrap()
            .with_dialect(dialect)
            .unwrap();
        let extensions = Extensions::parse(&crawler, body).unwrap();
        shown(&extensions.preferences(url).unwrap())
    };
    // A form feed is none in rfc9309: with it nothing is a dictionary.
    let feed = "User-agent: *\nContent-Usage: /a \x0Cp=y\n";
    assert_eq!(of(Dialect::Rfc9309, feed, "/a"), "");
    assert_eq!(of(Dialect::Google, feed, "/a"), "u p=y@2");
    // With it the paths are equal in google.
    let equal = "User-agent: *\nContent-Usage: /a\x0B p=y\nContent-Usage: /a p=n\n";
    assert_eq!(of(Dialect::Rfc9309, equal, "/a\x0B"), "u p=y@2");
    assert_eq!(of(Dialect::Google, equal, "/a"), "u p=n@3");
}

/// SPEC 9.5 and 8.7: in koster1996 the first path that matches counts, and there are no wildcards.
#[test]
fn spec_9_5_koster() {
    let crawler = Crawler::new("ExampleBot")
        .unwrap()
        .with_dialect(Dialect::Koster1996)
        .unwrap();
    let body = "User-agent: *\nContent-Usage: /a p=y\nContent-Usage: /a/b p=n\nContent-Usage: /%61 q=n\nContent-Usage: /* r=n\n";
    let extensions = Extensions::parse(&crawler, body).unwrap();
    assert_eq!(
        shown(&extensions.preferences("/a/b").unwrap()),
        "u p=y@2, u q=n@4"
    );
    assert_eq!(shown(&extensions.preferences("/x").unwrap()), "");
}

/// SPEC 9.5: tokens `y` and `n`; anything else is unknown; the last duplicate wins; keys are case-sensitive.
#[test]
fn spec_9_5_dictionaries() {
    assert_eq!(
        header("train-ai=n, search=y"),
        "u search=y@0, u train-ai=n@0"
    );
    assert_eq!(header("  a=y ,\t b=n  "), "u a=y@0, u b=n@0");
    assert_eq!(header("a=y, a=n, a=y;q=1"), "u a=y@0");
    assert_eq!(header("a=n, a"), "u a=?@0");
    assert_eq!(
        header("a=Y, b=no, c=yes, d=n/x"),
        "u a=?@0, u b=?@0, u c=?@0, u d=?@0"
    );
    assert_eq!(
        header(
            "a, b=1, c=-1.25, d=\"n\\\"\\\\\", e=:bjo=:, f=?1, g=@-5, h=%\"f%c3%bc\", i=(y n), j=(), k=(a;x=1 \"b\");y"
        ),
        ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]
            .map(|key| format!("u {key}=?@0"))
            .join(", ")
    );
    assert_eq!(header("*a.b-c_1=n;x;y=\"z\"; *=1"), "u *a.b-c_1=n@0");
    assert_eq!(header(""), "");
    assert_eq!(header("   "), "");
}

/// SPEC 9.5: a parse failure makes all unknown, wherever it is.
#[test]
fn spec_9_5_what_is_no_dictionary_says_nothing() {
    for fault in [
        "A=n",
        "train-AI=n",
        "1=n",
        "=n",
        "b=",
        "b=n c=y",
        "b=n,",
        "b=n,,c=y",
        ",b=n",
        "b =n",
        "b= n",
        "b=n;",
        "b=n;A",
        "b=n ;x",
        "b=1.",
        "b=.5",
        "b=1.2345",
        "b=1234567890123456",
        "b=1234567890123.1",
        "b=-",
        "b=--1",
        "b=\"x",
        "b=\"\\x\"",
        "b=\"\u{e9}\"",
        "b=:a",
        "b=:a*:",
        "b=?2",
        "b=?",
        "b=@1.5",
        "b=@",
        "b=%\"x",
        "b=%x",
        "b=%\"%C3\"",
        "b=%\"%c3\"",
        "b=%\"%ff\"",
        "b=(",
        "b=(y",
        "b=(y,n)",
        "b=(y\"n\")",
        "b=()x",
        "b=n\u{e9}",
        "b=n\0",
        "b\u{e9}=n",
        "b={}",
        "b=n,\u{b}c=y",
    ] {
        assert_eq!(header(fault), "", "{fault:?}");
        assert_eq!(header(&format!("a=y, {fault}")), "", "a=y, {fault:?}");
    }
    // White space that is allowed between members, too, but not before the first.
    assert_eq!(
        (header("\ta=y"), header("a=y\t")),
        (String::new(), "u a=y@0".to_owned())
    );
}

/// What the engine of the library finds by its index, found by trying every line.
#[test]
fn preferences_agree_with_the_oracle() {
    let path = prop_oneof![Just(None), files::rule_path().prop_map(Some)];
    let wish = select(&["p=y", "p=n", "q=y", "q=n", "p", "p=y, q=n", "p=("][..]);
    let lines = vec((path, wish), 0..8);
    let dialect = select(&[
        oracle::Dialect::Rfc9309,
        oracle::Dialect::Google,
        oracle::Dialect::Koster1996,
    ]);
    run(
        &(dialect, lines, support::urls::recipe()),
        |(dialect, lines, recipe)| {
            let setup = oracle::Setup::new(dialect, &[b"ExampleBot"]);
            let (mut body, mut rules) = (b"user-agent: *\n".to_vec(), b"user-agent: *\n".to_vec());
            let mut wishes = Vec::new();
            for (path, wish) in &lines {
                let path = path.as_deref().unwrap_or(b"/");
                // What a content-usage line cannot hold as a path.
                if path.first() != Some(&b'/')
                    || path.iter().any(|o| b" \t\r\n#\0".contains(o))
                    || path.len() > 9_000
                {
                    continue;
                }
                body.extend([b"content-usage: ", path, b" ", wish.as_bytes(), b"\n"].concat());
                rules.extend([b"disallow: ", path, b"\n"].concat());
                wishes.push(*wish);
            }
            let url = recipe.url(&files::rule_paths(&rules));
            let site = oracle::parse(&setup, &rules);
            let answer = site.decide(&url);
            let is = Extensions::parse(&bridge::crawler(&setup), &body)
                .unwrap()
                .preferences(&url);
            if answer.url_error {
                prop_assert!(is.is_err());
                return Ok(());
            }
            let matching = site.matching(&url);
            let length = matching
                .iter()
                .find(|(line, ..)| *line == answer.line)
                .map(|(_, _, length)| *length);
            let mut expected: Vec<(&str, Choice)> = Vec::new();
            for (line, _, of) in &matching {
                if Some(*of) == length && answer.reason != oracle::Reason::RobotsTxt {
                    expected.extend(match wishes[*line as usize - 2] {
                        "p=y" => vec![("p", Choice::Yes)],
                        "p=n" => vec![("p", Choice::No)],
                        "q=y" => vec![("q", Choice::Yes)],
                        "q=n" => vec![("q", Choice::No)],
                        "p" => vec![("p", Choice::Unknown)],
                        "p=y, q=n" => vec![("p", Choice::Yes), ("q", Choice::No)],
                        _ => vec![],
                    });
                }
            }
            expected.sort_unstable();
            expected.dedup_by_key(|(label, _)| *label);
            let is = is.unwrap();
            let is: Vec<(&[u8], Choice)> =
                is.iter().map(|one| (one.label(), one.choice())).collect();
            let expected: Vec<(&[u8], Choice)> =
                expected.iter().map(|(l, c)| (l.as_bytes(), *c)).collect();
            if is != expected {
                return Err(TestCaseError::fail(format!(
                    "{dialect:?}: {is:?}, expected {expected:?} of {}\n{}",
                    url.escape_ascii(),
                    body.escape_ascii()
                )));
            }
            Ok(())
        },
    );
}

/// SPEC 10: any bytes, and lots of them.
#[test]
fn strange_and_large_files() {
    let bytes: Vec<u8> = (0..=255).collect();
    Preferences::from_header(&bytes).unwrap();
    let crawler = Crawler::new("ExampleBot").unwrap();
    let start = std::time::Instant::now();
    let many = format!(
        "user-agent: *\n{}",
        "content-usage: /a p=y\n".repeat(20_000)
    );
    let extensions = Extensions::parse(&crawler, &many).unwrap();
    assert_eq!(shown(&extensions.preferences("/a").unwrap()), "u p=y@2");
    let keys: String = (0..100_000)
        .map(|n| format!("k{}=n,", n % 50_000))
        .collect();
    let preferences = Preferences::from_header(format!("{keys}a=y")).unwrap();
    assert_eq!(preferences.iter().len(), 50_001);
    assert_eq!(
        preferences.choice(Vocabulary::ContentUsage, "a"),
        Some(Choice::Yes)
    );
    assert_eq!(preferences.choice(Vocabulary::ContentSignal, "a"), None);
    println!("{:?}", start.elapsed());
    assert!(start.elapsed().as_secs() < 30);
}
