//! The rules of an image as a list, for callers that show or convert them.
//!
//! A walk over the nodes of the image restores the paths of the literal rules; the list of the image has the wildcard rules. One
//! sort finds equal rules, and a second sort restores the order of the file.

use core::cmp::Reverse;

use super::Rules;
use crate::base::error::Error;
use crate::base::limits::MAX_PATTERNS;
use crate::base::rule::RuleRef;
use crate::base::verdict::Reason;
use crate::bytes::sort::sort;
use crate::bytes::try_alloc::{append, push};
use crate::core::image::{self, View, header};

impl Rules {
    /// Returns the rules, in file order. Each call builds the list. To check a URL, use [`Rules::check`].
    ///
    /// The list leaves out duplicates, rules without a path, and rules whose path matches no URL (SPEC 8.5). If no file decides
    /// and the whole site is allowed, the list is empty. If no file decides and the site is disallowed or unreachable, the only
    /// rule of the list is `Disallow: /` on line 0. The list is the same if each verdict is an error (SPEC 4.7).
    ///
    /// # Errors
    /// [`Error::Memory`] if an allocation fails, or if the patterns have more than 64 MiB in total.
    ///
    /// ```
    /// let rules = robots::Crawler::new("ExampleBot")?.parse("User-agent: *\nDisallow: /b%7E\nAllow: /a*c$\n");
    /// let list = rules.effective_rules()?;
    /// let mut all = list.iter().map(|rule| (rule.line(), rule.allow(), rule.pattern()));
    /// assert_eq!(all.next(), Some((2, false, &b"/b~"[..])));
    /// assert_eq!(all.next(), Some((3, true, &b"/a*c$"[..])));
    /// # Ok::<(), robots::Error>(())
    /// ```
    pub fn effective_rules(&self) -> Result<EffectiveRules, Error> {
        // A walk over the nodes of a damaged image might not end.
        if !self.block().owns() {
            image::validate(self.image())?;
        }
        let image = View::open(self.image())?;
        let mut list = EffectiveRules::default();
        let default = image.default_verdict();
        if !default.allowed() || default.reason() == Reason::RuleAllowed {
            list.write(b"/")?;
            list.add(RuleRef::new(default.line(), default.allowed()), 0)?;
        } else {
            list.walk(image)?;
        }
        let dialect = image.dialect().ok_or(Error::Image)?;
        list.sort(dialect.first_match_wins());
        Ok(list)
    }
}

/// The rules of a robots.txt that can decide: see [`Rules::effective_rules`].
#[derive(Clone, Default)]
pub struct EffectiveRules {
    /// Each rule in file order, with the start and the end of its pattern in `text`.
    entries: Vec<(RuleRef, u32, u32)>,
    text: Vec<u8>,
}

/// One rule that can decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EffectiveRule<'a> {
    rule: RuleRef,
    pattern: &'a [u8],
}

impl<'a> EffectiveRule<'a> {
    /// Returns the line of the rule, from 1; 0 for a site-wide rule that is not in the file.
    pub fn line(&self) -> u32 {
        self.rule.line()
    }

    /// Returns whether the rule is an allow rule.
    pub fn allow(&self) -> bool {
        self.rule.allow()
    }

    /// Returns the path in canonical form (SPEC 8.6), with a final `$` if the rule has one. A pattern with redundant `*`, such
    /// as `/a**b*`, becomes an equivalent pattern of the same length. A rule that alone decides every path is listed as `/`.
    pub fn pattern(&self) -> &'a [u8] {
        self.pattern
    }
}

impl EffectiveRules {
    /// Returns the number of rules.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there is no rule.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns a rule by its index in the list.
    pub fn get(&self, index: usize) -> Option<EffectiveRule<'_>> {
        let (rule, start, end) = *self.entries.get(index)?;
        let pattern = self.text.get(start as usize..end as usize)?;
        Some(EffectiveRule { rule, pattern })
    }

    /// Returns the rules in file order.
    pub fn iter(&self) -> impl Iterator<Item = EffectiveRule<'_>> {
        (0..self.len()).map_while(|index| self.get(index))
    }
}

impl core::fmt::Debug for EffectiveRules {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl EffectiveRules {
    /// Adds the rules of every node of an image, and of the list.
    fn walk(&mut self, image: View<'_>) -> Result<(), Error> {
        // For each node that is still to visit, its offset and the length of the path before its label.
        let mut pending: Vec<(usize, usize)> = Vec::new();
        let mut path = Vec::new();
        push(&mut path, b'/')?;
        let mut next = Some((header::LEN, path.len()));
        while let Some((at, depth)) = next {
            let node = image.node(at).ok_or(Error::Image)?;
            let label = image.bytes().get(node.label..node.table);
            let label = label.ok_or(Error::Image)?;
            path.truncate(depth);
            append(&mut path, label)?;
            for number in 0..node.count {
                let rule = image.literal(&node, number).ok_or(Error::Image)?;
                let key = rule.key();
                let key = key.get(..rule.key_len()).ok_or(Error::Image)?;
                let start = self.text.len();
                let star: &[u8] = if rule.has_star { b"*" } else { b"" };
                for part in [&path, key, rule.tail, star] {
                    self.write(part)?;
                }
                self.add(rule.rule, start)?;
            }
            for child in image.children(&node) {
                push(
                    &mut pending,
                    (child.ok_or(Error::Image)? as usize, path.len()),
                )?;
            }
            next = pending.pop();
        }
        match image.u32(header::WILDCARDS) {
            None => Err(Error::Image),
            Some(0) => Ok(()),
            Some(list) => self.add_list(image, list),
        }
    }

    fn add_list(&mut self, image: View<'_>, at: u32) -> Result<(), Error> {
        let list = image.wildcards(at).ok_or(Error::Image)?;
        for number in 0..list.count {
            let mut rule = image.rule(&list, number).ok_or(Error::Image)?;
            let start = self.text.len();
            self.write(rule.prefix)?;
            let first = self.text.len();
            for piece in rule.pieces.by_ref() {
                self.write(b"*")?;
                self.write(piece.bytes)?;
            }
            if rule.pieces.is_damaged {
                return Err(Error::Image);
            }
            // A rule without pieces ends with its prefix.
            let has_pieces = self.text.len() > first;
            if rule.is_anchored {
                self.write(b"$")?;
            }
            // The image stores no redundant `*`, but the length of the rule counts each `*`. So redundant stars are added here:
            // at the end, or, if the rule ends with `$`, before the first piece, because a `$` before a star is an ordinary
            // byte.
            let stars = (rule.length as usize).saturating_sub(self.text.len() - start);
            self.reserve(stars)?;
            self.text.resize(self.text.len() + stars, b'*');
            if rule.is_anchored && has_pieces {
                let rest = self.text.get_mut(first..).unwrap_or_default();
                rest.rotate_right(stars);
            }
            self.add(rule.rule, start)?;
        }
        Ok(())
    }

    fn reserve(&mut self, len: usize) -> Result<(), Error> {
        let end = self.text.len().saturating_add(len);
        match end <= MAX_PATTERNS && self.text.try_reserve(len).is_ok() {
            true => Ok(()),
            false => Err(Error::Memory),
        }
    }

    fn write(&mut self, part: &[u8]) -> Result<(), Error> {
        self.reserve(part.len())?;
        self.text.extend_from_slice(part);
        Ok(())
    }

    /// Adds a rule whose pattern was written from `start` on.
    fn add(&mut self, rule: RuleRef, start: usize) -> Result<(), Error> {
        push(
            &mut self.entries,
            (rule, start as u32, self.text.len() as u32),
        )
    }

    /// Removes each rule that has the same pattern as a rule of higher priority, and sorts the remaining rules by line. In
    /// google, one line may give two rules (SPEC 8.10): the rule itself comes before the rule for its directory.
    fn sort(&mut self, first_match_wins: bool) {
        let EffectiveRules { entries, text } = self;
        let pattern = |(_, start, end): &(RuleRef, u32, u32)| {
            let pattern = text.get(*start as usize..*end as usize);
            pattern.unwrap_or_default()
        };
        let weaker =
            |(rule, ..): &(RuleRef, u32, u32)| (!first_match_wins && !rule.allow(), rule.line());
        sort(entries, |a, b| {
            (pattern(a), weaker(a)) < (pattern(b), weaker(b))
        });
        entries.dedup_by(|a, b| pattern(a) == pattern(b));
        let place =
            |(rule, start, end): &(RuleRef, u32, u32)| (rule.line(), Reverse(end - start), *start);
        sort(entries, |a, b| place(a) < place(b));
    }
}
