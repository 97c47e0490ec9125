//! Every fix of lint is applied, over small generated files, `tests/data`, the gallery and real files. A safe fix changes
//! no verdict, alone and with all others; any other fix removes what it was offered for.
//!
//! ```text
//! ROBOTS_CORPUS=<folder of robots.txt files> cargo test --release --test engine analysis::lint_fixes -- --nocapture
//! ```

use crate::oracle;
use crate::support;
use robots::{Code, Crawler, Diagnostic, Dialect, LineKind, Report, lint};
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn crawler(name: &[u8], dialect: Dialect) -> Option<Crawler> {
    Crawler::new(name).ok()?.with_dialect(dialect).ok()
}

fn report(body: &[u8], dialect: Dialect) -> Report {
    let crawler = crawler(b"ExampleBot", dialect).unwrap();
    lint(&crawler.with_lint_all(true), body).unwrap()
}

/// The names of a file as crawlers read them, with and without digits, and one that it does not hold.
fn names(report: &Report, dialect: Dialect) -> BTreeSet<Vec<u8>> {
    const MOST: usize = 40;
    let mut names = BTreeSet::from([b"AnyOtherBot".to_vec()]);
    let agents = report
        .lines()
        .filter(|line| line.kind == LineKind::UserAgent);
    for line in agents.take(MOST) {
        let value = &report.body()[line.value.clone()];
        for dialect in [dialect, Dialect::Google] {
            names.extend(dialect.agent_name(value).map(<[u8]>::to_vec));
        }
    }
    names
}

/// URLs that the rules of a file match, and some that they just miss.
fn urls(report: &Report) -> BTreeSet<Vec<u8>> {
    const MOST: usize = 400;
    let mut urls = BTreeSet::from([b"/".to_vec(), b"/robots.txt".to_vec()]);
    let rules = report
        .lines()
        .filter(|line| matches!(line.kind, LineKind::Allow | LineKind::Disallow));
    for line in rules.take(MOST) {
        let value = &report.body()[line.value.clone()];
        let path = value.strip_suffix(b"$").unwrap_or(value);
        for fill in [&b""[..], b"x", b"/a.b?c=d"] {
            let pieces: Vec<&[u8]> = path.split(|byte| *byte == b'*').collect();
            let mut url = pieces.join(fill);
            if url.first() != Some(&b'/') {
                url.insert(0, b'/');
            }
            let longer = [&url[..], b"x"].concat();
            urls.extend([url, longer]);
        }
    }
    urls
}

/// The longest file that the oracle reads, too: it is slow.
const MOST_OF_ORACLE: usize = 2_000;

/// Returns the oracle's verdicts on the URLs.
fn by_oracle(name: &[u8], body: &[u8], dialect: Dialect, urls: &BTreeSet<Vec<u8>>) -> Vec<bool> {
    let dialect = match dialect {
        Dialect::Google => oracle::Dialect::Google,
        Dialect::Koster1996 => oracle::Dialect::Koster1996,
        _ => oracle::Dialect::Rfc9309,
    };
    let site = oracle::parse(&oracle::Setup::new(dialect, &[name]), body);
    urls.iter().map(|url| site.decide(url).allowed).collect()
}

/// What a file decides, to be compared with the same file after a fix.
struct Verdicts {
    dialect: Dialect,
    urls: BTreeSet<Vec<u8>>,
    crawlers: Vec<Decided>,
}

/// The verdicts on the URLs for one crawler.
struct Decided {
    crawler: Crawler,
    name: Vec<u8>,
    allowed: Vec<bool>,
    /// Those of the oracle, if the file is not too long for it.
    by_oracle: Option<Vec<bool>>,
}

impl Verdicts {
    fn of(report: &Report, dialect: Dialect) -> Self {
        let (body, urls) = (report.body(), urls(report));
        let decided = |name: Vec<u8>| {
            let crawler = crawler(&name, dialect)?;
            let rules = crawler.parse(body);
            Some(Decided {
                allowed: urls.iter().map(|url| rules.is_allowed(url)).collect(),
                by_oracle: (body.len() < MOST_OF_ORACLE)
                    .then(|| by_oracle(&name, body, dialect, &urls)),
                crawler,
                name,
            })
        };
        let names = names(report, dialect).into_iter();
        Self {
            dialect,
            crawlers: names.filter_map(decided).collect(),
            urls,
        }
    }

    /// Returns the first verdict that differs in another file.
    fn difference(&self, after: &[u8]) -> Option<String> {
        for old in &self.crawlers {
            let (dialect, name) = (self.dialect, old.name.escape_ascii());
            if let Some(expected) = &old.by_oracle {
                let found = by_oracle(&old.name, after, dialect, &self.urls);
                let mut both = self.urls.iter().zip(expected.iter().zip(&found));
                if let Some((url, (was, _))) = both.find(|(_, (was, is))| was != is) {
                    let url = url.escape_ascii();
                    return Some(format!(
                        "{dialect:?}, oracle: {url} was allowed for {name}: {was}"
                    ));
                }
            }
            let new = old.crawler.parse(after);
            let mut both = self.urls.iter().zip(&old.allowed);
            if let Some((url, was)) = both.find(|(url, was)| new.is_allowed(url) != **was) {
                return Some(format!(
                    "{dialect:?}: {} was allowed for {name}: {was}, and is not so now",
                    url.escape_ascii()
                ));
            }
        }
        None
    }
}

fn is_safe(found: &Diagnostic) -> bool {
    found.fix.as_ref().is_some_and(|fix| fix.is_safe)
}

/// How often each code had a fix, and how many of them were safe.
type Tally = BTreeMap<Code, (u64, u64)>;

/// Applies every fix of a file, alone and together; `most` of each code alone. Returns what is wrong.
fn faults_of(
    name: &str,
    body: &[u8],
    dialect: Dialect,
    most: u64,
    tally: &mut Tally,
) -> Vec<String> {
    let mut faults = Vec::new();
    let before = report(body, dialect);
    // The same bytes decide the same, and most files have no safe fix.
    let verdicts = LazyCell::new(|| Verdicts::of(&before, dialect));
    let difference = |after: &[u8]| {
        let changed = (after != body).then(|| verdicts.difference(after));
        changed.flatten()
    };
    for (at, found) in before.diagnostics().iter().enumerate() {
        let Some(fix) = &found.fix else { continue };
        assert!(fix.span.end <= body.len() && fix.span.start <= fix.span.end);
        let (count, safe) = tally.entry(found.code).or_default();
        *count += 1;
        *safe += u64::from(fix.is_safe);
        let same = before.diagnostics()[..at].iter();
        if same.filter(|other| other.code == found.code).count() as u64 >= most {
            continue;
        }
        let fixed = before
            .apply_fixes(body, |other| std::ptr::eq(other, found))
            .unwrap();
        let mut fault = |text: String| {
            faults.push(format!(
                "{name}, line {}, {}: {text}\n  {}\n  {:?} {:?}",
                found.line, found.code, found.message, found.suggestion, fix
            ));
        };
        assert_eq!(fixed.applied.len(), 1);
        if fixed.body == body {
            fault("the fix changes no byte".into());
        }
        if fix.is_safe {
            if let Some(difference) = difference(&fixed.body) {
                fault(difference);
            }
        }
        let after = report(&fixed.body, dialect);
        let total = |report: &Report| {
            let mut totals = report.totals().iter();
            totals
                .find(|(code, _)| *code == found.code)
                .map_or(0, |(_, total)| *total)
        };
        // Of two rules that decide nothing, the second may be reported after the first is gone. If the limit cuts the
        // file, other lines are read.
        let is_next_found = matches!(
            found.code,
            Code::Duplicate
                | Code::NeverWins
                | Code::Redundant
                | Code::AllowedAnyway
                | Code::NeedlessStar
        );
        let is_gone = total(&after) < total(&before) || is_next_found || body.len() > 450_000;
        if !fix.is_safe && !is_gone {
            fault(format!("it is still there\n{after}"));
        }
    }
    let fixed = before.apply_fixes(body, is_safe).unwrap();
    if let Some(difference) = difference(&fixed.body) {
        let lines: Vec<u32> = fixed.applied.iter().map(|found| found.line).collect();
        faults.push(format!("{name}, all safe fixes {lines:?}: {difference}"));
    }
    // RFC 9309 and Google count as one dialect: a file that is fixed for one is not broken for the other.
    let other = match dialect {
        Dialect::Rfc9309 => Dialect::Google,
        Dialect::Google => Dialect::Rfc9309,
        other => other,
    };
    let last = fixed_to_the_end(fixed.body.clone(), dialect);
    if let Some(last) = last.as_ref().filter(|last| *last != body) {
        let found = Verdicts::of(&report(body, other), other).difference(last);
        faults.extend(found.map(|found| format!("{name}, in the other dialect: {found}")));
    }
    match last {
        None => faults.push(format!("{name}: there are always more safe fixes")),
        Some(last) if last == fixed.body => {}
        Some(last) => faults.extend(difference(&last).map(|difference| {
            format!(
                "{name}, until none is left: {difference}\n{}",
                last.escape_ascii()
            )
        })),
    }
    faults
}

/// Applies safe fixes until none is left; `None` if there are always more.
fn fixed_to_the_end(mut body: Vec<u8>, dialect: Dialect) -> Option<Vec<u8>> {
    const MOST: usize = 2_000;
    for _ in 0..MOST {
        let fixed = report(&body, dialect);
        let fixed = fixed.apply_fixes(&body, is_safe).unwrap();
        if fixed.applied.is_empty() {
            return Some(body);
        }
        body = fixed.body;
    }
    None
}

const ALL: [Dialect; 3] = [Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996];

fn check(files: &[(String, Vec<u8>)], most: u64) -> Tally {
    let mut tally = Tally::new();
    let mut faults = Vec::new();
    for (name, body) in files {
        for dialect in ALL {
            faults.extend(faults_of(name, body, dialect, most, &mut tally));
        }
    }
    println!(
        "{} files; fixes by code, and those that are safe: {tally:?}",
        files.len()
    );
    let count = faults.len();
    faults.truncate(20);
    assert!(faults.is_empty(), "{count} faults:\n{}", faults.join("\n"));
    tally
}

fn folder(path: impl AsRef<Path>) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(path.as_ref()).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read(path).unwrap())
    };
    paths.iter().map(read).collect()
}

/// Every fix of the gallery, and every code that offers one does so there.
#[test]
fn fixes_of_the_gallery() {
    let mut files = support::gallery::bodies();
    let examples = Code::ALL.iter();
    files.extend(examples.map(|code| (code.to_string(), code.example().to_vec())));
    let tally = check(&files, u64::MAX);
    assert!(tally.len() > 30, "only {} codes have fixes", tally.len());
}

/// The files of `tests/data`.
#[test]
fn fixes_of_the_cases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for (name, text) in folder(root.join("tests/data")) {
        let text = String::from_utf8_lossy(&text).into_owned();
        for (number, case) in text.split("\ncase ").enumerate().skip(1) {
            let lines = case.lines().filter_map(|line| line.strip_prefix("| "));
            let lines = lines.filter(|line| !line.contains('\\'));
            let body: String = lines.map(|line| format!("{line}\n")).collect();
            files.push((format!("{name} {number}"), body.into_bytes()));
        }
    }
    assert!(files.len() > 100, "{} cases", files.len());
    check(&files, u64::MAX);
}

/// A fix that is not proved leaves the others as they are, and so does a rule that may decide other URLs (SPEC 12.1).
#[test]
fn one_fix_does_not_forbid_others() {
    for (body, safe) in [
        (
            "User-agent: *\nDisallow: /c\nDisallow: /c\nDisallow: /a b\n",
            &[3][..],
        ),
        (
            "User-agent: *\nDisallow: /c\nDisallow: /c\nDisallow: /./a\n",
            &[3],
        ),
        (
            "User-agent: *\nDisallow: /c\nDisallow: /c/d\nDisallow: /a b\n",
            &[],
        ),
    ] {
        let report = report(body.as_bytes(), Dialect::Rfc9309);
        let found = report.diagnostics().iter().filter(|found| is_safe(found));
        let lines: Vec<u32> = found.map(|found| found.line).collect();
        assert_eq!(lines, safe, "{report}");
    }
    // The fixes of line 2 overlap. The one that removes it would change what Google reads.
    let body = "User-agent: *\ndisalow: /b\nAllowed: /\nDisallow: /\n";
    let found = report(body.as_bytes(), Dialect::Rfc9309);
    for found in found.diagnostics().iter().filter(|found| found.line == 2) {
        assert_eq!(
            is_safe(found),
            found.code == Code::ForgivenSpelling,
            "{found:?}"
        );
    }
    // Google takes the last line for a rule, and so needs line 7.
    let body = "User-agent: a\nDisallow: /a\nDisallow: /a/b\n\nUser-agent: *\nDisallow: /a\nDisallow: /a/b\nAllowed: /a/\n";
    let report = report(body.as_bytes(), Dialect::Rfc9309);
    let found = report.diagnostics().iter().filter(|found| is_safe(found));
    let lines: Vec<u32> = found.map(|found| found.line).collect();
    assert_eq!(lines, [3], "{report}");
}

/// A sample of real files, or generated ones of their shape: the first fixes of each code alone, and all together.
#[test]
fn fixes_of_real_files() {
    // Each file is linted some hundred times.
    let count = support::runner::cases().div_ceil(1_000).clamp(10, 100) as usize;
    let tally = check(&support::corpus::sample(count), 3);
    assert!(!tally.is_empty());
}

/// Random files in which rules get into each other's way.
#[test]
fn fixes_of_random_files() {
    use proptest::prelude::*;
    #[rustfmt::skip]
    const LINES: &[&str] = &[
        "User-agent: a", "User-agent: a1", "User-agent: a.b", "User-agent: b", "User-agent: *", "User-agent: a/2",
        "Crawl-delay: 1", "Disallow: /", "Disallow: *", "Disallow: /a*", "Disallow: /a/b*$", "Disallow: /a**b",
        "Disalow: /a/b", "Disallow:", "Allow: /a", "Allow: /a/*", "Allow: /ab", "Allow: /robots.txt$",
        "Sitemap: https://example.com/map", "Sitemap: https://example.com/map", "User-agent: * Disallow: /",
        "Disallow: /a/../b", "Allow: /b", "Disallow /a", "Crawl-delay: 1", "User-agent: b *", "User-agent: * x",
        "// x", "",
    ];
    let all = proptest::sample::select(&ALL[..]);
    let lines = proptest::collection::vec(proptest::sample::select(LINES), 2..14);
    let ends = proptest::sample::select(&["\n", "\n", "\r\n", "\r"][..]);
    let followed = std::cell::Cell::new(0_u64);
    support::runner::run(&(all, lines, ends), |(dialect, lines, end)| {
        let body = lines.join(end);
        let mut tally = Tally::new();
        let faults = faults_of("", body.as_bytes(), dialect, u64::MAX, &mut tally);
        prop_assert!(faults.is_empty(), "{}\n{body}", faults.join("\n"));
        followed.set(followed.get() + tally.values().map(|(_, safe)| safe).sum::<u64>());
        Ok(())
    });
    support::runner::reached("safe fixes", followed.get(), 500);
}

/// Google reads fields by their prefix (SPEC 5.6), and more bytes as white space (SPEC 5.1): there the rule that looks redundant
/// decides.
#[test]
fn a_fix_that_opens_a_page_to_google_is_not_safe() {
    for body in [
        "User-agent: *\nDisallow: /a\nDisallow: /a/b\nAllowed: /a/\n",
        "User-agent: *\nDisallow: /a\nDisallow: /a/b\n\u{b}Allow: /a/\n",
        "User-agent: *\nDisallow: /a\nDisallow: /a/b\n\u{c}Allow: /a/\n",
    ] {
        let report = report(body.as_bytes(), Dialect::Rfc9309);
        let is_redundant = |found: &&robots::Diagnostic| found.code.to_string() == "R063";
        let found = report.diagnostics().iter().find(is_redundant).unwrap();
        let fix = found.fix.as_ref();
        assert!(fix.is_none_or(|fix| !fix.is_safe), "{body}");
    }
    let body = "User-agent: *\nDisallow: /a/b\nDisallowed: /a\n";
    for dialect in [Dialect::Rfc9309, Dialect::Google] {
        let report = report(body.as_bytes(), dialect);
        let mut fixes = report
            .diagnostics()
            .iter()
            .filter_map(|found| found.fix.as_ref());
        assert!(
            fixes.all(|fix| !fix.is_safe || fix.span.start > 20),
            "{:?}",
            report.diagnostics()
        );
    }
}

/// No fix is safe in a file that the limit cuts: what was cut would be read.
#[test]
fn no_fix_of_a_cut_file_is_safe() {
    let mut body = b"User-agent: *\nDisallow: /a/\nDisallow: /a/b/\n".to_vec();
    body.resize(600_000, b'#');
    let found = report(&body, Dialect::Rfc9309);
    let fixes = found
        .diagnostics()
        .iter()
        .filter(|found| found.fix.is_some());
    assert_eq!(fixes.count(), 1);
    assert!(!found.diagnostics().iter().any(is_safe));
}
