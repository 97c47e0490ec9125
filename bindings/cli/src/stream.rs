//! Processes lines with several threads and keeps their order.
//!
//! Each thread reads a block of whole lines, processes it, waits until the blocks before it are written, and writes. So
//! memory holds at most one block per thread.

use std::io::{self, Read, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::column::{Layout, Record, without_cr};
use crate::progress::Progress;

/// Bytes of a block, and the longest line that is read.
const BLOCK: usize = 256 * 1024;

/// Bytes of output that are gathered before they are written.
const GATHERED: usize = 512 * 1024;

/// The bytes shown of a line that is too long.
const SHOWN_OF_LONG: usize = 200;

/// Counts of the lines so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) lines: u64,
    pub(crate) no: u64,
    pub(crate) bad: u64,
    /// URLs of sites that are unreachable.
    pub(crate) deferred: u64,
    /// URLs of sites whose rules are unknown.
    pub(crate) unknown: u64,
    /// URLs of another site than the one that was named.
    pub(crate) foreign: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Tally) {
        self.lines += other.lines;
        self.no += other.no;
        self.bad += other.bad;
        self.deferred += other.deferred;
        self.unknown += other.unknown;
        self.foreign += other.foreign;
    }
}

/// The processing of each line.
pub(crate) trait Work: Sync {
    /// What a thread remembers from line to line.
    type Memo: Default;
    /// Processes a line and appends to `out`.
    fn line(&self, memo: &mut Self::Memo, line: Record<'_>, out: &mut Vec<u8>, tally: &mut Tally);
    /// Does the same for the start of a line that is too long.
    fn too_long(&self, start: &[u8], out: &mut Vec<u8>, tally: &mut Tally);
    /// Whether the output is lines of the input; then a table begins with its header.
    fn passes_lines(&self) -> bool;
}

/// The side that failed.
#[derive(Debug)]
pub(crate) enum StreamFault {
    Reading(io::Error),
    Writing(io::Error),
}

/// How to process a source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) threads: usize,
    pub(crate) layout: Layout,
}

/// Processes every line of `source`, and writes the output in order.
pub(crate) fn run(
    source: &mut (dyn Read + Send),
    sink: &mut (dyn Write + Send),
    manner: Manner,
    progress: &mut Progress,
    work: &impl Work,
) -> Result<Tally, StreamFault> {
    let Manner { threads, layout } = manner;
    let blocks = Mutex::new(Blocks::of(source, layout.end));
    let gate = Gate::new(sink, progress);
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| worker(&blocks, &gate, layout, work));
        }
        worker(&blocks, &gate, layout, work);
    });
    gate.end()
}

fn worker<W: Work>(blocks: &Mutex<Blocks<'_>>, gate: &Gate<'_>, layout: Layout, work: &W) {
    let _alarm = Alarm(gate);
    let mut memo = W::Memo::default();
    let mut scratch = Vec::new();
    let mut bytes = vec![0; BLOCK];
    let mut out = Vec::new();
    while !gate.is_shut() {
        // The lock is held during the read: other threads process, or wait for the same input.
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
            for line in lines(text, layout.end) {
                let record = layout.record(line, &mut scratch);
                work.line(&mut memo, record, &mut out, &mut tally);
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

/// The lines of a block, without NUL, LF or CRLF, but for the blank ones.
fn lines(text: &[u8], end: u8) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let len = memchr::memchr(end, rest).unwrap_or(rest.len());
        let (line, after) = rest.split_at(len);
        rest = after.get(1..).unwrap_or_default();
        Some(without_cr(line, end))
    })
    .filter(|line| !line.is_empty())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // After a panic the gate is shut, so no thread uses the state.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Clone, Copy)]
struct Block {
    /// Its index, from 0.
    number: u64,
    len: usize,
    /// It is the start of a line that is too long; the rest is skipped.
    is_cut: bool,
}

/// The input, cut into blocks at ends of lines.
struct Blocks<'s> {
    source: &'s mut (dyn Read + Send),
    /// The start of a line whose end was not read yet.
    rest: Vec<u8>,
    /// The next bytes are the rest of a line that is too long.
    passing_over: bool,
    number: u64,
    /// The byte that ends a line.
    end: u8,
}

impl<'s> Blocks<'s> {
    fn of(source: &'s mut (dyn Read + Send), end: u8) -> Blocks<'s> {
        Blocks {
            source,
            end,
            rest: Vec::new(),
            passing_over: false,
            number: 0,
        }
    }

    /// Reads the next block into `bytes`; `None` at the end. It waits for no more than one line, so that interactive
    /// input gets its output at once.
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
                let Some(end) = memchr::memchr(self.end, new) else {
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

    /// The block of what was read so far, `count` bytes at `len` last, if a line ends in these.
    fn up_to_line_end(&mut self, bytes: &[u8], len: usize, count: usize) -> Option<Block> {
        let new = bytes.get(len..len + count)?;
        let end = memchr::memrchr(self.end, new)? + 1;
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

/// The ordered output of the threads.
struct Gate<'s> {
    state: Mutex<State<'s>>,
    moved: Condvar,
}

struct State<'s> {
    sink: &'s mut (dyn Write + Send),
    progress: &'s mut Progress,
    /// The block that may write.
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

    /// Writes for block `number` when it is its turn, and empties `out`. False: the gate is shut.
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

    /// Marks the block as written.
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

/// Shuts the gate if its thread panics, so that no other thread waits for it.
struct Alarm<'g, 's>(&'g Gate<'s>);

impl Drop for Alarm<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(&self.0.state).is_shut = true;
            self.0.moved.notify_all();
        }
    }
}
