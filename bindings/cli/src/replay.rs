//! `robots replay`: decides receipts again from the files that they were made from (SPEC 13.7).

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use robots::{Crawler, Error, Origin, PageControls, Purpose, Uses};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::crawler::crawler_of_options;
use crate::fault::{Exit, Fault, complain};
use crate::input;
use crate::screen::{self, Shown, safe};
use crate::uses::{MOST_OF_FILE, uses_of};

/// Decide receipts of `robots use` again, from the stored files
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots replay --files files/ receipts.jsonl
  zcat receipts.jsonl.gz | robots replay --files files/ -

Each receipt is decided again from the robots.txt and the tdmrep.json that it names by their
SHA-256; --files names them, or folders with them, under any names. What the page said is taken from
the receipt: it is the crawler's own word. A receipt that is not the same is printed with its line,
its URL and what is wrong: `changed` if its own digest does not fit, `lost` if a file is not among
those of --files, and `differs` with the members that are decided otherwise.

A digest shows that a byte of a line changed. It does not show who wrote the line, nor that a line
was removed: sign the file of receipts, or store its digest elsewhere, if others must trust it.

Exit status: 0 all are the same; 1 some are not; 2 some lines are no receipts, a file cannot be
read, or bad usage.")]
pub(crate) struct Args {
    /// The files of receipts (`-`: standard input)
    #[arg(value_name = "RECEIPTS", required = true)]
    receipts: Vec<PathBuf>,
    /// A stored robots.txt or tdmrep.json, or a folder of them; may be repeated
    #[arg(long, value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    shown: Shown,
}

/// The longest receipt: hostile files make long ones.
const LONGEST: u64 = 256 << 20;

/// How many answers of sites are kept for later receipts.
const MOST_SITES: usize = 1_000;

/// A receipt, as the library writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Receipt {
    receipt: u32,
    url: String,
    purpose: String,
    fetched_at: u64,
    crawler: Map<String, Value>,
    robots: Option<String>,
    tdmrep: Option<String>,
    #[serde(rename = "verdict")]
    _verdict: String,
    #[serde(rename = "line")]
    _line: u32,
    page: String,
    #[serde(rename = "use")]
    _use: String,
    signals: Vec<Signal>,
    #[serde(rename = "sha256")]
    _sha256: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Signal {
    source: String,
    says: String,
    #[serde(rename = "line")]
    _line: Option<u32>,
    #[serde(rename = "token")]
    _token: Option<String>,
    text: String,
}

/// What is wrong with a receipt.
enum Wrong {
    /// It is no receipt.
    Unread(String),
    Changed,
    Lost(String),
    Differs(String),
}

/// A line of JSON after `bindings/cli/schema/replay.json`.
#[derive(Serialize)]
struct JsonLine<'r> {
    file: &'r str,
    line: u64,
    url: &'r str,
    finding: &'static str,
    detail: &'r str,
}

impl JsonLine<'_> {
    fn shown(&self, is_json: bool) -> Result<String, Fault> {
        let mut text = String::new();
        if is_json {
            screen::push_json_line(&mut text, self)?;
            return Ok(text);
        }
        let (file, url) = (safe(self.file.as_bytes()), safe(self.url.as_bytes()));
        let gap = if url.is_empty() { "" } else { ": " };
        let _ = write!(text, "{file}:{}: {url}{gap}{}", self.line, self.finding);
        if !self.detail.is_empty() {
            let _ = write!(text, ": {}", self.detail);
        }
        text.push('\n');
        Ok(text)
    }
}

/// The last line of JSON.
#[derive(Serialize)]
struct JsonCounts {
    receipts: u64,
    same: u64,
}

/// How many receipts ended how.
#[derive(Default)]
struct Counts {
    same: u64,
    wrong: u64,
    unread: u64,
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    let mut replay = Replay {
        files: files_of(&args.files)?,
        sites: HashMap::new(),
    };
    let mut counts = Counts::default();
    for path in &args.receipts {
        let (source, _) = input::open(path)?;
        let mut source = BufReader::with_capacity(1 << 16, source);
        let mut number = 0_u64;
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = (&mut source).take(LONGEST).read_until(b'\n', &mut line);
            let read = read.map_err(|error| input::cannot_read(path, &error))?;
            if read == 0 {
                break;
            }
            number += 1;
            if read as u64 == LONGEST {
                return Err(Fault::new(format!(
                    "{}:{number}: a line of more than 256 MiB is no receipt",
                    input::shown(path)
                )));
            }
            let text = line.trim_ascii();
            if text.is_empty() {
                continue;
            }
            let (url, wrong) = match replay.decide(text) {
                Ok(()) => {
                    counts.same += 1;
                    continue;
                }
                Err(found) => found,
            };
            let file = input::name(path);
            let (finding, detail) = match wrong {
                Wrong::Unread(why) => {
                    counts.unread += 1;
                    let place = format!("{}:{number}", input::shown(path));
                    let (url, why) = (safe(url.as_bytes()), safe(why.as_bytes()));
                    let gap = if url.is_empty() { "" } else { ": " };
                    complain(&format!("{place}: {url}{gap}no receipt: {why}"));
                    continue;
                }
                Wrong::Changed => ("changed", String::new()),
                Wrong::Lost(what) => ("lost", what),
                Wrong::Differs(what) => ("differs", what),
            };
            counts.wrong += 1;
            let line = JsonLine {
                file: &file,
                line: number,
                url: &url,
                finding,
                detail: &detail,
            };
            args.shown.print(line.shown(args.shown.json)?)?;
        }
    }
    let (receipts, same) = (counts.same + counts.wrong, counts.same);
    let mut text = String::new();
    match args.shown.json {
        true => screen::push_json_line(&mut text, &JsonCounts { receipts, same })?,
        false => {
            let _ = writeln!(
                text,
                "{receipts} receipts: {same} the same, {} not",
                counts.wrong
            );
        }
    }
    args.shown.print(text)?;
    Ok(match counts {
        Counts { unread: 1.., .. } => Exit::BadInput,
        Counts { wrong: 1.., .. } => Exit::No,
        Counts { same: 0, .. } => {
            complain("there is no receipt: nothing was decided again");
            Exit::BadInput
        }
        _ => Exit::Yes,
    })
}

/// Returns the regular files that paths name or hold, by their digests. Links to folders are not followed.
fn files_of(paths: &[PathBuf]) -> Result<HashMap<String, PathBuf>, Fault> {
    let mut files = HashMap::new();
    let mut waiting: Vec<(PathBuf, bool)> = paths.iter().map(|path| (path.clone(), true)).collect();
    while let Some((path, is_named)) = waiting.pop() {
        let about = fs::metadata(&path);
        let about = about.map_err(|error| input::cannot_read(&path, &error))?;
        if about.is_dir() && (is_named || !path.is_symlink()) {
            let entries = fs::read_dir(&path);
            let entries = entries.map_err(|error| input::cannot_read(&path, &error))?;
            for entry in entries {
                let entry = entry.map_err(|error| input::cannot_read(&path, &error))?;
                waiting.push((entry.path(), false));
            }
        } else if about.is_file() {
            files.insert(input::digest(&whole(&path)?), path);
        } else if is_named {
            let path = input::shown(&path);
            return Err(Fault::new(format!(
                "cannot read {path}: it is no file; name the stored files or their folder"
            )));
        }
    }
    Ok(files)
}

fn whole(path: &Path) -> Result<Vec<u8>, Fault> {
    input::read(path, MOST_OF_FILE)
}

/// The files, and what their sites say.
struct Replay {
    files: HashMap<String, PathBuf>,
    /// By digests, crawler and site.
    sites: HashMap<String, (Crawler, Uses)>,
}

impl Replay {
    /// Decides a receipt again. After an error returns its URL and what is wrong.
    fn decide(&mut self, line: &[u8]) -> Result<(), (String, Wrong)> {
        let receipt: Receipt = serde_json::from_slice(line).map_err(|error| {
            let wrong = match is_whole(line) {
                Some(false) => Wrong::Changed,
                Some(true) | None => Wrong::Unread(error.to_string()),
            };
            (String::new(), wrong)
        })?;
        let url = receipt.url.clone();
        self.judge(line, &receipt).map_err(|wrong| (url, wrong))
    }

    fn judge(&mut self, line: &[u8], receipt: &Receipt) -> Result<(), Wrong> {
        let unread = |why: &str| Wrong::Unread(why.to_owned());
        if receipt.receipt != 1 {
            return Err(Wrong::Unread(format!(
                "version {} is not known",
                receipt.receipt
            )));
        }
        if is_whole(line) != Some(true) {
            return Err(Wrong::Changed);
        }
        let mut purposes = Purpose::ALL.into_iter();
        let purpose = purposes
            .find(|purpose| crate::words::purpose_name(*purpose) == receipt.purpose)
            .ok_or_else(|| unread("its purpose is not known"))?;
        let (crawler, uses) = self.uses(receipt)?;
        let page = match receipt.page.as_str() {
            "unknown" => None,
            "read" | "cut" => {
                Some(page_of(crawler, receipt).map_err(|error| Wrong::Unread(error.to_string()))?)
            }
            _ => return Err(unread("its word for the page is not known")),
        };
        let again = uses
            .receipt(&receipt.url, purpose, page.as_ref(), receipt.fetched_at)
            .map_err(|error| {
                let why = match error {
                    Error::Argument => "'fetched_at' is after the year 9999".to_owned(),
                    error => error.to_string(),
                };
                Wrong::Differs(format!("it cannot be decided: {why}"))
            })?;
        match again.as_bytes() == line {
            true => Ok(()),
            false => Err(Wrong::Differs(difference(line, &again))),
        }
    }

    /// Returns the crawler of a receipt, and what its site says.
    fn uses(&mut self, receipt: &Receipt) -> Result<(&Crawler, &Uses), Wrong> {
        let origin = Origin::from_url(&receipt.url)
            .map_err(|error| Wrong::Unread(format!("its URL: {error}")))?;
        let key = format!(
            "{:?} {:?} {} {}",
            receipt.robots,
            receipt.tdmrep,
            Value::Object(receipt.crawler.clone()),
            origin.key()
        );
        if self.sites.len() >= MOST_SITES && !self.sites.contains_key(&key) {
            self.sites.clear();
        }
        if !self.sites.contains_key(&key) {
            let crawler = crawler_of(&receipt.crawler)
                .map_err(|why| Wrong::Unread(format!("its crawler: {why}")))?;
            let body = self.file("robots.txt", receipt.robots.as_deref())?;
            let tdm_file = self.file("tdmrep.json", receipt.tdmrep.as_deref())?;
            let uses = uses_of(
                &crawler,
                Some(&origin),
                body.as_deref(),
                tdm_file.as_deref(),
            )
            .map_err(|_| Wrong::Lost("memory is short".to_owned()))?;
            self.sites.insert(key.clone(), (crawler, uses));
        }
        let found = self.sites.get(&key);
        found
            .map(|(crawler, uses)| (crawler, uses))
            .ok_or_else(|| Wrong::Lost("memory is short".to_owned()))
    }

    /// Returns the file with a digest; `None` without a digest.
    fn file(&self, name: &str, digest: Option<&str>) -> Result<Option<Vec<u8>>, Wrong> {
        let Some(digest) = digest else {
            return Ok(None);
        };
        if digest == input::digest(b"") {
            return Ok(Some(Vec::new()));
        }
        let lost = || {
            let digest = safe(digest.as_bytes());
            Wrong::Lost(format!(
                "no file of --files is its {name}, SHA-256 {digest}"
            ))
        };
        let path = self.files.get(digest).ok_or_else(lost)?;
        let file = whole(path).map_err(|_| lost())?;
        // It may have changed since it was listed.
        match input::digest(&file) == digest {
            true => Ok(Some(file)),
            false => Err(lost()),
        }
    }
}

/// Returns whether the last member of a line is the digest of all before it; `None` if the last member is no digest.
fn is_whole(line: &[u8]) -> Option<bool> {
    let (said, digest) = line.strip_suffix(b"\"}")?.split_last_chunk::<64>()?;
    let said = said.strip_suffix(b",\"sha256\":\"")?;
    Some(input::digest(said).as_bytes() == digest)
}

/// Returns the crawler that a receipt describes.
fn crawler_of(about: &Map<String, Value>) -> Result<Crawler, String> {
    let mut tokens = Vec::new();
    let mut options = Vec::new();
    for (name, value) in about {
        match (name.as_str(), value) {
            ("tokens", Value::Array(all)) => {
                for token in all {
                    tokens.push(token.as_str().ok_or("a token is no text")?);
                }
            }
            ("dialect", Value::String(name)) => {
                let dialects = robots::Dialect::ALL.into_iter();
                let mut named =
                    dialects.filter(|dialect| crate::words::dialect_name(*dialect) == name);
                let dialect = named.next().ok_or("its dialect is not known")?;
                options.push(("dialect", dialect as u64));
            }
            (name, Value::Number(number)) => {
                options.push((name, number.as_u64().ok_or("an option is no number")?));
            }
            (name, _) => return Err(format!("{name} is not known")),
        }
    }
    crawler_of_options(&tokens, &options)
}

/// Returns a page that says what the signals of a receipt say.
fn page_of(crawler: &Crawler, receipt: &Receipt) -> Result<PageControls, robots::Error> {
    let mut page = PageControls::new(crawler);
    // The members of a list in one header: several headers are joined with more than a comma, up to a bound.
    for (source, header) in [
        ("content_usage_header", "Content-Usage"),
        ("content_signal_header", "Content-Signal"),
    ] {
        let signals = receipt.signals.iter();
        let members = signals.filter(|signal| signal.source == source);
        let members: Vec<&str> = members.map(|signal| signal.text.as_str()).collect();
        if !members.is_empty() {
            page.add_header(header, members.join(","))?;
        }
    }
    for signal in &receipt.signals {
        let text = &signal.text;
        let (reservation, policy) = match signal.says.as_str() {
            "allowed" => ("0", None),
            "licensed" => ("1", Some(text.as_str())),
            // A policy that is no address: that of the file would be read otherwise.
            _ => ("1", Some("-")),
        };
        match signal.source.as_str() {
            "link_header" => page.add_header("Link", format!("<{text}>; rel=license"))?,
            "page_rule" => page.add_header("X-Robots-Tag", text)?,
            "tdm_header" => page.add_header("tdm-reservation", reservation)?,
            "tdm_meta" => page.add_meta("tdm-reservation", reservation)?,
            _ => {}
        }
        if let (true, Some(policy)) = (signal.source.starts_with("tdm_"), policy) {
            match signal.source.as_str() {
                "tdm_meta" => page.add_meta("tdm-policy", policy)?,
                _ => page.add_header("tdm-policy", policy)?,
            }
        }
    }
    if receipt.page == "cut" {
        // More than is kept: it adds no signal.
        page.add_header("Content-Signal", " ".repeat(1 << 15))?;
    }
    Ok(page)
}

/// Returns the members of a receipt that are decided otherwise, and what they are now.
fn difference(line: &[u8], again: &str) -> String {
    let read = |text: &[u8]| serde_json::from_slice::<Map<String, Value>>(text).unwrap_or_default();
    let (said, now) = (read(line), read(again.as_bytes()));
    let differs =
        |(name, value): &(&String, &Value)| said.get(*name) != Some(*value) && *name != "sha256";
    let parts = now.iter().filter(differs).map(|(name, value)| {
        let was = said.get(name).unwrap_or(&Value::Null);
        match name.as_str() {
            // A list is long.
            "signals" => "signals".to_owned(),
            _ => format!(
                "{name} was {}, is {}",
                safe(was.to_string().as_bytes()),
                value
            ),
        }
    });
    let parts: Vec<String> = parts.collect();
    match &*parts {
        [] => "its text is not as the library writes it".to_owned(),
        parts => parts.join("; "),
    }
}
