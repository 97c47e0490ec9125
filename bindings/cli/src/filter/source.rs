//! Finds out what a SOURCE of --robots is, and reads it.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;
use robots::Crawler;

use super::counts::LeftOut;
use super::item::{Content, Event, Item, Sink};
use super::site_names::keys_of_path;
use super::{archive, records, table};
use crate::fault::Fault;
use crate::input;

/// The bytes that show what a file is; the mark of a tar is at 257.
const START: usize = 512;

/// Returns how many bytes a source has, if it is a file.
pub(super) fn size(path: &Path) -> Option<u64> {
    let about = std::fs::metadata(path).ok()?;
    about.is_file().then_some(about.len())
}

/// A source, and how to read it.
pub(crate) struct Source<'s> {
    pub(crate) path: &'s Path,
    pub(crate) crawler: &'s Crawler,
    /// Bytes of a robots.txt to read.
    pub(crate) most: usize,
    pub(crate) now: u64,
    /// The bytes of the file that were read.
    pub(crate) bytes: &'s AtomicU64,
}

impl Source<'_> {
    /// Reads all items.
    pub(crate) fn read(&self, sink: &mut Sink<'_>) -> Result<(), Fault> {
        let (path, most) = (self.path, self.most);
        let of_reading = |error: io::Error| input::cannot_read(path, &error);
        let of_content = |error: String| Fault::new(format!("{}: {error}", input::shown(path)));
        if path.is_dir() {
            return folder(path, sink).map_err(of_reading);
        }
        let (kind, mut source) = open(path, self.bytes)?;
        let what = match kind {
            Kind::Warc => return archive::warc(&mut source, most, sink).map_err(of_reading),
            Kind::Tar => return archive::tar(&mut source, most, sink).map_err(of_reading),
            Kind::Records => {
                return records::read(&mut source, self.crawler, self.now, sink)
                    .map_err(of_content);
            }
            Kind::Table(separator) => {
                return table::read(&mut source, separator, most, sink).map_err(of_content);
            }
            Kind::Parquet => {
                "it is a Parquet file, which is not read: pipe it as CSV, as with \
                 examples/python/parquet_to_csv.py FILE | robots filter --robots -"
            }
            Kind::Other => {
                "it is no folder, tar, WARC file, CSV or TSV table with the columns origin and body, \
                 or file of records"
            }
        };
        Err(Fault::new(format!(
            "--robots {}: {what}",
            input::shown(path)
        )))
    }
}

/// Opens a file, and finds out what it holds.
pub(crate) fn open<'s>(
    path: &Path,
    bytes: &'s AtomicU64,
) -> Result<(Kind, impl BufRead + use<'s>), Fault> {
    let of_reading = |error: io::Error| input::cannot_read(path, &error);
    let (source, _) = input::open(path)?;
    let mut source = BufReader::with_capacity(1 << 17, Counted { source, bytes });
    let is_gzip = source
        .fill_buf()
        .map_err(of_reading)?
        .starts_with(&[0x1F, 0x8B]);
    let mut source: Box<dyn Read + 's> = if is_gzip {
        Box::new(MultiGzDecoder::new(source))
    } else {
        Box::new(source)
    };
    let mut start = Vec::new();
    (&mut source)
        .take(START as u64)
        .read_to_end(&mut start)
        .map_err(of_reading)?;
    let kind = Kind::of(&start);
    let source = Cursor::new(start).chain(source);
    Ok((kind, BufReader::with_capacity(1 << 17, source)))
}

/// Counts the bytes that are read.
pub(crate) struct Counted<'s> {
    pub(crate) source: Box<dyn Read + Send>,
    pub(crate) bytes: &'s AtomicU64,
}

impl Read for Counted<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(room)?;
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Warc,
    Tar,
    Records,
    Table(u8),
    Parquet,
    Other,
}

impl Kind {
    fn of(start: &[u8]) -> Kind {
        if start.starts_with(b"WARC/") {
            Kind::Warc
        } else if start.starts_with(b"rbto") {
            Kind::Records
        } else if start.starts_with(b"PAR1") {
            Kind::Parquet
        } else if start.get(257..262) == Some(b"ustar") {
            Kind::Tar
        } else {
            let line = start
                .split(|byte| *byte == b'\n')
                .next()
                .unwrap_or_default();
            table::separator(line).map_or(Kind::Other, Kind::Table)
        }
    }
}

/// Passes the files of a folder; threads read them.
fn folder(path: &Path, sink: &mut Sink<'_>) -> io::Result<()> {
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        let mut file = entry.path();
        if entry.file_type()?.is_dir() || file.is_dir() {
            file.push("robots.txt");
            if !file.is_file() {
                continue;
            }
        }
        let event = match keys_of_path(&file) {
            Some(keys) => Event::Item(Item {
                keys,
                date: None,
                content: Content::File(file),
            }),
            None => Event::LeftOut(LeftOut::Name, file.display().to_string()),
        };
        if !sink(event) {
            break;
        }
    }
    Ok(())
}
