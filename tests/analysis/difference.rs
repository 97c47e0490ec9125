//! SPEC 12: the exact difference of two sets of rules, against the enumeration of all short paths.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use robots::{Crawler, Dialect, Difference, DifferenceResult, Rules};

use crate::support::runner::{cases, run};

fn rules(dialect: Dialect, body: &str) -> Rules {
    let crawler = Crawler::new("ExampleBot").unwrap();
    crawler.with_dialect(dialect).unwrap().parse(body)
}

/// Returns the first path, with a `+` if the first rules allow it.
fn first(difference: &Difference) -> String {
    assert_ne!(difference.result(), DifferenceResult::NotDecided);
    let path = difference.paths().next();
    path.map_or("none".to_owned(), |path| {
        let sign = if path.verdicts()[0].allowed() {
            '+'
        } else {
            '-'
        };
        format!("{sign}{}", path.path())
    })
}

/// SPEC 12.1
fn is_of_difference(path: &str) -> bool {
    let before_query = path.split('?').next().unwrap();
    let decoded = before_query.replace("%2e", ".").replace("%2E", ".");
    path.starts_with('/')
        && path
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !b"#\\".contains(&byte))
        && !decoded
            .split('/')
            .any(|segment| matches!(segment, "." | ".."))
}

fn allowed(rules: &Rules, path: &str) -> bool {
    let verdict = rules.check(format!("http://x{path}"));
    assert!(verdict.error().is_none());
    verdict.allowed()
}

/// Returns all paths of at most `len` bytes.
fn paths<'b>(bytes: &'b [u8], len: usize) -> impl Iterator<Item = String> + 'b {
    let mut digits: Vec<usize> = Vec::new();
    std::iter::from_fn(move || {
        let path: String = digits.iter().map(|digit| bytes[*digit] as char).collect();
        let place = digits.iter().rposition(|digit| digit + 1 < bytes.len());
        match place {
            _ if digits.len() > len => return None,
            Some(place) => {
                digits[place] += 1;
                digits[place + 1..].fill(0);
            }
            None => digits = vec![0; digits.len() + 1],
        }
        Some(format!("/{path}"))
    })
}

fn agrees_with_enumeration(
    sides: [(Dialect, &str); 2],
    bytes: &[u8],
    len: usize,
) -> Result<(), TestCaseError> {
    let [left, right] = sides.map(|(dialect, body)| rules(dialect, body));
    let difference = left.difference(&right).unwrap();
    let shortest = paths(bytes, len)
        .filter(|path| is_of_difference(path))
        .find(|path| allowed(&left, path) != allowed(&right, path));
    prop_assert_ne!(
        difference.result(),
        DifferenceResult::NotDecided,
        "{:?}",
        sides
    );
    for path in difference.paths() {
        prop_assert!(is_of_difference(path.path()), "{:?} {}", sides, path.path());
        let verdicts = path.verdicts().map(|verdict| verdict.allowed());
        let wanted = [allowed(&left, path.path()), allowed(&right, path.path())];
        prop_assert_eq!(verdicts, wanted, "{:?} {}", sides, path.path());
        prop_assert!(wanted[0] != wanted[1]);
    }
    let found = difference.paths().next().map(|path| path.path());
    match (&shortest, found) {
        (None, None) => {}
        (Some(shortest), None) => prop_assert!(false, "{:?}: {} is missed", sides, shortest),
        (None, Some(found)) => {
            let is_enumerated =
                found.len() <= len + 1 && found[1..].bytes().all(|byte| bytes.contains(&byte));
            prop_assert!(!is_enumerated, "{:?}: {}", sides, found);
        }
        (Some(shortest), Some(found)) => {
            prop_assert!(
                found.len() <= shortest.len(),
                "{:?}: {} {}",
                sides,
                found,
                shortest
            );
            let is_enumerated = found[1..].bytes().all(|byte| bytes.contains(&byte));
            prop_assert!(
                !is_enumerated || found.len() == shortest.len(),
                "{:?}: {} {}",
                sides,
                found,
                shortest
            );
        }
    }
    // The reverse has the same answer.
    let reverse = right.difference(&left).unwrap();
    prop_assert_eq!(
        reverse.paths().next().map(|path| path.path().len()),
        found.map(str::len)
    );
    Ok(())
}

/// Without the paths of accepted rules the difference is that of the other paths.
fn agrees_outside(
    dialect: Dialect,
    bodies: [&str; 2],
    accepted: &str,
    bytes: &[u8],
    len: usize,
) -> Result<(), TestCaseError> {
    let [left, right] = bodies.map(|body| rules(dialect, body));
    let accepted_rules = rules(dialect, accepted);
    let difference = left.difference_outside(&right, &accepted_rules).unwrap();
    let differs = |path: &str| {
        allowed(&accepted_rules, path) && allowed(&left, path) != allowed(&right, path)
    };
    let all = paths(bytes, len).filter(|path| is_of_difference(path));
    let shortest = all
        .filter(|path| differs(path))
        .map(|path| path.len())
        .next();
    let found: Vec<&str> = difference.paths().map(|path| path.path()).collect();
    let what = format!("{bodies:?} {accepted:?} {found:?} {shortest:?}");
    prop_assert!(
        difference.result() != DifferenceResult::NotDecided,
        "{}",
        what
    );
    prop_assert!(found.iter().all(|path| differs(path)), "{}", what);
    let is_short = found.first().is_some_and(|path| path.len() <= len + 1);
    prop_assert!(
        shortest.is_none() || !found.is_empty() && found[0].len() <= shortest.unwrap(),
        "{}",
        what
    );
    let is_enumerated = is_short && found[0][1..].bytes().all(|byte| bytes.contains(&byte));
    prop_assert!(
        !is_enumerated || shortest == Some(found[0].len()),
        "{}",
        what
    );
    Ok(())
}

fn dialect() -> impl Strategy<Value = Dialect> {
    prop::sample::select(vec![
        Dialect::Rfc9309,
        Dialect::Rfc9309,
        Dialect::Google,
        Dialect::Koster1996,
    ])
}

fn body(atoms: &'static [&'static str]) -> impl Strategy<Value = String> {
    let path = prop::collection::vec(prop::sample::select(atoms), 0..4);
    let rule = (any::<bool>(), path).prop_map(|(allow, path)| {
        let field = if allow { "Allow" } else { "Disallow" };
        format!("{field}: /{}\n", path.concat())
    });
    let rules = prop::collection::vec(rule, 0..5);
    rules.prop_map(|rules| format!("User-agent: *\n{}", rules.concat()))
}

const WORDS: &[&str] = &[
    "a",
    "b",
    "ab",
    "aa",
    "*",
    "*",
    "$",
    "/",
    "*a",
    "b$",
    "index.html",
];
const MARKS: &[&str] = &[
    "/../",
    "./",
    "%0",
    "a",
    "*",
    "?",
    "%2F",
    "%2f",
    ".",
    "%2e",
    "..",
    "%",
    "$",
    "2F",
    "/",
    "robots.txt",
    "%41",
    "~",
    "%7e",
    "|",
    "7C",
    "*?$",
];

/// The length of the enumerated paths without their `/`. Longer ones take 5 to 16 times as long: they are for long searches.
fn len() -> usize {
    if cases() < 1_000_000 { 5 } else { 6 }
}

#[test]
fn small_files_of_words() {
    let side = || (dialect(), body(WORDS));
    run(&(side(), side()), |(left, right)| {
        let sides = [(left.0, &*left.1), (right.0, &*right.1)];
        agrees_with_enumeration(sides, b"ab/x?", len())
    });
}

#[test]
fn small_files_of_marks() {
    let side = || (dialect(), body(MARKS));
    run(&(side(), side()), |(left, right)| {
        let sides = [(left.0, &*left.1), (right.0, &*right.1)];
        agrees_with_enumeration(sides, b"ax/?%2Fe.$|7C41~", len() - 2)
    });
}

/// Most changes of a file keep most of its rules.
#[test]
fn one_more_rule() {
    run(
        &(dialect(), body(WORDS), body(WORDS)),
        |(dialect, old, more)| {
            let new = [old.lines(), more.lines()].into_iter().flatten();
            let new = new
                .filter(|line| !line.starts_with("User"))
                .collect::<Vec<_>>()
                .join("\n");
            let new = format!("User-agent: *\n{new}");
            agrees_with_enumeration([(dialect, &old), (dialect, &new)], b"ab/x?", len())
        },
    );
}

#[test]
fn outside_of_accepted_rules() {
    let files = || [body(WORDS), body(WORDS), body(WORDS)];
    run(&(dialect(), files()), |(dialect, [old, new, accepted])| {
        let accepted = accepted.replace("Allow", "Disallow");
        agrees_outside(dialect, [&old, &new], &accepted, b"ab/x?", len())
    });
    let files = || [body(MARKS), body(MARKS), body(MARKS)];
    run(&(dialect(), files()), |(dialect, [old, new, accepted])| {
        let accepted = accepted.replace("Allow", "Disallow");
        agrees_outside(
            dialect,
            [&old, &new],
            &accepted,
            b"ax/?%2Fe.$|7C41~",
            len() - 2,
        )
    });
    // SPEC 8.11: only in rfc9309 a path with an empty query is decided without it, too.
    for (dialect, wanted) in [(Dialect::Google, "-/?"), (Dialect::Rfc9309, "-/?x")] {
        let [old, new, accepted] = ["Disallow: /?", "", "Disallow: /$"]
            .map(|body| rules(dialect, &format!("User-agent: *\n{body}")));
        let found = old.difference_outside(&new, &accepted).unwrap();
        let found = first(&found);
        assert!(
            found.starts_with("-/?") && found.len() == wanted.len(),
            "{found}"
        );
    }
    let google = rules(Dialect::Google, "");
    let other = rules(Dialect::Rfc9309, "");
    let refused = google.difference_outside(&google, &other);
    assert_eq!(refused.unwrap_err(), robots::Error::Argument);
}

#[test]
fn the_shortest_path_or_none() {
    use Dialect::{Google, Koster1996, Rfc9309};
    for (old, new, wanted) in [
        (
            (Rfc9309, "Disallow: /*.php"),
            (Rfc9309, "Disallow: /*.php\nAllow: /shopping/"),
            "-/shopping/.php",
        ),
        (
            (Rfc9309, "Disallow: /a"),
            (Rfc9309, "Disallow: /a\nDisallow: /a/b"),
            "none",
        ),
        (
            (Rfc9309, "Disallow: /%7e"),
            (Rfc9309, "Disallow: /~"),
            "none",
        ),
        ((Google, "Disallow: /%7e"), (Google, "Disallow: /~"), "+/~"),
        ((Rfc9309, "Disallow: /*"), (Rfc9309, "Disallow: /"), "none"),
        (
            (Rfc9309, "Disallow: /*\nAllow: /a"),
            (Rfc9309, "Disallow: /\nAllow: /a"),
            "none",
        ),
        (
            (Rfc9309, "Disallow: /$\nDisallow: /*a"),
            (Rfc9309, "Disallow: /"),
            "+/x",
        ),
        (
            (Rfc9309, "Disallow: /robots.txt"),
            (Rfc9309, ""),
            "-/robots.txtx",
        ),
        ((Rfc9309, "Disallow: /robots.txt$"), (Rfc9309, ""), "none"),
        (
            (Google, "Disallow: /robots.txt$"),
            (Google, ""),
            "-/robots.txt",
        ),
        ((Rfc9309, "Disallow: /a?$"), (Rfc9309, ""), "-/a?"),
        (
            (Rfc9309, "Allow: /index.html\nDisallow: /"),
            (Google, "Allow: /index.html\nDisallow: /"),
            "-/",
        ),
        (
            (Koster1996, "Disallow: /a\nAllow: /ab"),
            (Rfc9309, "Disallow: /a\nAllow: /ab"),
            "-/ab",
        ),
        (
            (Rfc9309, "Disallow: /caf\u{e9}"),
            (Google, "Disallow: /caf\u{e9}"),
            "-/caf%c3%a9",
        ),
        // A `*` covers a `?`, after which no segment is a dot segment.
        ((Rfc9309, "Disallow: */../"), (Rfc9309, ""), "-/?/../"),
        ((Google, "Disallow: /*/.?"), (Google, ""), "-/?/.?"),
        ((Rfc9309, "Disallow: */..$"), (Rfc9309, ""), "-/?/.."),
        // koster1996 decodes `%3F`.
        (
            (Koster1996, "Disallow: /"),
            (Koster1996, "Allow: /.?\nDisallow: /"),
            "-/.%3f",
        ),
        // The start of an escape at the end of a path is none.
        ((Koster1996, "Disallow: /%0"), (Koster1996, ""), "-/%0"),
        ((Rfc9309, "Disallow: /%0"), (Rfc9309, ""), "-/%0"),
        (
            (Koster1996, "Disallow: /%25%20"),
            (Koster1996, ""),
            "-/%%20",
        ),
    ] {
        let [old_rules, new_rules] =
            [old, new].map(|(dialect, body)| rules(dialect, &format!("User-agent: *\n{body}")));
        assert_eq!(
            first(&old_rules.difference(&new_rules).unwrap()),
            wanted,
            "{old:?} {new:?}"
        );
    }
}

/// Each rule that causes a change has a path; a path that is decided without its empty query is due to no rule that matches it.
#[test]
fn each_cause_has_a_path() {
    for (new, wanted) in [
        ("Disallow: /b$\nDisallow: /b", "/b 2 /bx 3"),
        ("Disallow: /b\nDisallow: /b$", "/b 3 /bx 2"),
        ("Disallow: /*\nAllow: /a?", "/ 2"),
    ] {
        let [old, new] =
            ["", new].map(|body| rules(Dialect::Rfc9309, &format!("User-agent: *\n{body}")));
        let difference = old.difference(&new).unwrap();
        let paths = difference
            .paths()
            .map(|path| format!("{} {}", path.path(), path.verdicts()[1].line()));
        assert_eq!(paths.collect::<Vec<_>>().join(" "), wanted);
    }
}

/// The same rules on other lines need no search, however hard they are.
#[test]
fn equal_rules_are_equal() {
    for dialect in Dialect::ALL {
        let body: String = (0..5_000)
            .map(|n| format!("Disallow: /*a*b*{n}*c\n"))
            .collect();
        let [old, new] = ["User-agent: *\n", "# Moved\nUser-agent: *\n"]
            .map(|start| rules(dialect, &format!("{start}{body}")));
        let difference = old.difference(&new).unwrap();
        assert_eq!(difference.result(), DifferenceResult::None, "{dialect:?}");
    }
}
