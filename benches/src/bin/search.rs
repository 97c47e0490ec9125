//! Searches for files and URLs that cost a decision the most time. It mutates a recipe for a file and a URL, and keeps what
//! takes longer: `cargo run --release -p librobots-bench --bin search -- [seconds] [url bytes] [seed]`. What it finds
//! becomes a shape in `tests/support/hostile.rs`.

#[path = "../clock.rs"]
#[allow(dead_code)] // the bench has another use for the rest
mod clock;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

const BODY: usize = 512_000;

/// Texts that pieces and URLs are made of: letters that repeat, escapes, bytes that need escapes.
const TEXTS: &[&str] = &[
    "a",
    "b",
    "ab",
    "aab",
    "abcd",
    "e",
    "/",
    "?",
    "{",
    "%7B",
    "%41",
    "%2f",
    "é",
    "*",
    "$",
    "0",
    "zz",
    "index.htm",
];

/// What makes the readings of a URL differ (SPEC 8.11).
const MARKS: &[&str] = &[
    "\t", "\\", "/..//", "/../", "/./", "/%2e/", "/%2e%2e/", "?", " ", "#",
];

/// How a part of a rule varies from rule to rule.
#[derive(Clone, Copy, Debug)]
enum Vary {
    No,
    /// Random texts of the first few kinds.
    Random(usize),
    Number,
    /// Longer by one each so many rules.
    Longer(usize),
}

#[derive(Clone, Debug)]
struct Part {
    text: usize,
    times: usize,
    vary: Vary,
    /// A `*` before it.
    star: bool,
}

#[derive(Clone, Debug)]
struct Recipe {
    allow: bool,
    parts: Vec<Part>,
    anchored: bool,
    start: Vec<usize>,
    filling: Vec<usize>,
    is_random: bool,
    /// Marks at the start of the path, the bytes after which one follows again, and an empty query at the end.
    marks: Vec<usize>,
    every: usize,
    ends_with_query: bool,
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn text(&mut self) -> usize {
        self.below(TEXTS.len())
    }

    fn texts(&mut self, most: usize) -> Vec<usize> {
        (0..self.below(most + 1)).map(|_| self.text()).collect()
    }

    fn part(&mut self) -> Part {
        Part {
            text: self.text(),
            times: 1 + self.below(20),
            vary: match self.below(5) {
                0 => Vary::Number,
                1 => Vary::Random(2 + self.below(4)),
                2 => Vary::Longer(1 + self.below(64)),
                _ => Vary::No,
            },
            star: self.below(3) > 0,
        }
    }

    fn recipe(&mut self) -> Recipe {
        Recipe {
            allow: true,
            parts: (0..1 + self.below(3)).map(|_| self.part()).collect(),
            anchored: self.below(4) == 0,
            start: self.texts(2),
            filling: [vec![self.text()], self.texts(2)].concat(),
            is_random: self.below(3) == 0,
            marks: self.marks(),
            every: 8 << self.below(9),
            ends_with_query: self.below(2) == 0,
        }
    }

    /// Some marks; none in one URL of three.
    fn marks(&mut self) -> Vec<usize> {
        let count = self.below(3) * (1 + self.below(4));
        (0..count).map(|_| self.below(MARKS.len())).collect()
    }

    /// A recipe that differs in one thing.
    fn mutate(&mut self, recipe: &Recipe) -> Recipe {
        let mut new = recipe.clone();
        match self.below(12) {
            0 => new.parts.push(self.part()),
            1 if new.parts.len() > 1 => drop(new.parts.pop()),
            2 => new.anchored = !new.anchored,
            3 => new.start = self.texts(3),
            4 => new.filling = [vec![self.text()], self.texts(3)].concat(),
            5 => new.is_random = !new.is_random,
            6 => new.allow = !new.allow,
            7 => new.marks = self.marks(),
            8 => new.every = 8 << self.below(9),
            9 => new.ends_with_query = !new.ends_with_query,
            _ => {
                let at = self.below(new.parts.len());
                let part = self.part();
                let old = &mut new.parts[at];
                match self.below(4) {
                    0 => old.text = part.text,
                    1 => old.times = 1 + self.below(60),
                    2 => old.vary = part.vary,
                    _ => old.star = !old.star,
                }
            }
        }
        new
    }
}

impl Recipe {
    fn body(&self) -> Vec<u8> {
        let mut random = Random(1);
        let mut body = String::from("User-agent: *\n");
        for number in 0.. {
            let before = body.len();
            body.push_str(if self.allow { "allow:" } else { "disallow:" });
            if !self.parts[0].star {
                body.push('/');
            }
            for part in &self.parts {
                if part.star {
                    body.push('*');
                }
                match part.vary {
                    Vary::No => body.push_str(&TEXTS[part.text].repeat(part.times)),
                    Vary::Random(kinds) => (0..part.times).for_each(|_| {
                        body.push_str(TEXTS[(part.text + random.below(kinds)) % TEXTS.len()]);
                    }),
                    Vary::Number => {
                        let _ = write!(body, "{}{number}", TEXTS[part.text]);
                    }
                    Vary::Longer(each) => body.push_str(&TEXTS[part.text].repeat(number / each)),
                }
            }
            body.push_str(if self.anchored { "$\n" } else { "\n" });
            if body.len() > BODY {
                body.truncate(before);
                break;
            }
        }
        body.into_bytes()
    }

    fn url(&self, len: usize) -> Vec<u8> {
        let mut random = Random(2);
        let mut url = String::from("https://www.example.com/");
        let marks = |url: &mut String| {
            self.marks
                .iter()
                .for_each(|mark| url.push_str(MARKS[*mark]));
        };
        marks(&mut url);
        let mut marked = url.len();
        self.start
            .iter()
            .for_each(|text| url.push_str(TEXTS[*text]));
        for turn in 0.. {
            let at = if self.is_random {
                random.below(self.filling.len())
            } else {
                turn % self.filling.len()
            };
            let text = TEXTS[self.filling[at]];
            if url.len() - marked > self.every {
                marks(&mut url);
                marked = url.len();
            }
            if url.len() + text.len() + usize::from(self.ends_with_query) > len {
                break;
            }
            url.push_str(text);
        }
        if self.ends_with_query {
            url.push('?');
        }
        url.truncate(
            (0..=len.min(url.len()))
                .rfind(|at| url.is_char_boundary(*at))
                .unwrap_or(0),
        );
        url.into_bytes()
    }
}

/// The processor time of a decision, the best of three, and its steps.
fn cost(crawler: &robots::Crawler, recipe: &Recipe, len: usize) -> (Duration, usize) {
    let rules = crawler.parse(recipe.body());
    let url = recipe.url(len);
    let time = || {
        let begin = clock::thread();
        let (_, steps) = robots::check_image_counted(rules.image(), &url);
        (Duration::from_nanos(clock::thread() - begin), steps)
    };
    time().min(time()).min(time())
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let mut next = |default| {
        arguments
            .next()
            .map_or(default, |number| number.expect("a number"))
    };
    let (seconds, len, seed) = (next(60), next(2048) as usize, next(9309));
    let mut random = Random(seed);
    let crawlers = robots::Dialect::ALL.map(|dialect| {
        let crawler =
            robots::Crawler::new("ExampleBot").and_then(|crawler| crawler.with_dialect(dialect));
        crawler.expect("a token of every dialect")
    });
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut found = Vec::new();
    while Instant::now() < end {
        let crawler = &crawlers[random.below(3)];
        let mut best = random.recipe();
        let (mut time, mut steps) = cost(crawler, &best, len);
        let mut failures = 0;
        while failures < 40 && Instant::now() < end {
            let next = random.mutate(&best);
            let (next_time, next_steps) = cost(crawler, &next, len);
            if next_time > time {
                (best, time, steps) = (next, next_time, next_steps);
                failures = 0;
            } else {
                failures += 1;
            }
        }
        found.push((time, steps, best));
    }
    found.sort_by_key(|(time, ..)| std::cmp::Reverse(*time));
    for (time, steps, recipe) in found.iter().take(15) {
        println!(
            "{:9.3} ms {steps:9} steps  {recipe:?}",
            time.as_secs_f64() * 1e3
        );
    }
}
