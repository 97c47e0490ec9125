//! Paces the requests to a site: crawl-delay and Retry-After (SPEC 3.9, 3.10).

use super::counters::Event;
use super::site::Site;
use super::slot::{Demand, Pace, Slots, Turn};
use super::{Cache, CacheDecision};
use crate::base::error::Error;
use crate::base::limits::{MAX_PACE_MS, seconds_of};
use crate::base::verdict::{Reason, Verdict};
use crate::crawler::options::FetchOption;
use crate::site::fetch::retry_after;
use crate::url::origin;

/// Rest of a site after a 429 or 503 without a `Retry-After`, in milliseconds (SPEC 3.10).
const REST_MS: u64 = 5_000;

/// The next action of the crawler for a URL that it is about to request, and the time of this action: [`Cache::request`].
#[derive(Debug)]
#[must_use]
pub struct CacheRequest {
    /// The decision on the URL. If it allows the URL, the slot is reserved.
    pub decision: CacheDecision,
    /// The slot, in milliseconds since 1970-01-01 UTC; 0 without a slot. If the slot equals the time of the call, send the
    /// request now; otherwise call again when the slot is due. With [`CacheDecision::Defer`], this may be a slot after the
    /// horizon, or the end of the site's rest.
    pub at_ms: u64,
    /// Milliseconds between this request and the site's next request; 0 without a slot.
    pub crawl_delay_ms: u64,
    /// Whether the file states a crawl-delay that is longer than `crawl_delay_ms`.
    pub crawl_delay_cut: bool,
}

impl CacheRequest {
    fn without_slot(decision: CacheDecision) -> CacheRequest {
        CacheRequest {
            decision,
            at_ms: 0,
            crawl_delay_ms: 0,
            crawl_delay_cut: false,
        }
    }
}

impl Cache {
    /// Sets the delay between two requests to a site whose robots.txt has no crawl-delay. Milliseconds, up to a day; default:
    /// 0.
    ///
    /// # Errors
    /// [`Error::Argument`] for more than a day; [`Error::InvalidState`] if the cache has content, clones or tickets.
    pub fn with_default_delay(mut self, milliseconds: u64) -> Result<Cache, Error> {
        self.set_pace(milliseconds, |pace| &mut pace.default_delay)?;
        Ok(self)
    }

    /// Sets the longest obeyed crawl-delay, in milliseconds, up to a day; default:
    /// [`DEFAULT_MAX_DELAY_MS`](super::DEFAULT_MAX_DELAY_MS). A longer crawl-delay is cut to this maximum. A longer default
    /// delay raises the maximum. If both are 0, no crawl-delay is obeyed.
    ///
    /// # Errors
    /// The errors of [`Cache::with_default_delay`].
    pub fn with_max_delay(mut self, milliseconds: u64) -> Result<Cache, Error> {
        self.set_pace(milliseconds, |pace| &mut pace.max_delay)?;
        Ok(self)
    }

    /// Sets how far ahead a slot is reserved, in milliseconds, up to a day; default: [`DEFAULT_HORIZON_MS`](super::DEFAULT_HORIZON_MS).
    ///
    /// # Errors
    /// The errors of [`Cache::with_default_delay`].
    pub fn with_horizon(mut self, milliseconds: u64) -> Result<Cache, Error> {
        self.set_pace(milliseconds, |pace| &mut pace.horizon)?;
        Ok(self)
    }

    pub(crate) fn set_pace(
        &mut self,
        milliseconds: u64,
        option: impl FnOnce(&mut Pace) -> &mut u64,
    ) -> Result<(), Error> {
        if milliseconds > MAX_PACE_MS {
            return Err(Error::Argument);
        }
        *option(&mut self.unused()?.pace) = milliseconds;
        Ok(())
    }

    /// Checks a URL that is about to be requested, and reserves a slot of its site if the URL is allowed (SPEC 3.9). `now_ms`:
    /// milliseconds since 1970-01-01 UTC. `slot_ms`: 0 in the first call for a request.
    ///
    /// If [`CacheRequest::at_ms`] is `now_ms`, send the request immediately. Otherwise wait until that time and call again,
    /// with that time as `slot_ms`. The second call may return a slightly later time, because another request was sent late. If
    /// all requests are sent in this way, by any number of threads, at least a crawl-delay lies between two requests. All
    /// crawlers of the cache share the slots of a site.
    ///
    /// A slot later than the [horizon](Cache::with_horizon) is not reserved: the decision is [`CacheDecision::Defer`] until
    /// that slot. The fetch of the robots.txt counts as a request.
    ///
    /// In all other cases the decision is the decision of [`Cache::check`]. [`Error::Argument`] is also returned for a time
    /// before March 1973, which is probably in seconds. For a URL that is not to be requested yet, call [`Cache::check`], which
    /// reserves no slot.
    ///
    /// ```
    /// use robots::cache::{Cache, CacheDecision};
    /// use robots::{Crawler, Outcome};
    ///
    /// let crawlers = [Crawler::new("ExampleBot")?];
    /// let cache = Cache::new(&crawlers, 100_000_000)?;
    /// let (url, now_ms) = ("https://example.com/page", 1_800_000_000_000);
    /// if let CacheDecision::Fetch(ticket) = cache.request(0, url, 0, now_ms).decision {
    ///     let body = b"User-agent: *\nCrawl-delay: 0.2";
    ///     ticket.finish(Outcome::from_status(&crawlers, url, 200, body, 1_800_000_000)?, 1_800_000_000)?;
    /// }
    /// let slot = cache.request(0, url, 0, now_ms).at_ms;
    /// assert_eq!(slot, now_ms + 200);
    /// assert_eq!(cache.request(0, url, 0, now_ms).at_ms, now_ms + 400);
    /// // 30 milliseconds late, but allowed: the next request may be sent 200 milliseconds later.
    /// assert_eq!(cache.request(0, url, slot, now_ms + 230).at_ms, now_ms + 230);
    /// assert_eq!(cache.request(0, url, now_ms + 400, now_ms + 400).at_ms, now_ms + 430);
    /// # Ok::<(), robots::Error>(())
    /// ```
    #[inline(never)]
    pub fn request(
        &self,
        crawler: usize,
        url: impl AsRef<[u8]>,
        slot_ms: u64,
        now_ms: u64,
    ) -> CacheRequest {
        let url = url.as_ref();
        let now = match seconds_of(now_ms) {
            Ok(now) => now,
            Err(error) => {
                return CacheRequest::without_slot(CacheDecision::after(error, now_ms / 1_000));
            }
        };
        loop {
            let decision = self.check_at(crawler, url, now, now_ms);
            let is_allowed =
                matches!(&decision, CacheDecision::Decided { verdict, .. } if verdict.allowed());
            if !is_allowed {
                let mut request = CacheRequest::without_slot(decision);
                if let CacheDecision::Defer { until, .. } = request.decision {
                    request.at_ms = self.rest_until(url, until, now_ms);
                }
                return request;
            }
            match self.turn(crawler, url, slot_ms, now_ms) {
                // The outcome was removed or replaced since the check.
                Ok(None) => (),
                Ok(Some((turn, crawl_delay_ms, crawl_delay_cut))) => {
                    let (decision, at_ms) = match turn {
                        Turn::At(at) => (decision, at),
                        Turn::TooLate(at) => {
                            self.store.counters.count(Event::Defer);
                            let verdict = Verdict::of_site(Reason::Defer);
                            let until = at.div_ceil(1_000);
                            (CacheDecision::Defer { verdict, until }, at)
                        }
                    };
                    return CacheRequest {
                        decision,
                        at_ms,
                        crawl_delay_ms,
                        crawl_delay_cut,
                    };
                }
                Err(error) => return CacheRequest::without_slot(CacheDecision::after(error, now)),
            }
        }
    }

    /// Returns the end of the rest of `url`'s site, in milliseconds; 0 unless this end, rounded up to seconds, is `until`.
    #[cold]
    fn rest_until(&self, url: &[u8], until: u64, now_ms: u64) -> u64 {
        let Ok(origin) = self.origin_key(url) else {
            return 0;
        };
        let mut slots = self.store.lock(self.store.name(&origin)).slots();
        let rest = slots.rests_until(now_ms);
        rest.filter(|rest| rest.div_ceil(1_000) == until)
            .unwrap_or(0)
    }

    /// Requests a slot of `url`'s site. Returns the turn, the obeyed delay, and whether the file states a longer delay; `None`
    /// if the cache has no rules of the site.
    fn turn(
        &self,
        crawler: usize,
        url: &[u8],
        slot_ms: u64,
        now_ms: u64,
    ) -> Result<Option<(Turn, u64, bool)>, Error> {
        let store = &self.store;
        let origin = origin::key(url)?;
        let mut locked = store.lock(store.name(&origin));
        let rules = |site: &Site| {
            let (delay, is_cut) = store.pace.delay(site.rules(crawler)?);
            let made_at = site.facts().map_or(0, |facts| facts.made_at());
            Some((delay, is_cut, made_at.saturating_mul(1_000)))
        };
        let Some((delay, is_cut, fetched)) = locked.read(rules).flatten() else {
            return Ok(None);
        };
        let mut slots = locked.slots();
        if delay == 0 && slots == Slots::UNUSED {
            return Ok(Some((Turn::At(now_ms), delay, is_cut)));
        }
        let turn = slots.take(Demand {
            now: now_ms,
            held: slot_ms,
            fetched,
            delay,
            horizon: store.pace.horizon,
        });
        locked.set_aside(Some(now_ms / 1_000), |aside| aside.slots = slots)?;
        Ok(Some((turn, delay, is_cut)))
    }

    /// Reports the response to a page request. The crawl-delay counts from this response (SPEC 3.9). After 429 or 503, no
    /// request is sent to the site before the time that `Retry-After` states (SPEC 3.10). `value`: the value of `Retry-After`,
    /// seconds or a date; without a valid value the site rests for 5 seconds. A rest lasts at most three days, and at most
    /// [`FetchOption::MaxRetryAfter`] of the first crawler.
    ///
    /// # Errors
    /// [`Error::Url`], [`Error::Scheme`], [`Error::InvalidState`] and [`Error::Argument`], as for [`Cache::request`];
    /// [`Error::Memory`] if the site is new and does not fit.
    pub fn retry_after(
        &self,
        url: impl AsRef<[u8]>,
        status: u16,
        value: impl AsRef<[u8]>,
        now_ms: u64,
    ) -> Result<(), Error> {
        let now = seconds_of(now_ms)?;
        let origin = self.origin_key(url.as_ref())?;
        let store = &self.store;
        let mut locked = store.lock(store.name(&origin));
        let mut slots = locked.slots();
        slots.answered(now_ms);
        if matches!(status, 429 | 503) {
            let longest = store
                .crawlers
                .first()
                .map(|first| first.fetch_option(FetchOption::MaxRetryAfter));
            let rest = retry_after(value.as_ref(), now)
                .map_or(REST_MS, |seconds| seconds.saturating_mul(1_000))
                .min(longest.unwrap_or_default().saturating_mul(1_000));
            slots.rest(now_ms.saturating_add(rest), now_ms);
        }
        Ok(locked.set_aside(Some(now), |aside| aside.slots = slots)?)
    }
}
