//! Input and output files, and their errors.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::Path;

use robots::FileKind;
use sha2::{Digest as _, Sha256};

use crate::fault::Fault;
use crate::screen;

/// The name of standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// Opens a file or standard input; returns its size if known.
pub(crate) fn open(path: &Path) -> Result<(Box<dyn Read + Send>, Option<u64>), Fault> {
    if path.as_os_str() == STANDARD_INPUT {
        return Ok((Box::new(io::stdin()), None));
    }
    let file = File::open(path).map_err(|error| cannot_read(path, &error))?;
    let about = file.metadata().map_err(|error| cannot_read(path, &error))?;
    if about.is_dir() {
        return Err(Fault::new(format!(
            "cannot read {}: it is a folder; name a file in it",
            shown(path)
        )));
    }
    Ok((Box::new(file), about.is_file().then_some(about.len())))
}

/// Reads the first `most` bytes of a file or of standard input.
pub(crate) fn read(path: &Path, most: usize) -> Result<Vec<u8>, Fault> {
    let (source, _) = open(path)?;
    let mut body = Vec::new();
    source
        .take(most as u64)
        .read_to_end(&mut body)
        .map_err(|error| cannot_read(path, &error))?;
    Ok(body)
}

pub(crate) fn cannot_read(path: &Path, error: &io::Error) -> Fault {
    let hint = match error.kind() {
        io::ErrorKind::NotFound => "; check the name (`-` is standard input)",
        io::ErrorKind::PermissionDenied => "; check its permissions",
        _ => "",
    };
    Fault::new(format!("cannot read {}: {error}{hint}", shown(path)))
}

/// Returns the name of a file for other programs: JSON and SARIF.
pub(crate) fn name(path: &Path) -> String {
    if path.as_os_str() == STANDARD_INPUT {
        "(standard input)".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Returns the name of a file for people. A line end in it would start a workflow command of GitHub Actions.
pub(crate) fn shown(path: &Path) -> String {
    screen::safe(name(path).as_bytes()).into_owned()
}

/// Returns the URL of a site: `example.com` is https://example.com.
pub(crate) fn site_url(site: &str) -> Result<String, Fault> {
    if site.starts_with(['/', '?', '#', '\\']) {
        return Err(Fault::new(format!(
            "{site}: a path names no site: give a URL, or a host such as example.com"
        )));
    }
    Ok(match site.contains("://") {
        true => site.to_owned(),
        false => format!("https://{site}"),
    })
}

/// Refuses to write over a file that is no text: what was read as its lines may be something else.
pub(crate) fn refuse_other_than_text(name: &str, body: &[u8]) -> Result<(), Fault> {
    let kind = FileKind::detect(body);
    let what = match kind.may_hold_rules() {
        false => kind.description(),
        true if body.contains(&0) => "a file with NUL bytes",
        true => return Ok(()),
    };
    Err(Fault::new(format!(
        "{name} stays as it is: it is {what}, not a robots.txt; write it as plain text in UTF-8 first"
    )))
}

/// Writes a file whole or not at all: beside it first, then it is renamed. A symbolic link stays, and so does the mode.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    whole(path, bytes).map_err(|error| {
        Fault::new(format!(
            "cannot write {}: {error}; check that its folder exists, is writable and has free space",
            shown(path)
        ))
    })
}

fn whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = match std::fs::metadata(path) {
        // A device or a pipe cannot be replaced.
        Ok(old) if !old.is_file() => return std::fs::write(path, bytes),
        old => old.ok(),
    };
    let target = match path.is_symlink() {
        true => path.canonicalize()?,
        false => path.to_owned(),
    };
    let folder = target
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let file = beside().tempfile_in(folder.unwrap_or(Path::new(".")));
    // Its message would name the file beside.
    let mut file = file.map_err(|error| error.kind())?;
    file.as_file_mut().write_all(bytes)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error.kind())?;
    Ok(())
}

/// Returns how the file beside is made: readable as other new files are, since a server must read it.
#[cfg(unix)]
fn beside() -> tempfile::Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut builder = tempfile::Builder::new();
    builder.permissions(std::fs::Permissions::from_mode(0o666));
    builder
}

#[cfg(not(unix))]
fn beside() -> tempfile::Builder<'static, 'static> {
    tempfile::Builder::new()
}

/// Returns the SHA-256 digest of bytes, in hexadecimal.
pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}
