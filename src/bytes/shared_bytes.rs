//! A reference-counted block of bytes in one allocation, which may fail, unlike that of an `Arc`: compiled rules and a
//! crawler's tokens. The handles of the C API are these very blocks.

use core::ops::Deref;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering, fence};
use std::alloc::{Layout, alloc, dealloc};

use crate::base::error::Error;

/// Immutable bytes; a clone shares them.
#[repr(transparent)]
pub(crate) struct SharedBytes(NonNull<Head>);

/// The head of a block. Bytes that the block owns follow it; borrowed bytes are elsewhere.
#[repr(C)]
struct Head {
    references: AtomicUsize,
    len: usize,
    /// Null if the block owns its bytes.
    borrowed: *const u8,
}

// SAFETY: the bytes are never written again and the count is atomic: any thread may read and release.
unsafe impl Send for SharedBytes {}
// SAFETY: as above.
unsafe impl Sync for SharedBytes {}

/// More references than a program can hold: one more could overflow the count.
const MOST_REFERENCES: usize = isize::MAX as usize;

impl Head {
    fn new(len: usize, borrowed: *const u8) -> Head {
        Head {
            references: AtomicUsize::new(1),
            len,
            borrowed,
        }
    }
}

impl SharedBytes {
    /// The layout of a head and the `owned` bytes after it.
    fn layout(owned: usize) -> Result<Layout, Error> {
        let bytes = Layout::array::<u8>(owned).map_err(|_| Error::Memory)?;
        let (layout, _) = Layout::new::<Head>()
            .extend(bytes)
            .map_err(|_| Error::Memory)?;
        Ok(layout)
    }

    /// Allocates a block with room for `owned` bytes, whose head is not written yet.
    fn alloc(owned: usize) -> Result<NonNull<Head>, Error> {
        let layout = SharedBytes::layout(owned)?;
        // SAFETY: the layout has at least the size of a `Head`, so not zero.
        NonNull::new(unsafe { alloc(layout) }.cast::<Head>()).ok_or(Error::Memory)
    }

    /// Returns a block that owns a copy of `bytes`.
    pub(crate) fn copy_of(bytes: &[u8]) -> Result<SharedBytes, Error> {
        let head = SharedBytes::alloc(bytes.len())?;
        // SAFETY: freshly allocated with room and alignment for a `Head` and the bytes after it (`Head` has no padding
        // at its end, and bytes need no alignment).
        unsafe {
            head.write(Head::new(bytes.len(), core::ptr::null()));
            head.add(1)
                .cast::<u8>()
                .copy_from_nonoverlapping(NonNull::from(bytes).cast(), bytes.len());
        }
        Ok(SharedBytes(head))
    }

    /// Returns a block that borrows `bytes`, in constant time.
    ///
    /// # Safety
    /// The bytes stay where they are, unchanged, until the last reference is released.
    pub(crate) unsafe fn borrowing(bytes: &[u8]) -> Result<SharedBytes, Error> {
        let head = SharedBytes::alloc(0)?;
        // SAFETY: freshly allocated with room and alignment for a `Head`.
        unsafe { head.write(Head::new(bytes.len(), bytes.as_ptr())) };
        Ok(SharedBytes(head))
    }

    #[inline(always)]
    fn head(&self) -> &Head {
        // SAFETY: this reference keeps the block alive.
        unsafe { self.0.as_ref() }
    }

    /// Whether the block owns its bytes, so that nobody else can have written them.
    #[inline(always)]
    pub(crate) fn owns(&self) -> bool {
        self.head().borrowed.is_null()
    }

    /// Returns the block as C holds it: without [`core::mem::forget`] only for as long as this reference.
    pub(crate) fn as_raw(&self) -> NonNull<u8> {
        self.0.cast()
    }

    /// Returns the reference that C holds.
    ///
    /// # Safety
    /// `block` is from [`SharedBytes::as_raw`] and has a reference, which this one takes over.
    #[inline(always)]
    pub(crate) unsafe fn from_raw(block: NonNull<u8>) -> SharedBytes {
        SharedBytes(block.cast())
    }

    pub(crate) fn retain(&self) -> Result<SharedBytes, Error> {
        let references = &self.head().references;
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
        // SAFETY: this reference keeps the block alive. Its bytes follow the head or are where `borrowing` found them, and
        // are never written again.
        unsafe {
            let head = self.0.as_ref();
            let bytes = match head.borrowed.is_null() {
                true => self.0.as_ptr().add(1).cast(),
                false => head.borrowed,
            };
            core::slice::from_raw_parts(bytes, head.len)
        }
    }
}

impl Clone for SharedBytes {
    fn clone(&self) -> SharedBytes {
        // As an `Arc` does if references leak without end.
        self.retain().unwrap_or_else(|_| std::process::abort())
    }
}

impl Drop for SharedBytes {
    /// Releases the reference, and frees the block with the last one.
    fn drop(&mut self) {
        let owned = if self.owns() { self.head().len } else { 0 };
        if self.head().references.fetch_sub(1, Ordering::Release) != 1 {
            return;
        }
        // All that other threads did with the block comes before its end.
        fence(Ordering::Acquire);
        // A length that was allocated has a layout.
        if let Ok(layout) = SharedBytes::layout(owned) {
            // SAFETY: allocated with this layout, and this was the last reference.
            unsafe { dealloc(self.0.as_ptr().cast(), layout) };
        }
    }
}
