//! What a robots.txt and a page say about the use of a URL, by purpose (SPEC 13).

use std::fmt::Write as _;

use robots::{Crawler, PageControls, Preset, Purpose, UseAnswer, Uses};
use serde::Serialize;

use crate::crawler::How;
use crate::crawler_names::EVERYONE_ELSE;
use crate::fault::Fault;
use crate::subject::Subject;
use crate::uses::{MOST_SIGNALS, PURPOSES, Signal, uses_of};
use crate::words::use_name;

/// What a site says to one crawler, and a page.
struct Reader {
    name: &'static str,
    uses: Uses,
    page: PageControls,
}

/// What a site and a page say to the crawlers of each purpose.
pub(super) struct Readers {
    /// Of the purposes in their order; the last of each is everyone else.
    by_purpose: Vec<(Purpose, Vec<Reader>)>,
}

/// The answer to some crawlers.
#[derive(Serialize)]
struct Answer {
    says: &'static str,
    /// The deciding one first.
    signals: Vec<Signal>,
    signal_count: usize,
    crawlers: Vec<&'static str>,
}

/// The answers for a URL and a purpose, and a line of JSON after `bindings/cli/schema/policy.json`.
#[derive(Serialize)]
pub(super) struct Answers<'a> {
    file: &'a str,
    url: &'a str,
    purpose: &'static str,
    answers: Vec<Answer>,
    /// The crawlers of this purpose whose operators say that they may ignore the file for a user, and that they ignore it.
    may_ignore: Vec<&'static str>,
    ignores: Vec<&'static str>,
}

impl Readers {
    /// `page`: returns what the page says to a crawler.
    pub(super) fn of(
        how: &How,
        subject: &Subject,
        page: impl Fn(&Crawler) -> Result<PageControls, Fault>,
        tdm_file: Option<&[u8]>,
    ) -> Result<Readers, Fault> {
        let site = subject.site();
        let reader = |name, crawler: Crawler| {
            Ok::<_, Fault>(Reader {
                name,
                uses: uses_of(&crawler, site.as_ref(), subject.statements(), tdm_file)?,
                page: page(&crawler)?,
            })
        };
        let mut by_purpose = Vec::new();
        for purpose in PURPOSES {
            let presets = Preset::all().filter(|it| it.purpose() == purpose);
            let mut readers = Vec::new();
            for preset in presets.filter(|preset| !preset.ignores_robots_txt()) {
                readers.push(reader(preset.name(), how.known(preset)?)?);
            }
            let anyone = how.crawler_in::<&str>(how.dialect(), &[])?;
            readers.push(reader(EVERYONE_ELSE, anyone)?);
            by_purpose.push((purpose, readers));
        }
        Ok(Readers { by_purpose })
    }

    /// Returns the answers for each purpose.
    ///
    /// # Errors
    /// If `url` is no URL of the site.
    pub(super) fn answers<'a>(
        &self,
        file: &'a str,
        url: &'a str,
    ) -> Result<Vec<Answers<'a>>, robots::Error> {
        let rows = self.by_purpose.iter();
        rows.map(|(purpose, readers)| {
            let mut answers = Vec::<Answer>::new();
            for reader in readers {
                let answer = reader.uses.use_for(url, *purpose, Some(&reader.page))?;
                let answer = Answer::of(&answer, reader.name);
                let same = |it: &&mut Answer| it.signals == answer.signals;
                match answers.iter_mut().find(same) {
                    Some(same) => same.crawlers.extend(answer.crawlers),
                    None => answers.push(answer),
                }
            }
            let presets = Preset::all().filter(|it| it.purpose() == *purpose);
            let names = |is: fn(&Preset) -> bool| presets.clone().filter(is).map(|it| it.name());
            Ok(Answers {
                file,
                url,
                purpose: purpose.name(),
                answers,
                may_ignore: names(|it| it.may_ignore() && !it.ignores_robots_txt()).collect(),
                ignores: names(Preset::ignores_robots_txt).collect(),
            })
        })
        .collect()
    }
}

impl Answer {
    fn of(answer: &UseAnswer<'_>, crawler: &'static str) -> Answer {
        let signals = answer.signals().iter();
        Answer {
            says: use_name(answer.says()),
            signals: signals.take(MOST_SIGNALS).map(Signal::of).collect(),
            signal_count: answer.signals().len(),
            crawlers: vec![crawler],
        }
    }
}

impl Answers<'_> {
    /// Returns the rows of the answers as text.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let mut purpose = self.purpose;
        let mut row = |says: &str, rest: &str| {
            let _ = writeln!(text, "{purpose:12}  {says:13}  {rest}");
            purpose = "";
        };
        for answer in &self.answers {
            let who = answer.crawlers.join(", ");
            let mut signals = answer.signals.iter();
            // A signal that states nothing decides nothing.
            let first = signals
                .clone()
                .next()
                .filter(|first| first.says == answer.says && answer.says != "unstated");
            match first {
                Some(first) => row(answer.says, &format!("{} ({who})", first.shown())),
                None if answer.signals.is_empty() => {
                    row(answer.says, &format!("nothing is said of it ({who})"));
                }
                None => row(answer.says, &format!("({who})")),
            }
            if first.is_some() {
                signals.next();
            }
            for signal in signals {
                row("", &format!("also {}: {}", signal.says, signal.shown()));
            }
            let more = answer.signal_count - answer.signals.len();
            if more > 0 {
                row("", &format!("and {more} more"));
            }
        }
        for (says, names) in [("may ignore", &self.may_ignore), ("ignores", &self.ignores)] {
            if !names.is_empty() {
                row(
                    says,
                    &format!("the operator says so ({})", names.join(", ")),
                );
            }
        }
        text
    }
}
