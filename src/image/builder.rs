//! Builds an image of what a robots.txt tells a crawler.

use super::tree::Tree;
use super::writer::{Failure, ImageWriter, fit};
use super::{BYTE_ORDER, MAGIC, Offset16, Offset32, PADDING, VERSION, Width, flag, header};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::image::pattern::{CanonicalPath, CanonicalPaths, Pattern};
use crate::parser::group::Selection;
use crate::rule::Priority;
use crate::rule::RuleRef;

/// What an image says apart from its rules.
#[derive(Clone, Copy, Debug, Default)]
struct Facts<'a> {
    /// Of the header: `GROUP`, `ALLOW_ALL`, `DISALLOW_ALL` or `UNREACHABLE`.
    flags: u8,
    dialect: Dialect,
    crawl_delay: Option<f64>,
    sitemaps: &'a [&'a [u8]],
}

/// The image of what a robots.txt tells a crawler.
pub(crate) fn image(selection: &Selection<'_>, dialect: Dialect) -> Result<Vec<u8>, Error> {
    let facts = Facts {
        flags: if selection.has_group { flag::GROUP } else { 0 },
        dialect,
        crawl_delay: selection.crawl_delay,
        sitemaps: &selection.sitemaps,
    };
    let texts = CanonicalPaths::new(&selection.rules, dialect)?;
    // Google's dialect may make two of one (SPEC 8.10).
    let most = if dialect.index_stands_for_directory() {
        2
    } else {
        1
    };
    let mut rules = Rules::new(selection.rules.len() * most, dialect)?;
    for (raw, text) in selection.rules.iter().zip(texts.iter(&selection.rules)) {
        rules.add(raw.slot, text, dialect);
    }
    rules.write(&facts)
}

/// The image of a site that is allowed or disallowed as a whole.
pub(crate) fn whole_site(flags: u8) -> Result<Vec<u8>, Error> {
    let facts = Facts {
        flags,
        ..Facts::default()
    };
    Rules::new(0, facts.dialect)?.write(&facts)
}

/// The rules of an image.
struct Rules<'t> {
    tree: Tree<'t>,
    /// SPEC 8.8: of the rules with an empty path the one that is reported.
    default: Option<(Priority, u32)>,
    last_line: u32,
}

impl<'t> Rules<'t> {
    /// Room for `most` patterns.
    fn new(most: usize, dialect: Dialect) -> Result<Self, Error> {
        Ok(Rules {
            tree: Tree::new(most, dialect).map_err(|_| Error::Memory)?,
            default: None,
            last_line: 0,
        })
    }

    #[inline]
    fn add(&mut self, slot: RuleRef, text: CanonicalPath<'t>, dialect: Dialect) {
        let pattern = Pattern::new(text, slot);
        if pattern.length == 0 {
            let strength = pattern.strength(dialect);
            self.default = self.default.max(Some((strength, slot.line())));
            return;
        }
        self.keep(pattern);
        // SPEC 8.10. Where the rule itself matches it is the longer of the two.
        if slot.allow() {
            if let Some(directory) = text.directory_of_index(dialect) {
                self.keep(Pattern::new(directory, slot));
            }
        }
    }

    /// Keeps what can match: every path begins with a `/` (SPEC 8.5).
    #[inline]
    fn keep(&mut self, pattern: Pattern<'t>) {
        if pattern.can_match() {
            self.last_line = self.last_line.max(pattern.slot.line());
            self.tree.add(pattern);
        }
    }

    fn write(mut self, facts: &Facts<'_>) -> Result<Vec<u8>, Error> {
        self.tree.sort().map_err(|_| Error::Memory)?;
        if self.last_line < 1 << 15 && self.tree.len() < 1 << 14 {
            match self.write_as::<Offset16>(facts) {
                // Too long for offsets of 16 bits.
                Err(Failure::Length) => {}
                Err(Failure::Memory) => return Err(Error::Memory),
                Ok(image) => return Ok(image),
            }
        }
        self.write_as::<Offset32>(facts).map_err(|_| Error::Memory)
    }

    fn write_as<W: Width>(&self, facts: &Facts<'_>) -> Result<Vec<u8>, Failure> {
        let sitemaps_len: usize = facts
            .sitemaps
            .iter()
            .map(|sitemap| sitemap.len() + W::LEN)
            .sum();
        let mut out =
            ImageWriter::<W>::new(header::LEN + self.tree.len() * 20 + sitemaps_len + 64)?;
        out.zeros(header::LEN)?;
        self.tree.write(&mut out)?;
        let sitemaps = out.offset()?;
        let mut end = 0;
        for sitemap in facts.sitemaps {
            end += sitemap.len();
            out.width(fit::<W>(end)?)?;
        }
        for sitemap in facts.sitemaps {
            out.octets(sitemap)?;
        }
        out.zeros(PADDING)?;
        let flags = facts.flags
            | if W::LEN == Offset32::LEN {
                flag::WIDE
            } else {
                0
            };
        let mut head = [0; header::LEN];
        set(&mut head, 0, MAGIC);
        set(&mut head, header::VERSION, [VERSION]);
        set(&mut head, header::FLAGS, [flags]);
        set(&mut head, header::BYTE_ORDER, BYTE_ORDER.to_le_bytes());
        set(&mut head, header::LENGTH, out.offset()?.to_le_bytes());
        set(&mut head, header::DIALECT, [facts.dialect as u8]);
        set(
            &mut head,
            header::DEFAULT_LINE,
            self.default.map_or(0, |(_, line)| line).to_le_bytes(),
        );
        set(&mut head, header::SITEMAPS, sitemaps.to_le_bytes());
        set(
            &mut head,
            header::SITEMAP_COUNT,
            (facts.sitemaps.len() as u32).to_le_bytes(),
        );
        set(
            &mut head,
            header::CRAWL_DELAY,
            facts.crawl_delay.unwrap_or(f64::NAN).to_le_bytes(),
        );
        Ok(out.finish(&head))
    }
}

fn set<const N: usize>(head: &mut [u8; header::LEN], at: usize, value: [u8; N]) {
    if let Some(field) = head.get_mut(at..at + N) {
        field.copy_from_slice(&value);
    }
}
