//! Saves and loads the records of a cache in one file. A new file is written in the same folder, then renamed to the name of
//! the old file.
//!
//! | bytes | what |
//! |---|---|
//! | 4, 4 | magic, `rbtc`; version, 1 |
//! | 8 | mark of the file, a random number |
//! | 8, 4 | for each record: the mark plus the length of the record; the length |
//! | | the record: [`Cache::export`] |
//!
//! Numbers are little-endian. After a damaged record, a reader searches for the mark to find the next record. No site knows the
//! mark, so no robots.txt can contain bytes that look like a record of another site.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Read, Write as _};
use std::path::Path;

use super::{Cache, Export};
use crate::base::error::Error;
use crate::bytes::try_alloc::reserved;

const MAGIC: &[u8; 8] = b"rbtc\x01\0\0\0";
const HEADER: usize = MAGIC.len() + 8;
const FRAME: usize = 12;
/// Number of bytes in one write or read. A longer record is written or read as a whole.
const BUFFER: usize = 1 << 16;

/// Counts of the records in a file, by result: [`Cache::load`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadedRecords {
    /// Number of records that were imported.
    pub imported: usize,
    /// Number of records of another format version or other crawlers.
    pub foreign: usize,
    /// Number of damaged places; each holds one record or several.
    pub damaged: usize,
    /// Number of records that the cache had no room for.
    pub no_room: usize,
}

impl Cache {
    /// Saves the records of [`Cache::export`] to a file and returns their number. The file is written whole or not at all:
    /// after an error, or if the process ends early, the old file is unchanged. The file keeps its permissions, and a symbolic
    /// link at `path` stays a link. If two processes save to one path, the save that ends last wins. Other threads may use the
    /// cache during the save; the file may lack their changes.
    ///
    /// # Errors
    /// Errors of the file system; [`ErrorKind::InvalidInput`] if `path` exists and is no regular file;
    /// [`ErrorKind::OutOfMemory`]; [`Error::InvalidState`] in a forked child, as the inner error.
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<usize> {
        self.save_to(path.as_ref())
    }

    fn save_to(&self, path: &Path) -> io::Result<usize> {
        self.expect_own_process().map_err(io::Error::other)?;
        if path.file_name().is_none() {
            return Err(ErrorKind::InvalidInput.into());
        }
        let link = fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink());
        let target = link.then(|| fs::canonicalize(path)).transpose()?;
        let path = target.as_deref().unwrap_or(path);
        let old = fs::metadata(path).ok();
        // If `path` is a folder, the rename fails.
        if old
            .as_ref()
            .is_some_and(|old| !old.is_file() && !old.is_dir())
        {
            return Err(ErrorKind::InvalidInput.into());
        }
        let mark = RandomState::new().hash_one(0);
        let mut beside = OsString::new();
        beside
            .try_reserve(path.as_os_str().len() + 32)
            .map_err(no_memory)?;
        beside.push(path);
        // The process id is in the name, because a forked child may have the same random numbers as its parent.
        let process = std::process::id();
        write!(beside, ".{process:x}-{:08x}.new", mark >> 32).map_err(io::Error::other)?;
        let file = File::create_new(&beside)?;
        if let Some(old) = old.filter(fs::Metadata::is_file) {
            // The permissions of another owner's file cannot always be set.
            let _ = file.set_permissions(old.permissions());
        }
        let saved = write_records(file, mark, self.export()).and_then(|count| {
            fs::rename(&beside, path)?;
            Ok(count)
        });
        if saved.is_err() {
            // An error of this removal is ignored: the error of the save says more.
            let _ = fs::remove_file(&beside);
        }
        let saved = saved?;
        sync_folder(path)?;
        Ok(saved)
    }

    /// Imports each record of a file that [`Cache::save`] wrote, like [`Cache::import`]. A record that cannot be imported is
    /// counted and skipped.
    ///
    /// # Errors
    /// Errors of the file system, such as [`ErrorKind::NotFound`]; the records read before the error stay imported.
    /// [`ErrorKind::InvalidData`] for a file of another format; [`ErrorKind::OutOfMemory`]; [`Error::InvalidState`] in a forked
    /// child, as the inner error.
    pub fn load(&self, path: impl AsRef<Path>) -> io::Result<LoadedRecords> {
        self.expect_own_process().map_err(io::Error::other)?;
        let file = File::open(path.as_ref())?;
        // Number of bytes of damaged records that may be searched for a frame (mark and length). This bound keeps the time
        // linear in the length of the file.
        let mut budget = file.metadata()?.len();
        let mut input = Input::new(file)?;
        let mut loaded = LoadedRecords::default();
        let header = input.peek(HEADER)?;
        if !MAGIC.starts_with(header) && !header.starts_with(MAGIC) {
            return Err(io::Error::new(ErrorKind::InvalidData, Error::ImageFormat));
        }
        let mark = header.get(MAGIC.len()..).map(<[u8; 8]>::try_from);
        let Some(Ok(mark)) = mark.map(|mark| mark.map(u64::from_le_bytes)) else {
            loaded.damaged = 1;
            return Ok(loaded);
        };
        input.skip(HEADER);
        // Adjacent damaged records count as one place.
        let mut is_lost = false;
        loop {
            let frame = input.peek(FRAME)?;
            let Some(len) = frame_length(frame, mark) else {
                loaded.damaged += usize::from(!is_lost && !frame.is_empty());
                if frame.len() < FRAME {
                    return Ok(loaded);
                }
                is_lost = true;
                input.skip(1);
                continue;
            };
            is_lost = false;
            let whole = FRAME.saturating_add(len);
            let record = input.peek(whole)?.get(FRAME..).unwrap_or_default();
            match self.import(record) {
                Ok(()) => loaded.imported += 1,
                Err(Error::Memory) => loaded.no_room += 1,
                Err(error @ Error::InvalidState) => return Err(io::Error::other(error)),
                Err(error) => {
                    match error {
                        Error::ImageFormat if record.len() == len => loaded.foreign += 1,
                        _ => loaded.damaged += 1,
                    }
                    // If bytes of this record are missing, the next record starts within this record's stated length. So search
                    // from here.
                    if let Some(rest) = budget.checked_sub(len as u64) {
                        budget = rest;
                        is_lost = true;
                        input.skip(FRAME);
                        continue;
                    }
                }
            }
            input.skip(whole);
        }
    }
}

fn write_records(mut file: File, mark: u64, mut records: Export) -> io::Result<usize> {
    let mut pending = reserved(BUFFER).map_err(no_memory)?;
    let mut put = |bytes: &[u8]| {
        if pending.len() + bytes.len() > BUFFER {
            file.write_all(&pending)?;
            pending.clear();
        }
        match bytes.len() {
            ..=BUFFER => pending.extend_from_slice(bytes),
            _ => file.write_all(bytes)?,
        }
        io::Result::Ok(())
    };
    put(MAGIC)?;
    put(&mark.to_le_bytes())?;
    let mut count = 0;
    while let Some(record) = records.next_record() {
        let record = record.map_err(no_memory)?;
        let len = u32::try_from(record.len()).map_err(io::Error::other)?;
        put(&mark.wrapping_add(len.into()).to_le_bytes())?;
        put(&len.to_le_bytes())?;
        put(&record)?;
        count += 1;
    }
    file.write_all(&pending)?;
    file.sync_all()?;
    Ok(count)
}

/// Returns the length of the record after a frame; `None` if these bytes are not a whole frame.
fn frame_length(frame: &[u8], mark: u64) -> Option<usize> {
    let (sum, len) = frame.split_first_chunk()?;
    let len = u32::from_le_bytes(len.try_into().ok()?);
    let is_frame = u64::from_le_bytes(*sum) == mark.wrapping_add(len.into());
    is_frame.then_some(len as usize)
}

/// A file that is read from its start to its end.
struct Input {
    file: File,
    bytes: Vec<u8>,
    /// Start of the unread bytes in `bytes`.
    start: usize,
}

impl Input {
    fn new(file: File) -> io::Result<Input> {
        let bytes = reserved(BUFFER).map_err(no_memory)?;
        Ok(Input {
            file,
            bytes,
            start: 0,
        })
    }

    /// Returns the next `len` bytes, fewer at the end of the file.
    fn peek(&mut self, len: usize) -> io::Result<&[u8]> {
        let has = self.bytes.len() - self.start;
        if has < len {
            self.bytes.drain(..self.start);
            self.start = 0;
            let missing = (len - has).max(BUFFER - has.min(BUFFER));
            let file = &self.file;
            file.take(missing as u64).read_to_end(&mut self.bytes)?;
        }
        let unread = self.bytes.get(self.start..).unwrap_or_default();
        Ok(unread.get(..len).unwrap_or(unread))
    }

    fn skip(&mut self, len: usize) {
        self.start = self.start.saturating_add(len).min(self.bytes.len());
    }
}

/// Makes a new name in a folder durable. Windows cannot open a folder as a file.
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) && folder.as_os_str().is_empty() => File::open(".")?.sync_all(),
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

fn no_memory<E>(_: E) -> io::Error {
    ErrorKind::OutOfMemory.into()
}
