//! A cache in a file: whole, cut, damaged; a full cache; saves that fail.

use super::*;
use robots::cache::LoadedRecords;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

const SITES: usize = 5;
/// Bytes before the first record, and before each record.
const HEADER: usize = 16;
const FRAME: usize = 12;

/// A folder of its own for each test, which is removed with it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(test: &str) -> Self {
        let name = format!("librobots-{test}-{}", std::process::id());
        let folder = Folder(std::env::temp_dir().join(name));
        fs::create_dir_all(&folder.0).unwrap();
        folder
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.0.join("cache.records")
    }

    fn names(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.0).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn filled(sites: usize) -> Cache {
    let cache = cache();
    for number in 0..sites {
        let site = format!("https://site-{number}.example");
        let status = [200, 404, 503][number % 3];
        cache
            .import(outcome(&site, status, NOW).encode().unwrap())
            .unwrap();
    }
    // A site with a slot, and no outcome.
    let _ = cache.retry_after("https://paced.example", 429, "9", NOW * 1_000);
    cache
}

fn records(cache: &Cache) -> Vec<Vec<u8>> {
    let mut records: Vec<_> = cache.export().collect();
    records.sort();
    records
}

/// Returns what a file with these bytes brings, and whether its records are all of `all`.
#[track_caller]
fn load(file: &PathBuf, bytes: &[u8], all: &[Vec<u8>]) -> LoadedRecords {
    fs::write(file, bytes).unwrap();
    let cache = cache();
    let loaded = cache.load(file).unwrap();
    let records = records(&cache);
    assert_eq!(records.len(), loaded.imported);
    assert!(records.iter().all(|record| all.contains(record)));
    loaded
}

#[test]
fn a_saved_and_loaded_cache_has_the_same_records() {
    let folder = Folder::new("same");
    for count in [0, SITES, 3_000] {
        let cache = filled(count);
        assert_eq!(cache.save(folder.file()).unwrap(), count + 1);
        let again = super::cache();
        let loaded = again.load(folder.file()).unwrap();
        assert_eq!((loaded.imported, loaded.damaged), (count + 1, 0));
        assert_eq!(records(&cache), records(&again));
        assert_eq!(folder.names(), [folder.file()]);
    }
    // Other crawlers.
    let other = Cache::new(&[Crawler::new("OtherBot").unwrap()], 1 << 20).unwrap();
    assert_eq!(other.load(folder.file()).unwrap().foreign, 3_001);
    assert!(other.is_empty());
}

#[test]
fn what_is_cut_loses_only_what_was_cut() {
    let folder = Folder::new("cut");
    let cache = filled(SITES);
    cache.save(folder.file()).unwrap();
    let (bytes, all) = (fs::read(folder.file()).unwrap(), records(&cache));
    let mut ends = vec![HEADER];
    for record in cache.export() {
        ends.push(ends.last().unwrap() + FRAME + record.len());
    }
    for cut in 0..=bytes.len() {
        let loaded = load(&folder.file(), &bytes[..cut], &all);
        let whole = ends.iter().filter(|end| **end <= cut).count();
        let expected = (whole.saturating_sub(1), usize::from(!ends.contains(&cut)));
        assert_eq!((loaded.imported, loaded.damaged), expected, "cut at {cut}");
    }
    // Bytes that are missing within the file take the records that they belong to.
    for from in (HEADER..bytes.len()).step_by(5) {
        for missing in [1, 40] {
            let to = (from + missing).min(bytes.len());
            let touched = ends.windows(2).filter(|at| at[0] < to && from < at[1]);
            let lost = touched.count();
            let rest = [&bytes[..from], &bytes[to..]].concat();
            let loaded = load(&folder.file(), &rest, &all);
            assert!(loaded.imported + lost >= all.len(), "{from} to {to}");
        }
    }
}

#[test]
fn a_changed_byte_loses_one_record() {
    let folder = Folder::new("changed");
    let cache = filled(SITES);
    cache.save(folder.file()).unwrap();
    let (mut bytes, all) = (fs::read(folder.file()).unwrap(), records(&cache));
    for at in 0..bytes.len() {
        for change in [1, 0x80] {
            bytes[at] ^= change;
            if at < 8 {
                // Not a file of this version.
                fs::write(folder.file(), &bytes).unwrap();
                let error = super::cache().load(folder.file()).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::InvalidData);
            } else {
                let loaded = load(&folder.file(), &bytes, &all);
                let kept = if at < HEADER { 0 } else { all.len() - 1 };
                let found = (loaded.imported, loaded.damaged + loaded.foreign);
                assert_eq!(found, (kept, 1), "byte {at} ^ {change:#x}");
            }
            bytes[at] ^= change;
        }
    }
}

/// A site cannot put a record into its robots.txt that damage makes one of the file.
#[test]
fn a_record_within_a_record_is_not_loaded() {
    let folder = Folder::new("within");
    let hostile = outcome("https://victim.example", 404, NOW)
        .encode()
        .unwrap();
    let len = u32::try_from(hostile.len()).unwrap();
    let mut inner = vec![0; 8];
    inner.extend(len.to_le_bytes());
    inner.extend(&hostile);
    let (first, cache) = (filled(SITES), super::cache());
    first.save(folder.file()).unwrap();
    let mut bytes = fs::read(folder.file()).unwrap();
    bytes.splice(HEADER + FRAME + 40.., inner);
    fs::write(folder.file(), bytes).unwrap();
    assert_eq!(cache.load(folder.file()).unwrap().imported, 0);
}

#[test]
fn a_full_cache_counts_the_records_without_room() {
    let folder = Folder::new("full");
    filled(3_000).save(folder.file()).unwrap();
    let small = Cache::new(&crawlers(), 100_000).unwrap();
    let loaded = small.load(folder.file()).unwrap();
    assert!(loaded.imported > 0 && loaded.no_room > 0);
    assert_eq!(loaded.imported + loaded.no_room, 3_001);
    assert_eq!(small.len(), loaded.imported);
}

/// A save replaces what a file has, and not what the path is.
#[cfg(unix)]
#[test]
fn a_save_keeps_links_and_permissions_and_replaces_no_device() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("kinds");
    let cache = filled(SITES);
    let target = folder.0.join("target");
    fs::write(&target, "old").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("target", folder.file()).unwrap();
    assert_eq!(cache.save(folder.file()).unwrap(), SITES + 1);
    let about = fs::symlink_metadata(folder.file()).unwrap();
    assert!(about.is_symlink(), "the link stays");
    let mode = fs::metadata(&target).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(super::cache().load(&target).unwrap().imported, SITES + 1);
    let device = std::path::Path::new("/dev/null");
    let link = folder.0.join("device");
    symlink(device, &link).unwrap();
    for path in [device, &link] {
        assert_eq!(
            cache.save(path).unwrap_err().kind(),
            ErrorKind::InvalidInput
        );
    }
    assert_eq!(folder.names().len(), 3, "nothing stays beside");
}

#[test]
fn a_save_that_fails_leaves_the_old_file() {
    let folder = Folder::new("fails");
    let cache = filled(SITES);
    cache.save(folder.file()).unwrap();
    let old = fs::read(folder.file()).unwrap();
    // A save that was interrupted left a part beside.
    fs::write(folder.0.join("cache.records.1.new"), &old[..20]).unwrap();
    let again = super::cache();
    assert_eq!(again.load(folder.file()).unwrap().imported, SITES + 1);
    // The folder of a file is a file; there is no such folder; the file is a folder.
    let absent = folder.0.join("absent/cache.records");
    for (path, kind) in [
        (folder.file().join("x"), ErrorKind::NotADirectory),
        (absent, ErrorKind::NotFound),
        (folder.0.join(".."), ErrorKind::InvalidInput),
    ] {
        assert_eq!(cache.save(&path).unwrap_err().kind(), kind);
        if kind != ErrorKind::InvalidInput {
            assert_eq!(cache.load(&path).unwrap_err().kind(), kind);
        }
    }
    let taken = folder.0.join("taken");
    fs::create_dir_all(taken.join("x")).unwrap();
    assert!(cache.save(&taken).is_err());
    assert_eq!(fs::read(folder.file()).unwrap(), old);
    assert_eq!(folder.names().len(), 3, "no part of a failed save stays");
}
