//! The way of a URL to its verdict: locate the path, match the literal rules, match the others.
//!
//! Fast path: matches the raw path, then verifies that every byte examined is already canonical and that the URL has one
//! reading. Otherwise each reading is brought into canonical form first, in a buffer: on the stack, or on the
//! heap for more than 16 KiB, because the thread of a caller may have little stack left.

use super::wildcard::Contest;
use super::{Foreign, Meter, Trusted, literal, wildcard};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::limits::MAX_PATH;
use crate::base::rule::{Priority, RuleRef};
use crate::base::verdict::{Reason, Verdict};
use crate::bytes::try_alloc::with_zeros;
use crate::core::image::{View, header};
use crate::url::canonical::{Form, Side};
use crate::url::path::UrlPath;
use crate::url::reading::{self, Reading};
use crate::url::target::{self, Target};

/// A raw path of this length has no canonical form of more than [`MAX_PATH`]: a byte becomes three at most.
pub(crate) const SAFE_PATH: usize = MAX_PATH / 3;

/// The sizes of the buffers for a canonical path. A path gets the first that it fits.
const BUFFERS: [usize; 4] = [1 << 10, 1 << 12, 1 << 14, MAX_PATH];

/// A verdict, and how many bytes at the start of the URL decide: every URL of at most [`SAFE_PATH`] bytes that starts with them
/// has this verdict. 0 if that is not known.
pub(crate) struct Decided {
    pub(crate) verdict: Verdict,
    pub(crate) decisive: usize,
}

impl Decided {
    #[inline(always)]
    fn by_all(verdict: Result<Verdict, Error>) -> Decided {
        Decided {
            verdict: verdict.unwrap_or_else(Verdict::from_error),
            decisive: 0,
        }
    }
}

/// Returns the verdict of an image that was not validated. The verdict of a damaged image is an error or wrong, and no more.
#[inline(never)]
pub(crate) fn check(image: &[u8], url: &[u8]) -> Verdict {
    check_start(image, url).verdict
}

/// Returns the verdict of an image that this library made and nobody could write to since.
#[inline(always)]
pub(crate) fn check_trusted(image: &[u8], url: &[u8]) -> Verdict {
    decide(View::new_trusted(image), url, &mut Trusted).verdict
}

/// Returns the verdict of such an image, and the number of the reading that has it; the URL as it is has the number 0.
pub(crate) fn check_numbered(image: &[u8], url: &[u8]) -> (Verdict, usize) {
    decide_slowly(View::new_trusted(image), url, &mut Trusted)
}

/// Returns what [`check`] returns, and the bytes of the URL that decide.
#[inline(always)]
pub(crate) fn check_start(image: &[u8], url: &[u8]) -> Decided {
    decide_foreign(image, url).0
}

/// Returns what [`check`] returns, and the steps of the decision.
pub(crate) fn check_counted(image: &[u8], url: &[u8]) -> (Verdict, usize) {
    let (decided, steps) = decide_foreign(image, url);
    (decided.verdict, steps)
}

#[inline(always)]
fn decide_foreign(image: &[u8], url: &[u8]) -> (Decided, usize) {
    match View::open(image) {
        Ok(image) => {
            let mut meter = Foreign::new(image);
            (decide(image, url, &mut meter), meter.steps)
        }
        Err(error) => (Decided::by_all(Err(error)), 0),
    }
}

#[inline(always)]
fn decide<M: Meter>(image: View<'_>, url: &[u8], meter: &mut M) -> Decided {
    match decide_raw(image, url, meter) {
        Some(decided) => decided,
        None => Decided::by_all(Ok(decide_slowly(image, url, meter).0)),
    }
}

/// Decides on a URL whose path is canonical; `None` for another.
#[inline(always)]
fn decide_raw<M: Meter>(image: View<'_>, url: &[u8], meter: &mut M) -> Option<Decided> {
    let dialect = image.dialect()?;
    let range = target::range(url, dialect)?;
    let start = range.start;
    let mut short = [0; UrlPath::MIN];
    let path = UrlPath::new(url, range, &mut short)?;
    let raw = path.path();
    if raw.first() != Some(&b'/') || raw.len() > SAFE_PATH {
        return None;
    }
    let list = image.u32(header::LIST)?;
    let Some(found) = literal::find(image, &path, dialect.first_match_wins(), meter) else {
        // A damaged image is not tried again.
        return Some(Decided::by_all(Err(Error::Image)));
    };
    // All of the path decides whether it is the robots.txt itself (SPEC 8.9), so more than its start.
    let may_be_robots_txt = raw.get(1) == Some(&b'r');
    // The byte after the `/` shows that, where it is canonical.
    let seen = found.seen.max(2);
    let examined = if list != 0 || may_be_robots_txt {
        raw
    } else {
        raw.get(..seen).unwrap_or(raw)
    };
    let form = Form::new(dialect, Side::Url);
    if !(form.is_simple(raw) || form.is_plain(examined) && reading::is_single(raw)) {
        return None;
    }
    let is_start = examined.len() < raw.len();
    Some(Decided {
        verdict: verdict(
            image,
            dialect,
            raw,
            Contest {
                winner: found.winner,
                below: Priority::MAX,
            },
            list,
            meter,
        )
        .0,
        decisive: if is_start { start + examined.len() } else { 0 },
    })
}

/// Returns the verdict on a URL, and the number of the reading that has it: the first that is not allowed, else the second.
#[cold]
#[inline(never)]
fn decide_slowly<M: Meter>(image: View<'_>, url: &[u8], meter: &mut M) -> (Verdict, usize) {
    let mut decisive = (Verdict::from_error(Error::Panic), 0);
    let mut count = 0;
    let refused = each_reading(image, url, meter, |_, verdict| {
        if count < 2 || !verdict.allowed() {
            decisive = (verdict, count);
        }
        count += 1;
        (!verdict.allowed()).then_some(())
    });
    match refused {
        Ok(_) => decisive,
        Err(error) => (Verdict::from_error(error), 0),
    }
}

/// Brings each reading of a URL into canonical form, and decides.
fn each_reading<M: Meter, R>(
    image: View<'_>,
    url: &[u8],
    meter: &mut M,
    mut work: impl FnMut(&[u8], Verdict) -> Option<R>,
) -> Result<Option<R>, Error> {
    let dialect = image.dialect().ok_or(Error::Image)?;
    let mut last = Priority::MAX;
    reading::each(url, dialect, |Reading { url, is_bare }| {
        meter.restart();
        meter.count(url.len());
        // What matches a path and does not end with it, matches each longer one. So rules of a higher priority than the
        // winner of the last reading, which is longer, cannot match.
        let below = if is_bare { last } else { Priority::MAX };
        let decided = with_canonical(url, dialect, |buffer, len| {
            let mut short = [0; UrlPath::MIN];
            let path = UrlPath::new(buffer, 0..len, &mut short).ok_or(Error::Panic)?;
            let list = image.u32(header::LIST).ok_or(Error::Image)?;
            let found = literal::find(image, &path, dialect.first_match_wins(), meter);
            let winner = found.ok_or(Error::Image)?.winner;
            let path = path.path();
            let contest = Contest { winner, below };
            Ok(verdict(image, dialect, path, contest, list, meter))
        });
        let verdict = match decided.and_then(|decided| decided) {
            Ok((verdict, priority)) => {
                last = priority;
                verdict
            }
            Err(error) => Verdict::from_error(error),
        };
        work(url, verdict)
    })
}

/// Returns the verdict on a canonical path, and the priority of the winner. `list`: the offset of the rules that are not
/// literal, or 0.
#[inline(always)]
fn verdict<M: Meter>(
    image: View<'_>,
    dialect: Dialect,
    path: &[u8],
    contest: Contest,
    list: u32,
    meter: &mut M,
) -> (Verdict, Priority) {
    let mut winner = contest.winner;
    if list != 0 {
        match wildcard::find(
            image,
            list,
            path,
            contest,
            dialect.first_match_wins(),
            meter,
        ) {
            Ok(found) => winner = found,
            Err(error) => return (Verdict::from_error(error), Priority::MAX),
        }
    }
    let verdict = match winner.rule {
        _ if path == b"/robots.txt" && dialect.frees_robots_txt() => {
            Verdict::new(Reason::RobotsTxt, true, 0)
        }
        RuleRef::NONE => image.default_verdict(),
        rule => Verdict::from_rule(rule.allow(), rule.line()),
    };
    (verdict, winner.priority)
}

/// Calls `work` with the canonical path of a URL. Most are in the URL.
pub(crate) fn with_path<R>(
    url: &[u8],
    dialect: Dialect,
    work: impl FnOnce(&[u8]) -> R,
) -> Result<R, Error> {
    let raw = target::range(url, dialect).and_then(|range| url.get(range));
    let raw = raw.ok_or(Error::Url)?;
    let is_short = raw.len() <= SAFE_PATH;
    if raw.first() == Some(&b'/') && is_short && Form::new(dialect, Side::Url).is_plain(raw) {
        return Ok(work(raw));
    }
    with_canonical(url, dialect, |buffer, len| {
        work(buffer.get(..len).unwrap_or_default())
    })
}

/// Calls `work` with a buffer that begins with the canonical path of a URL, and its length.
fn with_canonical<R>(
    url: &[u8],
    dialect: Dialect,
    work: impl FnOnce(&[u8], usize) -> R,
) -> Result<R, Error> {
    let form = Form::new(dialect, Side::Url);
    let target = Target::locate(url, dialect)?;
    let mut work = Some(work);
    // A path that is too long in raw form is seldom short enough in canonical form. The last buffer is for these, too.
    for size in BUFFERS {
        if target.raw.len() > size && size < MAX_PATH {
            continue;
        }
        let result = with_zeros(size, |buffer| {
            let len = form.fill_url(target, buffer)?;
            work.take().map(|work| work(buffer, len))
        })?;
        if let Some(result) = result {
            return Ok(result);
        }
    }
    Err(Error::Url)
}
