//! A reference-counted block of bytes in one allocation, which may fail, as that of an `Arc` may not: compiled
//! rules and a crawler's tokens. The C API hands the very same blocks out.

use core::ops::Deref;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering, fence};
use std::alloc::{Layout, alloc, dealloc};

use crate::error::Error;

/// Immutable bytes; a clone shares them.
pub(crate) struct SharedBytes(NonNull<SharedHead>);

/// What stands before the bytes.
#[repr(C)]
pub(crate) struct SharedHead {
    references: AtomicUsize,
    len: usize,
    /// A block that is kept as long as this one, or null.
    attached: AtomicPtr<SharedHead>,
}

// SAFETY: the bytes are never written again and the count is atomic: any thread may read and release.
unsafe impl Send for SharedBytes {}
// SAFETY: as above.
unsafe impl Sync for SharedBytes {}

/// More references than could be held by anyone in earnest: counting on would overflow.
const MOST_REFERENCES: usize = isize::MAX as usize;

impl SharedBytes {
    fn layout(len: usize) -> Result<Layout, Error> {
        let bytes = Layout::array::<u8>(len).map_err(|_| Error::Memory)?;
        let (layout, _) = Layout::new::<SharedHead>()
            .extend(bytes)
            .map_err(|_| Error::Memory)?;
        Ok(layout)
    }

    /// A block of a copy of `bytes`.
    pub(crate) fn copy_of(bytes: &[u8]) -> Result<SharedBytes, Error> {
        let layout = SharedBytes::layout(bytes.len())?;
        // SAFETY: the layout has the size of a `SharedHead` at least, so not zero.
        let head =
            NonNull::new(unsafe { alloc(layout) }.cast::<SharedHead>()).ok_or(Error::Memory)?;
        // SAFETY: freshly allocated with room and alignment for a `SharedHead` and the bytes behind it
        // (`SharedHead` has no padding at its end, and bytes need no alignment).
        unsafe {
            head.write(SharedHead {
                references: AtomicUsize::new(1),
                len: bytes.len(),
                attached: AtomicPtr::new(core::ptr::null_mut()),
            });
            head.add(1)
                .cast::<u8>()
                .copy_from_nonoverlapping(NonNull::from(bytes).cast(), bytes.len());
        }
        Ok(SharedBytes(head))
    }

    /// The bytes of a block whose reference somebody else holds.
    ///
    /// # Safety
    /// `head` is from [`SharedBytes::as_raw`] and has a reference during `'a`.
    #[inline(always)]
    pub(crate) unsafe fn bytes<'a>(head: NonNull<SharedHead>) -> &'a [u8] {
        // SAFETY: the block lives; its bytes stand behind the head and are never written again.
        unsafe { core::slice::from_raw_parts(head.as_ptr().add(1).cast::<u8>(), head.as_ref().len) }
    }

    /// The bytes that are attached to a block whose reference somebody else holds; `made` makes them at the first call. Of
    /// several threads that make them at once the first attaches its own.
    ///
    /// # Safety
    /// As for [`SharedBytes::bytes`].
    pub(crate) unsafe fn attached<'a>(
        head: NonNull<SharedHead>,
        made: impl FnOnce(&[u8]) -> Result<Vec<u8>, Error>,
    ) -> Result<&'a [u8], Error> {
        // SAFETY: the block lives.
        let attached = unsafe { &head.as_ref().attached };
        // What the thread that attached it has written is seen here.
        let mut found = attached.load(Ordering::Acquire);
        if found.is_null() {
            // SAFETY: passed on.
            let block = SharedBytes::copy_of(&made(unsafe { SharedBytes::bytes(head) })?)?;
            let new = block.0.as_ptr();
            let put = attached.compare_exchange(
                core::ptr::null_mut(),
                new,
                Ordering::AcqRel,
                Ordering::Acquire,
            );
            found = match put {
                Ok(_) => {
                    core::mem::forget(block);
                    new
                }
                Err(other) => other,
            };
        }
        let found = NonNull::new(found).ok_or(Error::Argument)?;
        // SAFETY: an attached block is never exchanged and ends with the block it is attached to.
        Ok(unsafe { SharedBytes::bytes(found) })
    }

    /// What C holds: with [`core::mem::forget`] also the reference.
    pub(crate) fn as_raw(&self) -> NonNull<SharedHead> {
        self.0
    }

    /// The reference that C held.
    ///
    /// # Safety
    /// `head` is from [`SharedBytes::as_raw`] of a block that was forgotten; that reference is given up.
    pub(crate) unsafe fn from_raw(head: NonNull<SharedHead>) -> SharedBytes {
        SharedBytes(head)
    }

    /// One more reference.
    pub(crate) fn retain(&self) -> Result<SharedBytes, Error> {
        // SAFETY: the block lives.
        let references = unsafe { &self.0.as_ref().references };
        // A new reference needs no order of its own: the caller already holds one.
        if references.fetch_add(1, Ordering::Relaxed) >= MOST_REFERENCES {
            references.fetch_sub(1, Ordering::Relaxed);
            return Err(Error::Argument);
        }
        Ok(SharedBytes(self.0))
    }
}

impl Deref for SharedBytes {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        // SAFETY: this reference keeps the block alive.
        unsafe { SharedBytes::bytes(self.0) }
    }
}

impl Clone for SharedBytes {
    fn clone(&self) -> SharedBytes {
        // As an `Arc` does where references are lost without end.
        self.retain().unwrap_or_else(|_| std::process::abort())
    }
}

impl Drop for SharedBytes {
    /// Takes the reference away, and the block with the last.
    fn drop(&mut self) {
        // SAFETY: the block lives until the last reference is gone.
        let (references, len) = unsafe { (&self.0.as_ref().references, self.0.as_ref().len) };
        // All that other threads did with the block comes before its end.
        if references.fetch_sub(1, Ordering::Release) != 1 {
            return;
        }
        fence(Ordering::Acquire);
        // SAFETY: the block still lives, and nobody else uses it.
        let attached = unsafe { self.0.as_ref().attached.load(Ordering::Relaxed) };
        // The block owned this reference.
        drop(NonNull::new(attached).map(SharedBytes));
        // A length that was allocated has a layout.
        if let Ok(layout) = SharedBytes::layout(len) {
            // SAFETY: allocated with this layout, and this was the last reference.
            unsafe { dealloc(self.0.as_ptr().cast(), layout) };
        }
    }
}
