//! The form of a URL to send (SPEC 8.11), with the oracle's readings of it.

use crate::oracle::{self, Setup};
use proptest::prelude::*;
use robots::{Crawler, Dialect, Error, Origin, url_to_send};
use std::borrow::Cow;

/// The longest path of a form, in bytes (SPEC 8.11).
const LONGEST: usize = 1 << 16;

fn form(url: &str) -> String {
    url_to_send(url).unwrap().into_owned()
}

/// The table of SPEC 8.11 shows what each client sends for these URLs.
#[test]
fn spec_8_11_the_form_to_send() {
    for (url, sent) in [
        ("https://h/x.pdf?", "https://h/x.pdf"),
        ("https://h/x?#f", "https://h/x"),
        ("https://h", "https://h/"),
        ("https://h?q", "https://h/?q"),
        ("https://h/a;", "https://h/a%3B"),
        ("https://h/a;?q;", "https://h/a%3B?q;"),
        ("https://h/prive\u{301}", "https://h/prive%CC%81"),
        ("https://h/pri\u{c}vate", "https://h/pri%0Cvate"),
        ("https://h/a/../..//private", "https://h//private"),
        ("https://h/p?a b", "https://h/p?a%20b"),
        ("https://h/p\u{3000}", "https://h/p%E3%80%80"),
        ("https://h/ok%7E%", "https://h/ok~%25"),
        (
            "https://h/private%2fmy file",
            "https://h/private%2Fmy%20file",
        ),
        ("https://h/it's?it's", "https://h/it's?it%27s"),
        ("https://h/%%32e", "https://h/%252e"),
        ("https://h/a/.%2\te/b \x01", "https://h/b"),
        ("https://u:p@H:0443/[a]?[b]", "https://h/%5Ba%5D?%5Bb%5D"),
        ("ftp://h/a\\b?c\\d", "ftp://h/a/b?c%5Cd"),
    ] {
        assert_eq!(form(url), sent, "{url:?}");
    }
    // Lengths around those of the buffers.
    for len in [1007, 1008, 1009, 4080, 4081, 16_368, 16_369, 16_370, 65_000] {
        let path = "b".repeat(len);
        let (url, sent) = (
            format!("https://h/a/../{path}"),
            format!("https://h/{path}"),
        );
        assert_eq!(form(&url), sent);
    }
    assert_eq!(url_to_send("https://h\\x/"), Err(Error::Url));
    assert_eq!(url_to_send("/path"), Err(Error::Url));
    assert_eq!(url_to_send("gopher://h/"), Err(Error::Scheme));
    let long = |len| ["https://h/", &"a".repeat(len)].concat();
    assert!(url_to_send(&long(LONGEST - 1)).is_ok());
    assert_eq!(url_to_send(&long(LONGEST)), Err(Error::Url));
    assert_eq!(
        url_to_send(&[&long(LONGEST - 3), " b"].concat()),
        Err(Error::Url)
    );
}

fn urls() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a", "B", "7", "-", "~", "/", "//", "\\", ".", "..", "/../", "/./", "%2e", "%2E", "%",
        "%4", "%41", "%2f", "%3f", "%25", "%zz", "%c3%A9", "é", "\u{301}", "\t", "\n", "\x0c",
        "\x7f", " ", "?", "#", ";", "'", "*", "$", "+", "&", "=", "[", "|", "\"", "\u{3000}",
        "private",
    ]);
    let host = prop::sample::select(vec![
        "https://h/",
        "HTTP://u@Ex%61mple.com:80/",
        "https://h",
        "ftp://[::1]:2121/",
    ]);
    (host, prop::collection::vec(pieces, 0..10))
        .prop_map(|(host, path)| [host, &path.concat()].concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// The form is its own form, has one reading and keeps the origin. The crate `url`, one of the clients, does not change
    /// it.
    #[test]
    fn the_form_is_sent_unchanged(url in urls()) {
        let Ok(form) = url_to_send(&url) else {
            prop_assert!(Origin::from_url(&url).is_err());
            return Ok(());
        };
        prop_assert_eq!(&*url_to_send(&*form).unwrap(), &*form, "{:?}", url);
        prop_assert!(matches!(url_to_send(&*form), Ok(Cow::Borrowed(_))) || form.contains(['%', '\'']), "{}", form);
        let origin = Origin::from_url(&url).unwrap();
        let path = form.strip_prefix(origin.key()).unwrap();
        let site = oracle::parse(&Setup::new(oracle::Dialect::Rfc9309, &[b"x"]), b"");
        let readings = site.readings(path.as_bytes());
        prop_assert!(readings.iter().all(|reading| reading == path.as_bytes()), "{}", form);
        let is_of_url = |c: char| c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:@/?%".contains(c);
        prop_assert!(path.chars().all(is_of_url), "{}", form);
        let parsed = url::Url::parse(&form).unwrap();
        prop_assert_eq!(parsed.as_str(), &*form);
        let (path, query) = path.split_once('?').unwrap_or((path, "q"));
        prop_assert!(!path.ends_with(';') && !query.is_empty(), "{}", form);
    }

    /// If a URL is allowed, its form is allowed.
    #[test]
    fn the_form_of_an_allowed_url_is_allowed(
        url in urls(),
        rule in prop::collection::vec(prop::sample::select(vec![
            "a", "B", "7", "/", "//", ".", "..", "%2e", "%25", "%", "é", "%C3%A9", "*", "$", "?", ";", "'", "private", " ",
        ]), 0..6),
        tail in prop::sample::select(vec!["", "*", "$", "/"]),
    ) {
        let file = ["user-agent: *\ndisallow: /", &rule.concat(), tail, "\nallow: /a"].concat();
        let Ok(form) = url_to_send(&url) else {
            return Ok(());
        };
        for dialect in [Dialect::Rfc9309, Dialect::Koster1996] {
            let rules = Crawler::new("x").unwrap().with_dialect(dialect).unwrap().parse(&file);
            prop_assert!(!rules.is_allowed(&url) || rules.is_allowed(&*form), "{:?} {:?} {}", file, url, form);
        }
    }
}
