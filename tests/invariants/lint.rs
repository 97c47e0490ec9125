//! Invariants of lint reports.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use robots::{BodyDoubt, Code, Crawler, LineKind, Reason, Report, lint};
use std::fmt::Write as _;

/// `BodyDoubt` says what the report says. Of what is no text, lint reports no line.
fn is_doubted_alike(crawler: &Crawler, body: &[u8], report: &Report) -> Result<(), TestCaseError> {
    let doubt = BodyDoubt::find(crawler, body).unwrap();
    let has_agent = report.lines().any(|line| line.kind == LineKind::UserAgent);
    prop_assert_eq!(doubt == Some(BodyDoubt::NoGroup), !has_agent);
    let has = |codes: &[Code]| report.totals().iter().any(|(code, _)| codes.contains(code));
    let is_damaged = has(&[Code::JoinedLines, Code::CutLine, Code::RuleOutsideGroup]) && has_agent;
    let is_foreign = has(&[
        Code::Html,
        Code::Utf16,
        Code::Binary,
        Code::Warc,
        Code::HttpHeader,
    ]);
    match doubt == Some(BodyDoubt::Damaged) {
        true => prop_assert!(is_damaged || is_foreign, "{report}"),
        false => prop_assert!(!is_damaged, "{report}"),
    }
    Ok(())
}

/// Spans inside their lines, columns that say the same, a text without control characters, and every rule that
/// decides anything is a line that lint calls a rule of a group.
pub fn is_sound(crawler: &Crawler, body: &[u8], urls: &[Vec<u8>]) -> Result<(), TestCaseError> {
    let report = lint(&crawler.clone().with_lint_all(true), body).unwrap();
    for found in report.diagnostics() {
        let span = found.span.clone();
        prop_assert!(span.start <= span.end && span.end <= report.body().len());
        prop_assert!(!found.message.is_empty());
        if found.line == 0 {
            prop_assert_eq!((span.len(), found.column), (0, 0));
            continue;
        }
        let line = report.line(found.line);
        prop_assert!(line.is_some(), "no line of {found:?}");
        let line = line.unwrap();
        prop_assert!(span.end <= line.span.end, "{found:?} {line:?}");
        let is_mark = found.code == Code::ByteOrderMark;
        prop_assert!(
            is_mark || span.start >= line.span.start,
            "{found:?} {line:?}"
        );
        prop_assert_eq!(
            found.column as usize,
            span.start.saturating_sub(line.span.start) + 1
        );
    }
    for line in report.lines() {
        for part in [&line.field, &line.value] {
            prop_assert!(
                part.is_empty() || line.span.start <= part.start && part.end <= line.span.end
            );
        }
    }
    is_doubted_alike(crawler, body, &report)?;
    let text = report.to_string();
    prop_assert!(!text.chars().any(|c| c.is_control() && c != '\n'));
    let mut styled = String::new();
    let written = report.render("robots.txt", |_, piece| styled.write_fmt(piece));
    prop_assert!(written.is_ok());
    prop_assert_eq!(text, styled);
    let rules = crawler.parse(body);
    for url in urls {
        let verdict = rules.check(url);
        if matches!(
            verdict.reason(),
            Reason::RuleAllowed | Reason::RuleDisallowed
        ) {
            let line = report.line(verdict.line()).unwrap();
            let kind = if verdict.allowed() {
                LineKind::Allow
            } else {
                LineKind::Disallow
            };
            prop_assert!(line.kind == kind && line.group > 0, "{verdict:?} {line:?}");
        }
    }
    Ok(())
}
