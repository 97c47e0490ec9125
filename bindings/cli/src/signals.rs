//! The lines Content-Signal and Content-Usage of a crawler that change between two files.

use std::collections::HashMap;

use robots::{Crawler, ExtensionField, Extensions};

use crate::fault::Fault;
use crate::file_groups::FileGroups;

/// A line that only one of two files has.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Signal {
    /// Whether the new file has it.
    pub(crate) is_new: bool,
    pub(crate) line: u32,
    /// The line as it stands in its file; a long line is cut.
    pub(crate) text: String,
}

/// Returns the lines of a crawler that only one of two files has, in file order: first those of the old file.
pub(crate) fn changes(crawler: &Crawler, files: [&FileGroups; 2]) -> Result<Vec<Signal>, Fault> {
    let is_signal = |field: ExtensionField| {
        matches!(
            field,
            ExtensionField::ContentSignal | ExtensionField::ContentUsage
        )
    };
    let has_one = |file: &&FileGroups| file.extensions().any(|(_, field)| is_signal(field));
    if !files.iter().any(has_one) {
        return Ok(Vec::new());
    }
    let read = |file: &FileGroups| {
        let all = Extensions::parse(crawler, file.body());
        let all = all.map_err(|error| Fault::new(error.to_string()))?;
        let own = all.lines().filter(|line| is_signal(line.field));
        // White space changes nothing.
        let squeezed = |value: &[u8]| -> Vec<u8> {
            let bytes = value.iter().filter(|byte| !byte.is_ascii_whitespace());
            bytes.copied().collect()
        };
        let own = own.map(|line| ((line.field.name(), squeezed(line.value)), line.line));
        Ok::<Vec<_>, Fault>(own.collect())
    };
    let [old_file, new_file] = files;
    let (old, new) = (read(old_file)?, read(new_file)?);
    let signal = |is_new: bool, line: u32| Signal {
        is_new,
        line,
        text: if is_new { new_file } else { old_file }.shown(line),
    };
    // How often the new file has each line, less those that the old file has.
    let mut left: HashMap<_, usize> = HashMap::new();
    for (key, _) in &new {
        *left.entry(key).or_default() += 1;
    }
    let mut signals = Vec::new();
    for (key, line) in &old {
        match left.get_mut(key).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => signals.push(signal(false, *line)),
        }
    }
    // Of equal lines the last ones are new.
    let mut added = Vec::new();
    for (key, line) in new.iter().rev() {
        if let Some(count) = left.get_mut(key).filter(|count| **count > 0) {
            *count -= 1;
            added.push(signal(true, *line));
        }
    }
    signals.extend(added.into_iter().rev());
    Ok(signals)
}
