//! The URLs to check.

use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::column::{ListForm, Record};
use crate::fault::{Exit, Fault, complain};
use crate::input;
use crate::progress::Progress;
use crate::stream::{self, Manner, StreamFault, Tally, Work};

/// The URLs.
#[derive(Args, Debug)]
pub(crate) struct Urls {
    /// URLs, or paths that start with `/`; other characters than ASCII, and blanks, are checked as clients send them, as escapes
    /// such as `%20`
    #[arg(value_name = "URL")]
    urls: Vec<String>,
    #[command(flatten)]
    lists: Lists,
}

/// Lists of URLs, and how to read them.
#[derive(Args, Debug)]
pub(crate) struct Lists {
    /// Read URLs from this file, one per line, and check each as it is (`-`: standard input)
    #[arg(short = 'u', long = "urls", value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    form: ListForm,
    /// Number of threads [default: one per processor]
    #[arg(short = 'j', long, hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

impl Urls {
    /// Whether the command line gives no URLs and no files.
    pub(crate) fn is_empty(&self) -> bool {
        self.urls.is_empty() && self.lists.files.is_empty()
    }

    /// Returns the URLs of the command line.
    pub(crate) fn given(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.urls.iter().map(|url| as_sent(url))
    }

    /// Whether URLs are also read from files.
    pub(crate) fn has_lists(&self) -> bool {
        !self.lists.files.is_empty()
    }

    /// Returns the byte that ends a line.
    pub(crate) fn line_end(&self) -> u8 {
        self.lists.form.line_end()
    }

    /// Processes all URLs in order: those of the command line, then those of the files. `taken`: standard input is already
    /// in use.
    pub(crate) fn answer<W: Work>(&self, taken: bool, work: &W) -> Result<Tally, Fault> {
        let mut tally = Tally::default();
        let mut out = Vec::new();
        let mut memo = W::Memo::default();
        for url in &self.urls {
            let (line, url) = (url.as_bytes(), as_sent(url));
            let url = Some(url.as_bytes());
            work.line(&mut memo, Record { line, url }, &mut out, &mut tally);
        }
        crate::screen::print(out)?;
        if self.urls.is_empty() || !self.lists.files.is_empty() {
            tally.add(self.lists.answer(taken, work)?);
        }
        Ok(tally)
    }
}

impl Urls {
    /// Processes a single URL.
    pub(crate) fn answer_one<W: Work>(url: &str, work: &W) -> Result<Tally, Fault> {
        let (mut tally, mut out) = (Tally::default(), Vec::new());
        let line = url.as_bytes();
        let url = Some(line);
        work.line(
            &mut W::Memo::default(),
            Record { line, url },
            &mut out,
            &mut tally,
        );
        crate::screen::print(out)?;
        Ok(tally)
    }
}

impl Lists {
    /// Returns the byte that ends a line.
    pub(crate) fn line_end(&self) -> u8 {
        self.form.line_end()
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads.map_or_else(
            || std::thread::available_parallelism().map_or(1, usize::from),
            usize::from,
        )
    }

    /// Whether URLs are read from standard input.
    pub(crate) fn use_standard_input(&self) -> bool {
        let is_it = |path: &PathBuf| path.as_os_str() == input::STANDARD_INPUT;
        self.files.is_empty() || self.files.iter().any(is_it)
    }

    /// Processes the URLs of the files in order; without files those of standard input.
    pub(crate) fn answer(&self, taken: bool, work: &impl Work) -> Result<Tally, Fault> {
        let standard_input = [PathBuf::from(input::STANDARD_INPUT)];
        let files = match &*self.files {
            [] => &standard_input[..],
            files => files,
        };
        let is_standard_input = |path: &&PathBuf| path.as_os_str() == input::STANDARD_INPUT;
        if files.iter().filter(is_standard_input).count() + usize::from(taken) > 1 {
            return Err(Fault::new(
                "standard input can be used only once: give the URLs as arguments or with --urls FILE",
            ));
        }
        let mut tally = Tally::default();
        for (index, path) in files.iter().enumerate() {
            tally.add(self.stream(path, index == 0, work)?);
        }
        Ok(tally)
    }

    fn stream(&self, path: &Path, is_first: bool, work: &impl Work) -> Result<Tally, Fault> {
        let (source, size) = input::open(path)?;
        if path.as_os_str() == input::STANDARD_INPUT && io::stdin().is_terminal() {
            complain("reading URLs from the terminal, one per line; end with Ctrl-D");
        }
        let mut list = self.form.open(path, source)?;
        if is_first && work.passes_lines() {
            crate::screen::print(&list.header)?;
        }
        let manner = Manner {
            threads: self.threads(),
            layout: list.layout,
        };
        let mut progress = Progress::new(size, "URLs");
        stream::run(
            &mut *list.source,
            &mut io::stdout(),
            manner,
            &mut progress,
            work,
        )
        .map_err(|fault| match fault {
            StreamFault::Reading(error) => input::cannot_read(path, &error),
            StreamFault::Writing(error) => Fault::of_output(&error),
        })
    }
}

/// Returns a URL that a person typed as a client sends it. Bytes of the path that no URL may have become escapes, because Google's
/// matcher takes a URL as it is (SPEC 8.6 c).
pub(crate) fn as_sent(url: &str) -> Cow<'_, str> {
    let host = url.find("://").map_or(0, |at| at + 3);
    let rest = url.get(host..).unwrap_or_default();
    let path = host + rest.find(['/', '?']).unwrap_or(rest.len());
    let is_sent = |byte: u8| byte.is_ascii_graphic();
    // Text that is no URL stays as it is, so its error shows it.
    if host == 0 && path > 0 || url.bytes().skip(path).all(is_sent) {
        return Cow::Borrowed(url);
    }
    let mut sent = url.get(..path).unwrap_or_default().to_owned();
    for byte in url.bytes().skip(path) {
        match is_sent(byte) {
            true => sent.push(char::from(byte)),
            false => sent.push_str(&format!("%{byte:02X}")),
        }
    }
    Cow::Owned(sent)
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
