//! `robots explain`: the reasons for a verdict.

pub(crate) mod page_controls;
#[cfg(feature = "live")]
mod page_request;
mod plain;

use std::path::PathBuf;

use robots::{Explanation, Matched, Other, Preset, Quote};
use serde::Serialize;

use crate::crawler::{Named, Who};
use crate::fault::{Exit, Fault, complain};
use crate::file_groups::warn_of_strangers;
#[cfg(feature = "live")]
use crate::live::Live;
use crate::screen::{self, Shown, lossy, safe};
use crate::subject::{self, Where};
use crate::urls::as_sent;
use crate::verdict::line_number;
use crate::words::{dialect_name, reason_name, result_name};
use page_controls::{Page, Sight};
#[cfg(feature = "live")]
use page_request::PageRequest;

/// Explain why a crawler may fetch a URL or not
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots explain -a ExampleBot robots.txt https://example.com/private/open
  robots explain -a Googlebot-Image,Googlebot robots.txt /img/logo.png
  robots explain -a ExampleBot --json robots.txt /private/ | jq '.rules[0].text'
  robots explain -a ClaudeBot --plain --live https://example.com/private/
  robots explain -a ExampleBot --header 'X-Robots-Tag: noindex, max-snippet: 20'
  robots explain -a ExampleBot --meta 'robots: noindex' robots.txt /old/
  robots explain -a ExampleBot --live --page https://example.com/

The output shows the canonical path, the user-agent lines obeyed, every matching rule by priority
with the reason why it wins or loses, and the verdicts of the other dialects.

With --header or --meta it shows what the crawler may do with the response, and which value decides.
A page that the robots.txt disallows cannot show its noindex: give the URL, too, to be warned.
With --live --page the headers are those of the page itself: X-Robots-Tag and Robots-Tag. A page
that is not allowed is not requested, and redirects are not followed. `robots use` says what the
page may be used for.

Exit status: 0 all are allowed; 1 some are not, or the page may not be indexed or its links not
followed; 2 bad input or usage, or with --live a URL of another site; 3 the site is unreachable,
or the page does not answer or was not read whole.")]
pub(crate) struct Args {
    #[command(flatten)]
    who: Who,
    /// The robots.txt (`-`: standard input); with --live any URL of the site
    #[arg(value_name = "ROBOTS_TXT", required_unless_present_any = ["headers", "metas"])]
    file: Option<PathBuf>,
    /// The URLs, or paths that start with `/`; with --live those of this site, and the first URL counts, too, if it has a path
    /// or is the only one; other characters than ASCII, and blanks, are explained as clients send them, as escapes such as `%20`
    #[arg(value_name = "URL")]
    urls: Vec<String>,
    /// Write three sentences for the owner of the site: what holds, why, what changes it
    #[arg(long, conflicts_with = "json")]
    plain: bool,
    #[command(flatten)]
    page: Page,
    #[cfg(feature = "live")]
    #[command(flatten)]
    live: Live,
    #[cfg(feature = "live")]
    #[command(flatten)]
    request: PageRequest,
    #[command(flatten)]
    shown: Shown,
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    let Named { name, crawler } = args.who.crawler()?;
    let page = match args.page.is_empty() {
        true => None,
        false => Some(args.page.read(&crawler)?),
    };
    let page_exit = page.as_ref().map_or(Exit::Yes, page_controls::exit);
    let is_noindex = page.as_ref().is_some_and(|page| !page.may_index());
    let Some(file) = args.file else {
        if let Some(page) = &page {
            page_controls::print(page, Sight::All, args.shown)?;
        }
        return Ok(page_exit);
    };
    let place = Where {
        file,
        #[cfg(feature = "live")]
        live: args.live,
    };
    let subject = place.load(&crawler, args.who.how.worth_reading())?;
    let first = place.first_url(args.urls.is_empty());
    let urls: Vec<String> = first
        .into_iter()
        .chain(args.urls.iter().map(|url| as_sent(url).into_owned()))
        .collect();
    if urls.is_empty() {
        return Err(Fault::new(
            "the URL is missing: robots explain -a TOKEN ROBOTS_TXT URL",
        ));
    }
    warn_of_strangers(
        &args.who,
        [&crawler].into_iter(),
        std::slice::from_ref(&subject),
        &urls,
    )?;
    let site = subject.site();
    // The rules of one site do not decide for another.
    let is_foreign = |url: &str| {
        let site = site.as_ref();
        let site = site.filter(|site| subject::other_site(site, url.as_bytes()).is_some());
        if let Some(site) = site {
            complain(&format!(
                "{} is not a URL of {}: run the command once for each site",
                safe(url.as_bytes()),
                site.key()
            ));
        }
        site.is_some()
    };
    if let Some(page) = &page {
        let rules = subject.rules(&crawler);
        // A crawler that may fetch none of the pages sees no header and no element.
        let sight = match urls.iter().any(|url| rules.is_allowed(url)) {
            true => Sight::All,
            false => Sight::NotSeen,
        };
        page_controls::print(page, sight, args.shown)?;
    }
    #[cfg(feature = "live")]
    let request = |url: &str, is_allowed: bool| {
        let (live, shown) = (&place.live, args.shown);
        args.request
            .explain(live, &subject, &crawler, url, is_allowed, shown)
    };
    #[cfg(not(feature = "live"))]
    let request = |_: &str, _: bool| Ok::<_, Fault>(Exit::Yes);
    let mut exit = page_exit;
    if !subject.has_file() {
        let rules = subject.rules(&crawler);
        // An outage is no ban.
        let not_allowed = match subject.outage() {
            Some(_) => Exit::Unreachable,
            None => Exit::No,
        };
        for url in &urls {
            if is_foreign(url) {
                exit = exit.max(Exit::BadInput).max(request(url, false)?);
                continue;
            }
            let verdict = rules.check(url);
            if let Some(error) = verdict.error() {
                complain(&format!("{}: {error}", safe(url.as_bytes())));
                exit = Exit::BadInput;
                continue;
            }
            let is_allowed = verdict.allowed();
            exit = exit.max(if is_allowed { Exit::Yes } else { not_allowed });
            exit = exit.max(request(url, is_allowed)?);
        }
        return Ok(exit);
    }
    let mut is_later = false;
    for url in &urls {
        if is_foreign(url) {
            exit = exit.max(Exit::BadInput).max(request(url, false)?);
            continue;
        }
        let why = match robots::explain(&crawler, &subject.body, url) {
            Ok(why) => why,
            Err(error) => {
                complain(&format!("{}: {error}", safe(url.as_bytes())));
                exit = Exit::BadInput;
                continue;
            }
        };
        if !why.verdict.allowed() {
            exit = exit.max(Exit::No);
            let purpose = Preset::find(&name).map(|preset| preset.purpose());
            if is_noindex && purpose.is_none_or(plain::is_of_an_index) {
                complain(&format!(
                    "{name} may not fetch {}, so it never reads the noindex: allow the page to keep it out of the index",
                    safe(url.as_bytes())
                ));
            }
        }
        let mut text = String::new();
        if args.shown.json {
            screen::push_json_line(&mut text, &JsonExplanation::of(&subject.name, &why))?;
        } else {
            if std::mem::replace(&mut is_later, true) {
                text.push('\n');
            }
            text.push_str(&if args.plain {
                plain::sentences(&args.who.how, &why, &subject, &crawler, &name, is_noindex)?
            } else if args.shown.is_coloured() {
                coloured(&why)
            } else {
                why.to_string()
            });
        }
        args.shown.print(text)?;
        exit = exit.max(request(url, why.verdict.allowed())?);
    }
    Ok(exit)
}

/// Colours the keys: green for allowed, red for disallowed, yellow for a dialect that differs.
fn coloured(why: &Explanation) -> String {
    const KEY: usize = 10;
    let verdict = if why.verdict.allowed() {
        "1;32"
    } else {
        "1;31"
    };
    let mut text = String::new();
    for (index, line) in why.to_string().lines().enumerate() {
        let (key, rest) = line.split_at_checked(KEY).unwrap_or((line, ""));
        let escape = match index {
            0 => verdict,
            _ if differs(why, key) => "1;33",
            _ => "1;34",
        };
        text.push_str(&format!("\x1b[{escape}m{key}\x1b[0m{rest}\n"));
    }
    text
}

/// Whether this is the row of a dialect that differs.
fn differs(why: &Explanation, key: &str) -> bool {
    let other = why
        .others
        .iter()
        .find(|other| dialect_name(other.dialect) == key.trim_start());
    other.is_some_and(|other| other.verdict.allowed() != why.verdict.allowed())
}

#[derive(Serialize)]
struct JsonExplanation<'e> {
    file: &'e str,
    url: String,
    allowed: bool,
    reason: &'static str,
    line: u32,
    dialect: &'static str,
    path: String,
    token: Option<String>,
    agents: Vec<JsonQuote>,
    rule_count: usize,
    rules: Vec<JsonRule>,
    others: Vec<JsonOther>,
}

#[derive(Serialize)]
struct JsonQuote {
    line: u32,
    text: String,
}

#[derive(Serialize)]
struct JsonRule {
    line: u32,
    text: String,
    allow: bool,
    path: String,
    pattern: String,
    length: usize,
    result: &'static str,
}

#[derive(Serialize)]
struct JsonOther {
    dialect: &'static str,
    allowed: bool,
    reason: &'static str,
    line: u32,
    error: Option<String>,
}

impl<'e> JsonExplanation<'e> {
    fn of(file: &'e str, why: &Explanation) -> JsonExplanation<'e> {
        JsonExplanation {
            file,
            url: lossy(&why.url),
            allowed: why.verdict.allowed(),
            reason: reason_name(why.verdict.reason()),
            line: line_number(why.verdict),
            dialect: dialect_name(why.dialect()),
            path: lossy(&why.path),
            token: why.token.as_deref().map(lossy),
            agents: why.agents.iter().map(JsonQuote::of).collect(),
            rule_count: why.rule_count,
            rules: why.matched.iter().map(JsonRule::of).collect(),
            others: why.others.iter().map(JsonOther::of).collect(),
        }
    }
}

impl JsonQuote {
    fn of(quote: &Quote) -> JsonQuote {
        JsonQuote {
            line: quote.line,
            text: lossy(&quote.text),
        }
    }
}

impl JsonRule {
    fn of(rule: &Matched) -> JsonRule {
        JsonRule {
            line: rule.quote.line,
            text: lossy(&rule.quote.text),
            allow: rule.allow,
            path: lossy(rule.path()),
            pattern: lossy(&rule.pattern),
            length: rule.pattern.len(),
            result: result_name(rule.result),
        }
    }
}

impl JsonOther {
    fn of(other: &Other) -> JsonOther {
        let verdict = other.verdict;
        JsonOther {
            dialect: dialect_name(other.dialect),
            allowed: verdict.allowed(),
            reason: reason_name(verdict.reason()),
            line: line_number(verdict),
            error: verdict.error().map(|error| error.to_string()),
        }
    }
}
