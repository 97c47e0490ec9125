//! Files, and what goes wrong with them.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::fault::Fault;

/// The name of standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// A file or standard input, opened.
pub(crate) fn open(path: &Path) -> Result<(Box<dyn Read + Send>, Option<u64>), Fault> {
    if path.as_os_str() == STANDARD_INPUT {
        return Ok((Box::new(io::stdin()), None));
    }
    let file = File::open(path).map_err(|error| cannot_read(path, &error))?;
    let about = file.metadata().map_err(|error| cannot_read(path, &error))?;
    if about.is_dir() {
        return Err(Fault::new(format!(
            "cannot read {}: it is a folder; name a file in it",
            path.display()
        )));
    }
    Ok((Box::new(file), about.is_file().then_some(about.len())))
}

/// The first `most` octets of a file or of standard input, which may have no end.
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
        io::ErrorKind::NotFound => "; see that the name is right (`-` is standard input)",
        io::ErrorKind::PermissionDenied => "; see who may read it",
        _ => "",
    };
    Fault::new(format!("cannot read {}: {error}{hint}", path.display()))
}

/// How a file is called in what is printed.
pub(crate) fn name(path: &Path) -> String {
    if path.as_os_str() == STANDARD_INPUT {
        "(standard input)".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Writes a file anew.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    std::fs::write(path, bytes).map_err(|error| {
        Fault::new(format!(
            "cannot write {}: {error}; see that its folder is there and may be written to",
            path.display()
        ))
    })
}
