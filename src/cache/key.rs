//! What an origin is found by: its key in few octets, and a hash that strangers cannot foresee.

use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use papaya::Equivalent;

/// Keys up to this long (nine in ten of real ones) stand in the entry itself.
const INLINE: usize = 38;

/// An origin key and its hash.
#[derive(Clone)]
pub(super) struct Key {
    hash: u64,
    text: Text,
}

#[derive(Clone)]
enum Text {
    Short(u8, [u8; INLINE]),
    Long(Box<[u8]>),
}

impl Key {
    pub(super) fn new(sought: KeyRef<'_>) -> Key {
        let mut octets = [0; INLINE];
        let text = match octets.get_mut(..sought.text.len()) {
            // The length fits: it is at most `INLINE`.
            Some(place) => {
                place.copy_from_slice(sought.text);
                Text::Short(sought.text.len() as u8, octets)
            }
            None => Text::Long(sought.text.into()),
        };
        Key {
            hash: sought.hash,
            text,
        }
    }

    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    #[inline(always)]
    fn octets(&self) -> &[u8] {
        match &self.text {
            Text::Short(len, octets) => octets.get(..usize::from(*len)).unwrap_or_default(),
            Text::Long(text) => text,
        }
    }

    /// The origin key.
    pub(super) fn text(&self) -> &str {
        core::str::from_utf8(self.octets()).unwrap_or_default()
    }

    /// The octets on the heap beside the entry.
    pub(super) fn heap_len(&self) -> usize {
        match &self.text {
            Text::Short(..) => 0,
            Text::Long(text) => text.len(),
        }
    }

    pub(super) fn sought(&self) -> KeyRef<'_> {
        KeyRef {
            hash: self.hash,
            text: self.octets(),
        }
    }
}

/// A borrowed key.
#[derive(Clone, Copy)]
pub(super) struct KeyRef<'a> {
    pub(super) hash: u64,
    pub(super) text: &'a [u8],
}

/// A key of which only the hash is known. The odd case of two origins with one hash costs nothing but
/// that one stands for the other.
#[derive(Clone, Copy)]
pub(super) struct ByHash(pub(super) u64);

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.hash == other.hash && self.octets() == other.octets()
    }
}

impl Eq for Key {}

impl Equivalent<Key> for KeyRef<'_> {
    #[inline(always)]
    fn equivalent(&self, key: &Key) -> bool {
        self.hash == key.hash && self.text == key.octets()
    }
}

impl Equivalent<Key> for ByHash {
    fn equivalent(&self, key: &Key) -> bool {
        self.0 == key.hash
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Hash for KeyRef<'_> {
    #[inline(always)]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Hash for ByHash {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0);
    }
}

/// For the map: keys carry their hash.
#[derive(Clone, Copy, Default)]
pub(super) struct Carried(u64);

impl BuildHasher for Carried {
    type Hasher = Carried;

    #[inline(always)]
    fn build_hasher(&self) -> Carried {
        Carried(0)
    }
}

impl Hasher for Carried {
    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline(always)]
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    /// Keys write nothing but their hash.
    fn write(&mut self, _: &[u8]) {}
}

/// The secret of one cache. Whoever chooses host names may know this code, but not these numbers,
/// and so cannot make names that collide.
pub(super) struct Secret([u64; 3]);

impl Secret {
    /// From the system's random numbers.
    pub(super) fn new() -> Secret {
        let random = RandomState::new();
        Secret([1_u64, 2, 3].map(|number| random.hash_one(number)))
    }

    #[inline(always)]
    pub(super) fn seek<'a>(&self, text: &'a [u8]) -> KeyRef<'a> {
        KeyRef {
            hash: self.hash(text),
            text,
        }
    }

    /// Folded multiplications, 16 octets each. Every factor depends on a secret, so that no text makes
    /// a product vanish in all caches.
    #[inline(always)]
    fn hash(&self, octets: &[u8]) -> u64 {
        let Secret([first, second, third]) = *self;
        let mut hash = third ^ octets.len() as u64;
        let mut rest = octets;
        while let Some((block, behind)) = rest.split_first_chunk::<16>() {
            if behind.is_empty() {
                break;
            }
            hash = mix(hash, first, block);
            rest = behind;
        }
        // The last block overlaps the one before it; the length above tells such texts apart.
        let last = match octets.last_chunk::<16>() {
            Some(last) => *last,
            None => {
                let mut last = [0; 16];
                for (place, octet) in last.iter_mut().zip(octets) {
                    *place = *octet;
                }
                last
            }
        };
        fold(mix(hash, first, &last) ^ second, third | 1)
    }
}

#[inline(always)]
fn mix(hash: u64, secret: u64, block: &[u8; 16]) -> u64 {
    let block = u128::from_le_bytes(*block);
    fold(hash ^ block as u64, secret ^ (block >> 64) as u64)
}

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_of_every_length_are_kept_and_told_apart() {
        let secret = Secret::new();
        let long = "x".repeat(300);
        let mut hashes = HashSet::new();
        for len in 0..long.len() {
            let text = &long.as_bytes()[..len];
            let key = Key::new(secret.seek(text));
            assert_eq!(key.text().as_bytes(), text);
            assert_eq!(key.heap_len(), if len > INLINE { len } else { 0 });
            assert!(secret.seek(text).equivalent(&key));
            assert!(!secret.seek(&long.as_bytes()[..len + 1]).equivalent(&key));
            assert!(hashes.insert(key.hash()), "length {len}");
        }
    }

    /// Similar names, as one stranger with a wildcard domain makes them: all bits of the hash are used
    /// evenly, both those the map takes for the place and those it takes for the tag.
    #[test]
    fn similar_origins_spread_evenly() {
        let secret = Secret::new();
        let hashes: Vec<u64> = (0..65_536)
            .map(|n| {
                secret
                    .seek(format!("https://{n}.stranger.example:{n}").as_bytes())
                    .hash
            })
            .collect();
        for shift in [0, 16, 32, 48] {
            let mut buckets = vec![0_u32; 256];
            for hash in &hashes {
                buckets[(hash >> shift) as usize % 256] += 1;
            }
            let (least, most) = (buckets.iter().min().unwrap(), buckets.iter().max().unwrap());
            // 256 are expected in each, give or take 16: five times that is not chance.
            assert!(
                *least > 170 && *most < 345,
                "{least} to {most} at bit {shift}"
            );
        }
        assert_eq!(hashes.iter().collect::<HashSet<_>>().len(), hashes.len());
    }

    #[test]
    fn no_two_caches_hash_alike() {
        assert_ne!(
            Secret::new().seek(b"https://a.example").hash,
            Secret::new().seek(b"https://a.example").hash
        );
    }
}
