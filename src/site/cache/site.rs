//! Packs the name and the outcome of one site for the cache. Each new outcome makes a new [`Site`].
//!
//! Most decisions read only the fields and the name. The rest of the outcome follows the name as bytes ([`Facts`]), which are
//! unpacked for a refresh, an export or [`Cache::outcome`](super::Cache::outcome).

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::counters::Event;
use super::images::{self, Images};
use super::name::{Seed, origin_of};
use crate::base::error::Error;
use crate::base::limits::{CLOCK_SKEW, MAX_TIME};
use crate::base::verdict::{Reason, Verdict};
use crate::bytes::try_alloc::{block, boxed, copy, reserved};
use crate::core::rules::Rules;
use crate::crawler::options::OutcomeKind;
use crate::site::fetch::{Facts, Outcome};
use crate::url::origin::Origin;

/// A site in one block of memory, an element of the map.
pub(super) struct Site(Box<[Packed; 1]>);

struct Packed {
    /// First second in which the outcome may decide. Before this time, the outcome lies in the future (SPEC 2.18).
    settled_from: u64,
    /// Number of seconds after `settled_from` in which the site is *settled*: no fetch is due, and the rules or the refusal
    /// decide. One comparison tests both bounds.
    settled_for: u32,
    name_len: u16,
    role: Role,
    /// Whether a caller used the site since the last eviction pass.
    used: AtomicBool,
    /// Rules of the first crawler, or the site-wide rules; `None` if the outcome does not fit into the cache.
    first: Option<Rules>,
    /// The rules of the outcome after the first.
    others: Others,
    /// The name, then the facts.
    text: Text,
}

type Others = Option<Box<[Box<[Rules]>; 1]>>;

// With the allocator's 8 bytes, this is a block of 96 bytes. `make bench` measures 1,000,000 sites in the row `cache-bytes`.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Packed>() == 88);

/// What an outcome means for a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Each crawler has rules of the file.
    Rules,
    /// Each crawler has rules of an earlier fetch.
    StaleRules,
    /// The first rules decide for all crawlers.
    WholeSite,
    Defer,
    Unreachable,
    /// The outcome does not fit into the cache.
    TooLarge,
}

/// The maximum length of name and facts in the block. Nine in ten sites fit; the text of any other site has its own block.
const INLINE: usize = 54;

enum Text {
    Short(u8, [u8; INLINE]),
    Long(Box<[u8]>),
}

impl Text {
    fn new(text: Vec<u8>) -> Text {
        let mut bytes = [0; INLINE];
        match bytes.get_mut(..text.len()) {
            Some(place) => {
                place.copy_from_slice(&text);
                // The length fits: it is at most `INLINE`.
                Text::Short(text.len() as u8, bytes)
            }
            None => Text::Long(text.into_boxed_slice()),
        }
    }

    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        match self {
            Text::Short(len, bytes) => bytes.get(..usize::from(*len)).unwrap_or_default(),
            Text::Long(text) => text,
        }
    }
}

impl Site {
    pub(super) fn pack(name: &[u8], outcome: &Outcome) -> Result<Site, Error> {
        let role = match outcome.kind {
            OutcomeKind::Rules if outcome.stale => Role::StaleRules,
            OutcomeKind::Rules => Role::Rules,
            OutcomeKind::AllowAll | OutcomeKind::DisallowAll => Role::WholeSite,
            OutcomeKind::Defer => Role::Defer,
            OutcomeKind::Unreachable => Role::Unreachable,
        };
        let text = Facts::pack(name, outcome)?;
        let facts = text.get(name.len()..).and_then(Facts::unpack);
        let facts = facts.ok_or(Error::Argument)?;
        // A decision on a settled site does not read `usable_until`, so the settled time ends at `usable_until` at the latest.
        let end = match role {
            Role::Defer | Role::Unreachable => facts.due(),
            _ => facts.due().min(facts.usable_until),
        };
        let from = facts.made_at().saturating_sub(CLOCK_SKEW);
        let mut others = reserved(outcome.rules.len().saturating_sub(1))?;
        others.extend(outcome.rules.iter().skip(1).cloned());
        let others = match others.is_empty() {
            true => None,
            false => Some(boxed(others.into_boxed_slice())?),
        };
        let first = outcome.rules.first().cloned();
        Site::new(name, role, from..end, (first, others), text)
    }

    /// Returns the site of an outcome that does not fit into the cache. No caller fetches the file again before `until`.
    pub(super) fn too_large(name: &[u8], now: u64, until: u64) -> Result<Site, Error> {
        let from = now.saturating_sub(CLOCK_SKEW);
        let due = until.min(MAX_TIME + 1);
        Site::new(name, Role::TooLarge, from..due, (None, None), copy(name)?)
    }

    fn new(
        name: &[u8],
        role: Role,
        settled: core::ops::Range<u64>,
        (first, others): (Option<Rules>, Others),
        text: Vec<u8>,
    ) -> Result<Site, Error> {
        let settled_for = settled.end.saturating_sub(settled.start);
        boxed(Packed {
            settled_from: settled.start,
            settled_for: u32::try_from(settled_for).unwrap_or(u32::MAX),
            name_len: u16::try_from(name.len()).map_err(|_| Error::Url)?,
            role,
            used: AtomicBool::new(false),
            first,
            others,
            text: Text::new(text),
        })
        .map(Site)
    }

    /// Returns the memory use in bytes if no image is shared.
    pub(super) fn cost(&self) -> usize {
        self.packed().cost() + self.all_rules().map(images::cost).sum::<usize>()
    }

    /// Replaces images by equal images of other sites. `old`: the previous value of this site. Returns the number of bytes
    /// saved.
    pub(super) fn share(&mut self, images: &Images, seed: &Seed, old: Option<&Site>) -> usize {
        let is_kept = |rules: &Rules| {
            let mut old = old.into_iter().flat_map(Site::all_rules);
            old.any(|old| core::ptr::eq(old.image(), rules.image()))
        };
        let [packed] = &mut *self.0;
        let others = packed.others.iter_mut().flat_map(|others| {
            let [others] = &mut **others;
            others.iter_mut()
        });
        let rules = packed.first.iter_mut().chain(others);
        rules
            .map(|rules| images.share(seed.hash(rules.image()), rules, is_kept(rules)))
            .sum()
    }

    /// Releases the images. Returns the number of bytes that become free with this site.
    pub(super) fn release(&self, images: &Images, seed: &Seed) -> usize {
        let release = |rules: &Rules| images.release(seed.hash(rules.image()), rules);
        self.packed().cost() + self.all_rules().map(release).sum::<usize>()
    }

    fn all_rules(&self) -> impl Iterator<Item = &Rules> {
        let packed = self.packed();
        packed.first.iter().chain(packed.others())
    }

    #[inline(always)]
    fn packed(&self) -> &Packed {
        let [packed] = &*self.0;
        packed
    }

    #[inline(always)]
    pub(super) fn name(&self) -> &[u8] {
        let packed = self.packed();
        let text = packed.text.bytes();
        text.get(..usize::from(packed.name_len)).unwrap_or_default()
    }

    /// Returns whether the site is settled at `now`: no fetch is due, and its rules or its refusal decide.
    #[inline(always)]
    pub(super) fn is_settled(&self, now: u64) -> bool {
        let packed = self.packed();
        now.wrapping_sub(packed.settled_from) < packed.settled_for.into()
    }

    /// Returns the time at which the next fetch is due; `None` if a fetch is due now.
    pub(super) fn due_after(&self, now: u64) -> Option<u64> {
        let packed = self.packed();
        let due = match self.facts() {
            Some(facts) => facts.due(),
            None => packed.settled_from + u64::from(packed.settled_for),
        };
        (packed.settled_from..due).contains(&now).then_some(due)
    }

    /// Returns the rules that decide for a crawler of the cache; `None` if the outcome has no rules that decide.
    #[inline(always)]
    pub(super) fn rules(&self, crawler: usize) -> Option<&Rules> {
        let packed = self.packed();
        match packed.role {
            Role::Rules | Role::StaleRules if crawler > 0 => packed.others().get(crawler - 1),
            Role::Rules | Role::StaleRules | Role::WholeSite => packed.first.as_ref(),
            Role::Defer | Role::Unreachable | Role::TooLarge => None,
        }
    }

    /// Returns the rules if they are usable at the time `now`.
    pub(super) fn rules_at(&self, crawler: usize, now: u64) -> Option<&Rules> {
        let usable_until = self.facts()?.usable_until;
        let is_usable = (self.packed().settled_from..usable_until).contains(&now);
        self.rules(crawler).filter(|_| is_usable)
    }

    /// Returns the verdict on every URL of a site without usable rules, until the next fetch is due.
    pub(super) fn refusal(&self) -> Verdict {
        match self.packed().role {
            Role::TooLarge => Verdict::from_error(Error::Memory),
            Role::Unreachable => Verdict::of_site(Reason::Unreachable),
            _ => Verdict::of_site(Reason::Defer),
        }
    }

    /// Returns the event that is counted when the rules decide.
    #[inline(always)]
    pub(super) fn event(&self) -> Event {
        match self.packed().role {
            Role::StaleRules => Event::StaleHit,
            _ => Event::Hit,
        }
    }

    /// Marks the site as used. A mark that is already set is not written again, so no other processor has to reload the cache
    /// line.
    #[inline(always)]
    pub(super) fn mark_used(&self) {
        let used = &self.packed().used;
        if !used.load(Relaxed) {
            used.store(true, Relaxed);
        }
    }

    /// Marks the site as used if `old` is marked as used.
    pub(super) fn keep_mark(&self, old: &Site) {
        if old.packed().used.load(Relaxed) {
            self.mark_used();
        }
    }

    /// Removes the mark of use, and returns whether the site had the mark.
    pub(super) fn take_mark(&self) -> bool {
        self.packed().used.swap(false, Relaxed)
    }

    /// Returns the facts of the outcome; `None` if the outcome does not fit into the cache.
    pub(super) fn facts(&self) -> Option<Facts<'_>> {
        let packed = self.packed();
        if packed.role == Role::TooLarge {
            return None;
        }
        let text = packed.text.bytes().get(usize::from(packed.name_len)..)?;
        #[allow(clippy::expect_used, reason = "an invariant")]
        let facts = Facts::unpack(text).expect("a site has the facts that were packed");
        Some(facts)
    }

    /// Returns the outcome; `None` if it does not fit into the cache. `crawlers`: the fingerprint and number of the crawlers.
    pub(super) fn outcome(&self, crawlers: (u64, usize)) -> Result<Option<Outcome>, Error> {
        let Some(facts) = self.facts() else {
            return Ok(None);
        };
        let origin = Origin::from_url(origin_of(self.name())?)?;
        let rules = self.all_rules().cloned().collect();
        facts.outcome(origin, crawlers, rules).map(Some)
    }
}

impl Packed {
    #[inline(always)]
    fn others(&self) -> &[Rules] {
        match &self.others {
            Some(others) => {
                let [others] = &**others;
                others
            }
            None => &[],
        }
    }

    /// Returns the memory use in bytes, without images.
    fn cost(&self) -> usize {
        let text = match &self.text {
            Text::Short(..) => 0,
            Text::Long(text) => block(text.len()),
        };
        let others = match self.others().len() {
            0 => 0,
            len => block(size_of::<Box<[Rules]>>()) + block(len * size_of::<Rules>()),
        };
        block(size_of::<Packed>()) + TABLE_SHARE + text + others
    }
}

/// Number of bytes that the map takes for each site, rounded. A place has 9 bytes, and between 7/16 and 7/8 of the places are
/// in use, so a site takes 10 to 21 bytes.
const TABLE_SHARE: usize = 16;
