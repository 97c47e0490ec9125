//! The cases of `tests/data/section-13-uses.jsonl`: what a page may be used for (SPEC 13).
//!
//! A line of that file is a case: the robots.txt (`null`: it is not known), the `url`, `headers` and `metas` of the page (`page` is
//! false if they are not known), and `tdm`, the tdmrep.json (`null`: it is not known). `crawler` is a well-known crawler or a token,
//! `dialect` and `options` are its own. `expect` has the answer and the deciding signal of each purpose; the others are unstated, with
//! no signal that decides. `signals` has all signals of a purpose, in order.

use robots::api::crawler_options;
use robots::{Crawler, Error, PageControls, Purpose, Use, UseSource, Uses};
use serde_json::Value;
use std::collections::BTreeMap;

/// The site of the cases.
pub const SITE: &str = "https://a.example/";

/// The purposes of the cases, by their words.
pub const PURPOSES: [(&str, Purpose); 6] = [
    ("search", Purpose::Search),
    ("ai_search", Purpose::AiSearch),
    ("training", Purpose::Training),
    ("user_request", Purpose::UserRequest),
    ("archive", Purpose::Archive),
    ("other", Purpose::Other),
];

/// A case, and where it is.
pub struct Case {
    pub place: String,
    pub fields: Value,
}

/// Returns the cases.
pub fn read() -> Vec<Case> {
    let text = include_str!("../data/section-13-uses.jsonl");
    let case = |(number, line): (usize, &str)| {
        let fields: Value = serde_json::from_str(line).unwrap();
        let (rows, name) = (&fields["rows"], fields["name"].as_str().unwrap());
        let place = format!("section-13-uses.jsonl:{}: SPEC {rows}: {name}", number + 1);
        Case { place, fields }
    };
    text.lines().enumerate().map(case).collect()
}

impl Case {
    pub fn rows(&self) -> Vec<&str> {
        let rows = self.fields["rows"].as_array().unwrap();
        rows.iter().map(|row| row.as_str().unwrap()).collect()
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.fields[name].as_str()
    }

    /// Returns the names and values of `headers` or `metas`.
    pub fn pairs(&self, name: &str) -> Vec<[&str; 2]> {
        let pairs = self.fields[name].as_array().into_iter().flatten();
        pairs
            .map(|pair| [0, 1].map(|at| pair[at].as_str().unwrap()))
            .collect()
    }

    pub fn knows_page(&self) -> bool {
        self.fields["page"] != Value::Bool(false)
    }

    /// Returns the tdmrep.json: empty if it is not known; `None` if there is none.
    pub fn tdm_file(&self) -> Option<&str> {
        let tdm = self.fields.get("tdm")?;
        Some(tdm.as_str().unwrap_or_default())
    }

    pub fn crawler(&self) -> Crawler {
        let name = self.text("crawler").unwrap_or("ExampleBot");
        let mut crawler = Crawler::preset(name)
            .or_else(|_| Crawler::new(name))
            .unwrap();
        let of = |name: &str| {
            let mut rows = crawler_options();
            rows.find(|row| row.name == format!("ROBOTS_OPT_{}", name.to_uppercase()))
                .unwrap()
                .number
        };
        let options = self.fields["options"].as_object().into_iter().flatten();
        for (name, value) in options {
            let number = of(name);
            crawler = crawler
                .with_option(number, value.as_u64().unwrap())
                .unwrap();
        }
        crawler
    }

    /// Returns the options of the crawler that are not those of every crawler, by their words.
    pub fn options(&self) -> Vec<(String, u64)> {
        let (crawler, plain) = (self.crawler(), Crawler::new("ExampleBot").unwrap());
        let own = crawler_options().filter_map(|row| {
            let value = crawler.option(row.number).unwrap();
            let word = row.name.strip_prefix("ROBOTS_OPT_").unwrap().to_lowercase();
            (plain.option(row.number) != Some(value)).then_some((word, value))
        });
        own.filter(|(word, _)| word != "dialect").collect()
    }

    pub fn dialect(&self) -> &'static str {
        let crawler = self.crawler();
        let dialect = crawler_options().find(|row| row.name == "ROBOTS_OPT_DIALECT");
        let number = crawler.option(dialect.unwrap().number).unwrap();
        ["rfc9309", "google", "koster1996"][number as usize]
    }
}

/// The preferences (SPEC 9.4, 9.5) for a URL, of lines and headers: for each vocabulary (whether it is that of content-signal) and
/// label what is said, `n`, `y` or `?`, and its line. Of several, `n` wins, then `y`, then the first line.
pub type Preferences = BTreeMap<(bool, Vec<u8>), (char, u32)>;

/// Collects the preferences among the signals of the purposes that labels are about. A signal with a known label must say what its
/// text says, and any other one nothing.
pub fn preferences(
    uses: &Uses,
    url: &[u8],
    page: Option<&PageControls>,
) -> Result<Preferences, Error> {
    let mut all = Preferences::new();
    for purpose in [Purpose::Search, Purpose::AiSearch, Purpose::Training] {
        let answer = uses.use_for(url, purpose, page)?;
        for signal in answer.signals() {
            let is_signal = match signal.source {
                UseSource::ContentSignalLine | UseSource::ContentSignalHeader => true,
                UseSource::ContentUsageLine | UseSource::ContentUsageHeader => false,
                _ => continue,
            };
            let equals = signal.text.iter().position(|byte| *byte == b'=');
            let (label, value) = signal.text.split_at(equals.unwrap_or(signal.text.len()));
            let value = value.get(1..).unwrap_or_default();
            let (label, value) = match is_signal {
                true => (
                    label.trim_ascii().to_ascii_lowercase(),
                    value.trim_ascii().to_ascii_lowercase(),
                ),
                false => (label.to_vec(), value.to_vec()),
            };
            let [no, yes]: [&[u8]; 2] = if is_signal {
                [b"no", b"yes"]
            } else {
                [b"n", b"y"]
            };
            let said = match &*value {
                value if value == no => 'n',
                value if value == yes => 'y',
                _ => '?',
            };
            let known: &[&[u8]] = match is_signal {
                true => &[b"search", b"ai-input", b"ai-train"],
                false => &[b"search", b"train-ai"],
            };
            let says = match said {
                'n' if known.contains(&&*label) => Use::Denied,
                'y' if known.contains(&&*label) => Use::Allowed,
                _ => Use::Unstated,
            };
            assert_eq!(signal.says, says, "{signal:?}");
            let rank = |said| "ny?".find(said);
            let kept = all.entry((is_signal, label)).or_insert((said, signal.line));
            if (rank(said), signal.line) < (rank(kept.0), kept.1) {
                *kept = (said, signal.line);
            }
        }
    }
    Ok(all)
}

/// The preferences of the header `Content-Usage`.
pub fn of_header(value: &[u8]) -> Preferences {
    let crawler = Crawler::new("ExampleBot").unwrap();
    let uses = Uses::new(&crawler, None, Some("")).unwrap();
    let mut page = PageControls::new(&crawler);
    page.add_header("Content-Usage", value).unwrap();
    preferences(&uses, SITE.as_bytes(), Some(&page)).unwrap()
}
