//! `robots use`: whether pages may be used, for what, and who says so (SPEC 13).

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use robots::{Crawler, Origin, PageControls, Purpose, Use, Uses, parse_date};
use serde::Serialize;

use crate::clock;
use crate::crawler::{Named, Who};
use crate::explain::page_controls::Page;
use crate::fault::{Exit, Fault, complain};
use crate::input;
use crate::screen::{self, Shown, safe};
use crate::subject::{self, Subject, Where};
use crate::uses::{MOST_OF_FILE, MOST_SIGNALS, PURPOSES, Signal, TdmFile, uses_of};
use crate::words::use_name;

/// Say whether pages may be used: for search, AI search, training
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots use -a ExampleBot --purpose training --silent-page robots.txt https://example.com/tea
  robots use -a ExampleBot robots.txt /tea --header 'Content-Signal: ai-train=no'
  robots use -a ExampleBot --live --page https://example.com/tea
  robots use -a ExampleBot --outcome unreachable https://example.com/tea
  robots use -a ExampleBot --live --page --receipts --store files/ https://example.com/tea

The answer is denied; licensed: read the terms at the address that is shown; allowed; or unstated:
nobody says anything, or what was not read may say less, so your own policy decides. The most
restrictive statement counts: rules of the robots.txt, its lines Content-Signal, Content-Usage and
License, headers and elements of the page, and tdmrep.json. What else speaks of it follows as
`also`.

Without --header and --meta the page is not read, so no use is allowed; --silent-page says that it
was read, and has none of them. Without --tdmrep the site has no tdmrep.json. With --live --page
both are requested once; what is not answered counts as not read.

With --receipts each answer is a line of JSON with all that it was made from. --store keeps the
robots.txt and the tdmrep.json, from which `robots replay` decides it again.

Exit status: 0 every use is allowed; 1 some are not; 2 bad input or usage; 3 the site is
unreachable.")]
pub(crate) struct Args {
    #[command(flatten)]
    who: Who,
    #[command(flatten)]
    place: Where,
    /// The URLs of the pages, or paths that start with `/`; with --live the first URL counts, too
    #[arg(value_name = "URL")]
    urls: Vec<String>,
    /// What the page is wanted for: search, ai-search, training, user-request, archive; may be repeated [default: these]
    #[arg(long = "purpose", value_name = "PURPOSE")]
    purposes: Vec<String>,
    #[command(flatten)]
    page: Page,
    /// The page was read, and has no header and no element that speaks of its use
    #[arg(long, conflicts_with_all = ["headers", "metas"])]
    silent_page: bool,
    #[command(flatten)]
    tdm_file: TdmFile,
    /// There is no ROBOTS_TXT to read: the site has none, or is unreachable, as in an outage; URLs only
    #[cfg_attr(feature = "live", arg(conflicts_with = "live"))]
    #[arg(long, value_name = "OUTCOME")]
    outcome: Option<NoFile>,
    /// Write the receipt of each answer; the URLs are absolute
    #[arg(long, conflicts_with = "json")]
    receipts: bool,
    /// When the pages were fetched, as 2026-11-28T12:00:00Z, for the receipts [default: now]
    #[arg(long, value_name = "TIME", requires = "receipts")]
    fetched_at: Option<String>,
    /// Store the robots.txt and the tdmrep.json of the receipts in this folder, each under its SHA-256
    #[arg(long, value_name = "FOLDER", requires = "receipts")]
    store: Option<PathBuf>,
    #[cfg(feature = "live")]
    /// Also request each allowed URL and the tdmrep.json of the site, each once
    #[arg(long = "page", requires = "live", conflicts_with_all = ["headers", "metas", "tdmrep", "silent_page"], help_heading = "Live")]
    request_page: bool,
    #[command(flatten)]
    shown: Shown,
}

/// Why there is no robots.txt.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum NoFile {
    Missing,
    Unreachable,
}

/// What a page says, and whether its elements were not read whole.
struct PageSaid {
    controls: Option<PageControls>,
    is_cut: bool,
}

impl PageSaid {
    /// Returns the page of an answer: elements that were not read may say less than a yes.
    fn for_use(&self, uses: &Uses, url: &str, purpose: Purpose) -> Option<&PageControls> {
        let page = self.controls.as_ref()?;
        if !self.is_cut {
            return Some(page);
        }
        let answer = uses.use_for(url, purpose, Some(page)).ok()?;
        matches!(answer.says(), Use::Denied | Use::Licensed).then_some(page)
    }
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    let Named { crawler, .. } = args.who.crawler()?;
    let purposes = purposes(&args.purposes)?;
    let fetched_at = match &args.fetched_at {
        Some(text) => time(text)?,
        None => clock::now(),
    };
    let most = match args.receipts {
        true => MOST_OF_FILE,
        false => args.who.how.worth_reading(),
    };
    let (subject, first) = match args.outcome {
        Some(_) => {
            let url = args.place.file.to_string_lossy().into_owned();
            (Subject::without_file(), Some(url))
        }
        None => (
            args.place.load(&crawler, most)?,
            args.place.first_url(args.urls.is_empty()),
        ),
    };
    let is_unreachable = args.outcome == Some(NoFile::Unreachable);
    let statements = subject.statements().filter(|_| !is_unreachable);
    let urls: Vec<String> = first.into_iter().chain(args.urls.iter().cloned()).collect();
    if urls.is_empty() {
        return Err(Fault::new(
            "the URL is missing: robots use -a TOKEN ROBOTS_TXT URL",
        ));
    }
    // Without --live the first absolute URL says which site it is.
    let site = subject.site().or_else(|| {
        let mut sites = urls.iter().filter(|url| !url.starts_with('/'));
        sites.find_map(|url| Origin::from_url(url).ok())
    });
    let tdm_file = tdm_file(&args, &crawler, &subject, site.as_ref())?;
    let uses = uses_of(&crawler, site.as_ref(), statements, tdm_file.as_deref())?;
    if let Some(folder) = &args.store {
        for file in [statements, tdm_file.as_deref()] {
            store(folder, file.unwrap_or_default())?;
        }
    }
    let mut exit = match is_unreachable {
        true => Exit::Unreachable,
        false => Exit::Yes,
    };
    if let Some(why) = subject.outage() {
        complain(&why);
        exit = Exit::Unreachable;
    }
    let mut text = String::new();
    for url in &urls {
        let other = site
            .as_ref()
            .filter(|site| subject::other_site(site, url.as_bytes()).is_some());
        if let Some(site) = other {
            let url = safe(url.as_bytes());
            complain(&format!(
                "{url} is not a URL of {}: run the command once for each site",
                site.key()
            ));
            exit = exit.max(Exit::BadInput);
            continue;
        }
        let page = page_of(&args, &crawler, &subject, url)?;
        for purpose in &purposes {
            let page = page.for_use(&uses, url, *purpose);
            let says = match args.receipts {
                true => receipt(&uses, url, *purpose, page, fetched_at, &mut text),
                false => answer(&args, &uses, url, *purpose, page, &mut text)?,
            };
            match says {
                Ok(Use::Allowed) => {}
                Ok(_) => exit = exit.max(Exit::No),
                Err(why) => {
                    complain(&format!("{}: {why}", safe(url.as_bytes())));
                    exit = exit.max(Exit::BadInput);
                    break;
                }
            }
        }
    }
    args.shown.print(text)?;
    Ok(exit)
}

/// Stores a file under its digest, unless it is empty or there already.
fn store(folder: &Path, file: &[u8]) -> Result<(), Fault> {
    fs::create_dir_all(folder).map_err(|error| {
        let folder = input::shown(folder);
        Fault::new(format!("cannot make the folder {folder}: {error}"))
    })?;
    let path = folder.join(input::digest(file));
    if file.is_empty() || path.exists() {
        return Ok(());
    }
    input::write(&path, file)
}

/// Returns the purposes that are asked for.
fn purposes(words: &[String]) -> Result<Vec<Purpose>, Fault> {
    let mut all = Vec::new();
    for word in words.iter().flat_map(|words| words.split(',')) {
        let word = word.trim();
        let meant: Vec<Purpose> = Purpose::meant_by(word, false).collect();
        match &*meant {
            [] => {
                let near = Purpose::meant_by(word, true).next();
                let near = near.map(|near| format!("; did you mean {}?", near.word()));
                return Err(Fault::new(format!(
                    "--purpose {}: give search, ai-search, training, user-request or archive{}",
                    safe(word.as_bytes()),
                    near.unwrap_or_default()
                )));
            }
            meant => all.extend_from_slice(meant),
        }
    }
    Ok(if all.is_empty() {
        PURPOSES.to_vec()
    } else {
        all
    })
}

/// Returns a time in seconds since 1970.
fn time(text: &str) -> Result<u64, Fault> {
    let nanoseconds =
        parse_date(text).or_else(|| text.parse::<i128>().ok()?.checked_mul(1_000_000_000));
    let seconds = nanoseconds.and_then(|time| u64::try_from(time / 1_000_000_000).ok());
    seconds.ok_or_else(|| {
        Fault::new(format!(
            "--fetched-at {}: give a time such as 2026-11-28T12:00:00Z, or seconds since 1970",
            safe(text.as_bytes())
        ))
    })
}

/// Writes a receipt. Returns the answer, or why there is none.
fn receipt(
    uses: &Uses,
    url: &str,
    purpose: Purpose,
    page: Option<&PageControls>,
    fetched_at: u64,
    text: &mut String,
) -> Result<Use, String> {
    if url.starts_with('/') {
        return Err("a receipt needs the whole URL, such as https://example.com/tea".to_owned());
    }
    let says = uses.use_for(url, purpose, page).map(|answer| answer.says());
    let receipt = uses.receipt(url, purpose, page, fetched_at);
    let receipt = receipt.map_err(|error| error.to_string())?;
    text.push_str(&receipt);
    text.push('\n');
    says.map_err(|error| error.to_string())
}

/// Writes an answer. Returns it, or why there is none.
fn answer(
    args: &Args,
    uses: &Uses,
    url: &str,
    purpose: Purpose,
    page: Option<&PageControls>,
    text: &mut String,
) -> Result<Result<Use, String>, Fault> {
    let answer = match uses.use_for(url, purpose, page) {
        Ok(answer) => answer,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let signals = answer.signals().iter().take(MOST_SIGNALS);
    let signals: Vec<Signal> = signals.map(Signal::of).collect();
    let count = answer.signals().len();
    let is_decided = answer.decided_by().is_some();
    if args.shown.json {
        let line = JsonUse {
            url,
            purpose: purpose.word(),
            says: use_name(answer.says()),
            decided: is_decided,
            signals,
            signal_count: count,
        };
        screen::push_json_line(text, &line)?;
        return Ok(Ok(answer.says()));
    }
    let (says, purpose) = (use_name(answer.says()), purpose.word());
    let escape = match answer.says() {
        Use::Denied => "31",
        Use::Licensed | Use::Unstated => "33",
        Use::Allowed => "32",
    };
    let width = "unstated".len() - says.len();
    let says = screen::coloured(args.shown.is_coloured(), escape, says);
    let url = safe(url.as_bytes());
    let by = signals.first().filter(|_| is_decided).map(Signal::shown);
    let _ = writeln!(
        text,
        "{says}{:width$}  {purpose:12}  {url}{}",
        "",
        by.map_or(String::new(), |by| format!("  {by}"))
    );
    for signal in signals.iter().skip(usize::from(is_decided)) {
        let _ = writeln!(text, "          also {}: {}", signal.says, signal.shown());
    }
    if count > signals.len() {
        let _ = writeln!(text, "          and {} more", count - signals.len());
    }
    Ok(Ok(answer.says()))
}

/// A line of JSON after `bindings/cli/schema/use.json`.
#[derive(Serialize)]
struct JsonUse<'u> {
    url: &'u str,
    purpose: &'static str,
    says: &'static str,
    /// Whether the first signal decides.
    decided: bool,
    signals: Vec<Signal>,
    signal_count: usize,
}

/// Returns the tdmrep.json: of the option, or of the site with --page.
fn tdm_file(
    args: &Args,
    crawler: &Crawler,
    subject: &Subject,
    site: Option<&Origin>,
) -> Result<Option<Vec<u8>>, Fault> {
    #[cfg(feature = "live")]
    if let Some(site) = site.filter(|_| args.request_page) {
        let url = format!("{}/.well-known/tdmrep.json", site.key());
        if !subject.rules(crawler).is_allowed(&url) {
            complain(&format!(
                "{url} is not requested: the robots.txt does not allow it"
            ));
            return Ok(Some(Vec::new()));
        }
        // The library reads less of it (SPEC 13.4).
        let (file, why) = args.place.live.request_file(crawler, &url, 1 << 20)?;
        if let Some(why) = why {
            complain(&format!("{url} is not known: {why}"));
        }
        return Ok(file);
    }
    let _ = (crawler, subject, site);
    args.tdm_file.read()
}

/// Returns what the page says: of the options, or of its response with --page.
fn page_of(
    args: &Args,
    crawler: &Crawler,
    subject: &Subject,
    url: &str,
) -> Result<PageSaid, Fault> {
    #[cfg(feature = "live")]
    if args.request_page {
        let unknown = PageSaid {
            controls: None,
            is_cut: false,
        };
        if !subject.rules(crawler).is_allowed(url) {
            return Ok(unknown);
        }
        let full = match (url.starts_with('/'), subject.site()) {
            (true, Some(site)) => format!("{}{url}", site.key()),
            _ => url.to_owned(),
        };
        let response = args.place.live.request_page(crawler, &full)?;
        if let Some(why) = &response.failure {
            complain(&format!("{}: no response: {why}", safe(full.as_bytes())));
        }
        let not_read = match &response.elements {
            crate::live::Elements::NotRead(why) => Some(why),
            _ => None,
        };
        if let Some(why) = not_read {
            let full = safe(full.as_bytes());
            complain(&format!("{full}: its elements are not read: {why}"));
        }
        return Ok(PageSaid {
            controls: response.controls(crawler)?,
            is_cut: not_read.is_some(),
        });
    }
    let _ = (subject, url);
    let is_known = args.silent_page || !args.page.is_empty();
    let controls = is_known
        .then(|| args.page.read_strictly(crawler))
        .transpose()?;
    Ok(PageSaid {
        controls,
        is_cut: false,
    })
}
