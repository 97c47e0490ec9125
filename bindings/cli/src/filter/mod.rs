//! `robots filter`: the URLs of many sites that a crawler may fetch.
//!
//! `source` finds out what holds the robots.txt files; `archive`, `table` and `records` read it to items; `load` compiles
//! these with several threads, and the engine chooses among them; `sites` keeps the rules by origin, and beyond a limit in a temporary file.

pub(crate) mod archive;
mod counts;
pub(crate) mod item;
mod load;
mod records;
mod site_names;
mod sites;
pub(crate) mod source;
mod table;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use clap::ValueEnum;
use robots::Reason;

use crate::column::Record;
use crate::crawler::Who;
use crate::fault::{Exit, Fault, complain};
use crate::screen::{self, safe};
use crate::stream::{Tally, Work};
use crate::subject;
use crate::urls::Lists;

use sites::{Memo, Sites};

/// Keep the URLs of many sites that a crawler may fetch
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots filter -a ExampleBot --robots sites/ < urls.txt > to-fetch.txt
  robots filter -a ExampleBot --robots robotstxt.warc.gz --column url < pages.tsv
  robots filter -a ExampleBot --robots robots.csv --unknown keep -u urls.txt -j 8
  find_urls -0 | robots filter -0 -a ExampleBot --robots sites.tar.gz | xargs -0 fetch

The rules for a URL are those of its origin: scheme, host and port. The order of the lines stays. A
URL of an unreachable site is dropped, and so is a line without a URL.

A SOURCE of --robots is one of these; each may be compressed with gzip, and `-` is standard input:
  folder, tar   FILE is named after a host (both schemes) or after an origin whose `/` and `:` are
                written %2F and %3A; `HOST/robots.txt` and `HOST.txt` are names, too, and each
                may end in `.gz` if the file is compressed
  WARC          responses and resources; their status, redirects and codings count
  table         CSV or TSV with the columns origin, url or host, and body; status, date, target
                (of a redirect) and failure may follow. An empty status means no response. A row
                with the url of a page counts only where a redirect leads there
  records       outcomes for the same crawler, as robots_outcome_encode writes them, one after
                another
Of several captures of a robots.txt the newest counts, without dates the last one. An outage leaves
an older file in use (SPEC 11).

Parquet is not read: pipe it as CSV. examples/python/parquet_to_csv.py of the sources does so.

Counts go to standard error, and how many files are HTML, JSON, UTF-16 or others that are not a
robots.txt. The valid lines of such a file count, as for crawlers: most have none, and allow all
URLs of their sites.

Exit status: 0 done, whether URLs are left or not; 2 bad input or usage, and with --unknown error if
the site of a URL is unknown or a line has no URL.")]
pub(crate) struct Args {
    #[command(flatten)]
    who: Who,
    /// The robots.txt files of the sites; may be repeated
    #[arg(short, long, value_name = "SOURCE", required = true)]
    robots: Vec<PathBuf>,
    /// What to do with a URL whose site is in no SOURCE
    #[arg(
        long,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "drop|keep|error"
    )]
    unknown: Unknown,
    /// Print these lines
    #[arg(
        long,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "allowed|disallowed"
    )]
    only: Only,
    #[command(flatten)]
    lists: Lists,
    /// Keep so much of the rules in memory, in MiB, and the rest in a temporary file
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    memory: u32,
    /// Print no counts
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Unknown {
    #[default]
    Drop,
    Keep,
    Error,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Only {
    #[default]
    Allowed,
    Disallowed,
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    let crawler = args.who.crawler()?.crawler;
    for path in &args.robots {
        subject::refuse_any_url(path)?;
    }
    let taken = args
        .robots
        .iter()
        .filter(|path| path.as_os_str() == crate::input::STANDARD_INPUT)
        .count();
    if taken + usize::from(taken > 0 && args.lists.use_standard_input()) > 1 {
        return Err(Fault::new(
            "standard input can be used only once: give the URLs with --urls FILE, or --robots SOURCE",
        ));
    }
    let memory = args.memory as usize * (1 << 20);
    let limits = load::Limits {
        memory,
        body: args.who.how.worth_reading(),
    };
    let loaded = load::load(&args.robots, &crawler, limits, args.lists.threads())?;
    if !args.quiet {
        loaded.counts.report();
    }
    let filter = Filter {
        sites: loaded.sites,
        unknown: args.unknown,
        only: args.only,
        end: args.lists.line_end(),
        on_terminal: io::stdout().is_terminal(),
        first_unknown: Mutex::new(None),
        failure: Mutex::new(None),
    };
    let tally = args.lists.answer(taken > 0, &filter)?;
    if let Some(fault) = taken_out(&filter.failure) {
        return Err(fault);
    }
    if !args.quiet {
        report(tally);
    }
    if args.unknown == Unknown::Error && tally.unknown + tally.bad > 0 {
        let first = taken_out(&filter.first_unknown).unwrap_or_default();
        return Err(Fault::new(format!(
            "--unknown error: {} URLs are of sites that no --robots has, and {} lines have no URL; the first: {}",
            tally.unknown,
            tally.bad,
            safe(&first)
        )));
    }
    Ok(Exit::Yes)
}

fn report(tally: Tally) {
    let Tally {
        lines,
        no,
        bad,
        deferred,
        unknown,
        ..
    } = tally;
    let allowed = lines - no - bad - deferred - unknown;
    complain(&format!(
        "{lines} URLs: {allowed} allowed, {no} disallowed, {deferred} of unreachable sites, {unknown} of unknown sites, {bad} invalid"
    ));
}

fn taken_out<T>(value: &Mutex<Option<T>>) -> Option<T> {
    value.lock().unwrap_or_else(PoisonError::into_inner).take()
}

struct Filter {
    sites: Sites,
    unknown: Unknown,
    only: Only,
    /// The byte after each line.
    end: u8,
    /// The output is a terminal: control characters are escaped.
    on_terminal: bool,
    /// The first URL whose rules are unknown.
    first_unknown: Mutex<Option<Vec<u8>>>,
    /// The temporary file cannot be read.
    failure: Mutex<Option<Fault>>,
}

impl Filter {
    fn note(&self, line: &[u8]) {
        if self.unknown == Unknown::Error {
            let mut first = self
                .first_unknown
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert_with(|| line.get(..200).unwrap_or(line).to_vec());
        }
    }

    fn print(&self, line: &[u8], out: &mut Vec<u8>) {
        if self.on_terminal {
            out.extend_from_slice(screen::safe(line).as_bytes());
        } else {
            out.extend_from_slice(line);
        }
        out.push(self.end);
    }
}

impl Work for Filter {
    type Memo = Memo;

    fn line(&self, memo: &mut Memo, record: Record<'_>, out: &mut Vec<u8>, tally: &mut Tally) {
        tally.lines += 1;
        let Record { line, url } = record;
        let found = match url {
            Some(url) => memo
                .rules(&self.sites, url)
                .map(|rules| rules.map(|rules| rules.check(url))),
            None => Err(sites::LookupFault::NotAUrl),
        };
        match found {
            Ok(Some(verdict)) if verdict.error().is_some() => {
                tally.bad += 1;
                self.note(line);
            }
            Ok(Some(verdict)) => {
                if verdict.reason() == Reason::Unreachable {
                    tally.deferred += 1;
                    return;
                }
                tally.no += u64::from(!verdict.allowed());
                if verdict.allowed() == (self.only == Only::Allowed) {
                    self.print(line, out);
                }
            }
            Ok(None) => {
                tally.unknown += 1;
                self.note(line);
                if self.unknown == Unknown::Keep && self.only == Only::Allowed {
                    self.print(line, out);
                }
            }
            Err(sites::LookupFault::NotAUrl) => {
                tally.bad += 1;
                self.note(line);
            }
            Err(sites::LookupFault::Spill(error)) => {
                let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                failure.get_or_insert_with(|| {
                    Fault::new(format!(
                        "cannot read the temporary file of --memory: {error}; raise --memory"
                    ))
                });
            }
        }
    }

    fn too_long(&self, start: &[u8], _: &mut Vec<u8>, tally: &mut Tally) {
        tally.lines += 1;
        tally.bad += 1;
        self.note(start);
    }

    fn passes_lines(&self) -> bool {
        true
    }
}
