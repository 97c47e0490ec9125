//! What lint claims of all URLs, or of other crawlers, is so.

use super::{crawler, linted};
use robots::{Code, Dialect, lint};

/// What RFC 9309 does not need is not called needless where Google needs it.
#[test]
fn what_google_needs_is_said() {
    let but = "; but not for Google, which reads the path otherwise";
    for (body, code, line) in [
        (
            "User-agent: Googlebot\nDisallow: /a\nAllow: /a%7e\nDisallow: /*~*\n",
            Code::NeverWins,
            3,
        ),
        (
            "User-agent: *\nAllow: /~a/\nDisallow: /%7ea/\n",
            Code::Conflict,
            3,
        ),
        (
            "User-agent: *\nDisallow: /~a/\nDisallow: /%7ea/\n",
            Code::Duplicate,
            3,
        ),
        (
            "User-agent: *\nDisallow: /b/\nAllow: /a/index.html\nDisallow: /*x\nAllow: /a/index.html\n",
            Code::Duplicate,
            5,
        ),
    ] {
        let report = linted(body.as_bytes());
        let mut found = report.diagnostics().iter();
        let found = found.find(|found| found.line == line && found.code == code);
        let found = found.unwrap_or_else(|| panic!("{report}"));
        let is_needed = body.contains("%7e");
        assert_eq!(found.message.ends_with(but), is_needed, "{report}");
        assert_eq!(found.fix.is_none(), is_needed, "{report}");
    }
}

/// An example is a URL that clients send, and a disallow rule allows nothing.
#[test]
fn sentences_name_what_is_there() {
    let report = linted(b"User-agent: *\nDisallow: /a\x0C\nUser-agent: Foo\nCrawl-delay: 5\n");
    assert!(
        report.to_string().contains("it may fetch `/a%0C`"),
        "{report}"
    );
    let report = linted(b"User-agent: *\nDisallow: /\nDisallow: /robots.txt*\n");
    assert!(
        !report.to_string().contains("what this rule allows"),
        "{report}"
    );
}

/// What lint reports about all URLs is so for each.
#[test]
fn what_is_said_of_all_urls_is_so() {
    use Dialect::{Google, Koster1996, Rfc9309};
    for (code, dialect, body, is_said) in [
        (
            Code::SearchKeptOut,
            Koster1996,
            "User-agent: *\nDisallow: /*\n",
            false,
        ),
        (
            Code::SearchKeptOut,
            Google,
            "User-agent: *\nDisallow: /*\n",
            true,
        ),
        (
            Code::SearchKeptOut,
            Rfc9309,
            "User-agent: *\nDisallow: /$\nDisallow: /?*\nDisallow: /*\n",
            true,
        ),
        (
            Code::SearchKeptOut,
            Rfc9309,
            "User-agent: *\nDisallow: /\nAllow: *x\n",
            false,
        ),
        (
            Code::SearchKeptOut,
            Rfc9309,
            "User-agent: *\nDisallow: /\nAllow: /robots.txt$\n",
            true,
        ),
        (
            Code::SearchKeptOut,
            Rfc9309,
            "User-agent: *\nDisallow: /cart/\n\nUser-agent: bingbot\nDisallow: /\n",
            true,
        ),
        (
            Code::SearchKeptOut,
            Rfc9309,
            "User-agent: googlebot\nUser-agent: bingbot\nDisallow: /cart/\n\nUser-agent: *\nDisallow: /\n",
            false,
        ),
        // Googlebot reads these fields.
        (
            Code::SearchKeptOut,
            Rfc9309,
            "User-agent: *\nDisallowed: /\n",
            true,
        ),
        (
            Code::SearchKeptOut,
            Rfc9309,
            "User-agent: Googlebot\nAllowed: /\nDisallow: /\n",
            false,
        ),
        (
            Code::SearchKeptOut,
            Rfc9309,
            "User-agent: Baiduspider\nUser-agent: GPTBot\nDisallow: /\n",
            false,
        ),
        // SPEC 7.3: `a` obeys the group of `a1`.
        (
            Code::GroupWithoutRules,
            Rfc9309,
            "User-agent: a1\nDisallow: /x\n\nUser-agent: a\n",
            false,
        ),
        (
            Code::GroupWithoutRules,
            Rfc9309,
            "User-agent: b1\nDisallow: /x\n\nUser-agent: a\n",
            true,
        ),
        (
            Code::DialectsDiffer,
            Rfc9309,
            "User-agent: *\nDisallow: /a\nAllow: /a/%7Eb\n",
            true,
        ),
        (
            Code::DialectsDiffer,
            Rfc9309,
            "User-agent: *\nDisallow: /a\nDisallow: /a/%7Eb\n",
            false,
        ),
        // The rule that decides is no duplicate, although another reading of the URL has the same verdict (SPEC 8.11).
        (
            Code::Duplicate,
            Rfc9309,
            "User-agent: *\nDisallow: /\nDisallow: /?$\n",
            false,
        ),
        (
            Code::Redundant,
            Rfc9309,
            "User-agent: *\nDisallow: /\nDisallow: /?$\n",
            true,
        ),
        (
            Code::Redundant,
            Rfc9309,
            "User-agent: a\nDisallow: /\n\nUser-agent: *\nUser-agent: a\nDisallow: /\n",
            true,
        ),
        (
            Code::RobotsTxtRule,
            Rfc9309,
            "User-agent: *\nDisallow: /robots%2Etxt$\n",
            true,
        ),
        (
            Code::NeverWins,
            Rfc9309,
            "User-agent: *\nAllow: /a/b\nDisallow: /a*/\nDisallow: /a/b*\n",
            true,
        ),
        (
            Code::Redundant,
            Rfc9309,
            "User-agent: *\nDisallow: /*.php\nDisallow: /a*.php\n",
            true,
        ),
        (
            Code::Redundant,
            Rfc9309,
            "User-agent: *\nDisallow: /*.php\nAllow: /abcde\nDisallow: /a*.php\n",
            false,
        ),
    ] {
        let report = lint(&crawler(dialect), body).unwrap();
        let found = report.diagnostics().iter().any(|found| found.code == code);
        assert_eq!(found, is_said, "{code} {dialect:?}\n{body}{report}");
    }
    // It names a page that the crawler may fetch and others may not.
    let body = "User-agent: *\nDisallow: /shop/\n\nUser-agent: a\nDisallow: /shop/cart\n";
    let report = lint(&crawler(Rfc9309), body).unwrap().to_string();
    assert!(
        report.contains("it may fetch `/shop/`, which `*` disallows on line 2"),
        "{report}"
    );
}
