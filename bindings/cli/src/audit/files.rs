//! The files of --robots: a robots.txt, a folder of dated ones, or captures.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use robots::{Capture, Crawler, parse_date};

use super::versions::{Version, host_of_site};
use crate::fault::{Fault, complain};
use crate::filter::item::{Content, Event};
use crate::filter::source::{self, Kind, Source};
use crate::input;
use crate::screen::safe;
use crate::subject;

/// Bytes of a robots.txt that are read: more than any crawler reads.
const MOST: usize = 512_001;

/// Reads a value of --robots: `[HOST=]FILE[@DATE]`.
pub(super) fn read(value: &str, all: &mut Vec<Version>) -> Result<(), Fault> {
    let (host, rest) = match value.split_once('=') {
        Some((host, rest)) if !Path::new(value).exists() => (Some(host_of_site(host)), rest),
        _ => (None, value),
    };
    let dated = rest.rsplit_once('@').filter(|_| !Path::new(rest).exists());
    let (path, from) = match dated {
        Some((path, date)) => {
            let from = milliseconds(date);
            let what =
                "what follows @ is no date: write FILE@2026-11-01 or FILE@2026-11-01T12:00:00Z";
            let from = from.ok_or_else(|| Fault::of_option("--robots", value, what))?;
            (Path::new(path), Some(from))
        }
        None => (Path::new(rest), None),
    };
    if path.is_dir() {
        return folder(path, host.as_deref(), all);
    }
    let is_input = path.as_os_str() == input::STANDARD_INPUT;
    if !is_input && from.is_none() && path.is_file() {
        let (kind, _) = source::open(path, &AtomicU64::new(0))?;
        if kind != Kind::Other {
            return captures(path, all);
        }
    }
    all.push(Version {
        name: input::name(path),
        host,
        from,
        capture: file(path)?,
    });
    Ok(())
}

fn file(path: &Path) -> Result<Capture<'static>, Fault> {
    let body = subject::read_body(path, MOST)?;
    Ok(Capture {
        status: Some(200),
        body: Some(body.into()),
        ..Capture::default()
    })
}

fn milliseconds(date: &str) -> Option<i64> {
    i64::try_from(parse_date(date)? / 1_000_000).ok()
}

/// Reads a folder of files with dates in their names, such as `robots-2026-11-01.txt`.
fn folder(path: &Path, host: Option<&str>, all: &mut Vec<Version>) -> Result<(), Fault> {
    let of_reading = |error| input::cannot_read(path, &error);
    let entries = std::fs::read_dir(path).map_err(of_reading)?;
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(of_reading)?;
    paths.retain(|path| path.is_file());
    paths.sort();
    let before = all.len();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(from) = date_in(&name) else {
            complain(&format!(
                "{} is left out: its name has no date such as 2026-11-01",
                input::shown(&path)
            ));
            continue;
        };
        all.push(Version {
            name: input::name(&path),
            host: host.map(str::to_owned),
            from: Some(from),
            capture: file(&path)?,
        });
    }
    if all.len() == before {
        return Err(Fault::new(format!(
            "--robots {}: no file in this folder has a date in its name, such as robots-2026-11-01.txt",
            input::shown(path)
        )));
    }
    Ok(())
}

/// Returns the first date in a name: `2026-11-01`, `20261101`, each perhaps with a time.
fn date_in(name: &str) -> Option<i64> {
    let starts = name
        .char_indices()
        .filter(|(_, first)| first.is_ascii_digit());
    starts.into_iter().find_map(|(start, _)| {
        let lengths = [20, 19, 16, 15, 14, 10, 8];
        lengths
            .into_iter()
            .find_map(|len| milliseconds(name.get(start..start + len)?))
    })
}

/// Reads captures, as `robots filter` does. Those of http and https are of one host, because logs seldom name the scheme.
fn captures(path: &Path, all: &mut Vec<Version>) -> Result<(), Fault> {
    let crawler = Crawler::without_token();
    let source = Source {
        path,
        crawler: &crawler,
        most: MOST,
        now: crate::clock::now(),
        bytes: &AtomicU64::new(0),
    };
    let (before, mut left_out) = (all.len(), 0_u64);
    let mut fault = None;
    source.read(&mut |event| {
        let Event::Item(item) = event else {
            left_out += 1;
            return true;
        };
        let key = item.keys.first().map(|key| &**key).unwrap_or_default();
        let is_robots = Capture::key_of_origin(key).as_deref() == Some(key);
        let date = item
            .date
            .and_then(|date| i64::try_from(date / 1_000_000).ok());
        let capture = match item.content {
            Content::Capture(capture) => Some(capture),
            Content::Message(message, is_cut) => {
                match Capture::of_message(key, &message, MOST - 1, is_cut) {
                    Ok(capture) => Some(capture),
                    Err(error) => {
                        fault = Some(Fault::new(format!("{key}: {error}")));
                        return false;
                    }
                }
            }
            Content::File(_) | Content::Outcome(_) => None,
        };
        match capture.filter(|_| is_robots) {
            Some(capture) => all.push(Version {
                name: format!("{} of {}", key, input::name(path)),
                host: Some(host_of_site(key)),
                from: date,
                capture,
            }),
            None => left_out += 1,
        }
        true
    })?;
    if let Some(fault) = fault {
        return Err(fault);
    }
    // Two captures of one time, as of http and https, are one.
    let mut seen = std::collections::HashSet::new();
    let mut index = 0;
    all.retain(|version| {
        index += 1;
        index <= before || seen.insert((version.host.clone(), version.from))
    });
    if left_out > 0 {
        complain(&format!(
            "{}: left out: {left_out} records that are no robots.txt",
            safe(path.as_os_str().as_encoded_bytes())
        ));
    }
    if all.len() == before {
        return Err(Fault::new(format!(
            "--robots {}: it holds no capture of a robots.txt",
            input::shown(path)
        )));
    }
    Ok(())
}
