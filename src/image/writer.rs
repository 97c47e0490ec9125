//! Writes the bytes of an image.

use super::{Width, header};
use crate::error::Error;

/// Why an image could not be written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BuildFailure {
    Memory,
    /// It does not fit the width of its offsets.
    Length,
    /// The builder broke a rule of its own: a defect of the library.
    Defect,
}

impl BuildFailure {
    /// The error that a caller gets. An image too long for offsets of 32 bits counts as one without memory.
    pub(crate) fn error(self) -> Error {
        match self {
            BuildFailure::Memory | BuildFailure::Length => Error::Memory,
            BuildFailure::Defect => Error::Panic,
        }
    }
}

/// An image being written.
pub(crate) struct ImageWriter<W> {
    /// What is behind `end` is room.
    bytes: Vec<u8>,
    end: usize,
    /// Something was written where there is no room: a defect of the builder, found at the end.
    is_broken: bool,
    width: core::marker::PhantomData<W>,
}

/// `value` as an offset or slot.
#[inline]
pub(crate) fn fit<W: Width>(value: usize) -> Result<u32, BuildFailure> {
    if value as u64 >> (8 * W::LEN) == 0 {
        Ok(value as u32)
    } else {
        Err(BuildFailure::Length)
    }
}

impl<W: Width> ImageWriter<W> {
    /// The bytes after those asked for that may be written by the way.
    pub(crate) const SLACK: usize = 16;

    pub(crate) fn new(likely: usize) -> Result<ImageWriter<W>, BuildFailure> {
        let mut out = ImageWriter {
            bytes: Vec::new(),
            end: 0,
            is_broken: false,
            width: core::marker::PhantomData,
        };
        out.reserve(likely)?;
        Ok(out)
    }

    /// Makes room for `len` bytes, so that writing them cannot fail.
    #[inline]
    pub(crate) fn reserve(&mut self, len: usize) -> Result<(), BuildFailure> {
        if self.bytes.len() - self.end >= len {
            Ok(())
        } else {
            self.grow(len)
        }
    }

    #[cold]
    fn grow(&mut self, len: usize) -> Result<(), BuildFailure> {
        let len = (self.end + len).max(self.bytes.len() + self.bytes.len() / 4);
        self.bytes
            .try_reserve_exact(len - self.bytes.len())
            .map_err(|_| BuildFailure::Memory)?;
        self.bytes.resize(len, 0);
        Ok(())
    }

    /// Where what is written next will stand.
    #[inline]
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// The same as an offset.
    #[inline]
    pub(crate) fn offset(&self) -> Result<u32, BuildFailure> {
        fit::<W>(self.end)
    }

    #[inline]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), BuildFailure> {
        self.reserve(bytes.len())?;
        match self.bytes.get_mut(self.end..self.end + bytes.len()) {
            Some(place) => place.copy_from_slice(bytes),
            None => self.is_broken = true,
        }
        self.end += bytes.len();
        Ok(())
    }

    #[inline]
    pub(crate) fn byte(&mut self, byte: u8) -> Result<(), BuildFailure> {
        self.bytes(&[byte])
    }

    /// Room for `len` bytes, which the caller writes all, and [`ImageWriter::SLACK`] more, which are written over later.
    #[inline]
    pub(crate) fn room(&mut self, len: usize) -> Result<&mut [u8], BuildFailure> {
        self.reserve(len + Self::SLACK)?;
        let start = self.end;
        self.end += len;
        let room = self.bytes.get_mut(start..self.end + Self::SLACK);
        room.ok_or(BuildFailure::Defect)
    }

    /// Zeros, to be written over.
    #[inline]
    pub(crate) fn zeros(&mut self, count: usize) -> Result<(), BuildFailure> {
        self.reserve(count)?;
        match self.bytes.get_mut(self.end..self.end + count) {
            Some(place) => place.fill(0),
            None => self.is_broken = true,
        }
        self.end += count;
        Ok(())
    }

    /// An offset or slot.
    #[inline]
    pub(crate) fn width(&mut self, value: u32) -> Result<(), BuildFailure> {
        self.reserve(W::LEN)?;
        self.end += W::LEN;
        self.patch(self.end - W::LEN, value)
    }

    /// Writes an offset or slot over what stands at `at`.
    #[inline]
    pub(crate) fn patch(&mut self, at: usize, value: u32) -> Result<(), BuildFailure> {
        let bytes = fit::<W>(value as usize)?.to_le_bytes();
        self.overwrite(at, bytes.get(..W::LEN).ok_or(BuildFailure::Defect)?)
    }

    /// Writes over what stands at `at`.
    #[inline]
    pub(crate) fn overwrite(&mut self, at: usize, bytes: &[u8]) -> Result<(), BuildFailure> {
        let place = self.bytes.get_mut(at..at + bytes.len());
        place.ok_or(BuildFailure::Defect)?.copy_from_slice(bytes);
        Ok(())
    }

    /// Sets a bit of those that begin at `marks`.
    pub(crate) fn mark(&mut self, marks: usize, bit: usize) {
        match self.bytes.get_mut(marks + bit / 8) {
            Some(byte) => *byte |= 1 << (bit % 8),
            None => self.is_broken = true,
        }
    }

    /// The image, whose header is `head` but for the checksum.
    pub(crate) fn finish(mut self, head: &[u8; header::LEN]) -> Result<Vec<u8>, BuildFailure> {
        if self.is_broken || self.end > self.bytes.len() {
            return Err(BuildFailure::Defect);
        }
        self.bytes.truncate(self.end);
        *self.bytes.first_chunk_mut().ok_or(BuildFailure::Defect)? = *head;
        let checksum = super::checksum::compute(&self.bytes).to_le_bytes();
        let field = self
            .bytes
            .get_mut(header::CHECKSUM..)
            .ok_or(BuildFailure::Defect)?;
        *field.first_chunk_mut().ok_or(BuildFailure::Defect)? = checksum;
        Ok(self.bytes)
    }
}
