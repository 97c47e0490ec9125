//! The advice of Google's guides for owners of sites: each with its section, the rows of the specification, and what shows
//! that the library follows it. The recipes of the guide are in `recipes`.

use robots::{Code, Crawler, Origin};

use super::recipes::GUIDE;

/// The guide "Introduction to robots.txt".
const USED_FOR: &str = "What is a robots.txt file used for?";
const LIMITATIONS: &str = "Understand the limitations of a robots.txt file";
/// The guide "Create and submit a robots.txt file".
const CREATE: &str = "Create a robots.txt file";
const RULES: &str = "Create rules in the robots.txt file";
const USEFUL: &str = "Useful robots.txt rules";

/// The sections that give advice; uploading, testing and submitting a file is a task of its owner's server.
const SECTIONS: [&str; 5] = [USED_FOR, LIMITATIONS, CREATE, RULES, USEFUL];

enum Shown {
    /// Lint reports this of the file, and its explanation has these words.
    Lint(&'static [u8], Code, &'static str),
    /// May this crawler fetch the path?
    Verdict(&'static str, &'static str, &'static str, bool),
    /// The robots.txt that governs a URL.
    Governs(&'static str, &'static str),
    /// A recipe of `GUIDE`.
    Recipe(&'static str),
}

use Shown::{Governs, Lint, Recipe, Verdict};

/// A file with two folders and a page that is an exception.
const SHOP: &str = "User-agent: *\nDisallow: /cart/ # not for search\nDisallow: /file.asp\nAllow: /cart/help\n\nUser-agent: Googlebot\nDisallow: /*.gif$\n";

/// The section, the rows of the specification (`-`: none), the advice, and what shows it.
#[rustfmt::skip]
const ADVICE: &[(&str, &str, &str, Shown)] = &[
    (USED_FOR, "8.2", "images can be kept out of Google Images", Recipe("images")),
    (USED_FOR, "8.2", "files that pages need to be shown are not blocked", Lint(b"User-agent: *\nDisallow: /*.css$\n", Code::BlockedAssets, "render pages as browsers do")),
    (LIMITATIONS, "-", "a robots.txt hides no page", Lint(b"User-agent: *\nDisallow: /private/\n", Code::PrivatePath, "Protect private pages with a password")),
    (LIMITATIONS, "-", "a page that is disallowed may be listed", Lint(b"User-agent: *\nDisallow: /private/\n", Code::PrivatePath, "may list the URL of a page that they may not fetch")),
    (LIMITATIONS, "9.3", "to keep a page out of search use noindex, and let crawlers in", Lint(b"User-agent: *\nNoindex: /a/\nDisallow: /b/\n", Code::Noindex, "a crawler must fetch it to read them")),
    (LIMITATIONS, "-", "not every crawler obeys", Lint(b"User-agent: Perplexity-User\nDisallow: /\n", Code::IgnoresTheFile, "block them in the server")),
    (LIMITATIONS, "8.6", "crawlers read the rules differently", Lint(b"User-agent: *\nDisallow: /a%3Ab\n", Code::DialectsDiffer, "different verdicts")),
    (LIMITATIONS, "8.7", "crawlers read the order of rules differently", Lint(b"User-agent: *\nDisallow: /a/\nAllow: /a/b/\n", Code::OldCrawlersDiffer, "the first rule that matches decides")),
    (CREATE, "4.1", "the file is UTF-8 text", Lint(b"\xFF\xFEU\0s\0e\0r\0", Code::Utf16, "A robots.txt is UTF-8")),
    (CREATE, "4.4", "other characters make rules void", Lint(b"User-agent: *\nDisallow: /caf\xE9/\n", Code::NotUtf8, "UTF-8")),
    (CREATE, "4.3", "a word processor adds characters", Lint(b"User-agent: *\n\xC2\xA0Disallow: /a/\n", Code::Invisible, "word processor")),
    (CREATE, "1.1", "the file is at the top level", Governs("https://example.com/pages/robots.txt", "https://example.com/robots.txt")),
    (CREATE, "1.2", "each host has its own file", Governs("https://shop.example.com/", "https://shop.example.com/robots.txt")),
    (CREATE, "1.2", "each port has its own file", Governs("https://example.com:8181/a", "https://example.com:8181/robots.txt")),
    (CREATE, "1.2", "each protocol has its own file", Governs("http://example.com/a", "http://example.com/robots.txt")),
    (RULES, "7.1", "a crawler obeys one group only", Verdict(SHOP, "Googlebot", "/cart/1", true)),
    (RULES, "7.1", "the others obey the group of *", Verdict(SHOP, "Bingbot", "/cart/1", false)),
    (RULES, "7.1", "a crawler with a group escapes the rules of *", Lint(b"User-agent: *\nDisallow: /a/\n\nUser-agent: ExampleBot\nCrawl-delay: 5\n", Code::EscapesEveryone, "never both")),
    (RULES, "7.5", "AdsBot is named by name", Verdict("User-agent: *\nDisallow: /\n", "AdsBot-Google", "/", true)),
    (RULES, "7.5", "`*` is not everyone", Lint(b"User-agent: *\nDisallow: /\n", Code::SearchKeptOut, "AdsBot-Google")),
    (RULES, "8.8", "what no rule disallows may be fetched", Verdict(SHOP, "Bingbot", "/tea", true)),
    (RULES, "8.2", "paths have letter case", Verdict(SHOP, "Bingbot", "/FILE.asp", true)),
    (RULES, "8.2", "so another case is disallowed only if it is written", Verdict(SHOP, "Bingbot", "/file.asp", false)),
    (RULES, "5.1", "a `#` starts a comment", Verdict(SHOP, "Bingbot", "/cart/", false)),
    (RULES, "6.2", "a group starts with user-agent", Lint(b"Disallow: /a/\nUser-agent: *\nDisallow: /b/\n", Code::RuleOutsideGroup, "Write `User-agent: *` above them")),
    (RULES, "8.5", "a path starts with /", Lint(b"User-agent: *\nDisallow: private/\n", Code::PathWithoutSlash, "Paths of URLs begin with `/`")),
    (RULES, "8.2", "a folder ends with /", Lint(b"User-agent: *\nDisallow: /calendar\nAllow: /calendar/public\n", Code::FolderWithoutSlash, "`/calendar` also matches `/calendars`")),
    (RULES, "8.2", "without it longer names are disallowed, too", Verdict("User-agent: *\nDisallow: /calendar\n", "Googlebot", "/calendars", false)),
    (RULES, "8.7", "an allow is an exception from a disallow", Verdict(SHOP, "Bingbot", "/cart/help", true)),
    (RULES, "8.3", "* and $ match ends of paths", Verdict(SHOP, "Googlebot", "/images/dogs.gif", false)),
    (RULES, "8.4", "$ is the end of the URL", Verdict(SHOP, "Googlebot", "/images/dogs.gif?size=1", true)),
    (RULES, "9.1", "a sitemap is a whole URL", Lint(b"Sitemap: /sitemap.xml\n", Code::RelativeSitemap, "with scheme and host")),
    (RULES, "4.3", "other lines are ignored", Lint(b"User-agent: *\nDisallow: /a/\nColour: blue\n", Code::UnknownField, "skip a line")),
    (USEFUL, "8.2", "recipes", Recipe("keep-all-out")),
];

#[test]
fn advice_of_the_guides() {
    for (section, rows, advice, shown) in ADVICE {
        let about = format!("{section} (SPEC {rows}): {advice}");
        match *shown {
            Lint(body, code, words) => {
                let report = super::linted(body);
                let mut found = report.diagnostics().iter();
                assert!(found.any(|found| found.code == code), "{about}\n{report}");
                assert!(code.explanation().contains(words), "{about}: {code}");
            }
            Verdict(file, name, url, is_allowed) => {
                let crawler = Crawler::preset(name).unwrap();
                assert_eq!(crawler.parse(file).is_allowed(url), is_allowed, "{about}");
            }
            Governs(url, file) => {
                assert_eq!(Origin::from_url(url).unwrap().robots_url(), file, "{about}");
            }
            Recipe(name) => {
                let mut requests = GUIDE.iter().map(|(_, request, _)| request);
                assert!(requests.any(|request| *request == name), "{about}");
            }
        }
    }
}

/// Each section has advice, each row that is cited exists, and each recipe of the specification is one of the guide: the same
/// lines, in any order.
#[test]
fn the_table_has_no_hole() {
    let spec = include_str!("../../src/spec.md");
    for section in SECTIONS {
        assert!(ADVICE.iter().any(|(of, ..)| *of == section), "{section}");
    }
    for (section, row, advice, _) in ADVICE {
        assert!(SECTIONS.contains(section), "{advice}");
        let has_row = spec.contains(&format!("<a id=\"{row}\"></a>"));
        assert!(*row == "-" || has_row, "{advice}: SPEC {row}");
    }
    let (_, recipes) = spec
        .split_once("### Recipes of the guide for webmasters")
        .unwrap();
    let recipes = recipes.split("\n## ").next().unwrap();
    let rows = recipes
        .lines()
        .filter(|line| line.starts_with("| "))
        .skip(1);
    let mut count = 0;
    for row in rows {
        let file = row.split(" | ").nth(1).unwrap();
        let lines: Vec<&str> = file.split('`').skip(1).step_by(2).collect();
        let is_it = |text: &str| {
            lines
                .iter()
                .all(|wanted| text.lines().any(|line| line == *wanted))
        };
        let found = GUIDE.iter().any(|(_, _, text)| is_it(text));
        assert!(found, "no recipe of GUIDE in recipes.rs writes {file}");
        count += 1;
    }
    assert_eq!(count, 11);
}
