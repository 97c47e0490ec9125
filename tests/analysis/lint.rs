//! The exact report of lint for a gallery of bad files, and the bounds of its time and output. `lint_properties` holds
//! what lint must never report. `UPDATE_LINT=1 cargo test --test engine analysis::lint::` renews the gallery.

use super::{crawler, linted};
use crate::support::{self, gallery};
use robots::{
    BodyDoubt, Code, Diagnostic, Dialect, Extension, Extensions, FileKind, LineKind, Severity,
    Style, lint,
};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Each file of the gallery has exactly the report that follows it.
#[test]
fn the_gallery() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for path in gallery::paths() {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut topic = gallery::parse(&text);
        assert!(
            gallery::text(&topic) == text,
            "{path:?}: not as `UPDATE_LINT` writes it"
        );
        for bad in &mut topic {
            assert!(!bad.reports.is_empty(), "{}: no `--- DIALECT`", bad.title);
            for (dialect, expected) in &mut bad.reports {
                let report = lint(&crawler(*dialect), &bad.body).unwrap().to_string();
                if *expected != report {
                    wrong.push(format!("{} {dialect:?}:\n{report}", bad.title));
                }
                *expected = report;
                count += 1;
            }
        }
        if std::env::var_os("UPDATE_LINT").is_some() {
            std::fs::write(&path, gallery::text(&topic)).unwrap();
            wrong.clear();
        }
    }
    assert!(
        wrong.is_empty(),
        "not as expected (if these are right, `UPDATE_LINT=1 cargo test --test engine analysis::lint::` writes them): {}",
        wrong.join("\n")
    );
    assert!(count >= 60, "{count} reports");
}

/// The catalogue: numbers rise, every example has its diagnostic, and every code is in the gallery but those
/// that need a file too long for it.
#[test]
fn every_code_has_an_example() {
    const LONG: [Code; 3] = [Code::TooLong, Code::LongLine, Code::NotDecided];
    // `lint_site` reports this one only.
    const OF_A_SITE: Code = Code::SitemapElsewhere;
    let all = gallery::all().into_iter().flat_map(|bad| bad.reports);
    let shown: String = all.map(|(_, report)| report).collect();
    assert!(Code::ALL.is_sorted_by_key(|code| code.number()));
    for code in Code::ALL.iter().copied() {
        assert_eq!(Code::from_number(code.number()), Some(code));
        assert!(
            !code.title().is_empty() && code.explanation().ends_with('.'),
            "{code}"
        );
        if LONG.contains(&code) || code == OF_A_SITE {
            continue;
        }
        let found = linted(code.example());
        assert!(
            found.diagnostics().iter().any(|found| found.code == code),
            "no check in src/owner/lint reports {code} for its example in codes.rs:\n{found}"
        );
        assert!(
            shown.contains(&format!("[{code}]")),
            "{code} is not in the gallery: add a file that has it in tests/golden/lint, and run \
             `UPDATE_LINT=1 cargo test --test engine analysis::lint::`"
        );
    }
    assert_eq!(Code::from_number(0), None);
    assert_eq!(Code::from_number(9_999), None);
}

/// What many good files have is reported on request only; how koster1996 differs also in that dialect.
#[test]
fn codes_on_request() {
    let body = "User-agent: *\nDisallow: /admin/\nAllow: /admin/help\nDisallow: /b/*\n";
    for (dialect, all, expected) in [
        (Dialect::Rfc9309, true, "R056 R087 R091 "),
        (Dialect::Rfc9309, false, ""),
        (Dialect::Google, false, ""),
        (Dialect::Koster1996, false, "R091 "),
    ] {
        let report = lint(&crawler(dialect).with_lint_all(all), body).unwrap();
        let totals = report.totals().iter();
        let of_it = totals.filter(|(code, _)| code.is_on_request());
        let codes: String = of_it.map(|(code, _)| format!("{code} ")).collect();
        assert_eq!(codes, expected, "{dialect:?}");
        let found = report.diagnostics().iter();
        let found = found.filter(|found| found.code.is_on_request()).count();
        assert_eq!(found, expected.split_whitespace().count(), "{dialect:?}");
    }
}

/// The site decides on sitemaps of other hosts, on whole URLs in the place of paths, and on relative sitemaps.
#[test]
fn the_site_is_compared() {
    let body = "User-agent: *
Disallow: https://www.example.com/a/
Disallow: https://other.example/b/
Disallow: https://www.example.com
Sitemap: /map.xml
Sitemap: https://test.example.net/map.xml
Sitemap: https://WWW.example.com:443/map.xml
";
    let site = robots::Origin::from_url("https://www.example.com/").unwrap();
    let report = robots::lint_site(&crawler(Dialect::Rfc9309), body, &site).unwrap();
    let found = |code: Code, line: u32| {
        let mut found = report.diagnostics().iter();
        found.find(|found| found.code == code && found.line == line)
    };
    let fix = |code, line| {
        found(code, line)
            .unwrap()
            .fix
            .as_ref()
            .map(|fix| &*fix.replacement)
    };
    assert_eq!(fix(Code::UrlAsPath, 2), Some("/a/"));
    assert_eq!(fix(Code::UrlAsPath, 3), None);
    assert_eq!(fix(Code::UrlAsPath, 4), None);
    assert_eq!(
        fix(Code::RelativeSitemap, 5),
        Some("https://www.example.com/map.xml")
    );
    assert!(found(Code::SitemapElsewhere, 6).is_some());
    assert!(found(Code::SitemapElsewhere, 7).is_none());
    assert_eq!(linted(body.as_bytes()).total(Severity::Note), 0);
}

/// A file whose line ends were lost is an error, and no fix of it is safe: nothing turns its ban into `Disallow:`.
#[test]
fn joined_lines_are_errors_without_a_safe_fix() {
    let is_safe = |found: &Diagnostic| found.fix.as_ref().is_some_and(|fix| fix.is_safe);
    for body in [
        "User-agent: * Disallow: /",
        "user-agent:* disallow:/\n",
        "User-agent: *Disallow: /cart/\n",
        "User-agent: GooglebotALLOW: /a/\n",
        "User-agent: ExampleBot\tDissallow: /a/\n",
        "# User-agent: * Disallow: /",
        "# our rules User-agent: * Disallow: /\nSitemap: https://example.com/map.xml\n",
        "robots.txt User-agent : * Disallow : /\n",
        "Disallow: / User-agent: *\n",
        "User-agent: *\nDisallow: /a/ Allow: /b/\nDisallow: *\nuseragent: x\n",
        "User-agent: *\nDisallow: Disallow: /a/\n",
        "User-agent: *&#10;Disallow: /a/",
        "User-agent: *\nDisallow: /a/Disallow: /b/\n",
        "User-agent: *\nDisallow: /a/\\r\\nDisallow: /b/\n",
        "User-agent: *\nDisallow: /a/User-agent: b\n",
        "User-agent: *&#xD;&#xA;Disallow: /a/\n",
    ] {
        for dialect in Dialect::ALL {
            let report = lint(&crawler(dialect), body).unwrap();
            let found = report.diagnostics();
            let is_joined = |found: &Diagnostic| found.code == Code::JoinedLines;
            assert!(found.iter().any(is_joined), "{body}\n{report}");
            assert!(report.total(Severity::Error) > 0);
            assert!(!found.iter().any(is_safe), "{body}\n{report}");
        }
    }
}

/// A stored file that was cut within a field. Cut elsewhere, it is a file like others.
#[test]
fn a_file_that_ends_within_a_field_is_cut() {
    let is_cut = |body: &[u8], max_bytes: usize| {
        let crawler = crawler(Dialect::Rfc9309).with_max_bytes(max_bytes).unwrap();
        let report = lint(&crawler, body).unwrap();
        let cut = (report.diagnostics().iter()).any(|found| found.code == Code::CutLine);
        let doubt = BodyDoubt::find(&crawler, body).unwrap();
        assert_eq!(cut, doubt == Some(BodyDoubt::Damaged), "{report}");
        cut
    };
    let file = b"User-agent: a\nDisallow: /a/\nSitemap: https://a.example/map.xml\nUser-agent: b\nCrawl-delay: 5";
    for end in 0..=file.len() {
        let cut = &file[..end];
        let last = cut.rsplit(|byte| *byte == b'\n').next().unwrap();
        // Without a user-agent line it is no robots.txt.
        let wanted = end > 14 && !last.is_empty() && !last.contains(&b':');
        assert_eq!(
            is_cut(cut, 512_000),
            wanted,
            "{}",
            String::from_utf8_lossy(cut)
        );
    }
    for (body, wanted) in [
        ("User-agent: *\ndisal", true),
        ("User-agent: *\nDisal\n", false),
        ("User-agent: *\nDisal\r", false),
        ("User-agent: *\nDisal # why", false),
        ("User-agent: *\nDisall /a/", false),
        ("User-agent: *\n# Disal", false),
        ("User-agent: *\nx", false),
    ] {
        assert_eq!(is_cut(body.as_bytes(), 512_000), wanted, "{body}");
    }
    // A file that is longer than the limit was not cut: the rest is not read.
    let long = [&b"User-agent: *\n".repeat(37_000)[..], b"Disal"].concat();
    assert!(is_cut(&long, 1_000_000) && !is_cut(&long, 512_002));
}

/// What `BodyDoubt` says is what lint says.
#[test]
fn body_doubts_are_those_of_lint() {
    let gallery = gallery::bodies().into_iter();
    let bytes = (
        "the text of bytes".to_owned(),
        br"b'User-agent: *\nDisallow: /\n'".to_vec(),
    );
    let mut counts = [0; 4];
    for (name, body) in gallery.chain(support::corpus::files(100)).chain([bytes]) {
        let crawler = crawler(Dialect::Rfc9309);
        let report = lint(&crawler, &body).unwrap();
        let has = |code: &Code| report.totals().iter().any(|(found, _)| found == code);
        let codes = [Code::JoinedLines, Code::CutLine, Code::RuleOutsideGroup];
        let wanted = match report.group_count() {
            0 if body.starts_with(b"b'") => Some(BodyDoubt::Encoded),
            0 => Some(BodyDoubt::NoGroup),
            _ => codes.iter().any(has).then_some(BodyDoubt::Damaged),
        };
        let found = BodyDoubt::find(&crawler, &body).unwrap();
        assert_eq!(found, wanted, "{name}\n{report}");
        counts[wanted.map_or(0, |doubt| 1 + doubt as usize)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}

/// The owner will correct the other rule, and then the redundant one decides.
#[test]
fn a_rule_stays_while_the_rule_that_it_excepts_is_wrong() {
    for (rules, line) in [
        ("Disallow: account/\nAllow: /account/help\n", 3),
        ("Disallow: https://h.example/a/\nAllow: /a/b\n", 3),
        ("Disallow: /a/\nAllow: a/b/\nDisallow: /a/b/c\n", 4),
        // A line that crawlers skip.
        ("Disallwo: /a/\nAllow: /a/b\n", 3),
        ("Disallow: /a/\nAlow: /a/b/\nDisallow: /a/b/c\n", 4),
        ("Disallow: /a/\nUser-agnet: CCBot\nDisallow: /\n", 2),
        ("Disallow: /a/\nUser-agnet: CCBot\nDisallow: /a/\n", 4),
        (
            "Allow: /a/\nDisallow: /b\n\nUser-agnet: *\nUser-agent: x\nDisallow: /a\n",
            2,
        ),
    ] {
        let body = format!("User-agent: *\n{rules}\n");
        let report = linted(body.as_bytes());
        let codes = [Code::AllowedAnyway, Code::Redundant, Code::Duplicate];
        let mut found = report.diagnostics().iter();
        let found = found.find(|found| codes.contains(&found.code)).unwrap();
        assert_eq!((found.line, &found.fix), (line, &None), "{report}");
        let advice = found.suggestion.as_deref().unwrap();
        assert!(advice.starts_with("correct line "), "{advice}");
    }
    // A line that would split a group keeps the names after it.
    for (between, is_safe) in [("Disalluw: /x", false), ("Host: e.com", true)] {
        let body = format!("User-agent: *\n{between}\nUser-agent: *\nDisallow: /b\n");
        let report = linted(body.as_bytes());
        let mut found = report.diagnostics().iter();
        let found = found.find(|found| found.code == Code::AgentTwice).unwrap();
        assert_eq!(found.fix.as_ref().unwrap().is_safe, is_safe, "{report}");
    }
    // A wrong rule of the same kind makes no difference.
    let body = "User-agent: *\nDisallow: /a/\nAllow: b/\nAllow: /c/\n";
    let report = linted(body.as_bytes());
    let mut found = report.diagnostics().iter();
    let found = found.find(|found| found.code == Code::AllowedAnyway);
    assert!(found.unwrap().fix.is_some(), "{report}");
}

/// What lint does not compare, it says.
#[test]
fn rules_that_are_not_compared_are_named() {
    for (count, is_said) in [(19_000, false), (20_001, true)] {
        let body = "User-agent: *\n".to_owned() + &"Disallow: /a\n".repeat(count);
        let report = lint(&crawler(Dialect::Rfc9309), &body).unwrap();
        let mut found = report.diagnostics().iter();
        assert_eq!(
            found.any(|found| found.code == Code::NotDecided),
            is_said,
            "{count}"
        );
    }
}

/// Equal rules are found also where the rules are too many to compare.
#[test]
fn equal_rules_are_always_found() {
    let mut body = "User-agent: *\n".to_owned();
    for number in 0..5_000 {
        body += &format!("Disallow: /*?*color={}\n", number % 4_000);
    }
    let report = linted(body.as_bytes());
    let total = |code| {
        let found = report.totals().iter().find(|(of, _)| *of == code);
        found.map(|(_, total)| *total)
    };
    assert_eq!(total(Code::Duplicate), Some(1_000));
    assert_eq!(total(Code::NotDecided), Some(1));
    let mut found = report.diagnostics().iter();
    let found = found.find(|found| found.code == Code::Duplicate).unwrap();
    assert!(found.fix.as_ref().is_some_and(|fix| fix.is_safe));
}

/// No fix makes a true warning go away.
#[test]
fn a_fix_does_not_state_what_its_author_did_not() {
    let body = "User-agent: A\nDisallow: /b/\n\nUser-agent: A\nDisallow: /b/\n\nUser-agent: *\nDisallow: /c/\n";
    let report = linted(body.as_bytes());
    let is_said = |report: &robots::Report| {
        let mut found = report.diagnostics().iter();
        found.any(|found| found.code == Code::EscapesEveryone)
    };
    let is_safe = |found: &Diagnostic| found.fix.as_ref().is_some_and(|fix| fix.is_safe);
    let fixed = report.apply_fixes(body, is_safe).unwrap();
    assert_eq!(fixed.applied.len(), 1);
    assert!(is_said(&report) && is_said(&linted(&fixed.body)));
}

/// A `*` that lets a rule win is not called needless.
#[test]
fn a_star_that_adds_length_is_not_said_to_add_nothing() {
    let body = "User-agent: *\nAllow: **\nDisallow: /b\n";
    let all = crawler(Dialect::Rfc9309).with_lint_all(true);
    let report = lint(&all, body).unwrap();
    let found = report
        .diagnostics()
        .iter()
        .find(|found| found.code == Code::NeedlessStar);
    let found = found.unwrap();
    assert!(
        found.message.ends_with("which may let it win") && found.fix.is_none(),
        "{report}"
    );
}

/// SPEC 4.2: without its byte order mark a file must be read as before.
#[test]
fn a_mark_stays_where_the_next_bytes_would_be_read_otherwise() {
    for (rest, is_safe) in [
        (&b"User-agent: *\nDisallow: /\n"[..], true),
        (b"\xEFUser-agent: *\nDisallow: /\n", false),
        (b"\xEF\xBBUser-agent: *\nDisallow: /\n", false),
        (b"\xFF\xFE\nUser-agent: *\nDisallow: /\n", false),
    ] {
        let report = linted(&[b"\xEF\xBB\xBF", rest].concat());
        let mut found = report.diagnostics().iter();
        let mark = found.find(|found| found.code == Code::ByteOrderMark);
        let fix = mark.and_then(|mark| mark.fix.as_ref()).unwrap();
        assert_eq!(fix.is_safe, is_safe, "{}", rest.escape_ascii());
    }
}

/// SPEC 9.8: policy tokens are no crawlers, and other names that look like them are.
#[test]
fn policy_tokens_are_known() {
    assert_eq!(
        robots::policy_tokens().collect::<Vec<_>>(),
        ["__usage_ai-training"]
    );
    assert!(robots::policy_tokens().all(robots::is_policy_token));
    assert!(robots::is_policy_token("__USAGE_search"));
    assert!(!robots::is_policy_token("__usage"));
    for (name, is_reported) in [("__usage_ai-training", false), ("usage_ai-training", true)] {
        let body = format!("User-agent: *\nDisallow: /a/\n\nUser-agent: {name}\nDisallow: /b/\n");
        let report = linted(body.as_bytes());
        let escapes = |found: &Diagnostic| found.code == Code::EscapesEveryone;
        assert_eq!(
            report.diagnostics().iter().any(escapes),
            is_reported,
            "{name}"
        );
    }
}

/// SPEC 9.4: keys and values that lint does not know are no fault; text that is no list of keys with values is one.
#[test]
fn signals_may_have_other_keys_and_values() {
    for (value, is_sound) in [
        ("search=yes, ai-input=no, ai-train=no, use=reference", true),
        ("use=immediate", true),
        ("use=full,search=yes", true),
        ("ai-train=perhaps, colour=blue", true),
        ("no training", false),
        ("ai-train", false),
        ("ai-train=", false),
        ("ai-train=no search=yes", false),
    ] {
        let body = format!("User-agent: *\nContent-Signal: {value}\nDisallow: /a/\n");
        let report = linted(body.as_bytes());
        let codes = report.diagnostics().iter().map(|found| found.code);
        let of_signals = [Code::BadContentSignal, Code::MisspeltPreference];
        let is_clean = !codes.clone().any(|code| of_signals.contains(&code));
        assert_eq!(is_clean, is_sound, "{value}\n{report}");
    }
}

/// SPEC 9.3: lint reports the rates and times that `Extensions` cannot parse, and no others.
#[test]
fn rates_and_times_are_those_of_extensions() {
    for (line, is_sound) in [
        ("Request-rate: 1/10", true),
        ("Request-rate: 1/5m 0600-0845", true),
        ("Request-rate: 0/5", false),
        ("Request-rate: 1/0", false),
        ("Request-rate: 1/99999999999", false),
        ("Request-rate: 1/5 0600-0845 x", false),
        ("Request-rate: often", false),
        ("Visit-time: 0600-0845", true),
        ("Visit-time: 2200-2400", true),
        ("Visit-time: 0600 - 0845", false),
        ("Visit-time: 0660-0845", false),
        ("Visit-time: 2401-0100", false),
        ("Visit-time: 6-8", false),
    ] {
        let body = format!("User-agent: *\n{line}\nDisallow: /a\n");
        let extensions = Extensions::parse(&crawler(Dialect::Rfc9309), &body).unwrap();
        let is_read =
            |extra: Extension| extra.request_rate().is_some() || extra.visit_time().is_some();
        assert_eq!(extensions.lines().any(is_read), is_sound, "{line}");
        let codes = [Code::BadRequestRate, Code::BadVisitTime];
        let report = linted(body.as_bytes());
        let mut found = report.diagnostics().iter().map(|found| found.code);
        assert_eq!(!found.any(|code| codes.contains(&code)), is_sound, "{line}");
    }
}

#[test]
fn a_limit_of_diagnostics_is_an_option() {
    let body = format!("User-agent: *\n{}", "Disalow: /a\n".repeat(300));
    let crawler = crawler(Dialect::Rfc9309);
    for (most, kept) in [(None, 100), (Some(7), 7), (Some(usize::MAX), 300)] {
        let crawler = most.map_or(crawler.clone(), |most| {
            crawler.clone().with_lint_limit(most)
        });
        let report = lint(&crawler, &body).unwrap();
        let misspelt = |found: &&Diagnostic| found.code == Code::ForgivenSpelling;
        assert_eq!(report.diagnostics().iter().filter(misspelt).count(), kept);
        let total = report
            .totals()
            .iter()
            .find(|(code, _)| *code == Code::ForgivenSpelling);
        assert_eq!(total.map(|(_, total)| *total), Some(300));
    }
}

/// SPEC 4.5, 4.6: codes that need long files.
#[test]
fn long_files_and_lines() {
    let line = format!("User-agent: *\nDisallow: /{}\n", "a".repeat(17_000));
    let report = linted(line.as_bytes());
    let mut found = report.diagnostics().iter();
    let found = found.find(|found| found.code == Code::LongLine).unwrap();
    assert_eq!((found.line, found.column), (2, 16_664));

    let mut body = b"User-agent: *\n".to_vec();
    body.resize(511_990, b'#');
    body.extend_from_slice(b"\nDisallow: /private/\n");
    let report = linted(&body);
    assert_eq!(report.diagnostics()[0].code, Code::TooLong);
    // The line that is cut is ignored, as the crawler ignores it.
    assert_eq!(report.line_count(), 2);
    let google = lint(&crawler(Dialect::Google), &body).unwrap();
    assert!(matches!(google.line(3), Some(line) if line.kind == LineKind::Disallow));
    assert_eq!(google.line_count(), 3);
    let patient = crawler(Dialect::Rfc9309).with_max_bytes(1_000_000).unwrap();
    let report = lint(&patient, &body).unwrap();
    assert_eq!(report.line(3).unwrap().kind, LineKind::Disallow);
    assert_eq!(report.total(Severity::Error), 1);
}

/// Real files, or generated ones of their shape: no crash, no long report for a web page, and a table of the findings.
///
/// ```text
/// ROBOTS_CORPUS=<folder of robots.txt files> cargo test --release --test engine analysis::lint::real -- --nocapture
/// ```
#[test]
fn real_files() {
    let files = support::corpus::files(500);
    let mut table: BTreeMap<Code, (u64, u64)> = BTreeMap::new();
    let (mut bytes, mut clean, mut slowest) = (0, 0, (Duration::ZERO, String::new()));
    let begin = Instant::now();
    for (name, body) in &files {
        bytes += body.len();
        let start = Instant::now();
        let report = linted(body);
        slowest = slowest.max((start.elapsed(), name.clone()));
        for (code, total) in report.totals() {
            let (files, diagnostics) = table.entry(*code).or_default();
            *files += 1;
            *diagnostics += total;
        }
        let text = report.to_string();
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'));
        let is_page = report.totals().iter().any(|(code, _)| *code == Code::Html);
        assert!(!is_page || text.lines().count() < 12, "{name}:\n{text}");
        clean += u32::from(report.total(Severity::Error) + report.total(Severity::Warning) == 0);
    }
    println!(
        "{} files, {bytes} bytes, {:?}, slowest {slowest:?}; {clean} without error or warning",
        files.len(),
        begin.elapsed()
    );
    println!("| code | severity | files | diagnostics | |\n|---|---|---:|---:|---|");
    for (code, (files, diagnostics)) in table {
        println!(
            "| {code} | {} | {files} | {diagnostics} | {} |",
            code.severity(),
            code.title()
        );
    }
}

/// Each piece has a style, which a terminal can colour.
#[test]
fn pieces_have_styles() {
    let report = linted(b"User-agent: *\nDisallow: /a/\nDisallow: /a/\n");
    let mut pieces = Vec::new();
    let written = report.render("a\x1b[0m.txt", |style, piece| {
        pieces.push((style, piece.to_string()));
        Ok(())
    });
    assert!(written.is_ok());
    let of = |style: Style| -> Vec<&str> {
        pieces
            .iter()
            .filter(|(of, _)| *of == style)
            .map(|(_, piece)| piece.as_str())
            .collect()
    };
    assert_eq!(
        of(Style::Severity(Severity::Warning)),
        ["warning[R060]", "          ^^^\n"]
    );
    assert_eq!(of(Style::Other), ["          ---\n"]);
    assert_eq!(of(Style::Help), ["help"]);
    assert!(!pieces.iter().any(|(_, piece)| piece.contains('\x1b')));
}

/// SPEC 4.4: a file that is no robots.txt.
#[test]
fn the_start_says_what_it_is() {
    for (body, kind) in [
        (&b""[..], FileKind::Text),
        (b"User-agent: *\nDisallow: /a/\n", FileKind::Text),
        (b"Not found\n", FileKind::Text),
        (b"<3\n", FileKind::Text),
        (b"WARC/1.1\r\n", FileKind::Warc),
        (b"\n\nWARC/1.1\r\n", FileKind::Warc),
        (b"WARC/x", FileKind::Text),
        (b"HTTP/1.1 200 OK\r\n", FileKind::HttpResponse),
        (b"HTTP/2 200\r\n", FileKind::HttpResponse),
        (b"http/1.1 is a protocol", FileKind::Text),
        (b"\x1F\x8B", FileKind::Gzip),
        (b"\xEF\xBB\xBF\x1F\x8B", FileKind::Gzip),
        (b"x\x9C\x0B", FileKind::Compressed),
        (b"x^", FileKind::Text),
        (b"PK\x03\x04", FileKind::Compressed),
        (b"BZh91AY&SY", FileKind::Compressed),
        (b"\x28\xB5\x2F\xFD", FileKind::Compressed),
        (b"\xFD7zXZ\0", FileKind::Compressed),
        (b"\x89PNG\x01\x02\x03\x04", FileKind::Binary),
        (b"\xFF\xFEU\0", FileKind::Utf16),
        (b"U\0s\0e\0r\0-\0", FileKind::Utf16),
        (b"<!DOCTYPE HTML>", FileKind::Html),
        (b"\xEF\xBB\xBF \n<HTML>", FileKind::Html),
        (b"<?xml version='1.0'?><urlset>", FileKind::Xml),
        (b"<?xml version='1.0'?><html>", FileKind::Html),
        (b"<rules>", FileKind::Text),
        (b"{\"error\": \"not found\"}", FileKind::Json),
        (b"\xEF\xBB\xBF\n[ {\"a\": 1}]", FileKind::Json),
        (b"{}", FileKind::Json),
        (b"[]", FileKind::Json),
        (b"{", FileKind::Text),
        (b"[section]\n", FileKind::Text),
        (b"{ user-agent }\n", FileKind::Text),
        (b"%PDF-1.7\n", FileKind::Pdf),
        (b"{\\rtf1\\ansi\nUser-agent: *\\par\n", FileKind::Rtf),
        (b"%PD", FileKind::Text),
    ] {
        assert_eq!(FileKind::detect(body), kind, "{}", body.escape_ascii());
        assert!(!kind.description().is_empty());
        assert_eq!(kind.may_hold_rules(), kind == FileKind::Text);
    }
}

/// The names of operators and products are no crawler's: the right names are said, and written by the fix.
#[test]
fn operators_are_no_crawlers() {
    #[rustfmt::skip]
    let rows = [
        ("Google", "`Googlebot`, `Storebot-Google`, `GoogleOther`, `Google-CloudVertexBot`, `Google-Extended`, `AdsBot-Google`, `AdsBot-Google-Mobile`, `AdsBot-Google-Mobile-Apps`, `Mediapartners-Google`, each on its own user-agent line"),
        ("Bing", "`bingbot`"),
        ("ChatGPT", "`OAI-SearchBot`, `GPTBot`, `ChatGPT-User`, each on its own user-agent line"),
        ("openai", "`OAI-SearchBot`, `GPTBot`, `ChatGPT-User`, each on its own user-agent line"),
        ("Perplexity", "`PerplexityBot`"),
        ("Anthropic", "`Claude-SearchBot`, `ClaudeBot`, `Claude-User`, each on its own user-agent line"),
        ("Claude", "`Claude-SearchBot`, `ClaudeBot`, `Claude-User`, each on its own user-agent line"),
        ("Gemini", "`Google-Extended`"),
        ("Apple", "`Applebot`, `Applebot-Extended`, each on its own user-agent line"),
        ("All", "`*`"),
    ];
    for (name, right) in rows {
        let body = format!("User-agent: {name}\nDisallow: /a/\n");
        let report = super::linted(body.as_bytes());
        let mut found = report.diagnostics().iter();
        let found = found.find(|found| found.code == Code::AgentNearMiss);
        let found = found.unwrap_or_else(|| panic!("{name}: {report}"));
        assert_eq!(
            found.suggestion.as_deref(),
            Some(&*format!("write {right}")),
            "{name}"
        );
        let quoted = right.split('`').skip(1).step_by(2);
        let names: Vec<String> = quoted.map(|name| format!("User-agent: {name}")).collect();
        let fix = &found.fix.as_ref().unwrap().replacement;
        assert_eq!(format!("User-agent: {fix}"), names.join("\n"), "{name}");
    }
    let report = super::linted(b"User-agent: training\nDisallow: /a/\n");
    assert!(
        report
            .to_string()
            .contains("`training` names no crawler: that is a purpose"),
        "{report}"
    );
    for name in [
        "Googlebot",
        "Yandex",
        "Slurp",
        "Facebot",
        "Claude-Web",
        "anthropic-ai",
        "ExampleBot",
    ] {
        let body = format!("User-agent: {name}\nDisallow: /a/\n");
        let report = super::linted(body.as_bytes());
        let is_it = |found: &robots::Diagnostic| {
            matches!(found.code, Code::AgentNearMiss | Code::AgentPerhaps)
        };
        assert!(!report.diagnostics().iter().any(is_it), "{name}: {report}");
    }
    // These may be names of crawlers that lint does not know, so no warning and no fix.
    for (name, right) in [
        ("Goggle", "Googlebot"),
        ("Bingo", "bingbot"),
        ("Twiter", "Twitterbot"),
    ] {
        let body = format!("User-agent: {name}\nDisallow: /a/\n");
        let report = super::linted(body.as_bytes());
        let found = &report.diagnostics()[0];
        let help = format!("write `{right}`, if that crawler is meant");
        assert_eq!(
            (found.code, found.suggestion.as_deref(), &found.fix),
            (Code::AgentPerhaps, Some(&*help), &None),
            "{report}"
        );
    }
    // Who shuts Copilot out must know that the crawler is that of Bing.
    let report = super::linted(b"User-agent: Copilot\nDisallow: /\n").to_string();
    assert!(
        report.contains("write `bingbot`, which also fetches for the search of its operator"),
        "{report}"
    );
}
