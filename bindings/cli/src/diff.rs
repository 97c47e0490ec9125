//! `robots diff`: verdicts that change between two files.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use robots::{Crawler, Dialect, LineKind, Preset, Rules, Verdict};
use serde::Serialize;

use crate::column::Record;
use crate::crawler::{How, governed};
use crate::crawler_names::{self, tokens_of};
use crate::fault::{Exit, Fault, complain};
use crate::file_groups::FileGroups;
use crate::input;
use crate::screen::{self, Shown, lossy, safe};
use crate::stream::{Tally, Work};
use crate::subject;
use crate::urls::{self, Urls, is_address};
use crate::verdict::word;

/// Show which verdicts change from one robots.txt to another
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots diff old.txt new.txt
  robots diff -a Googlebot -a Bingbot old.txt new.txt /cart/ /search?q=tea
  robots diff -a ExampleBot old.txt new.txt --urls urls.txt --json

Without --agent all crawlers that a file names are compared, and `*` for everyone else; crawlers
with the same rules are shown together. Without --dialect a well-known crawler reads the files in
the dialect of its operator. Without URLs some are made from each rule of both files. A change that
needs several wildcards at once may be missed, so give the URLs that matter (`-u -` reads them from
standard input).

Exit status: 0 no verdict changes; 1 some change; 2 bad input or usage, or the files name too many
crawlers to compare all of them.")]
pub(crate) struct Args {
    /// A crawler, such as ExampleBot; `*` is everyone else
    ///
    /// Give its product token. Tokens of one crawler, in order of preference, have commas between them:
    /// `Googlebot-Image,Googlebot`. Another --agent is another crawler. `*` is everyone whom the files do not name.
    #[arg(short, long = "agent", value_name = "TOKEN[,TOKEN...]")]
    agents: Vec<String>,
    #[command(flatten)]
    how: How,
    /// The old robots.txt (`-`: standard input)
    old: PathBuf,
    /// The new robots.txt
    new: PathBuf,
    #[command(flatten)]
    urls: Urls,
    #[command(flatten)]
    shown: Shown,
}

/// The most classes of crawlers that are compared.
const MOST_CLASSES: usize = 500;

/// Bounds the work on hostile files: derived URLs are compared until it is used up.
struct Budget {
    /// Bytes of robots.txt to parse.
    bytes: usize,
    /// Steps of verdicts, and the bytes of their URLs.
    steps: usize,
}

impl Budget {
    const NEW: Budget = Budget {
        bytes: 96 << 20,
        steps: 1 << 28,
    };

    /// The cost of a verdict besides its steps and the bytes of its URL.
    const VERDICT: usize = 32;

    fn is_used_up(&self) -> bool {
        self.bytes == 0 || self.steps == 0
    }
}

/// Both files as the crawlers of one dialect read them.
struct Reading {
    dialect: Dialect,
    outlines: [FileGroups; 2],
}

impl Reading {
    fn of(how: &How, dialect: Dialect, bodies: [&[u8]; 2]) -> Result<Reading, Fault> {
        let [old, new] = bodies;
        Ok(Reading {
            dialect,
            outlines: [
                FileGroups::of(how, dialect, old)?,
                FileGroups::of(how, dialect, new)?,
            ],
        })
    }

    fn names(&self) -> impl Iterator<Item = &[u8]> {
        let agents = self.outlines.iter().flat_map(|outline| &outline.agents);
        agents.map(|agent| &*agent.name)
    }
}

/// Crawlers that obey the same groups of both files.
struct Class<'r> {
    names: Vec<String>,
    crawler: Crawler,
    reading: &'r Reading,
    /// The groups of each file.
    groups: [&'r [usize]; 2],
}

impl Class<'_> {
    fn compared(&self, bodies: [&[u8]; 2]) -> Compared {
        Compared {
            names: self.names.clone(),
            rules: bodies.map(|body| self.crawler.parse(body)),
        }
    }
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
        subject::read_body(&args.old, args.how.worth_reading())?,
        subject::read_body(&args.new, args.how.worth_reading())?,
    ];
    let bodies = bodies.each_ref().map(Vec::as_slice);
    for agent in &args.agents {
        crawler_names::warn("--agent", agent);
    }
    let readings = readings(&args.how, &args.agents, bodies)?;
    let (classes, mut left_out) = classes(&args.how, &args.agents, &readings)?;
    let mut kinds = classes.len();
    let is_coloured = args.shown.is_coloured();
    let (asked, tally) = if args.urls.is_empty() {
        let derived = derived(&classes, bodies, (args.shown, is_coloured), screen::print)?;
        left_out += derived.left_out;
        kinds -= derived.unread;
        (derived.tally.lines, derived.tally)
    } else {
        let work = Comparison {
            classes: classes.iter().map(|class| class.compared(bodies)).collect(),
            shown: args.shown,
            is_coloured,
        };
        let tally = args.urls.answer(taken, &work)?;
        (tally.lines * classes.len() as u64, tally)
    };
    if !args.shown.json {
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
        args.shown.print(format!(
            "{count} of {asked} {verdicts} {change}, for {crawlers}\n"
        ))?;
    }
    let exit = urls::exit_of(tally);
    if left_out > 0 {
        complain(&format!(
            "the files are too large to compare {left_out} of the crawlers that they name in full: give --agent or URLs"
        ));
        // Their verdicts may change.
        return Ok(Exit::BadInput);
    }
    Ok(exit)
}

/// The comparison of URLs that are made from the rules.
#[derive(Default)]
struct Derived {
    tally: Tally,
    /// The crawlers that were not compared in full.
    left_out: usize,
    /// The classes that were not compared.
    unread: usize,
}

/// Compares the verdicts on URLs that are made from the rules, and passes the text of each class to `print`.
fn derived(
    classes: &[Class<'_>],
    bodies: [&[u8]; 2],
    (shown, is_coloured): (Shown, bool),
    mut print: impl FnMut(Vec<u8>) -> Result<(), Fault>,
) -> Result<Derived, Fault> {
    let mut derived = Derived::default();
    let mut budget = Budget::NEW;
    for class in classes {
        if budget.is_used_up() {
            derived.left_out += class.names.len();
            derived.unread += 1;
            continue;
        }
        let length: usize = bodies.iter().map(|body| body.len()).sum();
        budget.bytes = budget.bytes.saturating_sub(length);
        let work = Comparison {
            classes: vec![class.compared(bodies)],
            shown,
            is_coloured,
        };
        let mut out = Vec::new();
        for url in derived_urls(class) {
            let steps = work.compare(&url, &mut out, &mut derived.tally);
            budget.steps = budget.steps.saturating_sub(steps);
            if budget.steps == 0 {
                derived.left_out += class.names.len();
                break;
            }
        }
        print(out)?;
    }
    Ok(derived)
}

/// Returns the verdicts that change between two files, as text.
pub(crate) fn between(how: &How, bodies: [&[u8]; 2]) -> Result<String, Fault> {
    let readings = readings(how, &[], bodies)?;
    let (classes, mut left_out) = classes(how, &[], &readings)?;
    let mut text = Vec::new();
    let done = derived(&classes, bodies, (Shown::default(), false), |out| {
        text.extend_from_slice(&out);
        Ok(())
    })?;
    left_out += done.left_out;
    let mut text = String::from_utf8_lossy(&text).into_owned();
    if done.tally.no == 0 {
        text.push_str("no verdict changes\n");
    }
    if left_out > 0 {
        text.push_str(&format!(
            "{left_out} crawlers were not compared in full: the file is too large\n"
        ));
    }
    Ok(text)
}

/// Reads both files in each dialect of the crawlers to compare; the first is that of crawlers that are not well known.
fn readings(how: &How, agents: &[String], bodies: [&[u8]; 2]) -> Result<Vec<Reading>, Fault> {
    let first = Reading::of(how, how.dialect(), bodies)?;
    let first_token = |agent: &String| {
        tokens_of(agent)
            .first()
            .map(|token| token.as_bytes().to_vec())
    };
    let given = agents.iter().filter_map(first_token);
    let named = first.names().filter(|_| agents.is_empty());
    let mut dialects = vec![first.dialect];
    for preset in given
        .chain(named.map(<[u8]>::to_vec))
        .filter_map(Preset::find)
    {
        let dialect = how.dialect_of(preset);
        if !dialects.contains(&dialect) {
            dialects.push(dialect);
        }
    }
    let others = dialects.into_iter().skip(1);
    let others = others.map(|dialect| Reading::of(how, dialect, bodies));
    std::iter::once(Ok(first)).chain(others).collect()
}

/// Returns the crawlers to compare, by the groups they obey, and the number of crawlers left out.
fn classes<'r>(
    how: &How,
    agents: &[String],
    readings: &'r [Reading],
) -> Result<(Vec<Class<'r>>, usize), Fault> {
    let Some(first) = readings.first() else {
        return Ok((Vec::new(), 0));
    };
    let mut classes: Vec<Class> = Vec::new();
    let class_of = |tokens: &[&[u8]], preset: Option<Preset>| {
        let dialect = preset.map_or(first.dialect, |preset| how.dialect_of(preset));
        let crawler = match preset.filter(|_| tokens.len() == 1) {
            Some(preset) => how.known(preset)?,
            None => how.crawler_in(dialect, tokens)?,
        };
        let reading = readings.iter().find(|reading| reading.dialect == dialect);
        let reading = reading.unwrap_or(first);
        let tokens: Vec<Vec<u8>> = crawler.tokens().map(<[u8]>::to_vec).collect();
        let star = preset.is_none_or(|preset| !preset.ignores_star());
        Ok::<Class, Fault>(Class {
            names: Vec::new(),
            groups: reading
                .outlines
                .each_ref()
                .map(|outline| outline.obeyed_by(&tokens, star)),
            crawler,
            reading,
        })
    };
    for agent in agents {
        let tokens = tokens_of(agent);
        let preset = tokens.first().map_or(Ok(None), |token| governed(token))?;
        if let Some(says) = preset.and_then(|it| how.differs(it, it.tokens(), false)) {
            complain(&says);
        }
        let stranger = stranger(first);
        let tokens: Vec<&[u8]> = match &*tokens {
            [] => vec![&stranger],
            tokens => tokens.iter().map(|token| token.as_bytes()).collect(),
        };
        let mut class = class_of(&tokens, preset)?;
        class.names.push(agent.clone());
        classes.push(class);
    }
    if !agents.is_empty() {
        return Ok((classes, 0));
    }
    let mut places: HashMap<(usize, [&[usize]; 2]), Option<usize>> = HashMap::new();
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut left_out = 0;
    for name in std::iter::once(&b"*"[..]).chain(first.names()) {
        if !seen.insert(name.to_ascii_lowercase()) {
            continue;
        }
        let preset = Preset::find(name);
        if preset.is_some_and(|preset| preset.ignores_robots_txt()) {
            continue;
        }
        let token = match name {
            b"*" => stranger(first),
            name => name.to_vec(),
        };
        // Some names of koster1996 are not valid tokens; no crawler obeys such a record.
        let Ok(class) = class_of(&[&token], preset) else {
            continue;
        };
        let key = (class.reading.dialect as usize, class.groups);
        let place = *places.entry(key).or_insert_with(|| {
            (classes.len() < MOST_CLASSES).then(|| {
                classes.push(class);
                classes.len() - 1
            })
        });
        match place.and_then(|place| classes.get_mut(place)) {
            Some(class) => class.names.push(safe(name).into_owned()),
            None => left_out += 1,
        }
    }
    Ok((classes, left_out))
}

/// Returns a product token that neither file names.
fn stranger(reading: &Reading) -> Vec<u8> {
    let names: HashSet<Vec<u8>> = reading.names().map(<[u8]>::to_ascii_lowercase).collect();
    let mut token = b"anyone".to_vec();
    while names.contains(&token) {
        token.push(b'x');
    }
    token
}

/// Returns URLs that the rules of both files for these crawlers match, in file order.
fn derived_urls(class: &Class<'_>) -> Vec<Vec<u8>> {
    let dialect = class.reading.dialect;
    let mut seen = HashSet::new();
    let mut urls = Vec::new();
    let mut add = |url: Vec<u8>| {
        if url.first() == Some(&b'/') && seen.insert(url.clone()) {
            urls.push(url);
        }
    };
    add(b"/".to_vec());
    for (outline, groups) in class.reading.outlines.iter().zip(class.groups) {
        for line in outline.rules_of(groups) {
            if line.kind == LineKind::CrawlDelay {
                continue;
            }
            let path = outline.value(line);
            let fills: &[&[u8]] = match dialect {
                // A star is an ordinary byte here.
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
                let pieces: Vec<&[u8]> = path.split(|byte| *byte == b'*').collect();
                url.extend(pieces.join(*fill));
                add(url.clone());
                url.push(b'x');
                add(url);
            }
        }
    }
    urls
}

/// The rules of both files for crawlers that obey the same groups.
struct Compared {
    names: Vec<String>,
    rules: [Rules; 2],
}

struct Comparison {
    classes: Vec<Compared>,
    shown: Shown,
    is_coloured: bool,
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
    /// Compares the verdicts on a URL and returns the steps that took.
    fn compare(&self, url: &[u8], out: &mut Vec<u8>, tally: &mut Tally) -> usize {
        let mut steps = 0;
        tally.lines += 1;
        for class in &self.classes {
            let [old, new] = class.rules.each_ref().map(|rules| {
                let (verdict, taken) = rules.check_counted(url);
                steps += taken + url.len() + Budget::VERDICT;
                verdict
            });
            if old.error().is_some() {
                tally.bad += 1;
                self.refuse(safe(url).as_ref(), out);
                return steps;
            }
            if old.allowed() == new.allowed() {
                continue;
            }
            tally.no += 1;
            if self.shown.quiet {
                continue;
            }
            let mut text = String::new();
            if self.shown.json {
                // Writing to memory cannot fail.
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
                let change = format!("{:23}", format!("{} -> {}", word(old), word(new)));
                let change = screen::coloured(self.is_coloured, screen::escape_of(new), &change);
                let line = |verdict: Verdict| match verdict.line() {
                    0 => "no rule".to_owned(),
                    line => format!("line {line}"),
                };
                text = format!(
                    "{change}  {}  {}  ({} -> {})\n",
                    screen::names(&class.names, class.names.len()),
                    safe(url),
                    line(old),
                    line(new)
                );
            }
            out.extend_from_slice(text.as_bytes());
        }
        steps
    }

    /// Writes that a line is not a URL; JSON has no row for it.
    fn refuse(&self, shown: &str, out: &mut Vec<u8>) {
        if !self.shown.json && !self.shown.quiet {
            out.extend_from_slice(format!("{:23}  {shown}\n", "error").as_bytes());
        }
    }
}

impl Work for Comparison {
    type Memo = ();

    fn line(&self, _: &mut (), record: Record<'_>, out: &mut Vec<u8>, tally: &mut Tally) {
        match record.url.filter(|url| is_address(url)) {
            Some(url) => {
                self.compare(url, out, tally);
            }
            None => {
                tally.lines += 1;
                tally.bad += 1;
                self.refuse(&safe(record.url.unwrap_or(record.line)), out);
            }
        }
    }

    fn too_long(&self, start: &[u8], out: &mut Vec<u8>, tally: &mut Tally) {
        tally.lines += 1;
        tally.bad += 1;
        self.refuse(&format!("{}...", safe(start)), out);
    }

    fn passes_lines(&self) -> bool {
        false
    }
}
