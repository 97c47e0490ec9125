//! Lines without end, worked on by several threads, answered in their order.
//!
//! Every thread does the same: it takes a turn at reading a block of whole lines, works on it alone, waits
//! until the blocks before it are written, and writes. So there are never more blocks in memory than threads,
//! and a thread that waits costs nothing.

use std::io::{self, Read, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::progress::Progress;

/// Octets of a block, and the longest line that is read.
const BLOCK: usize = 256 * 1024;

/// Octets of output that are gathered before they are written.
const GATHERED: usize = 512 * 1024;

/// How much of a line that is too long is shown.
const SHOWN_OF_LONG: usize = 200;

/// What is known of the lines so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) lines: u64,
    pub(crate) no: u64,
    pub(crate) bad: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Tally) {
        self.lines += other.lines;
        self.no += other.no;
        self.bad += other.bad;
    }
}

/// What is done with each line.
pub(crate) trait Work: Sync {
    /// Answers a line, without its end, at the end of `out`.
    fn line(&self, line: &[u8], out: &mut Vec<u8>, tally: &mut Tally);
    /// The same for the start of one that is too long to be read.
    fn too_long(&self, start: &[u8], out: &mut Vec<u8>, tally: &mut Tally);
}

/// Where it went wrong.
#[derive(Debug)]
pub(crate) enum StreamFault {
    Reading(io::Error),
    Writing(io::Error),
}

/// Does `work` on every line of `source` with so many threads, and writes the answers in order.
pub(crate) fn run(
    source: &mut (dyn Read + Send),
    sink: &mut (dyn Write + Send),
    threads: usize,
    progress: &mut Progress,
    work: &impl Work,
) -> Result<Tally, StreamFault> {
    let blocks = Mutex::new(Blocks::of(source));
    let gate = Gate::new(sink, progress);
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| worker(&blocks, &gate, work));
        }
        worker(&blocks, &gate, work);
    });
    gate.end()
}

fn worker(blocks: &Mutex<Blocks<'_>>, gate: &Gate<'_>, work: &impl Work) {
    let _alarm = Alarm(gate);
    let mut bytes = vec![0; BLOCK];
    let mut out = Vec::new();
    while !gate.is_shut() {
        // The lock is held while it is read: the others work, or would wait for the same input.
        let read = lock(blocks).next(&mut bytes);
        let block = match read {
            Ok(Some(block)) => block,
            Ok(None) => return,
            Err(error) => return gate.shut(StreamFault::Reading(error)),
        };
        let text = bytes.get(..block.len).unwrap_or_default();
        let mut tally = Tally::default();
        if block.is_cut {
            let start = text.get(..SHOWN_OF_LONG).unwrap_or(text);
            work.too_long(start, &mut out, &mut tally);
        } else {
            for line in lines(text) {
                work.line(line, &mut out, &mut tally);
                if out.len() >= GATHERED && !gate.write(block.number, &mut out) {
                    return;
                }
            }
        }
        if !gate.write(block.number, &mut out) {
            return;
        }
        gate.pass(block, tally);
    }
}

/// The lines of a block, without LF or CRLF, but for the blank ones.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let (line, after) = rest.split_at(end);
        rest = after.get(1..).unwrap_or_default();
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    })
    .filter(|line| !line.is_empty())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that panicked left nothing half done that anyone would use: the gate is shut then.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Clone, Copy)]
struct Block {
    /// Its place in the order, from 0.
    number: u64,
    len: usize,
    /// It is the start of one line that is too long, the rest of which is passed over.
    is_cut: bool,
}

/// The input, cut into blocks at ends of lines.
struct Blocks<'s> {
    source: &'s mut (dyn Read + Send),
    /// The start of a line whose end was not read yet.
    rest: Vec<u8>,
    /// What is read next is the rest of a line that is too long.
    passing_over: bool,
    number: u64,
}

impl<'s> Blocks<'s> {
    fn of(source: &'s mut (dyn Read + Send)) -> Blocks<'s> {
        Blocks {
            source,
            rest: Vec::new(),
            passing_over: false,
            number: 0,
        }
    }

    /// Reads the next block to the start of `bytes`; `None` at the end. It holds what there is, and does not
    /// wait for more than one line: who types sees answers.
    fn next(&mut self, bytes: &mut [u8]) -> io::Result<Option<Block>> {
        let mut len = self.rest.len();
        if let Some(start) = bytes.get_mut(..len) {
            start.copy_from_slice(&self.rest);
        }
        self.rest.clear();
        loop {
            let room = bytes.get_mut(len..).unwrap_or_default();
            if room.is_empty() {
                self.passing_over = true;
                return Ok(Some(self.block(len, true)));
            }
            let count = read(self.source, room)?;
            if count == 0 {
                return Ok((len > 0).then(|| self.block(len, false)));
            }
            let new = room.get(..count).unwrap_or_default();
            if self.passing_over {
                let Some(end) = memchr::memchr(b'\n', new) else {
                    continue;
                };
                self.passing_over = false;
                bytes.copy_within(len + end + 1..len + count, len);
                let count = count - end - 1;
                if let Some(block) = self.up_to_line_end(bytes, len, count) {
                    return Ok(Some(block));
                }
                len += count;
                continue;
            }
            if let Some(block) = self.up_to_line_end(bytes, len, count) {
                return Ok(Some(block));
            }
            len += count;
        }
    }

    /// The block of what was read so far, `count` octets at `len` last, if a line ends in these.
    fn up_to_line_end(&mut self, bytes: &[u8], len: usize, count: usize) -> Option<Block> {
        let new = bytes.get(len..len + count)?;
        let end = memchr::memrchr(b'\n', new)? + 1;
        self.rest.extend_from_slice(new.get(end..)?);
        Some(self.block(len + end, false))
    }

    fn block(&mut self, len: usize, is_cut: bool) -> Block {
        let number = self.number;
        self.number += 1;
        Block {
            number,
            len,
            is_cut,
        }
    }
}

fn read(source: &mut (dyn Read + Send), room: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// Where the threads write, one after the other in the order of their blocks.
struct Gate<'s> {
    state: Mutex<State<'s>>,
    moved: Condvar,
}

struct State<'s> {
    sink: &'s mut (dyn Write + Send),
    progress: &'s mut Progress,
    /// The number of the block that may be written.
    turn: u64,
    tally: Tally,
    is_shut: bool,
    fault: Option<StreamFault>,
}

impl<'s> Gate<'s> {
    fn new(sink: &'s mut (dyn Write + Send), progress: &'s mut Progress) -> Gate<'s> {
        Gate {
            state: Mutex::new(State {
                sink,
                progress,
                turn: 0,
                tally: Tally::default(),
                is_shut: false,
                fault: None,
            }),
            moved: Condvar::new(),
        }
    }

    /// Writes of block `number`, once it is its turn, and empties `out`. False: all is over.
    fn write(&self, number: u64, out: &mut Vec<u8>) -> bool {
        let mut state = lock(&self.state);
        while state.turn != number && !state.is_shut {
            state = self
                .moved
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_shut {
            return false;
        }
        let written = state.sink.write_all(out).and_then(|()| state.sink.flush());
        out.clear();
        match written {
            Ok(()) => true,
            Err(error) => {
                drop(state);
                self.shut(StreamFault::Writing(error));
                false
            }
        }
    }

    /// The block is written: the next one's turn.
    fn pass(&self, block: Block, tally: Tally) {
        let mut state = lock(&self.state);
        state.turn += 1;
        state.tally.add(tally);
        let lines = state.tally.lines;
        state.progress.advance(block.len as u64, lines);
        self.moved.notify_all();
    }

    fn is_shut(&self) -> bool {
        lock(&self.state).is_shut
    }

    fn shut(&self, fault: StreamFault) {
        let mut state = lock(&self.state);
        state.is_shut = true;
        state.fault.get_or_insert(fault);
        self.moved.notify_all();
    }

    fn end(self) -> Result<Tally, StreamFault> {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        match state.fault {
            Some(fault) => Err(fault),
            None => Ok(state.tally),
        }
    }
}

/// Shuts the gate when its thread panics, so that nobody waits for it.
struct Alarm<'g, 's>(&'g Gate<'s>);

impl Drop for Alarm<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(&self.0.state).is_shut = true;
            self.0.moved.notify_all();
        }
    }
}
