//! `robots check`: verdicts on URLs.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use clap::ValueEnum;
use robots::{Origin, Rules, Verdict};

use crate::column::Record;
use crate::crawler::Who;
use crate::fault::{Exit, Fault, complain};
use crate::input;
use crate::screen::{self, Shown};
use crate::stream::{Tally, Work};
use crate::subject::{self, Where};
use crate::urls::{self, Urls};
use crate::verdict;

/// Decide whether a crawler may fetch URLs
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots check -a ExampleBot robots.txt /private/ https://example.com/open
  robots check -a Googlebot-Image -a Googlebot -d google robots.txt --urls urls.txt
  robots check -a ExampleBot robots.txt --only allowed < urls.txt > to-fetch.txt
  robots check -a ExampleBot robots.txt --json < urls.txt
  robots check -a ExampleBot --live https://example.com/private/page

Without URL and --urls the URLs are read from standard input; with --live only the first URL is
checked then. With other URLs the first one names the site, and is checked if it has a path.

Each row shows the verdict, the line of the robots.txt that decided (`-`: none), and the URL. The
host of a URL is ignored for a file: use the robots.txt of its own site. With --live a URL of
another site is an `error`: run the command once for each site. `deferred` with --live means that
the site is unreachable, which is no ban: keep the URL and try again later.

Exit status: 0 all are allowed, or with --only done; 1 some are not; 2 bad input or usage, or a line
was not a URL or, with --live, not of the site (its verdict is `error`, never allowed); 3 the
site is unreachable.")]
pub(crate) struct Args {
    #[command(flatten)]
    who: Who,
    #[command(flatten)]
    place: Where,
    /// Also decide by this robots.txt; may be repeated
    #[arg(short = 'f', long = "file", value_name = "ROBOTS_TXT")]
    more_files: Vec<PathBuf>,
    #[command(flatten)]
    urls: Urls,
    /// Warn of URLs that are not of this site, such as https://example.com
    #[arg(long, value_name = "URL")]
    site: Option<String>,
    #[command(flatten)]
    form: Form,
}

/// The output format.
#[derive(clap::Args, Debug)]
pub(crate) struct Form {
    /// Print only these URLs, as given; with several files all must allow a URL
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

fn site_of(url: &str) -> Result<Origin, Fault> {
    Origin::from_url(input::site_url(url)?)
        .map_err(|error| Fault::new(format!("--site {url}: {error}; give its URL")))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Only {
    Allowed,
    Disallowed,
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    let crawler = args.who.crawler()?;
    let most = args.who.how.worth_reading();
    let first = args.place.load(&crawler, most)?;
    let mut taken = usize::from(args.place.is_standard_input());
    let mut files = vec![(first.name.clone(), first.rules(&crawler))];
    for path in &args.more_files {
        taken += usize::from(path.as_os_str() == input::STANDARD_INPUT);
        let more = subject::read(path, most)?;
        files.push((more.name.clone(), more.rules(&crawler)));
    }
    if taken > 1 {
        return Err(Fault::new(
            "standard input is given for more than one robots.txt: name a file for each",
        ));
    }
    let mut judge = Judge::new(files, &args.form, &args.urls)?;
    judge.live_site = first.site();
    let site = args.site.as_deref().map(site_of).transpose()?;
    judge.site = site.filter(|_| judge.live_site.is_none());
    let only_live = judge.live_site.is_some() && args.urls.is_empty();
    let mut tally = Tally::default();
    if let Some(url) = args.place.first_url(only_live) {
        tally.add(Urls::answer_one(&url, &judge)?);
    }
    if !only_live {
        tally.add(args.urls.answer(taken > 0, &judge)?);
    }
    let exit = args.form.exit_of(tally);
    if tally.foreign == 0 {
        return Ok(exit);
    }
    if let Some(site) = judge.live_site {
        let first = judge.foreign_site.into_inner();
        complain(&format!(
            "{} of {} URLs are not of {}; one is of {}: run the command once for each site",
            tally.foreign,
            tally.lines,
            site.key(),
            first.unwrap_or_else(PoisonError::into_inner)
        ));
        return Ok(Exit::BadInput);
    }
    if let Some(site) = judge.site {
        complain(&format!(
            "{} of {} URLs are not of {}: the rules of their own sites hold for them",
            tally.foreign,
            tally.lines,
            site.key()
        ));
    }
    Ok(exit)
}

/// Checks URLs by the rules of files and writes the verdicts.
pub(crate) struct Judge {
    files: Vec<Source>,
    json: bool,
    only: Option<Only>,
    quiet: bool,
    is_coloured: bool,
    /// The site of the robots.txt; URLs of others are counted.
    site: Option<Origin>,
    /// The site whose robots.txt was fetched; URLs of others are errors.
    live_site: Option<Origin>,
    /// The site of such a URL; empty: there is none.
    foreign_site: Mutex<String>,
    /// The byte after a URL of `only`.
    end: u8,
    /// The output is a terminal: control characters are escaped.
    on_terminal: bool,
}

struct Source {
    /// The prefix of a row; empty for a single file.
    prefix: Vec<u8>,
    json_name: Vec<u8>,
    rules: Rules,
}

impl Judge {
    pub(crate) fn new(
        files: Vec<(String, Rules)>,
        form: &Form,
        urls: &Urls,
    ) -> Result<Judge, Fault> {
        let several = files.len() > 1;
        let mut sources = Vec::new();
        for (name, rules) in files {
            let mut json_name = Vec::new();
            verdict::push_json_text(&mut json_name, name.as_bytes())
                .map_err(|error| Fault::new(format!("cannot write {name} as JSON: {error}")))?;
            let prefix = if several {
                format!("{name}: ").into_bytes()
            } else {
                Vec::new()
            };
            sources.push(Source {
                prefix,
                json_name,
                rules,
            });
        }
        Ok(Judge {
            files: sources,
            json: form.shown.json,
            only: form.only,
            quiet: form.shown.quiet,
            is_coloured: form.shown.is_coloured(),
            site: None,
            live_site: None,
            foreign_site: Mutex::default(),
            end: urls.line_end(),
            on_terminal: io::stdout().is_terminal(),
        })
    }

    /// Returns why a URL of another site has no verdict. A text that is no URL has its own error.
    fn foreign(&self, url: &[u8]) -> Option<String> {
        let site = self.live_site.as_ref()?;
        let other = subject::other_site(site, url)?;
        let mut first = self
            .foreign_site
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if first.is_empty() {
            *first = other.key().to_owned();
        }
        Some(format!("not a URL of {}", site.key()))
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

    fn bare(&self, only: Only, url: &[u8], line: &[u8], out: &mut Vec<u8>, tally: &mut Tally) {
        let mut allowed = true;
        let mut answered = true;
        for source in &self.files {
            let verdict = source.rules.check(url);
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
        if let Some(site) = &self.site {
            tally.foreign += u64::from(!url.starts_with(b"/") && !site.governs(url));
        }
        if let Some(fault) = self.foreign(url) {
            tally.foreign += 1;
            if !self.quiet && self.only.is_none() {
                for source in &self.files {
                    self.row(source, verdict::none(), Some(&fault), url, out);
                }
            }
            return;
        }
        if let Some(only) = self.only {
            return self.bare(only, url, record.line, out, tally);
        }
        let url = record.url.unwrap_or(record.line);
        for source in &self.files {
            let verdict = match record.url {
                Some(url) => source.rules.check(url),
                None => verdict::none(),
            };
            self.count(verdict, tally);
            if !self.quiet {
                self.row(source, verdict, None, url, out);
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
