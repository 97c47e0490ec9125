//! Allocates lists and strings whose length depends on an input. A failed allocation is an error here, while Rust's own
//! collections abort the process.

use core::fmt::{self, Display, Write};

use crate::base::error::Error;

pub(crate) fn copy(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    joined([bytes])
}

pub(crate) fn joined<const N: usize>(parts: [&[u8]; N]) -> Result<Vec<u8>, Error> {
    let mut all = reserved(parts.iter().map(|part| part.len()).sum())?;
    for part in parts {
        all.extend_from_slice(part);
    }
    Ok(all)
}

/// Returns an empty list with room for `len` items.
pub(crate) fn reserved<T>(len: usize) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).map_err(|_| Error::Memory)?;
    Ok(list)
}

pub(crate) fn zeros<T: Copy + Default>(len: usize) -> Result<Vec<T>, Error> {
    let mut all = reserved(len)?;
    all.resize(len, T::default());
    Ok(all)
}

/// Calls `work` with at least `len` zero bytes. Up to 48 KiB are on the stack, because the longest path that is checked without
/// an allocation needs 48 KiB of scratch memory (SPEC 8.12). More bytes are on the heap, because the caller's thread may have
/// little stack left.
#[inline(always)]
pub(crate) fn with_zeros<R>(len: usize, work: impl FnOnce(&mut [u8]) -> R) -> Result<R, Error> {
    #[inline(never)]
    fn on_stack<const N: usize, R>(work: impl FnOnce(&mut [u8]) -> R) -> R {
        work(&mut [0; N])
    }
    // Zeroing costs time, and nearly all texts fit the first size. 0x4001: a reading of a URL of 16 KiB can have one byte more.
    Ok(match len {
        _ if len <= 0x400 => on_stack::<0x400, R>(work),
        _ if len <= 0x1000 => on_stack::<0x1000, R>(work),
        _ if len <= 0x4001 => on_stack::<0x4001, R>(work),
        _ if len <= 0x8000 => on_stack::<0x8000, R>(work),
        _ if len <= 0xC000 => on_stack::<0xC000, R>(work),
        _ => work(&mut zeros(len)?),
    })
}

pub(crate) fn push<T>(list: &mut Vec<T>, item: T) -> Result<(), Error> {
    list.try_reserve(1).map_err(|_| Error::Memory)?;
    list.push(item);
    Ok(())
}

/// Returns the size of a heap block for `len` bytes and the allocator's header of 8 bytes: a multiple of 16, at least 32.
pub(crate) fn block(len: usize) -> usize {
    (len.saturating_add(8 + 15) & !15).max(32)
}

/// Returns a box of one item. The box holds an array, because only a list can be allocated fallibly, and a list converts to a
/// boxed array.
pub(crate) fn boxed<T>(item: T) -> Result<Box<[T; 1]>, Error> {
    let mut list = reserved(1)?;
    list.push(item);
    <Box<[T; 1]>>::try_from(list).map_err(|_| Error::Memory)
}

pub(crate) fn append(list: &mut Vec<u8>, bytes: &[u8]) -> Result<(), Error> {
    list.try_reserve(bytes.len()).map_err(|_| Error::Memory)?;
    list.extend_from_slice(bytes);
    Ok(())
}

pub(crate) fn collect<T>(items: impl IntoIterator<Item = T>) -> Result<Vec<T>, Error> {
    let items = items.into_iter();
    let mut list = Vec::new();
    list.try_reserve(items.size_hint().0)
        .map_err(|_| Error::Memory)?;
    for item in items {
        push(&mut list, item)?;
    }
    Ok(list)
}

/// Returns the text of `of`. The `Display` of `of` must neither allocate nor return an error.
pub(crate) fn words(of: impl Display) -> Result<String, Error> {
    let mut words = Words(String::new());
    write!(words, "{of}").map_err(|_| Error::Memory)?;
    Ok(words.0)
}

struct Words(String);

impl Write for Words {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.try_reserve(text.len()).map_err(|_| fmt::Error)?;
        self.0.push_str(text);
        Ok(())
    }
}
