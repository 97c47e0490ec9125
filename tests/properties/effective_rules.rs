//! `Rules::effective_rules`: the list decides as the rules do, in file order, and no list is more permissive than the verdicts.

use crate::oracle::Dialect;
use crate::support::runner::{URLS, as_case, run};
use crate::support::{bridge, files, urls};
use proptest::collection::vec;
use proptest::test_runner::TestCaseError;
use robots::{Crawler, Reason, Rules};

/// Each rule as `line allow pattern`.
fn listed(rules: &Rules) -> Vec<String> {
    let list = rules.effective_rules().unwrap();
    let all: Vec<String> = list
        .iter()
        .map(|rule| {
            let word = if rule.allow() { "allow" } else { "disallow" };
            format!("{} {word} {}", rule.line(), rule.pattern().escape_ascii())
        })
        .collect();
    assert_eq!(all.len(), list.len());
    assert_eq!(all.is_empty(), list.is_empty());
    assert_eq!(list.get(list.len()), None);
    assert_eq!(list.get(usize::MAX), None);
    all
}

fn parsed(crawler: &Crawler, body: &str) -> Vec<String> {
    let rules = crawler.parse(body);
    let copy = Rules::from_image(rules.image()).unwrap();
    assert_eq!(listed(&rules), listed(&copy));
    listed(&rules)
}

#[test]
fn a_list_has_each_rule_that_can_decide() {
    let crawler = Crawler::new("ExampleBot").unwrap();
    let body = "user-agent: *\ndisallow: /no\n\nuser-agent: ExampleBot\ndisallow: /b%7e\nallow: /ä*.gif$\nallow: /x$\n\
                disallow:\nallow: b\nallow: *\nallow: *.pdf\ndisallow: /a*b**c*\nallow: /b~\nallow: /x$y\ndisallow: /x$\n";
    assert_eq!(
        parsed(&crawler, body),
        [
            "6 allow /%C3%A4*.gif$",
            "7 allow /x$",
            "10 allow /",
            "11 allow *.pdf",
            "12 disallow /a*b*c**",
            "13 allow /b~",
            "14 allow /x%24y",
        ]
    );
    assert!(parsed(&crawler, "user-agent: other\ndisallow: /\n").is_empty());
    let stars = "user-agent: *\ndisallow: /a**b$\nallow: **c*d$\n";
    assert_eq!(
        parsed(&crawler, stars),
        ["2 disallow /a**b$", "3 allow **c*d$"]
    );
}

#[test]
fn google_adds_the_directory_of_an_index() {
    let google = Crawler::new("ExampleBot").unwrap();
    let google = google.with_dialect(robots::Dialect::Google).unwrap();
    let body = "user-agent: *\ndisallow: /\nallow: /x/index.html\n";
    let expected = ["2 disallow /", "3 allow /x/index.html", "3 allow /x/$"];
    assert_eq!(parsed(&google, body), expected);
}

#[test]
fn site_wide_rules_are_a_list_that_permits_no_more() {
    assert_eq!(listed(&Rules::disallow_all()), ["0 disallow /"]);
    assert!(listed(&Rules::allow_all()).is_empty());
}

#[test]
fn long_starts_and_large_files_are_listed() {
    let crawler = Crawler::new("ExampleBot").unwrap();
    let start = "/long".repeat(200);
    let mut body = String::from("user-agent: *\n");
    let mut expected = Vec::new();
    for number in 0..20_000 {
        let path = match number % 4 {
            0 => format!("/{number}"),
            1 => format!("/{}/*x{number}", number % 7),
            2 => format!("*{number}$"),
            _ if number % 100 == 3 => format!("{start}/{number}"),
            _ => format!("/{}{number}$", "d".repeat(number % 40)),
        };
        let word = if number % 3 == 0 { "allow" } else { "disallow" };
        body += &format!("{word}: {path}\n");
        expected.push(format!("{} {word} {path}", number + 2));
    }
    let crawler = crawler.with_max_bytes(4_000_000).unwrap();
    assert_eq!(parsed(&crawler, &body), expected);
}

/// Rules share the labels of nodes, so that an image that a stranger made could need gigabytes as a list.
#[test]
fn a_list_has_a_limit() {
    let crawler = Crawler::new("ExampleBot").unwrap();
    let mut body = String::from("user-agent: *\n");
    for number in 0..3_000 {
        body += &format!("disallow: {}{number}\n", "/abcdefgh".repeat(3_000));
    }
    let rules = crawler.with_max_bytes(1 << 30).unwrap().parse(&body);
    let error = rules.effective_rules().unwrap_err();
    assert_eq!(error, robots::Error::Memory);
}

/// Writes a list as a file: each rule on its line.
fn as_file(dialect: Dialect, rules: &Rules) -> Vec<u8> {
    let mut lines = vec![b"user-agent: *".to_vec()];
    let mut last = 0;
    for rule in rules.effective_rules().unwrap().iter() {
        assert!(rule.line() >= last, "not in the order of the file");
        // The directory that google adds is added again (SPEC 8.10).
        if rule.line() == last {
            assert!(dialect == Dialect::Google && rule.allow());
            continue;
        }
        last = rule.line();
        lines.resize(last as usize - 1, b"#".to_vec());
        let word = if rule.allow() {
            "allow: "
        } else {
            "disallow: "
        };
        lines.push([word.as_bytes(), &written(dialect, rule.pattern())].concat());
    }
    lines.join(&b'\n')
}

/// A pattern as a file has it: koster1996 decodes what is in the file once more (SPEC 8.6).
fn written(dialect: Dialect, pattern: &[u8]) -> Vec<u8> {
    if dialect != Dialect::Koster1996 {
        return pattern.to_vec();
    }
    let mut text = Vec::new();
    for (at, byte) in pattern.iter().enumerate() {
        if byte.is_ascii_alphanumeric() || *byte == b'/' || pattern[at..].starts_with(b"%2F") {
            text.push(*byte);
        } else {
            text.extend_from_slice(format!("%{byte:02X}").as_bytes());
        }
    }
    text
}

fn decides_as_the_rules(dialect: Dialect) {
    let scenario = (
        files::setup(dialect),
        files::file(),
        vec(urls::recipe(), URLS),
    );
    run(&scenario, |(setup, file, recipes)| {
        let body = file.bytes(setup.max_bytes);
        let rules = bridge::crawler(&setup).parse(&body);
        let again = as_file(dialect, &rules);
        let reader = Crawler::new("reader").unwrap();
        let reader = reader.with_dialect(bridge::dialect(dialect)).unwrap();
        let reader = reader.with_max_bytes(1 << 30).unwrap();
        let list = reader.parse(&again);
        let paths = files::rule_paths(&body);
        for recipe in recipes {
            let url = recipe.url(&paths);
            let (one, other) = (rules.check(&url), list.check(&url));
            let has_line = matches!(one.reason(), Reason::RuleAllowed | Reason::RuleDisallowed);
            if one.allowed() != other.allowed() || has_line && one != other {
                return Err(TestCaseError::fail(format!(
                    "the rules say {one:?}, their list {other:?}: {}\n{}",
                    again.escape_ascii(),
                    as_case(&setup, &body, &url)
                )));
            }
        }
        Ok(())
    });
}

#[test]
fn rfc9309_lists_decide_as_the_rules() {
    decides_as_the_rules(Dialect::Rfc9309);
}

#[test]
fn google_lists_decide_as_the_rules() {
    decides_as_the_rules(Dialect::Google);
}

#[test]
fn koster1996_lists_decide_as_the_rules() {
    decides_as_the_rules(Dialect::Koster1996);
}
