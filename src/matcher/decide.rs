//! From a URL to a verdict: the hot path, and the path of a URL that is not canonical.

use super::{Decision, Slice, TreeMatch};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::image::{Offset16, Offset32, View, Width};
use crate::rule::RuleRef;
use crate::url::canonical::{Canonical, Form, Side};
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
    decide_raw::<W>(image, url).unwrap_or_else(|| decide_canonical::<W>(image, url))
}

/// Fast path: matches the raw path, then verifies that every byte examined is already canonical. Returns `None`
/// otherwise.
#[inline(always)]
fn decide_raw<W: Width>(image: View<'_>, url: &[u8]) -> Option<Counted> {
    let dialect = image.dialect()?;
    let range = target::range(url, dialect)?;
    let mut short = [0; Slice::MIN];
    let path = Slice::new(Slice::readable(url, &mut short), range.clone())?;
    let start = range.start;
    let raw = url.get(range)?;
    if raw.first() != Some(&b'/') {
        return None;
    }
    let found = TreeMatch::new::<W>(image, &path)?;
    // All of the path decides whether it is the robots.txt itself (SPEC 8.9), so more than its start.
    let may_be_robots_txt = raw.get(1) == Some(&b'r');
    let form = Form::new(dialect, Side::Url);
    let is_plain = if found.has_list() || may_be_robots_txt {
        form.is_plain(raw)
    } else {
        form.starts_plain(url, start, found.seen)
    };
    if !is_plain {
        return None;
    }
    // A damaged image is not tried again.
    let Decision { rule, steps } = found.decide::<W>(image, &path);
    Some(match rule {
        Some(rule) => (verdict(image, dialect, raw, rule), steps),
        None => (Verdict::from_error(Error::Image), steps),
    })
}

/// Slow path: brings the path into canonical form in a buffer on the stack or, if it is longer than 64 KiB, in memory.
#[cold]
#[inline(never)]
fn decide_canonical<W: Width>(image: View<'_>, url: &[u8]) -> Counted {
    let Some(dialect) = image.dialect() else {
        return (Verdict::from_error(Error::Image), 0);
    };
    let target = match Target::locate(url, dialect) {
        Ok(target) => target,
        Err(error) => return (Verdict::from_error(error), 0),
    };
    let path = Canonical::from_url(Form::new(dialect, Side::Url), target);
    let len = target.raw.len();
    let decided = on_stack::<W, { BUFFERS[0] }>(image, dialect, path, len)
        .or_else(|| on_stack::<W, { BUFFERS[1] }>(image, dialect, path, len))
        .or_else(|| on_stack::<W, { BUFFERS[2] }>(image, dialect, path, len))
        .or_else(|| on_stack::<W, LAST_BUFFER>(image, dialect, path, len));
    let decided = decided.map_or_else(|| in_memory::<W>(image, dialect, path), Ok);
    match decided {
        Ok((verdict, steps)) => (verdict, steps.saturating_add(len)),
        Err(error) => (Verdict::from_error(error), len),
    }
}

/// Decides on a path in a buffer of `N` bytes; `None` if it does not fit. `len`: its bytes in raw form.
#[inline(never)]
fn on_stack<W: Width, const N: usize>(
    image: View<'_>,
    dialect: Dialect,
    path: Canonical<'_>,
    len: usize,
) -> Option<Counted> {
    // Few paths get shorter: one that is too long already is tried with the last buffer only.
    if len > N && N < LAST_BUFFER {
        return None;
    }
    let mut buffer = [0; N];
    let len = path.fill(&mut buffer)?;
    Some(decide_path::<W>(image, dialect, &buffer, len))
}

/// Decides on a path that fits no buffer.
#[cold]
#[inline(never)]
fn in_memory<W: Width>(
    image: View<'_>,
    dialect: Dialect,
    path: Canonical<'_>,
) -> Result<Counted, Error> {
    let len = path.count();
    let mut buffer = Vec::new();
    let room = len.max(Slice::MIN);
    buffer.try_reserve_exact(room).map_err(|_| Error::Memory)?;
    buffer.resize(room, 0);
    // The same bytes were counted just now.
    path.fill(&mut buffer).ok_or(Error::Panic)?;
    Ok(decide_path::<W>(image, dialect, &buffer, len))
}

/// Decides on the canonical path of `len` bytes at the start of `buffer`.
#[inline]
fn decide_path<W: Width>(image: View<'_>, dialect: Dialect, buffer: &[u8], len: usize) -> Counted {
    let Some(path) = Slice::new(buffer, 0..len) else {
        return (Verdict::from_error(Error::Panic), 0);
    };
    let Some(found) = TreeMatch::new::<W>(image, &path) else {
        return (Verdict::from_error(Error::Image), 0);
    };
    let Decision { rule, steps } = found.decide::<W>(image, &path);
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
