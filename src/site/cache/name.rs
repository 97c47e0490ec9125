//! Makes the name of a site in the map: its origin, hashed with a random seed.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::OnceLock;

use foldhash::SharedSeed;
use foldhash::fast::SeedableRandomState;

use crate::base::error::Error;
use crate::bytes::host_seed;
use crate::bytes::try_alloc::joined;

/// The scheme of nearly all sites; their names omit it. Every other name contains `://`. No host contains `://`, so two sites
/// never have the same name.
const COMMON_SCHEME: &[u8] = b"https://";

/// The name of a site and its hash.
#[derive(Clone, Copy)]
pub(super) struct SiteName<'a> {
    pub(super) hash: u64,
    pub(super) bytes: &'a [u8],
}

/// Returns the origin key of the site with this name.
pub(super) fn origin_of(name: &[u8]) -> Result<String, Error> {
    let scheme = match name.contains(&b'/') {
        true => b"",
        false => COMMON_SCHEME,
    };
    // Every name was made from UTF-8 text, so the conversion succeeds.
    String::from_utf8(joined([scheme, name])?).map_err(|_| Error::Url)
}

/// The random seed of one cache, from the system's random numbers and from the host of a WebAssembly module. An attacker who
/// does not know the seed cannot choose host names or images whose hashes collide.
pub(super) struct Seed(SeedableRandomState);

impl Seed {
    pub(super) fn new() -> Seed {
        // The shared seed is set explicitly. The global seed of foldhash would come from addresses and the time, which an
        // attacker may guess.
        static SHARED: OnceLock<SharedSeed> = OnceLock::new();
        let random = RandomState::new();
        let number = |of: u64| random.hash_one(of) ^ host_seed::get().rotate_left(of as u32);
        let shared = SHARED.get_or_init(|| SharedSeed::from_u64(number(1)));
        Seed(SeedableRandomState::with_seed(number(2), shared))
    }

    #[inline(always)]
    pub(super) fn hash(&self, bytes: &[u8]) -> u64 {
        let mut hasher = self.0.build_hasher();
        hasher.write(bytes);
        hasher.finish()
    }

    /// Returns the name of the site with this origin key. If `origin` is no origin key, the map has no site with the returned
    /// name.
    #[inline(always)]
    pub(super) fn name<'a>(&self, origin: &'a [u8]) -> SiteName<'a> {
        let bytes = origin.strip_prefix(COMMON_SCHEME).unwrap_or(origin);
        SiteName {
            hash: self.hash(bytes),
            bytes,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Hashes similar names, such as the names under a wildcard domain. Low bits, high bits and bits between them select place,
    /// tag and shard, so all bits must be evenly distributed.
    #[test]
    fn similar_origins_spread_evenly_and_differently_in_each_cache() {
        let seed = Seed::new();
        let hashes: Vec<u64> = (0..65_536)
            .map(|n| {
                seed.name(format!("https://{n}.stranger.example:{n}").as_bytes())
                    .hash
            })
            .collect();
        for shift in [0, 16, 32, 40, 48] {
            let mut buckets = vec![0_u32; 256];
            for hash in &hashes {
                buckets[(hash >> shift) as usize % 256] += 1;
            }
            let (least, most) = (buckets.iter().min().unwrap(), buckets.iter().max().unwrap());
            // Each bucket has 256 hashes on average. For one seed in 200, the buckets have 150 to 360, which costs a map
            // nothing.
            assert!(
                *least > 128 && *most < 512,
                "{least} to {most} at bit {shift}"
            );
        }
        assert_eq!(hashes.iter().collect::<HashSet<_>>().len(), hashes.len());
        let other = Seed::new().name(b"https://0.stranger.example:0").hash;
        assert!(!hashes.contains(&other), "two caches hash alike");
    }
}
