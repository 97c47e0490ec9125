//! Records of a cache in a file: each follows its length, four bytes big-endian, as in Java and Go.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use robots::{Cache, Error};

/// The result of [`load`].
#[derive(Default)]
pub(crate) struct Loaded {
    pub(crate) imported: usize,
    pub(crate) foreign: usize,
    pub(crate) damaged: usize,
    pub(crate) no_room: usize,
}

/// Writes a file beside `path`, syncs it and renames it. Returns the number of records.
pub(crate) fn save(cache: &Cache, path: &Path) -> io::Result<usize> {
    let (beside, file) = create_beside(path)?;
    let saved = write(cache, file).and_then(|count| {
        fs::rename(&beside, path)?;
        sync_folder(path)?;
        Ok(count)
    });
    if saved.is_err() {
        // The error of the save says more than that of the removal.
        let _ = fs::remove_file(&beside);
    }
    saved
}

fn write(cache: &Cache, file: File) -> io::Result<usize> {
    let (mut out, mut count) = (BufWriter::new(file), 0);
    for record in cache.export() {
        let len = u32::try_from(record.len()).map_err(io::Error::other)?;
        out.write_all(&len.to_be_bytes())?;
        out.write_all(&record)?;
        count += 1;
    }
    out.into_inner()?.sync_all()?;
    Ok(count)
}

/// Creates a file in the folder of `path` whose name no other thread or process uses.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    for number in 0_u32.. {
        let mut beside = OsString::from(name);
        beside.push(format!(".{}.{number}.new", std::process::id()));
        let beside = path.with_file_name(beside);
        match File::create_new(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (),
            created => return Ok((beside, created?)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Makes the new name durable. Windows opens no folder as a file.
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) && folder.as_os_str().is_empty() => File::open(".")?.sync_all(),
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

/// Imports the records of a file. The inner error is one that no record causes.
pub(crate) fn load(cache: &Cache, path: &Path) -> io::Result<Result<Loaded, Error>> {
    let file = File::open(path)?;
    let mut left = file.metadata()?.len();
    let mut file = BufReader::new(file);
    let mut loaded = Loaded::default();
    while left > 0 {
        let mut len = [0; 4];
        let is_whole = left >= 4 && {
            file.read_exact(&mut len)?;
            left -= 4;
            u64::from(u32::from_be_bytes(len)) <= left
        };
        if !is_whole {
            // Without its length, nothing after it can be read.
            loaded.damaged += 1;
            break;
        }
        let mut record = vec![0; u32::from_be_bytes(len) as usize];
        file.read_exact(&mut record)?;
        left -= record.len() as u64;
        match cache.import(&record) {
            Ok(()) => loaded.imported += 1,
            Err(Error::ImageFormat) => loaded.foreign += 1,
            Err(Error::Image | Error::Argument) => loaded.damaged += 1,
            Err(Error::Memory) => loaded.no_room += 1,
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(loaded))
}
