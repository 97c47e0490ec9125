//! Builds an image of what a robots.txt tells a crawler.

use super::literals::Literals;
use super::pattern_list::ListWriter;
use super::writer::{BuildFailure, ImageWriter, fit};
use super::{BYTE_ORDER, MAGIC, Offset16, Offset32, PADDING, VERSION, Width, flag, header};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::image::pattern::Patterns;
use crate::parser::group::Selection;

/// What an image says apart from its rules.
#[derive(Clone, Copy, Debug, Default)]
struct Facts<'a> {
    /// Of the header: `GROUP`, `ALLOW_ALL`, `DISALLOW_ALL` or `UNREACHABLE`.
    flags: u8,
    dialect: Dialect,
    crawl_delay: Option<f64>,
    sitemaps: &'a [&'a [u8]],
    /// SPEC 8.8: the line that is reported where no rule matches, or 0.
    default_line: u32,
}

/// The image of what a robots.txt tells a crawler.
pub(crate) fn image(selection: Selection<'_>, dialect: Dialect) -> Result<Vec<u8>, Error> {
    let facts = Facts {
        flags: if selection.has_group { flag::GROUP } else { 0 },
        dialect,
        crawl_delay: selection.crawl_delay,
        sitemaps: &selection.sitemaps,
        default_line: selection.empty.map_or(0, |(_, line)| line),
    };
    let patterns = Patterns::new(selection.body, selection.rules, dialect);
    let image = patterns.and_then(|patterns| write(&patterns, &facts));
    image.map_err(BuildFailure::error)
}

/// The image of a site that is allowed or disallowed as a whole.
pub(crate) fn whole_site(flags: u8) -> Result<Vec<u8>, Error> {
    let facts = Facts {
        flags,
        ..Facts::default()
    };
    let patterns = Patterns::new(&[], Vec::new(), facts.dialect);
    let image = patterns.and_then(|patterns| write(&patterns, &facts));
    image.map_err(BuildFailure::error)
}

fn write(patterns: &Patterns<'_>, facts: &Facts<'_>) -> Result<Vec<u8>, BuildFailure> {
    let (mut rules, literals) = patterns.split()?;
    let list = ListWriter::new(patterns, rules.get(literals..).unwrap_or_default())?;
    rules.truncate(literals);
    let mut parts = Parts {
        literals: Literals::new(patterns, rules),
        list,
    };
    let is_likely_short = patterns.likely_image_len::<Offset16>()? < 2 * Offset16::MAX_IMAGE;
    if patterns.last_line < 1 << 15 && is_likely_short {
        match write_as::<Offset16>(patterns, &mut parts, facts) {
            // Too long for offsets of 16 bits.
            Err(BuildFailure::Length) => {}
            image => return image,
        }
    }
    write_as::<Offset32>(patterns, &mut parts, facts)
}

/// The rules of an image.
struct Parts<'t> {
    literals: Literals<'t>,
    list: ListWriter<'t>,
}

fn write_as<W: Width>(
    patterns: &Patterns<'_>,
    parts: &mut Parts<'_>,
    facts: &Facts<'_>,
) -> Result<Vec<u8>, BuildFailure> {
    let sitemaps_len: usize = facts
        .sitemaps
        .iter()
        .map(|sitemap| sitemap.len() + W::LEN)
        .sum();
    let mut out =
        ImageWriter::<W>::new(header::LEN + patterns.likely_image_len::<W>()? + sitemaps_len + 64)?;
    out.zeros(header::LEN)?;
    parts.literals.write(&mut out)?;
    let list = parts.list.write(&mut out)?;
    let sitemaps = out.offset()?;
    let mut end = 0;
    for sitemap in facts.sitemaps {
        end += sitemap.len();
        out.width(fit::<W>(end)?)?;
    }
    for sitemap in facts.sitemaps {
        out.bytes(sitemap)?;
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
        facts.default_line.to_le_bytes(),
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
    set(&mut head, header::LIST, list.to_le_bytes());
    out.finish(&head)
}

/// Sets a field of the header. Its offsets are constants.
fn set<const N: usize>(head: &mut [u8; header::LEN], at: usize, value: [u8; N]) {
    if let Some(field) = head.get_mut(at..at + N) {
        field.copy_from_slice(&value);
    }
}
