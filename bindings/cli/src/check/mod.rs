//! `robots check`: verdicts on URLs.

mod all_crawlers;

use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::ValueEnum;
use robots::{Rules, Verdict};

use crate::column::Record;
use crate::crawler::{Named, Who};
use crate::fault::{Exit, Fault};
use crate::file_groups::warn_of_strangers;
use crate::input;
use crate::other_sites::Sites;
use crate::screen::{self, Shown};
use crate::stream::{Tally, Work};
use crate::subject::{self, Subject, Where};
use crate::urls::{self, Urls};
use crate::verdict;

/// The text after the short help.
const SHORT: &str = "\
Examples:
  robots check robots.txt /cart/                    all well-known crawlers, by purpose
  robots check -a ExampleBot robots.txt /cart/ https://example.com/open
  robots check --live https://example.com/cart/

Each row shows the verdict, the line of the robots.txt that decided (`-`: none), and the URL.
Without --agent there is a row for each well-known crawler. `deferred`: the site is unreachable,
which is no ban. `error`: there is no verdict, and the crawler may not fetch the URL.

Exit status: 0 all are allowed; 1 some are not; 2 bad input or usage, or an `error`; 3 the site
is unreachable. `--help` shows all options.";

const LONG: &str = "\
Examples:
  robots check robots.txt /cart/
  robots check -a ExampleBot robots.txt /private/ https://example.com/open
  robots check -a Googlebot -a Bingbot -a '*' robots.txt /private/
  robots check -a Googlebot-Image,Googlebot robots.txt --urls urls.txt
  robots check -a ExampleBot robots.txt --only allowed < urls.txt > to-fetch.txt
  robots check -a ExampleBot robots.txt --json < urls.txt
  robots check -a ExampleBot --live https://example.com/private/page

Without --agent each well-known crawler is asked, by purpose: search, AI search, training, requests
of users, ads, archives, SEO. Those that ignore the robots.txt have no verdict. The sitemaps of the
file follow. Each --agent is another crawler; `-a '*'` is everyone whom the file does not name.

Without URL and --urls the URLs are read from standard input; with --live only the first URL is
checked then. With other URLs the first one names the site, and is checked if it has a path.

Each row shows the verdict, the line of the robots.txt that decided (`-`: none), and the URL. --site
names the site of a file. With --site and with --live a URL of another site is an `error`: run the
command once for each site. Without them the command prints a note if the URLs are of several sites,
or if all sitemaps of the file are of another site. `deferred` with --live means that the site is
unreachable, which is no ban: keep the URL and try again later.

Exit status: 0 all are allowed, or with --only done; 1 some are not; 2 bad input or usage, or a line
was not a URL or not of the site (its verdict is `error`, never allowed); 3 the site is unreachable.";

/// Decide whether crawlers may fetch URLs
#[derive(clap::Args, Debug)]
#[command(after_help = SHORT, after_long_help = LONG)]
pub(crate) struct Args {
    #[command(flatten)]
    who: Who,
    #[command(flatten)]
    place: Where,
    /// Also decide by this robots.txt; may be repeated
    #[arg(
        short = 'f',
        long = "file",
        value_name = "ROBOTS_TXT",
        hide_short_help = true
    )]
    more_files: Vec<PathBuf>,
    #[command(flatten)]
    urls: Urls,
    /// The site of the robots.txt; a URL of another one is an error
    #[arg(long, value_name = "URL")]
    site: Option<String>,
    #[command(flatten)]
    form: Form,
}

/// The output format.
#[derive(clap::Args, Debug)]
pub(crate) struct Form {
    /// Print only these URLs
    ///
    /// They are printed as given. With several files or crawlers all must allow a URL.
    #[arg(
        long,
        value_name = "allowed|disallowed",
        hide_possible_values = true,
        conflicts_with_all = ["json", "quiet"]
    )]
    only: Option<Only>,
    #[command(flatten)]
    shown: Shown,
}

impl Form {
    /// Returns the exit status for a tally, and reports invalid URLs. With --only the output says which are allowed.
    pub(crate) fn exit_of(&self, tally: Tally) -> Exit {
        match urls::exit_of(tally) {
            // An outage is no ban.
            Exit::No if tally.deferred > 0 => Exit::Unreachable,
            Exit::No if self.only.is_some() => Exit::Yes,
            exit => exit,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Only {
    Allowed,
    Disallowed,
}

impl Args {
    /// Whether one robots.txt decides, of URLs of the command line, with full rows.
    fn takes_one_file(&self) -> bool {
        self.more_files.is_empty() && self.form.only.is_none() && !self.urls.has_lists()
    }
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    if args.who.is_empty() {
        if !args.takes_one_file() {
            return Err(Fault::new(all_crawlers::MISSING));
        }
        let (tally, exit) = all_crawlers::run(all_crawlers::Question {
            how: &args.who.how,
            place: &args.place,
            urls: &args.urls,
            site: args.site.as_deref(),
            shown: args.form.shown,
        })?;
        return Ok(args.form.exit_of(tally).max(exit));
    }
    let crawlers = args.who.crawlers()?;
    let most = args.who.how.worth_reading();
    let mut subjects = Vec::new();
    if let Some(first) = crawlers.first() {
        subjects.push(args.place.load(&first.crawler, most)?);
    }
    let mut taken = usize::from(args.place.is_standard_input());
    for path in &args.more_files {
        taken += usize::from(path.as_os_str() == input::STANDARD_INPUT);
        subjects.push(subject::read(path, most)?);
    }
    if taken > 1 {
        return Err(Fault::new(
            "standard input is given for more than one robots.txt: name a file for each",
        ));
    }
    let own = crawlers.iter().map(|named| &named.crawler);
    let given = args.urls.given().map(Cow::into_owned);
    warn_of_strangers(&args.who, own, &subjects, &given.collect::<Vec<_>>())?;
    let mut sources = Vec::new();
    for subject in &subjects {
        for Named { name, crawler } in &crawlers {
            let mut source = Source::new(&subject.name, subject.rules(crawler));
            source.prefix(subjects.len() > 1, &subject.name);
            source.prefix(crawlers.len() > 1, name);
            if crawlers.len() > 1 {
                source.json_name.extend_from_slice(b",\"crawler\":");
                push_text(&mut source.json_name, name);
            }
            sources.push(source);
        }
    }
    let mut judge = Judge::new(sources, &args.form, &args.urls);
    let (is_live, sites) = (
        subjects.iter().find_map(Subject::site),
        Sites::of(&subjects, args.site.as_deref())?,
    );
    let only_live = is_live.is_some() && args.urls.is_empty();
    judge.sites = sites;
    let mut tally = Tally::default();
    if let Some(url) = args.place.first_url(only_live) {
        tally.add(Urls::answer_one(&url, &judge)?);
    }
    if !only_live {
        tally.add(args.urls.answer(taken > 0, &judge)?);
    }
    let exit = args.form.exit_of(tally);
    Ok(exit.max(judge.sites.report(tally)))
}

/// Checks URLs by the rules of files and writes the verdicts.
pub(crate) struct Judge {
    files: Vec<Source>,
    json: bool,
    only: Option<Only>,
    quiet: bool,
    is_coloured: bool,
    sites: Sites,
    /// The byte after a URL of `only`.
    end: u8,
    /// The output is a terminal: control characters are escaped.
    on_terminal: bool,
}

/// The rules of a file for a crawler.
pub(crate) struct Source {
    /// The prefix of a row; empty if there is one source.
    prefix: Vec<u8>,
    /// The name of the file as JSON, and the member with the crawler.
    json_name: Vec<u8>,
    rules: Rules,
}

impl Source {
    pub(crate) fn new(name: &str, rules: Rules) -> Source {
        let mut json_name = Vec::new();
        push_text(&mut json_name, name);
        Source {
            prefix: Vec::new(),
            json_name,
            rules,
        }
    }

    fn prefix(&mut self, is_wanted: bool, name: &str) {
        if is_wanted {
            let name = screen::safe(name.as_bytes());
            self.prefix
                .extend_from_slice(format!("{name}: ").as_bytes());
        }
    }
}

/// Appends a text as JSON.
fn push_text(out: &mut Vec<u8>, text: &str) {
    // Writing to memory cannot fail.
    let _ = verdict::push_json_text(out, text.as_bytes());
}

impl Judge {
    pub(crate) fn new(files: Vec<Source>, form: &Form, urls: &Urls) -> Judge {
        Judge {
            files,
            json: form.shown.json,
            only: form.only,
            quiet: form.shown.quiet,
            is_coloured: form.shown.is_coloured(),
            sites: Sites::default(),
            end: urls.line_end(),
            on_terminal: io::stdout().is_terminal(),
        }
    }

    fn count(&self, verdict: Verdict, tally: &mut Tally) {
        tally.no += u64::from(!verdict.allowed());
        tally.deferred += u64::from(verdict::is_deferred(verdict));
        tally.bad += u64::from(verdict.error().is_some());
    }

    fn row(
        &self,
        source: &Source,
        verdict: Verdict,
        fault: Option<&str>,
        url: &[u8],
        out: &mut Vec<u8>,
    ) {
        if self.json {
            // Writing to memory cannot fail.
            let _ = verdict::push_json(out, &source.json_name, verdict, fault, url);
            return;
        }
        out.extend_from_slice(&source.prefix);
        if self.on_terminal {
            let url = screen::safe(url);
            verdict::push_row(out, verdict, url.as_bytes(), self.is_coloured);
        } else {
            verdict::push_row(out, verdict, url, self.is_coloured);
        }
        out.push(b'\n');
    }

    fn bare(&self, only: Only, record: Record<'_>, out: &mut Vec<u8>, tally: &mut Tally) {
        let Record { line, url } = record;
        let mut allowed = true;
        let mut answered = true;
        for source in &self.files {
            let verdict = url.map_or_else(verdict::none, |url| source.rules.check(url));
            self.count(verdict, tally);
            allowed &= verdict.allowed();
            answered &= verdict.error().is_none() && !verdict::is_deferred(verdict);
        }
        if answered && allowed == (only == Only::Allowed) {
            if self.on_terminal {
                out.extend_from_slice(screen::safe(line).as_bytes());
            } else {
                out.extend_from_slice(line);
            }
            out.push(self.end);
        }
    }
}

impl Work for Judge {
    type Memo = ();

    #[inline]
    fn line(&self, _: &mut (), record: Record<'_>, out: &mut Vec<u8>, tally: &mut Tally) {
        tally.lines += 1;
        // A row without a URL gets the verdict of one that is invalid.
        let url = record.url.unwrap_or_default();
        if let Some(fault) = self.sites.foreign(url) {
            tally.foreign += 1;
            if !self.quiet && self.only.is_none() {
                for source in &self.files {
                    self.row(source, verdict::none(), Some(&fault), url, out);
                }
            }
            return;
        }
        if let Some(only) = self.only {
            return self.bare(only, record, out, tally);
        }
        let shown = record.url.unwrap_or(record.line);
        for source in &self.files {
            let verdict = source.rules.check(url);
            self.count(verdict, tally);
            if !self.quiet {
                self.row(source, verdict, None, shown, out);
            }
        }
    }

    fn too_long(&self, start: &[u8], out: &mut Vec<u8>, tally: &mut Tally) {
        // The start alone would be another URL.
        tally.lines += 1;
        tally.no += 1;
        tally.bad += 1;
        if self.quiet || self.only.is_some() {
            return;
        }
        let shown = [start, b"..."].concat();
        for source in &self.files {
            self.row(source, verdict::none(), None, &shown, out);
        }
    }

    fn passes_lines(&self) -> bool {
        self.only.is_some()
    }
}
