//! What Rust's own API answers to the questions that all drivers are asked: the reference.

use super::fields::{escaped, split, unword, word};
use robots::api::{ENUMS, FETCH_OPTIONS, READ_OPTIONS};
use robots::cache::{CacheDecision, CacheRequest, Ticket};
use robots::{
    Cache, Control, Crawler, Dialect, Error, Failure, Fetch, Origin, Outcome, PageControls,
    Purpose, Reason, Rules, Step, Use, Uses, Verdict,
};
use std::collections::VecDeque;

type Fields<'a> = [(&'a str, Vec<u8>)];

/// Answers a question.
pub fn answer(question: &str) -> String {
    let fields = split(question);
    let fields = fields.as_slice();
    let answered = match text(fields, "kind").as_str() {
        "rules" => return rules(fields),
        "outcome" => outcome(fields),
        "page" | "page-rule" | "page-unknown" => page(fields),
        "use" | "use-signals" | "use-receipt" => uses(fields),
        "script" => script(fields),
        "difference" => difference(fields),
        other => panic!("Rust is not asked {other:?}"),
    };
    answered.unwrap_or_else(|error| format!("error {}", name_of_error(error)))
}

fn value<'a>(fields: &'a Fields, name: &str) -> &'a [u8] {
    let found = fields.iter().find(|(other, _)| *other == name);
    found.map_or(b"", |(_, value)| value)
}

fn text(fields: &Fields, name: &str) -> String {
    String::from_utf8_lossy(value(fields, name)).into_owned()
}

fn number(text: &str) -> u64 {
    text.parse()
        .unwrap_or_else(|_| panic!("{text:?} is no number"))
}

/// Splits `NAME:NUMBER`.
fn setting(value: &[u8]) -> (&str, u64) {
    let text = std::str::from_utf8(value).unwrap();
    let (name, value) = text.split_once(':').unwrap();
    (name, number(value))
}

/// Returns the crawler of some fields: its first token, its dialect, its options, its other tokens.
fn crawler(fields: &Fields) -> Result<Crawler, Error> {
    let mut tokens = fields.iter().filter(|(name, _)| *name == "agent");
    let first = tokens.next().map_or(&b""[..], |(_, token)| token);
    let mut crawler = match first {
        b"*" => Crawler::without_token(),
        token => Crawler::new(token)?,
    };
    let dialect = text(fields, "dialect");
    let named = |it: &Dialect| format!("{it:?}").to_lowercase() == dialect;
    crawler = crawler.with_dialect(Dialect::ALL.into_iter().find(named).unwrap())?;
    for (_, option) in fields.iter().filter(|(name, _)| *name == "option") {
        let (name, value) = setting(option);
        let name = format!("ROBOTS_OPT_{}", name.to_uppercase());
        let mut rows = READ_OPTIONS.iter().chain(FETCH_OPTIONS);
        let row = rows.find(|row| row.name == name).unwrap();
        crawler = crawler.with_option(row.number, value)?;
    }
    tokens.try_fold(crawler, |crawler, (_, token)| crawler.with_token(token))
}

/// Returns the word of a number of an enum of the C API.
fn word_of(of: &str, number: u32) -> String {
    let of = ENUMS.into_iter().find(|it| it.name == of).unwrap();
    let value = of.values.iter().find(|it| it.number == number).unwrap();
    value.name[of.prefix.len()..].to_lowercase()
}

fn name_of_error(error: Error) -> &'static str {
    match error {
        Error::Argument => "argument",
        Error::Token => "token",
        Error::Url => "url",
        Error::Memory => "memory",
        Error::Image => "image",
        Error::ImageFormat => "image_format",
        Error::Scheme => "scheme",
        Error::InvalidState => "state",
        other => panic!("no question leads to {other:?}"),
    }
}

// --- rules -----------------------------------------------------------------------------------------------------------

fn rules(fields: &Fields) -> String {
    let crawler = match crawler(fields) {
        Ok(crawler) => crawler,
        Err(error) => return format!("status={}", error.code()),
    };
    let body = value(fields, "robots");
    let rules = crawler.parse(body);
    let copy = Rules::from_image(rules.image()).unwrap();
    let urls = fields.iter().filter(|(name, _)| *name == "url");
    let urls: Vec<&[u8]> = urls.map(|(_, url)| url.as_slice()).collect();
    let mut line = "status=0\tdelay=".to_owned();
    match rules.crawl_delay() {
        Some(delay) => line += &delay.to_string(),
        None => line += "none",
    }
    for sitemap in rules.sitemaps() {
        line += &format!("\tsitemap={}", escaped(sitemap));
    }
    line += &format!("\timage={}", escaped(rules.image()));
    let mut way = |name: &str, kind: &str, numbers: Vec<u64>| {
        let numbers: Vec<String> = numbers.iter().map(|it| format!("{it:x}")).collect();
        line += &format!("\tway={name}%20{kind}%20{}", numbers.join(","));
    };
    let each = |ask: &dyn Fn(&[u8]) -> u64| urls.iter().map(|url| ask(url)).collect();
    // All others are compared with the first.
    way("check", "word", each(&|url| rules.check(url).bits()));
    way("image", "word", each(&|url| copy.check(url).bits()));
    let once = |url: &[u8]| crawler.check_once(body, url).bits();
    way("check_once", "word", each(&once));
    let allowed = |url: &[u8]| u64::from(rules.is_allowed(url));
    way("is_allowed", "allowed", each(&allowed));
    let ends = urls.iter().scan(0, |end, url| {
        *end += url.len() as u64;
        Some(*end)
    });
    let offsets: Vec<u64> = [0].into_iter().chain(ends).collect();
    let mut answers = vec![0; urls.len()];
    rules
        .check_batch(&urls.concat(), &offsets, &mut answers)
        .unwrap();
    let answers = answers.into_iter().map(u64::from).collect();
    way("check_batch", "batch", answers);
    line
}

/// Returns the result, and each path with both verdicts.
fn difference(fields: &Fields) -> Result<String, Error> {
    let mut sides = fields.split(|(name, _)| *name == "next");
    let mut side = || {
        let fields = sides.next().unwrap();
        crawler(fields).map(|crawler| crawler.parse(value(fields, "robots")))
    };
    let (rules, other) = (side()?, side()?);
    let difference = rules.difference(&other)?;
    let result = word_of("robots_difference_code", difference.result() as u32);
    let mut line = format!("value {result}");
    for path in difference.paths() {
        let [verdict, other] = path.verdicts();
        let verdicts = [verdict_words(verdict)?, verdict_words(other)?];
        line += &format!(
            " {} {}",
            escaped(path.path().as_bytes()),
            verdicts.join(" ")
        );
    }
    Ok(line)
}

// --- fetches ---------------------------------------------------------------------------------------------------------

/// Plays the attempts to fetch a robots.txt.
fn outcome(fields: &Fields) -> Result<String, Error> {
    let crawlers = [crawler(fields)?];
    let site = value(fields, "site");
    let (mut now, mut last) = (0, None::<Outcome>);
    let mut fetch = Fetch::new(&crawlers, site, now)?;
    for (at, (name, value)) in fields.iter().enumerate() {
        let text = || std::str::from_utf8(value).unwrap();
        match *name {
            "attempt" => {
                now = number(text());
                fetch = Fetch::new(&crawlers, site, now)?;
                if let Some(last) = &last {
                    fetch.set_previous(last)?;
                }
            }
            "status" => drop(fetch.status(text().parse().unwrap(), now)),
            "header" => drop(fetch.header(value, &fields[at + 1].1)),
            "body" => {
                let _ = fetch.headers_end();
                if fetch.step() == Step::Body {
                    let _ = fetch.body(value);
                }
            }
            "end" => {
                let _ = fetch.transfer_ended(failure(text()), now);
                if fetch.step() == Step::Done {
                    last = fetch.outcome().cloned();
                }
            }
            _ => (),
        }
    }
    Ok(outcome_words(&last.ok_or(Error::InvalidState)?))
}

/// Finds a failure by its name, with or without `_`.
fn failure(name: &str) -> Option<Failure> {
    let plain = name.replace('_', "");
    let of = |code| (word_of("robots_failure", code).replace('_', ""), code);
    let mut all = (1..=8).map(of);
    let found = all.find(|(other, _)| *other == plain);
    assert!(found.is_some() || matches!(name, "" | "none"), "{name}");
    found.and_then(|(_, code)| Failure::from_code(code))
}

/// Returns the parts of an outcome.
fn outcome_words(outcome: &Outcome) -> String {
    let since = outcome.unreachable_since;
    format!(
        "value {} {} {} {} {} {} {} {} {} {} {} {}",
        word_of("robots_outcome_kind", outcome.kind as u32),
        word_of("robots_cause", outcome.cause as u32),
        outcome.http_status,
        outcome.hops,
        u8::from(outcome.downgraded),
        u8::from(outcome.stale),
        outcome.fetched_at,
        outcome.fresh_until,
        outcome.usable_until,
        outcome.retry_at,
        since.map_or("-".to_owned(), |since| since.to_string()),
        word(outcome.final_url.as_bytes()),
    )
}

// --- pages -----------------------------------------------------------------------------------------------------------

fn page_controls(fields: &Fields, crawler: &Crawler) -> Result<PageControls, Error> {
    let mut page = PageControls::new(crawler);
    for (at, (name, value)) in fields.iter().enumerate() {
        match *name {
            "header" => page.add_header(value, &fields[at + 1].1)?,
            "meta" => page.add_meta(value, &fields[at + 1].1)?,
            _ => (),
        }
    }
    Ok(page)
}

fn page(fields: &Fields) -> Result<String, Error> {
    let page = page_controls(fields, &crawler(fields)?)?;
    let name = text(fields, "control");
    let control = || {
        let named = |it: &Control| word_of("robots_control", *it as u32) == name;
        let control = Control::ALL.into_iter().find(named);
        control.unwrap_or_else(|| panic!("no control {name}"))
    };
    Ok(match text(fields, "kind").as_str() {
        "page" => format!("value {}", page.get(control())),
        "page-rule" => {
            let value = page.get(control());
            let Some(rule) = page.decided_by(control()) else {
                return Ok(format!("value {value} none 0 - - known"));
            };
            let agent = rule.agent.as_ref().map_or("-".to_owned(), |it| escaped(it));
            format!(
                "value {value} {} {} {} {agent} {}",
                word_of("robots_page_source", rule.source as u32),
                rule.number,
                escaped(&rule.text),
                word_of("robots_zone", rule.zone as u32),
            )
        }
        _ => page.unknown().fold("value".to_owned(), |line, rule| {
            let source = word_of("robots_page_source", rule.source as u32);
            line + &format!(" {source} {} {}", rule.number, escaped(&rule.text))
        }),
    })
}

// --- uses ------------------------------------------------------------------------------------------------------------

/// When the pages of receipts were fetched, in seconds since 1970.
const FETCHED_AT: u64 = 1_795_000_000;

fn uses(fields: &Fields) -> Result<String, Error> {
    let crawler = crawler(fields)?;
    let of = |name: &str| {
        let mut found = fields.iter().filter(|(other, _)| *other == name);
        found.next().map(|(_, value)| value)
    };
    let site = of("site").map(Origin::from_url).transpose()?;
    let mut uses = Uses::new(&crawler, site.as_ref(), of("robots"))?;
    if let Some(json) = of("tdm") {
        uses = uses.with_tdm_file(json)?;
    }
    let page = page_controls(fields, &crawler)?;
    let page = of("page").is_none().then_some(&page);
    let name = text(fields, "purpose");
    let named = |it: &Purpose| word_of("robots_purpose", *it as u32) == name;
    let purpose = Purpose::ALL.into_iter().find(named).unwrap();
    let url = value(fields, "url");
    if text(fields, "kind") == "use-receipt" {
        let receipt = uses.receipt(url, purpose, page, FETCHED_AT)?;
        return Ok(format!("value {}", escaped(receipt.as_bytes())));
    }
    let answer = uses.use_for(url, purpose, page)?;
    let says = |says: Use| word_of("robots_use", says as u32);
    let mut line = format!("value {}", says(answer.says()));
    if text(fields, "kind") == "use-signals" {
        line += &format!(" {}", u8::from(answer.decided_by().is_some()));
        for signal in answer.signals() {
            line += &format!(
                " {} {} {} {} {}",
                word_of("robots_use_source", signal.source as u32),
                says(signal.says),
                signal.line,
                word(signal.token.as_bytes()),
                word(signal.text)
            );
        }
    }
    Ok(line)
}

// --- scripts ---------------------------------------------------------------------------------------------------------

/// What a script works with.
struct Stage {
    crawlers: Vec<Crawler>,
    cache: Cache,
    /// Those that are not finished, the oldest first.
    tickets: VecDeque<Ticket>,
    fetch: Option<Fetch>,
}

fn script(fields: &Fields) -> Result<String, Error> {
    let crawlers = fields.split(|(name, _)| *name == "next").map(crawler);
    let crawlers: Vec<Crawler> = crawlers.collect::<Result<_, _>>()?;
    let bytes = number(&text(fields, "bytes"));
    let mut cache = Cache::new(&crawlers, usize::try_from(bytes).unwrap())?;
    for (_, option) in fields.iter().filter(|(name, _)| *name == "cache") {
        let (name, value) = setting(option);
        cache = match name {
            "ticket_ttl_ms" => cache.with_ticket_ttl(value / 1_000),
            "default_delay_ms" => cache.with_default_delay(value),
            "max_delay_ms" => cache.with_max_delay(value),
            "horizon_ms" => cache.with_horizon(value),
            other => panic!("no option {other} of a cache"),
        }?;
    }
    let mut stage = Stage {
        crawlers,
        cache,
        tickets: VecDeque::new(),
        fetch: None,
    };
    let events = fields.iter().filter(|(name, _)| *name == "do");
    let answers: Vec<String> = events
        .map(|(_, event)| {
            let event = std::str::from_utf8(event).unwrap();
            let words: Vec<Vec<u8>> = event.split(' ').map(unword).collect();
            let done = stage.act(&words);
            done.unwrap_or_else(|error| format!("error {}", name_of_error(error)))
        })
        .collect();
    Ok(answers.join("\t"))
}

impl Stage {
    fn act(&mut self, words: &[Vec<u8>]) -> Result<String, Error> {
        let bytes = |at: usize| words[at].as_slice();
        let text = |at: usize| std::str::from_utf8(&words[at]).unwrap();
        let count = |at| number(text(at));
        let seconds = |at| count(at) / 1000;
        let small = |at| usize::try_from(count(at)).unwrap();
        let status = |at| u16::try_from(count(at)).unwrap();
        let ok = |done: Result<(), Error>| done.map(|()| "ok".to_owned());
        match text(0) {
            "check" => {
                let decision = self.cache.check(small(1), bytes(2), seconds(3));
                self.decided(decision)
            }
            "request" => {
                let request = self.cache.request(small(1), bytes(2), count(3), count(4));
                self.requested(request)
            }
            "outcome" => Ok(match self.cache.outcome(bytes(1))? {
                Some(outcome) => outcome_words(&outcome),
                None => "none".to_owned(),
            }),
            "outcome-check" | "record-check" => {
                let Some(outcome) = self.cache.outcome(bytes(2))? else {
                    return Ok("none".to_owned());
                };
                verdict_words(match text(0) {
                    "outcome-check" => outcome.check(small(1), bytes(2), seconds(3)),
                    _ => Outcome::check_record(&outcome.encode()?, small(1), bytes(2), seconds(3)),
                })
            }
            "start" => {
                let fetch = self.tickets[0].fetch(seconds(1))?;
                Ok(step_words(self.fetch.insert(fetch)))
            }
            "status" => self.step(|fetch| fetch.status(status(1), seconds(2))),
            "ftp" => self.step(|fetch| fetch.ftp_reply(status(1), seconds(2))),
            "header" => self.step(|fetch| fetch.header(bytes(1), bytes(2))),
            "body" => self.step(|fetch| {
                end_headers(fetch)?;
                match fetch.step() {
                    Step::Body => fetch.body(bytes(1)),
                    other => Ok(other),
                }
            }),
            "end" => self.step(|fetch| {
                let failure = failure(text(1));
                if failure.is_none() {
                    end_headers(fetch)?;
                }
                fetch.transfer_ended(failure, seconds(2))
            }),
            "finish" => {
                let outcome = self.fetch.as_ref().and_then(Fetch::outcome).cloned();
                let outcome = outcome.ok_or(Error::InvalidState)?;
                let ticket = self.tickets.pop_front().unwrap();
                ok(ticket.finish(outcome, seconds(1)))
            }
            "answer" => {
                let ticket = self.tickets.pop_front().unwrap();
                let at = seconds(3);
                let url = ticket.origin().to_owned();
                let made = Outcome::from_status(&self.crawlers, url, status(1), bytes(2), at);
                ok(ticket.finish(made?, at))
            }
            "abandon" => ok(self
                .tickets
                .pop_front()
                .map(drop)
                .ok_or(Error::InvalidState)),
            "retry-after" => ok(self
                .cache
                .retry_after(bytes(1), status(2), bytes(3), count(4))),
            "move" => {
                let other = Cache::new(&self.crawlers, small(1))?;
                let mut records = 0;
                for record in self.cache.export() {
                    other.import(record)?;
                    records += 1;
                }
                self.cache = other;
                Ok(format!("records {records}"))
            }
            "counts" => {
                let counts = self.cache.counts();
                Ok(format!(
                    "sites {} hits {} stale {} fetches {} waits {} deferred {} evicted {}",
                    counts.sites,
                    counts.hits,
                    counts.stale_hits,
                    counts.fetches,
                    counts.waits,
                    counts.deferred,
                    counts.evicted
                ))
            }
            "remove" => ok(self.cache.remove(bytes(1))),
            "clear" => {
                self.cache.clear();
                Ok("ok".to_owned())
            }
            other => panic!("no event {other:?}"),
        }
    }

    fn step(
        &mut self,
        event: impl FnOnce(&mut Fetch) -> Result<Step, Error>,
    ) -> Result<String, Error> {
        let fetch = self.fetch.as_mut().unwrap();
        event(fetch)?;
        Ok(step_words(fetch))
    }

    fn decided(&mut self, decision: CacheDecision) -> Result<String, Error> {
        // A cache that waits for a robots.txt decides nothing yet.
        let (action, verdict, until, ticket) = match decision {
            CacheDecision::Decided { verdict, refresh } => {
                let action = refresh.as_ref().map_or("decided", |_| "refresh");
                (action, Some(verdict), 0, refresh)
            }
            CacheDecision::Fetch(ticket) => ("fetch", None, 0, Some(ticket)),
            CacheDecision::Wait { until } => ("wait", None, until, None),
            CacheDecision::Defer { verdict, until } => ("defer", Some(verdict), until, None),
        };
        self.tickets.extend(ticket);
        let verdict = verdict.map_or(Ok("defer defer 0".to_owned()), verdict_words)?;
        Ok(format!("{action} {verdict} {}", time(until * 1000)))
    }

    fn requested(&mut self, request: CacheRequest) -> Result<String, Error> {
        let decided = self.decided(request.decision)?;
        let cut = u8::from(request.crawl_delay_cut);
        let at = time(request.at_ms);
        Ok(format!("{decided} {at} {} {cut}", request.crawl_delay_ms))
    }
}

fn time(milliseconds: u64) -> String {
    match milliseconds {
        0 => "-".to_owned(),
        _ => milliseconds.to_string(),
    }
}

fn verdict_words(verdict: Verdict) -> Result<String, Error> {
    if let Some(error) = verdict.error() {
        return Err(error);
    }
    let word = match verdict.reason() {
        Reason::Defer | Reason::Unreachable => "defer",
        _ if verdict.allowed() => "allow",
        _ => "deny",
    };
    let reason = word_of("robots_reason", verdict.reason() as u32);
    Ok(format!("{word} {reason} {}", verdict.line()))
}

fn step_words(fetch: &Fetch) -> String {
    let mut words = word_of("robots_step", fetch.step() as u32);
    if fetch.step() == Step::Get {
        words += &format!(" {}", word(fetch.url().as_bytes()));
        for (name, value) in fetch.request_headers() {
            words += &format!(" {} {}", word(name.as_bytes()), word(value));
        }
    }
    words
}

fn end_headers(fetch: &mut Fetch) -> Result<(), Error> {
    match fetch.step() {
        Step::Headers => fetch.headers_end().map(drop),
        _ => Ok(()),
    }
}
