//! `robots fetch`: what a site answers for its robots.txt.

use std::path::{Path, PathBuf};

use robots::{Dialect, FileKind, OutcomeKind, limits::MIN_MAX_BYTES};
use serde::Serialize;

use crate::clock;
use crate::crawler::How;
use crate::fault::{Exit, Fault, complain};
use crate::input;
use crate::input::digest;
use crate::live::{Connection, Fetched, cause_text};
use crate::screen::{self, Shown, safe};
use crate::words::{cause_name, dialect_name, kind_name};

/// Fetch the robots.txt of sites and report what the answers mean
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots fetch example.com
  robots fetch --json https://example.com https://www.example.com/any/page
  robots fetch example.com -o robots.txt && robots lint robots.txt

Follows redirects as crawlers do, and reports the status, the age, the outcome, its cause and when
to ask again. Certificates are checked. An address that is not global is refused, also after a
redirect and for a name that resolves to one. Proxies are not used. `example.com` means
https://example.com.

Exit status: 0 there is an answer, also that there is no file; 2 bad input or usage, or a refused
address; 3 a site is unreachable.")]
pub(crate) struct Args {
    /// Any URL of the site, or its host
    #[arg(value_name = "SITE", required = true)]
    sites: Vec<String>,
    /// Write the body of the file (`-`: standard output, and nothing else there)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    shown: Shown,
    #[command(flatten)]
    connection: Connection,
    #[command(flatten)]
    how: How,
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    if args.output.is_some() && args.sites.len() > 1 {
        return Err(Fault::new("--output: give a single site"));
    }
    // Only the dialect and the options matter, not the token.
    let crawler = args.how.crawler(&["robots"])?;
    let mut exit = Exit::Yes;
    for (index, site) in args.sites.iter().enumerate() {
        let fetched = match args.connection.fetch(&crawler, site) {
            Ok(fetched) => fetched,
            Err(Fault::Said(text)) if args.sites.len() > 1 => {
                complain(&text);
                exit = Exit::BadInput;
                continue;
            }
            Err(fault) => return Err(fault),
        };
        let kind = fetched.outcome.kind;
        if matches!(kind, OutcomeKind::Defer | OutcomeKind::Unreachable) {
            exit = exit.max(Exit::Unreachable);
        }
        let mut text = String::new();
        if args.shown.json {
            screen::push_json_line(&mut text, &JsonFetch::of(&fetched))?;
        } else {
            text = report(&fetched, args.how.dialect(), args.shown.is_coloured());
            if index > 0 {
                text.insert(0, '\n');
            }
        }
        match &args.output {
            Some(path) if path.as_os_str() == input::STANDARD_INPUT => {
                complain(&fetched.summary());
                screen::print(&fetched.body)?;
                continue;
            }
            Some(path) => save(path, &fetched)?,
            None => {}
        }
        args.shown.print(text)?;
    }
    Ok(exit)
}

/// Writes the body of a robots.txt. What a site sends in place of one replaces no file.
fn save(path: &Path, fetched: &Fetched) -> Result<(), Fault> {
    let (name, kind) = (input::shown(path), FileKind::detect(&fetched.body));
    let said = match fetched.outcome.kind {
        OutcomeKind::Rules if kind.may_hold_rules() => {
            input::write(path, &fetched.body)?;
            format!("wrote {name}")
        }
        OutcomeKind::Rules => format!(
            "{name} stays as it is: the site sent {}, not a robots.txt",
            kind.description()
        ),
        _ => format!("{name} stays as it is: the site sent no robots.txt"),
    };
    complain(&said);
    Ok(())
}

fn report(fetched: &Fetched, dialect: Dialect, is_coloured: bool) -> String {
    let outcome = &fetched.outcome;
    let mut text = String::new();
    let mut row = |name: &str, value: &str| {
        text.push_str(&format!("{name:<8}  {value}\n"));
    };
    row("site", outcome.origin.key());
    for request in &fetched.requests {
        let answer = match (request.status, &request.failure) {
            (Some(status), None) => status.to_string(),
            (Some(status), Some(failure)) => format!("{status}, {failure}"),
            (None, failure) => failure.clone().unwrap_or_default(),
        };
        row(
            "request",
            &format!(
                "{}  {}",
                safe(request.url.as_bytes()),
                safe(answer.as_bytes())
            ),
        );
    }
    let means = match outcome.kind {
        OutcomeKind::Rules => "its rules decide",
        OutcomeKind::AllowAll => "every URL is allowed",
        OutcomeKind::DisallowAll => "no URL is allowed",
        OutcomeKind::Defer => "no URL is allowed for now: keep the URLs",
        OutcomeKind::Unreachable => "no URL is allowed for now: keep the URLs",
    };
    let escape = match outcome.kind {
        OutcomeKind::Rules | OutcomeKind::AllowAll => "32",
        OutcomeKind::DisallowAll => "31",
        OutcomeKind::Defer | OutcomeKind::Unreachable => "33",
    };
    let kind = screen::coloured(is_coloured, escape, kind_name(outcome.kind));
    row("outcome", &format!("{kind}: {means}"));
    row("cause", cause_text(outcome.cause));
    if outcome.downgraded {
        row(
            "warning",
            "a redirect leads from https to http, where others can change the file",
        );
    }
    if !fetched.body.is_empty() {
        let body = &fetched.body;
        row(
            "body",
            &format!("{} bytes, sha256 {}", body.len(), digest(body)),
        );
        if body.len() > MIN_MAX_BYTES {
            row(
                "warning",
                "crawlers need to read only the first 512,000 bytes",
            );
        }
    }
    if let Some(modified) = outcome.last_modified.as_deref() {
        row("modified", &safe(modified));
    }
    let in_seconds = |time: u64| match time.saturating_sub(fetched.now) {
        0 => clock::text(time),
        later => format!("{}, in {}", clock::text(time), clock::span(later)),
    };
    row("fetched", &clock::text(outcome.fetched_at));
    if outcome.kind == OutcomeKind::Rules {
        row(
            "fresh",
            &format!("until {}", in_seconds(outcome.fresh_until)),
        );
    }
    row("retry", &in_seconds(outcome.retry_at));
    if dialect != Dialect::Rfc9309 {
        row("dialect", dialect_name(dialect));
    }
    text
}

#[derive(Serialize)]
struct JsonFetch<'f> {
    site: &'f str,
    url: &'f str,
    status: u16,
    requests: Vec<JsonRequest<'f>>,
    outcome: &'static str,
    cause: &'static str,
    redirects: u8,
    downgraded: bool,
    body_length: usize,
    sha256: Option<String>,
    etag: Option<String>,
    last_modified: Option<String>,
    fetched_at: u64,
    fresh_until: u64,
    retry_at: u64,
}

#[derive(Serialize)]
struct JsonRequest<'f> {
    url: &'f str,
    status: Option<u16>,
    failure: Option<&'f str>,
}

impl JsonFetch<'_> {
    fn of(fetched: &Fetched) -> JsonFetch<'_> {
        let outcome = &fetched.outcome;
        JsonFetch {
            site: outcome.origin.key(),
            url: &outcome.final_url,
            status: outcome.http_status,
            requests: fetched
                .requests
                .iter()
                .map(|request| JsonRequest {
                    url: &request.url,
                    status: request.status,
                    failure: request.failure.as_deref(),
                })
                .collect(),
            outcome: kind_name(outcome.kind),
            cause: cause_name(outcome.cause),
            redirects: outcome.hops,
            downgraded: outcome.downgraded,
            body_length: fetched.body.len(),
            sha256: (!fetched.body.is_empty()).then(|| digest(&fetched.body)),
            etag: outcome.etag.as_deref().map(screen::lossy),
            last_modified: outcome.last_modified.as_deref().map(screen::lossy),
            fetched_at: outcome.fetched_at,
            fresh_until: outcome.fresh_until,
            retry_at: outcome.retry_at,
        }
    }
}
