//! Collects the rules that a crawler obeys, and compiles them to an image.
//!
//! Rules that nodes can hold are kept before the others. Each rule adds to the most bytes that the image may have. The image is
//! written to a buffer of that length, on the stack if it is short, and copied once to where it is kept.

use super::nodes::NodeWriter;
use super::output::{Output, SLACK};
use super::wildcards::WildcardWriter;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::rule::{RawRule, RulePath, RuleRef, RuleText, without_end};
use crate::bytes::try_alloc::{push, with_zeros};
use crate::core::image::{
    BYTE_ORDER, MAGIC, NUMBER, PADDING, VERSION, checksum, flag, header, node,
};
use crate::core::parse::directive::PathInBody;
use crate::core::parse::group::{self, Group, Sink};
use crate::crawler::Crawler;
use crate::url::canonical::{Form, Side};
use crate::url::scan;

/// The longest body that is read: paths in it have lengths of 30 bits.
const MAX_BODY: usize = 1 << 30;

/// The bytes of the shortest line of a rule, `allow:/` and its end.
const MIN_RULE_LINE: usize = 8;

/// The rules that are kept without an allocation.
const FIRST_RULES: usize = 128;

/// Of a rule in a node: its columns, its part of the root's table, and the head of a node of its own.
///
/// A table has half a byte for each rule of its group. Every table but the root's follows a label, which shortens the tails by
/// a byte or more: so tables, labels and tails take no more than the path.
const IN_NODE: usize = node::KEY + 1 + NUMBER + node::HEAD + 1;

/// Of a rule in the list: its offset, length, rule, flags, prefix and end, and its part of the index.
const IN_LIST: usize = 3 * NUMBER + 4 + 3 * NUMBER;

/// Of the other parts: the root, the head of the list, and of an index the parts that do not depend on its rules.
const OTHERS: usize = header::LEN + node::HEAD + 3 * NUMBER + 48 + PADDING + SLACK;

/// The part of a robots.txt that one crawler obeys.
pub(crate) struct Compiler<'a> {
    /// The file, within the size limit or not.
    body: &'a [u8],
    dialect: Dialect,
    /// The canonical paths of the rules that have another form in the body.
    arena: Vec<u8>,
    /// The rules, until there are more of them.
    first_rules: [RawRule; FIRST_RULES],
    first_len: usize,
    /// Then all rules.
    all_rules: Vec<RawRule>,
    /// The number of rules that nodes hold; they are the first.
    literals: usize,
    /// The most bytes that the rules may take in an image.
    most: usize,
    /// SPEC 9.1: of the whole file, in its order.
    sitemaps: Vec<&'a [u8]>,
    pub(crate) group: Group,
}

impl<'a> Compiler<'a> {
    /// Returns the selection of an empty file, to be read from `body`.
    #[inline]
    pub(crate) fn new(body: &'a [u8], dialect: Dialect) -> Compiler<'a> {
        Compiler {
            body,
            dialect,
            arena: Vec::new(),
            first_rules: [RawRule::default(); FIRST_RULES],
            first_len: 0,
            all_rules: Vec::new(),
            literals: 0,
            most: 0,
            sitemaps: Vec::new(),
            group: Group::default(),
        }
    }

    pub(crate) fn read(&mut self, crawler: &Crawler) -> Result<(), Error> {
        if self.body.len().min(crawler.reading.max_bytes) > MAX_BODY {
            return Err(Error::Memory);
        }
        self.group = group::read(crawler, self.body, self)?;
        Ok(())
    }

    fn text(&self) -> RuleText<'_> {
        RuleText {
            body: self.body,
            arena: &self.arena,
        }
    }

    #[inline(always)]
    fn rules_mut(&mut self) -> &mut [RawRule] {
        if self.all_rules.is_empty() {
            let rules = self.first_rules.get_mut(..self.first_len);
            rules.unwrap_or_default()
        } else {
            &mut self.all_rules
        }
    }

    #[inline(always)]
    fn push(&mut self, mut rule: RawRule) -> Result<(), Error> {
        let (start, len) = (rule.start as usize, rule.len as usize);
        if self.is_literal(&rule) {
            self.most += IN_NODE + len;
            let place = self.literals;
            self.literals += 1;
            // The first of the other rules goes to the end.
            if let Some(other) = self.rules_mut().get_mut(place) {
                core::mem::swap(other, &mut rule);
            }
        } else {
            // A piece has two bytes more, one of them in the place of a `*`; a long length has more bytes.
            let stars = memchr::memchr_iter(b'*', self.text().path(&rule).rest()).count();
            self.most += IN_LIST + len + len / 64 + stars;
        }
        if let Some(place) = self.first_rules.get_mut(self.first_len) {
            *place = rule;
            self.first_len += 1;
            return Ok(());
        }
        if self.all_rules.len() == self.all_rules.capacity() || self.all_rules.is_empty() {
            self.make_room(start)?;
        }
        self.all_rules.push(rule);
        Ok(())
    }

    /// Whether a node can hold a rule: it matches whatever starts with its path, but for a `*` at its end.
    #[inline(always)]
    fn is_literal(&self, rule: &RawRule) -> bool {
        let (len, prefix_len) = (rule.len as usize, rule.prefix_len());
        let is_open = prefix_len + 1 >= len && !rule.is_anchored();
        // In a key a zero stands for any byte. No path has one where it is canonical in the body.
        let may_hold_zero = || {
            let text = self.text();
            text.is_in_arena(rule) && memchr::memchr(0, text.path(rule).bytes).is_some()
        };
        is_open && prefix_len > 0 && len <= node::MAX_TAIL && !may_hold_zero()
    }

    /// Makes room for more rules, where one starts at `start`: for as many as the rest of the body holds if it is like the
    /// part before, and a sixteenth more, but for no more than the rest of the body can hold.
    #[cold]
    fn make_room(&mut self, start: usize) -> Result<(), Error> {
        let start = start.min(self.body.len());
        let count = self.all_rules.len().max(FIRST_RULES);
        let likely = count as u64 * self.body.len() as u64 / start.max(1) as u64;
        let more = (likely + likely / 16 + 64).saturating_sub(count as u64) as usize;
        // A google rule may stand for two (SPEC 8.10).
        let most = 2 * ((self.body.len() - start) / MIN_RULE_LINE + 1);
        let first = FIRST_RULES.saturating_sub(self.all_rules.len());
        let room = self.all_rules.try_reserve_exact(first + more.min(most));
        room.map_err(|_| Error::Memory)?;
        if self.all_rules.is_empty() {
            self.all_rules.extend_from_slice(&self.first_rules);
        }
        Ok(())
    }

    #[cold]
    fn canonicalise(&mut self, rule: &mut RawRule, path: &[u8]) -> Result<(), Error> {
        let form = Form::new(self.dialect, Side::Rule);
        let start = self.arena.len();
        form.append(path, &mut self.arena)?;
        let path = self.arena.get(start..).unwrap_or_default();
        // Offsets have 32 bits, lengths 30.
        let place = u32::try_from(self.body.len() + start);
        rule.start = place.map_err(|_| Error::Memory)?;
        if path.len() > MAX_BODY || self.body.len() + self.arena.len() > u32::MAX as usize {
            return Err(Error::Memory);
        }
        let split = RulePath::new(path, false, self.dialect);
        rule.len = path.len() as u32;
        rule.prefix_len = split.prefix().len() as u32 | rule.prefix_len & RawRule::ANCHORED;
        Ok(())
    }

    /// SPEC 8.10: adds the directory that an allow rule also stands for. Where the rule itself matches, it is the longer one.
    #[cold]
    fn add_directory(&mut self, rule: RawRule) -> Result<(), Error> {
        let path = self.text().path(&rule);
        let directory = path.directory_of_index(self.dialect);
        match directory.map(|path| (path.bytes.len(), path.prefix().len())) {
            Some((len, prefix_len)) => self.push(RawRule {
                len: len as u32,
                prefix_len: prefix_len as u32 | RawRule::ANCHORED,
                ..rule
            }),
            None => Ok(()),
        }
    }

    /// Calls `take` with the image of the rules. Their memory is freed before.
    #[inline]
    pub(crate) fn image<R>(
        &mut self,
        take: impl FnOnce(&[u8]) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let flags = if self.group.applies { flag::GROUP } else { 0 };
        self.image_with(flags, take)
    }

    #[inline]
    fn image_with<R>(
        &mut self,
        flags: u8,
        take: impl FnOnce(&[u8]) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let sitemaps = self.sitemaps.iter();
        let sitemaps: usize = sitemaps.map(|sitemap| NUMBER + sitemap.len()).sum();
        let most = OTHERS + self.most + sitemaps;
        // Offsets have 32 bits.
        if most > u32::MAX as usize {
            return Err(Error::Memory);
        }
        with_zeros(most, |buffer| take(self.write(flags, buffer)?))?
    }

    /// Writes the image to the start of a buffer, and returns it.
    #[inline(never)]
    fn write<'b>(&mut self, flags: u8, buffer: &'b mut [u8]) -> Result<&'b [u8], Error> {
        let out = &mut Output::new(buffer);
        out.zeros(header::LEN);
        let (dialect, literals) = (self.dialect, self.literals);
        let body = self.body;
        let arena = core::mem::take(&mut self.arena);
        let text = RuleText {
            body,
            arena: &arena,
        };
        let rules = self.rules_mut().split_at_mut_checked(literals);
        let (literals, others) = rules.ok_or(Error::Panic)?;
        let mut nodes = NodeWriter { text, dialect, out };
        nodes.write(literals)?;
        let mut list = WildcardWriter { text, dialect, out };
        let list = list.write(others)?;
        self.all_rules = Vec::new();
        let sitemaps = out.end();
        let mut end = 0;
        for sitemap in &self.sitemaps {
            end += sitemap.len();
            out.number(end);
        }
        for sitemap in &self.sitemaps {
            out.bytes(sitemap);
        }
        out.zeros(PADDING);
        out.set(0, MAGIC);
        out.set(header::VERSION, [VERSION]);
        out.set(header::FLAGS, [flags]);
        out.set(header::BYTE_ORDER, BYTE_ORDER.to_le_bytes());
        out.set_number(header::LENGTH, out.end());
        out.set(header::DIALECT, [dialect as u8]);
        out.set_number(header::DEFAULT_LINE, self.group.default_line() as usize);
        out.set_number(header::SITEMAPS, sitemaps);
        out.set_number(header::SITEMAP_COUNT, self.sitemaps.len());
        let crawl_delay = self.group.crawl_delay.unwrap_or(f64::NAN);
        out.set(header::CRAWL_DELAY, crawl_delay.to_le_bytes());
        out.set_number(header::WILDCARDS, list);
        let checksum = checksum::compute(out.written());
        out.set_number(header::CHECKSUM, checksum as usize);
        let len = out.end();
        buffer.get(..len).ok_or(Error::Panic)
    }
}

/// Calls `take` with the image of a site that is allowed or disallowed as a whole.
pub(crate) fn whole_site<R>(
    flags: u8,
    take: impl FnOnce(&[u8]) -> Result<R, Error>,
) -> Result<R, Error> {
    Compiler::new(&[], Dialect::default()).image_with(flags, take)
}

impl<'a> Sink<'a> for Compiler<'a> {
    #[inline(always)]
    fn rule(
        &mut self,
        path: PathInBody<'a>,
        line: u32,
        allow: bool,
        dialect: Dialect,
    ) -> Result<(), Error> {
        let rest = path.rest;
        let (path, is_anchored) = without_end(path.bytes, dialect);
        let seen = scan::rule_path(path, rest);
        let prefix_len = if dialect.has_wildcards() {
            seen.prefix_len
        } else {
            path.len() as u32
        };
        let anchored = if is_anchored { RawRule::ANCHORED } else { 0 };
        let mut rule = RawRule {
            start: (path.as_ptr().addr() - self.body.as_ptr().addr()) as u32,
            len: path.len() as u32,
            prefix_len: prefix_len | anchored,
            rule: RuleRef::new(line, allow),
        };
        if !seen.is_canonical {
            self.canonicalise(&mut rule, path)?;
        }
        self.push(rule)?;
        if allow && dialect.index_stands_for_directory() {
            self.add_directory(rule)?;
        }
        Ok(())
    }

    fn sitemap(&mut self, url: &'a [u8]) -> Result<(), Error> {
        push(&mut self.sitemaps, url)
    }

    fn forget_rules(&mut self) {
        self.arena.clear();
        self.first_len = 0;
        self.all_rules.clear();
        (self.literals, self.most) = (0, 0);
    }
}
