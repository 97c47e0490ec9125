//! Decodes gzip (RFC 1952), for a body that the HTTP client did not decode (SPEC 2.17).
//!
//! A body is a sequence of members. A member is a header, a deflate stream, and the CRC-32 and the length of its text.
//! `miniz_oxide` decodes the streams. This file reads headers, CRC-32 and length, which show whether the text is complete.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use super::outcome::Cause;
use crate::base::error::Error;

pub(super) const MAGIC: &[u8] = &[0x1F, 0x8B];
const DEFLATE: u8 = 8;

/// The flags of a header.
mod flag {
    pub(super) const HEADER_CRC: u8 = 2;
    pub(super) const EXTRA: u8 = 4;
    pub(super) const NAME: u8 = 8;
    pub(super) const COMMENT: u8 = 16;
    pub(super) const RESERVED: u8 = 0xE0;
}

/// Returns an upper bound on the length of a body whose text has `limit` bytes. Deflate's fixed Huffman code has up to 9 bits
/// for a byte, so the body may be an eighth longer than the text. 64 KiB more are for headers.
pub(super) fn longest_body(limit: usize) -> usize {
    limit.saturating_add(limit / 8).saturating_add(1 << 16)
}

/// Why a body has no text.
pub(super) enum Fault {
    Memory,
    /// The body ends within a member.
    Cut,
    /// The body is not gzip, or the checksum or length of its text is wrong.
    Damaged,
}

impl Fault {
    /// Returns the cause of the outcome, or [`Error::Memory`].
    pub(super) fn cause(self) -> Result<Cause, Error> {
        match self {
            Fault::Memory => Err(Error::Memory),
            Fault::Cut => Ok(Cause::Truncated),
            Fault::Damaged => Ok(Cause::EncodedBody),
        }
    }
}

/// Decodes the members of a body until the text has `limit` bytes, and ignores the rest of the body.
pub(super) fn decode(body: &[u8], limit: usize) -> Result<Vec<u8>, Fault> {
    let mut reader = MemberReader { rest: body };
    let mut text = Vec::new();
    // The decoder takes 11 KiB of the stack.
    let mut decoder = DecompressorOxide::new();
    while !reader.rest.is_empty() {
        reader.header()?;
        let start = text.len();
        decoder.init();
        if !reader.inflate(&mut decoder, &mut text, limit)? {
            break;
        }
        let member = text.get(start..).unwrap_or_default();
        let sum = u32::from_le_bytes(reader.take()?);
        // A member states its length modulo 2^32.
        let len = u32::from_le_bytes(reader.take()?);
        if sum != crc32(member) || len != member.len() as u32 {
            return Err(Fault::Damaged);
        }
    }
    Ok(text)
}

/// Decodes a body of the coding `deflate`: a zlib stream, or the raw deflate stream that some servers send. Returns `None` if
/// the body is not exactly one stream.
pub(crate) fn inflated(body: &[u8], limit: usize) -> Option<Vec<u8>> {
    const ADLER: usize = 4;
    let (stream, frame) = match body {
        [first, second, stream @ ..]
            if first & 0x0F == DEFLATE && u16::from_be_bytes([*first, *second]) % 31 == 0 =>
        {
            (stream, ADLER)
        }
        stream => (stream, 0),
    };
    let mut reader = MemberReader { rest: stream };
    let mut text = Vec::new();
    let has_ended = reader.inflate(&mut DecompressorOxide::new(), &mut text, limit);
    let is_one = !has_ended.ok()? || reader.rest.len() == frame;
    is_one.then_some(text)
}

/// The bytes of a body that are not read yet.
struct MemberReader<'a> {
    rest: &'a [u8],
}

impl<'a> MemberReader<'a> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Fault::Cut)?;
        self.rest = rest;
        Ok(*taken)
    }

    fn skip(&mut self, len: usize) -> Result<(), Fault> {
        self.rest = self.rest.get(len..).ok_or(Fault::Cut)?;
        Ok(())
    }

    /// Skips a NUL-terminated text.
    fn skip_text(&mut self) -> Result<(), Fault> {
        let end = memchr::memchr(0, self.rest).ok_or(Fault::Cut)?;
        self.skip(end + 1)
    }

    fn header(&mut self) -> Result<(), Fault> {
        let header = self.rest;
        if !MAGIC.starts_with(header.get(..MAGIC.len()).unwrap_or(header)) {
            return Err(Fault::Damaged);
        }
        self.skip(MAGIC.len())?;
        let [method, flags] = self.take()?;
        if method != DEFLATE || flags & flag::RESERVED != 0 {
            return Err(Fault::Damaged);
        }
        // The time, compression level and operating system.
        self.skip(6)?;
        let has = |flag| flags & flag != 0;
        if has(flag::EXTRA) {
            let len = u16::from_le_bytes(self.take()?);
            self.skip(len.into())?;
        }
        for text in [flag::NAME, flag::COMMENT] {
            if has(text) {
                self.skip_text()?;
            }
        }
        if has(flag::HEADER_CRC) {
            let len = header.len() - self.rest.len();
            let low = crc32(header.get(..len).unwrap_or_default()) & 0xFFFF;
            if u32::from(u16::from_le_bytes(self.take()?)) != low {
                return Err(Fault::Damaged);
            }
        }
        Ok(())
    }

    /// Appends the text of a deflate stream. Returns whether the stream ended before the text had `limit` bytes.
    fn inflate(
        &mut self,
        decoder: &mut DecompressorOxide,
        text: &mut Vec<u8>,
        limit: usize,
    ) -> Result<bool, Fault> {
        let start = text.len();
        let mut end = start;
        // The output buffer starts small, because a body may have thousands of empty members.
        let mut room = 1 << 12;
        loop {
            let len = end.saturating_add(room).min(limit);
            text.try_reserve(len.saturating_sub(text.len()))
                .map_err(|_| Fault::Memory)?;
            text.resize(len, 0);
            let output = text.get_mut(start..).unwrap_or_default();
            let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
            let (status, read, written) =
                decompress(decoder, self.rest, output, end - start, flags);
            self.skip(read)?;
            end += written;
            match status {
                TINFLStatus::Done => {
                    text.truncate(end);
                    return Ok(end < limit);
                }
                TINFLStatus::HasMoreOutput if end >= limit => return Ok(false),
                TINFLStatus::HasMoreOutput => room = room.saturating_mul(2),
                TINFLStatus::FailedCannotMakeProgress => return Err(Fault::Cut),
                _ => return Err(Fault::Damaged),
            }
        }
    }
}

/// Returns the CRC-32 of gzip, computed bit by bit: this is fast enough for a file of a few KiB.
fn crc32(bytes: &[u8]) -> u32 {
    let bit = |crc: u32| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| bit(crc))
    })
}
