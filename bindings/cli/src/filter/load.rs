//! Compiles the robots.txt files of a source with several threads.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use robots::{
    BodyDoubt, Capture, Captured, Captures, Crawler, Ending, Error, FileKind, Rules, Shelf, When,
};

use super::counts::{Counts, Doubtful, LeftOut};
use super::item::{Content, Event, Item};
use super::site_names::is_gzip;
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
    let shelf = Mutex::new(Read {
        keeper: Keeper::new(limits.memory),
        captures: Captures::default(),
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
    shelf: &Mutex<Read>,
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
                    batch.bytes += item.content.size();
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

fn work(receiver: &Mutex<Receiver<Batch>>, compiler: &Compiler<'_>, shelf: &Mutex<Read>) {
    loop {
        let Ok(batch) = lock(receiver).recv() else {
            return;
        };
        let compiled: Result<Vec<_>, Fault> = batch
            .items
            .into_iter()
            .map(|(order, item)| compiler.compile(order, item))
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
    keys: Vec<Box<str>>,
    when: When,
    /// Whether its date may have any unit.
    is_row: bool,
    meaning: Captured,
    doubtful: Option<Doubtful>,
}

struct Compiler<'c> {
    crawler: &'c Crawler,
    /// Bytes of a robots.txt to read.
    most: usize,
    now: u64,
}

impl Compiler<'_> {
    fn compile(&self, order: u64, item: Item) -> Result<Compiled, Fault> {
        let key = item.keys.first().map(|key| &**key).unwrap_or_default();
        let of_memory = |error: Error| Fault::new(format!("{key}: {error}"));
        let (content, name) = match item.content {
            Content::File(path) => {
                let body = input::read(&path, self.most)?;
                let content = Content::file(&body, is_gzip(&path), body.len() == self.most);
                (content, path.display().to_string())
            }
            content => (content, key.to_owned()),
        };
        let is_row = matches!(content, Content::Capture(_));
        let mut kind = FileKind::Text;
        let mut of_capture = |capture: Capture<'_>| {
            kind = FileKind::detect(capture.body.as_deref().unwrap_or_default());
            capture.meaning(self.crawler)
        };
        let meaning = match content {
            Content::Capture(capture) => of_capture(capture),
            Content::Message(message, is_cut) => {
                Capture::of_message(key, &message, self.most - 1, is_cut).and_then(of_capture)
            }
            Content::Outcome(outcome) => Captured::from_outcome(self.crawler, &outcome),
            Content::File(_) => Err(Error::InvalidState),
        }
        .map_err(of_memory)?;
        let what = match meaning.doubt {
            Some(_) if !kind.may_hold_rules() => Some(kind.description()),
            Some(BodyDoubt::Encoded) => Some("the text of bytes, such as base64"),
            Some(BodyDoubt::Damaged) => Some("a file that lost line ends, or its end"),
            _ => None,
        };
        Ok(Compiled {
            when: item.date.map_or(When::Position(order), When::Date),
            is_row,
            meaning,
            doubtful: what.map(|what| Doubtful {
                name: name.into(),
                what,
            }),
            keys: item.keys,
        })
    }
}

/// What was read so far.
struct Read {
    keeper: Keeper,
    captures: Captures<Kept>,
    counts: Counts,
    fault: Option<Fault>,
}

/// The rules of a capture.
#[derive(Clone)]
struct Kept {
    place: Place,
    /// Shared by the sites of the item, which count it once.
    doubtful: Option<Arc<Doubtful>>,
}

/// Keeps the rules of one item, which may be those of two keys, once.
struct OneItem<'k> {
    keeper: &'k mut Keeper,
    kept: Option<Kept>,
    doubtful: Option<Doubtful>,
}

impl Shelf for OneItem<'_> {
    type Place = Kept;
    type Error = io::Error;

    fn put(&mut self, rules: Rules) -> io::Result<Kept> {
        if self.kept.is_none() {
            self.kept = Some(Kept {
                place: self.keeper.keep(rules)?,
                doubtful: self.doubtful.take().map(Arc::new),
            });
        }
        self.kept
            .clone()
            .ok_or_else(|| io::Error::other("no rules"))
    }

    fn image<'a>(&'a mut self, kept: &'a Kept) -> io::Result<Cow<'a, [u8]>> {
        self.keeper.image(&kept.place)
    }
}

impl Read {
    fn add(&mut self, compiled: Vec<Compiled>) -> Result<(), Fault> {
        for item in compiled {
            let mut shelf = OneItem {
                keeper: &mut self.keeper,
                kept: None,
                doubtful: item.doubtful,
            };
            let first = match item.when {
                When::Date(date) if item.is_row => self
                    .captures
                    .check_unit(date)
                    .err()
                    .map(|first| (first, date)),
                _ => None,
            };
            if let Some((first, date)) = first {
                return Err(Fault::new(format!(
                    "the dates {} and {}, in seconds since 1970, are not of one unit: give all in seconds, or as 2026-02-01T10:00:00Z",
                    first / 1_000_000_000,
                    date / 1_000_000_000
                )));
            }
            for key in item.keys {
                let added = (self.captures).add(Some(key), item.when, &item.meaning, &mut shelf);
                added.map_err(|error| of_spill(&error))?;
            }
        }
        Ok(())
    }

    /// Chooses the rules of each site.
    fn finish(mut self, compiler: &Compiler<'_>, threads: usize) -> Result<Loaded, Fault> {
        let endless = Captured::endless(compiler.crawler);
        let endless = endless.map_err(|error| Fault::new(error.to_string()))?;
        let mut places = HashMap::new();
        let mut counted = HashSet::new();
        for (origin, ending) in self.captures.sites(compiler.crawler) {
            let (kind, place) = match ending {
                Ending::Held(held) => {
                    let is_new = |one: &&Arc<Doubtful>| counted.insert(Arc::as_ptr(one));
                    if let Some(doubtful) = held.place.doubtful.as_ref().filter(is_new) {
                        self.counts.add_doubtful(doubtful);
                    }
                    (held.kind, held.place.place.clone())
                }
                Ending::Endless => (endless.kind, Place::Memory(endless.rules.clone())),
                Ending::Lost => {
                    self.counts.leave_out(LeftOut::Redirect, origin.to_owned());
                    continue;
                }
            };
            self.counts.add(kind);
            places.insert(origin.into(), place);
        }
        self.captures = Captures::default();
        let sites = self.keeper.into_sites(places, threads);
        Ok(Loaded {
            sites: sites.map_err(|error| of_spill(&error))?,
            counts: self.counts,
        })
    }
}

fn of_spill(error: &io::Error) -> Fault {
    Fault::new(format!(
        "cannot write the temporary file of --memory to {}: {error}; raise --memory or set TMPDIR",
        input::shown(&std::env::temp_dir())
    ))
}
