//! `robots check` without --agent: the verdict for each well-known crawler, by purpose.

use std::borrow::Cow;
use std::fmt::Write as _;

use robots::{Preset, Rules, Verdict};

use crate::crawler::How;
use crate::crawler_names::EVERYONE;
use crate::fault::{Exit, Fault, complain};
use crate::file_groups::{FileGroups, sitemaps};
use crate::other_sites::Sites;
use crate::screen::{self, Shown, lossy, safe};
use crate::stream::Tally;
use crate::subject::{Subject, Where};
use crate::urls::Urls;
use crate::verdict;
use crate::words::reason_name;

/// The error if neither a crawler nor URLs are given.
pub(crate) const MISSING: &str = "the crawler is missing: give --agent, such as -a Googlebot; without it give one robots.txt and URLs";

/// A crawler and its rules; the purpose is empty for everyone else.
struct Row {
    purpose: &'static str,
    name: &'static str,
    rules: Rules,
}

/// What is asked.
pub(crate) struct Question<'q> {
    pub(crate) how: &'q How,
    pub(crate) place: &'q Where,
    pub(crate) urls: &'q Urls,
    pub(crate) site: Option<&'q str>,
    pub(crate) shown: Shown,
}

/// Prints the verdicts, and returns their number and whether a URL is of another site.
pub(crate) fn run(asked: Question<'_>) -> Result<(Tally, Exit), Fault> {
    let Question { how, place, .. } = asked;
    let subject = place.load(&how.crawler(&["robots"])?, how.worth_reading())?;
    let first = place.first_url(asked.urls.is_empty());
    let urls: Vec<Cow<'_, str>> = first
        .map(Cow::Owned)
        .into_iter()
        .chain(asked.urls.given())
        .collect();
    if urls.is_empty() {
        return Err(Fault::new(MISSING));
    }
    let rows = rows(how, &subject)?;
    let sites = Sites::of(std::slice::from_ref(&subject), asked.site)?;
    let mut tally = Tally::default();
    let mut text = String::new();
    for (index, url) in urls.iter().enumerate() {
        let url = &**url;
        tally.lines += 1;
        let foreign = sites.foreign(url.as_bytes());
        tally.foreign += u64::from(foreign.is_some());
        let verdicts = rows.iter().map(|row| match &foreign {
            Some(_) => (row, verdict::none()),
            None => (row, row.rules.check(url)),
        });
        let verdicts: Vec<(&Row, Verdict)> = verdicts.collect();
        let has_no_error = verdicts
            .iter()
            .all(|(_, verdict)| verdict.error().is_none());
        tally.bad += u64::from(foreign.is_none() && !has_no_error);
        let is_not = |(_, verdict): &&(&Row, Verdict)| !verdict.allowed();
        tally.no += verdicts.iter().filter(is_not).count() as u64;
        let is_deferred = |(_, verdict): &(&Row, Verdict)| verdict::is_deferred(*verdict);
        tally.deferred += u64::from(verdicts.iter().any(is_deferred));
        if asked.shown.json {
            for (row, verdict) in verdicts {
                let fault = foreign
                    .clone()
                    .or_else(|| Some(verdict.error()?.to_string()));
                screen::push_json_line(
                    &mut text,
                    &JsonRow::of(&subject.name, row, verdict, fault, url),
                )?;
            }
            continue;
        }
        let gap = if index > 0 { "\n" } else { "" };
        let _ = writeln!(text, "{gap}{}", safe(url.as_bytes()));
        if foreign.is_some() || !has_no_error {
            text.push_str("error           no crawler has a verdict\n");
            continue;
        }
        table(&verdicts, asked.shown.is_coloured(), &mut text);
    }
    let outline = FileGroups::of(how, how.dialect(), &subject.body)?;
    if subject.has_file() {
        let urls: Vec<String> = urls.iter().map(|url| url.clone().into_owned()).collect();
        outline.warn_of_doubtful(how.all()?.iter(), &urls);
    }
    if !asked.shown.json {
        let ignoring = Preset::all().filter(|preset| preset.ignores_robots_txt());
        let names: Vec<&str> = ignoring.map(|preset| preset.name()).collect();
        let _ = writeln!(text, "\n{:14}  {}", "ignore it", names.join(", "));
        text.push_str(&sitemaps(&outline));
    }
    asked.shown.print(text)?;
    if let Some(why) = subject.outage() {
        complain(&why);
    }
    let exit = sites.report(tally);
    Ok((tally, exit))
}

/// Returns the crawlers that obey a robots.txt, by purpose, then everyone else.
fn rows(how: &How, subject: &Subject) -> Result<Vec<Row>, Fault> {
    let mut presets: Vec<Preset> = Preset::all()
        .filter(|preset| !preset.ignores_robots_txt())
        .collect();
    presets.sort_by_key(Preset::purpose);
    let mut rows = Vec::new();
    for preset in presets {
        rows.push(Row {
            purpose: preset.purpose().name(),
            name: preset.name(),
            rules: subject.rules(&how.known(preset)?),
        });
    }
    rows.push(Row {
        purpose: "everyone else",
        name: EVERYONE,
        rules: subject.rules(&how.crawler::<&str>(&[])?),
    });
    Ok(rows)
}

fn table(verdicts: &[(&Row, Verdict)], is_coloured: bool, text: &mut String) {
    let mut last = "";
    for (row, verdict) in verdicts {
        let purpose = if row.purpose == last { "" } else { row.purpose };
        last = row.purpose;
        let word = format!("{:10}", verdict::word(*verdict));
        let word = screen::coloured(is_coloured, screen::escape_of(*verdict), &word);
        let line = match verdict::deciding_line(*verdict) {
            None => "-".to_owned(),
            Some(line) => line.to_string(),
        };
        let _ = writeln!(text, "{purpose:14}  {:26} {word}  {line:>4}", row.name);
    }
}

#[derive(serde::Serialize)]
struct JsonRow<'r> {
    file: &'r str,
    crawler: &'r str,
    purpose: Option<&'r str>,
    url: String,
    allowed: bool,
    reason: &'static str,
    line: u32,
    error: Option<String>,
}

impl<'r> JsonRow<'r> {
    fn of(
        file: &'r str,
        row: &Row,
        verdict: Verdict,
        error: Option<String>,
        url: &str,
    ) -> JsonRow<'r> {
        JsonRow {
            file,
            crawler: row.name,
            purpose: (row.name != EVERYONE).then_some(row.purpose),
            url: lossy(url.as_bytes()),
            allowed: verdict.allowed(),
            reason: reason_name(verdict.reason()),
            line: verdict::line_number(verdict),
            error,
        }
    }
}
