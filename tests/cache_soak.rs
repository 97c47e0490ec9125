//! 8 threads ask for 100,000 origins, fetch, fail, give up and come late: there are never two live tickets for an
//! origin at one time, and the memory stays within the bound. `ROBOTS_SOAK_SECONDS` says for how long (2 unless set).
//!
//! The heap is measured while no thread is inside the cache: while the system suspends a thread that reads, no entry is
//! freed that another replaces, for as long as that takes.
#![allow(
    unsafe_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

use robots::cache::{Cache, CacheDecision, Ticket};
use robots::{Crawler, Outcome};
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::SeqCst};
use std::time::{Duration, Instant};

struct Counting;

/// The bytes of the heap in use.
static BYTES: AtomicI64 = AtomicI64::new(0);

// SAFETY: every call is submitted to the system's allocator as it is (`realloc` and `alloc_zeroed` come here by their
// default implementations).
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size() as i64, SeqCst);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size() as i64, SeqCst);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const THREADS: u64 = 8;
const ORIGINS: usize = 100_000;
/// About half of the origins fit.
const BOUND: usize = 40_000_000;
/// What may await its end beside what the cache counts, and the outcomes that tickets hold.
const BESIDE: i64 = 1_000_000;
/// The map's table of an empty cache, which never shrinks, and what awaits its end.
const ALONE: i64 = 2_000_000;
/// Questions of each thread between two measurements.
const ROUNDS: u64 = 4_096;
const TTL: u64 = 20;
/// Between two slots of a site, and how far ahead they are reserved: the sites that are asked for more have too few.
const DELAY_MS: u64 = 60_000;
const HORIZON_MS: u64 = 100_000;
/// Questions of all threads that take a second of the cache's time.
const QUESTIONS_A_SECOND: u64 = 20;

/// Numbers that are the same in every run (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// What all threads share.
struct World {
    crawlers: [Crawler; 1],
    cache: Cache,
    questions: AtomicU64,
    /// For each origin the time at which its ticket was issued, and one more; 0: no ticket.
    tickets: Vec<AtomicU64>,
    end: Instant,
    meeting: Barrier,
    is_over: AtomicBool,
}

impl World {
    fn now(&self) -> u64 {
        1_800_000_000 + self.questions.load(SeqCst) / QUESTIONS_A_SECOND
    }
}

#[derive(Default)]
struct Seen {
    hits: u64,
    refreshes: u64,
    fetches: u64,
    waits: u64,
    slots: u64,
    deferred: u64,
    late: u64,
}

struct Held {
    ticket: Ticket,
    site: usize,
    issued: u64,
}

#[test]
fn threads_never_share_an_origin_and_memory_is_bounded() {
    // Without the thread that panics the others would wait at the meeting without end.
    std::panic::set_hook(Box::new(|panic| {
        let _ = writeln!(std::io::stderr(), "{panic}");
        std::process::exit(101);
    }));
    let seconds = std::env::var("ROBOTS_SOAK_SECONDS").map_or(2, |text| {
        text.parse().expect("ROBOTS_SOAK_SECONDS: whole seconds")
    });
    let crawlers = [Crawler::new("ExampleBot").unwrap()];
    let cache = Cache::new(&crawlers, BOUND)
        .unwrap()
        .with_ticket_ttl(TTL)
        .unwrap()
        .with_default_delay(DELAY_MS)
        .unwrap()
        .with_horizon(HORIZON_MS)
        .unwrap();
    let world = World {
        crawlers,
        cache,
        questions: AtomicU64::new(0),
        tickets: (0..ORIGINS).map(|_| AtomicU64::new(0)).collect(),
        end: Instant::now() + Duration::from_secs(seconds),
        meeting: Barrier::new(THREADS as usize),
        is_over: AtomicBool::new(false),
    };
    let before = BYTES.load(SeqCst);
    let seen: Vec<Seen> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|number| {
                scope.spawn({
                    let world = &world;
                    move || crawl(world, number, before)
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let sum = |of: fn(&Seen) -> u64| seen.iter().map(of).sum::<u64>();
    println!(
        "{} hits, {} refreshes, {} fetches, {} waits, {} slots, {} deferred, {} late; {:?}; {} bytes of heap",
        sum(|s| s.hits),
        sum(|s| s.refreshes),
        sum(|s| s.fetches),
        sum(|s| s.waits),
        sum(|s| s.slots),
        sum(|s| s.deferred),
        sum(|s| s.late),
        world.cache,
        BYTES.load(SeqCst) - before,
    );
    assert!(sum(|s| s.hits) > 0 && sum(|s| s.fetches) > 0 && sum(|s| s.late) > 0);
    assert!(sum(|s| s.slots) > 0 && sum(|s| s.deferred) > 0);
    let cache = &world.cache;
    cache.clear();
    assert_eq!((cache.len(), cache.bytes()), (0, 0));
    // The queue forgets origins that were removed, and gives its memory back.
    for site in 0..400_000 {
        let url = format!("https://{site}.example");
        drop(cache.check(0, url, world.now()));
    }
    let bytes = BYTES.load(SeqCst) - before;
    assert!(bytes < ALONE, "{bytes} bytes of an empty cache");
}

fn crawl(world: &World, number: u64, before: i64) -> Seen {
    let mut random = Random(number);
    let mut seen = Seen::default();
    let mut held: Vec<Held> = Vec::new();
    for round in 1_u64.. {
        world.questions.fetch_add(1, SeqCst);
        // Some sites are asked for far more than others.
        let among = [100, 10_000, ORIGINS][random.below(3)];
        let site = random.below(among);
        let url = format!("https://site-{site}.example/private/page");
        let now = world.now();
        // Every other URL is only found, and takes no slot.
        let decision = if round % 2 == 0 {
            request(world, &url, now, &mut seen)
        } else {
            world.cache.check(0, &url, now)
        };
        let ticket = match decision {
            CacheDecision::Decided { verdict, refresh } => {
                // Rules forbid it, and failures; only a missing file allows it.
                assert!(!verdict.allowed() || site % 10 == 0);
                seen.hits += 1;
                seen.refreshes += u64::from(refresh.is_some());
                refresh
            }
            CacheDecision::Fetch(ticket) => {
                seen.fetches += 1;
                Some(ticket)
            }
            CacheDecision::Wait { .. } => {
                seen.waits += 1;
                None
            }
            CacheDecision::Defer { verdict, until } => {
                // A server error, until its next attempt is due; or a slot that is too late.
                let is_late = verdict.reason() == robots::Reason::Defer && site % 10 == 0;
                assert!(is_late || verdict.reason() == robots::Reason::Unreachable);
                assert!(until > now);
                seen.hits += 1;
                None
            }
        };
        if let Some(ticket) = ticket {
            let other = world.tickets[site].swap(now + 1, SeqCst);
            // Another's ticket is out: then it must have expired.
            assert!(
                other == 0 || now.abs_diff(other - 1) >= TTL,
                "two tickets for {url}: issued at {} and {now}",
                other - 1
            );
            held.push(Held {
                ticket,
                site,
                issued: now,
            });
        }
        if held.len() > random.below(40) {
            let at = random.below(held.len());
            give_back(world, held.swap_remove(at), &mut random, &mut seen);
        }
        if round % 256 == 0 {
            assert!(world.cache.bytes() <= BOUND, "{:?}", world.cache);
        }
        if round % ROUNDS == 0 {
            if world.meeting.wait().is_leader() {
                let bytes = BYTES.load(SeqCst) - before;
                let counted = world.cache.bytes() as i64;
                assert!(bytes <= counted + BESIDE, "{bytes} of {counted} bytes");
                world.is_over.store(Instant::now() >= world.end, SeqCst);
            }
            world.meeting.wait();
            if world.is_over.load(SeqCst) {
                break;
            }
        }
    }
    for ticket in held {
        give_back(world, ticket, &mut random, &mut seen);
    }
    seen
}

/// Asks for a slot, which is within the horizon or not reserved.
fn request(world: &World, url: &str, now: u64, seen: &mut Seen) -> CacheDecision {
    let now_ms = now * 1_000;
    let request = world.cache.request(0, url, 0, now_ms);
    let room = now_ms..=now_ms + HORIZON_MS;
    match &request.decision {
        CacheDecision::Decided { verdict, .. } if verdict.allowed() => {
            assert!(room.contains(&request.at_ms), "{request:?} at {now_ms}");
            assert_eq!(request.crawl_delay_ms, DELAY_MS);
            seen.slots += 1;
        }
        CacheDecision::Defer { verdict, until } if verdict.reason() == robots::Reason::Defer => {
            assert!(request.at_ms > *room.end(), "{request:?} at {now_ms}");
            assert_eq!(*until, request.at_ms.div_ceil(1_000));
            seen.deferred += 1;
        }
        _ => assert_eq!(request.at_ms, 0, "{request:?} at {now_ms}"),
    }
    request.decision
}

fn give_back(world: &World, held: Held, random: &mut Random, seen: &mut Seen) {
    let Held {
        ticket,
        site,
        issued,
    } = held;
    let now = world.now();
    seen.late += u64::from(now - issued >= TTL);
    // No longer out, as far as the test knows, before the cache knows it. If another was issued since, its mark stays.
    let _ = world.tickets[site].compare_exchange(issued + 1, 0, SeqCst, SeqCst);
    if random.below(5) == 0 {
        return drop(ticket);
    }
    let status = if site % 10 == 0 {
        404
    } else {
        [200, 200, 200, 503][random.below(4)]
    };
    let rules = random.below(50);
    let body: String = (0..rules).fold(
        "User-agent: *\nDisallow: /private/\n".into(),
        |body: String, n| body + &format!("Disallow: /{n}/{site}\n"),
    );
    let origin = ticket.origin().to_owned();
    let outcome = Outcome::from_status(&world.crawlers, origin, status, body, now).unwrap();
    ticket.finish(outcome, now).unwrap();
}
