//! The canonical form of URLs and rules (SPEC 8.6) and the origin of a URL (SPEC 1): equal to the oracle's, and
//! the same when it is taken again.

use super::input::{Bytes, dialect};
use crate::oracle::{self, Dialect, Setup};
use crate::support::{bridge, urls::expand};
use robots::{Crawler, Origin, Rules, explain};

/// A byte for the dialect, a rule's path, a URL.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes(data);
    let setup = Setup::new(dialect(bytes.next()), &[b"ExampleBot"]);
    let (rule, url) = (bytes.part(), bytes.part());
    let crawler = bridge::crawler(&setup);
    origin_is_settled(&url);
    rule_is_canonical(&crawler, &setup, &rule);

    let body = [b"user-agent: *\ndisallow: ", &rule[..]].concat();
    let site = oracle::parse(&setup, &body);
    let Ok(why) = explain(&crawler, &body, &url) else {
        assert_eq!(site.path(&url), None);
        return;
    };
    let path = &*why.path;
    assert_eq!(site.path(&url).as_deref(), Some(path));
    if setup.dialect != Dialect::Rfc9309 {
        return; // in koster1996 %2541 is %41, and that is A; google takes URLs as they are
    }
    if site.readings(path).iter().any(|reading| reading != path) {
        return; // %2e of a reading is a dot in canonical form
    }
    assert_eq!(explain(&crawler, &body, path).unwrap().path, path);
    let rules = crawler.parse(&body);
    assert_eq!(rules.check(&url), rules.check(path));
    let is_exempt = path == b"/robots.txt";
    if is_exempt && site.readings(&url).iter().any(|reading| *reading != url) {
        return; // a rule may match another reading
    }
    // The rule made of it matches the URL, whole and without its last bytes.
    for short in [0, 1, path.len() / 2] {
        let start = &path[..path.len() - short];
        let end: &[u8] = if short == 0 { b"$" } else { b"" };
        if start.is_empty() || start.ends_with(b"%") || start[..start.len() - 1].ends_with(b"%") {
            continue; // a cut escape is another byte
        }
        let rules = crawler.parse([b"user-agent: *\ndisallow: ", start, end].concat());
        assert_eq!(
            rules.is_allowed(&url),
            is_exempt,
            "{}",
            start.escape_ascii()
        );
    }
}

fn rule_is_canonical(crawler: &Crawler, setup: &Setup, rule: &[u8]) {
    let with = |rule: &[u8]| -> Vec<u8> { [b"user-agent: *\ndisallow: ", rule].concat() };
    let body = with(rule);
    // What the rule matches if it is one.
    let url = expand(rule, &[b"x"], false);
    let Ok(why) = explain(crawler, &body, &url) else {
        return;
    };
    let Some(matched) = why.matched.first() else {
        return;
    };
    let pattern = &*matched.pattern;
    let expected = oracle::canonical_rule(setup.dialect, matched.path());
    assert_eq!(
        pattern.escape_ascii().to_string(),
        expected.escape_ascii().to_string()
    );
    if setup.dialect == Dialect::Koster1996 {
        return;
    }
    let again = explain(crawler, with(pattern), &url).unwrap();
    assert_eq!(again.matched[0].pattern, pattern);
    let as_rules = |rule: &[u8]| -> Rules { crawler.parse(with(rule)) };
    assert_eq!(
        as_rules(matched.path()).check(&url),
        as_rules(pattern).check(&url)
    );
}

fn origin_is_settled(url: &[u8]) {
    let Ok(origin) = Origin::from_url(url) else {
        return;
    };
    let again = Origin::from_url(origin.key()).unwrap();
    assert_eq!(again.key(), origin.key());
    assert!(origin.governs(url) && origin.governs(origin.robots_url()));
    assert_eq!(origin.robots_url(), format!("{}/robots.txt", origin.key()));
}
