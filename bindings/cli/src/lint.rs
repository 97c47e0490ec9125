//! `robots lint`: faults of robots.txt files.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::ValueEnum;
use robots::{Code, Report, Severity, Style};
use serde::Serialize;

use crate::crawler::How;
use crate::fault::{Exit, Fault};
use crate::input;
use crate::sarif;
use crate::screen::{self, Coloured};

/// Report faults of robots.txt files
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots lint robots.txt
  robots lint --deny warnings --format github robots.txt
  robots lint --format sarif sites/*/robots.txt > robots.sarif
  robots lint --explain R050

Every group is checked. The first 100 faults of each code are kept, and the first ten are shown as
text; the summary counts all.

Exit status: 0 no errors; 1 errors, or what --deny names; 2 a file cannot be read.")]
pub(crate) struct Args {
    /// The files (`-`: standard input)
    #[arg(value_name = "ROBOTS_TXT", required_unless_present = "explain")]
    files: Vec<PathBuf>,
    /// Output format
    #[arg(
        long,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "text|json|sarif|github"
    )]
    format: Format,
    /// Fail also for warnings, or for warnings and notes
    #[arg(long, value_name = "warnings|notes", hide_possible_values = true)]
    deny: Option<Deny>,
    #[command(flatten)]
    color: Coloured,
    /// Explain a code; reads no files
    #[arg(long, value_name = "CODE", conflicts_with = "files")]
    explain: Option<String>,
    #[command(flatten)]
    how: How,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// for people
    #[default]
    Text,
    /// a line of JSON for each fault
    Json,
    /// SARIF 2.1.0, for code scanners
    Sarif,
    /// annotations of GitHub Actions
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Deny {
    Warnings,
    Notes,
}

/// A file and its report.
pub(crate) struct Linted {
    pub(crate) name: String,
    pub(crate) report: Report,
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    if let Some(code) = &args.explain {
        return explain(code);
    }
    let denied = match args.deny {
        None => Severity::Error,
        Some(Deny::Warnings) => Severity::Warning,
        Some(Deny::Notes) => Severity::Note,
    };
    // Lint checks every group: the token does not matter.
    let crawler = args.how.crawler(&["robots"])?;
    let colour = args.color.is_on();
    let mut exit = Exit::Yes;
    let mut all = Vec::new();
    for path in &args.files {
        let body = input::read(path, args.how.worth_reading())?;
        let report = robots::lint(&crawler, body)
            .map_err(|error| Fault::new(format!("{}: {error}", path.display())))?;
        let severities = Severity::ALL
            .into_iter()
            .filter(|severity| *severity >= denied);
        if severities
            .map(|severity| report.total(severity))
            .sum::<u64>()
            > 0
        {
            exit = Exit::No;
        }
        let linted = Linted {
            name: input::name(path),
            report,
        };
        match args.format {
            Format::Text => screen::print(text(&linted, colour))?,
            Format::Json => screen::print(json(&linted)?)?,
            Format::Github => screen::print(github(&linted))?,
            Format::Sarif => all.push(sarif::results(&linted)),
        }
    }
    if args.format == Format::Sarif {
        screen::print(sarif::log(all)?)?;
    }
    Ok(exit)
}

fn text(linted: &Linted, colour: bool) -> String {
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
}

fn json(linted: &Linted) -> Result<String, Fault> {
    let mut text = String::new();
    for found in linted.report.diagnostics() {
        let span = found.span();
        screen::push_json_line(
            &mut text,
            &JsonFault {
                file: &linted.name,
                code: found.code().to_string(),
                severity: found.severity().name(),
                title: found.code().title(),
                line: found.line(),
                column: found.column(),
                start: span.start,
                end: span.end,
                message: found.message(),
                suggestion: found.suggestion(),
                other_line: found.other_line(),
            },
        )?;
    }
    Ok(text)
}

/// Returns workflow commands of GitHub Actions.
fn github(linted: &Linted) -> String {
    let data = |text: &str| {
        let text = text.replace('%', "%25");
        text.replace('\r', "%0D").replace('\n', "%0A")
    };
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let mut text = String::new();
    for found in linted.report.diagnostics() {
        let command = match found.severity() {
            Severity::Note => "notice",
            other => other.name(),
        };
        let place = match found.line() {
            0 => String::new(),
            line => format!(",line={line},col={}", found.column()),
        };
        let help = found.suggestion().map(|help| format!("; {help}"));
        text.push_str(&format!(
            "::{command} file={}{place},title={}::{}{}\n",
            property(&linted.name),
            property(&format!("{} {}", found.code(), found.code().title())),
            data(found.message()),
            data(&help.unwrap_or_default())
        ));
    }
    text
}

fn explain(wanted: &str) -> Result<Exit, Fault> {
    let code = Code::ALL
        .iter()
        .find(|code| code.to_string().eq_ignore_ascii_case(wanted));
    let Some(code) = code else {
        let all: Vec<String> = Code::ALL.iter().map(Code::to_string).collect();
        return Err(Fault::new(format!(
            "--explain {wanted}: unknown code; the codes are: {}",
            all.join(" ")
        )));
    };
    let mut text = format!(
        "{}[{code}]: {}\n\n{}\n",
        code.severity(),
        code.title(),
        code.explanation()
    );
    text.push_str("\nExample:\n\n");
    for line in code.example().split_inclusive(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        text.push_str(&format!("    {}\n", screen::safe(line)));
    }
    screen::print(text)?;
    Ok(Exit::Yes)
}
