//! Collects the rules that a crawler obeys, and compiles them to an image.
//!
//! The list of rules has the literal rules first, then the wildcard rules. Each rule adds its share to the upper bound on the
//! length of the image. The image is written to a buffer of this length. A buffer of up to 48 KiB is on the stack. Then the
//! image is copied to a block of its exact length.

use super::nodes::NodeWriter;
use super::output::{Output, SLACK};
use super::wildcards::WildcardWriter;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::limits::MAX_MAX_BYTES;
use crate::base::rule::{Priority, RawRule, RulePath, RuleRef, RuleText, Winner, without_end};
use crate::bytes::try_alloc::{push, with_zeros};
use crate::core::image::{
    BYTE_ORDER, MAGIC, NUMBER, PADDING, VERSION, checksum, flag, header, node,
};
use crate::core::parse;
use crate::core::parse::directive::PathInBody;
use crate::core::parse::group::{self, Group, Sink};
use crate::crawler::Crawler;
use crate::url::canonical::{Form, Side};
use crate::url::scan;

/// The length of the shortest line of a rule: `allow:/` and its end.
const MIN_RULE_LINE: usize = 8;

/// The number of rules that are kept on the stack (2 KiB), without an allocation. A file has 49 rules on average (benches).
const FIRST_RULES: usize = 128;

/// Upper bound on the number of bytes that a literal rule takes in the image, without its path: key, length of the tail, rule
/// reference, head of a node, and a share of the root's table.
///
/// Other tables and all labels need no bytes here, because they take no more bytes than the labels save in the tails. A table
/// has at most one entry of four bytes for eight rules: half a byte per rule. A table of several entries, except the root's,
/// follows a label, which shortens each tail by at least one byte. A table of one entry follows 64 rules, or leads to a label
/// of at least four bytes, which many rules share.
const IN_NODE: usize = node::KEY + 1 + NUMBER + node::HEAD + 1;

/// Upper bound on the number of bytes that a wildcard rule takes in the image, without its path. The summands are: offset,
/// length and rule reference; flags, prefix length and end mark; a share of the index or, without an index, key and pair.
const IN_LIST: usize = 3 * NUMBER + 4 + 3 * NUMBER;

/// Upper bound on the number of bytes of an image that belong to no rule and no sitemap: header, root, head of the list,
/// padding, and 48 bytes for the index. Each of the three parts of the index has at most 13 bytes that are not in the share of
/// a rule.
const OTHERS: usize = header::LEN + node::HEAD + 3 * NUMBER + 48 + PADDING + SLACK;

/// The rules and other data of a robots.txt for one crawler.
struct Compiler<'a> {
    /// The whole file, including the bytes after the size limit.
    body: &'a [u8],
    dialect: Dialect,
    /// Canonical form of each path that is not canonical in the body.
    arena: Vec<u8>,
    /// The rules, while there are at most [`FIRST_RULES`].
    first_rules: [RawRule; FIRST_RULES],
    first_len: usize,
    /// All rules, if there are more than [`FIRST_RULES`].
    all_rules: Vec<RawRule>,
    /// Number of literal rules, which precede the wildcard rules.
    literals: usize,
    /// Upper bound on the number of bytes that the rules take in an image.
    max_len: usize,
    /// Sitemaps of the whole file, in file order (SPEC 9.1).
    sitemaps: Vec<&'a [u8]>,
    group: Group,
    /// Line of the default verdict: the verdict on a path that no rule matches.
    line: u32,
}

impl<'a> Compiler<'a> {
    #[inline]
    fn new(body: &'a [u8], dialect: Dialect) -> Compiler<'a> {
        Compiler {
            body,
            dialect,
            arena: Vec::new(),
            first_rules: [RawRule::default(); FIRST_RULES],
            first_len: 0,
            all_rules: Vec::new(),
            literals: 0,
            max_len: 0,
            sitemaps: Vec::new(),
            group: Group::default(),
            line: 0,
        }
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
            self.max_len += IN_NODE + len;
            let place = self.literals;
            self.literals += 1;
            // The new literal rule takes the place of the first wildcard rule, and this wildcard rule moves to the end.
            if let Some(other) = self.rules_mut().get_mut(place) {
                core::mem::swap(other, &mut rule);
            }
        } else {
            // The image has two bytes in front of each piece: its length, and the offset of its rarest pair. The `*` before a
            // piece, which `len` counts, is not stored. So each `*` adds one byte. A length of 128 or more takes further bytes.
            let stars = memchr::memchr_iter(b'*', self.text().path(&rule).rest()).count();
            self.max_len += IN_LIST + len + len / 64 + stars;
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

    /// Returns whether a node can hold a rule: the path has at most 127 bytes and no zero byte, and is a prefix, which a `*`
    /// may follow.
    #[inline(always)]
    fn is_literal(&self, rule: &RawRule) -> bool {
        let (len, prefix_len) = (rule.len as usize, rule.prefix_len());
        let is_open = prefix_len + 1 >= len && !rule.is_anchored();
        // A zero byte in a key matches any byte. A path that is canonical in the body has no zero byte.
        let may_hold_zero = || {
            let text = self.text();
            text.is_in_arena(rule) && memchr::memchr(0, text.path(rule).bytes).is_some()
        };
        is_open && prefix_len > 0 && len <= node::MAX_TAIL && !may_hold_zero()
    }

    /// Reserves memory for the rules from offset `start` on. The estimate assumes that rules are as frequent in the rest of the
    /// body as before `start`, and adds a sixteenth. The estimate is at most the number of rules that fit into the rest of the
    /// body.
    #[cold]
    fn make_room(&mut self, start: usize) -> Result<(), Error> {
        let start = start.min(self.body.len());
        let count = self.all_rules.len().max(FIRST_RULES);
        let likely = count as u64 * self.body.len() as u64 / start.max(1) as u64;
        let more = (likely + likely / 16 + 64).saturating_sub(count as u64) as usize;
        // In google, one line may give two rules (SPEC 8.10).
        let max = 2 * ((self.body.len() - start) / MIN_RULE_LINE + 1);
        let first = FIRST_RULES.saturating_sub(self.all_rules.len());
        let room = self.all_rules.try_reserve_exact(first + more.min(max));
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
        // Offsets have 32 bits, and lengths have 31 bits.
        let end = self.body.len() + self.arena.len();
        if path.len() > MAX_MAX_BYTES || u32::try_from(end).is_err() {
            return Err(Error::Memory);
        }
        rule.start = (self.body.len() + start) as u32;
        let split = RulePath::new(path, false, self.dialect);
        rule.len = path.len() as u32;
        rule.prefix_len = split.prefix().len() as u32 | rule.prefix_len & RawRule::ANCHORED;
        Ok(())
    }

    /// Adds `/x/$` for an allow rule `/x/index.html` (SPEC 8.10). If both rules match, the original rule is longer, and wins.
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

    /// Returns the flags of the image, and sets the line of the default verdict. If every rule is `/` or `*`, the rule of the
    /// highest priority decides every path. Then this rule becomes the default verdict, and all rules are dropped.
    fn settle(&mut self) -> u8 {
        self.line = self.group.default_line();
        if !self.group.applies {
            return flag::SITE_WIDE;
        }
        let first_match_wins = self.dialect.first_match_wins();
        let rules = self.rules_mut();
        if rules.iter().any(|rule| rule.len > 1 || rule.is_anchored()) {
            return flag::GROUP;
        }
        let mut winner = Winner::NONE;
        for &RawRule { rule, .. } in rules.iter() {
            winner.offer(rule, Priority::new(rule, 1, first_match_wins));
        }
        let decides = match winner.rule {
            RuleRef::NONE => 0,
            rule if rule.allow() => flag::ALLOW_ALL,
            _ => flag::DISALLOW_ALL,
        };
        if decides != 0 {
            self.forget_rules();
            self.line = winner.rule.line();
        }
        flag::GROUP | flag::SITE_WIDE | decides
    }

    /// Frees the memory of the rules, and calls `take` with their image.
    #[inline]
    fn image<R>(
        &mut self,
        flags: u8,
        take: impl FnOnce(&[u8]) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let sitemaps = self.sitemaps.iter();
        let sitemaps: usize = sitemaps.map(|sitemap| NUMBER + sitemap.len()).sum();
        let max_len = OTHERS + self.max_len + sitemaps;
        // Offsets have 32 bits.
        if max_len > u32::MAX as usize {
            return Err(Error::Memory);
        }
        with_zeros(max_len, |buffer| take(self.write(flags, buffer)?))?
    }

    /// Writes the image to the start of a buffer, and returns it.
    #[inline(never)]
    #[allow(clippy::expect_used, reason = "an invariant")]
    fn write<'b>(&mut self, flags: u8, buffer: &'b mut [u8]) -> Result<&'b [u8], Error> {
        let out = &mut Output::new(buffer);
        out.zeros(header::LEN);
        let (dialect, body, literals) = (self.dialect, self.body, self.literals);
        let arena = &core::mem::take(&mut self.arena);
        let text = RuleText { body, arena };
        let rules = self.rules_mut().split_at_mut_checked(literals);
        let (literals, others) = rules.expect("the literal rules are the first of all rules");
        NodeWriter { text, dialect, out }.write(literals, 1, true)?;
        let list = WildcardWriter { text, dialect, out }.write(others)?;
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
        out.set_number(header::DEFAULT_LINE, self.line as usize);
        out.set_number(header::SITEMAPS, sitemaps);
        out.set_number(header::SITEMAP_COUNT, self.sitemaps.len());
        let crawl_delay = self.group.crawl_delay.unwrap_or(f64::NAN);
        out.set(header::CRAWL_DELAY, crawl_delay.to_le_bytes());
        out.set_number(header::WILDCARDS, list);
        let checksum = checksum::compute(out.written());
        out.set_number(header::CHECKSUM, checksum as usize);
        let len = out.end();
        Ok(buffer.get(..len).expect("the image is in its buffer"))
    }
}

/// Compiles a robots.txt, and calls `take` with the image.
pub(crate) fn compile<R>(
    crawler: &Crawler,
    body: &[u8],
    take: impl FnOnce(&[u8]) -> Result<R, Error>,
) -> Result<R, Error> {
    if parse::is_compressed(body, crawler.reading.dialect) {
        return whole_site(flag::UNREACHABLE, crawler.reading.dialect, take);
    }
    let mut compiler = Compiler::new(body, crawler.reading.dialect);
    compiler.group = group::read(crawler, body, &mut compiler)?;
    let flags = compiler.settle();
    compiler.image(flags, take)
}

/// Calls `take` with an image without rules. `flags`: the verdict on the whole site.
pub(crate) fn whole_site<R>(
    flags: u8,
    dialect: Dialect,
    take: impl FnOnce(&[u8]) -> Result<R, Error>,
) -> Result<R, Error> {
    Compiler::new(&[], dialect).image(flags | flag::SITE_WIDE, take)
}

impl<'a> Sink<'a> for Compiler<'a> {
    #[inline(always)]
    fn rule(&mut self, path: PathInBody<'a>, rule: RuleRef, dialect: Dialect) -> Result<(), Error> {
        let rest = path.rest;
        let (path, is_anchored) = without_end(path.bytes, dialect);
        let seen = scan::rule_path(path, rest);
        let anchored = if is_anchored { RawRule::ANCHORED } else { 0 };
        let allow = rule.allow();
        let mut rule = RawRule {
            start: (path.as_ptr().addr() - self.body.as_ptr().addr()) as u32,
            len: path.len() as u32,
            prefix_len: seen.prefix_len(path, dialect) as u32 | anchored,
            rule,
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
        (self.literals, self.max_len) = (0, 0);
    }
}
