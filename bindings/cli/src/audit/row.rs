//! What one crawler did.

use std::collections::hash_map::Entry::{Occupied, Vacant};
use std::collections::{BTreeMap, HashMap, VecDeque};

use super::entry::Entry;
use super::time::{DAY, Time};

/// The times that wait for earlier ones: servers write a line at the end of a request.
const WAITING: usize = 64;

/// The most days of a row.
const MOST_DAYS: usize = 400;

/// The requests of one crawler, or of those with one standing.
#[derive(Default)]
pub(super) struct Row {
    pub(super) requests: u64,
    pub(super) bytes: u64,
    /// By the first digit of the status; 0 for none.
    pub(super) statuses: [u64; 6],
    pub(super) judged: u64,
    pub(super) forbidden: u64,
    pub(super) not_judged: u64,
    /// By version and line.
    pub(super) broken: HashMap<(u32, u32), Broken>,
    pub(super) robots: u64,
    /// When the robots.txt and another URL were first requested, each with the number of the line.
    pub(super) first_robots: Option<(i64, u64)>,
    pub(super) first_page: Option<(i64, u64)>,
    pub(super) gaps: Gaps,
    /// By days since 1970.
    pub(super) days: BTreeMap<i64, Day>,
    /// Requests of other days.
    pub(super) other_days: u64,
    /// The greatest crawl-delay in milliseconds.
    pub(super) delay: Option<u32>,
}

/// How often a rule was broken.
pub(super) struct Broken {
    pub(super) count: u64,
    /// The first URL.
    pub(super) example: Box<[u8]>,
    /// The first lines that broke it, if lines are kept.
    pub(super) lines: Vec<Place>,
}

/// A line of a log.
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: u64,
    /// Its first bytes.
    pub(super) text: Box<[u8]>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Day {
    pub(super) requests: u64,
    pub(super) forbidden: u64,
}

/// The longest example and the longest line that are kept.
pub(super) const EXAMPLE: usize = 200;
pub(super) const LINE: usize = 1000;

impl Row {
    /// Counts a request. `number`: of its line. Returns its day, if it is counted.
    pub(super) fn add(&mut self, entry: &Entry<'_>, number: u64) -> Option<&mut Day> {
        self.requests += 1;
        self.bytes = self.bytes.saturating_add(entry.bytes);
        let class = entry.status.map_or(0, |status| usize::from(status / 100));
        let class = if class < 6 { class } else { 0 };
        if let Some(count) = self.statuses.get_mut(class) {
            *count += 1;
        }
        let first = match entry.path() == Some(b"/robots.txt") {
            true => {
                self.robots += 1;
                &mut self.first_robots
            }
            false => &mut self.first_page,
        };
        let at = (entry.time.ms, number);
        *first = Some(first.map_or(at, |old| old.min(at)));
        let day = entry.time.ms.div_euclid(DAY);
        if self.days.len() >= MOST_DAYS && !self.days.contains_key(&day) {
            self.other_days += 1;
            return None;
        }
        let day = self.days.entry(day).or_default();
        day.requests += 1;
        Some(day)
    }

    /// Returns the rule of a version and a line. `target`: of the request that broke it; `room`: for how many more rules of any row
    /// there is memory.
    pub(super) fn broken(
        &mut self,
        rule: (u32, u32),
        target: &[u8],
        room: &mut usize,
    ) -> Option<&mut Broken> {
        match self.broken.entry(rule) {
            Occupied(broken) => Some(broken.into_mut()),
            Vacant(place) => {
                *room = room.checked_sub(1)?;
                Some(place.insert(Broken {
                    count: 0,
                    example: target.get(..EXAMPLE).unwrap_or(target).into(),
                    lines: Vec::new(),
                }))
            }
        }
    }

    /// Returns whether the robots.txt was requested before the first other URL; `None` if one of them is missing.
    pub(super) fn read_first(&self) -> Option<bool> {
        Some(self.first_robots? < self.first_page?)
    }
}

/// The gaps between requests to one host, including those for its robots.txt.
#[derive(Default)]
pub(super) struct Gaps {
    of_hosts: HashMap<u16, VecDeque<(Time, Option<u32>)>>,
    /// How often each gap occurs, in milliseconds. Two digits count, so that the number of gaps is bounded.
    counts: BTreeMap<u64, u64>,
    pub(super) count: u64,
    /// How many gaps are certainly shorter than the crawl-delay.
    pub(super) short: u64,
    pub(super) smallest: Option<u64>,
}

impl Gaps {
    /// Adds a request. `delay`: the crawl-delay in milliseconds; `room`: for how many more hosts of any row there is memory.
    pub(super) fn add(&mut self, host: u16, time: Time, delay: Option<u32>, room: &mut usize) {
        if !self.of_hosts.contains_key(&host) {
            let Some(less) = room.checked_sub(1) else {
                return;
            };
            *room = less;
        }
        let waiting = self.of_hosts.entry(host).or_default();
        let is_older = |(first, _): &(Time, _)| time.ms < first.ms;
        if waiting.len() > WAITING && waiting.front().is_some_and(is_older) {
            // Another file begins.
            let times = std::mem::take(waiting);
            self.count_all(times);
            self.of_hosts
                .entry(host)
                .or_default()
                .push_back((time, delay));
            return;
        }
        let later = waiting
            .iter()
            .rev()
            .take_while(|(other, _)| other.ms > time.ms)
            .count();
        waiting.insert(waiting.len() - later, (time, delay));
        if waiting.len() > WAITING + 1 {
            let first = waiting.pop_front();
            if let (Some((first, _)), Some(next)) = (first, waiting.front().copied()) {
                self.count(first, next);
            }
        }
    }

    /// Counts the gaps between the requests that wait.
    pub(super) fn finish(&mut self) {
        for (_, times) in std::mem::take(&mut self.of_hosts) {
            self.count_all(times);
        }
    }

    fn count_all(&mut self, times: VecDeque<(Time, Option<u32>)>) {
        for (first, next) in times.iter().zip(times.iter().skip(1)) {
            self.count(first.0, *next);
        }
    }

    fn count(&mut self, first: Time, (next, delay): (Time, Option<u32>)) {
        let gap = u64::try_from(next.ms - first.ms).unwrap_or_default();
        self.count += 1;
        self.smallest = Some(self.smallest.map_or(gap, |smallest| smallest.min(gap)));
        // Where a log has whole seconds, a gap of 1 may be one of 1.9. Two clocks with milliseconds may differ by 2.
        let unit = if first.is_whole || next.is_whole {
            999
        } else {
            2
        };
        self.short += u64::from(delay.is_some_and(|delay| gap + unit < u64::from(delay)));
        let scale = 10_u64.pow(gap.max(1).ilog10().saturating_sub(1));
        *self.counts.entry(gap / scale * scale).or_default() += 1;
    }

    /// Returns the median in milliseconds.
    pub(super) fn median(&self) -> Option<u64> {
        let mut before = 0;
        let mut counts = self.counts.iter();
        let median = counts.find(|(_, count)| {
            before += **count;
            before * 2 >= self.count
        });
        median.map(|(gap, _)| *gap)
    }

    /// Returns how many gaps are shorter than each limit in milliseconds, and not than the one before it; last, the rest.
    pub(super) fn histogram<const N: usize>(&self, limits: [u64; N]) -> Vec<u64> {
        let mut shares = vec![0; N + 1];
        for (gap, count) in &self.counts {
            let place = limits.iter().position(|limit| gap < limit).unwrap_or(N);
            if let Some(share) = shares.get_mut(place) {
                *share += count;
            }
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gaps(times: &[(i64, bool)], delay: Option<u32>) -> Gaps {
        let mut gaps = Gaps::default();
        for (ms, is_whole) in times {
            let time = Time {
                ms: *ms,
                is_whole: *is_whole,
            };
            gaps.add(0, time, delay, &mut 1);
        }
        gaps.finish();
        gaps
    }

    #[test]
    fn gaps_are_those_of_sorted_times() {
        let times: Vec<_> = (0..1000)
            .map(|n| ((n / 10 * 10 + n * 7 % 10) * 100, false))
            .collect();
        let gaps = gaps(&times, Some(103));
        assert_eq!(
            (gaps.smallest, gaps.median(), gaps.count),
            (Some(100), Some(100), 999)
        );
        assert_eq!(gaps.short, 999);
        assert_eq!(gaps.histogram([100, 1000]), [0, 999, 0]);
    }

    #[test]
    fn whole_seconds_accuse_nobody_of_a_gap_that_was_long_enough() {
        for (second, delay, short) in [
            (1, 1000, 0),
            (1, 1500, 0),
            (0, 1000, 1),
            (1, 2000, 1),
            (2, 2000, 0),
            (0, 900, 0),
        ] {
            let gaps = gaps(&[(0, true), (second * 1000, true)], Some(delay));
            assert_eq!(gaps.short, short, "{second} s, {delay} ms");
        }
        assert_eq!(gaps(&[(0, false), (997, false)], Some(1000)).short, 1);
        assert_eq!(gaps(&[(0, false), (998, false)], Some(1000)).short, 0);
        assert_eq!(gaps(&[], None).median(), None);
    }
}
