//! No sequence of events and times makes a fetch panic or run without end, or allow what SPEC 2 says is not allowed.

use crate::invariants::fetch::{DAY, Event, GZIP, drive};
use proptest::prelude::*;
use robots::{Crawler, Dialect, Outcome};

fn events() -> impl Strategy<Value = Vec<Event>> {
    let status = prop_oneof![
        4 => prop::sample::select(vec![200, 204, 206, 301, 302, 304, 401, 403, 404, 410, 418, 429, 500, 503]),
        1 => any::<u16>(),
    ];
    let time = prop_oneof![4 => 0..90 * DAY, 1 => any::<u64>()];
    let name = prop::sample::select(vec![
        "Location",
        "ETag",
        "Last-Modified",
        "Cache-Control",
        "Age",
        "Expires",
        "Date",
        "Retry-After",
        "Content-Length",
        "Content-Encoding",
        "X",
    ]);
    let value = prop_oneof![
        4 => prop::sample::select(vec![
            "/a", "/b", "/c", "http://example.com/robots.txt", "https://b.example/", "http://127.0.0.1/", "mailto:x", "gzip", "br",
            "17", "\"e\"", "max-age=5",
            "no-store", "max-age=99999999999999999999", "0", "-1", "600", "Fri, 02 Jan 1970 00:00:00 GMT",
        ]).prop_map(str::to_owned),
        1 => ".{0,12}",
    ];
    let body = prop::sample::select(vec![
        &b"user-agent: *\ndisallow: /\n"[..],
        b"user-agent: *\nallow: /\n",
        b"",
        b"\xEF\xBB\xBFx",
        b"\x1F\x8B\x08",
        GZIP,
    ]);
    let event = prop_oneof![
        4 => (status, time.clone()).prop_map(|(status, now)| Event::Status(status, now)),
        3 => (name, value).prop_map(|(name, value)| Event::Header(name.into(), value.into())),
        4 => Just(Event::HeadersEnd),
        2 => body.prop_map(|body| Event::Body(body.into())),
        3 => Just(Event::End),
        1 => (1..=8_u32, time).prop_map(|(failure, now)| Event::Fail(failure, now)),
    ];
    prop::collection::vec(event, 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_events(dialect in prop::sample::select(Dialect::ALL.to_vec()), all in events()) {
        drive(dialect, &all)?;
    }

    #[test]
    fn any_record(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let crawlers = [Crawler::new("bot").unwrap()];
        let made_up = [&b"rbto\x01"[..], &bytes].concat();
        prop_assert!(Outcome::decode(&bytes, &crawlers).is_err());
        prop_assert!(Outcome::decode(&made_up, &crawlers).is_err());
    }
}
