//! From a URL to a verdict: the hot path, and the path of a URL that is not canonical.

use core::cell::Cell;

use super::{Decision, LiteralMatch, Slice, list_of};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::image::{Offset16, Offset32, View, Width};
use crate::rule::RuleRef;
use crate::url::canonical::{Canonical, Form, Side};
use crate::url::reading;
use crate::url::target::{self, Target};
use crate::verdict::{Reason, Verdict};

/// The sizes of the buffers on the stack for a canonical path. A path gets the first that it fits.
const BUFFERS: [usize; 3] = [1 << 10, 1 << 12, 1 << 14];
const LAST_BUFFER: usize = 1 << 16;

/// A verdict, and the steps that took: see [`Decision`].
type Counted = (Verdict, usize);

/// Returns the verdict of an image on a URL. The answer of a damaged image is an error or wrong, and no more.
#[inline(always)]
pub(crate) fn check(image: &[u8], url: &[u8]) -> Verdict {
    match View::open(image) {
        Ok(image) => decide(image, url).0,
        Err(error) => Verdict::from_error(error),
    }
}

/// The same for an image that this library made and nobody could write to since.
#[inline(always)]
pub(crate) fn check_trusted(image: &[u8], url: &[u8]) -> Verdict {
    decide(View::new_trusted(image), url).0
}

/// The same as [`check`], with the number of bytes at the start of the URL that decide: every URL that starts with them has
/// this verdict. 0 if that is not known.
#[inline(always)]
pub(crate) fn check_start(image: &[u8], url: &[u8]) -> (Verdict, usize) {
    match View::open(image) {
        Ok(image) if image.is_wide() => check_start_as::<Offset32>(image, url),
        Ok(image) => check_start_as::<Offset16>(image, url),
        Err(error) => (Verdict::from_error(error), 0),
    }
}

#[inline(always)]
fn check_start_as<W: Width>(image: View<'_>, url: &[u8]) -> (Verdict, usize) {
    match decide_raw::<W>(image, url) {
        Some(raw) => (raw.verdict, raw.decisive),
        None => (decide_slowly::<W>(image, url).0, 0),
    }
}

/// The same as [`check`], with the steps that took.
pub(crate) fn check_counted(image: &[u8], url: &[u8]) -> Counted {
    match View::open(image) {
        Ok(image) => decide(image, url),
        Err(error) => (Verdict::from_error(error), 0),
    }
}

#[inline(always)]
fn decide(image: View<'_>, url: &[u8]) -> Counted {
    if image.is_wide() {
        decide_as::<Offset32>(image, url)
    } else {
        decide_as::<Offset16>(image, url)
    }
}

#[inline(always)]
fn decide_as<W: Width>(image: View<'_>, url: &[u8]) -> Counted {
    match decide_raw::<W>(image, url) {
        Some(raw) => (raw.verdict, raw.steps),
        None => decide_slowly::<W>(image, url),
    }
}

/// What the fast path decided.
struct RawDecision {
    verdict: Verdict,
    steps: usize,
    /// See [`check_start`].
    decisive: usize,
}

/// Fast path: matches the raw path, then verifies that every byte examined is already canonical. Returns `None`
/// otherwise.
#[inline(always)]
fn decide_raw<W: Width>(image: View<'_>, url: &[u8]) -> Option<RawDecision> {
    let dialect = image.dialect()?;
    let range = target::range(url, dialect)?;
    let mut short = [0; Slice::MIN];
    let path = Slice::new(url, range.clone(), &mut short)?;
    let start = range.start;
    let raw = url.get(range)?;
    if raw.first() != Some(&b'/') {
        return None;
    }
    let list = list_of(image)?;
    let first_match_wins = dialect.first_match_wins();
    let found = LiteralMatch::new::<W>(image, &path, first_match_wins);
    // All of the path decides whether it is the robots.txt itself (SPEC 8.9), so more than its start.
    let may_be_robots_txt = raw.get(1) == Some(&b'r');
    let form = Form::new(dialect, Side::Url);
    let mut decisive = 0;
    let is_plain = if list != 0 || may_be_robots_txt {
        form.is_plain(raw)
    } else {
        // The byte after the `/` tells that, where it is canonical.
        let seen = found.seen.max(2);
        if seen < raw.len() {
            decisive = start + seen;
        }
        form.starts_plain(url, start, seen.min(raw.len()))
    };
    if !is_plain || dialect.reads_as_browsers() && !reading::is_single(raw) {
        return None;
    }
    // A damaged image is not tried again.
    let Decision { rule, steps } = found.decide::<W>(image, list, &path, first_match_wins);
    let verdict = match rule {
        Some(rule) => verdict(image, dialect, raw, rule),
        None => Verdict::from_error(Error::Image),
    };
    Some(RawDecision {
        verdict,
        steps,
        decisive,
    })
}

/// Slow path: decides on each reading of the URL.
#[cold]
#[inline(never)]
fn decide_slowly<W: Width>(image: View<'_>, url: &[u8]) -> Counted {
    let Some(dialect) = image.dialect() else {
        return (Verdict::from_error(Error::Image), 0);
    };
    let steps = Cell::new(0);
    let verdict = reading::decide_each(url, dialect, |reading| {
        let (verdict, taken) = decide_canonical::<W>(image, reading);
        steps.set(steps.get() + taken);
        verdict
    });
    (verdict, steps.get())
}

/// Brings the path of a reading into canonical form first.
fn decide_canonical<W: Width>(image: View<'_>, url: &[u8]) -> Counted {
    let Some(dialect) = image.dialect() else {
        return (Verdict::from_error(Error::Image), 0);
    };
    let decided = with_canonical(url, dialect, |buffer, len| {
        decide_path::<W>(image, dialect, buffer, len)
    });
    match decided {
        Ok((verdict, steps)) => (verdict, steps.saturating_add(url.len())),
        Err(error) => (Verdict::from_error(error), url.len()),
    }
}

/// Calls `work` with the canonical path of a URL. Most are in the URL.
pub(crate) fn with_path<R>(
    url: &[u8],
    dialect: Dialect,
    work: impl Fn(&[u8]) -> R + Copy,
) -> Result<R, Error> {
    let raw = target::range(url, dialect).and_then(|range| url.get(range));
    let raw = raw.ok_or(Error::Url)?;
    if raw.first() == Some(&b'/') && Form::new(dialect, Side::Url).is_plain(raw) {
        return Ok(work(raw));
    }
    with_canonical(url, dialect, |buffer, len| {
        work(buffer.get(..len).unwrap_or_default())
    })
}

/// Calls `work` with a buffer that begins with the canonical path of a URL, and its length. The buffer is on the stack or, for
/// a path of more than 64 KiB, in memory.
fn with_canonical<R>(
    url: &[u8],
    dialect: Dialect,
    work: impl Fn(&[u8], usize) -> R + Copy,
) -> Result<R, Error> {
    let target = Target::locate(url, dialect)?;
    let path = Canonical::from_url(Form::new(dialect, Side::Url), target);
    let raw_len = target.raw.len();
    let result = on_stack::<{ BUFFERS[0] }, R>(path, raw_len, work)
        .or_else(|| on_stack::<{ BUFFERS[1] }, R>(path, raw_len, work))
        .or_else(|| on_stack::<{ BUFFERS[2] }, R>(path, raw_len, work))
        .or_else(|| on_stack::<LAST_BUFFER, R>(path, raw_len, work));
    result.map_or_else(|| in_memory(path, work), Ok)
}

/// Calls `work` with a path in a buffer of `N` bytes; `None` if it does not fit. `raw_len`: its bytes in raw form.
#[inline(never)]
fn on_stack<const N: usize, R>(
    path: Canonical<'_>,
    raw_len: usize,
    work: impl Fn(&[u8], usize) -> R,
) -> Option<R> {
    // Few paths get shorter: one that is too long already is tried with the last buffer only.
    if raw_len > N && N < LAST_BUFFER {
        return None;
    }
    let mut buffer = [0; N];
    let len = path.fill(&mut buffer)?;
    Some(work(&buffer, len))
}

/// Calls `work` with a path that fits no buffer on the stack.
#[cold]
#[inline(never)]
fn in_memory<R>(path: Canonical<'_>, work: impl Fn(&[u8], usize) -> R) -> Result<R, Error> {
    let len = path.canonical_len();
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(len).map_err(|_| Error::Memory)?;
    buffer.resize(len, 0);
    // The same bytes were counted just now.
    path.fill(&mut buffer).ok_or(Error::Panic)?;
    Ok(work(&buffer, len))
}

/// Decides on the canonical path of `len` bytes at the start of `buffer`.
#[inline]
fn decide_path<W: Width>(image: View<'_>, dialect: Dialect, buffer: &[u8], len: usize) -> Counted {
    let mut short = [0; Slice::MIN];
    let Some(path) = Slice::new(buffer, 0..len, &mut short) else {
        return (Verdict::from_error(Error::Panic), 0);
    };
    let first_match_wins = dialect.first_match_wins();
    let found = LiteralMatch::new::<W>(image, &path, first_match_wins);
    let Some(list) = list_of(image) else {
        return (Verdict::from_error(Error::Image), 0);
    };
    let Decision { rule, steps } = found.decide::<W>(image, list, &path, first_match_wins);
    match rule {
        Some(rule) => (verdict(image, dialect, path.path(), rule), steps),
        None => (Verdict::from_error(Error::Image), steps),
    }
}

/// The verdict on a canonical path that `rule` decides.
#[inline(always)]
fn verdict(image: View<'_>, dialect: Dialect, path: &[u8], rule: RuleRef) -> Verdict {
    if path == b"/robots.txt" && dialect.frees_robots_txt() {
        return Verdict::new(Reason::RobotsTxt, true, 0);
    }
    if rule == RuleRef::NONE {
        image.default_verdict()
    } else {
        Verdict::from_rule(rule.allow(), rule.line())
    }
}
