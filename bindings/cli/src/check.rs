//! `robots check`: verdicts on URLs.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::ValueEnum;
use robots::{Rules, Verdict};

use crate::crawler::Who;
use crate::fault::{Exit, Fault};
use crate::input;
use crate::screen;
use crate::stream::{Tally, Work};
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

Without URL and --urls the URLs are read from standard input.

Each row shows the verdict, the line of the robots.txt that decided (`-`: none), and the URL. The
host of a URL is ignored: use the robots.txt of its own site.

Exit status: 0 all are allowed; 1 some are not; 2 bad input or usage, or a line was not a URL (its
verdict is `error`, never allowed).")]
pub(crate) struct Args {
    #[command(flatten)]
    who: Who,
    /// The robots.txt (`-`: standard input)
    #[arg(value_name = "ROBOTS_TXT")]
    file: PathBuf,
    /// Also decide by this robots.txt; may be repeated
    #[arg(short = 'f', long = "file", value_name = "ROBOTS_TXT")]
    more_files: Vec<PathBuf>,
    #[command(flatten)]
    urls: Urls,
    #[command(flatten)]
    form: Form,
}

/// The output format.
#[derive(clap::Args, Debug)]
#[group(multiple = false)]
pub(crate) struct Form {
    /// Print a line of JSON for each verdict
    #[arg(long)]
    json: bool,
    /// Print only these URLs, as given; with several files all must allow a URL
    #[arg(long, value_name = "allowed|disallowed", hide_possible_values = true)]
    only: Option<Only>,
    /// Print nothing; use the exit status
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Only {
    Allowed,
    Disallowed,
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    let crawler = args.who.crawler()?;
    let paths: Vec<PathBuf> = [vec![args.file], args.more_files].concat();
    let mut taken = 0;
    let mut files = Vec::new();
    for path in &paths {
        taken += usize::from(path.as_os_str() == input::STANDARD_INPUT);
        let body = input::read(path, args.who.how.worth_reading())?;
        files.push((input::name(path), crawler.parse(body)));
    }
    if taken > 1 {
        return Err(Fault::new(
            "standard input is given for more than one robots.txt: name a file for each",
        ));
    }
    let tally = args
        .urls
        .answer(taken > 0, &Judge::new(files, &args.form)?)?;
    Ok(urls::exit_of(tally))
}

/// Checks URLs by the rules of files and writes the verdicts.
pub(crate) struct Judge {
    files: Vec<Source>,
    json: bool,
    only: Option<Only>,
    quiet: bool,
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
    pub(crate) fn new(files: Vec<(String, Rules)>, form: &Form) -> Result<Judge, Fault> {
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
            json: form.json,
            only: form.only,
            quiet: form.quiet,
            on_terminal: io::stdout().is_terminal(),
        })
    }

    fn count(&self, verdict: Verdict, tally: &mut Tally) {
        tally.no += u64::from(!verdict.allowed());
        tally.bad += u64::from(verdict.error().is_some());
    }

    fn row(&self, source: &Source, verdict: Verdict, url: &[u8], out: &mut Vec<u8>) {
        if self.json {
            // Writing to memory cannot fail.
            let _ = verdict::push_json(out, &source.json_name, verdict, url);
            return;
        }
        out.extend_from_slice(&source.prefix);
        if self.on_terminal {
            verdict::push_row(out, verdict, screen::safe(url).as_bytes());
        } else {
            verdict::push_row(out, verdict, url);
        }
        out.push(b'\n');
    }

    fn bare(&self, only: Only, url: &[u8], out: &mut Vec<u8>, tally: &mut Tally) {
        let mut allowed = true;
        let mut answered = true;
        for source in &self.files {
            let verdict = source.rules.check(url);
            self.count(verdict, tally);
            allowed &= verdict.allowed();
            answered &= verdict.error().is_none();
        }
        if answered && allowed == (only == Only::Allowed) {
            if self.on_terminal {
                out.extend_from_slice(screen::safe(url).as_bytes());
            } else {
                out.extend_from_slice(url);
            }
            out.push(b'\n');
        }
    }
}

impl Work for Judge {
    #[inline]
    fn line(&self, url: &[u8], out: &mut Vec<u8>, tally: &mut Tally) {
        tally.lines += 1;
        if let Some(only) = self.only {
            return self.bare(only, url, out, tally);
        }
        for source in &self.files {
            let verdict = source.rules.check(url);
            self.count(verdict, tally);
            if !self.quiet {
                self.row(source, verdict, url, out);
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
            self.row(source, verdict::none(), &shown, out);
        }
    }
}
