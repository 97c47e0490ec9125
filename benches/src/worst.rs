//! The most a stranger can ask for: 500 KiB of rules that are hard in one way each, and a long URL. The shapes are those of
//! the tests; `src/bin/search.rs` looks for more.

#[path = "../../tests/support/hostile.rs"]
mod hostile;

use crate::corpus::Site;
use crate::engine::{Engine, TOKEN};
use crate::files::Body;
use crate::measure::{Contestant, Effort, Outcome, race};
use crate::ours::Ours;
use crate::rows::decide;
use hostile::{SHAPES, Shape};
use std::slice;

const BODY: usize = 512_000;

/// Bytes of a URL, and the nanoseconds that an answer on it may take (SPEC 10.1).
const BOUNDS: [(usize, f64); 2] = [(2 << 10, 25e6), (16 << 10, 150e6)];

/// What a row computes from a file.
#[derive(Clone, Copy)]
enum Question {
    Decision,
    /// On a URL that clients read differently (SPEC 8.11).
    Readings,
    /// Of the bytes of the file: its time includes a parse.
    Explanation,
    /// Of the usage preferences for such a URL; each rule of the file is a `Content-Usage` line.
    Preferences,
}

impl Question {
    /// How many times as long as a decision it may take (SECURITY.md).
    fn decisions(self) -> f64 {
        match self {
            Question::Decision | Question::Readings => 1.0,
            Question::Explanation => 3.0,
            // Each line is tried, in each reading: no index finds all lines whose length is that of the longest.
            Question::Preferences => 7.0,
        }
    }
}

/// A row: a shape, the bytes of its URL, the question and the bound.
pub struct Worst {
    shape: &'static Shape,
    url: usize,
    question: Question,
    pub bound: f64,
}

/// All rows.
pub fn rows() -> impl Iterator<Item = Worst> {
    use Question::{Decision, Explanation, Preferences, Readings};
    SHAPES.iter().flat_map(|shape| {
        [Decision, Readings, Explanation, Preferences]
            .into_iter()
            .flat_map(move |question| {
                BOUNDS.iter().map(move |(url, bound)| Worst {
                    shape,
                    url: *url,
                    question,
                    bound: bound * question.decisions(),
                })
            })
    })
}

impl Worst {
    pub fn name(&self) -> String {
        self.named(&format!("-{}", self.shape.name))
    }

    /// The name of all shapes with this URL and question: their slowest stands for them.
    pub fn group(&self) -> String {
        self.named("")
    }

    fn named(&self, shape: &str) -> String {
        let question = match self.question {
            Question::Decision => "",
            Question::Readings => "-readings",
            Question::Explanation => "-explain",
            Question::Preferences => "-preferences",
        };
        format!("worst{shape}-{}k{question}", self.url >> 10)
    }

    fn site(&self) -> Site {
        let url = self.shape.url(self.url);
        let url = match self.question {
            Question::Readings | Question::Preferences => {
                hostile::read_differently(&url, hostile::READ_DIFFERENTLY[0])
            }
            _ => url,
        };
        let url = String::from_utf8_lossy(&url).into_owned();
        let body = match self.question {
            Question::Preferences => self.shape.usage_body(BODY),
            _ => self.shape.body(BODY),
        };
        Site::new(Body::new(body), vec![url])
    }

    /// Times the row.
    pub fn race(&self, ours: &Ours, effort: Effort) -> Vec<Outcome> {
        let site = self.site();
        let (body, url) = (&site.body.bytes, &site.urls[0]);
        let crawler = robots::Crawler::new(TOKEN).expect("a product token");
        let contestant = match self.question {
            Question::Decision | Question::Readings => decide(ours, slice::from_ref(&site)),
            Question::Explanation => Contestant::new(Ours::NAME, 1.0, || {
                let explained = robots::explain(&crawler, body, url).expect("a URL");
                u64::from(explained.verdict.allowed())
            }),
            Question::Preferences => {
                let uses = robots::Uses::new(&crawler, None, Some(body)).expect("memory");
                Contestant::new(Ours::NAME, 1.0, move || {
                    let answer = uses.use_for(url, robots::Purpose::Training, None);
                    answer.expect("a URL").signals().len() as u64
                })
            }
        };
        race(effort, &mut [contestant])
    }
}
