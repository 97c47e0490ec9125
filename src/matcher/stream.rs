//! The path that must be canonicalised and is too long for the stack: its canonical octets are made
//! as they are compared, again and again if need be. Slower, but bounded like the rest: memory is
//! constant, and searching is linear by the two-way algorithm of Crochemore and Perrin, which needs
//! no table and here no going back either.

use super::PathText;
use crate::image::{Label, MAX_KEY};
use crate::url::canonical::Canonical;

/// A path as a stream of canonical octets.
#[derive(Clone, Copy)]
pub(crate) struct Stream<'a> {
    octets: Canonical<'a>,
}

impl<'a> Stream<'a> {
    pub(crate) fn new(octets: Canonical<'a>) -> Stream<'a> {
        Stream { octets }
    }
}

impl<'a> PathText for Stream<'a> {
    type Cursor = Canonical<'a>;

    fn start(&self) -> Canonical<'a> {
        self.octets
    }

    fn depth(&self, at: Canonical<'a>) -> usize {
        at.given()
    }

    fn octet(&self, mut at: Canonical<'a>) -> Option<(u8, Canonical<'a>)> {
        Some((at.next()?, at))
    }

    fn strip(&self, at: Canonical<'a>, label: &Label<'_>) -> Option<Canonical<'a>> {
        strip(at, label.octets()?)
    }

    fn skip(&self, at: Canonical<'a>, count: usize) -> Canonical<'a> {
        skip(at, count)
    }

    fn find(&self, at: Canonical<'a>, piece: &[u8], _rarest: usize) -> Option<Canonical<'a>> {
        find(at, piece)
    }

    fn ends_with(&self, at: Canonical<'a>, piece: &[u8]) -> bool {
        let Some(before) = at.count().checked_sub(piece.len()) else {
            return false;
        };
        strip(skip(at, before), piece).is_some()
    }

    fn key(&self, at: Canonical<'a>) -> (u32, usize) {
        let octets = at.take(MAX_KEY).enumerate();
        octets.fold((0, 0), |(key, _), (index, octet)| {
            (key | u32::from(octet) << (8 * index), index + 1)
        })
    }

    fn octets(&self, _at: Canonical<'a>) -> Option<&[u8]> {
        None
    }
}

fn skip(mut at: Canonical<'_>, count: usize) -> Canonical<'_> {
    if count > 0 {
        at.nth(count - 1);
    }
    at
}

/// The place behind `octets`, if that is what stands at `at`.
fn strip<'a>(mut at: Canonical<'a>, octets: &[u8]) -> Option<Canonical<'a>> {
    octets
        .iter()
        .all(|octet| at.next() == Some(*octet))
        .then_some(at)
}

/// The place behind the first occurrence of `piece`: the two-way algorithm.
///
/// The piece is cut in two so that whatever matches of its right part tells how far to go on; the
/// left part is compared only behind a whole right part.
fn find<'a>(at: Canonical<'a>, piece: &[u8]) -> Option<Canonical<'a>> {
    let (cut, period) = critical_cut(piece);
    let (left, right) = piece.split_at_checked(cut)?;
    let repeats = piece.get(period..period + cut) == Some(left);
    // Shifting a piece that does not repeat by more than its longer part is safe.
    let period = if repeats {
        period
    } else {
        cut.max(piece.len() - cut) + 1
    };
    // Of the window of the path that is compared: its start and where its right part begins.
    let mut window = at;
    let mut middle = skip(at, cut);
    // Octets of the right part that are known to match, from the window before.
    let mut known = 0;
    loop {
        let mut behind = skip(middle, known);
        let mut matched = known;
        let mut is_same = true;
        for octet in right.get(known..)? {
            // At the end of the path there is no further window.
            is_same = behind.next()? == *octet;
            if !is_same {
                break;
            }
            matched += 1;
        }
        let shift = if !is_same {
            known = 0;
            matched + 1
        } else if strip(window, left).is_some() {
            return Some(behind);
        } else {
            known = if repeats {
                right.len().saturating_sub(period)
            } else {
                0
            };
            period
        };
        window = skip(window, shift);
        middle = skip(middle, shift);
    }
}

/// Where to cut `piece`, and the period of its right part: of the two greatest suffixes, one under
/// the order of octets and one under its reverse, the shorter begins at the cut.
fn critical_cut(piece: &[u8]) -> (usize, usize) {
    greatest_suffix(piece, |a, b| a < b).max(greatest_suffix(piece, |a, b| a > b))
}

/// Start and period of the greatest suffix, `is_less` being the order of octets.
fn greatest_suffix(piece: &[u8], is_less: impl Fn(u8, u8) -> bool) -> (usize, usize) {
    let (mut start, mut candidate, mut offset, mut period) = (0, 1, 0, 1);
    while let (Some(&ours), Some(&theirs)) =
        (piece.get(start + offset), piece.get(candidate + offset))
    {
        if is_less(theirs, ours) {
            // The candidate is lesser, and so is every suffix up to here.
            candidate += offset + 1;
            offset = 0;
            period = candidate - start;
        } else if theirs == ours {
            offset += 1;
            if offset == period {
                candidate += period;
                offset = 0;
            }
        } else {
            start = candidate;
            candidate += 1;
            offset = 0;
            period = 1;
        }
    }
    (start, period)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::crawler::Crawler;
    use crate::dialect::Dialect;
    use crate::image::{Offset16, View};
    use crate::matcher::{Slice, TreeMatch};
    use crate::url::canonical::{Form, Side};

    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % bound
        }

        /// Octets of few letters, so that they repeat.
        fn text(&mut self, longest: usize, letters: usize) -> Vec<u8> {
            (0..self.below(longest + 1))
                .map(|_| b'a' + self.below(letters) as u8)
                .collect()
        }
    }

    fn stream(octets: &[u8]) -> Canonical<'_> {
        Canonical::new(Form::new(Dialect::Rfc9309, Side::Url), octets)
    }

    #[test]
    fn finds_what_a_plain_search_finds() {
        let mut random = Random(1);
        for _ in 0..200_000 {
            let letters = 1 + random.below(3);
            let text = random.text(60, letters);
            let mut piece = random.text(12, letters);
            piece.push(b'a');
            if random.below(3) == 0 {
                piece = piece.repeat(1 + random.below(3));
            }
            let plain = text.windows(piece.len()).position(|window| window == piece);
            let found = find(stream(&text), &piece).map(|behind| behind.given() - piece.len());
            assert_eq!(found, plain, "{piece:?} in {text:?}");
            let path = Stream::new(stream(&text));
            assert_eq!(
                path.ends_with(stream(&text), &piece),
                text.ends_with(&piece)
            );
        }
    }

    #[test]
    fn decides_as_a_path_in_memory_does() {
        let mut random = Random(2);
        let crawler = Crawler::new("ExampleBot").unwrap();
        for _ in 0..3_000 {
            let mut body = b"User-agent: *\n".to_vec();
            for _ in 0..random.below(60) {
                body.extend_from_slice([&b"Disallow: /"[..], b"Allow: /"][random.below(2)]);
                body.extend((0..random.below(9)).map(|_| b"abcab*%"[random.below(7)]));
                body.extend_from_slice([&b"\n"[..], b"$\n", b"*\n"][random.below(3)]);
            }
            let rules = crawler.parse(&body);
            let image = View::open(rules.image()).unwrap();
            for _ in 0..10 {
                let raw: Vec<u8> = [b'/']
                    .into_iter()
                    .chain((0..random.below(40)).map(|_| b"abcab%"[random.below(6)]))
                    .collect();
                let mut octets: Vec<u8> = stream(&raw).collect();
                let len = octets.len();
                octets.extend(b"*behind*");
                let slice = Slice::new(&octets, 0..len).unwrap();
                let in_memory = TreeMatch::new::<Offset16, _>(image, &slice)
                    .unwrap()
                    .decide::<Offset16, _>(image, &slice);
                let streamed = Stream::new(stream(&raw));
                let streamed = TreeMatch::new::<Offset16, _>(image, &streamed)
                    .unwrap()
                    .decide::<Offset16, _>(image, &streamed);
                assert_eq!(
                    streamed,
                    in_memory,
                    "{} {}",
                    body.escape_ascii(),
                    raw.escape_ascii()
                );
            }
        }
    }
}
