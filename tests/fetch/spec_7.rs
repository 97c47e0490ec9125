//! SPEC 7.6, 7.9: product tokens, and the names in a User-Agent header.

use std::collections::BTreeSet;

use robots::{Crawler, Dialect, Error};

use crate::support::corpus;

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

/// Returns the names of tests/data/names.txt, and those in the user-agent lines of all files of ROBOTS_CORPUS.
fn all_names() -> BTreeSet<Vec<u8>> {
    let kinds = include_str!("../data/names.txt").lines();
    let mut names: BTreeSet<_> = kinds.map(|name| name.as_bytes().to_vec()).collect();
    for (_, body) in corpus::files(100) {
        for line in body.split(|byte| b"\r\n".contains(byte)) {
            let line = line.split(|byte| *byte == b'#').next().unwrap();
            let Some(colon) = line.iter().position(|byte| *byte == b':') else {
                continue;
            };
            let field = line[..colon].trim_ascii();
            if field.eq_ignore_ascii_case(b"user-agent") {
                names.insert(line[colon + 1..].trim_ascii().to_vec());
            }
        }
    }
    names.remove(&b""[..]);
    names
}

#[test]
fn spec_7_9_each_name_names_itself() {
    for name in all_names() {
        let file = [b"User-agent: ", &name[..], b"\nDisallow: /\n"].concat();
        for dialect in [Dialect::Rfc9309, Dialect::Koster1996] {
            let crawler = Crawler::without_token().with_dialect(dialect).unwrap();
            let crawler = crawler.with_names_in(&name).unwrap();
            assert!(
                !crawler.parse(&file).is_allowed("/x"),
                "{dialect:?} {}",
                name.escape_ascii()
            );
        }
    }
}

#[test]
fn spec_7_9_names_in_a_text() {
    for (text, names) in [
        ("ExampleBot", &["ExampleBot"][..]),
        (
            " ExampleBot/1.0 (+https://example.com/bot)\t",
            &["ExampleBot"],
        ),
        ("Yahoo! Slurp", &["Slurp", "Yahoo"]),
        (
            "Mozilla/5.0 (compatible; Yahoo! Slurp; http://a.example/)",
            &["Slurp", "Yahoo", "Mozilla"],
        ),
        ("Mozilla/5.0 (X11) Chrome/1 Example!Bot/1", &["Mozilla"]),
        (
            "Mozilla/5.0 (X11) Chrome/1 Safari/2 OtherBot/1",
            &["OtherBot", "Mozilla"],
        ),
        ("Mozilla/5.0 (Windows NT 10.0)", &["Mozilla"]),
        ("007", &["007"]),
        ("*DotBot*", &["*DotBot*"]),
        ("+Spider/2.0", &["+Spider/2.0"]),
        ("*", &[]),
        ("* Bot", &["Bot"]),
        (" ", &[]),
    ] {
        let crawler = Crawler::without_token().with_names_in(text).unwrap();
        let found: Vec<_> = crawler.tokens().map(String::from_utf8_lossy).collect();
        assert_eq!(found, names, "{text}");
    }
}

#[test]
fn spec_7_9_a_text_is_named_as_a_whole_only() {
    let crawler = Crawler::without_token().with_names_in("*DotBot*").unwrap();
    for (name, is_named) in [
        ("*dotbot*", true),
        ("*DotBot*/1", false),
        ("*DotBot* x", false),
        ("DotBot", false),
        ("*DotBot", false),
    ] {
        let file = format!("User-agent: {name}\nDisallow: /\n");
        assert_eq!(crawler.parse(file).is_allowed("/"), !is_named, "{name}");
    }
}

#[test]
fn spec_7_9_at_most_64_tokens() {
    let mut crawler = Crawler::without_token();
    for number in 0..64 {
        crawler = crawler.with_names_in(format!("bot{number}/1.0")).unwrap();
    }
    crawler = crawler.with_names_in("BOT63").unwrap();
    assert_eq!(crawler.tokens().count(), 64);
    assert_eq!(crawler.with_names_in("bot64").err(), Some(Error::Argument));
}
