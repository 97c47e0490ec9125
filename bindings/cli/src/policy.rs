//! `robots policy`: what well-known crawlers may fetch, by purpose, and what the file says about use.

use std::fmt::Write as _;

use robots::{
    Crawler, Extension, ExtensionField, Extensions, LineKind, OutcomeKind, Preset, Purpose, Rules,
};
use serde::Serialize;

use crate::crawler::How;
use crate::fault::{Exit, Fault};
use crate::screen::{self, Coloured, lossy, safe};
use crate::subject::{Subject, Where};

/// Show what well-known crawlers may fetch: search, training, requests of users
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots policy robots.txt
  robots policy --live example.com
  robots policy --json robots.txt | jq -r 'select(.purpose == \"training\").verdict'

Each row is a crawler: blocked, if no URL is allowed; partly, if its rules forbid some; allowed. A
crawler `(*)` has no group of its own and obeys that of `*`. A control token fetches nothing: it
controls what may be done with pages that other crawlers of its operator fetch. `may ignore` marks
those whose operators say that requests of users may ignore the file. The purposes and the names are
those that the operators documented in November 2026; --json has the addresses.

The verdict is tried with the path of each rule, so a rule that never decides does not count.

Exit status: 0 done; 2 the file cannot be read.")]
pub(crate) struct Args {
    #[command(flatten)]
    place: Where,
    /// Print a line of JSON for each crawler, and one for the file
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    color: Coloured,
    #[command(flatten)]
    how: How,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Access {
    Allowed,
    Partly,
    Blocked,
    /// The site is unreachable.
    Unknown,
}

impl Access {
    fn word(self) -> &'static str {
        match self {
            Access::Allowed => "allowed",
            Access::Partly => "partly",
            Access::Blocked => "blocked",
            Access::Unknown => "unknown",
        }
    }
}

/// A crawler and what it may fetch.
struct Row {
    preset: Preset,
    access: Access,
    has_own_group: bool,
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    // The fetch does not depend on the token.
    let crawler = args.how.crawler(&["robots"])?;
    let subject = args.place.load(&crawler, args.how.worth_reading())?;
    let report =
        robots::lint(&crawler, &subject.body).map_err(|error| Fault::new(error.to_string()))?;
    let value = |range: std::ops::Range<usize>| report.body().get(range).unwrap_or_default();
    let paths: Vec<&[u8]> = report
        .lines()
        .filter(|line| matches!(line.kind, LineKind::Allow | LineKind::Disallow))
        .map(|line| value(line.value))
        .collect();
    let probes = probes(&paths);
    let mut rows = Vec::new();
    for preset in Preset::all() {
        rows.push(row(preset, &subject, &probes, &args.how)?);
    }
    rows.sort_by_key(|row| row.preset.purpose());
    let licences: Vec<(u32, Vec<u8>)> = report
        .lines()
        .filter(|line| value(line.field.clone()).eq_ignore_ascii_case(b"license"))
        .map(|line| (line.number, value(line.value).to_vec()))
        .collect();
    let extensions = Extensions::parse(&Crawler::without_token(), report.body())
        .map_err(|error| Fault::new(error.to_string()))?;
    let is_signal = |line: &Extension<'_>| {
        matches!(
            line.field(),
            ExtensionField::ContentSignal | ExtensionField::ContentUsage
        )
    };
    let mut signals: Vec<(u32, &str, Vec<u8>)> = extensions
        .lines()
        .filter(is_signal)
        .map(|line| (line.line(), line.field().name(), line.value().to_vec()))
        .collect();
    signals.extend(
        licences
            .into_iter()
            .map(|(line, value)| (line, "license", value)),
    );
    let mut text = String::new();
    if args.json {
        for row in &rows {
            screen::push_json_line(&mut text, &JsonRow::of(&subject.name, row))?;
        }
        let lines = signals.iter().map(|(line, field, value)| JsonLine {
            line: *line,
            field,
            value: lossy(value),
        });
        screen::push_json_line(
            &mut text,
            &JsonFile {
                file: &subject.name,
                lines: lines.collect(),
            },
        )?;
    } else {
        table(&rows, args.color.is_on(), &mut text);
        for (line, field, value) in &signals {
            let _ = writeln!(text, "{field:14}  line {line}: {}", safe(value));
        }
        if signals.is_empty() {
            text.push_str("no Content-Signal, Content-Usage or License for every crawler\n");
        }
    }
    screen::print(text)?;
    Ok(Exit::Yes)
}

/// The most rules whose paths are tried.
const MOST_PROBES: usize = 2_000;

/// Returns URLs that the rules decide differently, if any do: the path of each rule, with what its wildcards may stand for,
/// and with something after it.
fn probes(paths: &[&[u8]]) -> Vec<Vec<u8>> {
    let mut probes = vec![b"/".to_vec(), b"/7c1f3a/d09e.html".to_vec()];
    for path in paths.iter().take(MOST_PROBES) {
        let (path, is_open) = match path.strip_suffix(b"$") {
            Some(path) => (path, false),
            None => (*path, true),
        };
        let start: &[u8] = if path.first() == Some(&b'*') {
            b"/"
        } else {
            b""
        };
        let filled: Vec<u8> = path
            .iter()
            .flat_map(|byte| {
                if *byte == b'*' {
                    &b"7c1"[..]
                } else {
                    std::slice::from_ref(byte)
                }
            })
            .copied()
            .collect();
        let url = [start, &filled].concat();
        if url.first() != Some(&b'/') {
            continue;
        }
        if is_open {
            probes.push([&*url, b"7c1f3a.html"].concat());
        }
        probes.push(url);
    }
    probes
}

fn row(preset: Preset, subject: &Subject, probes: &[Vec<u8>], how: &How) -> Result<Row, Fault> {
    let crawler = how
        .crawler(preset.tokens())?
        .with_ignore_star(preset.ignores_star());
    let rules = subject.rules(&crawler);
    let own = how
        .crawler(preset.tokens())?
        .with_ignore_star(true)
        .parse(&subject.body);
    let kind = subject.outcome.as_ref().map(|outcome| outcome.kind());
    // A fetched file was compiled for another token.
    let rules = match kind {
        Some(OutcomeKind::Rules) => crawler.parse(&subject.body),
        _ => rules,
    };
    let access = match kind {
        Some(OutcomeKind::Defer | OutcomeKind::Unreachable) => Access::Unknown,
        _ => access(&rules, probes),
    };
    Ok(Row {
        preset,
        access,
        has_own_group: own.about().has_group && subject.has_file(),
    })
}

fn access(rules: &Rules, probes: &[Vec<u8>]) -> Access {
    let about = rules.about();
    if about.allows_all {
        return Access::Allowed;
    }
    if about.disallows_all {
        return Access::Blocked;
    }
    let allowed = probes.iter().filter(|url| rules.is_allowed(url)).count();
    match allowed {
        0 => Access::Blocked,
        all if all == probes.len() => Access::Allowed,
        _ => Access::Partly,
    }
}

fn purpose_name(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Search => "search",
        Purpose::Training => "training",
        Purpose::UserRequest => "user request",
        Purpose::Commerce => "commerce",
        // Later versions may add purposes.
        _ => "other",
    }
}

fn table(rows: &[Row], is_coloured: bool, text: &mut String) {
    let mut last = None;
    for row in rows {
        let purpose = purpose_name(row.preset.purpose());
        let shown = if last == Some(purpose) { "" } else { purpose };
        last = Some(purpose);
        let mut notes = Vec::new();
        if !row.has_own_group && row.access != Access::Allowed {
            notes.push("(*)");
        }
        if row.preset.is_control_token() {
            notes.push("control token");
        }
        if row.preset.may_ignore() {
            notes.push("may ignore");
        }
        let escape = match row.access {
            Access::Allowed => "32",
            Access::Partly | Access::Unknown => "33",
            Access::Blocked => "31",
        };
        let word = format!("{:8}", row.access.word());
        let word = match is_coloured {
            true => format!("\x1b[{escape}m{word}\x1b[0m"),
            false => word,
        };
        let line = format!(
            "{shown:14}  {:22}  {word}  {}",
            row.preset.name(),
            notes.join(", ")
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push('\n');
}

#[derive(Serialize)]
struct JsonRow<'r> {
    file: &'r str,
    purpose: &'static str,
    crawler: &'static str,
    verdict: Access,
    own_group: bool,
    control_token: bool,
    may_ignore: bool,
    documentation: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonFile<'r> {
    file: &'r str,
    lines: Vec<JsonLine<'r>>,
}

#[derive(Serialize)]
struct JsonLine<'r> {
    line: u32,
    field: &'r str,
    value: String,
}

impl<'r> JsonRow<'r> {
    fn of(file: &'r str, row: &Row) -> JsonRow<'r> {
        JsonRow {
            file,
            purpose: purpose_name(row.preset.purpose()),
            crawler: row.preset.name(),
            verdict: row.access,
            own_group: row.has_own_group,
            control_token: row.preset.is_control_token(),
            may_ignore: row.preset.may_ignore(),
            documentation: row.preset.documentation(),
        }
    }
}
