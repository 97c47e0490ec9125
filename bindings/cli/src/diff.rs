//! `robots diff`: verdicts that change between two files.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use robots::{
    Crawler, Dialect, Difference, DifferenceResult, DifferentPath, Preset, Rules, Verdict,
};
use serde::Serialize;

use crate::column::Record;
use crate::crawler::{How, governed, groups_of};
use crate::crawler_names::{self, EVERYONE, tokens_of};
use crate::fault::{Exit, Fault, complain};
use crate::file_groups::FileGroups;
use crate::input;
use crate::screen::{self, Shown, lossy, safe};
use crate::signals::{self, Signal};
use crate::stream::{Tally, Work};
use crate::subject;
use crate::urls::{self, Urls};
use crate::verdict::{deciding_line, is_same, line_number, word};

/// Show which verdicts change from one robots.txt to another
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots diff old.txt new.txt
  robots diff -a Googlebot -a Bingbot old.txt new.txt /cart/ /search?q=tea
  robots diff -a ExampleBot old.txt new.txt --urls urls.txt --json

Without URLs the command searches all URLs of a site: it shows a shortest one whose verdict changes,
and another one for each rule that causes a change. If it shows none, it is proved that no verdict
changes. It also shows the lines Content-Signal and Content-Usage that change. With URLs it compares
their verdicts alone (`-u -` reads them from standard input).

Each path is compared with itself: /shop/x by the old file with /shop/x by the new one. If pages
move to other paths, write what holds for the new paths in expectations (`robots test`).

Without --agent all crawlers that a file names are compared, the well-known crawlers, and `*` for
everyone else; crawlers with the same rules are shown together. Without --dialect a well-known
crawler reads the files in the dialect of its operator, and others in rfc9309.

Exit status: 0 no verdict and no signal changes; 1 some change; 2 bad input or usage, or the rules
are too many or too hard to compare for all URLs and crawlers.")]
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

/// How long classes of crawlers are compared: the others are not decided. One class takes at most about a second.
const MOST_TIME: Duration = Duration::from_secs(5);

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

    fn short_names(&self) -> impl Iterator<Item = &[u8]> {
        let names = self.outlines.iter();
        names.flat_map(|outline| outline.short_names.iter().map(Vec::as_slice))
    }
}

/// Crawlers that obey the same groups of both files.
struct Class {
    names: Vec<String>,
    crawler: Crawler,
    dialect: Dialect,
    /// The groups of each file.
    groups: [Vec<usize>; 2],
    /// For crawlers that no file names: the index of the class of `*`, if they obey the same groups in another dialect.
    twin: Option<usize>,
}

impl Class {
    fn is_everyone(&self) -> bool {
        self.names.first().is_some_and(|name| name == EVERYONE)
    }

    fn compared(&self, bodies: [&[u8]; 2]) -> Compared {
        Compared {
            names: self.names.clone(),
            rules: bodies.map(|body| self.crawler.parse(body)),
            twin: self.twin,
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
        crawler_names::refuse(agent)?;
    }
    let (classes, left_out) = classes(&args.how, &args.agents, bodies)?;
    let mut comparison = Comparison {
        classes: Vec::new(),
        shown: args.shown,
        is_coloured: args.shown.is_coloured(),
        files: Reading::of(&args.how, args.how.dialect(), bodies)?.outlines,
        of_twins: AtomicU64::new(0),
    };
    let kinds = classes.iter().filter(|class| class.twin.is_none()).count();
    let of_kinds = |count: usize| match count {
        1 => "1 kind of crawler".to_owned(),
        many => format!("{many} kinds of crawlers"),
    };
    let (exit, summary, mut complaints) = if args.urls.is_empty() {
        let all = differences(&classes, bodies, &comparison, screen::print)?;
        let exit = match all.changed + all.of_signals {
            0 => Exit::Yes,
            _ => Exit::No,
        };
        let is_proved = all.undecided.is_empty() && left_out == 0;
        let summary = match all.changed {
            0 if is_proved && all.of_signals > 0 => format!(
                "no verdict changes: proved; signals change for {} of {}",
                all.of_signals,
                of_kinds(kinds)
            ),
            0 if is_proved => format!(
                "no verdict and no signal changes, for {}: proved; crawl-delays and sitemaps are not compared",
                of_kinds(kinds)
            ),
            0 => format!(
                "no change was found, and {} not decided",
                match all.undecided.len() + left_out {
                    1 => "1 kind of crawler is".to_owned(),
                    many => format!("{many} of {} are", of_kinds(kinds + all.twins + left_out)),
                }
            ),
            changed => {
                let kinds = of_kinds(kinds + all.twins);
                let signals = match all.of_signals {
                    0 => String::new(),
                    count => format!(", and signals for {count}"),
                };
                format!("verdicts change for {changed} of {kinds}{signals}")
            }
        };
        (exit, summary, all.complaints())
    } else {
        comparison.classes = classes.iter().map(|class| class.compared(bodies)).collect();
        let tally = args.urls.answer(taken, &comparison)?;
        let asked = tally.lines * kinds as u64 + comparison.of_twins.load(Relaxed);
        let (verdicts, change) = match (asked, tally.no) {
            (1, _) => ("verdict", "changes"),
            (_, 1) => ("verdicts", "changes"),
            _ => ("verdicts", "change"),
        };
        let count = tally.no;
        let kinds = of_kinds(kinds);
        let summary = format!("{count} of {asked} {verdicts} {change}, for {kinds}");
        (urls::exit_of(tally), summary, Vec::new())
    };
    if !args.shown.json {
        args.shown.print(summary + "\n")?;
    }
    if exit == Exit::No && args.agents.is_empty() && !args.shown.json {
        args.shown.print(everyone_else(&args.how, bodies)?)?;
    }
    if left_out > 0 {
        complaints.push(format!(
            "the files name too many crawlers: {left_out} were not compared; give --agent"
        ));
    }
    for complaint in &complaints {
        complain(complaint);
    }
    // The verdicts of those that were not compared may change.
    Ok(match complaints.is_empty() {
        true => exit,
        false => Exit::BadInput,
    })
}

/// Returns which well-known crawlers `*` stands for, as a line; empty if neither file has rules for `*`.
fn everyone_else(how: &How, bodies: [&[u8]; 2]) -> Result<String, Fault> {
    let reading = Reading::of(how, how.dialect(), bodies)?;
    let stranger = [stranger(&reading)];
    let obeyed = |tokens: &[Vec<u8>]| {
        let outlines = reading.outlines.each_ref();
        outlines.map(|outline| outline.obeyed_by(tokens, true))
    };
    let rules = obeyed(&stranger);
    if rules.iter().all(|groups| groups.is_empty()) {
        return Ok(String::new());
    }
    let is_one = |preset: &Preset| {
        let tokens = preset
            .tokens()
            .iter()
            .map(|token| token.as_bytes().to_vec());
        let is_other = preset.ignores_star() || preset.ignores_robots_txt();
        !is_other && obeyed(&tokens.collect::<Vec<_>>()) == rules
    };
    let mut presets: Vec<Preset> = Preset::all().filter(is_one).collect();
    presets.sort_by_key(|preset| (preset.purpose(), preset.tokens().len()));
    let names = presets.iter().map(|preset| preset.name().to_owned());
    let names: Vec<String> = names.collect();
    Ok(match names.is_empty() {
        true => String::new(),
        false => format!(
            "`*` is everyone whom the files do not name: {}\n",
            screen::names(&names, names.len())
        ),
    })
}

/// The differences of all classes.
#[derive(Default)]
struct Differences {
    /// The number of classes with a difference.
    changed: usize,
    /// The number of classes whose lines Content-Signal or Content-Usage change.
    of_signals: usize,
    /// The number of classes with a twin that have another difference, or were not decided.
    twins: usize,
    /// The names of each class that was not decided.
    undecided: Vec<String>,
}

impl Differences {
    fn complaints(&self) -> Vec<String> {
        let of = |names: &String| {
            format!(
                "not decided for {names}: the rules are too hard to compare on all URLs; give the URLs that matter"
            )
        };
        self.undecided.iter().map(of).collect()
    }
}

/// Searches for paths whose verdicts change, and passes the text of each class to `print`.
fn differences(
    classes: &[Class],
    bodies: [&[u8]; 2],
    comparison: &Comparison,
    mut print: impl FnMut(Vec<u8>) -> Result<(), Fault>,
) -> Result<Differences, Fault> {
    let mut all = Differences::default();
    let mut known: Vec<Difference> = Vec::new();
    let start = Instant::now();
    for class in classes {
        let names = &class.names;
        let difference = match start.elapsed() < MOST_TIME {
            true => {
                let [old, new] = class.compared(bodies).rules;
                let found = old.difference(&new);
                found.map_err(|error| Fault::new(error.to_string()))?
            }
            false => Difference::default(),
        };
        let of_twin = class.twin.and_then(|twin| known.get(twin));
        let is_decided = |of: &Difference| of.result() != DifferenceResult::NotDecided;
        let is_undecided = !is_decided(&difference) && of_twin.is_none_or(is_decided);
        if is_undecided {
            all.undecided.push(screen::names(names, names.len()));
        }
        let is_shown = |found: &&DifferentPath| {
            let is_known = |other: &DifferentPath| {
                other.path() == found.path() && are_same(other.verdicts(), found.verdicts())
            };
            of_twin.is_none_or(|twin| !twin.paths().any(is_known))
        };
        let mut out = Vec::new();
        let mut count = 0;
        for found in difference.paths().filter(is_shown) {
            comparison.change(names, found.path().as_bytes(), found.verdicts(), &mut out);
            count += 1;
        }
        // A twin reads the same lines.
        if class.twin.is_none() {
            let signals = signals::changes(&class.crawler, comparison.files.each_ref())?;
            all.of_signals += usize::from(!signals.is_empty());
            comparison.signals(names, &signals, &mut out);
        }
        all.changed += usize::from(count > 0);
        all.twins += usize::from((count > 0 || is_undecided) && class.twin.is_some());
        known.push(difference);
        print(out)?;
    }
    Ok(all)
}

/// Returns whether the old and the new verdict are shown alike.
fn are_same([old, new]: [Verdict; 2], [other_old, other_new]: [Verdict; 2]) -> bool {
    is_same(old, other_old) && is_same(new, other_new)
}

/// Returns the verdicts that change between two files, as text.
pub(crate) fn between(how: &How, bodies: [&[u8]; 2]) -> Result<String, Fault> {
    let (classes, left_out) = classes(how, &[], bodies)?;
    let mut text = Vec::new();
    let comparison = Comparison {
        classes: Vec::new(),
        shown: Shown::default(),
        is_coloured: false,
        files: Reading::of(how, how.dialect(), bodies)?.outlines,
        of_twins: AtomicU64::new(0),
    };
    let all = differences(&classes, bodies, &comparison, |out| {
        text.extend_from_slice(&out);
        Ok(())
    })?;
    let mut text = String::from_utf8_lossy(&text).into_owned();
    if left_out > 0 {
        text.push_str(&format!("{left_out} crawlers were not compared\n"));
    }
    for complaint in all.complaints() {
        text.push_str(&(complaint + "\n"));
    }
    if text.is_empty() {
        text.push_str("no verdict changes: proved\n");
    }
    Ok(text)
}

/// Returns the classes of the crawlers to compare, and the number of crawlers left out.
fn classes(how: &How, agents: &[String], bodies: [&[u8]; 2]) -> Result<(Vec<Class>, usize), Fault> {
    // The first reading is that of crawlers that are not well known.
    let mut dialects = vec![how.dialect()];
    for preset in Preset::all() {
        let dialect = how.dialect_of(preset);
        if !dialects.contains(&dialect) {
            dialects.push(dialect);
        }
    }
    let readings = dialects.into_iter();
    let readings = readings.map(|dialect| Reading::of(how, dialect, bodies));
    let readings: Vec<Reading> = readings.collect::<Result<_, _>>()?;
    let Some(first) = readings.first() else {
        return Ok((Vec::new(), 0));
    };
    let class_of = |name: String, tokens: &[&[u8]], preset: Option<Preset>| {
        let dialect = preset.map_or(first.dialect, |preset| how.dialect_of(preset));
        let crawler = match preset.filter(|_| tokens.len() == 1) {
            Some(preset) => how.known(preset)?,
            None => how.crawler_in(dialect, tokens)?,
        };
        let reading = readings.iter().find(|reading| reading.dialect == dialect);
        let outlines = &reading.unwrap_or(first).outlines;
        let tokens: Vec<Vec<u8>> = crawler.tokens().map(<[u8]>::to_vec).collect();
        let star = preset.is_none_or(|preset| !preset.ignores_star());
        let groups = outlines.each_ref();
        Ok::<Class, Fault>(Class {
            names: vec![name],
            groups: groups.map(|outline| outline.obeyed_by(&tokens, star).to_vec()),
            crawler,
            dialect,
            twin: None,
        })
    };
    let stranger = stranger(first);
    let mut classes: Vec<Class> = Vec::new();
    let mut places: HashMap<(Dialect, [Vec<usize>; 2]), Option<usize>> = HashMap::new();
    for agent in agents {
        let tokens = tokens_of(agent);
        let preset = tokens.first().map_or(Ok(None), |token| governed(token))?;
        if let Some(says) = preset.and_then(|it| groups_of(it, true, false)) {
            complain(&says);
        }
        let tokens: Vec<&[u8]> = match &*tokens {
            [] => vec![&stranger],
            tokens => tokens.iter().map(|token| token.as_bytes()).collect(),
        };
        let class = class_of(agent.clone(), &tokens, preset)?;
        places.insert((class.dialect, class.groups.clone()), None);
        classes.push(class);
    }
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut left_out = 0;
    let named = std::iter::once(&b"*"[..]).chain(first.names());
    for name in named.filter(|_| agents.is_empty()) {
        let preset = Preset::find(name);
        let is_governed = preset.is_none_or(|preset| !preset.ignores_robots_txt());
        if !seen.insert(name.to_ascii_lowercase()) || !is_governed {
            continue;
        }
        let token = if name == b"*" { &stranger } else { name };
        // Some names of koster1996 are not valid tokens; no crawler obeys such a record.
        let Ok(class) = class_of(safe(name).into_owned(), &[token], preset) else {
            continue;
        };
        let key = (class.dialect, class.groups.clone());
        let has_place = classes.len() < MOST_CLASSES;
        match places
            .entry(key)
            .or_insert(has_place.then_some(classes.len()))
        {
            Some(place) => match classes.get_mut(*place) {
                Some(known) => known.names.extend(class.names),
                None => classes.push(class),
            },
            None => left_out += 1,
        }
    }
    // Crawlers that no file names, but that read or choose groups as no crawler above does.
    let is_everyone = agents.is_empty() || agents.iter().any(|agent| agent == EVERYONE);
    let short = first.short_names().map(|name| (name, None));
    let short = short.filter(|_| agents.is_empty());
    let presets = Preset::all().filter(|preset| !preset.ignores_robots_txt());
    let presets = presets.map(|preset| (preset.name().as_bytes(), Some(preset)));
    let mut others: Vec<Class> = Vec::new();
    for (name, preset) in short.chain(presets).filter(|_| is_everyone) {
        if !seen.insert(name.to_ascii_lowercase()) {
            continue;
        }
        let Ok(class) = class_of(safe(name).into_owned(), &[name], preset) else {
            continue;
        };
        let is_same =
            |other: &&mut Class| (other.dialect, &other.groups) == (class.dialect, &class.groups);
        if let Some(known) = others.iter_mut().find(is_same) {
            known.names.extend(class.names);
            continue;
        }
        match places.get(&(class.dialect, class.groups.clone())) {
            // They obey the groups of a crawler that is named, as Googlebot-Image obeys those of Googlebot.
            Some(Some(place)) => {
                let known = classes.get_mut(*place);
                let known = known.filter(|known| !known.is_everyone());
                known
                    .into_iter()
                    .for_each(|known| known.names.extend_from_slice(&class.names));
            }
            Some(None) => {}
            None => others.push(class),
        }
    }
    let everyone = class_of(String::new(), &[&stranger], None)?;
    others.retain(|class| {
        let is_asked = agents.is_empty() || class.groups == everyone.groups;
        is_asked && class.groups.iter().any(|groups| !groups.is_empty())
    });
    for class in &mut others {
        let mut known = classes.iter();
        class.twin = known.position(|other| other.is_everyone() && other.groups == class.groups);
    }
    classes.extend(others);
    Ok((classes, left_out))
}

/// Returns a product token that neither file names.
fn stranger(reading: &Reading) -> Vec<u8> {
    let names = reading.names().chain(reading.short_names());
    let names: HashSet<Vec<u8>> = names.map(<[u8]>::to_ascii_lowercase).collect();
    let mut token = b"anyone".to_vec();
    while names.contains(&token) {
        token.push(b'x');
    }
    token
}

/// The rules of both files for crawlers that obey the same groups.
struct Compared {
    names: Vec<String>,
    rules: [Rules; 2],
    twin: Option<usize>,
}

impl Compared {
    fn verdicts(&self, url: &[u8]) -> [Verdict; 2] {
        self.rules.each_ref().map(|rules| rules.check(url))
    }
}

struct Comparison {
    classes: Vec<Compared>,
    shown: Shown,
    is_coloured: bool,
    files: [FileGroups; 2],
    /// The number of verdicts that change for a class, but not for its twin.
    of_twins: AtomicU64,
}

#[derive(Serialize)]
struct JsonChange<'c> {
    agents: &'c [String],
    url: String,
    old: JsonSide,
    new: JsonSide,
}

/// A line about use that one of the files has.
#[derive(Serialize)]
struct JsonSignal<'c> {
    agents: &'c [String],
    signal: &'c str,
    line: u32,
    is_new: bool,
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
            line: line_number(verdict),
        }
    }
}

impl Comparison {
    /// Compares the verdicts on a URL.
    fn compare(&self, url: &[u8], out: &mut Vec<u8>, tally: &mut Tally) {
        tally.lines += 1;
        for class in &self.classes {
            let [old, new] = class.verdicts(url);
            if old.error().is_some() {
                tally.bad += 1;
                return self.refuse(safe(url).as_ref(), out);
            }
            let twin = class.twin.and_then(|twin| self.classes.get(twin));
            let is_shown = twin.is_none_or(|twin| !are_same(twin.verdicts(url), [old, new]));
            if old.allowed() != new.allowed() && is_shown {
                tally.no += 1;
                self.of_twins.fetch_add(twin.is_some().into(), Relaxed);
                self.change(&class.names, url, [old, new], out);
            }
        }
    }

    /// Writes a verdict that changes.
    fn change(&self, names: &[String], url: &[u8], [old, new]: [Verdict; 2], out: &mut Vec<u8>) {
        if self.shown.quiet {
            return;
        }
        let mut text = String::new();
        if self.shown.json {
            // Writing to memory cannot fail.
            let _ = screen::push_json_line(
                &mut text,
                &JsonChange {
                    agents: names,
                    url: lossy(url),
                    old: old.into(),
                    new: new.into(),
                },
            );
        } else {
            let change = format!("{:23}", format!("{} -> {}", word(old), word(new)));
            let change = screen::coloured(self.is_coloured, screen::escape_of(new), &change);
            let [old_file, new_file] = &self.files;
            let line = |verdict: Verdict, file: &FileGroups| match deciding_line(verdict) {
                None => "no rule".to_owned(),
                Some(line) => format!("line {line}: {}", file.shown(line)),
            };
            text = format!(
                "{change}  {}  {}  ({} -> {})\n",
                screen::names(names, names.len()),
                safe(url),
                line(old, old_file),
                line(new, new_file)
            );
        }
        out.extend_from_slice(text.as_bytes());
    }

    /// Writes the lines about use that change.
    fn signals(&self, names: &[String], signals: &[Signal], out: &mut Vec<u8>) {
        for signal in signals.iter().filter(|_| !self.shown.quiet) {
            let mut text = String::new();
            if self.shown.json {
                let row = JsonSignal {
                    agents: names,
                    signal: &signal.text,
                    line: signal.line,
                    is_new: signal.is_new,
                };
                // Writing to memory cannot fail.
                let _ = screen::push_json_line(&mut text, &row);
            } else {
                let (word, file) = match signal.is_new {
                    true => ("signal added", "new"),
                    false => ("signal removed", "old"),
                };
                text = format!(
                    "{}  {}  {}  (line {} of the {file} file)\n",
                    screen::coloured(self.is_coloured, "33", &format!("{word:23}")),
                    screen::names(names, names.len()),
                    signal.text,
                    signal.line
                );
            }
            out.extend_from_slice(text.as_bytes());
        }
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
        match record.url {
            Some(url) => self.compare(url, out, tally),
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
