//! Asks a driver of each language what Rust is asked, in process: the answers must be the same, to the bit.
//!
//! `README.md` says what a driver reads and writes. `tests/drivers/run` starts this test. The lines of `ROBOTS_DRIVERS` are the words
//! `PART... -- NAME COMMAND [ARGUMENT...] [-- NAME COMMAND...]...`. The parts:
//!
//! - `cases`: the cases of `tests/data/*.case`, `*.pair` and `*.page`. The expected answers stand there; `tests/cases` and `tests/extensions`
//!   check Rust's.
//! - `scripts`: those of `tests/data/*.script`, with the answers that stand there, Rust's as well.
//! - `outcomes`: what the fetches of `tests/fetch` led to, in the file that `ROBOTS_OUTCOMES` names.
//! - `generated`: generated files, crawlers and URLs; only URLs that were decided on count, not those of a crawler whose tokens are
//!   refused. `ROBOTS_CASES` says how many (20,000 unless set), `ROBOTS_SEED` which (1 unless set), and `ROBOTS_FILE` asks about one file
//!   alone. The first difference ends this part; it is printed as a case for `tests/data/`.
//!
//! A case, a page or a script counts once for each language, whatever the number of its questions; all outcomes are one test. A name
//! with a hyphen, as c-sanitized, is another build of a driver, whose cases count as one test. The question that led to the
//! last difference is written to the file that `ROBOTS_QUESTION` names, to be fed to a driver by hand.

pub mod fields;
mod generated;
mod rules;
pub mod rust;
pub mod scripts;
pub mod shared;

use crate::support::runner::{URLS, as_case};
use fields::Question;
use generated::{Case, Cases};
use rules::{Compared, Said};
use shared::Asked;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Driver {
    /// The name, the command and its arguments.
    words: Vec<String>,
    name: String,
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Why it answers no more.
    gone: Option<String>,
    /// It is no driver of this version, so another start is of no use.
    is_foreign: bool,
}

impl Driver {
    fn start(words: &[&str]) -> Driver {
        let [name, command, arguments @ ..] = words else {
            panic!("a driver is NAME COMMAND [ARGUMENT...], not {words:?}");
        };
        let mut process = Command::new(command)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{name}: {command}: {error}"));
        let mut driver = Driver {
            words: words.iter().map(ToString::to_string).collect(),
            name: name.to_string(),
            questions: process.stdin.take().unwrap(),
            answers: BufReader::new(process.stdout.take().unwrap()),
            process,
            gone: None,
            is_foreign: false,
        };
        let hello = driver.answer().unwrap_or_else(|fault| fault);
        let name = rules::language(name);
        let wanted = format!("engine librobots-{name} {}", env!("CARGO_PKG_VERSION"));
        if hello != wanted {
            driver.gone = Some(format!("begins with {hello:?}, not {wanted:?}"));
            driver.is_foreign = true;
        }
        driver
    }

    /// A driver reads the whole question before it writes anything, so all can think at once.
    fn ask(&mut self, question: &str) {
        let sent = self
            .questions
            .write_all(format!("{question}\n").as_bytes())
            .and_then(|()| self.questions.flush());
        if let (Err(error), None) = (sent, &self.gone) {
            self.gone = Some(format!("takes no question: {error}"));
        }
    }

    fn answer(&mut self) -> Result<String, String> {
        if let Some(gone) = &self.gone {
            return Err(gone.clone());
        }
        let mut line = String::new();
        let read = self.answers.read_line(&mut line);
        if line.ends_with('\n') {
            line.pop();
            return Ok(line);
        }
        let status = self.process.wait();
        let gone = format!("no answer: {read:?}, {status:?}");
        self.gone = Some(gone.clone());
        Err(gone)
    }

    /// Starts it again, so that the cases after a crash are asked, too.
    fn revive(&mut self) {
        if self.gone.is_some() && !self.is_foreign {
            let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
            *self = Driver::start(&words);
        }
    }

    /// Ends its input: it has to end well.
    fn end(self) -> Option<String> {
        let Driver {
            name,
            mut process,
            questions,
            ..
        } = self;
        drop(questions);
        let status = process.wait().unwrap();
        (!status.success()).then(|| format!("{name}: ended with {status}"))
    }
}

#[test]
#[ignore = "needs drivers: make test-drivers"]
fn each_language_answers_as_rust() {
    let words = std::env::var("ROBOTS_DRIVERS").expect("tests/drivers/run sets ROBOTS_DRIVERS");
    let arguments: Vec<&str> = words.lines().collect();
    let mut parts = arguments.split(|word| *word == "--");
    let asked_for = parts.next().unwrap_or_default();
    let commands = parts.filter(|words| !words.is_empty());
    let mut drivers: Vec<Driver> = commands.map(Driver::start).collect();
    assert!(!drivers.is_empty(), "no drivers: tests/drivers/run");
    let mut failed = 0;
    for part in asked_for {
        failed += match *part {
            "cases" => {
                let cases = shared::cases()
                    .into_iter()
                    .chain(shared::pages())
                    .chain(shared::uses())
                    .chain(
                        shared::pairs()
                            .iter()
                            .map(|pair| vec![shared::of_pair(pair)]),
                    )
                    .collect::<Vec<_>>();
                compare(&mut drivers, "cases", &cases)
            }
            "scripts" => compare(&mut drivers, "scripts", &scripts::scripts()),
            "outcomes" => {
                let path = std::env::var("ROBOTS_OUTCOMES").unwrap();
                compare(&mut drivers, "outcomes", &shared::outcomes(&path))
            }
            "generated" => compare_generated(&mut drivers),
            other => panic!("no part {other}"),
        };
    }
    for fault in drivers.into_iter().filter_map(Driver::end) {
        println!("FAIL {fault}");
        failed += 1;
    }
    assert_eq!(failed, 0, "the lines above say what differs");
}

/// How many of the cases a language passed, and how many of its answers were compared.
#[derive(Default)]
struct Count {
    passed: u64,
    failed: u64,
    compared: u64,
}

/// Asks all drivers the questions of all cases. Returns how many cases failed.
fn compare(drivers: &mut [Driver], part: &str, cases: &[Vec<Asked>]) -> u64 {
    assert!(!cases.is_empty(), "{part}: there are none");
    let mut counts: Vec<Count> = Vec::new();
    counts.resize_with(drivers.len(), Count::default);
    let mut of_rust = Count::default();
    for case in cases {
        drivers.iter_mut().for_each(Driver::revive);
        let mut faults = vec![0; drivers.len()];
        let mut faults_of_rust = 0;
        for asked in case {
            for driver in &mut *drivers {
                driver.ask(&asked.question);
            }
            let rust = rust::answer(&asked.question);
            if !asked.expected.is_empty() {
                faults_of_rust += judge("rust", asked, &rust, Ok(&rust), &mut of_rust.compared);
            }
            for (at, driver) in drivers.iter_mut().enumerate() {
                let answer = driver.answer();
                let answer = answer.as_deref().map_err(String::as_str);
                let compared = &mut counts[at].compared;
                faults[at] += judge(&driver.name, asked, &rust, answer, compared);
            }
        }
        for (at, count) in counts.iter_mut().enumerate() {
            count.passed += u64::from(faults[at] == 0);
            count.failed += u64::from(faults[at] > 0);
        }
        of_rust.passed += u64::from(faults_of_rust == 0);
        of_rust.failed += u64::from(faults_of_rust > 0);
    }
    let names = drivers.iter().map(|driver| driver.name.as_str());
    let mut rows: Vec<(&str, Count)> = names.zip(counts).collect();
    let has_language = rows.iter().any(|(name, _)| !name.contains('-'));
    if part == "scripts" && (has_language || of_rust.failed > 0) {
        // No other test reads their answers.
        rows.insert(0, ("rust", of_rust));
    } else if of_rust.failed > 0 {
        println!("{part} of rust: 0 passed, {} failed", of_rust.failed);
        return of_rust.failed;
    }
    for (name, count) in &rows {
        // Other tests count them, or the same driver with the library of its language: here they are one.
        let is_one = count.failed == 0 && (part == "outcomes" || name.contains('-'));
        let passed = if is_one { 1 } else { count.passed };
        println!(
            "{part} of {name}: {passed} passed, {} failed, {} comparisons",
            count.failed, count.compared
        );
    }
    rows.iter().map(|(_, count)| count.failed).sum()
}

/// Compares an answer with what is expected, and prints what differs. Returns the number of differences.
fn judge(
    name: &str,
    asked: &Asked,
    rust: &str,
    answer: Result<&str, &str>,
    compared: &mut u64,
) -> u64 {
    let fault = |place: &str, what: &str| {
        println!("FAIL {name}: {place}: {what}");
        keep(&asked.question);
        1
    };
    let answer = match answer {
        Ok(answer) => answer,
        Err(gone) => return fault(&asked.place, gone),
    };
    if asked.question.starts_with("kind=rules") && asked.expected.is_empty() {
        let mut ways = Compared::new();
        let urls = rules::urls(&asked.question);
        let agreed = rules::agree(
            name,
            &urls,
            &Said::read(rust),
            &Said::read(answer),
            &mut ways,
        );
        *compared += 3 + ways.values().sum::<u64>();
        return match agreed {
            Ok(()) => 0,
            Err((what, at)) => {
                let url = at.map(|at| urls[at].escape_ascii().to_string());
                fault(&asked.place, &format!("{what} {}", url.unwrap_or_default()))
            }
        };
    }
    let reference = [(asked.place.clone(), rust.to_owned())];
    let (expected, is_script) = match asked.expected.as_slice() {
        [] => (&reference[..], false),
        expected => (expected, asked.question.starts_with("kind=script")),
    };
    let answers: Vec<&str> = answer.split('\t').collect();
    if answers.len() != expected.len() {
        let what = format!(
            "{} answers, not {}: {answer}",
            answers.len(),
            expected.len()
        );
        return fault(&asked.place, &what);
    }
    let mut faults = 0;
    for ((place, expected), answer) in expected.iter().zip(answers) {
        let (expected, answer) = match is_script {
            true => (expected.clone(), scripts::canonical(answer)),
            false => (sayable(name, &asked.question, expected), answer.to_owned()),
        };
        *compared += 1;
        if expected != answer {
            faults += fault(place, &format!("{answer:?}, not {expected:?}"));
        }
    }
    faults
}

/// Returns an answer as a language can give it: the strings of JavaScript hold no bytes, its numbers are at most 2^53, and the times of an
/// outcome in Go stop at the end of the year 9999.
fn sayable(name: &str, question: &str, answer: &str) -> String {
    const LAST: u64 = 253_402_300_799;
    let is_large = |word: &str| word.parse().is_ok_and(|number: i64| number > 1 << 53);
    let lossy = |word: &str| fields::escaped(&rules::lossy(&fields::unescaped(word)));
    let in_go = |word: &str| match word.parse::<u64>() {
        Ok(time) if time > LAST => LAST.to_string(),
        _ => word.to_owned(),
    };
    let each = |word: &dyn Fn(&str) -> String| answer.split(' ').map(word).collect::<Vec<_>>();
    match rules::language(name) {
        "js" if answer.split(' ').any(is_large) => "unsupported".to_owned(),
        "js" => each(&lossy).join(" "),
        "go" if question.starts_with("kind=outcome") => each(&in_go).join(" "),
        _ => answer.to_owned(),
    }
}

/// Keeps a question for one driver alone.
fn keep(question: &str) {
    if let Some(path) = std::env::var_os("ROBOTS_QUESTION") {
        std::fs::write(&path, format!("{question}\n")).unwrap();
    }
}

// --- generated cases -------------------------------------------------------------------------------------------------

fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok().filter(|text| !text.is_empty())?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

/// Asks all drivers about generated cases. Returns 1 if an answer differs.
fn compare_generated(drivers: &mut [Driver]) -> u64 {
    let seed = variable("ROBOTS_SEED").unwrap_or(1);
    let wanted = variable("ROBOTS_CASES").unwrap_or(20_000);
    let only = variable("ROBOTS_FILE");
    let cases = Cases::new(seed);
    let mut compared = Compared::new();
    let (mut decided, mut refused, mut number) = (0, 0, only.unwrap_or(0));
    while decided < wanted {
        let case = cases.file(number);
        match ask(drivers, &case, &mut compared) {
            Ok(true) => decided += case.urls.len() as u64,
            Ok(false) => refused += 1,
            Err((fault, url)) => {
                report(&case, &fault, url, seed, number);
                return 1;
            }
        }
        number += 1;
        if only.is_some() {
            break;
        }
    }
    let mut failed = 0;
    for (what, &count) in &compared {
        println!("{count:>10} {what}");
        if count == 0 {
            println!("FAIL {what}: never asked");
            failed += 1;
        }
    }
    println!("{decided} URLs, seed {seed}, up to file {number}; {refused} crawlers refused");
    let (ways, compared) = (compared.len(), compared.values().sum::<u64>());
    println!("generated: {ways} passed, {failed} failed, {compared} comparisons");
    failed
}

/// Asks all drivers; returns whether the crawler was made.
fn ask(drivers: &mut [Driver], case: &Case, compared: &mut Compared) -> Result<bool, rules::Fault> {
    let question = question(case);
    for driver in &mut *drivers {
        driver.ask(&question);
    }
    let rust = Said::read(&rust::answer(&question));
    rules::agree("rust", &case.urls, &rust, &rust, compared)?;
    for driver in drivers {
        let answer = driver.answer();
        let answer = answer.map_err(|gone| (format!("{}: {gone}", driver.name), None))?;
        rules::agree(
            &driver.name,
            &case.urls,
            &rust,
            &Said::read(&answer),
            compared,
        )?;
    }
    Ok(rust.status == 0)
}

fn question(case: &Case) -> String {
    let mut question = Question::new("rules");
    let setup = &case.setup;
    let dialect = format!("{:?}", setup.dialect).to_lowercase();
    shared::add_crawler(&mut question, &dialect, &setup.options(), &setup.tokens);
    question.add("robots", &case.body);
    for url in &case.urls {
        question.add("url", url);
    }
    question.0
}

fn report(case: &Case, fault: &str, url: Option<usize>, seed: u64, file: u64) {
    let at = url.unwrap_or(0);
    println!("FAIL {fault}");
    match url {
        Some(at) => println!("the URL after {at} others of file {file}, seed {seed}:"),
        None => println!("file {file}, seed {seed}; the URL below is its first of {URLS}:"),
    }
    print!("{}", as_case(&case.setup, &case.body, &case.urls[at]));
    println!("again: make differential SEED={seed} FILE={file}");
    keep(&question(case));
    println!("generated: 0 passed, 1 failed");
}
