//! `robots diff`: which verdicts change between two files.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use robots::{Crawler, Dialect, LineKind, Rules, Verdict};
use serde::Serialize;

use crate::crawler::How;
use crate::fault::{Exit, Fault, complain};
use crate::input;
use crate::outline::Outline;
use crate::screen::{self, lossy, safe};
use crate::stream::{Tally, Work};
use crate::urls::{self, Urls};
use crate::verdict::word;

/// Show which verdicts change from one robots.txt to another
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots diff old.txt new.txt
  robots diff -a Googlebot -a Bingbot old.txt new.txt /cart/ /search?q=tea
  robots diff -a ExampleBot old.txt new.txt --urls urls.txt --json

Without --agent it is asked for all that one of the files names, and for `*`, which is everyone
else; those that are told the same are shown together. Without URLs some are made from each rule
of both files; a change that shows only where several wildcards meet may be missed, so give the
URLs that matter (`-u -` reads them from standard input).

Exit status: 0 no verdict changes; 1 some change; 2 something is wrong with the question, or the
files name too many crawlers to compare all of them.")]
pub(crate) struct Args {
    /// Product token of a crawler to ask for; several are each a crawler of its own
    #[arg(short, long = "agent", value_name = "TOKEN")]
    agents: Vec<String>,
    #[command(flatten)]
    how: How,
    /// The robots.txt as it was (`-`: standard input)
    old: PathBuf,
    /// The robots.txt as it is
    new: PathBuf,
    #[command(flatten)]
    urls: Urls,
    /// Print a line of JSON for each change
    #[arg(long)]
    json: bool,
}

/// How many crawlers are compared that are told different things, and how many URLs are asked about for all of them
/// before no further crawler is: what a stranger's file may cost.
const MOST_CLASSES: usize = 500;
const MOST_DERIVED: u64 = 2_000_000;
/// How many names of crawlers stand before a row.
const SHOWN_NAMES: usize = 3;

/// Crawlers that obey the same groups of both files.
struct Class {
    names: Vec<String>,
    crawler: Crawler,
    /// A name that finds their groups.
    key: Vec<u8>,
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    if args.old == args.new && args.old.as_os_str() == input::STANDARD_INPUT {
        return Err(Fault::new(
            "both files are standard input: name a file for one of them",
        ));
    }
    let taken = [&args.old, &args.new]
        .into_iter()
        .any(|path| path.as_os_str() == input::STANDARD_INPUT);
    let bodies = [
        input::read(&args.old, args.how.worth_reading())?,
        input::read(&args.new, args.how.worth_reading())?,
    ];
    let [old, new] = &bodies;
    let outlines = [Outline::of(&args.how, old)?, Outline::of(&args.how, new)?];
    let (classes, mut left_out) = classes(&args, &outlines)?;
    let mut kinds = classes.len();
    let compared = |class: &Class| Compared {
        names: class.names.clone(),
        rules: [class.crawler.parse(old), class.crawler.parse(new)],
    };
    let (asked, tally) = if args.urls.is_empty() {
        let mut tally = Tally::default();
        for class in &classes {
            // Those who were asked for by name all are.
            if tally.lines > MOST_DERIVED && args.agents.is_empty() {
                left_out += class.names.len();
                kinds -= 1;
                continue;
            }
            let work = Comparison {
                classes: vec![compared(class)],
                json: args.json,
            };
            let mut out = Vec::new();
            for url in derived_urls(&outlines, class, args.how.dialect.into()) {
                work.line(&url, &mut out, &mut tally);
            }
            screen::print(out)?;
        }
        (tally.lines, tally)
    } else {
        let work = Comparison {
            classes: classes.iter().map(compared).collect(),
            json: args.json,
        };
        let tally = args.urls.answer(taken, &work)?;
        (tally.lines * classes.len() as u64, tally)
    };
    if !args.json {
        let (verdicts, change) = match (asked, tally.no) {
            (1, _) => ("verdict", "changes"),
            (_, 1) => ("verdicts", "changes"),
            _ => ("verdicts", "change"),
        };
        let crawlers = match kinds {
            1 => "1 kind of crawler".to_owned(),
            many => format!("{many} kinds of crawlers"),
        };
        let count = tally.no;
        screen::print(format!(
            "{count} of {asked} {verdicts} {change}, for {crawlers}\n"
        ))?;
    }
    let exit = urls::exit_of(tally);
    if left_out > 0 {
        complain(&format!(
            "{left_out} more crawlers that the files name are not compared: ask for them with --agent"
        ));
        // Nobody knows whether verdicts change for them.
        return Ok(Exit::BadInput);
    }
    Ok(exit)
}

/// Who is asked for, those that obey the same groups together; and how many more the files name.
fn classes(args: &Args, outlines: &[Outline; 2]) -> Result<(Vec<Class>, usize), Fault> {
    let [old, new] = outlines;
    if !args.agents.is_empty() {
        let classes: Result<Vec<Class>, Fault> = args
            .agents
            .iter()
            .map(|agent| {
                Ok(Class {
                    names: vec![agent.clone()],
                    crawler: args.how.crawler(&[agent])?,
                    key: agent.clone().into_bytes(),
                })
            })
            .collect();
        return Ok((classes?, 0));
    }
    let mut classes: Vec<Class> = Vec::new();
    let mut places: HashMap<(&[usize], &[usize]), Option<usize>> = HashMap::new();
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut left_out = 0;
    let everyone = [b"*".to_vec()];
    let named = outlines
        .iter()
        .flat_map(|outline| &outline.agents)
        .map(|agent| &agent.name);
    for name in everyone.iter().chain(named) {
        if !seen.insert(name.to_ascii_lowercase()) {
            continue;
        }
        // A crawler cannot be called like some names of koster1996; then nobody obeys that record.
        let is_everyone = name.as_slice() == b"*";
        let token = if is_everyone {
            stranger(outlines)
        } else {
            name.clone()
        };
        let Ok(crawler) = args.how.crawler(&[&token]) else {
            continue;
        };
        let shown = safe(name).into_owned();
        let key = (old.obeyed_by(name), new.obeyed_by(name));
        let place = *places.entry(key).or_insert_with(|| {
            (classes.len() < MOST_CLASSES).then(|| {
                classes.push(Class {
                    names: Vec::new(),
                    crawler,
                    key: token,
                });
                classes.len() - 1
            })
        });
        match place.and_then(|place| classes.get_mut(place)) {
            Some(class) => class.names.push(shown),
            None => left_out += 1,
        }
    }
    Ok((classes, left_out))
}

/// A product token that neither file names.
fn stranger(outlines: &[Outline; 2]) -> Vec<u8> {
    let names: HashSet<Vec<u8>> = outlines
        .iter()
        .flat_map(|outline| &outline.agents)
        .map(|agent| agent.name.to_ascii_lowercase())
        .collect();
    let mut token = b"anyone".to_vec();
    while names.contains(&token) {
        token.push(b'x');
    }
    token
}

/// URLs that the rules of both files for these crawlers are about, in the order of the files.
fn derived_urls(outlines: &[Outline; 2], class: &Class, dialect: Dialect) -> Vec<Vec<u8>> {
    let mut seen = HashSet::new();
    let mut urls = Vec::new();
    let mut add = |url: Vec<u8>| {
        if url.first() == Some(&b'/') && seen.insert(url.clone()) {
            urls.push(url);
        }
    };
    add(b"/".to_vec());
    for outline in outlines {
        for line in outline.told(outline.obeyed_by(&class.key)) {
            if line.kind == LineKind::CrawlDelay {
                continue;
            }
            let path = outline.value(line);
            let fills: &[&[u8]] = match dialect {
                // There a star is an ordinary octet.
                Dialect::Koster1996 => &[b"*"],
                _ => &[b"", b"x"],
            };
            let path = match path {
                [start @ .., b'$'] if dialect != Dialect::Koster1996 => start,
                _ => path,
            };
            for fill in fills {
                let mut url = if path.first() == Some(&b'*') {
                    b"/".to_vec()
                } else {
                    Vec::new()
                };
                let pieces: Vec<&[u8]> = path.split(|octet| *octet == b'*').collect();
                url.extend(pieces.join(*fill));
                add(url.clone());
                url.push(b'x');
                add(url);
            }
        }
    }
    urls
}

/// The rules of both files for crawlers that are told the same.
struct Compared {
    names: Vec<String>,
    rules: [Rules; 2],
}

struct Comparison {
    classes: Vec<Compared>,
    json: bool,
}

#[derive(Serialize)]
struct JsonChange<'c> {
    agents: &'c [String],
    url: String,
    old: JsonSide,
    new: JsonSide,
}

#[derive(Serialize)]
struct JsonSide {
    allowed: bool,
    line: u32,
}

impl From<Verdict> for JsonSide {
    fn from(verdict: Verdict) -> JsonSide {
        JsonSide {
            allowed: verdict.allowed(),
            line: verdict.line(),
        }
    }
}

impl Comparison {
    /// Says that a line is no URL; in JSON, which has no row for it, the end of the run says it alone.
    fn refuse(&self, shown: &str, out: &mut Vec<u8>) {
        if !self.json {
            out.extend_from_slice(format!("{:23}  {shown}\n", "error").as_bytes());
        }
    }
}

impl Work for Comparison {
    fn line(&self, url: &[u8], out: &mut Vec<u8>, tally: &mut Tally) {
        tally.lines += 1;
        for class in &self.classes {
            let [old, new] = class.rules.each_ref().map(|rules| rules.check(url));
            if old.error().is_some() {
                tally.bad += 1;
                self.refuse(safe(url).as_ref(), out);
                return;
            }
            if old.allowed() == new.allowed() {
                continue;
            }
            tally.no += 1;
            let mut text = String::new();
            if self.json {
                // Only memory could fail it, and that ends the program anyhow.
                let _ = screen::push_json_line(
                    &mut text,
                    &JsonChange {
                        agents: &class.names,
                        url: lossy(url),
                        old: old.into(),
                        new: new.into(),
                    },
                );
            } else {
                let change = format!("{} -> {}", word(old), word(new));
                let line = |verdict: Verdict| match verdict.line() {
                    0 => "no rule".to_owned(),
                    line => format!("line {line}"),
                };
                text = format!(
                    "{change:23}  {}  {}  ({} -> {})\n",
                    names(&class.names),
                    safe(url),
                    line(old),
                    line(new)
                );
            }
            out.extend_from_slice(text.as_bytes());
        }
    }

    fn too_long(&self, start: &[u8], out: &mut Vec<u8>, tally: &mut Tally) {
        tally.lines += 1;
        tally.bad += 1;
        self.refuse(&format!("{}...", safe(start)), out);
    }
}

fn names(names: &[String]) -> String {
    let shown = names.get(..SHOWN_NAMES).unwrap_or(names).join(", ");
    match names.len().saturating_sub(SHOWN_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
