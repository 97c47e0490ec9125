//! `Rules::check_batch` and `Rules::check_each`: each URL gets the verdict of `Rules::check`.

use robots::{BatchVerdict, Crawler, Dialect, Error, Rules};

const TEXT: &[u8] = b"/private/x/openrelativehttps://example.com/private/";
const STARTS: [u8; 5] = [0, 10, 15, 23, 51];
const ANSWERS: [u8; 4] = [0, 1, 2, 0];

fn rules() -> Rules {
    let crawler = Crawler::new("ExampleBot").unwrap();
    crawler.parse("User-agent: *\nDisallow: /private/\n")
}

#[test]
fn each_url_of_a_batch_gets_its_verdict() {
    let mut answers = [9; 4];
    let narrow = STARTS.map(u32::from);
    assert_eq!(rules().check_batch(TEXT, &narrow, &mut answers), Ok(()));
    assert_eq!(answers, ANSWERS);
    let mut answers = [9; 4];
    let wide = STARTS.map(u64::from);
    assert_eq!(rules().check_batch(TEXT, &wide, &mut answers), Ok(()));
    assert_eq!(answers, ANSWERS);
    // A batch of no URLs has one offset.
    assert_eq!(rules().check_batch(TEXT, &[7_u32], &mut []), Ok(()));
}

fn answer_of(rules: &Rules, url: &[u8]) -> BatchVerdict {
    let verdict = rules.check(url);
    match verdict.error() {
        Some(_) => BatchVerdict::BadUrl,
        None if verdict.allowed() => BatchVerdict::Allowed,
        None => BatchVerdict::Disallowed,
    }
}

/// Each URL comes after those that share its start, of every length, and each verdict is that of the URL alone.
#[test]
fn urls_that_share_their_start_get_their_own_verdicts() {
    let body = "User-agent: *\nDisallow: /a\nAllow: /abcdefgh\nDisallow: /abcdefghijklmnopqrstuvwxyz\nDisallow: /r\n\
        Allow: /abcdefgh/0123456789\nDisallow: /shop/a/\nDisallow: /shop/ab\nAllow: /shop/abcdefghijklm/n\nDisallow: /%41b\n";
    #[rustfmt::skip]
    let paths = [
        "/abcdefghijklmnopqrstuvwxyz/1", "/abcdefgh/0123456789?q=1#f", "/shop/abcdefghijklm/no/p", "/shop/a/b?c",
        "/Ab%2f#/a", "/robots.txt?a", "/r\u{e4}ume/%zz", "?q=/abcdefgh", "//a;b*c$", "/.hidden/..a/x",
    ];
    let mut urls: Vec<Vec<u8>> = Vec::new();
    for start in ["", "https://example.com", "http://a", "x://a/b"] {
        for path in paths {
            let url = format!("{start}{path}").into_bytes();
            for end in 0..=url.len() {
                let start = url.get(..end).unwrap();
                let more = [
                    "", "a", "#", "%41", "?", "a-longer", "z-longer", "/../a", "\\..\\", "\t", " ",
                    "b/ ",
                ];
                urls.extend(more.map(|more| [start, more.as_bytes()].concat()));
            }
        }
    }
    let in_order = urls.clone();
    urls.sort();
    for dialect in [Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996] {
        let crawler = Crawler::new("ExampleBot").unwrap();
        for body in [body.to_owned(), format!("{body}Disallow: /*b$\n")] {
            let rules = crawler.clone().with_dialect(dialect).unwrap().parse(body);
            for urls in [&in_order, &urls] {
                let ends = urls.iter().scan(0, |end, url| {
                    *end += url.len() as u64;
                    Some(*end)
                });
                let offsets: Vec<u64> = [0].into_iter().chain(ends).collect();
                let mut answers = vec![9; urls.len()];
                rules
                    .check_batch(&urls.concat(), &offsets, &mut answers)
                    .unwrap();
                for (url, answer) in urls.iter().zip(answers) {
                    let wanted = answer_of(&rules, url) as u8;
                    assert_eq!(answer, wanted, "{dialect:?} {}", url.escape_ascii());
                }
                let each = rules.check_each(urls.iter().map(Vec::as_slice));
                let wanted = urls.iter().map(|url| answer_of(&rules, url));
                assert!(each.eq(wanted), "{dialect:?}");
            }
        }
    }
}

#[test]
fn offsets_that_are_not_sound_allow_nothing() {
    let sound = STARTS.map(u32::from);
    let mut decreasing = sound;
    decreasing.swap(1, 2);
    let mut past_the_end = sound;
    past_the_end[4] = 52;
    for (offsets, count) in [
        (&sound[..], 3),
        (&sound, 5),
        (&sound[..0], 0),
        (&decreasing, 4),
        (&past_the_end, 4),
    ] {
        let mut answers = vec![1; count];
        let result = rules().check_batch(TEXT, offsets, &mut answers);
        assert_eq!(result, Err(Error::Argument), "{offsets:?} {count}");
        assert!(answers.iter().all(|answer| *answer == 0));
    }
    let wide = [0, u64::MAX];
    assert_eq!(
        rules().check_batch(TEXT, &wide, &mut [1]),
        Err(Error::Argument)
    );
}
