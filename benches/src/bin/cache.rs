//! The cache: hits per second with 1 and 2 threads, and bytes per origin.
//!
//! ```text
//! cargo run --release -p librobots-bench --bin cache -- [origins, 1000000 unless given]
//! ```
//!
//! Every origin has a small robots.txt of its own. "hit" is `Cache::check` on a random origin's URL, the decision
//! included; "decision" is `Rules::check` on the same URLs and rules in the same order, found without a cache; what
//! is left is the cache's own part. "few origins" asks the same of 1,000 origins only, which stay in the processor's
//! caches, as those of a crawler that takes many URLs of a site do; "many" goes to main memory for each. The clock
//! is that of the thread, so that other work on the machine counts only where it takes memory and caches.

#[path = "../alloc.rs"]
#[allow(dead_code, reason = "the table uses the rest")]
mod alloc;
#[path = "../clock.rs"]
#[allow(dead_code, reason = "the table uses the rest")]
mod clock;
#[path = "../random.rs"]
#[allow(dead_code, reason = "the table uses the rest")]
mod random;

use random::Random;
use robots::cache::{Cache, CacheDecision};
use robots::{Crawler, Outcome, Rules};
use std::hint::black_box;

#[global_allocator]
static ALLOCATOR: alloc::Counting = alloc::Counting;

const NOW: u64 = 1_800_000_000;
const HOT_ORIGINS: usize = 1_000;
const ROUNDS: usize = 5;

fn main() {
    let origins = std::env::args().nth(1).map_or(1_000_000, |count| {
        count.parse().expect("a number of origins, such as 1000000")
    });
    let crawlers = [Crawler::new("ExampleBot").expect("a product token")];
    let (cache, used) = alloc::count(|| fill(&crawlers, origins));
    assert_eq!(cache.len(), origins, "all must fit");
    println!(
        "{origins} origins: {:.0} bytes of heap each, {:.0} as the cache counts them",
        used.bytes as f64 / origins as f64,
        cache.bytes() as f64 / origins as f64
    );
    let rules: Vec<Rules> = (0..origins)
        .map(|number| crawlers[0].parse(body(number)))
        .collect();
    for (name, among) in [("few", HOT_ORIGINS.min(origins)), ("many", origins)] {
        let asked = Asked::among(among, 1_000_000);
        let decision = fastest(|| asked.each(|number, url| rules[number].check(url).allowed()));
        let hit = fastest(|| asked.each(|_, url| is_allowed(&cache, url)));
        println!(
            "{name} origins, 1 thread: hit {hit:.1} ns (decision {decision:.1}); the cache's part {:.1}",
            hit - decision
        );
        let both = fastest(|| {
            std::thread::scope(|scope| {
                let work = || asked.each(|_, url| is_allowed(&cache, url));
                let other = scope.spawn(work);
                work().max(other.join().expect("a thread that does not panic"))
            })
        });
        println!(
            "{name} origins, 2 threads: hit {both:.1} ns in each, {:.1} million a second in all",
            2e3 / both
        );
    }
}

fn fill(crawlers: &[Crawler], origins: usize) -> Cache {
    let begin = clock::thread();
    let cache = Cache::new(crawlers, 1 << 40).expect("arguments in range");
    for number in 0..origins {
        let CacheDecision::Fetch(ticket) = cache.check(0, url(number, "/"), NOW) else {
            panic!("a new origin is to be fetched");
        };
        let outcome = Outcome::from_status(crawlers, url(number, "/"), 200, body(number), NOW);
        ticket
            .finish(outcome.expect("arguments in range"), NOW)
            .expect("it fits");
    }
    let each = (clock::thread() - begin) as f64 / origins as f64;
    println!("filling: {each:.0} ns an origin, compiling its file included");
    cache
}

fn url(number: usize, path: &str) -> String {
    format!("https://www.shop-{number}.example{path}")
}

fn body(number: usize) -> String {
    format!(
        "User-agent: *\nDisallow: /cart/{}\nDisallow: /search\nDisallow: /*?session=\nAllow: /search/about\n\
         Disallow: /account/\nDisallow: /private-{number}/\nCrawl-delay: 2\n\
         Sitemap: https://www.shop-{number}.example/sitemap.xml\n",
        number % 7
    )
}

fn is_allowed(cache: &Cache, url: &str) -> bool {
    match cache.check(0, url, NOW) {
        CacheDecision::Decided {
            verdict,
            refresh: None,
        } => verdict.allowed(),
        _ => panic!("a hit was expected"),
    }
}

/// URLs of random origins, one after the other in memory, so that reading them costs next to nothing.
struct Asked {
    text: String,
    urls: Vec<(usize, usize)>,
}

impl Asked {
    fn among(origins: usize, count: usize) -> Self {
        let mut random = Random::new(7);
        let paths = ["/", "/search?q=1", "/products/shoes/red", "/account/orders"];
        let mut asked = Self {
            text: String::new(),
            urls: Vec::new(),
        };
        for _ in 0..count {
            let number = random.below(origins);
            asked.text += &url(number, random.pick(&paths));
            asked.urls.push((number, asked.text.len()));
        }
        asked
    }

    /// Nanoseconds for each URL.
    fn each(&self, mut allowed: impl FnMut(usize, &str) -> bool) -> f64 {
        let begin = clock::thread();
        let (mut from, mut count) = (0, 0);
        for (number, to) in &self.urls {
            count += u64::from(allowed(*number, black_box(&self.text[from..*to])));
            from = *to;
        }
        assert!(count > 0, "some URLs are allowed");
        (clock::thread() - begin) as f64 / self.urls.len() as f64
    }
}

fn fastest(mut work: impl FnMut() -> f64) -> f64 {
    (0..ROUNDS).map(|_| work()).fold(f64::INFINITY, f64::min)
}
