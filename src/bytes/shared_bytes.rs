//! A reference-counted block of bytes, which holds compiled rules or the tokens of a crawler.
//!
//! Unlike an `Arc`, the block returns an error on allocation failure. A `robots_rules` of the C API is a pointer to a block.

use core::ops::Deref;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::alloc::{Layout, alloc, dealloc};

use crate::base::error::Error;

/// Immutable bytes that clones share.
#[repr(transparent)]
pub(crate) struct SharedBytes(NonNull<Head>);

/// The head of a block. After it are the bytes that the block owns, or the address of the bytes that the block borrows.
#[repr(C)]
struct Head {
    references: AtomicUsize,
    /// Number of bytes. The bit [`BORROWED`] is set if the block does not own the bytes.
    len: usize,
}

/// A bit that no length has: a slice has at most `isize::MAX` bytes.
const BORROWED: usize = 1 << (usize::BITS - 1);

/// Size of the head of a block, in bytes.
pub(crate) const HEAD: usize = size_of::<Head>();

// SAFETY: nobody writes the bytes after their creation, and the count is atomic: any thread may read and release.
unsafe impl Send for SharedBytes {}
// SAFETY: as above.
unsafe impl Sync for SharedBytes {}

/// The maximum number of references, as in `Arc`, so that the count does not overflow. Only a program that leaks references
/// reaches this number.
const MOST_REFERENCES: usize = isize::MAX as usize;

impl SharedBytes {
    /// Returns the layout of a head and `owned` bytes after it.
    fn layout(owned: usize) -> Result<Layout, Error> {
        let bytes = Layout::array::<u8>(owned).map_err(|_| Error::Memory)?;
        let (layout, _) = Layout::new::<Head>()
            .extend(bytes)
            .map_err(|_| Error::Memory)?;
        Ok(layout)
    }

    /// Allocates a block with a head and `owned` bytes, which are uninitialized. `len`: the value of [`Head::len`].
    fn alloc(owned: usize, len: usize) -> Result<SharedBytes, Error> {
        let layout = SharedBytes::layout(owned)?;
        // SAFETY: the layout includes a `Head`, so its size is not zero.
        let head = NonNull::new(unsafe { alloc(layout) }.cast::<Head>()).ok_or(Error::Memory)?;
        let references = AtomicUsize::new(1);
        // SAFETY: the block has room and alignment for a `Head`.
        unsafe { head.write(Head { references, len }) };
        Ok(SharedBytes(head))
    }

    /// Returns a block that owns a copy of `bytes`.
    pub(crate) fn copy_of(bytes: &[u8]) -> Result<SharedBytes, Error> {
        let block = SharedBytes::alloc(bytes.len(), bytes.len())?;
        // SAFETY: `alloc` made room for the bytes after the head, which has no padding at its end. Bytes need no alignment.
        unsafe {
            let place = block.0.add(1).cast::<u8>();
            place.copy_from_nonoverlapping(NonNull::from(bytes).cast(), bytes.len());
        }
        Ok(block)
    }

    /// Returns a block that borrows `bytes`, in constant time.
    ///
    /// # Safety
    /// The bytes stay where they are, unchanged, until the last reference is released.
    pub(crate) unsafe fn borrowing(bytes: &[u8]) -> Result<SharedBytes, Error> {
        let block = SharedBytes::alloc(size_of::<*const u8>(), bytes.len() | BORROWED)?;
        // SAFETY: the address follows the head, whose size is a multiple of its alignment.
        unsafe { block.0.add(1).cast().write(bytes.as_ptr()) };
        Ok(block)
    }

    #[inline(always)]
    fn head(&self) -> &Head {
        // SAFETY: this reference keeps the block alive.
        unsafe { self.0.as_ref() }
    }

    /// Returns whether the block owns its bytes, so that nobody else can write them.
    #[inline(always)]
    pub(crate) fn owns(&self) -> bool {
        self.head().len & BORROWED == 0
    }

    /// Returns the pointer that C holds. A caller that gives the reference to C calls [`core::mem::forget`].
    pub(crate) fn as_raw(&self) -> NonNull<u8> {
        self.0.cast()
    }

    /// Takes over the reference that C holds.
    ///
    /// # Safety
    /// `block` is from [`SharedBytes::as_raw`], and the caller owns one of its references.
    #[inline(always)]
    pub(crate) unsafe fn from_raw(block: NonNull<u8>) -> SharedBytes {
        SharedBytes(block.cast())
    }

    /// Adds a reference. Returns [`Error::Argument`] if there are too many references.
    pub(crate) fn retain(&self) -> Result<SharedBytes, Error> {
        let references = &self.head().references;
        // A relaxed order is enough, because the caller already holds a reference.
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
        // SAFETY: this reference keeps the block alive. The bytes follow the head, or the caller of `borrowing` keeps them alive.
        // Nobody writes them.
        unsafe {
            let len = self.head().len;
            let after = self.0.as_ptr().add(1).cast::<u8>();
            match len & BORROWED {
                0 => core::slice::from_raw_parts(after, len),
                _ => core::slice::from_raw_parts(*after.cast(), len & !BORROWED),
            }
        }
    }
}

impl Clone for SharedBytes {
    fn clone(&self) -> SharedBytes {
        // `Arc` aborts, too: only a leak of references gets here.
        self.retain().unwrap_or_else(|_| std::process::abort())
    }
}

impl Drop for SharedBytes {
    /// Releases the reference. The last reference frees the block.
    fn drop(&mut self) {
        let owned = match self.owns() {
            true => self.head().len,
            false => size_of::<*const u8>(),
        };
        if self.head().references.fetch_sub(1, Ordering::Release) != 1 {
            return;
        }
        // With this load, every access by another thread happens before the block is freed. A fence would be enough, but
        // ThreadSanitizer does not see fences.
        self.head().references.load(Ordering::Acquire);
        // `alloc` computed the same layout, so there is no error.
        if let Ok(layout) = SharedBytes::layout(owned) {
            // SAFETY: the block was allocated with this layout, and this was the last reference.
            unsafe { dealloc(self.0.as_ptr().cast(), layout) };
        }
    }
}
