//! Rule sets made to be large or hostile, each with the URLs to check.

use crate::corpus::Site;
use crate::files::Body;
use crate::random::Random;

/// URLs checked by each large rule set.
const URLS: usize = 200;

const HOST: &str = "https://www.example.com";

/// `count` rules without a wildcard; half of the URLs lie below one of them.
pub fn literal(count: usize) -> Site {
    let rules = (0..count).map(|n| (n % 4 == 0, format!("/shop/item-{n}/list")));
    let mut random = Random::new(1);
    let urls = (0..URLS).map(|turn| {
        let n = random.below(count) + (turn % 2) * count;
        format!("{HOST}/shop/item-{n}/list/page-2.html?sort=price")
    });
    site(rules, urls.collect())
}

/// `count` rules with wildcards, of four shapes; half of the URLs match one of them.
pub fn wildcard(count: usize) -> Site {
    let rules = (0..count).map(|n| {
        let path = match n % 4 {
            0 => format!("/*/a{n}/*.php$"),
            1 => format!("/*/b{n}/*/edit"),
            2 => format!("/*?c{n}=*&sort="),
            _ => format!("/shop/*-d{n}.html"),
        };
        (n % 8 < 2, path)
    });
    let mut random = Random::new(2);
    let urls = (0..URLS).map(|turn| {
        let n = random.below(count) + (turn % 2) * count;
        let path = match n % 4 {
            0 => format!("/en/a{n}/list/view.php"),
            1 => format!("/en/b{n}/item/edit?from=top"),
            2 => format!("/en/list/view?c{n}=7&page=2&sort=price"),
            _ => format!("/shop/red-shoes-d{n}.html?page=2"),
        };
        format!("{HOST}{path}")
    });
    site(rules, urls.collect())
}

/// `count` wildcard rules that all have the same shape, `/*/aNNN/*.php$`, so that they differ in the number alone.
pub fn wildcard_alike(count: usize) -> Site {
    let rules = (0..count).map(|n| (n % 4 == 0, format!("/*/a{n}/*.php$")));
    let mut random = Random::new(3);
    let urls = (0..URLS).map(|turn| {
        let n = random.below(count) + (turn % 2) * count;
        format!("{HOST}/en/a{n}/list/view-of-the-product.php")
    });
    site(rules, urls.collect())
}

/// `/` + 50 × `*a` + `b$` asked about a path of 2,000 `a`.
pub fn hostile(count: usize) -> Site {
    site(
        hostile_rules(count, "b$"),
        vec![format!("{HOST}/{}", "a".repeat(2_000))],
    )
}

/// The same ending in `*b`, and a path whose only `b` comes too early: neither the end of the URL nor the bytes
/// it holds show that no rule matches.
pub fn hostile_unanchored(count: usize) -> Site {
    site(
        hostile_rules(count, "*b"),
        vec![format!("{HOST}/b{}", "a".repeat(2_000))],
    )
}

/// Fifty pieces each, made distinct by doubling the `a` of those pieces that are set in the rule's number.
fn hostile_rules(count: usize, tail: &str) -> impl Iterator<Item = (bool, String)> {
    (0..count).map(move |n| {
        let pieces = (0..50).map(|bit| {
            if bit < 16 && n >> bit & 1 == 1 {
                "*aa"
            } else {
                "*a"
            }
        });
        (false, format!("/{}{tail}", pieces.collect::<String>()))
    })
}

fn site(rules: impl Iterator<Item = (bool, String)>, urls: Vec<String>) -> Site {
    let mut text = String::from("User-agent: *\n");
    for (allow, path) in rules {
        text.push_str(if allow { "Allow: " } else { "Disallow: " });
        text.push_str(&path);
        text.push('\n');
    }
    Site::new(Body::new(text.into_bytes()), urls)
}
