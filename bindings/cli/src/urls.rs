//! The URLs to check.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::fault::{Exit, Fault, complain};
use crate::input;
use crate::progress::Progress;
use crate::stream::{self, StreamFault, Tally, Work};

/// The URLs.
#[derive(Args, Debug)]
pub(crate) struct Urls {
    /// URLs, or paths that start with `/`
    #[arg(value_name = "URL")]
    urls: Vec<String>,
    /// Read URLs from this file, one per line (`-`: standard input); may be repeated
    #[arg(short = 'u', long = "urls", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

impl Urls {
    /// Whether the command line gives no URLs and no files.
    pub(crate) fn is_empty(&self) -> bool {
        self.urls.is_empty() && self.files.is_empty()
    }

    /// Processes all URLs in order: those of the command line, then those of the files. `taken`: standard input is already
    /// in use.
    pub(crate) fn answer(mut self, taken: bool, work: &impl Work) -> Result<Tally, Fault> {
        if self.is_empty() {
            self.files.push(input::STANDARD_INPUT.into());
        }
        let from_standard_input = |path: &&PathBuf| path.as_os_str() == input::STANDARD_INPUT;
        if self.files.iter().filter(from_standard_input).count() + usize::from(taken) > 1 {
            return Err(Fault::new(
                "standard input can be used only once: give the URLs as arguments or with --urls FILE",
            ));
        }
        let mut tally = Tally::default();
        let mut out = Vec::new();
        for url in &self.urls {
            work.line(url.as_bytes(), &mut out, &mut tally);
        }
        crate::screen::print(out)?;
        let threads = self.threads.map_or_else(
            || std::thread::available_parallelism().map_or(1, usize::from),
            usize::from,
        );
        for path in &self.files {
            tally.add(stream_file(path, threads, work)?);
        }
        Ok(tally)
    }
}

fn stream_file(path: &Path, threads: usize, work: &impl Work) -> Result<Tally, Fault> {
    let (mut source, size) = input::open(path)?;
    if path.as_os_str() == input::STANDARD_INPUT && io::stdin().is_terminal() {
        complain("reading URLs from the terminal, one per line; end with Ctrl-D");
    }
    let mut progress = Progress::new(size);
    stream::run(
        &mut *source,
        &mut io::stdout(),
        threads,
        &mut progress,
        work,
    )
    .map_err(|fault| match fault {
        StreamFault::Reading(error) => input::cannot_read(path, &error),
        StreamFault::Writing(error) => Fault::of_output(&error),
    })
}

/// Returns the exit status for a tally, and reports invalid URLs.
pub(crate) fn exit_of(tally: Tally) -> Exit {
    if tally.bad > 0 {
        let (these, are) = match tally.bad {
            1 => ("1 line is".to_owned(), "it"),
            many => (format!("{many} lines are"), "each"),
        };
        complain(&format!(
            "{these} not a URL: write {are} as scheme://host/path, or as a path that starts with '/'"
        ));
        Exit::BadInput
    } else if tally.no > 0 {
        Exit::No
    } else {
        Exit::Yes
    }
}
