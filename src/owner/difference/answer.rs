//! The answer to the question whether two sets of rules differ (SPEC 12.2, 12.3).

use crate::base::verdict::Verdict;

/// The difference of two sets of rules: see [`Rules::difference`](crate::Rules::difference).
#[derive(Clone, Debug, Default)]
pub struct Difference {
    pub(super) paths: Vec<DifferentPath>,
    pub(super) is_decided: bool,
}

/// A path on which two sets of rules disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferentPath {
    pub(super) path: String,
    pub(super) verdicts: [Verdict; 2],
}

codes! {
    /// The result of a search for a difference (SPEC 12.2, 12.3).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    pub enum DifferenceResult: robots_difference_code("ROBOTS_DIFFERENCE_") in difference, "Results of a search for a difference." {
        /// The search ended without an answer: the files are too large, or made to be hard to compare.
        NotDecided = 0 ROBOTS_DIFFERENCE_NOT_DECIDED,
        /// The rules agree on every path; this is proved.
        None = 1 ROBOTS_DIFFERENCE_NONE,
        /// The rules disagree on a path.
        Found = 2 ROBOTS_DIFFERENCE_FOUND,
    }
    ALL: pub(self), from_code: pub(self) u32
}

impl Difference {
    /// Returns whether the rules differ, or [`DifferenceResult::NotDecided`].
    pub fn result(&self) -> DifferenceResult {
        match (self.is_decided, self.paths.is_empty()) {
            (false, _) => DifferenceResult::NotDecided,
            (true, true) => DifferenceResult::None,
            (true, false) => DifferenceResult::Found,
        }
    }

    /// Returns paths on which the rules disagree; the first is a shortest path. Each further path is decided by a rule of
    /// either file that decides no earlier path of the list. The list may be incomplete: it may lack the paths of some such
    /// rules.
    pub fn paths(&self) -> impl ExactSizeIterator<Item = &DifferentPath> {
        self.paths.iter()
    }
}

impl DifferentPath {
    /// Returns the path and query, in ASCII.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the verdict of each set of rules. One verdict allows the path, the other does not.
    pub fn verdicts(&self) -> [Verdict; 2] {
        self.verdicts
    }
}
