//! The audit: bytes of logs in, counts out. It does no I/O, so that a page can run it, too.

use std::collections::HashMap;

use super::crawlers::{Crawlers, OTHERS, PEOPLE};
use super::entry::{Entry, UNREAD, Unread};
use super::evidence::{Evidence, STANDINGS, Standing};
use super::fields::{Names, Slot};
use super::formats::LineReader;
use super::row::{EXAMPLE, LINE, Place, Row};
use super::versions::{Judgement, UNJUDGED, Unjudged, Versions};

/// The longest line that is read.
const LONGEST_LINE: usize = 256 * 1024;

/// The most hosts that are distinguished, pairs of a crawler and a host whose gaps are measured, and broken rules of all crawlers.
const MOST_HOSTS: usize = 1000;
const MOST_GAPS: usize = 10_000;
const MOST_BROKEN: usize = 50_000;

/// The first line of a kind, and how many there are.
#[derive(Clone, Default)]
pub(super) struct Example {
    pub(super) count: u64,
    pub(super) file: String,
    pub(super) line: u64,
    pub(super) text: Vec<u8>,
}

/// An audit.
pub(super) struct Auditor {
    reader: LineReader,
    pub(super) crawlers: Crawlers,
    pub(super) versions: Versions,
    /// By crawler and standing.
    pub(super) rows: Vec<[Option<Box<Row>>; STANDINGS.len()]>,
    /// The hosts that crawlers requested; an empty one for lines without a host.
    hosts: HashMap<Box<[u8]>, u16>,
    /// Room for more gaps and broken rules.
    gap_room: usize,
    broken_room: usize,
    /// The most lines that are kept of each broken rule of a crawler, and room for more lines.
    lines_of_rule: usize,
    line_room: usize,
    /// Forbidden requests whose rule is not listed, because there are too many.
    pub(super) unlisted: u64,
    pub(super) unread: [Example; UNREAD.len()],
    pub(super) unjudged: [Example; UNJUDGED.len()],
    /// Requests, and lines or records of all files.
    pub(super) requests: u64,
    pub(super) lines: u64,
    /// First and last time.
    pub(super) span: Option<(i64, i64)>,
    file: String,
    /// Number of the line in its file.
    line: u64,
    /// Requests of the file.
    in_file: u64,
    /// The start of a line whose end was not read yet.
    rest: Vec<u8>,
    /// The next bytes are the rest of a line that is too long.
    is_passing: bool,
}

impl Auditor {
    /// Creates an audit. `mine`: the token of the crawler of the caller; `fields`: names of fields that count before the known ones;
    /// `lines`: the most lines that are kept of each broken rule of a crawler, and of all.
    pub(super) fn new(
        versions: Versions,
        mine: Option<String>,
        evidence: Evidence,
        fields: &[(Slot, String)],
        lines: (usize, usize),
    ) -> Auditor {
        Auditor {
            reader: LineReader::new(Names::new(fields)),
            crawlers: Crawlers::new(mine, versions.named(), evidence),
            versions,
            rows: Vec::new(),
            hosts: HashMap::new(),
            gap_room: MOST_GAPS,
            broken_room: MOST_BROKEN,
            lines_of_rule: lines.0,
            line_room: lines.1,
            unlisted: 0,
            unread: Default::default(),
            unjudged: Default::default(),
            requests: 0,
            lines: 0,
            span: None,
            file: String::new(),
            line: 0,
            in_file: 0,
            rest: Vec::new(),
            is_passing: false,
        }
    }

    /// Begins a file.
    pub(super) fn start_file(&mut self, name: &str) {
        name.clone_into(&mut self.file);
        self.line = 0;
        self.in_file = 0;
        self.reader.start_file();
    }

    /// Ends a file, whose last line may have no line feed. Returns how many requests it has.
    pub(super) fn end_file(&mut self) -> u64 {
        self.end_line(&[]);
        self.in_file
    }

    /// Reads bytes of a file, which may end within a line.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let mut bytes = bytes;
        if self.is_passing || !self.rest.is_empty() {
            let Some(end) = memchr::memchr(b'\n', bytes) else {
                return self.keep(bytes);
            };
            self.end_line(bytes.get(..end).unwrap_or_default());
            bytes = bytes.get(end + 1..).unwrap_or_default();
        }
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.read_line(bytes.get(..end).unwrap_or_default());
            bytes = bytes.get(end + 1..).unwrap_or_default();
        }
        self.keep(bytes);
    }

    /// Keeps the start of a line; of a line that is too long, only what is shown.
    fn keep(&mut self, bytes: &[u8]) {
        if self.rest.len() + bytes.len() > LONGEST_LINE {
            self.is_passing = true;
        }
        if !self.is_passing || self.rest.is_empty() {
            let most = if self.is_passing {
                EXAMPLE
            } else {
                bytes.len()
            };
            self.rest
                .extend_from_slice(bytes.get(..most).unwrap_or(bytes));
        }
    }

    fn end_line(&mut self, end: &[u8]) {
        self.keep(end);
        let line = std::mem::take(&mut self.rest);
        if std::mem::take(&mut self.is_passing) {
            self.line += 1;
            self.lines += 1;
            self.leave_out(Unread::Long, &line);
        } else if !line.is_empty() {
            self.read_line(&line);
        }
        self.rest = line;
        self.rest.clear();
    }

    fn read_line(&mut self, line: &[u8]) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        self.line += 1;
        self.lines += 1;
        if line.len() > LONGEST_LINE {
            return self.leave_out(Unread::Long, line);
        }
        match self.reader.read(line) {
            Ok(Some(entry)) => self.count(&entry, line),
            Ok(None) => {}
            Err(why) => self.leave_out(why, line),
        }
    }

    /// Counts a record of an archive, `None`: it cannot be read.
    pub(super) fn record(&mut self, entry: Result<&Entry<'_>, &[u8]>) {
        self.line += 1;
        self.lines += 1;
        match entry {
            Ok(entry) => self.count(entry, &entry.target),
            Err(text) => self.leave_out(Unread::Record, text),
        }
    }

    fn leave_out(&mut self, why: Unread, line: &[u8]) {
        if let Some(example) = self.unread.get_mut(why as usize) {
            example.add(&self.file, self.line, line);
        }
    }

    /// Counts a request. `text`: its line.
    fn count(&mut self, entry: &Entry<'_>, text: &[u8]) {
        self.requests += 1;
        self.in_file += 1;
        let ms = entry.time.ms;
        self.span = Some(
            self.span
                .map_or((ms, ms), |(first, last)| (first.min(ms), last.max(ms))),
        );
        let index = self.crawlers.find(entry.agent.as_deref());
        let Some(found) = self.crawlers.all.get(index) else {
            return;
        };
        let standing = found.proof.standing(entry.address.as_deref());
        let (judgement, delay) = match index {
            PEOPLE => (None, None),
            OTHERS => (Some(Judgement::Unjudged(Unjudged::Others)), None),
            _ if found
                .preset
                .is_some_and(|preset| preset.ignores_robots_txt()) =>
            {
                (Some(Judgement::Unjudged(Unjudged::Ignores)), None)
            }
            _ => {
                let (judgement, delay) = self.versions.judge(index, &found.reader, entry);
                (Some(judgement), delay)
            }
        };
        if self.rows.len() <= index {
            self.rows.resize_with(index + 1, Default::default);
        }
        let Some(place) = self
            .rows
            .get_mut(index)
            .and_then(|row| row.get_mut(standing as usize))
        else {
            return;
        };
        let row = place.get_or_insert_default();
        let day = row.add(entry, self.requests);
        if let (Some(day), Some(Judgement::Forbidden(..))) = (day, judgement) {
            day.forbidden += 1;
        }
        match judgement {
            None => return,
            Some(Judgement::Unjudged(why)) => {
                row.not_judged += 1;
                if let Some(example) = self.unjudged.get_mut(why as usize) {
                    let host = entry.normal_host().filter(|_| why == Unjudged::Host);
                    example.add(
                        &self.file,
                        self.line,
                        host.as_deref().unwrap_or(&entry.target),
                    );
                }
            }
            Some(Judgement::RobotsTxt) => {}
            Some(Judgement::Allowed) => row.judged += 1,
            Some(Judgement::Forbidden(version, line)) => {
                row.judged += 1;
                row.forbidden += 1;
                let at = (version, line);
                match row.broken(at, &entry.target, &mut self.broken_room) {
                    None => self.unlisted += 1,
                    Some(broken) => {
                        broken.count += 1;
                        if broken.lines.len() < self.lines_of_rule && self.line_room > 0 {
                            self.line_room -= 1;
                            broken.lines.push(Place {
                                file: self.file.clone(),
                                line: self.line,
                                text: text.get(..LINE).unwrap_or(text).into(),
                            });
                        }
                    }
                }
            }
        }
        row.delay = row.delay.max(delay);
        if index == OTHERS {
            return;
        }
        let host = entry.normal_host().unwrap_or_default();
        let host = match self.hosts.get(&*host) {
            Some(host) => *host,
            None if self.hosts.len() >= MOST_HOSTS => return,
            None => {
                let next = self.hosts.len() as u16;
                self.hosts.insert(host.into(), next);
                next
            }
        };
        row.gaps.add(host, entry.time, delay, &mut self.gap_room);
    }

    /// Counts what waits.
    pub(super) fn finish(&mut self) {
        for row in self.rows.iter_mut().flatten().flatten() {
            row.gaps.finish();
        }
    }

    /// Returns how many hosts crawlers requested, at most 1,000.
    pub(super) fn host_count(&self) -> usize {
        self.hosts.keys().filter(|host| !host.is_empty()).count()
    }

    /// Returns how many requests of the caller's crawler were judged, and how many were not.
    pub(super) fn mine(&self) -> (u64, u64) {
        let all = self.crawlers.all.iter().zip(&self.rows);
        let mine = all.filter(|(found, _)| found.is_mine);
        let rows = mine.flat_map(|(_, rows)| rows.iter().flatten());
        rows.fold((0, 0), |(judged, not), row| {
            (judged + row.judged, not + row.not_judged)
        })
    }

    /// Returns whether a verified crawler, or that of the caller, requested a forbidden URL.
    pub(super) fn accuses(&self) -> bool {
        let mut all = self.crawlers.all.iter().zip(&self.rows);
        all.any(|(found, rows)| {
            let mut rows = STANDINGS.iter().zip(rows);
            rows.any(|(standing, row)| {
                let is_forbidden = row.as_ref().is_some_and(|row| row.forbidden > 0);
                is_forbidden && (found.is_mine || *standing == Standing::Verified)
            })
        })
    }
}

/// Returns what is wrong with a file as a whole, if anything. `error`: why its end was not read.
pub(super) fn fault_of_file(
    requests: u64,
    error: Option<&dyn std::fmt::Display>,
) -> Option<String> {
    match error {
        Some(error) => Some(format!(
            "only {requests} requests were read: {error}; what follows is not in the counts"
        )),
        None => (requests == 0).then(|| "no line is a request in a known format".to_owned()),
    }
}

impl Example {
    fn add(&mut self, file: &str, line: u64, text: &[u8]) {
        if self.count == 0 {
            file.clone_into(&mut self.file);
            self.line = line;
            self.text = text.get(..EXAMPLE).unwrap_or(text).to_vec();
        }
        self.count += 1;
    }
}
