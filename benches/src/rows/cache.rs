//! Many sites in one process: the cache of librobots, and a map from origin to robotxt's rules without lock and expiry.
//! Each fills a child process of its own, so that the resident memory is that of one. The children measure in turn.

use super::field::Field;
use crate::clock::{self, Clock};
use crate::corpus;
use crate::engine::{Engine, TOKEN};
use crate::files::Body;
use crate::ours::Ours;
use crate::peers::Robotxt;
use crate::random::Random;
use crate::table::{Figure, Row, Unit, Value};
use robots::cache::{Cache, CacheDecision};
use robots::{Crawler, Outcome};
use robotxt::Robots;
use std::collections::HashMap;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write, stdin};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::{env, fs, thread};
use url::{Position, Url};

/// The first argument of a child process; its contents, engine and number of sites follow.
pub const CHILD: &str = "--cache-child";

/// What the sites answer, and the figures of their rows.
const ROWS: [(&str, &str); 4] = [
    ("404", "bytes counted hit"),
    ("template", "bytes counted hit hot threads hot-threads"),
    ("corpus", "bytes counted hit"),
    ("own", "image bytes counted hit"),
];

const TEMPLATE: &str = "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n";
const NOW: u64 = 1_800_000_000;
const HITS: usize = 1_000_000;
/// Short samples of one and of two threads in a round: short ones have both processors more often.
const SAMPLES: usize = 16;

pub fn names() -> impl Iterator<Item = String> {
    let names = |(content, figures): &(&str, &str)| names_of(content, figures);
    ROWS.iter().flat_map(names)
}

fn names_of(content: &str, figures: &str) -> Vec<String> {
    let name = |figure| format!("cache-{content}-{figure}");
    figures.split(' ').map(name).collect()
}

pub fn run(field: &Field<'_>) {
    ROWS.iter()
        .for_each(|(content, figures)| race(field, content, figures));
}

fn race(field: &Field<'_>, content: &str, figures: &str) {
    let names = names_of(content, figures);
    if !names.iter().any(|name| field.options.wants_row(name)) {
        return;
    }
    let engines = [
        (Ours::NAME, field.wants_engine(&field.ours)),
        (Robotxt::NAME, field.wants_engine(&field.robotxt)),
    ];
    let wanted = engines.into_iter().filter(|(_, wanted)| *wanted);
    let start = |(engine, _)| Sites::start(engine, content, field.options.sites());
    let mut all: Vec<Sites> = wanted.map(start).collect();
    for _ in 0..field.effort.rounds {
        all.iter_mut().for_each(Sites::round);
    }
    for (name, figure) in names.iter().zip(figures.split(' ')) {
        let unit = match figure {
            "hit" | "hot" => Unit::Time,
            "threads" | "hot-threads" => Unit::OfOneThread,
            _ => Unit::Bytes,
        };
        let figures = all.iter().filter_map(|sites| sites.figure(figure));
        field.print(&Row::new(name, unit, figures.collect()));
    }
}

/// A child process, with the lowest and the highest of each figure that it wrote.
struct Sites {
    engine: &'static str,
    child: Child,
    output: BufReader<ChildStdout>,
    rounds: HashMap<String, [f64; 2]>,
}

impl Sites {
    /// Starts a child, and returns when it is full.
    fn start(engine: &'static str, content: &str, sites: usize) -> Self {
        let mut command = Command::new(env::current_exe().expect("the path of this program"));
        command.args([CHILD, content, engine, &sites.to_string()]);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.expect("a child process");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let rounds = HashMap::new();
        let mut sites = Self {
            engine,
            child,
            output,
            rounds,
        };
        sites.read();
        sites
    }

    /// Lets the child measure, unless it lacked memory and was ended.
    fn round(&mut self) {
        let input = self.child.stdin.as_mut();
        if input.is_some_and(|input| input.write_all(b"\n").is_ok()) {
            self.read();
        }
    }

    /// Reads a line of names and figures.
    fn read(&mut self) {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line of text");
        let mut words = line.split_whitespace();
        while let (Some(name), Some(figure)) = (words.next(), words.next()) {
            let figure: f64 = figure.parse().expect("a figure");
            let [least, most] = self.rounds.entry(name.to_owned()).or_insert([figure; 2]);
            (*least, *most) = (least.min(figure), most.max(figure));
        }
    }

    fn figure(&self, name: &str) -> Option<Figure> {
        let least = |name: &str| self.rounds.get(name).map(|[least, _]| *least);
        let of_two = || Some(least(&format!("{name}1"))? / least(&format!("{name}2"))?);
        let value = least(name).or_else(of_two).map(Value::Is);
        let is_ours_alone = matches!(name, "counted" | "image") && self.engine != Ours::NAME;
        (!is_ours_alone).then(|| Figure {
            engine: self.engine,
            value: value.unwrap_or(Value::NotMeasured),
            rounds: self.rounds.get(name).copied(),
            answer: least("allowed").map(|allowed| allowed as u64),
        })
    }
}

impl Drop for Sites {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Fills this process with sites and writes their bytes; then measures once for each line of input.
pub fn child() {
    let words: Vec<String> = env::args().skip(2).collect();
    let [content, engine, sites] = &words[..] else {
        panic!("{CHILD} is for child processes");
    };
    let sites: usize = sites.parse().expect("the number of sites");
    let one_file = |bytes: &str| vec![(String::new(), Body::new(bytes.into()))];
    let files = match content.as_str() {
        "404" => one_file(""),
        "template" => one_file(TEMPLATE),
        _ => corpus::files(usize::MAX).expect("readable files").0,
    };
    let body = |number: usize| {
        let own = format!("User-agent: *\nDisallow: /own-{number}/\n\n");
        let own = if content == "own" { &own } else { "" };
        [own.as_bytes(), &files[number % files.len()].1.bytes].concat()
    };
    // If memory runs out, Linux ends this process before others.
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
    let before = resident();
    let filled = (0..sites).map(|number| (origin(number), body(number)));
    let is_allowed = match engine.as_str() {
        Ours::NAME => fill_cache(filled, if content == "404" { 404 } else { 200 }),
        _ => fill_map(filled),
    };
    match before.zip(resident()) {
        Some((before, after)) => print!("bytes {} ", (after - before) / sites as f64),
        None => eprintln!("SKIP cache-{content}-bytes: this system has no /proc/self/status"),
    }
    let (many, hot) = (urls(sites), urls(1));
    println!("allowed {}", count_allowed(&*is_allowed, &many));
    for _line in stdin().lines() {
        print!("hit {} ", time(&*is_allowed, &many, 1, clock::thread));
        if content == "template" {
            print!("hot {} ", time(&*is_allowed, &hot, 1, clock::thread));
            // No sample asks for the URLs of the last one, which are in the processor's caches.
            let samples = many.chunks(HITS / SAMPLES).zip(hot.chunks(HITS / SAMPLES));
            for ((many, hot), threads) in samples.zip([1, 2].into_iter().cycle()) {
                for (name, urls) in [("threads", many), ("hot-threads", hot)] {
                    let time = time(&*is_allowed, urls, threads, clock::wall);
                    print!("{name}{threads} {time} ");
                }
            }
        }
        println!();
    }
}

/// Returns the bytes of memory that this process has; `None` without /proc.
fn resident() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024.0)
}

fn origin(number: usize) -> String {
    format!("https://www.shop-{number}.example")
}

type IsAllowed = dyn Fn(&str) -> bool + Sync;

/// Also writes the figures that librobots has alone.
fn fill_cache(sites: impl Iterator<Item = (String, Vec<u8>)>, status: u16) -> Box<IsAllowed> {
    let crawlers = [Crawler::new(TOKEN).expect("a product token")];
    let cache = Cache::new(&crawlers, 1 << 40).expect("arguments in range");
    let mut image = 0;
    for (url, body) in sites {
        let CacheDecision::Fetch(ticket) = cache.check(0, &url, NOW) else {
            panic!("a new site is to be fetched");
        };
        let outcome = Outcome::from_status(&crawlers, &url, status, body, NOW).expect("a response");
        image += outcome.rules(0).map_or(0, |rules| rules.image().len());
        ticket.finish(outcome, NOW).expect("room");
    }
    let each = |bytes: usize| bytes as f64 / cache.len() as f64;
    let counted = each(cache.counts().bytes);
    print!("counted {counted} image {} ", each(image));
    Box::new(move |url| match cache.check(0, url, NOW) {
        CacheDecision::Decided { verdict, .. } => verdict.allowed(),
        _ => panic!("a hit was expected"),
    })
}

fn fill_map(sites: impl Iterator<Item = (String, Vec<u8>)>) -> Box<IsAllowed> {
    let rules = |(origin, body): (String, Vec<u8>)| match &body[..] {
        [] => (origin, Robots::allow_all()),
        body => (origin, Robots::parse(body, TOKEN)),
    };
    let map: HashMap<_, _> = sites.map(rules).collect();
    Box::new(move |url| {
        let url = Url::parse(url).expect("a URL");
        map[&url[..Position::BeforePath]].is_url_allowed(&url)
    })
}

/// Returns URLs of random sites.
fn urls(sites: usize) -> Vec<String> {
    let mut random = Random::new(7);
    let paths = ["/", "/search?q=1", "/shoes/red", "/wp-admin/orders"];
    (0..HITS)
        .map(|_| origin(random.below(sites)) + random.pick(&paths))
        .collect()
}

fn count_allowed(is_allowed: &IsAllowed, urls: &[String]) -> usize {
    urls.iter().filter(|url| is_allowed(black_box(url))).count()
}

/// Returns the nanoseconds of a hit, when so many threads share the URLs.
fn time(is_allowed: &IsAllowed, urls: &[String], threads: usize, clock: Clock) -> f64 {
    let mut parts = urls.chunks(urls.len().div_ceil(threads));
    let begin = clock();
    thread::scope(|scope| {
        let own = parts.next().unwrap_or_default();
        parts.for_each(|part| drop(scope.spawn(|| count_allowed(is_allowed, part))));
        black_box(count_allowed(is_allowed, own));
    });
    (clock() - begin) as f64 / urls.len() as f64
}
