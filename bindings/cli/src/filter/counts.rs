//! What the sources hold: the report on standard error.

use robots::OutcomeKind;

use crate::fault::complain;
use crate::screen::safe;

/// Why something is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeftOut {
    /// A file whose name is no host and no origin.
    Name,
    /// A record that is no longer usable, or of the future.
    Expired,
    /// A redirect whose target is in no source.
    Redirect,
    /// A row with the response of another page.
    Page,
}

/// A file that is perhaps not the one that its site serves: its name, and what it is.
#[derive(Clone)]
pub(super) struct Doubtful {
    pub(super) name: Box<str>,
    pub(super) what: &'static str,
}

/// How many sites there are.
#[derive(Default)]
pub(super) struct Counts {
    sites: u64,
    kinds: [u64; 5],
    /// How many were left out, by reason, and the first.
    left_out: [(u64, String); 4],
    /// How many files are no robots.txt, or damaged, and the first with what it is.
    doubtful: (u64, String),
}

impl Counts {
    pub(super) fn leave_out(&mut self, reason: LeftOut, name: String) {
        if let Some((count, first)) = self.left_out.get_mut(reason as usize) {
            if *count == 0 {
                *first = name;
            }
            *count += 1;
        }
    }

    /// Counts a body that is no robots.txt, or damaged. Crawlers read it all the same (SPEC 4.3).
    pub(super) fn add_doubtful(&mut self, file: &Doubtful) {
        let (count, first) = &mut self.doubtful;
        let text = format!("{} is {}", safe(file.name.as_bytes()), file.what);
        if *count == 0 || text < *first {
            *first = text;
        }
        *count += 1;
    }

    pub(super) fn add(&mut self, kind: OutcomeKind) {
        self.sites += 1;
        if let Some(count) = self.kinds.get_mut(kind as usize) {
            *count += 1;
        }
    }

    pub(super) fn report(&self) {
        let [rules, none, closed, defer, unreachable] = self.kinds;
        complain(&format!(
            "{} sites: {rules} with rules, {none} without a file, {closed} closed, {} unreachable",
            self.sites,
            defer + unreachable
        ));
        let (count, first) = &self.doubtful;
        if *count > 0 {
            complain(&format!(
                "files that are no robots.txt, or damaged: {count}; their valid lines count, so most allow more than the site does; the first: {first}"
            ));
        }
        let [name, expired, redirect, page] = &self.left_out;
        for ((count, first), what) in [
            (name, "not named after a host or an origin"),
            (expired, "records that have expired or are of the future"),
            (redirect, "redirects to a file that is not there"),
            (page, "rows of other pages"),
        ] {
            if *count > 0 {
                complain(&format!(
                    "left out: {count} {what}; the first: {}",
                    safe(first.as_bytes())
                ));
            }
        }
    }
}
