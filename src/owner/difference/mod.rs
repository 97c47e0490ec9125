//! The difference of two sets of rules: a shortest path on which they disagree, or the proof that there is none (SPEC 12).
//!
//! The naive form tries every path, by length. But a path matters only by what it leaves: the best rule so far of each side, and
//! how far each rule that could still beat it has matched. Two paths that leave the same are alike, whatever follows. There are few
//! such states, and [`search`] visits them breadth first. In a state the next byte is one that some rule waits for, or any other:
//! all others are alike, too.
//!
//! [`automaton`] has the states of rules, [`path`] those of a path.

mod answer;
mod automaton;
mod path;
mod search;

pub use self::answer::{Difference, DifferenceResult, DifferentPath};
use self::search::Comparison;
use crate::base::error::Error;
use crate::core::rules::Rules;

impl Rules {
    /// Returns a shortest path that these rules allow and `other` rules do not, or the reverse, or that there is none (SPEC 12).
    ///
    /// The rules may differ in file, crawler and dialect. The paths are all that a client sends unchanged: see SPEC 12.1.
    ///
    /// The search takes at most about a second and 64 MB. It decides nearly all real files in less than a millisecond.
    ///
    /// ```
    /// let crawler = robots::Crawler::new("ExampleBot")?;
    /// let old = crawler.parse("User-agent: *\nDisallow: /*.php\n");
    /// let new = crawler.parse("User-agent: *\nDisallow: /*.php\nAllow: /shopping/\n");
    /// let difference = old.difference(&new)?;
    /// let path = difference.paths().next().expect("they differ");
    /// assert_eq!(path.path(), "/shopping/.php");
    /// assert_eq!([path.verdicts()[0].allowed(), path.verdicts()[1].allowed()], [false, true]);
    /// assert_eq!(old.difference(&old)?.result(), robots::DifferenceResult::None);
    /// # Ok::<(), robots::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Image`] if an image is damaged or forged; [`Error::Memory`].
    pub fn difference(&self, other: &Rules) -> Result<Difference, Error> {
        Comparison::new([self, other])?.run()
    }
}

/// Returns whether two sets of rules agree on each path. `None` if that takes more than `steps`, which are decreased by those taken,
/// or states of more than `max_words` words.
pub(crate) fn agree(
    rules: [&Rules; 2],
    steps: &mut u64,
    max_words: usize,
) -> Result<Option<bool>, Error> {
    let mut search = Comparison::new(rules)?;
    (search.max_steps, search.max_paths) = (*steps, 1);
    search.max_words = max_words;
    let difference = search.run()?;
    *steps = steps.saturating_sub(search.steps);
    Ok(match difference.result() {
        DifferenceResult::NotDecided => None,
        result => Some(result == DifferenceResult::None),
    })
}
