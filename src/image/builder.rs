//! Compiles the rules that a crawler obeys to an image.
//!
//! One pass over the rules separates those that nodes can hold, and adds up how long the image may become. The image is written to
//! a buffer of that length, on the stack if it is short, and copied once to where it is kept.

use super::list::ListWriter;
use super::nodes::Nodes;
use super::output::{Output, SLACK};
use super::{BYTE_ORDER, MAGIC, NUMBER, PADDING, VERSION, checksum, flag, header, node};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::parser::group::{RawRule, RuleText, Selection};
use crate::util::try_alloc::zeros;

/// The sizes of the buffers on the stack. An image gets the first that it fits.
const SHORT: usize = 1 << 11;
const LONG: usize = 1 << 14;

/// Calls `take` with the image of the rules that a crawler obeys. Their memory is freed before.
#[inline]
pub(crate) fn image<R>(
    selection: &mut Selection<'_>,
    dialect: Dialect,
    take: impl FnOnce(&[u8]) -> Result<R, Error>,
) -> Result<R, Error> {
    let flags = if selection.group.applies {
        flag::GROUP
    } else {
        0
    };
    let build = Build::new(selection, dialect, flags)?;
    if build.most <= SHORT {
        build.on_stack::<SHORT, R>(take)
    } else if build.most <= LONG {
        build.on_stack::<LONG, R>(take)
    } else {
        let mut buffer = zeros(build.most)?;
        build.into(&mut buffer, take)
    }
}

/// Calls `take` with the image of a site that is allowed or disallowed as a whole.
pub(crate) fn whole_site<R>(
    flags: u8,
    take: impl FnOnce(&[u8]) -> Result<R, Error>,
) -> Result<R, Error> {
    let selection = &mut Selection::new(&[]);
    Build::new(selection, Dialect::default(), flags)?.on_stack::<SHORT, _>(take)
}

struct Build<'s, 'a> {
    selection: &'s mut Selection<'a>,
    dialect: Dialect,
    flags: u8,
    /// The number of rules that nodes hold; they are the first.
    literals: usize,
    most: usize,
}

impl<'s, 'a> Build<'s, 'a> {
    fn new(
        selection: &'s mut Selection<'a>,
        dialect: Dialect,
        flags: u8,
    ) -> Result<Build<'s, 'a>, Error> {
        let (rules, text) = selection.rules();
        let (literals, most_of_rules) = partition(rules, text);
        let sitemaps = selection.sitemaps.iter();
        let sitemaps: usize = sitemaps.map(|sitemap| NUMBER + sitemap.len()).sum();
        let most = header::LEN + most_of_rules + sitemaps + PADDING + SLACK;
        // Offsets have 32 bits.
        if most > u32::MAX as usize {
            return Err(Error::Memory);
        }
        Ok(Build {
            selection,
            dialect,
            flags,
            literals,
            most,
        })
    }

    #[inline(never)]
    fn on_stack<const N: usize, R>(
        self,
        take: impl FnOnce(&[u8]) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.into(&mut [0; N], take)
    }

    #[inline(always)]
    fn into<R>(
        self,
        buffer: &mut [u8],
        take: impl FnOnce(&[u8]) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let len = self.write(buffer)?;
        take(buffer.get(..len).ok_or(Error::Panic)?)
    }

    #[inline(never)]
    fn write(self, buffer: &mut [u8]) -> Result<usize, Error> {
        let Build {
            selection, dialect, ..
        } = self;
        let out = &mut Output::new(buffer);
        out.zeros(header::LEN);
        let (rules, text) = selection.rules();
        let (literals, others) = rules
            .split_at_mut_checked(self.literals)
            .ok_or(Error::Panic)?;
        let mut nodes = Nodes { text, dialect, out };
        nodes.write(literals)?;
        let mut list = ListWriter { text, dialect, out };
        let list = list.write(others)?;
        selection.free_rules();
        let sitemaps = out.end();
        let mut end = 0;
        for sitemap in &selection.sitemaps {
            end += sitemap.len();
            out.number(end);
        }
        for sitemap in &selection.sitemaps {
            out.bytes(sitemap);
        }
        out.zeros(PADDING);
        out.set(0, MAGIC);
        out.set(header::VERSION, [VERSION]);
        out.set(header::FLAGS, [self.flags]);
        out.set(header::BYTE_ORDER, BYTE_ORDER.to_le_bytes());
        out.set_number(header::LENGTH, out.end());
        out.set(header::DIALECT, [dialect as u8]);
        out.set_number(
            header::DEFAULT_LINE,
            selection.group.default_line() as usize,
        );
        out.set_number(header::SITEMAPS, sitemaps);
        out.set_number(header::SITEMAP_COUNT, selection.sitemaps.len());
        let crawl_delay = selection.group.crawl_delay.unwrap_or(f64::NAN);
        out.set(header::CRAWL_DELAY, crawl_delay.to_le_bytes());
        out.set_number(header::LIST, list);
        let checksum = checksum::compute(out.written());
        out.set_number(header::CHECKSUM, checksum as usize);
        Ok(out.end())
    }
}

/// Moves the rules that nodes can hold to the front. Returns how many these are, and the most bytes that all rules may take.
fn partition(rules: &mut [RawRule], text: RuleText<'_>) -> (usize, usize) {
    /// Of a rule in a node: its columns, its part of the root's table, and the head of a node of its own.
    const IN_NODE: usize = node::KEY + 1 + NUMBER + node::HEAD + 1;
    /// Of a rule in the list: its offset, length, slot, flags, prefix and end, and its part of the index.
    const IN_LIST: usize = 3 * NUMBER + 4 + 3 * NUMBER;
    /// Of a list: its head, and of an index the parts that do not depend on its rules.
    const LIST: usize = 3 * NUMBER + 48;
    let mut literals = 0;
    let mut most = node::HEAD + LIST;
    for at in 0..rules.len() {
        let Some(rule) = rules.get(at) else { break };
        let (len, star) = (rule.len as usize, rule.star());
        if is_literal(rule, text) {
            // A table has half a byte for each rule of its group. Every table but the root's follows a label, which shortens the
            // tails by a byte or more: so tables, labels and tails take no more than the path.
            most += IN_NODE + len;
            rules.swap(at, literals);
            literals += 1;
        } else {
            // A piece has two bytes more, one of them in the place of a `*`; a long length has more bytes.
            let pieces = text.after(rule.start as usize).get(star..len);
            let stars = pieces.map_or(0, |pieces| memchr::memchr_iter(b'*', pieces).count());
            most += IN_LIST + len + len / 64 + stars;
        }
    }
    (literals, most)
}

/// Whether a node can hold a rule: it matches whatever starts with its path, but for a `*` at its end.
#[inline(always)]
fn is_literal(rule: &RawRule, text: RuleText<'_>) -> bool {
    let (len, star) = (rule.len as usize, rule.star());
    let is_open = star + 1 >= len && !rule.is_anchored();
    // In a key a zero stands for any byte. No path has one where it is canonical in the body.
    let may_hold_zero =
        || text.is_in_arena(rule) && memchr::memchr(0, text.path(rule).bytes).is_some();
    is_open && star > 0 && len <= node::MAX_TAIL && !may_hold_zero()
}
