//! From an image and a URL to the verdict.
//!
//! 1. [`check`] locates the path of the URL. Nearly every path is canonical and has one reading: all clients send this path
//!    unchanged.
//! 2. [`literal`] matches the literal rules: it walks through a hash trie.
//! 3. [`wildcard`] matches the wildcard rules: it scans a list of up to 64 rules, and looks up a longer list by its n-gram
//!    index. [`pieces`] finds the pieces of a rule in the path. The page of [`pieces`] shows why the work is bounded.
//!
//! For every other path, the canonical form of each reading is written to a buffer, and steps 2 and 3 check this form.
//!
//! A check takes no lock and does not backtrack. If the URL and its canonical form have at most 16 KiB each, all buffers are on
//! the stack (SPEC 8.12).

mod literal;
mod meter;
pub(crate) mod pieces;
mod wildcard;

use self::meter::Meter;
use self::wildcard::Contest;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::rule::{Priority, RuleRef};
use crate::base::verdict::{Reason, Verdict};
use crate::core::image::{View, header};
use crate::url::canonical::with_canonical;
use crate::url::path::{UrlPath, WORD};
use crate::url::reading::{self, Reading};
use crate::url::target;

/// The verdict on a URL, and facts about the decision.
pub(crate) struct Decision {
    pub(crate) verdict: Verdict,
    /// Length of the URL prefix that determines the verdict: every URL that starts with this prefix, has one reading, and has
    /// at most [`SAFE_PATH`](crate::base::limits::SAFE_PATH) bytes has this verdict. 0 if the length is unknown.
    pub(crate) decisive: usize,
    /// Number of the deciding reading, counted over distinct readings (SPEC 8.11). Number 0 is the URL as it is.
    pub(crate) reading: usize,
    /// Number of steps. A step examines [`simd::BLOCK`](crate::bytes::simd::BLOCK) bytes, or has about the same cost.
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

/// Checks a URL with the bytes of an image. The header of the image is validated first.
#[inline(never)]
pub(crate) fn check_image(image: &[u8], url: &[u8]) -> Decision {
    match View::open(image) {
        Ok(image) => check(image, url, None),
        Err(error) => Decision::new(Verdict::from_error(error)),
    }
}

/// Checks a URL. If the image is damaged, the verdict may be an error or wrong, but the call is safe and bounded.
/// `start`: the length of scheme and authority, if the caller knows it.
#[inline(always)]
pub(crate) fn check(image: View<'_>, url: &[u8], start: Option<usize>) -> Decision {
    let mut meter = Meter::new(image);
    let mut decision = match check_as_is(image, url, start, &mut meter) {
        Some(decision) => decision,
        None => check_readings(image, url, &mut meter),
    };
    decision.steps = meter.steps;
    decision
}

/// Checks a URL whose path is canonical and has one reading; `None` for any other URL.
#[inline(always)]
fn check_as_is(
    image: View<'_>,
    url: &[u8],
    start: Option<usize>,
    meter: &mut Meter,
) -> Option<Decision> {
    let dialect = image.dialect()?;
    let range = match start {
        Some(start) if dialect != Dialect::Google => start..url.len(),
        _ => target::range(url, dialect)?,
    };
    let start = range.start;
    let mut short = [0; WORD];
    let path = UrlPath::new(url, range, &mut short)?;
    let bytes = path.path();
    if !reading::is_matched_as_is(bytes, dialect) {
        return None;
    }
    let matched = check_path(image, dialect, &path, Priority::MAX, meter);
    let matched = matched.unwrap_or_else(PathDecision::error);
    let decisive = matched.decisive.map_or(0, |len| start + len);
    Some(Decision {
        decisive,
        ..Decision::new(matched.verdict)
    })
}

/// Checks each reading of a URL. The first reading that is not allowed decides. If all readings are allowed, the second reading
/// decides. A single reading decides alone.
#[cold]
#[inline(never)]
fn check_readings(image: View<'_>, url: &[u8], meter: &mut Meter) -> Decision {
    let Some(dialect) = image.dialect() else {
        return Decision::new(Verdict::from_error(Error::Image));
    };
    let mut decision = None;
    let mut count = 0;
    let mut last = Priority::MAX;
    let refused = reading::each(url, dialect, |Reading { url, is_bare }| {
        meter.restart(image);
        meter.count(url.len());
        // If `is_bare`, the last reading was this path with a `?` at its end. Each rule without an end anchor that matches this
        // path also matched the last reading. So none of these rules has a higher priority than the last winner.
        let below = if is_bare { last } else { Priority::MAX };
        let matched = with_canonical(url, dialect, |buffer, len| {
            let mut short = [0; WORD];
            #[allow(clippy::expect_used, reason = "an invariant")]
            let path = UrlPath::new(buffer, 0..len, &mut short)
                .expect("the canonical path is in its buffer");
            check_path(image, dialect, &path, below, meter)
        });
        let matched = matched.and_then(|matched| matched);
        let PathDecision {
            verdict, priority, ..
        } = matched.unwrap_or_else(PathDecision::error);
        last = priority;
        if count < 2 || !verdict.allowed() {
            decision = Some(Decision {
                reading: count,
                ..Decision::new(verdict)
            });
        }
        count += 1;
        (!verdict.allowed()).then_some(())
    });
    #[allow(clippy::expect_used, reason = "an invariant")]
    match refused {
        Ok(_) => decision.expect("the URL as it is is a reading"),
        Err(error) => Decision::new(Verdict::from_error(error)),
    }
}

/// The verdict on one canonical path.
struct PathDecision {
    verdict: Verdict,
    priority: Priority,
    /// Length of the path prefix that determines the verdict; `None` if only the whole path determines it.
    decisive: Option<usize>,
}

impl PathDecision {
    fn error(error: Error) -> PathDecision {
        PathDecision {
            verdict: Verdict::from_error(error),
            priority: Priority::MAX,
            decisive: None,
        }
    }
}

/// Checks a canonical path. `below`: an upper bound on the priority of each matching rule without an end anchor.
#[inline(always)]
fn check_path(
    image: View<'_>,
    dialect: Dialect,
    path: &UrlPath<'_>,
    below: Priority,
    meter: &mut Meter,
) -> Result<PathDecision, Error> {
    let first_match_wins = dialect.first_match_wins();
    let literal = literal::find(image, path, first_match_wins, meter).ok_or(Error::Image)?;
    let list = image.u32(header::WILDCARDS).ok_or(Error::Image)?;
    let bytes = path.path();
    let mut winner = literal.winner;
    if list != 0 {
        let contest = Contest {
            winner,
            below,
            first_match_wins,
        };
        winner = wildcard::find(image, list, bytes, contest, meter)?;
    }
    let verdict = match winner.rule {
        _ if bytes == b"/robots.txt" && image.frees_robots_txt(dialect) => {
            Verdict::new(Reason::RobotsTxt, true, 0)
        }
        RuleRef::NONE => image.default_verdict(),
        rule => Verdict::from_rule(rule.allow(), rule.line()),
    };
    // The whole path decides in three cases: a wildcard rule may match anywhere, a path that starts with `/r` may be
    // `/robots.txt`, and the literal rules may have examined all bytes.
    let is_whole = list != 0 || bytes.get(1) == Some(&b'r') || literal.seen >= bytes.len();
    Ok(PathDecision {
        verdict,
        priority: winner.priority,
        // The prefix includes the byte after the `/`. This byte is no `r`, so the path is not `/robots.txt`.
        decisive: (!is_whole).then(|| literal.seen.max(2)),
    })
}
