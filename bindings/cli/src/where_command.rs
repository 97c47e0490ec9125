//! `robots where`: which robots.txt governs a URL, without a request (SPEC 1).

use robots::{Origin, Reason, Rules};
use serde::Serialize;

use crate::fault::{Exit, Fault, complain};
use crate::input;
use crate::screen::{self, Shown, safe};

/// Show which robots.txt governs a URL; sends no request
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots where https://www.example.com:8080/a/page
  robots where https://example.com/robots.txt https://example.com/a/robots.txt

A robots.txt governs the URLs of its own scheme, host and port, and no others. It is at the top
level of the site. Crawlers always fetch it to read their rules: no robots.txt governs it. Only
Google applies its rules to itself, as to a page. `example.com` means https://example.com.

Exit status: 0 done; 2 something is no URL of a site.")]
pub(crate) struct Args {
    /// The URLs
    #[arg(value_name = "URL", required = true)]
    urls: Vec<String>,
    #[command(flatten)]
    shown: Shown,
}

#[derive(Serialize)]
struct JsonPlace<'u> {
    url: &'u str,
    /// `None`: it is a robots.txt.
    governed_by: Option<String>,
    site: String,
    note: Option<&'static str>,
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    let mut exit = Exit::Yes;
    let mut text = String::new();
    for given in &args.urls {
        let found = input::site_url(given).and_then(|url| {
            let origin = Origin::from_url(&url);
            origin
                .map(|origin| (url, origin))
                .map_err(|error| Fault::new(format!("{given}: {error}")))
        });
        let (url, site) = match found {
            Ok(found) => found,
            Err(Fault::Said(why)) => {
                complain(&why);
                exit = Exit::BadInput;
                continue;
            }
            Err(other) => return Err(other),
        };
        let place = JsonPlace::of(given, &url, &site);
        if args.shown.json {
            screen::push_json_line(&mut text, &place)?;
            continue;
        }
        let url = safe(given.as_bytes());
        let said = match &place.governed_by {
            Some(file) => format!("{file}  governs {url}"),
            None => format!("{url}  is the robots.txt of {}", place.site),
        };
        let note = place.note.map_or(String::new(), |note| format!("; {note}"));
        text.push_str(&format!("{said}{note}\n"));
    }
    args.shown.print(text)?;
    Ok(exit)
}

impl<'u> JsonPlace<'u> {
    fn of(given: &'u str, url: &str, site: &Origin) -> JsonPlace<'u> {
        // Every file allows the robots.txt itself, also one that disallows all (SPEC 8.9).
        let is_file = Rules::disallow_all().check(url).reason() == Reason::RobotsTxt;
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let is_named_so = path.to_ascii_lowercase().ends_with("/robots.txt");
        JsonPlace {
            url: given,
            governed_by: (!is_file).then(|| site.robots_url()),
            site: site.key().to_owned(),
            note: match (is_file, is_named_so) {
                (true, _) => Some(
                    "crawlers always fetch it to read their rules, and no robots.txt governs it; only Google applies its rules to itself, as to a page",
                ),
                (_, true) => Some(
                    "it is no robots.txt itself: crawlers read only /robots.txt, in lower case and without a query, at the top level",
                ),
                _ => None,
            },
        }
    }
}
