//! What `robots policy` and `robots use` share: purposes, signals, and the tdmrep.json of a site (SPEC 13).

use std::path::PathBuf;

use robots::{Crawler, Origin, Purpose, UseSignal, UseSource, Uses};
use serde::Serialize;

use crate::fault::Fault;
use crate::input;
use crate::screen::{lossy, safe};
use crate::words::use_name;

/// The most bytes of a stored file that are read, more than the library reads of any: a receipt has the digest of all of them.
pub(crate) const MOST_OF_FILE: usize = 1 << 30;

/// The option --tdmrep.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct TdmFile {
    /// The tdmrep.json of the site, which may reserve the rights to mine its pages; an empty file: it is not known
    #[arg(long, value_name = "FILE")]
    tdmrep: Option<PathBuf>,
}

impl TdmFile {
    pub(crate) fn is_given(&self) -> bool {
        self.tdmrep.is_some()
    }

    /// Returns the file; `None` if the site has none.
    pub(crate) fn read(&self) -> Result<Option<Vec<u8>>, Fault> {
        let path = self.tdmrep.as_ref();
        path.map(|path| input::read(path, MOST_OF_FILE)).transpose()
    }
}

/// Returns what a site says to a crawler. `body`: the robots.txt; `None` if it is not known. `tdm_file`: `None` if there is none.
pub(crate) fn uses_of(
    crawler: &Crawler,
    site: Option<&Origin>,
    body: Option<&[u8]>,
    tdm_file: Option<&[u8]>,
) -> Result<Uses, Fault> {
    let uses = Uses::new(crawler, site, body).and_then(|uses| match tdm_file {
        Some(json) => uses.with_tdm_file(json),
        None => Ok(uses),
    });
    uses.map_err(|error| Fault::new(error.to_string()))
}

/// The purposes that signals speak about.
pub(crate) const PURPOSES: [Purpose; 5] = [
    Purpose::Search,
    Purpose::AiSearch,
    Purpose::Training,
    Purpose::UserRequest,
    Purpose::Archive,
];

/// The most signals of an answer that are shown: a hostile file has ten thousands.
pub(crate) const MOST_SIGNALS: usize = 20;

/// A signal, as a line of JSON has it.
#[derive(Serialize, PartialEq)]
pub(crate) struct Signal {
    pub(crate) says: &'static str,
    source: &'static str,
    /// 0: no line of the robots.txt.
    line: u32,
    text: String,
    token: Option<&'static str>,
}

impl Signal {
    pub(crate) fn of(signal: &UseSignal<'_>) -> Signal {
        let source = match signal.source {
            UseSource::Rule => "rule",
            UseSource::TokenRule => "token rule",
            UseSource::ContentUsageLine => "Content-Usage",
            UseSource::ContentSignalLine => "Content-Signal",
            UseSource::LicenseLine => "License",
            UseSource::ContentUsageHeader => "Content-Usage header",
            UseSource::ContentSignalHeader => "Content-Signal header",
            UseSource::LinkHeader => "Link header",
            UseSource::PageRule => "page rule",
            UseSource::TdmHeader => "tdm-reservation header",
            UseSource::TdmMeta => "tdm-reservation element",
            UseSource::TdmFile => "tdmrep.json",
            // Later versions may add sources.
            _ => "not read",
        };
        Signal {
            says: use_name(signal.says),
            source,
            line: signal.line,
            text: lossy(signal.text),
            token: Some(signal.token).filter(|token| !token.is_empty()),
        }
    }

    /// Returns the signal as a row shows it: who says what. A rule forbids the fetch, and all else only asks.
    pub(crate) fn shown(&self) -> String {
        let verb = match (self.source, self.says) {
            ("not read", _) => "",
            ("rule", "denied") => " forbids the fetch",
            (_, "denied") => " asks not to",
            (_, "licensed") => " names terms",
            (_, "allowed") => " permits it",
            _ => "",
        };
        let place = match (self.line, self.source) {
            (0, "page rule") => format!("the page{verb}: "),
            (0, source) => format!("{source}{verb}: "),
            (line, "rule" | "token rule") => format!("line {line}{verb}: "),
            (line, source) => format!("line {line}{verb}: {source} "),
        };
        let token = self.token.map(|token| format!(" (for {token})"));
        let text = safe(self.text.as_bytes()).into_owned();
        format!("{place}{text}{}", token.unwrap_or_default())
    }
}
