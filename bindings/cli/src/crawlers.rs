//! `robots crawlers`: the well-known crawlers, and how they read a robots.txt.

use std::fmt::Write as _;

use robots::Preset;
use serde::Serialize;

use crate::fault::{Exit, Fault};
use crate::screen::{self, Shown};
use crate::words::dialect_name;

/// List the well-known crawlers: purpose, names, how they read a robots.txt, source
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots crawlers
  robots crawlers --json | jq -r 'select(.purpose == \"training\").name'

Each row is a crawler: its product tokens in order of preference, the dialect in which it reads a
file, and what is special: `control token`, it fetches nothing; `named groups only`, it ignores the
groups of `*`; `may ignore`, requests of users may ignore the file; `ignores`, it ignores the file.
The last column is the page of its operator, as of the date in the first line.

Exit status: 0 done.")]
pub(crate) struct Args {
    #[command(flatten)]
    shown: Shown,
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    let mut presets: Vec<Preset> = Preset::all().collect();
    presets.sort_by_key(Preset::purpose);
    let mut text = String::new();
    if args.shown.json {
        for preset in &presets {
            screen::push_json_line(&mut text, &JsonCrawler::of(preset))?;
        }
        args.shown.print(text)?;
        return Ok(Exit::Yes);
    }
    let _ = writeln!(
        text,
        "as of {}; where a page of the operator says something else, the page is right\n",
        Preset::DATE
    );
    let mut last = "";
    for preset in &presets {
        let purpose = preset.purpose().name();
        let shown = if purpose == last { "" } else { purpose };
        last = purpose;
        let notes = [
            (preset.is_control_token(), "control token"),
            (preset.ignores_star(), "named groups only"),
            (preset.ignores_robots_txt(), "ignores"),
            (
                preset.may_ignore() && !preset.ignores_robots_txt(),
                "may ignore",
            ),
        ];
        let note = notes
            .iter()
            .find(|(holds, _)| *holds)
            .map_or("", |(_, note)| note);
        let purpose = screen::coloured(args.shown.is_coloured(), "1", &format!("{shown:13}"));
        let tokens = preset.tokens().join(",");
        let dialect = dialect_name(preset.dialect());
        let source = preset.documentation().unwrap_or("-");
        let _ = writeln!(
            text,
            "{purpose} {tokens:31} {dialect:8} {note:17}  {source}"
        );
    }
    args.shown.print(text)?;
    Ok(Exit::Yes)
}

#[derive(Serialize)]
struct JsonCrawler {
    name: &'static str,
    purpose: &'static str,
    tokens: &'static [&'static str],
    dialect: &'static str,
    ignores_star: bool,
    control_token: bool,
    may_ignore: bool,
    ignores_robots_txt: bool,
    date: &'static str,
    documentation: Option<&'static str>,
}

impl JsonCrawler {
    fn of(preset: &Preset) -> JsonCrawler {
        JsonCrawler {
            name: preset.name(),
            purpose: preset.purpose().name(),
            tokens: preset.tokens(),
            dialect: dialect_name(preset.dialect()),
            ignores_star: preset.ignores_star(),
            control_token: preset.is_control_token(),
            may_ignore: preset.may_ignore(),
            ignores_robots_txt: preset.ignores_robots_txt(),
            date: Preset::DATE,
            documentation: preset.documentation(),
        }
    }
}
