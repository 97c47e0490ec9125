//! A check of one URL without compiled rules: each rule is matched while the file is read. The verdict equals the verdict of
//! [`Crawler::parse`] and [`Rules::check`](crate::Rules::check), bit for bit.
//!
//! A comparison of eight bytes rejects nearly all rules. A remaining rule is matched in full if its priority is higher than the
//! priority of the winner. A group with a better rank resets the winner. Nothing is allocated, except for long rules that are
//! not canonical and for a URL of more than 16 KiB. If the URL has several readings, the file is compiled, because reading the
//! file once per reading would take longer.

use super::Rules;
use super::single_rule::SingleRules;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::rule::{RuleRef, Winner};
use crate::base::verdict::{Reason, Verdict};
use crate::bytes::simd;
use crate::bytes::try_alloc::with_zeros;
use crate::core::check::check_image;
use crate::core::check::pieces::scratch_len;
use crate::core::parse;
use crate::core::parse::directive::PathInBody;
use crate::core::parse::group::{self, Sink};
use crate::crawler::Crawler;
use crate::url::canonical::with_path;
use crate::url::{reading, target};

impl Crawler {
    /// Checks one URL with a robots.txt that is not kept. Takes the same body and URL as [`Crawler::parse`] and
    /// [`Rules::check`](crate::Rules::check), returns the same verdict, and takes about 0.4 of their time. To check several
    /// URLs, parse the file once.
    ///
    /// A call allocates nothing if the URL and its canonical form have at most 16 KiB each. Exceptions are a rule that is not
    /// canonical and has more than 512 bytes in canonical form, and a URL that clients read differently (SPEC 8.11).
    ///
    /// ```
    /// let crawler = robots::Crawler::new("ExampleBot")?;
    /// let body = "User-agent: *\nDisallow: /private/\n";
    /// let verdict = crawler.check_once(body, "https://example.com/private/page");
    /// assert_eq!((verdict.allowed(), verdict.line()), (false, 2));
    /// # Ok::<(), robots::Error>(())
    /// ```
    pub fn check_once(&self, body: impl AsRef<[u8]>, url: impl AsRef<[u8]>) -> Verdict {
        self.check_once_numbered(body.as_ref(), url.as_ref()).0
    }

    /// Returns the verdict and the number of the deciding reading (SPEC 8.11); number 0 is the URL as it is.
    pub(crate) fn check_once_numbered(&self, body: &[u8], url: &[u8]) -> (Verdict, usize) {
        let dialect = self.reading.dialect;
        let path = target::range(url, dialect).and_then(|range| url.get(range));
        let decided = match path {
            Some(path) if reading::is_matched_as_is(path, dialect) => {
                decide(self, body, path).map(|verdict| (verdict, 0))
            }
            _ if reading::has_several(url, dialect) => Rules::given(self, body).map(|rules| {
                let decision = check_image(rules.image(), url);
                (decision.verdict, decision.reading)
            }),
            _ => {
                let verdict = with_path(url, dialect, |path| decide(self, body, path));
                verdict.and_then(|verdict| Ok((verdict?, 0)))
            }
        };
        decided.unwrap_or_else(|error| (Verdict::from_error(error), 0))
    }
}

/// Checks a canonical path. If the rules exceed the budget of a search ([`pieces`](crate::core::check::pieces)), the file is
/// read again with scratch memory.
fn decide(crawler: &Crawler, body: &[u8], path: &[u8]) -> Result<Verdict, Error> {
    if parse::is_address(body) {
        return Err(Error::Argument);
    }
    if path == b"/robots.txt" && crawler.reading.dialect.frees_robots_txt() {
        return Ok(Verdict::new(Reason::RobotsTxt, true, 0));
    }
    if parse::is_compressed(body, crawler.reading.dialect) {
        return Ok(Verdict::of_site(Reason::Unreachable));
    }
    if let Some(verdict) = read(crawler, body, path, &mut [])? {
        return Ok(verdict);
    }
    with_zeros(scratch_len(path.len()), |scratch| {
        let verdict = read(crawler, body, path, scratch)?;
        #[allow(clippy::expect_used, reason = "an invariant")]
        Ok(verdict.expect("the scratch has the length for this path"))
    })?
}

/// Returns the verdict of a file on one canonical path; `None` if the scratch is too short.
fn read(
    crawler: &Crawler,
    body: &[u8],
    path: &[u8],
    scratch: &mut [u8],
) -> Result<Option<Verdict>, Error> {
    let mut first_bytes = path.iter().take(8);
    let special = first_bytes.position(|byte| matches!(byte, b'%' | b'*'));
    let mut once = Once {
        start: simd::first_word(path),
        plain_bits: 8 * special.unwrap_or(8) as u32,
        rules: SingleRules::new(path, crawler.reading.dialect, scratch),
        winner: Winner::NONE,
        varies: false,
    };
    let group = group::read(crawler, body, &mut once)?;
    if once.rules.search.lacks_scratch {
        return Ok(None);
    }
    let verdict = match once.winner.rule {
        RuleRef::NONE => {
            let reason = if group.applies {
                Reason::NoRule
            } else {
                Reason::NoGroup
            };
            Verdict::new(reason, true, group.default_line())
        }
        rule => Verdict::from_rule(rule.allow(), rule.line()),
    };
    Ok(Some(verdict.on_site(!once.varies)))
}

/// The state of a check without compiled rules: the path of the URL, and the winner among the rules so far.
struct Once<'p> {
    /// First eight bytes of the path, with zeros after its end.
    start: u64,
    /// Number of bits before the first escape or `*` in `start`.
    plain_bits: u32,
    rules: SingleRules<'p>,
    winner: Winner,
    /// Some rule is neither `/` nor `*`, so another path may have another verdict.
    varies: bool,
}

impl Once<'_> {
    /// Returns whether the first eight bytes of a rule's path show that the rule does not match. If so, the first byte of the
    /// rule that differs matches only itself, and the URL has no escape or `*` before this byte.
    #[inline(always)]
    fn is_rejected(&self, path: PathInBody<'_>, dialect: Dialect) -> bool {
        // This word may include bytes after the path; the mask in `differing` removes these bytes.
        let rule = simd::first_word(path.rest);
        let len = 8 * path.bytes.len().min(8) as u32;
        let differing = (rule ^ self.start) & (u64::MAX >> (64 - len));
        if differing == 0 {
            return false;
        }
        let at = differing.trailing_zeros() & !7;
        let byte = (rule >> at) as u8;
        // SPEC 8.10: the rule may allow its directory, which may be the whole path.
        if byte == b'i' && dialect.index_stands_for_directory() && (self.start >> at) as u8 == 0 {
            return false;
        }
        is_plain(byte) && at <= self.plain_bits
    }

    /// Matches a rule in full if it can beat the winner.
    #[inline(never)]
    fn attempt(&mut self, path: PathInBody<'_>, rule: RuleRef) -> Result<(), Error> {
        self.varies |= path.bytes != b"/" && path.bytes != b"*";
        let above = self.winner.priority;
        if let Some(priority) = self.rules.matches_above(path, rule, above)? {
            self.winner.offer(rule, priority);
        }
        Ok(())
    }
}

impl<'a> Sink<'a> for Once<'_> {
    #[inline(always)]
    fn rule(&mut self, path: PathInBody<'a>, rule: RuleRef, dialect: Dialect) -> Result<(), Error> {
        if self.is_rejected(path, dialect) {
            self.varies = true;
            return Ok(());
        }
        self.attempt(path, rule)
    }

    fn forget_rules(&mut self) {
        self.winner = Winner::NONE;
        self.varies = false;
    }
}

/// Returns whether a byte of a rule matches only itself in every dialect.
#[inline(always)]
fn is_plain(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'?' | b'=' | b'&' | b':')
}
