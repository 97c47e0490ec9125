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
            "User-agent: *\nDisallow: /\nAllow: /$\nAllow: *x\n",
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

/// Search engines that see no page, or none of a form, although a file has rules that let something in.
#[test]
fn pages_that_search_cannot_see_are_said() {
    let both = "such as Googlebot and bingbot, may";
    for (body, line, said) in [
        (
            "User-agent: *\nDisallow: /*\nAllow: /$\n",
            2,
            "fetch no page but the home page: they obey `*` (everyone else) and see nothing else of the site",
        ),
        (
            "User-agent: *\nAllow: /$\nAllow: /index.html$\nAllow: /*.css$\nAllow: /*.js?v=*\nAllow: /sitemap.xml\nDisallow: /\n",
            7,
            "fetch no page but the home page",
        ),
        (
            "User-agent: *\nAllow: /favicon.ico\nDisallow: /\n",
            3,
            "fetch no page: they obey `*` (everyone else) and see nothing of the site",
        ),
        (
            "User-agent: *\nDisallow: /a\nDisallow: /*/\n",
            3,
            "fetch no page in a folder, such as `/shop/tea`",
        ),
        (
            "User-agent: *\nDisallow: /*/*\nAllow: /*/*/*.png$\n",
            2,
            "fetch no page in a folder, such as `/shop/tea`",
        ),
        (
            "User-agent: *\nDisallow: /*/$\n",
            2,
            "fetch no page that ends with `/`, such as `/shop/`",
        ),
        (
            "User-agent: *\nDisallow: /*.html\n",
            2,
            "fetch no page that ends with `.html`, such as `/tea.html`",
        ),
        (
            "User-agent: *\nDisallow: /$\n",
            2,
            "not fetch the home page: they obey `*` (everyone else) and see no text of it",
        ),
        (
            "User-agent: *\nDisallow: /a/\nDisallow: /*e\n",
            3,
            "fetch no page with `e` in its URL",
        ),
        (
            "User-agent: *\nDisallow: *-*\n",
            2,
            "fetch no page with `-` in its URL",
        ),
        (
            "User-agent: *\nDisallow: /*Q\nAllow: /*.css\n",
            2,
            "fetch no page with `Q` in its URL",
        ),
        (
            "User-agent: *\nDisallow: /\nAllow: /cart/\nAllow: /*.css\n",
            2,
            "fetch no page but those that an allow rule opens, `/cart/`: they obey `*` (everyone else) and see nothing else of the site",
        ),
        (
            "User-agent: *\nDisallow: /\nAllow: /wp-admin/admin-ajax.php\n",
            2,
            "fetch no page but those that an allow rule opens, `/wp-admin/admin-ajax.php`",
        ),
        (
            "User-agent: *\nDisallow: /\nAllow: /$\nAllow: /images/\nAllow: /shop/*.html$\n",
            2,
            "fetch no page but the home page and those that an allow rule opens, `/shop/*.html$`",
        ),
        // Folders of style sheets, scripts and images open no page.
        (
            "User-agent: *\nDisallow: /*/\nAllow: /css/\n",
            2,
            "fetch no page in a folder, such as `/shop/tea`",
        ),
        (
            "User-agent: *\nDisallow: /*e\nAllow: /static/\nAllow: /wp-content/uploads/\n",
            2,
            "fetch no page with `e` in its URL: they",
        ),
        (
            "User-agent: *\nDisallow: /\nAllow: /$\nAllow: /css/\nAllow: /js/\nAllow: /images/\nAllow: /*/fonts\n",
            2,
            "fetch no page but the home page: they",
        ),
        (
            "User-agent: *\nDisallow: /*/\nAllow: /shop/\n",
            2,
            "fetch no page in a folder but those that an allow rule opens, `/shop/`",
        ),
        (
            "User-agent: *\nDisallow: /*e\nAllow: /tea\nAllow: /static/about\n",
            2,
            "fetch no page with `e` in its URL but those that an allow rule opens, `/tea` and `/static/about`",
        ),
        // Its author has thought of each folder, but not of the home page.
        (
            "User-agent: *\nDisallow: /\nAllow: /a/\nAllow: /b/\nAllow: /c/\nAllow: /d/\n",
            2,
            "not fetch the home page",
        ),
    ] {
        let is_note = ["ends with", "`Q`", "home page and", "folder but", "URL but"]
            .iter()
            .any(|part| said.contains(part));
        let code = if is_note {
            Code::FormKeptOut
        } else {
            Code::SearchKeptOut
        };
        let report = linted(body.as_bytes());
        let mut found = report
            .diagnostics()
            .iter()
            .filter(|found| matches!(found.code, Code::SearchKeptOut | Code::FormKeptOut));
        let one = found.next().unwrap_or_else(|| panic!("{body}{report}"));
        assert!(
            one.message.contains(&format!("{both} {said}")),
            "{body}{report}"
        );
        assert_eq!(
            (one.code, one.line, found.count()),
            (code, line, 0),
            "{body}{report}"
        );
    }
    for body in [
        "User-agent: *\nDisallow: /\nAllow: /$\nAllow: /a/\nAllow: /b/\nAllow: /c/\nAllow: /d/\n",
        "User-agent: *\nDisallow: /*e\nAllow: /a/\nAllow: /b/\nAllow: /c/\nAllow: /d/\n",
        "User-agent: *\nDisallow: /*=\nDisallow: /*&\nDisallow: /*?\nDisallow: /e\nDisallow: /*-a\n",
        "User-agent: *\nAllow: /$\nAllow: /*/*\nDisallow: /*\n",
        "User-agent: *\nDisallow: /*.h\nAllow: /tea.h\n",
        "User-agent: *\nAllow: /$\nAllow: /*.jsp\nDisallow: /\n",
        "User-agent: *\nDisallow: /*.php\nDisallow: /*?\n",
        "User-agent: *\nDisallow: /*/*?\nDisallow: /*.pdf$\n",
        "User-agent: OmtrBot\nDisallow: /*.html$\n",
    ] {
        let report = linted(body.as_bytes());
        let mut found = report.diagnostics().iter();
        assert!(
            !found.any(|found| matches!(found.code, Code::SearchKeptOut | Code::FormKeptOut)),
            "{body}{report}"
        );
    }
    // To a crawler without wildcards, a path with `*` keeps nothing out.
    let old = lint(
        &crawler(Dialect::Koster1996),
        "User-agent: *\nDisallow: /*/\n",
    )
    .unwrap();
    assert!(!old.to_string().contains("no page"), "{old}");
}

/// The other search engines that see nothing of a site, all in one note.
#[test]
fn other_search_engines_that_are_shut_out_are_named_together() {
    for (body, line, said) in [
        (
            "User-agent: DuckDuckBot\nUser-agent: yandex\nDisallow: /\n\nUser-agent: Baiduspider\nAllow: /$\nDisallow: /\n",
            3,
            "DuckDuckBot, YandexBot and Baiduspider may fetch no page, or nearly none",
        ),
        // Applebot obeys the group of Googlebot.
        (
            "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nUser-agent: bingbot\nDisallow: /cart/\n",
            2,
            "DuckDuckBot, YandexBot, Baiduspider and PetalBot may fetch no page, or nearly none",
        ),
        // One diagnostic for `*` is enough.
        ("User-agent: *\nDisallow: /\n", 0, ""),
        (
            "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow:\n",
            0,
            "",
        ),
        (
            "User-agent: GPTBot\nUser-agent: MJ12bot\nDisallow: /\n",
            0,
            "",
        ),
        ("User-agent: DuckDuckBot\nDisallow: /*.html$\n", 0, ""),
    ] {
        let report = linted(body.as_bytes());
        let mut found = report.diagnostics().iter();
        let found = found.find(|found| found.code == Code::OthersKeptOut);
        let got = found.map_or((0, ""), |found| (found.line, &*found.message));
        assert_eq!(got, (line, said), "{body}{report}");
    }
}

/// Marks of quotation around a name are part of it: what they mean now, and what to do.
#[test]
fn quotation_marks_around_a_name_are_said() {
    for (value, bare, code) in [
        ("\"*\"", "*", Code::AgentWildcard),
        ("'*'", "*", Code::AgentWildcard),
        ("\u{201C}*\u{201D}", "*", Code::AgentWildcard),
        ("\"Googlebot\"", "Googlebot", Code::AgentNotAToken),
    ] {
        let body = format!("User-agent: {value}\nDisallow: /a/\n");
        let report = linted(body.as_bytes());
        let mut found = report.diagnostics().iter();
        let found = found.find(|found| found.code == code);
        let found = found.unwrap_or_else(|| panic!("{report}"));
        let message = format!("quotation marks are part of the name: `{value}` names no crawler");
        assert!(found.message.starts_with(&message), "{report}");
        assert_eq!(
            found.message.ends_with("everyone is `*`"),
            bare == "*",
            "{report}"
        );
        assert_eq!(
            found.suggestion.as_deref(),
            Some(&*format!("remove the quotation marks: write `{bare}`"))
        );
        let fixed = report.apply_fixes(&body, |_| true).unwrap();
        assert_eq!(
            fixed.body,
            format!("User-agent: {bare}\nDisallow: /a/\n").as_bytes()
        );
    }
}

/// A rule that only a ban of search engines makes needless has no fix: the ban may be the fault.
#[test]
fn rules_that_a_ban_hides_are_not_removed() {
    for (body, ban, fixed) in [
        (
            "User-agent: *\nDisallow: /cart/\nDisallow: /\n",
            3,
            "User-agent: *\nDisallow: /cart/\nDisallow: /\n",
        ),
        (
            "User-agent: *\nDisallow: /cart/\nDisallow: /cart/a\nDisallow: /\nDisallow: /*\n",
            5,
            "User-agent: *\nDisallow: /cart/\nDisallow: /*\n",
        ),
        (
            "User-agent: DuckDuckBot\nDisallow: /cart/\nDisallow: /\n",
            3,
            "User-agent: DuckDuckBot\nDisallow: /cart/\nDisallow: /\n",
        ),
        (
            "User-agent: GPTBot\nDisallow: /cart/\nDisallow: /\n",
            0,
            "User-agent: GPTBot\nDisallow: /\n",
        ),
    ] {
        let report = linted(body.as_bytes());
        let found = report.diagnostics().iter().find(|found| found.line == 2);
        let found = found.unwrap_or_else(|| panic!("{report}"));
        assert_eq!(found.code, Code::Redundant, "{report}");
        let advice =
            format!("first decide whether line {ban} is meant: without it this rule may decide");
        let is_said = found.suggestion.as_deref() == Some(&*advice);
        assert_eq!(is_said, ban > 0, "{report}");
        let after = report.apply_fixes(body, |_| true).unwrap();
        assert_eq!(String::from_utf8_lossy(&after.body), fixed);
    }
}

/// A crawler that a group names does not obey what `*` says about use: the group and the line of `*` are both named.
#[test]
fn preferences_of_everyone_are_not_those_of_a_named_crawler() {
    let star = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n";
    for (before, group, is_said) in [
        ("", "User-agent: GPTBot\nDisallow: /a/\n", true),
        (
            "",
            "User-agent: GPTBot\nContent-Signal: search=yes\nDisallow: /a/\n",
            true,
        ),
        (
            "",
            "User-agent: GPTBot\nContent-Signal: ai-train=maybe\nDisallow: /a/\n",
            true,
        ),
        (
            "",
            "User-agent: GPTBot\nContent-Usage: /a train-ai=n\nDisallow: /a/\n",
            true,
        ),
        ("", "User-agent: GPTBot\nDisallow: /\nAllow: /a/\n", true),
        // It is said in the group, before all groups, or the group has nothing to use.
        (
            "",
            "User-agent: GPTBot\nContent-Signal: ai-train=yes\nDisallow: /a/\n",
            false,
        ),
        (
            "",
            "User-agent: GPTBot\nContent-Usage: train-ai=n\nDisallow: /a/\n",
            false,
        ),
        (
            "Content-Signal: ai-train=no\n",
            "User-agent: GPTBot\nDisallow: /a/\n",
            false,
        ),
        ("", "User-agent: GPTBot\nDisallow: /\n", false),
        ("", "", false),
    ] {
        let body = format!("{before}{star}\n{group}");
        let report = linted(body.as_bytes());
        let mut found = report.diagnostics().iter();
        let found = found.find(|found| found.code == Code::PreferencesNotInherited);
        let first = before.lines().count() as u32;
        let lines = found.map(|found| (found.line, found.other_line));
        assert_eq!(
            lines,
            is_said.then_some((first + 5, first + 2)),
            "{body}{report}"
        );
        let help = found.and_then(|found| found.suggestion.as_deref());
        assert!(help.is_none_or(|help| help.starts_with("write line 2 also in this group")));
    }
    // A yes of `*` is not lost: what nobody says is not forbidden.
    let report = linted(
        b"User-agent: *\nContent-Signal: search=yes\nAllow: /\n\nUser-agent: a\nDisallow: /a\n",
    );
    assert!(!report.to_string().contains("R094"), "{report}");
}

/// A rule that another makes needless, whose path may be cut: lint asks which of the two is meant, and removes neither.
#[test]
fn a_path_that_may_be_cut_is_asked_about() {
    for (wide, is_asked) in [
        ("/c", true),
        ("/cart", false),
        ("/ca*", false),
        ("/c-", false),
    ] {
        let body = format!("User-agent: *\nDisallow: {wide}\nDisallow: /cart/\nDisallow: /c-a/\n");
        let report = linted(body.as_bytes());
        let mut found = report.diagnostics().iter();
        let found = found.find(|found| found.line == 3);
        let help = found.and_then(|found| found.suggestion.as_deref());
        assert_eq!(
            help.is_some_and(
                |help| help.starts_with("which one is meant? If line 2 is, remove this rule")
            ),
            is_asked,
            "{report}"
        );
        assert_eq!(
            found.is_some_and(|found| found.fix.is_some()),
            !is_asked && wide != "/c-",
            "{report}"
        );
    }
}
