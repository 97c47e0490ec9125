//! `robots explain --header`: what a crawler may do with a response.

use robots::{
    Control, Crawler, PageControls, PageRule, PageSource, Zone, near_page_rule, near_word,
};
use serde::Serialize;

use crate::clock;
use crate::crawler_names;
use crate::fault::{Exit, Fault, complain};
use crate::screen::{self, Shown, lossy, safe};

/// The headers and elements of a response.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Page {
    /// A header of the response, such as `X-Robots-Tag: noindex`; may be repeated
    #[arg(long = "header", value_name = "NAME: VALUE")]
    headers: Vec<String>,
    /// A `<meta>` element of the page, as name and content: `robots: noindex`; may be repeated
    #[arg(long = "meta", value_name = "NAME: CONTENT")]
    metas: Vec<String>,
}

impl Page {
    pub(crate) fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.metas.is_empty()
    }

    /// Returns the controls. Complains of a misspelt name.
    pub(crate) fn read(&self, crawler: &Crawler) -> Result<PageControls, Fault> {
        self.read_or(crawler, |said| {
            complain(&said);
            Ok(())
        })
    }

    /// Returns the controls. A misspelt name is an error: what it says would not restrict.
    pub(crate) fn read_strictly(&self, crawler: &Crawler) -> Result<PageControls, Fault> {
        self.read_or(crawler, |said| Err(Fault::new(said)))
    }

    fn read_or(
        &self,
        crawler: &Crawler,
        misspelt: impl Fn(String) -> Result<(), Fault>,
    ) -> Result<PageControls, Fault> {
        let mut page = PageControls::new(crawler);
        for header in &self.headers {
            let (name, value) = split("--header", header)?;
            doubt("--header", name, HEADERS.into_iter()).map_or(Ok(()), &misspelt)?;
            page.add_header(name, value)
                .map_err(|error| Fault::new(error.to_string()))?;
        }
        for meta in &self.metas {
            let (name, content) = split("--meta", meta)?;
            let tokens: Vec<String> = crawler.tokens().map(lossy).collect();
            let tokens = tokens.iter().map(String::as_str);
            let known = ["robots", "*", "tdm-reservation", "tdm-policy"];
            doubt("--meta", name, tokens.chain(known)).map_or(Ok(()), &misspelt)?;
            page.add_meta(name, content)
                .map_err(|error| Fault::new(error.to_string()))?;
        }
        Ok(page)
    }
}

/// How much of a response is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sight {
    All,
    /// Not all elements: others may restrict more.
    #[cfg(feature = "live")]
    Partly,
    /// Nothing by a crawler, because it may not fetch the page.
    NotSeen,
}

impl Sight {
    /// Returns the value of a control, or what is said in its place.
    fn value(self, page: &PageControls, control: Control) -> Result<i64, &'static str> {
        let value = page.get(control);
        match self {
            Sight::All => Ok(value),
            Sight::NotSeen => Err("not seen"),
            #[cfg(feature = "live")]
            Sight::Partly => {
                let is_limit = matches!(
                    control,
                    Control::MaxSnippet
                        | Control::MaxImagePreview
                        | Control::MaxVideoPreview
                        | Control::UnavailableAfter
                );
                let restricts = value == 0 || is_limit && value > 0;
                let is_found = page.decided_by(control).is_some();
                (is_found && restricts).then_some(value).ok_or("not read")
            }
        }
    }
}

/// Writes the controls of a page.
pub(crate) fn print(page: &PageControls, sight: Sight, shown: Shown) -> Result<(), Fault> {
    let mut text = String::new();
    match shown.json {
        true => screen::push_json_line(&mut text, &JsonPage::of(Some(page), sight))?,
        false => text = report(page, sight),
    }
    shown.print(text)
}

/// Returns No if the page may not be indexed, or its links not be followed.
pub(crate) fn exit(page: &PageControls) -> Exit {
    match page.may_index() && page.may_follow() {
        true => Exit::Yes,
        false => Exit::No,
    }
}

/// The headers that are read: the first two for controls, all for the answer of `robots use`.
pub(crate) const HEADERS: [&str; 7] = [
    "X-Robots-Tag",
    "Robots-Tag",
    "Content-Usage",
    "Content-Signal",
    "Link",
    "tdm-reservation",
    "tdm-policy",
];

/// Returns what is wrong with a name that is not one of `known`, so that what follows it does not count, if it is nearly one of them
/// or nearly that of a crawler.
fn doubt<'k>(
    option: &str,
    name: &str,
    known: impl Iterator<Item = &'k str> + Clone,
) -> Option<String> {
    let name = name.trim();
    if known.clone().any(|known| known.eq_ignore_ascii_case(name)) {
        return None;
    }
    let near = near_word(name.as_bytes(), &mut { known });
    let near = near.map(|near| format!("{} is nearly {near}: write {near}", safe(name.as_bytes())));
    let advice = || crawler_names::advice(name, &[]).map(|advice| advice.text);
    let said = near.or_else(advice)?;
    Some(format!("{option}: {said}"))
}

fn split<'t>(option: &str, text: &'t str) -> Result<(&'t str, &'t str), Fault> {
    text.split_once(':')
        .ok_or_else(|| Fault::new(format!("{option} '{text}': write it as NAME: VALUE")))
}

fn name(control: Control) -> &'static str {
    match control {
        Control::Index => "index",
        Control::Follow => "follow",
        Control::Archive => "archive",
        Control::Snippet => "snippet",
        Control::Translate => "translate",
        Control::ImageIndex => "image_index",
        Control::IndexIfEmbedded => "index_if_embedded",
        Control::MaxSnippet => "max_snippet",
        Control::MaxImagePreview => "max_image_preview",
        Control::MaxVideoPreview => "max_video_preview",
        Control::UnavailableAfter => "unavailable_after",
        // Later versions may add controls.
        _ => "other",
    }
}

fn value(control: Control, value: i64) -> String {
    match (control, value) {
        (Control::UnavailableAfter, -1) => "never".to_owned(),
        (Control::UnavailableAfter, time) => clock::text(time.unsigned_abs()),
        (Control::MaxSnippet | Control::MaxImagePreview | Control::MaxVideoPreview, -1) => {
            "no limit".to_owned()
        }
        (Control::MaxImagePreview, 0) => "none".to_owned(),
        (Control::MaxImagePreview, 1) => "standard".to_owned(),
        (Control::MaxImagePreview, _) => "large".to_owned(),
        (Control::MaxSnippet, count) => format!("{count} characters"),
        (Control::MaxVideoPreview, count) => format!("{count} seconds"),
        (_, 0) => "no".to_owned(),
        _ => "yes".to_owned(),
    }
}

fn place(rule: &PageRule) -> String {
    let source = match rule.source {
        PageSource::XRobotsTag => "X-Robots-Tag",
        PageSource::RobotsTag => "Robots-Tag",
        PageSource::Meta => "meta",
        // Later versions may add sources.
        _ => "other",
    };
    format!("{source} {}", rule.number)
}

/// Returns a row for each control and unknown rule.
pub(crate) fn report(page: &PageControls, sight: Sight) -> String {
    let mut text = String::new();
    for control in Control::ALL {
        let value = match sight.value(page, control) {
            Ok(number) => value(control, number),
            Err(word) => word.to_owned(),
        };
        let by = match page.decided_by(control) {
            None => "-".to_owned(),
            Some(rule) => {
                let agent = rule
                    .agent
                    .as_deref()
                    .map(|agent| format!("{}: ", safe(agent)));
                let zone = match rule.zone {
                    Zone::Known => "",
                    Zone::Missing => " (no time zone: read as UTC)",
                    Zone::Unknown => " (unknown time zone: read as UTC)",
                };
                let rule_text = safe(&rule.text);
                format!(
                    "{}: {}{rule_text}{zone}",
                    place(rule),
                    agent.unwrap_or_default()
                )
            }
        };
        text.push_str(&format!("{:<17}  {value:<13}  {by}\n", name(control)));
    }
    for rule in page.unknown() {
        text.push_str(&format!(
            "unknown            {}: {}{}\n",
            place(rule),
            safe(&rule.text),
            match near_page_rule(&rule.text) {
                Some(near) => format!("; write {near}, if that is meant"),
                None => String::new(),
            }
        ));
    }
    text
}

/// A line of JSON after `bindings/cli/schema/page.json`. `None`: there is no response.
#[derive(Serialize)]
pub(crate) struct JsonPage {
    /// `None`: there is no response.
    read: Option<Sight>,
    controls: Option<Vec<JsonControl>>,
    unknown: Option<Vec<String>>,
}

#[derive(Serialize)]
struct JsonControl {
    control: &'static str,
    /// `None`: not read or not seen.
    value: Option<i64>,
    rule: Option<String>,
    agent: Option<String>,
    place: Option<String>,
}

impl JsonPage {
    pub(crate) fn of(page: Option<&PageControls>, sight: Sight) -> JsonPage {
        JsonPage {
            read: page.map(|_| sight),
            controls: page.map(|page| {
                let all = Control::ALL.into_iter();
                all.map(|control| JsonControl::of(page, sight, control))
                    .collect()
            }),
            unknown: page.map(|page| page.unknown().map(|rule| lossy(&rule.text)).collect()),
        }
    }
}

impl JsonControl {
    fn of(page: &PageControls, sight: Sight, control: Control) -> JsonControl {
        let rule = page.decided_by(control);
        JsonControl {
            control: name(control),
            value: sight.value(page, control).ok(),
            rule: rule.map(|rule| lossy(&rule.text)),
            agent: rule.and_then(|rule| rule.agent.as_deref().map(lossy)),
            place: rule.map(place),
        }
    }
}
