//! SPEC 9.3: lines that are kept and readable.

use super::{extensions, lines};
use robots::{Crawler, Dialect, ExtensionField, Extensions};

/// SPEC 9.3, 9.7: lines of the groups obeyed and of no group are kept, in any case of the field.
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
LICENSE:https://example.com/terms # RSL
User-agent: OtherBot
Noindex: /other
License: /other
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
            line(
                15,
                ExtensionField::License,
                "https://example.com/terms",
                true
            ),
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
