//! What a robots.txt says about a URL for one purpose: verdicts, preferences, policy tokens, licenses, and their contradictions.

use std::fmt::Write as _;

use robots::{
    Choice, Crawler, ExtensionField, Extensions, LineKind, Preset, Purpose, Rules, Vocabulary,
};
use serde::Serialize;

use crate::crawler::How;
use crate::fault::Fault;
use crate::file_groups::{FileGroups, kind_name};
use crate::screen::{lossy, safe};
use crate::subject::Subject;
use crate::verdict::deciding_line;

/// A purpose: its name, its crawlers, and its labels in the two vocabularies.
struct Topic {
    name: &'static str,
    crawlers: Purpose,
    labels: &'static [(Vocabulary, &'static str)],
}

const TOPICS: [Topic; 4] = [
    Topic {
        name: "search",
        crawlers: Purpose::Search,
        labels: &[
            (Vocabulary::ContentSignal, "search"),
            (Vocabulary::ContentUsage, "search"),
        ],
    },
    Topic {
        name: "AI input",
        crawlers: Purpose::AiSearch,
        labels: &[(Vocabulary::ContentSignal, "ai-input")],
    },
    Topic {
        name: "training",
        crawlers: Purpose::Training,
        labels: &[
            (Vocabulary::ContentSignal, "ai-train"),
            (Vocabulary::ContentUsage, "train-ai"),
        ],
    },
    // Such as ChatGPT-User: a model answers a user with the page.
    Topic {
        name: "user request",
        crawlers: Purpose::UserRequest,
        labels: &[(Vocabulary::ContentSignal, "ai-input")],
    },
];

/// The most licenses of a crawler: a hostile file has ten thousands.
const MOST_LICENSES: usize = 20;

/// A crawler, or a policy token that the file names, with what it reads.
struct Reader {
    name: &'static str,
    rules: Rules,
    extensions: Extensions,
}

/// The readers of one purpose.
struct Readers {
    topic: &'static Topic,
    crawlers: Vec<Reader>,
    tokens: Vec<Reader>,
}

/// A robots.txt as the crawlers of each purpose read it.
pub(crate) struct Uses {
    purposes: Vec<Readers>,
    /// The rules, by line.
    rules: Vec<(u32, String)>,
}

/// What holds for some of the crawlers of a purpose, and the line that decides; 0: none does.
#[derive(Serialize, PartialEq)]
struct Entry {
    /// `allowed` or `disallowed`; `yes` or `no` of a preference; `license`.
    says: &'static str,
    line: u32,
    /// The text that decides.
    text: Option<String>,
    crawlers: Vec<String>,
}

/// The answer for a URL and a purpose, and a line of JSON after `bindings/cli/schema/policy.json`.
#[derive(Serialize)]
pub(crate) struct Answer<'a> {
    file: &'a str,
    url: &'a str,
    purpose: &'static str,
    verdicts: Vec<Entry>,
    preferences: Vec<Entry>,
    policy_tokens: Vec<Entry>,
    licenses: Vec<Entry>,
    contradictions: Vec<String>,
    /// The crawlers of this purpose whose operators say that they may ignore the file for a user, and that they ignore it.
    may_ignore: Vec<&'static str>,
    ignores: Vec<&'static str>,
}

impl Uses {
    pub(crate) fn of(how: &How, subject: &Subject, outline: &FileGroups) -> Result<Uses, Fault> {
        let mut purposes = Vec::new();
        for topic in &TOPICS {
            let mut crawlers = Vec::new();
            let presets = Preset::all().filter(|preset| {
                preset.purpose() == topic.crawlers && !preset.ignores_robots_txt()
            });
            for preset in presets {
                crawlers.push(Reader::of(preset.name(), &how.known(preset)?, subject)?);
            }
            let mut tokens = Vec::new();
            // Every policy token that is known stands for training (SPEC 9.8).
            let known = robots::policy_tokens().filter(|_| topic.crawlers == Purpose::Training);
            for token in known {
                let crawler = how.crawler(&[token])?;
                let own = crawler.clone().with_ignore_star(true);
                if subject.has_file() && own.parse(&subject.body).about().has_group {
                    tokens.push(Reader::of(token, &crawler, subject)?);
                }
            }
            purposes.push(Readers {
                topic,
                crawlers,
                tokens,
            });
        }
        let rules = outline.groups.iter().flatten();
        let rules = rules
            .filter(|line| matches!(line.kind, LineKind::Allow | LineKind::Disallow))
            .map(|line| {
                let value = lossy(outline.value(line));
                (line.number, format!("{}: {value}", kind_name(line.kind)))
            });
        Ok(Uses {
            purposes,
            rules: rules.collect(),
        })
    }

    /// Returns the answer for each purpose.
    ///
    /// # Errors
    /// If `url` is no URL.
    pub(crate) fn answers<'a>(
        &self,
        file: &'a str,
        url: &'a str,
    ) -> Result<Vec<Answer<'a>>, robots::Error> {
        let purposes = self.purposes.iter();
        purposes
            .map(|readers| self.answer(readers, file, url))
            .collect()
    }

    fn answer<'a>(
        &self,
        readers: &Readers,
        file: &'a str,
        url: &'a str,
    ) -> Result<Answer<'a>, robots::Error> {
        let mut answer = Answer {
            file,
            url,
            purpose: readers.topic.name,
            verdicts: Vec::new(),
            preferences: Vec::new(),
            policy_tokens: Vec::new(),
            licenses: Vec::new(),
            contradictions: Vec::new(),
            may_ignore: Vec::new(),
            ignores: Vec::new(),
        };
        let is_of_topic = |it: &Preset| it.purpose() == readers.topic.crawlers;
        for preset in Preset::all().filter(is_of_topic) {
            match (preset.ignores_robots_txt(), preset.may_ignore()) {
                (true, _) => answer.ignores.push(preset.name()),
                (false, true) => answer.may_ignore.push(preset.name()),
                (false, false) => {}
            }
        }
        for reader in &readers.crawlers {
            self.add_verdict(&mut answer.verdicts, reader, url)?;
            let preferences = reader.extensions.preferences(url)?;
            for preference in preferences.iter() {
                let label = readers.topic.labels.iter().find(|(vocabulary, label)| {
                    *vocabulary == preference.vocabulary && label.as_bytes() == preference.label
                });
                let says = match preference.choice {
                    Choice::Yes => "yes",
                    Choice::No => "no",
                    Choice::Unknown => continue,
                };
                if let Some((vocabulary, label)) = label {
                    let field = match vocabulary {
                        Vocabulary::ContentUsage => "content-usage",
                        _ => "content-signal",
                    };
                    let text = Some(format!("{field} {label}"));
                    add(
                        &mut answer.preferences,
                        says,
                        preference.line,
                        text,
                        reader.name,
                    );
                }
            }
            let licenses = reader.extensions.lines();
            let licenses = licenses.filter(|line| line.field == ExtensionField::License);
            for line in licenses.take(MOST_LICENSES) {
                let text = Some(lossy(line.value));
                add(
                    &mut answer.licenses,
                    "license",
                    line.line,
                    text,
                    reader.name,
                );
            }
        }
        for reader in &readers.tokens {
            self.add_verdict(&mut answer.policy_tokens, reader, url)?;
        }
        answer.contradictions = answer.find_contradictions();
        Ok(answer)
    }

    fn add_verdict(
        &self,
        entries: &mut Vec<Entry>,
        reader: &Reader,
        url: &str,
    ) -> Result<(), robots::Error> {
        let verdict = reader.rules.check(url);
        if let Some(error) = verdict.error() {
            return Err(error);
        }
        let says = if verdict.allowed() {
            "allowed"
        } else {
            "disallowed"
        };
        let line = deciding_line(verdict).unwrap_or_default();
        let place = self.rules.binary_search_by_key(&line, |rule| rule.0);
        let rule = place.ok().and_then(|at| self.rules.get(at));
        let text = rule.map(|(_, text)| text.clone());
        add(entries, says, line, text, reader.name);
        Ok(())
    }
}

impl Reader {
    fn of(name: &'static str, crawler: &Crawler, subject: &Subject) -> Result<Reader, Fault> {
        // The body of an answer that is not a robots.txt says nothing.
        let body: &[u8] = if subject.has_file() {
            &subject.body
        } else {
            b""
        };
        let extensions = Extensions::parse(crawler, body);
        Ok(Reader {
            name,
            rules: subject.rules(crawler),
            extensions: extensions.map_err(|error| Fault::new(error.to_string()))?,
        })
    }
}

/// Adds a crawler to the entry that says the same, or a new entry.
fn add(
    entries: &mut Vec<Entry>,
    says: &'static str,
    line: u32,
    text: Option<String>,
    crawler: &str,
) {
    let same = |entry: &&mut Entry| entry.says == says && entry.line == line && entry.text == text;
    match entries.iter_mut().find(same) {
        Some(entry) => entry.crawlers.push(crawler.to_owned()),
        None => entries.push(Entry {
            says,
            line,
            text,
            crawlers: vec![crawler.to_owned()],
        }),
    }
}

impl Answer<'_> {
    /// Returns what one line forbids and another permits, for the same crawler.
    fn find_contradictions(&self) -> Vec<String> {
        let mut found = Vec::new();
        let allowed: Vec<&str> = self
            .verdicts
            .iter()
            .filter(|entry| entry.says == "allowed")
            .flat_map(|entry| entry.crawlers.iter().map(String::as_str))
            .collect();
        let nos = self.preferences.iter().filter(|entry| entry.says == "no");
        for no in nos.clone() {
            let text = no.shown_text();
            // A URL that is disallowed has no preferences, so all of these may fetch it.
            let who = no.crawlers.join(", ");
            found.push(format!(
                "line {} says no ({text}), but {who} may fetch it",
                no.line
            ));
            for yes in self.preferences.iter().filter(|entry| entry.says == "yes") {
                if yes.crawlers.iter().any(|name| no.crawlers.contains(name)) {
                    let (line, text) = (yes.line, yes.shown_text());
                    found.push(format!(
                        "line {} says no, but line {line} says yes ({text})",
                        no.line
                    ));
                }
            }
        }
        for token in &self.policy_tokens {
            let name = token.crawlers.join(", ");
            if token.says == "disallowed" && !allowed.is_empty() {
                let who = allowed.join(", ");
                found.push(format!(
                    "line {} disallows it to {name}, but {who} may fetch it",
                    token.line
                ));
            }
            for no in nos.clone().filter(|_| token.says == "allowed") {
                found.push(format!("line {} says no, but {name} allows it", no.line));
            }
        }
        found
    }

    /// Returns the rows of the answer as text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let mut purpose = self.purpose;
        let mut row = |says: &str, rest: &str| {
            let _ = writeln!(text, "{purpose:12}  {says:13}  {rest}");
            purpose = "";
        };
        let entries = [
            &self.verdicts,
            &self.preferences,
            &self.policy_tokens,
            &self.licenses,
        ];
        for entry in entries.into_iter().flatten() {
            let who = entry.crawlers.join(", ");
            let by = match entry.line {
                0 => "no rule matches".to_owned(),
                line => format!("line {line}: {}", entry.shown_text()),
            };
            row(entry.says, &format!("{by} ({who})"));
        }
        for (says, names) in [("may ignore", &self.may_ignore), ("ignores", &self.ignores)] {
            if !names.is_empty() {
                row(
                    says,
                    &format!("the operator says so ({})", names.join(", ")),
                );
            }
        }
        for contradiction in &self.contradictions {
            row("contradiction", contradiction);
        }
        text
    }
}

impl Entry {
    fn shown_text(&self) -> String {
        safe(self.text.as_deref().unwrap_or_default().as_bytes()).into_owned()
    }
}
