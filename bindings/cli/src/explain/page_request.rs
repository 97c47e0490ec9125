//! `robots explain --live --page`: what a crawler may do with the response to a request of the page.

use robots::{Crawler, OutcomeKind};
use serde::Serialize;

use super::page_controls::{self, JsonPage, Sight};
use crate::fault::{Exit, Fault};
use crate::live::{Elements, Live, Meta, PageResponse};
use crate::screen::{self, Shown, lossy, safe};
use crate::subject::Subject;

/// The option --page.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct PageRequest {
    /// Also request each allowed URL, once, and explain the headers of its response and the robots elements of an HTML page
    #[arg(long, requires = "live", conflicts_with_all = ["headers", "metas"], help_heading = "Live")]
    page: bool,
}

impl PageRequest {
    /// Requests the page if it was asked for and is allowed, and explains the headers and elements of the response.
    pub(crate) fn explain(
        self,
        live: &Live,
        subject: &Subject,
        crawler: &Crawler,
        url: &str,
        is_allowed: bool,
        shown: Shown,
    ) -> Result<Exit, Fault> {
        let outcome = match &subject.outcome {
            Some(outcome) if self.page => outcome,
            _ => return Ok(Exit::Yes),
        };
        let full = match url.starts_with('/') {
            true => format!("{}{url}", outcome.origin.key()),
            false => url.to_owned(),
        };
        let mut exit = Exit::No;
        let mut controls = None;
        let mut response = PageResponse::default();
        let mut sight = Sight::All;
        if !outcome.origin.governs(&full) {
            exit = Exit::BadInput;
            response.failure = Some(format!("not a URL of {}", outcome.origin.key()));
        } else if !is_allowed {
            let why = match outcome.kind {
                OutcomeKind::Defer | OutcomeKind::Unreachable => "not allowed for now",
                _ => "not allowed by the robots.txt",
            };
            response.failure = Some(why.to_owned());
        } else {
            response = live.request_page(crawler, &full)?;
            if response.is_requested {
                exit = Exit::Unreachable;
            }
            if let Some(page) = response.controls(crawler)? {
                response.metas.retain(|meta| names(crawler, &meta.name));
                response.headers.retain(|(name, _)| SHOWN.contains(name));
                exit = page_controls::exit(&page);
                if matches!(response.elements, Elements::NotRead(_)) {
                    sight = Sight::Partly;
                    if matches!(response.status, Some(200..=299)) && exit == Exit::Yes {
                        exit = Exit::Unreachable;
                    }
                }
                controls = Some(page);
            }
        }
        let mut text = String::new();
        if shown.json {
            let line = JsonRequestedPage {
                page: JsonResponse::of(&full, &response),
                controls: JsonPage::of(controls.as_ref(), sight),
            };
            screen::push_json_line(&mut text, &line)?;
        } else {
            text = report(&full, &response);
            if let Some(page) = &controls {
                text.push_str(&page_controls::report(page, sight));
            }
            if subject.has_file() {
                text.insert(0, '\n');
            }
        }
        shown.print(text)?;
        Ok(exit)
    }
}

/// The headers that controls come from; `robots use` answers by the others.
const SHOWN: [&str; 2] = ["X-Robots-Tag", "Robots-Tag"];

fn report(url: &str, response: &PageResponse) -> String {
    let mut text = String::new();
    let mut row = |name: &str, value: &str| {
        text.push_str(&format!("{name:<17}  {}\n", safe(value.as_bytes())));
    };
    row("page", url);
    let failure = response.failure.as_deref().unwrap_or_default();
    let Some(status) = response.status else {
        let what = match response.is_requested {
            true => "no response",
            false => "not requested",
        };
        row("response", &format!("{what}: {failure}"));
        return text;
    };
    match &response.location {
        Some(location) => row(
            "response",
            &format!(
                "status {status}, redirect to {}: not followed",
                safe(location)
            ),
        ),
        None => row("response", &format!("status {status}")),
    }
    for (name, value) in &response.headers {
        row("header", &format!("{name}: {}", safe(value)));
    }
    if response.headers.is_empty() {
        row("header", "no X-Robots-Tag or Robots-Tag");
    }
    for Meta { name, content } in &response.metas {
        row("meta", &format!("{}: {}", safe(name), safe(content)));
    }
    match &response.elements {
        Elements::Read if response.metas.is_empty() => row("meta", "none for this crawler"),
        Elements::Read => {}
        Elements::None(kind) => row("meta", &format!("none: {kind} is no HTML page")),
        Elements::NotRead(why) if response.metas.is_empty() => {
            row("meta", &format!("not read: {why}"));
        }
        Elements::NotRead(why) => row("meta", &format!("the rest is not read: {why}")),
    }
    text
}

/// Returns whether an element with this name is for the crawler (SPEC 9.6).
fn names(crawler: &Crawler, name: &[u8]) -> bool {
    let name = name.trim_ascii();
    let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
    is(b"robots") || is(b"*") || crawler.tokens().any(is)
}

#[derive(Serialize)]
struct JsonRequestedPage<'r> {
    page: JsonResponse<'r>,
    #[serde(flatten)]
    controls: JsonPage,
}

#[derive(Serialize)]
struct JsonResponse<'r> {
    url: &'r str,
    requested: bool,
    status: Option<u16>,
    failure: Option<&'r str>,
    location: Option<String>,
    headers: Vec<JsonHeader>,
    metas: Vec<JsonMeta>,
    metas_not_read: Option<&'r str>,
}

#[derive(Serialize)]
struct JsonHeader {
    name: &'static str,
    value: String,
}

#[derive(Serialize)]
struct JsonMeta {
    name: String,
    content: String,
}

impl<'r> JsonResponse<'r> {
    fn of(url: &'r str, response: &'r PageResponse) -> JsonResponse<'r> {
        JsonResponse {
            url,
            requested: response.is_requested,
            status: response.status,
            failure: response.failure.as_deref(),
            location: response.location.as_deref().map(lossy),
            headers: response
                .headers
                .iter()
                .map(|(name, value)| JsonHeader {
                    name,
                    value: lossy(value),
                })
                .collect(),
            metas: response
                .metas
                .iter()
                .map(|meta| JsonMeta {
                    name: lossy(&meta.name),
                    content: lossy(&meta.content),
                })
                .collect(),
            metas_not_read: match &response.elements {
                Elements::NotRead(why) => Some(why),
                Elements::Read | Elements::None(_) => None,
            },
        }
    }
}
