//! Calls the C API as C does, for Miri (`make test-miri`). Each output has its own block, in which only a `size` is
//! initialized. The tests in tests/c check what the functions return.
#![allow(clippy::unwrap_used)]

use core::ffi::c_void;
use core::mem::MaybeUninit;

use super::cache::*;
use super::convert::*;
use super::crawler::*;
use super::fetch::*;
use super::image::*;
use super::origin::*;
use super::outcome::*;
use super::rule_list::*;
use super::rules::*;
use super::status::*;
use super::ticket::*;
use super::verdict::robots_reason_text;

const NOW: u64 = 1_800_000_000_000;
const URL: &str = "https://example.com/private/page?q=1";
const OTHER_URL: &str = "https://other.example/";
const BODY: &str = "User-agent: *\nDisallow: /private/*.html\nDisallow: /*?q=\nCrawl-delay: 1\nSitemap: https://example.com/s.xml";

/// Calls a function with a text, as pointer and length: `c!(function(before; text; after))`.
macro_rules! c {
    ($function:ident($($before:expr),*; $text:expr; $($after:expr),*)) => {
        $function($($before,)* $text.as_ptr().cast(), $text.len(), $($after),*)
    };
}

/// Returns the output of a successful call.
fn out<T>(call: impl FnOnce(*mut T) -> robots_status) -> T {
    let mut place = Box::new(MaybeUninit::uninit());
    assert_eq!(call(place.as_mut_ptr()), ROBOTS_OK);
    // SAFETY: the call wrote its output.
    unsafe { *place.assume_init() }
}

/// Returns a struct whose only initialized field is its `size`.
fn sized<T>() -> Box<MaybeUninit<T>> {
    let mut place = Box::new(MaybeUninit::<T>::uninit());
    // SAFETY: there is room, and the struct begins with its size.
    unsafe { place.as_mut_ptr().cast::<usize>().write(size_of::<T>()) };
    place
}

/// Returns the struct that a successful call filled.
fn filled<T>(call: impl FnOnce(*mut T) -> robots_status) -> T {
    let mut place = sized();
    assert_eq!(call(place.as_mut_ptr()), ROBOTS_OK);
    // SAFETY: the call wrote its output.
    unsafe { *place.assume_init() }
}

/// Checks that a call refuses an output that is NULL or not aligned.
fn refuses<T>(mut call: impl FnMut(*mut T) -> robots_status) {
    assert_eq!(call(null_mut()), ROBOTS_E_ARG);
    let mut place = [MaybeUninit::<T>::uninit(), MaybeUninit::uninit()];
    let unaligned = place.as_mut_ptr().wrapping_byte_add(1).cast();
    assert_eq!(call(unaligned), ROBOTS_E_ARG);
}

fn refuses_size<T>(mut call: impl FnMut(*mut T) -> robots_status) {
    refuses(&mut call);
    let mut size = size_of::<T>() - 1;
    assert_eq!(call((&raw mut size).cast()), ROBOTS_E_ARG);
}

unsafe fn bytes_of<'a>(text: robots_str) -> &'a [u8] {
    // SAFETY: the caller's promise.
    unsafe { elements::<u8>(text.ptr.cast(), text.len, c"no bytes").unwrap() }
}

unsafe fn crawler(token: &str) -> *mut robots_crawler {
    out(|out| exported!(c!(robots_crawler_new(; token; out))))
}

#[test]
fn c_rules() {
    exported!({
        let token = out(|out| c!(robots_token_from_user_agent(; "ExampleBot/1.0"; out)));
        assert_eq!(bytes_of(token), b"ExampleBot");
        let preset = out(|out| c!(robots_crawler_preset(; "googlebot"; out)));
        robots_crawler_free(preset);
        let crawler = crawler("ExampleBot");
        assert_eq!(
            c!(robots_crawler_add_token(crawler; "OtherBot";)),
            ROBOTS_OK
        );
        assert_eq!(
            c!(robots_crawler_add_token(crawler; "no token";)),
            ROBOTS_E_TOKEN
        );
        assert_eq!(
            c!(robots_crawler_add_names_in(crawler; "Yahoo! Slurp";)),
            ROBOTS_OK
        );
        assert_eq!(robots_crawler_set(crawler, u32::MAX, 0), ROBOTS_E_ARG);
        assert_eq!(robots_crawler_set(null_mut(), 1, 0), ROBOTS_E_ARG);
        refuses(|out| c!(robots_crawler_new(; "ExampleBot"; out)));
        refuses(|out| c!(robots_crawler_preset(; "googlebot"; out)));

        let rules = out(|out| c!(robots_rules_parse(crawler; BODY; out)));
        refuses(|out| c!(robots_rules_parse(crawler; BODY; out)));
        let again = robots_rules_retain(rules);
        robots_rules_free(rules);
        let verdict = c!(robots_rules_check(again; URL;)).bits;
        assert_eq!(verdict & 1, 0);
        let once = robots_check_once(
            crawler,
            BODY.as_ptr().cast(),
            BODY.len(),
            URL.as_ptr().cast(),
            URL.len(),
        );
        assert_eq!(once.bits, verdict);
        robots_crawler_free(crawler);
        assert_eq!(
            robots_rules_check(again, null(), 1).bits >> 16 & 0xFFFF,
            ROBOTS_E_ARG as u64
        );
        let offsets = [0, 2, URL.len() as u64];
        let mut verdicts = [MaybeUninit::<u8>::uninit(); 2];
        let batch = |offsets: &[u64], verdicts| {
            robots_rules_check_batch(again, URL.as_ptr().cast(), offsets.as_ptr(), 2, verdicts)
        };
        assert_eq!(batch(&offsets, verdicts.as_mut_ptr().cast()), ROBOTS_OK);
        assert_eq!(
            batch(&[0, 2, 1], verdicts.as_mut_ptr().cast()),
            ROBOTS_E_ARG
        );
        assert_eq!(verdicts.map(|verdict| verdict.assume_init()), [0; 2]);
        assert_eq!(batch(&offsets, null_mut()), ROBOTS_E_ARG);
        assert_eq!(robots_rules_crawl_delay(again), 1.0);
        let sitemap = out(|out| robots_rules_sitemap(again, 0, out));
        assert_eq!(bytes_of(sitemap), b"https://example.com/s.xml");
        refuses(|out| robots_rules_sitemap(again, 0, out));

        let list = out(|out| robots_rule_list_new(again, out));
        refuses_size(|out| robots_rule_list_get(list, 0, out));
        let rule: robots_rule = filled(|out| robots_rule_list_get(list, 0, out));
        assert!(rule.line > 1 && !bytes_of(rule.pattern).is_empty());
        let mut end = sized();
        assert_eq!(robots_rule_list_get(list, 2, end.as_mut_ptr()), ROBOTS_END);
        robots_rule_list_free(list);

        let image = bytes_of(robots_rules_image(again)).to_vec();
        robots_rules_free(again);
        let (image_at, image_len) = (image.as_ptr().cast(), image.len());
        let in_place = robots_image_check(image_at, image_len, URL.as_ptr().cast(), URL.len());
        assert_eq!(in_place.bits, verdict);
        for make in [robots_rules_from_image, robots_rules_borrow_image] {
            let rules = out(|out| make(image_at, image_len, out));
            assert_eq!(c!(robots_rules_check(rules; URL;)).bits, verdict);
            robots_rules_free(rules);
            let mut none = MaybeUninit::uninit();
            assert_eq!(
                make(image_at, image_len - 1, none.as_mut_ptr()),
                ROBOTS_E_IMAGE
            );
            assert!(none.assume_init().is_null());
        }
        // A check of a damaged image reads nothing outside the image.
        for place in (0..image_len).step_by(5) {
            let mut damaged = image.clone();
            *damaged.get_mut(place).unwrap() ^= 0x55;
            let _ = robots_image_check(
                damaged.as_ptr().cast(),
                image_len,
                URL.as_ptr().cast(),
                URL.len(),
            );
        }
        let closed = out(|out| robots_rules_site_wide(0, out));
        assert_eq!(c!(robots_rules_check(closed; URL;)).bits & 1, 0);
        robots_rules_free(closed);

        for write in [robots_origin_key, robots_url_to_send] {
            let mut buffer = Box::new([MaybeUninit::<c_char>::uninit(); 64]);
            let mut len = MaybeUninit::uninit();
            let mut call =
                |capacity| c!(write(; URL; buffer.as_mut_ptr().cast(), capacity, len.as_mut_ptr()));
            assert_eq!(call(3), ROBOTS_E_SPACE);
            assert_eq!(call(64), ROBOTS_OK);
            assert!(URL.as_bytes().starts_with(bytes_of(robots_str {
                ptr: buffer.as_ptr().cast(),
                len: len.assume_init(),
            })));
        }
        for status in [ROBOTS_OK, ROBOTS_E_FILE, -1] {
            assert!(!robots_status_text(status).is_null());
        }
        assert!(!robots_reason_text(0).is_null());

        // Every function accepts NULL as a handle.
        robots_crawler_free(null_mut());
        robots_rules_free(null_mut());
        robots_rule_list_free(null_mut());
        assert!(robots_rules_retain(null()).is_null() && robots_rules_crawl_delay(null()).is_nan());
        assert_eq!(robots_rules_image(null()).len, 0);
        let none = c!(robots_rules_check(null(); URL;)).bits;
        assert_eq!(none, (ROBOTS_E_ARG as u64) << 16);
    });
}

/// Runs a fetch that a server answers with the file, in pieces.
unsafe fn run(fetch: *mut robots_fetch) {
    exported!({
        assert_eq!(robots_fetch_step(fetch), ROBOTS_STEP_GET);
        assert!(bytes_of(robots_fetch_url(fetch)).ends_with(b"/robots.txt"));
        assert_eq!(c!(robots_fetch_report_body(fetch; BODY;)), ROBOTS_E_STATE);
        assert_eq!(robots_fetch_report_status(fetch, 200, NOW), ROBOTS_OK);
        let header = |name: &str, value: &str| {
            robots_fetch_report_header(
                fetch,
                name.as_ptr().cast(),
                name.len(),
                value.as_ptr().cast(),
                value.len(),
            )
        };
        assert_eq!(header("ETag", "\"1\""), ROBOTS_OK);
        assert_eq!(header("", ""), ROBOTS_OK);
        assert_eq!(
            robots_fetch_report_header(fetch, null(), 1, null(), 0),
            ROBOTS_E_ARG
        );
        assert_eq!(robots_fetch_report_headers_end(fetch), ROBOTS_OK);
        for piece in BODY.as_bytes().chunks(40) {
            assert_eq!(c!(robots_fetch_report_body(fetch; piece;)), ROBOTS_OK);
        }
        assert_eq!(robots_fetch_report_end(fetch, 99, NOW), ROBOTS_E_ARG);
        assert_eq!(robots_fetch_report_end(fetch, 0, NOW), ROBOTS_OK);
        assert_eq!(robots_fetch_report_end(fetch, 0, NOW), ROBOTS_E_STATE);
        assert_eq!(robots_fetch_step(fetch), ROBOTS_STEP_DONE);
    });
}

#[test]
fn c_fetches() {
    exported!({
        let (first, second) = (crawler("ExampleBot"), crawler("OtherBot"));
        refuses(|out| c!(robots_fetch_new(first; URL; NOW, out)));
        let start = |url: &str| {
            let fetch = out(|out| c!(robots_fetch_new(first; url; NOW, out)));
            assert_eq!(robots_fetch_add_crawler(fetch, second), ROBOTS_OK);
            fetch
        };
        let fetch = start(URL);
        assert_eq!(robots_fetch_set(fetch, u32::MAX, 0), ROBOTS_E_ARG);
        let mut none = MaybeUninit::uninit();
        assert_eq!(
            robots_fetch_outcome(fetch, none.as_mut_ptr()),
            ROBOTS_E_STATE
        );
        assert!(none.assume_init().is_null());
        run(fetch);
        let outcome = out(|out| robots_fetch_outcome(fetch, out));
        robots_fetch_free(fetch);
        refuses_size(|out| robots_outcome_get(outcome, out));
        let info = filled(|out| robots_outcome_get(outcome, out));
        assert_eq!(
            (bytes_of(info.origin), bytes_of(info.etag)),
            (&b"https://example.com"[..], &b"\"1\""[..])
        );
        let rules = robots_outcome_rules(outcome, 1);
        assert!(robots_outcome_rules(outcome, 2).is_null());
        let verdict = c!(robots_rules_check(rules; URL;)).bits;
        let kept = robots_rules_retain(rules);
        assert_eq!(c!(robots_outcome_check(outcome, 1; URL; NOW)).bits, verdict);
        let record = out(|out| robots_outcome_encode(outcome, out));
        let record = bytes_of(record).to_vec();

        // The next fetch is conditional, and the server has nothing new.
        let again = start(URL);
        assert_eq!(robots_fetch_set_previous(again, outcome), ROBOTS_OK);
        robots_outcome_free(outcome);
        assert_eq!(c!(robots_rules_check(kept; URL;)).bits, verdict);
        robots_rules_free(kept);
        refuses_size(|out| robots_fetch_request_header(again, 0, out));
        let header: robots_header = filled(|out| robots_fetch_request_header(again, 0, out));
        assert_eq!(bytes_of(header.value), b"\"1\"");
        assert_eq!(robots_fetch_report_status(again, 304, NOW), ROBOTS_OK);
        assert_eq!(robots_fetch_report_headers_end(again), ROBOTS_OK);
        let outcome = out(|out| robots_fetch_outcome(again, out));
        robots_fetch_free(again);
        assert_eq!(c!(robots_outcome_check(outcome, 1; URL; NOW)).bits, verdict);
        robots_outcome_free(outcome);
        let ftp = start("ftp://example.com/");
        assert_eq!(robots_fetch_report_ftp_reply(ftp, 550, NOW), ROBOTS_OK);
        robots_fetch_free(ftp);

        let crawlers = [first.cast_const(), second, null()];
        let crawlers = crawlers.as_ptr();
        let decoded = out(|out| {
            robots_outcome_decode(crawlers, 2, record.as_ptr().cast(), record.len(), out)
        });
        assert_eq!(c!(robots_outcome_check(decoded, 1; URL; NOW)).bits, verdict);
        robots_outcome_free(decoded);
        assert_eq!(
            robots_outcome_decode(
                crawlers,
                3,
                record.as_ptr().cast(),
                record.len(),
                none.as_mut_ptr()
            ),
            ROBOTS_E_ARG
        );
        let check = |record: &[u8]| {
            robots_record_check(
                record.as_ptr().cast(),
                record.len(),
                1,
                URL.as_ptr().cast(),
                URL.len(),
                NOW,
            )
            .bits
        };
        assert_eq!(check(&record), verdict);
        for place in (0..record.len()).step_by(11) {
            let mut damaged = record.clone();
            *damaged.get_mut(place).unwrap() ^= 0x55;
            check(&damaged);
            check(record.get(..place).unwrap());
        }
        robots_crawler_free(first);
        robots_crawler_free(second);

        robots_fetch_free(null_mut());
        robots_outcome_free(null_mut());
        assert_eq!(robots_fetch_step(null()), ROBOTS_STEP_DONE);
        assert_eq!(robots_fetch_url(null()).len, 0);
        assert_eq!(
            robots_fetch_report_status(null_mut(), 200, NOW),
            ROBOTS_E_ARG
        );
        assert!(robots_outcome_rules(null(), 0).is_null());
    });
}

/// A cache that threads share, as they do in C.
#[derive(Clone, Copy)]
struct Shared(*const robots_cache);

// SAFETY: the functions for a `const robots_cache *` may be called by any thread.
unsafe impl Send for Shared {}

impl Shared {
    unsafe fn check(self, url: &str) -> robots_cache_answer {
        let Shared(cache) = self;
        filled(|out| {
            let verdict = exported!(c!(robots_cache_check(cache, 0; url; NOW, out)));
            (verdict.bits >> 16 & 0xFFFF) as robots_status
        })
    }

    /// Checks URLs, fetches the robots.txt for each ticket, and removes a site.
    unsafe fn work(self) {
        let Shared(cache) = self;
        exported!({
            for url in [URL, OTHER_URL, URL] {
                let answer = self.check(url);
                if !answer.ticket.is_null() {
                    assert!(
                        url.as_bytes()
                            .starts_with(bytes_of(robots_ticket_origin(answer.ticket)))
                    );
                    let fetch = out(|out| robots_ticket_fetch(answer.ticket, NOW, out));
                    run(fetch);
                    let outcome = out(|out| robots_fetch_outcome(fetch, out));
                    assert_eq!(robots_ticket_finish(answer.ticket, outcome, NOW), ROBOTS_OK);
                    assert_eq!(
                        robots_ticket_finish(answer.ticket, outcome, NOW),
                        ROBOTS_E_STATE
                    );
                    assert_eq!(robots_ticket_origin(answer.ticket).len, 0);
                    robots_ticket_free(answer.ticket);
                    robots_outcome_free(outcome);
                    robots_fetch_free(fetch);
                }
                let mut place = sized::<robots_cache_answer>();
                let request = c!(robots_cache_request(cache, 0; url; robots_slot { at_ms: 0 }, NOW, place.as_mut_ptr()));
                let request_answer = *place.assume_init();
                assert_eq!(request.bits, request_answer.verdict.bits);
                robots_ticket_free(request_answer.ticket);
                let retry_after = "7";
                let rest = (retry_after.as_ptr().cast(), retry_after.len());
                assert_eq!(
                    c!(robots_cache_report_response(cache; url; 503, rest.0, rest.1, NOW)),
                    ROBOTS_OK
                );
                let outcome = out(|out| c!(robots_cache_outcome(cache; url; out)));
                robots_outcome_free(outcome);
            }
            assert_eq!(c!(robots_cache_remove(cache; OTHER_URL;)), ROBOTS_OK);
        });
    }
}

unsafe extern "C" fn import(cache: *mut c_void, record: *const c_char, len: usize) -> u32 {
    exported!(assert_eq!(
        robots_cache_import(cache.cast_const().cast(), record, len),
        ROBOTS_OK
    ));
    0
}

#[test]
fn c_cache() {
    exported!({
        let (first, second) = (crawler("ExampleBot"), crawler("OtherBot"));
        let make = || {
            let cache = out(|out| robots_cache_new(first, 1 << 20, out));
            assert_eq!(robots_cache_add_crawler(cache, second), ROBOTS_OK);
            assert_eq!(
                robots_cache_set(cache, ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS, 5),
                ROBOTS_OK
            );
            assert_eq!(robots_cache_set(cache, 99, 5), ROBOTS_E_ARG);
            cache
        };
        let (cache, other) = (make(), make());
        refuses(|out| robots_cache_new(first, 1 << 20, out));
        robots_crawler_free(first);
        robots_crawler_free(second);
        let shared = Shared(cache);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(move || shared.work());
            }
        });
        assert_eq!(
            robots_cache_set(cache, ROBOTS_CACHE_OPT_TICKET_TTL_MS, 5_000),
            ROBOTS_E_STATE
        );
        assert_eq!(
            robots_cache_each(cache, Some(import), other.cast()),
            ROBOTS_OK
        );
        assert_eq!(robots_cache_each(cache, None, null_mut()), ROBOTS_E_ARG);
        assert_eq!(c!(robots_cache_import(cache; BODY;)), ROBOTS_E_IMAGE);
        assert_eq!(shared.check(URL).verdict.bits & 1, 0);
        assert_eq!(
            Shared(other).check(URL).verdict.bits,
            shared.check(URL).verdict.bits
        );
        refuses_size(|out| robots_cache_count(cache, out));
        let counts: robots_cache_counts = filled(|out| robots_cache_count(cache, out));
        assert!(counts.sites > 0 && counts.hits > 0);
        refuses_size(|out: *mut robots_cache_answer| {
            (c!(robots_cache_check(cache, 0; URL; NOW, out)).bits >> 16) as robots_status
        });
        // One thread waits for the ticket of the other.
        let awaited = "https://awaited.example/";
        let ticket = shared.check(awaited).ticket;
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let Shared(cache) = { shared };
                assert_eq!(c!(robots_cache_wait(cache; awaited; 60_000)), ROBOTS_OK);
            });
            std::thread::yield_now();
            robots_ticket_free(ticket);
        });
        // A ticket may outlive its cache.
        let ticket = shared.check("https://third.example/").ticket;
        assert_eq!(c!(robots_cache_remove(cache; "*";)), ROBOTS_OK);
        robots_cache_free(cache);
        robots_cache_free(other);
        assert_eq!(robots_ticket_finish(ticket, null(), NOW), ROBOTS_E_ARG);
        assert_eq!(
            bytes_of(robots_ticket_origin(ticket)),
            b"https://third.example"
        );
        robots_ticket_free(ticket);

        robots_cache_free(null_mut());
        robots_ticket_free(null_mut());
        assert_eq!(robots_ticket_origin(null()).len, 0);
        assert_eq!(c!(robots_cache_remove(null(); URL;)), ROBOTS_E_ARG);
        assert_eq!(c!(robots_cache_wait(null(); URL; 0)), ROBOTS_E_ARG);
        assert_eq!(robots_ticket_finish(null_mut(), null(), NOW), ROBOTS_E_ARG);
    });
}
