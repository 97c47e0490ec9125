//! The URLs checked for a site: half from its own rules, half such as any site has.

use crate::files::Body;
use crate::random::Random;
use std::fmt::Write;

/// URLs a site is asked about together.
pub const PER_SITE: usize = 20;

/// What a `*` of a rule stands for in a URL made from it.
const FILLINGS: &[&str] = &[
    "",
    "x",
    "42",
    "news",
    "a/b",
    "summer-sale",
    "2024/05",
    "category/shoes",
];

const SEGMENTS: &[&str] = &[
    "page",
    "details.html",
    "archive/2023",
    "index.php?id=7",
    "large-photo-of-the-harbour.jpg",
    "?page=2&sort=price",
    "reviews-of-the-last-twelve-months",
];

/// `#` stands for a number.
const GENERIC: &[&str] = &[
    "/",
    "/index.html",
    "/about-us/history-of-the-company",
    "/contact/form.html?department=customer-service&lang=en",
    "/news/2024/05/#/council-approves-new-plan-for-the-old-harbour",
    "/blog/#/how-we-moved-our-database-without-anyone-noticing.html",
    "/products/furniture/living-room/corner-sofa-with-storage-#",
    "/product/wireless-headphones-with-noise-cancelling-#?color=black&size=m",
    "/category/home-and-garden/page/#/?orderby=price",
    "/search?q=robots+exclusion&page=#",
    "/images/gallery/#/IMG_#.jpg",
    "/wp-content/uploads/2023/11/annual-report-#.pdf",
    "/en-us/support/articles/#-reset-your-password",
    "/user/profile/#/settings?tab=privacy",
    "/api/v2/items/#?include=reviews&limit=50",
    "/video/watch/#-the-long-way-home-season-2",
    "/caf%C3%A9/menu%20#.html",
    "/forum/viewtopic.php?f=12&t=#&start=40#post",
    "/tags/open-source/?utm_source=newsletter&utm_medium=email&utm_campaign=#",
    "/static/js/main.#.chunk.js",
];

/// The same URLs in every run; `number` makes sites differ.
pub fn derive(host: &str, body: &Body, number: u64) -> Vec<String> {
    let mut random = Random::new(number);
    let rules: Vec<&[u8]> = body.rules().collect();
    (0..PER_SITE)
        .map(|turn| {
            let path = if turn % 2 == 0 && !rules.is_empty() {
                from_rule(rules[random.below(rules.len())], &mut random)
            } else {
                generic(&mut random)
            };
            format!("https://www.{host}{path}")
        })
        .collect()
}

/// A path the rule matches, or one segment below it.
fn from_rule(rule: &[u8], random: &mut Random) -> String {
    let rule = rule.strip_suffix(b"$").unwrap_or(rule);
    let mut path = String::new();
    if !matches!(rule.first(), Some(b'/' | b'*')) {
        path.push('/');
    }
    for (index, piece) in rule.split(|byte| *byte == b'*').enumerate() {
        if index > 0 {
            path.push_str(random.pick(FILLINGS));
        }
        piece.iter().for_each(|byte| push_byte(&mut path, *byte));
    }
    if !path.starts_with('/') {
        path.insert(0, '/');
    }
    if random.chance(60.0) {
        path.push_str(if path.ends_with('/') { "" } else { "/" });
        path.push_str(random.pick(SEGMENTS));
    }
    path
}

/// Writes a byte as a URL may hold it.
fn push_byte(path: &mut String, byte: u8) {
    if byte.is_ascii_graphic() && !b"\"<>\\^`{|}#".contains(&byte) {
        path.push(char::from(byte));
    } else {
        write!(path, "%{byte:02X}").expect("a String takes any text");
    }
}

fn generic(random: &mut Random) -> String {
    let number = (10_000 + random.below(90_000)).to_string();
    random.pick(GENERIC).replacen('#', &number, 2)
}
