//! A reference-counted block of octets in one allocation, which may fail: what `robots_rules` is.

use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering, fence};
use std::alloc::{Layout, alloc, dealloc};

use crate::error::Error;

/// What stands before the octets.
#[repr(C)]
pub(super) struct Block {
    references: AtomicUsize,
    len: usize,
}

/// More references than could be held by anyone in earnest: counting on would overflow.
const MOST_REFERENCES: usize = isize::MAX as usize;

impl Block {
    fn layout(len: usize) -> Result<Layout, Error> {
        let octets = Layout::array::<u8>(len).map_err(|_| Error::Memory)?;
        let (layout, _) = Layout::new::<Block>()
            .extend(octets)
            .map_err(|_| Error::Memory)?;
        Ok(layout)
    }

    /// A block of a copy of `octets`, with one reference.
    pub(super) fn copy_of(octets: &[u8]) -> Result<NonNull<Block>, Error> {
        let layout = Block::layout(octets.len())?;
        // SAFETY: the layout has the size of a `Block` at least, so not zero.
        let block = NonNull::new(unsafe { alloc(layout) }.cast::<Block>()).ok_or(Error::Memory)?;
        // SAFETY: freshly allocated with room and alignment for a `Block` and the octets behind it
        // (`Block` has no padding at its end, and octets need no alignment).
        unsafe {
            block.write(Block {
                references: AtomicUsize::new(1),
                len: octets.len(),
            });
            block
                .add(1)
                .cast::<u8>()
                .copy_from_nonoverlapping(NonNull::from(octets).cast(), octets.len());
        }
        Ok(block)
    }

    /// The octets.
    ///
    /// # Safety
    /// `block` is from [`Block::copy_of`] and has a reference during `'a`.
    #[inline(always)]
    pub(super) unsafe fn octets<'a>(block: NonNull<Block>) -> &'a [u8] {
        // SAFETY: the block lives; its octets stand behind it and are never written again.
        unsafe {
            core::slice::from_raw_parts(block.as_ptr().add(1).cast::<u8>(), block.as_ref().len)
        }
    }

    /// Adds a reference.
    ///
    /// # Safety
    /// As for [`Block::octets`].
    pub(super) unsafe fn retain(block: NonNull<Block>) -> Result<(), Error> {
        // SAFETY: the block lives.
        let references = unsafe { &block.as_ref().references };
        // A new reference needs no order of its own: whoever makes it holds one already.
        if references.fetch_add(1, Ordering::Relaxed) >= MOST_REFERENCES {
            references.fetch_sub(1, Ordering::Relaxed);
            return Err(Error::Argument);
        }
        Ok(())
    }

    /// Takes a reference away, and the block with the last.
    ///
    /// # Safety
    /// As for [`Block::octets`]; the caller gives up one reference.
    pub(super) unsafe fn release(block: NonNull<Block>) -> Result<(), Error> {
        // SAFETY: the block lives until the last reference is gone.
        let (references, len) = unsafe { (&block.as_ref().references, block.as_ref().len) };
        // All that other threads did with the block comes before its end.
        if references.fetch_sub(1, Ordering::Release) != 1 {
            return Ok(());
        }
        fence(Ordering::Acquire);
        let layout = Block::layout(len)?;
        // SAFETY: allocated with this layout, and this was the last reference.
        unsafe { dealloc(block.as_ptr().cast(), layout) };
        Ok(())
    }
}
