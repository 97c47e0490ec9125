//! The key of the map: an origin and its hash with a random seed.

use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::sync::OnceLock;

use foldhash::SharedSeed;
use foldhash::quality::SeedableRandomState;
use papaya::Equivalent;

use crate::bytes::host_seed;

/// Length up to which a key is stored in the entry itself: that of nine in ten real keys.
const INLINE: usize = 38;

/// An origin key and its hash.
#[derive(Clone)]
pub(super) struct Key {
    pub(super) hash: u64,
    text: Text,
}

#[derive(Clone)]
enum Text {
    Short(u8, [u8; INLINE]),
    Long(Box<[u8]>),
}

impl Key {
    pub(super) fn new(key: KeyRef<'_>) -> Key {
        let mut bytes = [0; INLINE];
        let text = match bytes.get_mut(..key.text.len()) {
            // The length fits: it is at most `INLINE`.
            Some(place) => {
                place.copy_from_slice(key.text);
                Text::Short(key.text.len() as u8, bytes)
            }
            None => Text::Long(key.text.into()),
        };
        Key {
            hash: key.hash,
            text,
        }
    }

    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        match &self.text {
            Text::Short(len, bytes) => bytes.get(..usize::from(*len)).unwrap_or_default(),
            Text::Long(text) => text,
        }
    }

    /// The origin key.
    pub(super) fn text(&self) -> &str {
        core::str::from_utf8(self.bytes()).unwrap_or_default()
    }

    /// Returns the number of bytes that the key has on the heap.
    pub(super) fn heap_len(&self) -> usize {
        match &self.text {
            Text::Short(..) => 0,
            Text::Long(text) => text.len(),
        }
    }

    pub(super) fn by_ref(&self) -> KeyRef<'_> {
        KeyRef {
            hash: self.hash,
            text: self.bytes(),
        }
    }
}

/// A borrowed key.
#[derive(Clone, Copy)]
pub(super) struct KeyRef<'a> {
    pub(super) hash: u64,
    pub(super) text: &'a [u8],
}

/// A look-up by hash alone. If two origins have the same hash, it may find the other one: then eviction or export skips one
/// of them.
#[derive(Clone, Copy)]
pub(super) struct ByHash(pub(super) u64);

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.hash == other.hash && self.bytes() == other.bytes()
    }
}

impl Eq for Key {}

impl Equivalent<Key> for KeyRef<'_> {
    #[inline(always)]
    fn equivalent(&self, key: &Key) -> bool {
        self.hash == key.hash && self.text == key.bytes()
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

/// The hasher of the map: keys carry their hash.
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

/// The random seed of one cache, from the system's random numbers and from the host of a WebAssembly module. An attacker who
/// does not know the seed cannot choose host names that collide.
pub(super) struct Seed(SeedableRandomState);

impl Seed {
    pub(super) fn new() -> Seed {
        // Seeded here, because foldhash's own global seed comes from addresses and the time.
        static SHARED: OnceLock<SharedSeed> = OnceLock::new();
        let random = RandomState::new();
        let number = |of: u64| random.hash_one(of) ^ host_seed::get().rotate_left(of as u32);
        let shared = SHARED.get_or_init(|| SharedSeed::from_u64(number(1)));
        Seed(SeedableRandomState::with_seed(number(2), shared))
    }

    #[inline(always)]
    pub(super) fn key_ref<'a>(&self, text: &'a [u8]) -> KeyRef<'a> {
        let mut hasher = self.0.build_hasher();
        hasher.write(text);
        KeyRef {
            hash: hasher.finish(),
            text,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Similar names, such as a wildcard domain has. The map uses the high bits for the slot and the low bits for the tag, so
    /// all bits must be evenly distributed.
    #[test]
    fn similar_origins_spread_evenly_and_differently_in_each_cache() {
        let seed = Seed::new();
        let hashes: Vec<u64> = (0..65_536)
            .map(|n| {
                seed.key_ref(format!("https://{n}.stranger.example:{n}").as_bytes())
                    .hash
            })
            .collect();
        for shift in [0, 16, 32, 48] {
            let mut buckets = vec![0_u32; 256];
            for hash in &hashes {
                buckets[(hash >> shift) as usize % 256] += 1;
            }
            let (least, most) = (buckets.iter().min().unwrap(), buckets.iter().max().unwrap());
            // Each has 256 on average with a standard deviation of 16: five times that is not chance.
            assert!(
                *least > 170 && *most < 345,
                "{least} to {most} at bit {shift}"
            );
        }
        assert_eq!(hashes.iter().collect::<HashSet<_>>().len(), hashes.len());
        let other = Seed::new().key_ref(b"https://0.stranger.example:0").hash;
        assert!(!hashes.contains(&other), "two caches hash alike");
    }
}
