//! The system allocator, with a count that is switched on only while a row counts allocations,
//! so that it costs the timed rows nothing that could be measured.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};

pub struct Counting;

static COUNTING: AtomicBool = AtomicBool::new(false);
/// Calls that gave out memory: alloc, alloc_zeroed and realloc.
static CALLS: AtomicU64 = AtomicU64::new(0);
/// Blocks and bytes given out less those taken back.
static BLOCKS: AtomicI64 = AtomicI64::new(0);
static BYTES: AtomicI64 = AtomicI64::new(0);

/// What the heap did during a piece of work.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// Allocations and reallocations made.
    pub calls: u64,
    /// Blocks, and bytes in them, that outlived the work.
    pub blocks: i64,
    pub bytes: i64,
}

/// Does `work` and counts. Only for one thread at a time.
pub fn count<T>(work: impl FnOnce() -> T) -> (T, Use) {
    let before = read();
    COUNTING.store(true, Relaxed);
    let result = work();
    COUNTING.store(false, Relaxed);
    let after = read();
    let used = Use {
        calls: after.calls - before.calls,
        blocks: after.blocks - before.blocks,
        bytes: after.bytes - before.bytes,
    };
    (result, used)
}

fn read() -> Use {
    Use {
        calls: CALLS.load(Relaxed),
        blocks: BLOCKS.load(Relaxed),
        bytes: BYTES.load(Relaxed),
    }
}

fn note(calls: u64, blocks: i64, bytes: i64) {
    if COUNTING.load(Relaxed) {
        CALLS.fetch_add(calls, Relaxed);
        BLOCKS.fetch_add(blocks, Relaxed);
        BYTES.fetch_add(bytes, Relaxed);
    }
}

// SAFETY: every call goes to `System` with the arguments it came with; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(1, 1, layout.size() as i64);
        // SAFETY: the caller keeps the contract of GlobalAlloc::alloc.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(1, 1, layout.size() as i64);
        // SAFETY: the caller keeps the contract of GlobalAlloc::alloc_zeroed.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(1, 0, size as i64 - layout.size() as i64);
        // SAFETY: the caller keeps the contract of GlobalAlloc::realloc.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        note(0, -1, -(layout.size() as i64));
        // SAFETY: the caller keeps the contract of GlobalAlloc::dealloc.
        unsafe { System.dealloc(block, layout) }
    }
}
