//! From an image and a URL to the verdict.
//!
//! 1. [`check`] locates the path of the URL. Nearly every path is canonical as it is, and all clients read it alike.
//! 2. The literal rules are matched: [`literal`] walks through a hash trie.
//! 3. The wildcard rules are matched: [`wildcard`] scans a short list, and asks the n-gram index of a long one. [`pieces`] finds
//!    the pieces of a rule in the path, and says why the work is bounded.
//!
//! Of any other URL each reading is brought into canonical form in a buffer, and takes steps 2 and 3.
//!
//! Nothing here locks or backtracks. The buffers are on the stack, but those of a path of more than 16 KiB, because the thread of
//! a caller may have little stack left.

mod literal;
pub(crate) mod pieces;
mod wildcard;

use self::wildcard::Contest;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::limits::SAFE_PATH;
use crate::base::rule::{Priority, RuleRef};
use crate::base::verdict::{Reason, Verdict};
use crate::core::image::{View, header};
use crate::url::canonical::with_canonical;
use crate::url::path::UrlPath;
use crate::url::reading::{self, Reading};
use crate::url::target;

/// The verdict on a URL, and how it came about.
pub(crate) struct Decision {
    pub(crate) verdict: Verdict,
    /// Length of the URL prefix that determines the verdict: every URL of at most [`SAFE_PATH`] bytes with this prefix has it.
    /// 0 if that is not known.
    pub(crate) decisive: usize,
    /// Number of the reading that decided (SPEC 8.11); the URL as it is has the number 0.
    pub(crate) reading: usize,
    /// Number of steps. A step examines [`simd::BLOCK`](crate::bytes::simd::BLOCK) bytes, or does other work of about that cost.
    pub(crate) steps: usize,
}

impl Decision {
    fn new(verdict: Verdict) -> Decision {
        Decision {
            verdict,
            decisive: 0,
            reading: 0,
            steps: 0,
        }
    }
}

/// Checks a URL with the bytes of an image, of which the header is examined first.
#[inline(never)]
pub(crate) fn check_image(image: &[u8], url: &[u8]) -> Decision {
    match View::open(image) {
        Ok(image) => check(image, url),
        Err(error) => Decision::new(Verdict::from_error(error)),
    }
}

/// Checks a URL with an image, which need not be validated: the verdict of a damaged image is an error or wrong, and no more.
#[inline(always)]
pub(crate) fn check(image: View<'_>, url: &[u8]) -> Decision {
    let mut meter = Meter::new(image);
    let mut decision = match check_as_is(image, url, &mut meter) {
        Some(decision) => decision,
        None => check_readings(image, url, &mut meter),
    };
    decision.steps = meter.steps;
    decision
}

/// Checks a URL whose path is canonical and has one reading; `None` for any other.
#[inline(always)]
fn check_as_is(image: View<'_>, url: &[u8], meter: &mut Meter) -> Option<Decision> {
    let dialect = image.dialect()?;
    let range = target::range(url, dialect)?;
    let start = range.start;
    let mut short = [0; UrlPath::MIN];
    let path = UrlPath::new(url, range, &mut short)?;
    let bytes = path.path();
    let is_path = bytes.first() == Some(&b'/') && bytes.len() <= SAFE_PATH;
    if !is_path || !reading::is_canonical_and_single(bytes, dialect) {
        return None;
    }
    let matched = check_path(image, dialect, &path, Priority::MAX, meter);
    let matched = matched.unwrap_or_else(Matched::error);
    let decisive = matched.decisive.map_or(0, |len| start + len);
    Some(Decision {
        decisive,
        ..Decision::new(matched.verdict)
    })
}

/// Checks each reading of a URL: the first that is not allowed decides, else the second.
#[cold]
#[inline(never)]
fn check_readings(image: View<'_>, url: &[u8], meter: &mut Meter) -> Decision {
    let Some(dialect) = image.dialect() else {
        return Decision::new(Verdict::from_error(Error::Image));
    };
    let mut decision = Decision::new(Verdict::from_error(Error::Panic));
    let mut count = 0;
    let mut last = Priority::MAX;
    let refused = reading::each(url, dialect, |Reading { url, is_bare }| {
        meter.restart();
        meter.count(url.len());
        // What matches a path and does not end with it, matches each longer one. So rules of a higher priority than the
        // winner of the last reading, which is longer, cannot match.
        let below = if is_bare { last } else { Priority::MAX };
        let matched = with_canonical(url, dialect, |buffer, len| {
            let mut short = [0; UrlPath::MIN];
            let path = UrlPath::new(buffer, 0..len, &mut short).ok_or(Error::Panic)?;
            check_path(image, dialect, &path, below, meter)
        });
        let matched = matched.and_then(|matched| matched);
        let Matched {
            verdict, priority, ..
        } = matched.unwrap_or_else(Matched::error);
        last = priority;
        if count < 2 || !verdict.allowed() {
            decision = Decision {
                reading: count,
                ..Decision::new(verdict)
            };
        }
        count += 1;
        (!verdict.allowed()).then_some(())
    });
    match refused {
        Ok(_) => decision,
        Err(error) => Decision::new(Verdict::from_error(error)),
    }
}

/// The verdict on one canonical path.
struct Matched {
    verdict: Verdict,
    /// Priority of the rule that decided.
    priority: Priority,
    /// Length of the path prefix that determines the verdict; `None` if that is the whole path.
    decisive: Option<usize>,
}

impl Matched {
    fn error(error: Error) -> Matched {
        Matched {
            verdict: Verdict::from_error(error),
            priority: Priority::MAX,
            decisive: None,
        }
    }
}

/// Checks a canonical path. `below`: no rule of this priority or a higher one matches, except those that end with the path.
#[inline(always)]
fn check_path(
    image: View<'_>,
    dialect: Dialect,
    path: &UrlPath<'_>,
    below: Priority,
    meter: &mut Meter,
) -> Result<Matched, Error> {
    let first_match_wins = dialect.first_match_wins();
    let literal = literal::find(image, path, first_match_wins, meter).ok_or(Error::Image)?;
    let list = image.u32(header::WILDCARDS).ok_or(Error::Image)?;
    let bytes = path.path();
    let mut winner = literal.winner;
    if list != 0 {
        let contest = Contest { winner, below };
        winner = wildcard::find(image, list, bytes, contest, first_match_wins, meter)?;
    }
    let verdict = match winner.rule {
        _ if bytes == b"/robots.txt" && dialect.frees_robots_txt() => {
            Verdict::new(Reason::RobotsTxt, true, 0)
        }
        RuleRef::NONE => image.default_verdict(),
        rule => Verdict::from_rule(rule.allow(), rule.line()),
    };
    // A wildcard may match anywhere, and the whole path shows whether it is that of the robots.txt itself.
    let is_whole = list != 0 || bytes.get(1) == Some(&b'r') || literal.seen >= bytes.len();
    Ok(Matched {
        verdict,
        priority: winner.priority,
        // The byte after the `/` shows that it is not.
        decisive: (!is_whole).then(|| literal.seen.max(2)),
    })
}

/// The account of a check.
///
/// In an image of this library the nodes on a path, the rules of the list and the numbers of the index are disjoint, so a check
/// visits no byte twice. In a forged one nodes may overlap, or an index may name one rule 200,000 times. So each visit pays for its
/// bytes, and a check has as many as the image.
struct Meter {
    /// Number of bytes of the image.
    all: usize,
    /// Number of bytes left.
    bytes: usize,
    steps: usize,
}

impl Meter {
    #[inline(always)]
    fn new(image: View<'_>) -> Meter {
        let all = image.bytes().len();
        Meter {
            all,
            bytes: all,
            steps: 0,
        }
    }

    /// Pays for bytes of the image. `None` if too few are left: the image is damaged.
    #[inline(always)]
    fn pay(&mut self, bytes: usize) -> Option<()> {
        self.bytes = self.bytes.checked_sub(bytes)?;
        Some(())
    }

    /// Gives all bytes back, before nodes or the list are visited again from their start.
    #[inline(always)]
    fn restart(&mut self) {
        self.bytes = self.all;
    }

    /// Counts steps.
    #[inline(always)]
    fn count(&mut self, steps: usize) {
        self.steps += steps;
    }
}
