//! The output of `robots lint`: text, JSON, annotations of GitHub, statistics.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use robots::{Code, Report, Severity, Style};
use serde::Serialize;

use crate::fault::Fault;
use crate::screen::{self, workflow_data, workflow_property};

/// A file and its report.
pub(crate) struct Linted {
    pub(crate) name: String,
    pub(crate) report: Report,
}

pub(crate) fn text(linted: &Linted, colour: bool) -> String {
    let mut text = String::new();
    let written = linted.report.render(&linted.name, |style, piece| {
        let escape = match style {
            _ if !colour => "",
            Style::Severity(Severity::Error) => "1;31",
            Style::Severity(Severity::Warning) => "1;33",
            Style::Severity(Severity::Note) => "1;36",
            Style::Message => "1",
            Style::Frame | Style::Other => "1;34",
            Style::Help => "1;32",
            _ => "",
        };
        if escape.is_empty() {
            return text.write_fmt(piece);
        }
        // The line end stays outside the colour.
        let piece = piece.to_string();
        let shown = piece.trim_end_matches('\n');
        let end = piece.strip_prefix(shown).unwrap_or_default();
        write!(text, "\x1b[{escape}m{shown}\x1b[0m{end}")
    });
    // Writing to a `String` cannot fail.
    let _ = written;
    text
}

#[derive(Serialize)]
struct JsonFault<'f> {
    file: &'f str,
    code: String,
    severity: &'static str,
    title: &'static str,
    line: u32,
    column: u32,
    start: usize,
    end: usize,
    message: &'f str,
    suggestion: Option<&'f str>,
    other_line: u32,
    fix: Option<JsonFix<'f>>,
}

/// The edit that follows the advice.
#[derive(Serialize)]
struct JsonFix<'f> {
    start: usize,
    end: usize,
    replacement: &'f str,
    safe: bool,
}

pub(crate) fn json(linted: &Linted) -> Result<String, Fault> {
    let mut text = String::new();
    for found in linted.report.diagnostics() {
        let span = &found.span;
        screen::push_json_line(
            &mut text,
            &JsonFault {
                file: &linted.name,
                code: found.code.to_string(),
                severity: found.severity().name(),
                title: found.code.title(),
                line: found.line,
                column: found.column,
                start: span.start,
                end: span.end,
                message: &found.message,
                suggestion: found.suggestion.as_deref(),
                other_line: found.other_line,
                fix: found.fix.as_ref().map(|fix| JsonFix {
                    start: fix.span.start,
                    end: fix.span.end,
                    replacement: &fix.replacement,
                    safe: fix.is_safe,
                }),
            },
        )?;
    }
    Ok(text)
}

/// Returns workflow commands of GitHub Actions.
pub(crate) fn github(linted: &Linted) -> String {
    let mut text = String::new();
    for found in linted.report.diagnostics() {
        let command = match found.severity() {
            Severity::Note => "notice",
            other => other.name(),
        };
        let place = match found.line {
            0 => String::new(),
            line => format!(",line={line},col={}", found.column),
        };
        let help = found.suggestion.as_deref().map(|help| format!("; {help}"));
        text.push_str(&format!(
            "::{command} file={}{place},title={}::{}{}\n",
            workflow_property(&linted.name),
            workflow_property(&format!("{} {}", found.code, found.code.title())),
            workflow_data(&found.message),
            workflow_data(&help.unwrap_or_default())
        ));
    }
    text
}

/// How many findings of each code, in how many files.
#[derive(Default)]
pub(crate) struct Statistics {
    files: u64,
    codes: BTreeMap<Code, [u64; 2]>,
}

#[derive(Serialize)]
struct JsonCount {
    code: String,
    severity: &'static str,
    title: &'static str,
    findings: u64,
    files: u64,
}

impl Statistics {
    pub(crate) fn add(&mut self, report: &Report) {
        self.files += 1;
        for (code, total) in report.totals() {
            let [findings, files] = self.codes.entry(*code).or_default();
            *findings += total;
            *files += 1;
        }
    }

    /// Returns a table, the most findings first.
    pub(crate) fn text(&self) -> String {
        let mut rows: Vec<_> = self.codes.iter().collect();
        rows.sort_by_key(|(code, [findings, _])| (std::cmp::Reverse(*findings), **code));
        let mut text = format!("{:>9} {:>7}  code  severity\n", "findings", "files");
        for (code, [findings, files]) in rows {
            let (severity, title) = (code.severity().name(), code.title());
            // Writing to a `String` cannot fail.
            let _ = writeln!(
                text,
                "{findings:>9} {files:>7}  {code}  {severity:<8} {title}"
            );
        }
        let _ = writeln!(text, "{} files", self.files);
        text
    }

    /// Returns a line of JSON for each code.
    pub(crate) fn json(&self) -> Result<String, Fault> {
        let mut text = String::new();
        for (code, [findings, files]) in &self.codes {
            let count = JsonCount {
                code: code.to_string(),
                severity: code.severity().name(),
                title: code.title(),
                findings: *findings,
                files: *files,
            };
            screen::push_json_line(&mut text, &count)?;
        }
        Ok(text)
    }
}

/// Returns the address of what a code means, with an example.
pub(super) fn page_of(code: Code) -> String {
    let page = concat!(
        env!("CARGO_PKG_REPOSITORY"),
        "/blob/main/bindings/cli/lint.md"
    );
    format!("{page}#{}", code.to_string().to_ascii_lowercase())
}
