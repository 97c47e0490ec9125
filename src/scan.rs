//! Looks over octets 16 at a time: is a path its own canonical form, where does a pair of octets stand.

/// Whether an octet of a URL's path stands for itself in the canonical form of rfc9309 (SPEC 8.6).
/// `%` does not: it needs a look at what follows.
#[inline]
pub(crate) const fn is_plain_octet(octet: u8) -> bool {
    matches!(octet,
        b'!' | b'&'..=b')' | b'+'..=b';' | b'=' | b'?'..=b'[' | b']' | b'_' | b'a'..=b'z' | b'~')
}

/// Whether every octet of `path` stands for itself; false for some paths that do (`!` and `~`).
#[inline]
pub(crate) fn is_plain(path: &[u8]) -> bool {
    path.iter().all(|octet| is_plain_octet(*octet))
}

/// Whether `pair` stands in `octets`; of a pair of the same octet twice, whether that octet does.
#[inline]
pub(crate) fn holds(octets: &[u8], pair: [u8; 2]) -> bool {
    let [first, second] = pair;
    if first == second {
        return memchr::memchr(first, octets).is_some();
    }
    octets.windows(2).any(|window| window == pair)
}

/// How often a pair of octets may stand in a text without the piece around it before
/// [`find`] leaves the search to an algorithm that is linear for any text.
const MOST_MISSES: usize = 32;

/// Where `piece`, of at least two octets, first stands in `octets`, by the pair of its octets at
/// `rarest`. `None`: it was given up, since that pair stands nearly everywhere.
#[inline]
pub(crate) fn find(octets: &[u8], piece: &[u8], rarest: usize) -> Option<Option<usize>> {
    let (Some(&first), Some(&second)) = (piece.get(rarest), piece.get(rarest + 1)) else {
        return None;
    };
    let Some(last) = octets.len().checked_sub(piece.len()) else {
        return Some(None);
    };
    let mut misses = 0;
    let mut from = rarest;
    loop {
        let Some(rest) = octets.get(from..=last + rarest + 1) else {
            return Some(None);
        };
        let Some(at) = rest.windows(2).position(|window| window == [first, second]) else {
            return Some(None);
        };
        let start = from + at - rarest;
        if octets
            .get(start..)
            .is_some_and(|rest| rest.starts_with(piece))
        {
            return Some(Some(start));
        }
        misses += 1;
        if misses > MOST_MISSES {
            return None;
        }
        from += at + 1;
    }
}
