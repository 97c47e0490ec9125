//! A compiled robots.txt and the path of a URL to the winning rule. Nothing here allocates, locks
//! or goes back: one walk down the prefix tree finds the strongest literal rule and the lists of
//! rules with wildcards that could beat it.

mod lists;
mod stream;
mod text;

pub(crate) use stream::Stream;
pub(crate) use text::{Slice, Text};

use crate::error::Error;
use crate::image::{Child, Narrow, Slot, View, Wide, Width, damaged, header};

/// The rule that won.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Winner {
    /// [`Slot::NONE`] if no rule matched.
    pub(crate) slot: Slot,
    /// SPEC 8.7: the octets of its canonical path.
    pub(crate) length: u32,
}

/// The rule that decides on `path`, if any matches.
#[inline(always)]
pub(crate) fn winner<T: Text>(image: View<'_>, path: &T) -> Result<Slot, Error> {
    damaged(if image.is_wide() {
        walk::<Wide, T>(image, path)
    } else {
        walk::<Narrow, T>(image, path)
    })
}

/// `None` where the image is damaged.
#[inline(always)]
fn walk<W: Width, T: Text>(image: View<'_>, path: &T) -> Option<Slot> {
    let mut winner = Winner {
        slot: Slot::NONE,
        length: 0,
    };
    let mut list = 0;
    let mut at = header::LEN as u32;
    let mut cursor = path.start();
    loop {
        let head = image.head(at)?;
        let Some(behind) = path.strip(cursor, &head.label) else {
            break;
        };
        cursor = behind;
        let node = image.node::<W>(&head)?;
        // A rule that an ancestor's beats is not in the image: the deepest is the strongest.
        if node.slot != Slot::NONE {
            winner = Winner {
                slot: node.slot,
                length: path.depth(cursor) as u32 + node.extra,
            };
        }
        if node.list != 0 {
            list = node.list;
        }
        let Some((octet, behind)) = path.octet(cursor) else {
            if node.exact != Slot::NONE {
                winner = Winner {
                    slot: node.exact,
                    length: path.depth(cursor) as u32 + 1,
                };
            }
            break;
        };
        match image.child::<W>(&node, octet)? {
            Child::None => break,
            // Each child takes an octet of the path: even the nodes of a damaged image end.
            Child::At(child) => at = child,
        }
        cursor = behind;
    }
    if list == 0 {
        Some(winner.slot)
    } else {
        lists::improve::<W, T>(image, list, path, winner)
    }
}
