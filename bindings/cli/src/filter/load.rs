//! Compiles the robots.txt files of a source with several threads.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

use robots::{
    BodyDoubt, Cause, Crawler, Error, Fetch, FileKind, Outcome, OutcomeKind, Rules, Step,
};

use super::counts::{Counts, LeftOut};
use super::item::{Content, Event, Item, Response};
use super::message;
use super::site_names::{is_gzip, is_origin, robots_origin};
use super::sites::{Keeper, Place, Sites};
use super::source::{self, Source};
use crate::clock;
use crate::fault::Fault;
use crate::input;
use crate::progress::Progress;

/// The sites of all sources.
pub(super) struct Loaded {
    pub(super) sites: Sites,
    pub(super) counts: Counts,
}

/// Bytes of bodies, and how many items, that threads get at once.
const BATCH_BYTES: usize = 256 * 1024;
const BATCH_ITEMS: usize = 64;

/// What bounds the memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Bytes of rules that stay in memory.
    pub(super) memory: usize,
    /// Bytes of a robots.txt to read.
    pub(super) body: usize,
}

/// Reads all sources.
pub(super) fn load(
    paths: &[PathBuf],
    crawler: &Crawler,
    limits: Limits,
    threads: usize,
) -> Result<Loaded, Fault> {
    let shelf = Mutex::new(Shelf {
        keeper: Keeper::new(limits.memory),
        entries: HashMap::new(),
        counts: Counts::default(),
        fault: None,
    });
    let compiler = Compiler {
        crawler,
        most: limits.body,
        now: clock::now(),
    };
    let (sender, receiver) = sync_channel(2 * threads);
    let receiver = Mutex::new(receiver);
    let read = std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| work(&receiver, &compiler, &shelf));
        }
        // Dropping the sender ends the threads.
        read_all(paths, &compiler, &shelf, sender)
    });
    let mut shelf = shelf.into_inner().unwrap_or_else(PoisonError::into_inner);
    // A file that a thread cannot read ends the reading, too.
    match shelf.fault.take() {
        Some(fault) => return Err(fault),
        None => read?,
    }
    shelf.finish(&compiler, threads)
}

fn read_all(
    paths: &[PathBuf],
    compiler: &Compiler<'_>,
    shelf: &Mutex<Shelf>,
    sender: SyncSender<Batch>,
) -> Result<(), Fault> {
    let mut batch = Batch::default();
    let mut order = 0;
    for path in paths {
        let mut progress = Progress::new(source::size(path), "sites");
        let bytes = AtomicU64::new(0);
        let source = Source {
            path,
            crawler: compiler.crawler,
            most: compiler.most,
            now: compiler.now,
            bytes: &bytes,
        };
        source.read(&mut |event| {
            progress.advance(bytes.swap(0, Ordering::Relaxed), order);
            match event {
                Event::LeftOut(reason, name) => lock(shelf).counts.leave_out(reason, name),
                Event::Item(item) => {
                    order += 1;
                    batch.bytes += item.size();
                    batch.items.push((order, item));
                    if batch.bytes >= BATCH_BYTES || batch.items.len() >= BATCH_ITEMS {
                        // Without receivers a thread has failed, and its fault is reported.
                        return sender.send(std::mem::take(&mut batch)).is_ok();
                    }
                }
            }
            true
        })?;
    }
    let _ = sender.send(batch);
    Ok(())
}

#[derive(Default)]
struct Batch {
    bytes: usize,
    /// With their order in the sources.
    items: Vec<(u64, Item)>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn work(receiver: &Mutex<Receiver<Batch>>, compiler: &Compiler<'_>, shelf: &Mutex<Shelf>) {
    loop {
        let Ok(batch) = lock(receiver).recv() else {
            return;
        };
        let compiled: Result<Vec<_>, Fault> = batch
            .items
            .into_iter()
            .map(|(order, item)| {
                let rank = (item.date, order);
                let keys = item.keys;
                let first = keys.first().map(String::as_str).unwrap_or_default();
                let name = match &item.content {
                    Content::File(path) => path.display().to_string(),
                    _ => first.to_owned(),
                };
                let meaning = compiler.compile(first, item.content)?;
                Ok(Compiled {
                    rank,
                    keys,
                    name,
                    meaning,
                })
            })
            .collect();
        let mut shelf = lock(shelf);
        match compiled.and_then(|compiled| shelf.add(compiled)) {
            Ok(()) => {}
            Err(fault) => {
                shelf.fault.get_or_insert(fault);
            }
        }
    }
}

/// An item after its compilation.
struct Compiled {
    /// Date and order.
    rank: (u64, u64),
    keys: Vec<String>,
    /// The name of the file, or the first key.
    name: String,
    meaning: Meaning,
}

/// What an item means for its site.
enum Meaning {
    /// The last part says what makes the body doubtful from which the rules were read.
    Rules(OutcomeKind, Rules, Option<&'static str>),
    /// A redirect with this status and location.
    Redirect(u16, Vec<u8>),
}

struct Compiler<'c> {
    crawler: &'c Crawler,
    /// Bytes of a robots.txt to read.
    most: usize,
    now: u64,
}

impl Compiler<'_> {
    fn compile(&self, key: &str, content: Content) -> Result<Meaning, Fault> {
        let of_memory = |error: Error| Fault::new(format!("{key}: {error}"));
        Ok(match content {
            Content::Body(body) => self.body(key, &body).map_err(of_memory)?,
            Content::File(path) if is_gzip(&path) => {
                let response = message::gzip(input::open(&path)?.0, self.most);
                self.response(key, response).map_err(of_memory)?
            }
            Content::File(path) => self
                .body(key, &input::read(&path, self.most)?)
                .map_err(of_memory)?,
            Content::Response(response) => self.response(key, response).map_err(of_memory)?,
            Content::Outcome(outcome) => from_outcome(&outcome, None).map_err(of_memory)?,
        })
    }

    fn body(&self, key: &str, body: &[u8]) -> Result<Meaning, Error> {
        // The fetch knows a body that was not decoded (SPEC 2.17).
        if body.starts_with(&[0x1F, 0x8B]) {
            let crawlers = std::slice::from_ref(self.crawler);
            let outcome = Outcome::from_status(crawlers, key, 200, body, self.now)?;
            return from_outcome(&outcome, None);
        }
        let rules = self.crawler.parse(body);
        Ok(Meaning::Rules(OutcomeKind::Rules, rules, self.doubt(body)?))
    }

    fn response(&self, key: &str, response: Response) -> Result<Meaning, Error> {
        let mut fetch = Fetch::new(std::slice::from_ref(self.crawler), key, self.now)?;
        let mut location = Vec::new();
        fetch.status(response.status, self.now)?;
        for (name, value) in &response.headers {
            if name.eq_ignore_ascii_case("location") {
                location.clone_from(value);
            }
            fetch.header(name, value)?;
        }
        let mut doubt = None;
        match fetch.headers_end()? {
            Step::Get => return Ok(Meaning::Redirect(response.status, location)),
            Step::Body => match response.body {
                Ok(body) => {
                    doubt = self.doubt(&body)?;
                    if fetch.body(body)? == Step::Body {
                        fetch.end()?;
                    }
                }
                Err(failure) => {
                    fetch.fail(failure, self.now)?;
                }
            },
            Step::Headers | Step::Done => {}
        }
        from_outcome(fetch.outcome().ok_or(Error::InvalidState)?, doubt)
    }

    /// Returns what a body is, if it is no robots.txt or damaged.
    fn doubt(&self, body: &[u8]) -> Result<Option<&'static str>, Error> {
        let kind = FileKind::detect(body);
        if !kind.may_hold_rules() {
            return Ok(Some(kind.description()));
        }
        let is_damaged = BodyDoubt::find(self.crawler, body)? == Some(BodyDoubt::Damaged);
        Ok(is_damaged.then_some("a file that lost line ends, or its end"))
    }
}

/// `doubt`: that of the body.
fn from_outcome(outcome: &Outcome, doubt: Option<&'static str>) -> Result<Meaning, Error> {
    let rules = outcome.rules(0).ok_or(Error::InvalidState)?;
    let doubt = doubt.filter(|_| outcome.kind == OutcomeKind::Rules);
    Ok(Meaning::Rules(outcome.kind, rules.clone(), doubt))
}

/// The rules so far.
struct Shelf {
    keeper: Keeper,
    entries: HashMap<Box<str>, Entry>,
    counts: Counts,
    fault: Option<Fault>,
}

struct Entry {
    /// Date and order: the highest counts.
    rank: (u64, u64),
    kept: Kept,
}

#[derive(Clone)]
enum Kept {
    Rules(OutcomeKind, Place),
    Redirect(u16, Vec<u8>),
}

impl Shelf {
    fn add(&mut self, compiled: Vec<Compiled>) -> Result<(), Fault> {
        for Compiled {
            rank,
            keys,
            name,
            meaning,
        } in compiled
        {
            let is_newer = |key: &String| {
                let present = self.entries.get(key.as_str());
                present.is_none_or(|present| present.rank < rank)
            };
            let keys: Vec<String> = keys.into_iter().filter(is_newer).collect();
            if keys.is_empty() {
                continue;
            }
            let kept = match meaning {
                Meaning::Redirect(status, location) => Kept::Redirect(status, location),
                Meaning::Rules(kind, rules, doubt) => {
                    if let Some(what) = doubt {
                        self.counts.add_doubtful(&name, what);
                    }
                    let place = self.keeper.keep(rules).map_err(|error| of_spill(&error))?;
                    Kept::Rules(kind, place)
                }
            };
            for key in keys {
                let kept = kept.clone();
                self.entries.insert(key.into(), Entry { rank, kept });
            }
        }
        Ok(())
    }

    /// Resolves the redirects.
    fn finish(mut self, compiler: &Compiler<'_>, threads: usize) -> Result<Loaded, Fault> {
        let mut places = HashMap::with_capacity(self.entries.len());
        for (key, entry) in &self.entries {
            // URLs to which only redirects lead are not sites.
            if !is_origin(key) {
                continue;
            }
            let found = match &entry.kept {
                Kept::Rules(kind, place) => Some((*kind, place.clone())),
                Kept::Redirect(status, location) => {
                    let followed = follow(&self.entries, compiler, key, *status, location)
                        .map_err(|error| Fault::new(format!("{key}: {error}")))?;
                    match followed {
                        Followed::To(kind, place) => Some((kind, place)),
                        Followed::Nowhere(kind, rules) => {
                            let place = self.keeper.keep(rules).map_err(|e| of_spill(&e))?;
                            Some((kind, place))
                        }
                        Followed::Missing => {
                            self.counts.leave_out(LeftOut::Redirect, key.to_string());
                            None
                        }
                    }
                }
            };
            if let Some((kind, place)) = found {
                self.counts.add(kind);
                places.insert(key.clone(), place);
            }
        }
        self.entries = HashMap::new();
        Ok(Loaded {
            sites: self
                .keeper
                .into_sites(places, threads)
                .map_err(|error| of_spill(&error))?,
            counts: self.counts,
        })
    }
}

enum Followed {
    To(OutcomeKind, Place),
    /// A loop, too many redirects or a bad target (SPEC 2.3).
    Nowhere(OutcomeKind, Rules),
    Missing,
}

/// Follows redirects from entry to entry, as a crawler does on the web.
fn follow(
    entries: &HashMap<Box<str>, Entry>,
    compiler: &Compiler<'_>,
    key: &str,
    status: u16,
    location: &[u8],
) -> Result<Followed, Error> {
    let now = compiler.now;
    let mut fetch = Fetch::new(std::slice::from_ref(compiler.crawler), key, now)?;
    let (mut status, mut location) = (status, location);
    loop {
        fetch.status(status, now)?;
        fetch.header("Location", location)?;
        if fetch.headers_end()? != Step::Get {
            let outcome = fetch.outcome().ok_or(Error::InvalidState)?;
            debug_assert_ne!(outcome.cause, Cause::Found);
            let rules = outcome.rules(0).ok_or(Error::InvalidState)?;
            return Ok(Followed::Nowhere(outcome.kind, rules.clone()));
        }
        let target = match robots_origin(fetch.url().as_bytes()) {
            Some(origin) => origin.key().to_owned(),
            None => fetch.url().to_owned(),
        };
        match entries.get(target.as_str()).map(|entry| &entry.kept) {
            None => return Ok(Followed::Missing),
            Some(Kept::Rules(kind, place)) => return Ok(Followed::To(*kind, place.clone())),
            Some(Kept::Redirect(next, to)) => (status, location) = (*next, to),
        }
    }
}

fn of_spill(error: &std::io::Error) -> Fault {
    Fault::new(format!(
        "cannot write the temporary file of --memory to {}: {error}; raise --memory or set TMPDIR",
        input::shown(&std::env::temp_dir())
    ))
}
