//! An audit of the page: blocks of files in, the report as JSON out.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use flate2::write::{MultiGzDecoder, ZlibDecoder};
use robots::{Capture, Dialect};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::auditor::{Auditor, fault_of_file};
use crate::escapes::safe;
use crate::evidence::Evidence;
use crate::html::{self, SHOWN_CRAWLERS, SHOWN_DAYS};
use crate::report::Report;
use crate::versions::{Version, Versions, host_of_site};

/// The lines that are kept of each broken rule of a crawler, and of all.
const LINES: usize = 20;
const ALL_LINES: usize = 5000;

/// The options of the page.
#[derive(Deserialize)]
struct Options {
    /// A host or a URL; empty: the file judges every host.
    site: String,
    /// Since when the file was served, in milliseconds since 1970.
    from: Option<i64>,
    /// Milliseconds.
    grace: i64,
    /// A token; empty: none.
    mine: String,
}

/// An audit, and the file that it reads.
pub(crate) struct Audit {
    auditor: Rc<RefCell<Auditor>>,
    packing: Packing,
    error: Option<io::Error>,
}

/// How the current file is packed.
enum Packing {
    /// No byte was read yet.
    Unknown,
    None,
    Gzip(MultiGzDecoder<Sink>),
    Zlib(ZlibDecoder<Sink>),
}

/// Where unpacked bytes go.
struct Sink {
    auditor: Rc<RefCell<Auditor>>,
    is_first: bool,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if std::mem::take(&mut self.is_first) && bytes.starts_with(b"WARC/") {
            return Err(unread("archive (WARC)"));
        }
        self.auditor.borrow_mut().feed(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn unread(what: &str) -> io::Error {
    io::Error::other(format!(
        "this page reads no {what}; the command `robots audit` does"
    ))
}

impl Audit {
    /// Creates an audit by the robots.txt of the editor.
    ///
    /// # Errors
    /// Options that are not valid, in words for the user.
    pub(crate) fn new(robots: &[u8], options: &[u8]) -> Result<Audit, String> {
        let options: Options =
            serde_json::from_slice(options).map_err(|error| error.to_string())?;
        let mine = Some(options.mine).filter(|mine| !mine.is_empty());
        if let Some(fault) = mine
            .as_ref()
            .and_then(|mine| Dialect::Rfc9309.token_fault(mine))
        {
            return Err(fault);
        }
        let version = Version {
            name: "robots.txt".to_owned(),
            host: None,
            from: options.from,
            capture: Capture {
                status: Some(200),
                body: Some(robots.to_vec().into()),
                ..Capture::default()
            },
        };
        let site = Some(host_of_site(&options.site)).filter(|site| !site.is_empty());
        let versions = Versions::new(vec![version], site, options.grace)?;
        let lines = (LINES, ALL_LINES);
        let auditor = Auditor::new(versions, mine, Evidence::default(), &[], lines);
        Ok(Audit {
            auditor: Rc::new(RefCell::new(auditor)),
            packing: Packing::Unknown,
            error: None,
        })
    }

    /// Begins a file.
    pub(crate) fn start_file(&mut self, name: &str) {
        self.auditor.borrow_mut().start_file(name);
        self.packing = Packing::Unknown;
        self.error = None;
    }

    /// Reads the next bytes of the file. Returns whether the rest can be read.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> bool {
        if self.error.is_none() {
            self.error = self.unpack(bytes).err();
        }
        self.error.is_none()
    }

    fn unpack(&mut self, bytes: &[u8]) -> io::Result<()> {
        if matches!(self.packing, Packing::Unknown) {
            let sink = Sink {
                auditor: Rc::clone(&self.auditor),
                is_first: true,
            };
            self.packing = match bytes {
                [0x1F, 0x8B, ..] => Packing::Gzip(MultiGzDecoder::new(sink)),
                [0x78, 0x01 | 0x5E | 0x9C | 0xDA, ..] => Packing::Zlib(ZlibDecoder::new(sink)),
                [0x28, 0xB5, 0x2F, 0xFD, ..] => return Err(unread("zstd")),
                _ if bytes.starts_with(b"WARC/") => return Err(unread("archive (WARC)")),
                _ => Packing::None,
            };
        }
        match &mut self.packing {
            Packing::Gzip(decoder) => decoder.write_all(bytes),
            Packing::Zlib(decoder) => decoder.write_all(bytes),
            Packing::Unknown | Packing::None => {
                self.auditor.borrow_mut().feed(bytes);
                Ok(())
            }
        }
    }

    /// Ends the file. `cut`: why its end was not read; empty if it was. Returns what is wrong with the file as a whole; empty for
    /// nothing.
    pub(crate) fn end_file(&mut self, cut: &str) -> String {
        let end = match std::mem::replace(&mut self.packing, Packing::Unknown) {
            Packing::Gzip(mut decoder) => decoder.try_finish(),
            Packing::Zlib(mut decoder) => decoder.try_finish(),
            Packing::Unknown | Packing::None => Ok(()),
        };
        let cut = (!cut.is_empty()).then(|| io::Error::other(cut));
        let error = self.error.take().or(cut).or(end.err());
        let requests = self.auditor.borrow_mut().end_file();
        let error = error.as_ref().map(|error| error as _);
        fault_of_file(requests, error).unwrap_or_default()
    }

    /// Returns how many lines were read.
    pub(crate) fn lines(&self) -> u64 {
        self.auditor.borrow().lines
    }

    /// Ends the audit, and returns its report as JSON.
    pub(crate) fn report(&self) -> String {
        self.auditor.borrow_mut().finish();
        let auditor = self.auditor.borrow();
        let report = Report::of(&auditor);
        let crawlers =
            report.crawlers.iter().take(SHOWN_CRAWLERS).map(
                |it| json!({"title": it.title(), "details": it.details(), "counts": it.json()}),
            );
        let most_broken = report
            .most_broken()
            .into_iter()
            .map(|(it, rule)| json!({"title": it.title(), "rule": rule}));
        let html = html::page(&report);
        let mut shown = json!({
            "summary": report.summary(),
            "whole": report.whole(),
            "crawlers": crawlers.collect::<Vec<_>>(),
            "crawler_count": report.crawlers.len(),
            "purposes": report.purposes(),
            "days": report.days().into_iter().take(SHOWN_DAYS).collect::<Vec<_>>(),
            "most_broken": most_broken.collect::<Vec<_>>(),
            "lines": LINES,
        });
        escape(&mut shown);
        if let Value::Object(shown) = &mut shown {
            shown.insert("html".to_owned(), html.into());
        }
        shown.to_string()
    }
}

/// Escapes the control characters of all texts.
fn escape(value: &mut Value) {
    match value {
        Value::String(text) => *text = safe(text.as_bytes()).into_owned(),
        Value::Array(values) => values.iter_mut().for_each(escape),
        Value::Object(values) => values.values_mut().for_each(escape),
        _ => {}
    }
}
