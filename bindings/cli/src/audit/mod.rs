//! `robots audit`: which crawlers requested what the robots.txt forbids, by the logs of a server or of a crawler.
//!
//! `logs` and `warc` read bytes; `auditor` turns them into counts, and `report` into data for `output` and `html`. A line goes
//! through `formats` and `fields` (an `entry`), `crawlers` (who), `evidence` (really?), `versions` (allowed?) and `row` (counts). What is
//! between `logs` and `output` does no I/O: the page of bindings/js/tester compiles it, too (bindings/js/audit).

mod auditor;
mod crawlers;
mod entry;
mod evidence;
mod fields;
mod files;
mod formats;
mod html;
mod logs;
mod output;
mod report;
mod row;
mod time;
mod versions;
mod warc;

use std::path::{Path, PathBuf};

use robots::Dialect;

use crate::fault::{Exit, Fault, complain};
use crate::input;
use crate::screen::{Shown, safe};
use auditor::Auditor;
use evidence::Evidence;
use fields::{NAMES, Slot};
use report::Report;
use versions::{Versions, host_of_site};

/// Audit crawlers by the log of a server: forbidden requests, pace, who read the robots.txt
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots audit --robots robots.txt access.log
  robots audit --robots robots.txt --html report.html /var/log/nginx/access.log*
  robots audit --robots old.txt --robots new.txt@2026-11-01T09:00Z --json access.log.gz
  robots audit --robots robots.txt --ranges gptbot.json --ranges Googlebot=google.json access.log
  robots audit --robots captures.warc.gz --mine ExampleBot crawl.warc.gz

A LOG is recognised by its lines: common and combined (nginx, Apache; perhaps with the host first),
JSON lines (Caddy, Cloudflare, CloudFront, Traefik, Google Cloud, nginx), W3C (#Fields: IIS,
CloudFront), CDX and CDXJ, or WARC. gzip, zstd and zlib are unpacked. `-` is standard input. Lines
that cannot be read are counted, with the first of each kind.

A line is judged by the robots.txt that was current at its time, FILE@DATE; a FILE without a date
was current before the others. A FILE may be a folder of files with dates in their names, or
captures as `robots filter` reads them. With --grace a request is forbidden only if each file that
was current in that time before forbids it, because a crawler may use a copy for a day. A request of
another host than --site or HOST, or of a time whose file is not known, is not judged. Without both
the file judges the lines of all hosts.

A crawler is known by the product token of its User-Agent: a well-known one (`robots crawlers`), one
that a group or --mine names, or one that calls itself bot, crawler or spider or links to its page.
All else is people and browsers, who are not judged. After the first 1,000 names that are not well
known, the rest are one row.

A User-Agent is a claim. --ranges is a JSON that an operator publishes, of addresses of one crawler
or of all of an operator; without NAME the name of the FILE is one of a crawler. --hosts are lines
of an address and the host of a reverse look-up; list a host only if its own look-up returns the
address. The claim is verified if the address is in the ranges or the host in a documented domain of
the operator; false if neither; and not verified if there is no host, or one that anybody can rent.

A crawl-delay is broken if a gap between two requests to a host is certainly shorter. Where the log
has whole seconds, a gap of 1 may be one of 1.9 seconds.

Exit status: 0 done; 1 a verified crawler, or that of --mine, requested a forbidden URL; 2 bad input
or usage, a LOG that was read only in part, or no request of --mine was judged.")]
pub(crate) struct Args {
    /// The logs
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,
    /// The robots.txt, from DATE on, of HOST; may be repeated
    #[arg(short, long, value_name = "[HOST=]FILE[@DATE]", required = true)]
    robots: Vec<String>,
    /// The site of the files without HOST; lines of other hosts are not judged
    #[arg(long, value_name = "ORIGIN")]
    site: Option<String>,
    /// For how long a crawler may use a copy of the robots.txt: 24h, 30m, 2d or 0
    #[arg(long, value_name = "TIME", default_value = "24h")]
    grace: String,
    /// Ranges of addresses of a crawler or an operator, as it publishes them; may be repeated
    #[arg(long, value_name = "[NAME=]FILE")]
    ranges: Vec<String>,
    /// Hosts of addresses, by a reverse look-up: lines of an address and a host
    #[arg(long, value_name = "FILE")]
    hosts: Option<PathBuf>,
    /// My crawler: exit with 1 if it broke a rule; lines of logs without User-Agents are its own
    #[arg(long, value_name = "TOKEN")]
    mine: Option<String>,
    /// The name of a field of JSON or W3C, such as agent=headers.ua; may be repeated
    ///
    /// NAME is time, date, host, url, request, path, query, status, bytes, agent or address. A point leads into an object.
    #[arg(long, value_name = "NAME=PATH")]
    field: Vec<String>,
    /// Print a row of CSV for each crawler
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    csv: bool,
    /// Also write a page with pictures to this file (`-`: print it alone)
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    shown: Shown,
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    refuse_two_inputs(&args)?;
    if let Some(fault) = args
        .mine
        .as_ref()
        .and_then(|mine| Dialect::Rfc9309.token_fault(mine))
    {
        return Err(Fault::new(format!("--mine: {fault}")));
    }
    let grace = milliseconds(&args.grace);
    let grace = grace.ok_or_else(|| {
        Fault::of_option(
            "--grace",
            &args.grace,
            "write a time such as 24h, 30m, 2d or 0",
        )
    })?;
    let fields = args
        .field
        .iter()
        .map(|value| field(value))
        .collect::<Result<Vec<_>, _>>()?;
    let mut files = Vec::new();
    for value in &args.robots {
        files::read(value, &mut files)?;
    }
    let site = args.site.as_deref().map(host_of_site);
    let versions = Versions::new(files, site, grace).map_err(Fault::new)?;
    let evidence = evidence(&args)?;
    let mut auditor = Auditor::new(versions, args.mine.clone(), evidence, &fields, (0, 0));
    let mut is_whole = true;
    for path in &args.logs {
        is_whole &= logs::read(path, &mut auditor)?;
    }
    auditor.finish();
    let report = Report::of(&auditor);
    let page = args.html.as_ref().map(|path| (path, html::page(&report)));
    if let Some((path, page)) = page.as_ref().filter(|(path, _)| !is_standard(path)) {
        input::write(path, page.as_bytes())?;
    }
    let text = match (args.shown.json, args.csv, page) {
        (true, ..) => output::json(&report)?,
        (_, true, _) => output::csv(&report)?,
        (_, _, Some((path, page))) if is_standard(path) => page,
        _ => output::table(&report, args.shown.is_coloured()),
    };
    args.shown.print(text)?;
    // What was not judged was not found to obey.
    let (judged, not_judged) = auditor.mine();
    let is_judged = args.mine.is_none() || judged > 0;
    if let Some(mine) = &args.mine {
        let mine = safe(mine.as_bytes());
        match (judged, not_judged) {
            (0, 0) => complain(&format!(
                "--mine {mine}: no request has this name: check it"
            )),
            (0, _) => complain(&format!(
                "--mine {mine}: none of its {not_judged} requests was judged: check --robots, its dates and its hosts"
            )),
            (_, 0) => {}
            _ => complain(&format!(
                "--mine {mine}: {not_judged} of its requests were not judged"
            )),
        }
    }
    Ok(match (is_whole && is_judged, auditor.accuses()) {
        (false, _) => Exit::BadInput,
        (true, true) => Exit::No,
        (true, false) => Exit::Yes,
    })
}

fn is_standard(path: &Path) -> bool {
    path.as_os_str() == input::STANDARD_INPUT
}

fn refuse_two_inputs(args: &Args) -> Result<(), Fault> {
    let logs = args
        .logs
        .iter()
        .chain(&args.hosts)
        .filter(|path| is_standard(path))
        .count();
    let files = args.robots.iter().filter(|value| {
        let file = value.split_once('=').map_or(&***value, |(_, file)| file);
        file == input::STANDARD_INPUT || file.starts_with("-@")
    });
    match logs + files.count() {
        0 | 1 => Ok(()),
        _ => Err(Fault::new(
            "standard input can be used only once: name the other files",
        )),
    }
}

fn evidence(args: &Args) -> Result<Evidence, Fault> {
    /// Ranges of a large operator have about 100 KB.
    const MOST: usize = 1 << 26;
    let mut evidence = Evidence::default();
    for value in &args.ranges {
        let (name, path) = match value.split_once('=') {
            Some((name, path)) => (name.to_owned(), PathBuf::from(path)),
            None => {
                let path = PathBuf::from(value);
                let name = path
                    .file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                (name, path)
            }
        };
        if !evidence::is_known(&name) {
            let what = "NAME is no well-known crawler and no operator of one: write NAME=FILE, such as GPTBot=gptbot.json";
            return Err(Fault::of_option("--ranges", value, what));
        }
        let json = input::read(&path, MOST)?;
        let added = evidence.add_ranges(&name, &json);
        added.map_err(|error| Fault::new(format!("--ranges {}: {error}", input::shown(&path))))?;
    }
    if let Some(path) = &args.hosts {
        let text = input::read(path, MOST)?;
        let added = evidence.add_hosts(&String::from_utf8_lossy(&text));
        added.map_err(|error| Fault::new(format!("--hosts {}: {error}", input::shown(path))))?;
    }
    Ok(evidence)
}

/// Parses a value of --field.
fn field(value: &str) -> Result<(Slot, String), Fault> {
    let found = value.split_once('=').and_then(|(name, path)| {
        let (slot, ..) = NAMES.iter().find(|(_, known, _)| *known == name)?;
        (!path.is_empty()).then(|| (*slot, path.to_owned()))
    });
    found.ok_or_else(|| {
        let names: Vec<_> = NAMES.iter().map(|(_, name, _)| *name).collect();
        Fault::of_option(
            "--field",
            value,
            format!(
                "write NAME=PATH, such as agent=headers.ua; NAME is {}",
                names.join(", ")
            ),
        )
    })
}

/// Parses a length of time.
fn milliseconds(text: &str) -> Option<i64> {
    let unit = text
        .find(|byte: char| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(unit);
    let seconds = match unit {
        "" if number == "0" => 0,
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => return None,
    };
    number
        .parse::<i64>()
        .ok()?
        .checked_mul(seconds * 1000)
        .filter(|ms| *ms < i64::MAX / 4)
}
