//! SPEC 9.5: the `Content-Usage` header field, an RFC 9651 Dictionary.

use super::header;
use crate::support::runner::run;
use crate::support::uses::{Preferences, of_header};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

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
    // All bytes that a token may have.
    assert_eq!(
        header("a=t!#$%&'*+-.^_`|~:/9T, b=*, c=n"),
        "u a=?@0, u b=?@0, u c=n@0"
    );
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
    // White space around a header is no part of it; in a dictionary, a tab is allowed between members only.
    for text in ["\ta=y", "a=y\t", " \ta=y\t "] {
        assert_eq!(header(text), "u a=y@0", "{text:?}");
    }
}

/// Returns what the crate `sfv` makes of a field; nothing if it is not a dictionary. White space around a field is no part of it
/// (RFC 9110, section 5.5).
fn by_sfv(text: &str) -> Preferences {
    let text = text.trim_matches([' ', '\t']).as_bytes();
    let said = |entry: &sfv::ListEntry| {
        let token = match entry {
            sfv::ListEntry::Item(item) => item.bare_item.as_token().map(|token| token.as_str()),
            sfv::ListEntry::InnerList(_) => None,
        };
        match token {
            Some("y") => 'y',
            Some("n") => 'n',
            _ => '?',
        }
    };
    let dictionary: Option<sfv::Dictionary> = sfv::Parser::new(text).parse().ok();
    let members = dictionary.into_iter().flatten();
    members
        .map(|(key, entry)| ((false, key.as_str().as_bytes().to_vec()), (said(&entry), 0)))
        .collect()
}

/// SPEC 9.5: our parser and the crate `sfv` read the same.
#[test]
fn spec_9_5_dictionaries_are_those_of_rfc_9651() {
    const KEYS: &[&str] = &[
        "a", "b", "a", "b", "*", "k1", "k_-.*", "c", "A", "1", "", " ",
    ];
    #[rustfmt::skip]
    const PIECES: &[&str] = &[
        "=", "y", "n", "1", "a", "-", ".", "\"", "\\", ":", "?", "@", "%\"", "(", ")", " ", ";", "x", "%c3", "%bc",
        "%e4", "999999999999", "123", "YQ", "Y", "/", "+", "*", "\t", "\0", "\u{e9}", "'",
    ];
    #[rustfmt::skip]
    const VALUES: &[&str] = &[
        "", "=y", "=n", "=y", "=n", "=n;x", "=y;x=1", "=tok/:x", "=1", "=-12.125", "=\"s\"", "=?0", "=@-9", "=:YQ==:",
        "=(y n)", "=%\"f%c3%bc\"",
    ];
    const GAPS: &[&str] = &[",", ",", ", ", "\t,\t", " , ", " ", ",,", ""];
    // Mostly a sign that starts a kind of value, and some pieces of it.
    let malformed = (
        select(
            &[
                "=", "=:", "=\"", "=%\"", "=(", "=@", "=?", "=-", "=1", ";", "=a",
            ][..],
        ),
        vec(select(PIECES), 0..5),
        select(&["", "", ":", "\"", ")", ";"][..]),
    )
        .prop_map(|(start, pieces, end)| [start, &pieces.concat(), end].concat());
    let value = prop_oneof![2 => select(VALUES).prop_map(str::to_owned), 1 => malformed];
    let member = (select(KEYS), value, select(GAPS));
    run(&vec(member, 0..5), |members| {
        let mut text = String::new();
        for (number, (key, value, gap)) in members.iter().enumerate() {
            text.push_str(if number == 0 { "" } else { gap });
            text.push_str(key);
            text.push_str(value);
        }
        let own = of_header(text.as_bytes());
        prop_assert_eq!(own, by_sfv(&text), "{:?}", text);
        Ok(())
    });
}
