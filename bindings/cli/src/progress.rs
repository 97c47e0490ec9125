//! A progress line on standard error, for terminals.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// A run that ends before this shows nothing.
const FIRST: Duration = Duration::from_millis(700);
const BETWEEN: Duration = Duration::from_millis(100);

/// The progress of a run.
pub(crate) struct Progress {
    is_shown: bool,
    started: Instant,
    next: Instant,
    /// Bytes of the input, if known.
    total: Option<u64>,
    bytes: u64,
    /// What is counted.
    unit: &'static str,
    /// A line is on the terminal.
    stands: bool,
}

impl Progress {
    /// Shows progress only if standard error is a terminal and standard output is not.
    pub(crate) fn new(total: Option<u64>, unit: &'static str) -> Progress {
        let is_shown = io::stderr().is_terminal() && !io::stdout().is_terminal();
        let started = Instant::now();
        Progress {
            is_shown,
            started,
            next: started + FIRST,
            total,
            bytes: 0,
            unit,
            stands: false,
        }
    }

    /// Adds `bytes`; `lines` is the total so far.
    pub(crate) fn advance(&mut self, bytes: u64, lines: u64) {
        self.bytes += bytes;
        if !self.is_shown {
            return;
        }
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + BETWEEN;
        self.stands = true;
        let text = line(self.bytes, self.total, lines, self.unit, now - self.started);
        // Progress is optional: errors are ignored.
        let _ = write!(io::stderr(), "\r{text}\x1b[K");
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.stands {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// `[=======>            ]  38 %  12.3 M URLs  9.8 M/s`
fn line(bytes: u64, total: Option<u64>, lines: u64, unit: &str, time: Duration) -> String {
    const WIDTH: usize = 20;
    let rate = lines as f64 / time.as_secs_f64().max(0.001);
    let counts = format!("{} {unit}  {}/s", millions(lines as f64), millions(rate));
    match total.filter(|total| *total > 0) {
        None => counts,
        Some(total) => {
            let part = (bytes as f64 / total as f64).min(1.0);
            let done = (part * WIDTH as f64) as usize;
            let bar = format!("{}>", "=".repeat(done.min(WIDTH - 1)));
            format!("[{bar:<WIDTH$}] {:3.0} %  {counts}", part * 100.0)
        }
    }
}

fn millions(count: f64) -> String {
    match count {
        _ if count >= 1e6 => format!("{:.1} M", count / 1e6),
        _ if count >= 1e3 => format!("{:.1} k", count / 1e3),
        _ => format!("{count:.0}"),
    }
}
