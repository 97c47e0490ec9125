//! Reads the logs: plain or compressed, lines or records of an archive.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::{MultiGzDecoder, ZlibDecoder};
use ruzstd::decoding::FrameDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};

use super::auditor::{Auditor, fault_of_file};
use super::warc;
use crate::fault::{Fault, complain};
use crate::filter::source::Counted;
use crate::input;
use crate::progress::Progress;

/// Bytes that are read at once.
const BLOCK: usize = 1 << 17;

/// Reads a log. Returns false if only a part of it could be read, which is reported.
pub(super) fn read(path: &Path, auditor: &mut Auditor) -> Result<bool, Fault> {
    let (source, size) = input::open(path)?;
    let bytes = AtomicU64::new(0);
    let counted = Counted {
        source,
        bytes: &bytes,
    };
    let mut progress = Progress::new(size, "lines");
    let mut advance = |auditor: &Auditor| {
        progress.advance(bytes.swap(0, Ordering::Relaxed), auditor.lines);
    };
    auditor.start_file(&input::name(path));
    let done = unpacked(BufReader::with_capacity(BLOCK, counted))
        .and_then(|mut source| read_unpacked(&mut *source, auditor, &mut advance));
    drop(progress);
    let requests = auditor.end_file();
    let error = done.as_ref().err().map(|error| error as _);
    let fault = fault_of_file(requests, error);
    if let Some(fault) = &fault {
        let more = match done {
            Ok(()) => "; `robots help audit` lists the formats, and --field names other fields",
            Err(_) => "",
        };
        complain(&format!("{}: {fault}{more}", input::shown(path)));
    }
    Ok(fault.is_none())
}

fn read_unpacked(
    source: &mut dyn BufRead,
    auditor: &mut Auditor,
    advance: &mut dyn FnMut(&Auditor),
) -> io::Result<()> {
    if source.fill_buf()?.starts_with(b"WARC/") {
        return warc::read(source, auditor, advance);
    }
    loop {
        let block = source.fill_buf()?;
        let len = block.len();
        if len == 0 {
            return Ok(());
        }
        auditor.feed(block);
        source.consume(len);
        advance(auditor);
    }
}

/// Returns a reader of the decompressed bytes.
fn unpacked<'s>(mut source: impl BufRead + 's) -> io::Result<Box<dyn BufRead + 's>> {
    let start = source.fill_buf()?;
    let reader: Box<dyn Read + 's> = match start {
        [0x1F, 0x8B, ..] => Box::new(MultiGzDecoder::new(source)),
        [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => {
            Box::new(Zstd::new(source))
        }
        // The usual window, and each level.
        [0x78, 0x01 | 0x5E | 0x9C | 0xDA, ..] => Box::new(Zlib(Some(ZlibDecoder::new(source)))),
        _ => return Ok(Box::new(source)),
    };
    Ok(Box::new(BufReader::with_capacity(BLOCK, reader)))
}

/// Members of zlib, one after the other.
struct Zlib<S>(Option<ZlibDecoder<S>>);

impl<S: BufRead> Read for Zlib<S> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.0 {
            let count = decoder.read(room)?;
            if count > 0 || room.is_empty() {
                return Ok(count);
            }
            let mut source = self.0.take().map(ZlibDecoder::into_inner);
            if let Some(source) =
                source.take_if(|source| source.fill_buf().is_ok_and(|it| !it.is_empty()))
            {
                self.0 = Some(ZlibDecoder::new(source));
            }
        }
        Ok(0)
    }
}

/// Frames of zstd, one after the other.
struct Zstd<S> {
    source: S,
    decoder: FrameDecoder,
}

impl<S: BufRead> Zstd<S> {
    fn new(source: S) -> Zstd<S> {
        let decoder = FrameDecoder::new();
        Zstd { source, decoder }
    }

    /// Begins the next frame; false at the end.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => crate::filter::archive::skip(&mut self.source, length.into())?,
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }
}

impl<S: BufRead> Read for Zstd<S> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        use ruzstd::decoding::BlockDecodingStrategy::UptoBytes;
        loop {
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(room);
            }
            if self.decoder.is_finished() {
                if !self.next_frame()? {
                    return Ok(0);
                }
                continue;
            }
            let decoded = self
                .decoder
                .decode_blocks(&mut self.source, UptoBytes(room.len()));
            decoded.map_err(io::Error::other)?;
        }
    }
}
