//! SPEC 7.6: product tokens, and the token in a User-Agent header.

use robots::{Crawler, Dialect, Error};

#[test]
fn spec_7_6_the_token_in_a_user_agent_header() {
    const WEBKIT: &str = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ";
    for (header, token) in [
        ("ExampleBot", Some("ExampleBot")),
        ("ExampleBot/1.0", Some("ExampleBot")),
        (
            "ExampleBot/1.0 (+https://example.com/bot)",
            Some("ExampleBot"),
        ),
        (
            "Mozilla/5.0 (compatible; ExampleBot/0.1; +https://example.com/bot)",
            Some("ExampleBot"),
        ),
        (
            "Mozilla/5.0 (compatible;PetalBot;+https://example.com)",
            Some("PetalBot"),
        ),
        (
            "mozilla/5.0 (X11; COMPATIBLE; MJ12bot/v1.4.8; http://a.example/)",
            Some("MJ12bot"),
        ),
        (
            "Mozilla/5.0 (compatible; archive.org_bot +http://a.example)",
            Some("archive.org_bot"),
        ),
        (
            "Mozilla/5.0 (compatible; Yahoo! Slurp; http://a.example/)",
            Some("Slurp"),
        ),
        (
            &format!("{WEBKIT}bingbot/2.0; +http://a.example) Chrome/103.0.5 Safari/537.36"),
            Some("bingbot"),
        ),
        (
            "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/9.1 Mobile \
             Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            Some("Googlebot"),
        ),
        (
            "Mozilla/5.0 (X11) Version/14 Mobile/15E148 Other-Bot/3",
            Some("Other-Bot"),
        ),
        ("Mozilla/5.0 (compatible; (Inner/1) Outer/2)", Some("Inner")),
        ("Mozilla/5.0 (a (compatible; b) c) d/1", Some("b")),
        ("Mozilla/5.0 (compatible) (Hidden/1)", None),
        ("Mozilla/5.0 (compatible; Version/5) (Hidden/1)", None),
        ("Mozilla/5.0 (Windows NT 10.0; Hidden/1)", None),
        (
            "Mozilla/5.0 (compatible; 1.0; +http://a.example/; http://b.example/)",
            None,
        ),
        ("Mozilla/5.0 (compatible; Version/5)) Gecko/1", None),
        ("F\u{f6}o/1", None),
        ("Foo*", None),
        ("*", None),
        ("(((", None),
        (")", None),
        ("", None),
    ] {
        let found = Crawler::token_from_user_agent(header);
        assert_eq!(found, token.ok_or(Error::Token), "{header}");
    }
}

fn is_token(token: &[u8], dialect: Dialect) -> bool {
    let crawler = Crawler::without_token().with_dialect(dialect).unwrap();
    let is_token = crawler.with_token(token).is_ok();
    assert_eq!(
        dialect.token_fault(token).is_none(),
        is_token,
        "{dialect:?} {token:?}"
    );
    is_token
}

#[test]
fn spec_7_6_tokens_of_each_dialect() {
    use Dialect::{Google, Koster1996, Rfc9309};
    for byte in 0..=255_u8 {
        let letters = byte.is_ascii_alphabetic() || b"_-".contains(&byte);
        let digits = letters || byte.is_ascii_digit() || byte == b'.';
        let koster = digits || b"!#$%&'*+^`|~".contains(&byte);
        for (dialect, is_valid) in [(Google, letters), (Rfc9309, digits), (Koster1996, koster)] {
            assert_eq!(
                is_token(&[b'x', byte], dialect),
                is_valid,
                "{dialect:?} {byte}"
            );
        }
    }
    for dialect in Dialect::ALL {
        for token in [&b""[..], b"*", &[b'x'; robots::limits::MAX_TOKEN_LEN + 1]] {
            assert!(!is_token(token, dialect));
        }
        assert!(is_token(&[b'x'; robots::limits::MAX_TOKEN_LEN], dialect));
    }
    assert!(is_token(b"**", Koster1996));
}

#[test]
fn spec_7_6_faults_name_the_token() {
    let header = "Mozilla/5.0 (compatible; ExampleBot/1.0; ...)";
    for dialect in Dialect::ALL {
        let words = format!("`{header}` is a User-Agent header; its token is ExampleBot");
        assert_eq!(dialect.token_fault(header), Some(words));
    }
    for (dialect, token, part) in [
        (
            Dialect::Rfc9309,
            &b""[..],
            "`` is not a product token: it has 1 to 1024",
        ),
        (Dialect::Rfc9309, b"Foo*", "`Foo*` is not"),
        (Dialect::Rfc9309, b"a\x00\xFF", "`a\\x00\\xff` is not"),
        (Dialect::Rfc9309, &[b'x'; 2_000], "x...` is not"),
        (Dialect::Google, b"MJ12bot", "in google it has letters"),
    ] {
        let fault = dialect.token_fault(token);
        assert!(fault.is_some_and(|fault| fault.contains(part)), "{part}");
    }
}

/// SPEC 7.3, 7.4, 7.8
#[test]
fn spec_7_3_a_dialect_returns_the_name_of_a_line() {
    use Dialect::{Google, Koster1996, Rfc9309};
    for (dialect, value, name) in [
        (Rfc9309, &b"Bot2.1/3"[..], Some(&b"Bot2.1"[..])),
        (Rfc9309, b"* x", Some(b"*")),
        (Rfc9309, b"(none)", None),
        (Google, b"Bot2.1/3", Some(b"Bot")),
        (Koster1996, b" Bot 2/3 \t ", Some(b"Bot 2/3")),
        (Koster1996, b" ", None),
    ] {
        assert_eq!(dialect.agent_name(value), name, "{dialect:?} {value:?}");
    }
}
