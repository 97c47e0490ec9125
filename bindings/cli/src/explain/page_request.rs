//! `robots explain --live --page`: what a crawler may do with the response to a request of the page.

use robots::{Crawler, OutcomeKind, PageControls};
use serde::Serialize;

use super::page_controls::{self, JsonPage};
use crate::fault::{Exit, Fault};
use crate::live::{Live, PageResponse};
use crate::screen::{self, Shown, lossy, safe};
use crate::subject::Subject;

/// The option --page.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct PageRequest {
    /// Also request each allowed URL, once, and explain the headers of its response; HTML is not read: --meta alone
    /// explains robots elements
    #[arg(long, requires = "live", conflicts_with_all = ["headers", "metas"], help_heading = "Live")]
    page: bool,
}

impl PageRequest {
    /// Requests the page if it was asked for and is allowed, and explains the headers of the response.
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
            if response.status.is_some() {
                let mut page = PageControls::new(crawler);
                for (name, value) in &response.headers {
                    page.add_header(name, value)
                        .map_err(|error| Fault::new(format!("{full}: {error}")))?;
                }
                exit = page_controls::exit(&page);
                controls = Some(page);
            }
        }
        let mut text = String::new();
        if shown.json {
            let line = JsonRequestedPage {
                page: JsonResponse::of(&full, &response),
                controls: JsonPage::of(controls.as_ref()),
            };
            screen::push_json_line(&mut text, &line)?;
        } else {
            text = report(&full, &response);
            if let Some(page) = &controls {
                text.push_str(&page_controls::report(page));
            }
            if subject.has_file() {
                text.insert(0, '\n');
            }
        }
        shown.print(text)?;
        Ok(exit)
    }
}

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
        row("header", "no X-Robots-Tag, Robots-Tag or Content-Usage");
    }
    text
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
}

#[derive(Serialize)]
struct JsonHeader {
    name: &'static str,
    value: String,
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
        }
    }
}
