//! The robots.txt that a command judges: a file, standard input, or one that is fetched.

use std::path::{Path, PathBuf};

use robots::{Crawler, FileKind, Origin, Outcome, OutcomeKind, Rules};

use crate::fault::{Fault, complain};
use crate::input;
#[cfg(feature = "live")]
use crate::live::Live;
#[cfg(feature = "live")]
use crate::urls::as_sent;

/// Where the robots.txt comes from.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Where {
    /// The robots.txt (`-`: standard input); with --live any URL of the site
    #[arg(value_name = "ROBOTS_TXT")]
    pub(crate) file: PathBuf,
    #[cfg(feature = "live")]
    #[command(flatten)]
    pub(crate) live: Live,
}

/// A robots.txt and how it was found.
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) body: Vec<u8>,
    /// Of a live fetch.
    pub(crate) outcome: Option<Outcome>,
}

impl Where {
    /// Returns the URL of a live fetch if a verdict on it is wanted: it has a path, or there is no other URL.
    #[cfg(feature = "live")]
    pub(crate) fn first_url(&self, is_only: bool) -> Option<String> {
        let url = input::site_url(self.file.to_str()?).ok()?;
        let (_, rest) = url.split_once("://")?;
        let start = rest.find(['/', '?', '\\']).unwrap_or(rest.len());
        let path = rest.get(start..).unwrap_or_default();
        let has_path = !matches!(path, "" | "/" | "/robots.txt");
        (self.live.live && (is_only || has_path)).then(|| as_sent(&url).into_owned())
    }

    /// Without live fetches no URL names a site.
    #[cfg(not(feature = "live"))]
    pub(crate) fn first_url(&self, _: bool) -> Option<String> {
        None
    }

    /// Whether standard input is used.
    pub(crate) fn is_standard_input(&self) -> bool {
        self.file.as_os_str() == input::STANDARD_INPUT
    }

    /// Reads or fetches the robots.txt. `most`: how many bytes of a file are read.
    pub(crate) fn load(&self, crawler: &Crawler, most: usize) -> Result<Subject, Fault> {
        #[cfg(feature = "live")]
        if self.live.live {
            let url = self
                .file
                .to_str()
                .ok_or_else(|| Fault::new("--live: the URL is not UTF-8"))?;
            let fetched = self.live.fetch(crawler, url)?;
            complain(&fetched.summary());
            warn_of_kind("the body", FileKind::detect(&fetched.body));
            return Ok(Subject {
                name: fetched.outcome.final_url.to_string(),
                body: fetched.body,
                outcome: Some(fetched.outcome),
            });
        }
        #[cfg(not(feature = "live"))]
        let _ = crawler;
        read(&self.file, most)
    }
}

/// Reads a robots.txt; a URL as its name says what to type.
pub(crate) fn read(path: &Path, most: usize) -> Result<Subject, Fault> {
    refuse_url(path)?;
    Ok(Subject {
        body: read_body(path, most)?,
        name: input::name(path),
        outcome: None,
    })
}

/// Reads a robots.txt for a command without --live. The rules of a compressed file are those of an unreachable site
/// (SPEC 4.4), and those of an address are an error (SPEC 4.7): both are refused.
pub(crate) fn read_body(path: &Path, most: usize) -> Result<Vec<u8>, Fault> {
    refuse_any_url(path)?;
    if path.starts_with("/") && !path.exists() {
        let path = input::shown(path);
        return Err(Fault::new(format!(
            "cannot read {path}: there is no such file; name the robots.txt first, then URLs or paths"
        )));
    }
    let body = input::read(path, most)?;
    let name = input::shown(path);
    if holds_expectations(&body) {
        return Err(Fault::new(format!(
            "{name} holds expectations of `robots test`, not a robots.txt: name the robots.txt that they are about"
        )));
    }
    if body.is_empty() && path.as_os_str() == input::STANDARD_INPUT {
        return Err(Fault::new(
            "standard input is empty: the command before it may have failed; for an empty robots.txt give an empty file",
        ));
    }
    let kind = FileKind::detect(&body);
    let next = match kind {
        FileKind::Gzip | FileKind::Compressed => Some("unpack it first"),
        FileKind::Address => Some("give the file itself"),
        _ => None,
    };
    if let Some(next) = next {
        let what = kind.description();
        return Err(Fault::new(format!(
            "{name} is {what}, not a robots.txt: {next}"
        )));
    }
    warn_of_kind(&name, kind);
    Ok(body)
}

/// Returns whether a line is a user-agent line of a robots.txt. No expectation begins so.
pub(crate) fn names_agent(line: &[u8]) -> bool {
    const FIELD: &[u8] = b"user-agent";
    let (start, rest) = line.split_at(FIELD.len().min(line.len()));
    start.eq_ignore_ascii_case(FIELD) && rest.trim_ascii_start().starts_with(b":")
}

/// Returns whether a file has expectations, as `robots test` reads them, and no group.
fn holds_expectations(body: &[u8]) -> bool {
    let is_one = |line: &[u8]| {
        let words = std::str::from_utf8(line).unwrap_or_default();
        let words: Vec<&str> = words.split_whitespace().collect();
        match &*words {
            ["no", "error" | "errors" | "warning" | "warnings"] => true,
            [who, "unchanged"] => !who.ends_with(':'),
            [who, "allow" | "deny" | "changed", url] => {
                !who.ends_with(':') && (url.starts_with('/') || url.contains("://"))
            }
            _ => false,
        }
    };
    let lines = || body.split(|byte| *byte == b'\n');
    lines().any(is_one) && !lines().any(names_agent)
}

/// Says that a file is no robots.txt. Crawlers obey its valid lines all the same (SPEC 4.3).
fn warn_of_kind(name: &str, kind: FileKind) {
    let next = match kind {
        kind if kind.may_hold_rules() => return,
        FileKind::Gzip | FileKind::Compressed => "no line is understood",
        FileKind::Warc => "its valid lines count; `robots filter --robots` reads it",
        FileKind::HttpResponse => "its valid lines count; remove the header",
        FileKind::Utf16 => "no line is understood, so it allows everything; write it in UTF-8",
        _ => "its valid lines count; check what the server sent",
    };
    let what = kind.description();
    complain(&format!("{name} is {what}, not a robots.txt: {next}"));
}

/// Returns the site of a URL, if that is another than `site`. A path has any site, and text that is no URL has none.
pub(crate) fn other_site(site: &Origin, url: &[u8]) -> Option<Origin> {
    if url.starts_with(b"/") || site.governs(url) {
        return None;
    }
    Origin::from_url(url).ok()
}

/// Refuses a URL in place of a file, for a command with --live.
pub(crate) fn refuse_url(path: &Path) -> Result<(), Fault> {
    refuse_url_and(path, "add --live to fetch the robots.txt of its site")
}

/// Refuses a URL in place of a file, for a command without --live.
pub(crate) fn refuse_any_url(path: &Path) -> Result<(), Fault> {
    refuse_url_and(
        path,
        "save its robots.txt with `robots fetch -o FILE` and name the file",
    )
}

fn refuse_url_and(path: &Path, next: &str) -> Result<(), Fault> {
    let name = path.to_string_lossy();
    let is_url = ["http://", "https://"].iter().any(|scheme| {
        name.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    if !is_url || path.exists() {
        return Ok(());
    }
    let what = if cfg!(feature = "live") {
        next
    } else {
        "fetch its robots.txt and name the file"
    };
    Err(Fault::new(format!("{name} is a URL, not a file: {what}")))
}

impl Subject {
    /// Returns the robots.txt of a site that has none.
    pub(crate) fn without_file() -> Subject {
        Subject {
            name: String::new(),
            body: Vec::new(),
            outcome: None,
        }
    }

    /// Returns the rules for a crawler.
    pub(crate) fn rules(&self, crawler: &Crawler) -> Rules {
        match &self.outcome {
            // The file was compiled for the crawler that fetched it. An address that a server sent is a file without rules
            // (SPEC 4.7).
            Some(outcome)
                if outcome.kind != OutcomeKind::Rules
                    || FileKind::detect(&self.body) == FileKind::Address =>
            {
                outcome
                    .rules(0)
                    .cloned()
                    .unwrap_or_else(Rules::disallow_all)
            }
            _ => crawler.parse(&self.body),
        }
    }

    /// Returns why nothing can be said of the file: the site is unreachable, or the body was not received whole.
    pub(crate) fn outage(&self) -> Option<String> {
        let outcome = self.outcome.as_ref()?;
        if !matches!(outcome.kind, OutcomeKind::Defer | OutcomeKind::Unreachable) {
            return None;
        }
        let status = match outcome.http_status {
            0 => "no response".to_owned(),
            200 => "status 200, but the body is not whole or not readable".to_owned(),
            status => status.to_string(),
        };
        Some(format!(
            "the robots.txt of {} cannot be fetched ({status}): nothing was checked",
            outcome.origin.key()
        ))
    }

    /// Returns the site of a live fetch: its rules decide for no other.
    pub(crate) fn site(&self) -> Option<Origin> {
        Some(self.outcome.as_ref()?.origin.clone())
    }

    /// Returns the file whose lines speak of use: none of them if the site has no file; `None` if nobody knows them.
    pub(crate) fn statements(&self) -> Option<&[u8]> {
        match self.outcome.as_ref().map(|outcome| outcome.kind) {
            None | Some(OutcomeKind::Rules) => Some(&self.body),
            Some(OutcomeKind::AllowAll) => Some(b""),
            Some(_) => None,
        }
    }

    /// Whether there is a file whose lines decide.
    pub(crate) fn has_file(&self) -> bool {
        self.outcome
            .as_ref()
            .is_none_or(|outcome| outcome.kind == OutcomeKind::Rules)
    }
}
