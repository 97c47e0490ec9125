//! `robots groups`: the rules of each crawler.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use robots::{LineKind, LineMeaning};
use serde::Serialize;

use crate::crawler::How;
use crate::fault::{Exit, Fault, complain};
use crate::file_groups::{Agent, FileGroups, JsonSitemap, json_sitemaps, kind_name, sitemaps};
use crate::input;
use crate::screen::{self, Shown, lossy, safe};
use crate::subject;

/// Show the rules of each crawler: a matrix of agents and rules
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots groups robots.txt
  robots groups -d koster1996 robots.txt
  robots groups --json robots.txt | jq -r '.agents[].name'

Agents with the same rules share a column: `x` disallows, `+` allows, `o` is a crawl-delay, and `.`
does not apply. A crawler that no column names obeys the column of `*`, if there is one. With
--json each column is one line; a last one has the sitemaps, if there are any.

Exit status: 0 done; 2 the file cannot be read, or with --json names too many crawlers to write
all columns.")]
pub(crate) struct Args {
    #[command(flatten)]
    how: How,
    /// The robots.txt (`-`: standard input)
    #[arg(value_name = "ROBOTS_TXT")]
    file: PathBuf,
    #[command(flatten)]
    shown: Shown,
}

/// More columns than this are printed as a list.
const MOST_COLUMNS: usize = 16;
/// The widest rule that widens the table.
const WIDEST_RULE: usize = 48;

/// The most bytes of JSON before the last column. JSON repeats a rule for each column, and a hostile file has 5,000 columns
/// of 10,000 rules.
const MOST_JSON: usize = 256 << 20;

/// The agents that obey the same groups.
struct Column<'o> {
    agents: Vec<&'o Agent>,
    groups: &'o [usize],
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    let body = subject::read_body(&args.file, args.how.worth_reading())?;
    let outline = FileGroups::of(&args.how, args.how.dialect(), &body)?;
    let columns = columns(&outline);
    if args.shown.json {
        return json(&args, &outline, &columns);
    }
    let mut text = if columns.is_empty() {
        "no groups: every crawler may fetch everything\n".to_owned()
    } else if columns.len() <= MOST_COLUMNS {
        matrix(&outline, &columns, args.shown.is_coloured())
    } else {
        list(&outline, &columns)
    };
    let sitemaps = sitemaps(&outline);
    if !sitemaps.is_empty() {
        text = format!("{text}\n{sitemaps}");
    }
    args.shown.print(text)?;
    Ok(Exit::Yes)
}

fn columns(outline: &FileGroups) -> Vec<Column<'_>> {
    let mut columns: Vec<Column> = Vec::new();
    let mut places: HashMap<&[usize], usize> = HashMap::new();
    for agent in &outline.agents {
        let place = *places.entry(&agent.groups).or_insert_with(|| {
            columns.push(Column {
                agents: Vec::new(),
                groups: &agent.groups,
            });
            columns.len() - 1
        });
        if let Some(column) = columns.get_mut(place) {
            column.agents.push(agent);
        }
    }
    columns
}

/// `A` to `Z`.
fn letter(index: usize) -> char {
    u8::try_from(index).map_or('?', |index| char::from(b'A'.saturating_add(index)))
}

fn legend(columns: &[Column<'_>], text: &mut String) {
    let names = columns.iter().flat_map(|column| &column.agents);
    let width = names.map(|agent| safe(&agent.name).chars().count()).max();
    let width = width.unwrap_or(0).min(WIDEST_RULE);
    for (index, column) in columns.iter().enumerate() {
        let mut mark = letter(index);
        for agent in &column.agents {
            let lines: Vec<String> = agent.lines.iter().map(u32::to_string).collect();
            let word = if lines.len() == 1 { "line" } else { "lines" };
            let name = safe(&agent.name);
            let _ = writeln!(text, "{mark}  {name:width$}  {word} {}", lines.join(", "));
            mark = ' ';
        }
    }
}

fn rule(outline: &FileGroups, line: &LineMeaning) -> String {
    safe(outline.text_of(line.number)).into_owned()
}

fn matrix(outline: &FileGroups, columns: &[Column<'_>], is_coloured: bool) -> String {
    let mut text = String::new();
    legend(columns, &mut text);
    let rows: Vec<(usize, &LineMeaning, String)> = (0..)
        .zip(&outline.groups)
        .flat_map(|(group, rules)| rules.iter().map(move |line| (group, line)))
        .map(|(group, line)| (group, line, rule(outline, line)))
        .collect();
    let widths = rows.iter().map(|(_, _, rule)| rule.chars().count());
    let width = widths.max().unwrap_or(0).clamp(4, WIDEST_RULE);
    let letters: String = (0..columns.len())
        .map(|index| format!("  {}", letter(index)))
        .collect();
    let _ = writeln!(text, "\nline  {:width$}{letters}", "rule");
    for (group, line, rule) in rows {
        let _ = write!(text, "{:4}  {rule:width$}", line.number);
        for column in columns {
            let allows = ("+", "32");
            let (mark, escape) = match line.kind {
                _ if column.groups.binary_search(&group).is_err() => (".", "2"),
                LineKind::Allow => allows,
                // An empty disallow allows everything.
                LineKind::Disallow if line.value.is_empty() => allows,
                LineKind::Disallow => ("x", "31"),
                _ => ("o", "33"),
            };
            let mark = screen::coloured(is_coloured, escape, mark);
            let _ = write!(text, "  {mark}");
        }
        text.push('\n');
    }
    text
}

/// Writes each group once, with its agents.
fn list(outline: &FileGroups, columns: &[Column<'_>]) -> String {
    let mut named: Vec<Vec<String>> = vec![Vec::new(); outline.groups.len()];
    for column in columns {
        for group in column.groups {
            if let Some(names) = named.get_mut(*group) {
                names.extend(
                    column
                        .agents
                        .iter()
                        .map(|agent| safe(&agent.name).into_owned()),
                );
            }
        }
    }
    let mut text = format!(
        "{} agents in {} groups; an agent that several groups name obeys all of them\n",
        outline.agents.len(),
        outline.groups.len()
    );
    for (names, rules) in named.iter().zip(&outline.groups) {
        let names = if names.is_empty() {
            "(nobody)".to_owned()
        } else {
            names.join(", ")
        };
        let _ = writeln!(text, "\n{names}");
        for line in rules {
            let _ = writeln!(text, "{:4}  {}", line.number, rule(outline, line));
        }
    }
    text
}

#[derive(Serialize)]
struct JsonColumn {
    file: String,
    agents: Vec<JsonAgent>,
    rules: Vec<JsonRule>,
}

#[derive(Serialize)]
struct JsonSitemaps {
    file: String,
    sitemaps: Vec<JsonSitemap>,
}

#[derive(Serialize)]
struct JsonAgent {
    name: String,
    lines: Vec<u32>,
}

#[derive(Serialize)]
struct JsonRule {
    line: u32,
    field: &'static str,
    value: String,
}

/// Writes one column at a time: the output can be many times as long as the file.
fn json(args: &Args, outline: &FileGroups, columns: &[Column<'_>]) -> Result<Exit, Fault> {
    let mut written = 0;
    for (index, column) in columns.iter().enumerate() {
        if written > MOST_JSON {
            complain(&format!(
                "{} more columns are not written: the file names too many crawlers",
                columns.len() - index
            ));
            return Ok(Exit::BadInput);
        }
        let mut text = String::new();
        let agent = |agent: &&Agent| JsonAgent {
            name: lossy(&agent.name),
            lines: agent.lines.clone(),
        };
        let rule = |line: &LineMeaning| JsonRule {
            line: line.number,
            field: kind_name(line.kind),
            value: lossy(outline.value(line)),
        };
        let column = JsonColumn {
            file: input::name(&args.file),
            agents: column.agents.iter().map(agent).collect(),
            rules: outline.rules_of(column.groups).map(rule).collect(),
        };
        screen::push_json_line(&mut text, &column)?;
        written += text.len();
        screen::print(text)?;
    }
    let sitemaps = json_sitemaps(outline);
    if !sitemaps.is_empty() {
        let mut text = String::new();
        let file = input::name(&args.file);
        screen::push_json_line(&mut text, &JsonSitemaps { file, sitemaps })?;
        screen::print(text)?;
    }
    Ok(Exit::Yes)
}
