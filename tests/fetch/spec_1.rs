//! SPEC 1: where a robots.txt is, and what it governs.

use super::server::*;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use robots::{Error, Fetch, Origin};

/// SPEC 1.1, 1.2, 1.3, 1.4, 1.7
#[test]
pub(crate) fn spec_1_origins() {
    #[rustfmt::skip]
    let rows = [
        ("https://example.com/folder/file", "https://example.com"),
        ("https://example.com", "https://example.com"),
        ("https://example.com?q", "https://example.com"),
        ("https://example.com#f", "https://example.com"),
        ("http://example.com/folder/robots.txt", "http://example.com"),
        ("https://example.com:8181/robots.txt", "https://example.com:8181"),
        ("https://example.com:443/", "https://example.com"),
        ("https://example.com:0443/", "https://example.com"),
        ("https://example.com:/", "https://example.com"),
        ("https://example.com:444/", "https://example.com:444"),
        ("http://example.com:80/", "http://example.com"),
        ("http://example.com:443/", "http://example.com:443"),
        ("ftp://example.com:21/", "ftp://example.com"),
        ("ftp://example.com/robots.txt", "ftp://example.com"),
        ("https://www.ex\u{e4}mple.com/", "https://www.xn--exmple-cua.com"),
        ("https://www.EX\u{c4}MPLE.com/", "https://www.xn--exmple-cua.com"),
        ("https://www.xn--exmple-cua.com/", "https://www.xn--exmple-cua.com"),
        ("https://www.XN--EXMPLE-CUA.com/", "https://www.xn--exmple-cua.com"),
        ("https://ex%C3%A4mple.com/", "https://xn--exmple-cua.com"),
        ("HTTPS://Example.COM/Path", "https://example.com"),
        ("https://user:secret@example.com/", "https://example.com"),
        ("https://a@b@example.com/", "https://example.com"),
        ("https://us\u{e9}r@example.com/", "https://example.com"),
        ("https://other.com@example.com/", "https://example.com"),
        ("https://example.com/@other.com", "https://example.com"),
        ("https://example.com?@other.com", "https://example.com"),
        ("https://example.com./", "https://example.com."),
    ];
    for (url, key) in rows {
        let origin = super::server::origin(url).unwrap();
        assert_eq!(origin.key(), key, "{url}");
        assert_eq!(origin.robots_url(), format!("{key}/robots.txt"));
        assert!(origin.governs(url) && origin.governs(key), "{url}");
    }
    // Bytes that are not UTF-8 stand in the way of no origin, but in a host they do.
    assert_eq!(
        origin(b"http://\xFF@a.com/\xFF\0").unwrap().key(),
        "http://a.com"
    );
    assert_eq!(origin(b"http://\xFF.com/"), Err(Error::Url));
}

/// SPEC 1.2, and the examples below 1.7
#[test]
pub(crate) fn spec_1_2_governs_its_own_origin_alone() {
    #[rustfmt::skip]
    let rows = [
        (ROBOTS, "https://example.com/folder/file", true),
        (ROBOTS, "https://other.example.com/", false),
        (ROBOTS, "http://example.com/", false),
        (ROBOTS, "https://example.com:8181/", false),
        (ROBOTS, "https://example.com./", false),
        (ROBOTS, "/folder", false),
        (ROBOTS, "", false),
        ("https://www.example.com/robots.txt", "https://example.com/", false),
        ("https://www.example.com/robots.txt", "https://shop.www.example.com/", false),
        ("ftp://example.com/robots.txt", "ftp://example.com/x", true),
        ("ftp://example.com/robots.txt", "http://example.com/x", false),
        ("https://example.com:8181/robots.txt", "https://example.com:8181/x", true),
        ("https://example.com:8181/robots.txt", "https://example.com/x", false),
    ];
    for (robots, url, governs) in rows {
        assert_eq!(
            super::server::governs(robots, url),
            governs,
            "{robots} {url}"
        );
    }
}

/// SPEC 1.5
#[test]
pub(crate) fn spec_1_5_addresses() {
    for (url, key) in [
        ("http://212.96.82.21/x", "http://212.96.82.21"),
        ("http://0xd4.96.82.21/x", "http://212.96.82.21"),
        ("http://3563082261/x", "http://212.96.82.21"),
        ("http://[::1]:8080/x", "http://[::1]:8080"),
        ("http://[0:0:0:0:0:0:0:1]:80/x", "http://[::1]"),
        ("http://[2001:DB8::A]/", "http://[2001:db8::a]"),
    ] {
        assert_eq!(origin(url).unwrap().key(), key, "{url}");
    }
    assert!(!super::server::governs(
        "http://212.96.82.21/",
        "http://example.com/"
    ));
    for url in [
        "http://256.1.1.1/",
        "http://1.2.3.4.5/",
        "http://[::1/",
        "http://[v1.a]/",
    ] {
        assert_eq!(origin(url), Err(Error::Url), "{url}");
    }
}

/// SPEC 1.6
#[test]
pub(crate) fn spec_1_6_schemes() {
    for url in [
        "ws://example.com/",
        "file:///etc/passwd",
        "mailto:a@example.com",
        "javascript:x",
        "data:,",
        "httpss://a/",
    ] {
        assert_eq!(origin(url), Err(Error::Scheme), "{url}");
        assert_eq!(
            Fetch::new(&[standard()], url, NOW).err(),
            Some(Error::Scheme)
        );
    }
    let long = format!("http://{}/", "a".repeat(5000));
    for url in [
        "",
        "/",
        "/robots.txt",
        "example.com",
        "://example.com/",
        "http:/example.com/",
        "http:example.com",
        "http://",
        "http:///x",
        "https://:80/",
        "https://@/",
        "http://a b/",
        "http://a\\b/",
        "http://a.com\\@b.com/",
        "ht\ntp://a/",
        " http://a.com/",
        "http://a\t.com/",
        "http://a.com:65536/",
        "http://a.com:-1/",
        "http://a.com:8 0/",
        "http://xn--a/",
        "1http://a/",
        "http://a%2Fb/",
        "http://a<b/",
        &long,
    ] {
        assert_eq!(origin(url), Err(Error::Url), "{url}");
    }
}

/// Generates the part of a URL after its scheme from ordinary and malformed pieces.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b1",
        "www",
        "example",
        "com",
        "xn--",
        "xn--exmple-cua",
        "--",
        "-",
        "_",
        ".",
        "..",
        "1",
        "127",
        "0x7f",
        "0",
        "256",
        "[::1]",
        "%41",
        "%2e",
        "\u{e4}",
        "\u{3002}",
        "A",
        "@",
        ":",
        "80",
        "443",
        "0443",
        "8080",
        "65535",
        "65536",
        "99999",
        "/",
        "?",
        "#",
        "\\",
        " ",
        "\t",
        "*",
        "!",
        "\u{ad}",
        "\u{df}",
    ]);
    prop::collection::vec(piece, 0..8).prop_map(|all| all.concat())
}

/// Checks 20,000 generated inputs. `check` returns the number of its origins: without any, a property of keys shows nothing.
fn check_keys<S: Strategy>(input: S, check: impl Fn(S::Value) -> Result<u32, TestCaseError>) {
    let origins = std::cell::Cell::new(0);
    let config = ProptestConfig {
        cases: 20_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let result = TestRunner::new(config).run(&input, |input| {
        origins.set(origins.get() + check(input)?);
        Ok(())
    });
    result.unwrap();
    assert!(origins.get() > 1_000, "{} origins", origins.get());
}

/// A scheme in lower case may take a path of its own: the key is part of the URL.
#[test]
fn a_key_is_the_same_for_a_scheme_in_any_case() {
    let schemes = prop::sample::select(vec!["http://", "https://", "ftp://"]);
    check_keys((schemes, pieces()), |(scheme, rest)| {
        let [usual, other] = [scheme.to_owned(), scheme.to_uppercase()]
            .map(|scheme| Origin::from_url(scheme + &rest));
        let count = u32::from(usual.is_ok());
        prop_assert_eq!(usual, other, "{}{}", scheme, rest);
        Ok(count)
    });
}

#[test]
fn key_of_a_key_is_the_key() {
    let bytes = prop::collection::vec(any::<u8>(), 0..20);
    check_keys((pieces(), bytes), |(rest, bytes)| {
        let mut count = 0;
        for url in [
            [b"http://", rest.as_bytes()].concat(),
            [b"https://", &*bytes].concat(),
        ] {
            if let Ok(origin) = Origin::from_url(&url) {
                prop_assert_eq!(Origin::from_url(origin.key()), Ok(origin.clone()));
                prop_assert_eq!(Origin::from_url(origin.robots_url()), Ok(origin));
                count += 1;
            }
        }
        Ok(count)
    });
}

#[test]
fn two_labels_in_punycode_are_decoded() {
    let punycode = "https://xn--exmple-cua.xn--exmple-cua/";
    assert_eq!(
        Origin::from_url(punycode).unwrap().key(),
        punycode.trim_end_matches('/')
    );
    assert_eq!(Origin::from_url("https://xn--a.xn--a/"), Err(Error::Url));
}

/// The user name counts for the limit of the authority, and the limit of the host is that of its normal form.
#[test]
fn lengths_are_limited() {
    for (len, is_sound) in [(4096, true), (4097, false), (4098, false)] {
        let url = format!("https://{}@Host/", "u".repeat(len - "@Host".len()));
        assert_eq!(Origin::from_url(&url).is_ok(), is_sound, "{len}");
    }
    for (len, is_sound) in [(254, true), (255, true), (256, false), (257, false)] {
        for first in ["a", "A"] {
            let host = [first, &"b.".repeat(len / 2)].concat();
            let url = format!("https://{}/", host.get(..len).unwrap_or_default());
            assert_eq!(Origin::from_url(&url).is_ok(), is_sound, "{len} {first}");
        }
    }
}
