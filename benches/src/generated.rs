//! A corpus where no real one is given: the same files in every run, of the shape of 4,231 real ones.

use super::random::Random;

const FILES: usize = 2_111;

/// Bytes of a file at each share of all files, as found in real ones; between them in even ratios.
const SIZES: &[(f64, f64)] = &[
    (0.0, 8.0),
    (0.01, 13.0),
    (0.05, 38.0),
    (0.1, 67.0),
    (0.2, 130.0),
    (0.3, 208.0),
    (0.4, 343.0),
    (0.5, 561.0),
    (0.6, 855.0),
    (0.7, 1_371.0),
    (0.8, 2_189.0),
    (0.9, 3_931.0),
    (0.95, 7_536.0),
    (0.99, 55_300.0),
    (1.0, 400_000.0),
];

/// Every corpus has one such file: nothing but rules.
const MOST_RULES: usize = 31_000;

const AGENTS: &[&str] = &[
    "Googlebot",
    "Googlebot-Image",
    "bingbot",
    "GPTBot",
    "CCBot",
    "AhrefsBot",
    "SemrushBot",
    "MJ12bot",
    "Yandex",
    "Baiduspider",
    "Mediapartners-Google",
    "AdsBot-Google",
    "ia_archiver",
    "Twitterbot",
    "PetalBot",
    "ClaudeBot",
];

const WORDS: &[&str] = &[
    "admin", "search", "cart", "user", "login", "wp-admin", "includes", "cgi-bin", "tmp", "api",
    "checkout", "account", "print", "tag", "private", "misc", "modules", "profile", "forum",
    "node", "media", "feed", "archive", "jobs",
];

const COMMENTS: &[&str] = &[
    "# Crawlers that are kept away",
    "# Do not index the pages of the search",
    "# --------------------------------------------------",
    "# See http://www.robotstxt.org/robotstxt.html for how to use this file",
    "# Directories",
    "# Paths (no clean URLs)",
];

/// Lines of a web page; `#` stands for a number.
const PAGE: &[&str] = &[
    r#"    <div class="item" id="item-#"><a href="/products/#" title="Product">Product #</a></div>"#,
    r#"    <link rel="stylesheet" href="https://cdn.example.com/assets/#/main.css" media="all">"#,
    "    <p>The page you asked for cannot be found. It may have been moved, or its address may have changed.</p>",
    "</div>",
    "",
    concat!(
        "<script>window.dataLayer=window.dataLayer||[];function track(){dataLayer.push(arguments)}",
        "track('config','#',{'page':'/not-found','user':null,'items':[{'id':#,'name':'none','price':0}],",
        "'allow':true,'theme':{'color':'white','size':'m'}});</script>",
    ),
    "      .header-#{position:absolute;top:0;left:0;width:100%;background:#fff;border-bottom:1px solid #ddd}",
];

/// The files, each with its host.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let mut random = Random::new(9309);
    let mut plans: Vec<Plan> = (0..FILES - 1).map(plan).collect();
    random.shuffle(&mut plans);
    let mut bodies: Vec<Vec<u8>> = plans.iter().map(|plan| file(plan, &mut random)).collect();
    bodies.push(rules_only(&mut random));
    let named = bodies.into_iter().enumerate();
    named
        .map(|(i, body)| (format!("site{i}.example"), body))
        .collect()
}

/// What a file is to become.
struct Plan {
    size: usize,
    is_page: bool,
}

/// The file that `rank` others are smaller than. Four in a hundred real files are web pages, which some servers answer
/// in place of a robots.txt; as these are large, half of all bytes are theirs.
fn plan(rank: usize) -> Plan {
    let size = size_at((rank as f64 + 0.5) / (FILES - 1) as f64);
    // Tests of Rust 1.85 compile this file: it has no `is_multiple_of`.
    let is_page = if size > 5_000 {
        rank.rem_euclid(5) != 0
    } else {
        rank.rem_euclid(100) == 0
    };
    Plan { size, is_page }
}

fn size_at(share: f64) -> usize {
    let above = SIZES
        .iter()
        .position(|(at, _)| *at >= share)
        .unwrap_or(SIZES.len() - 1)
        .max(1);
    let ((from, low), (to, high)) = (SIZES[above - 1], SIZES[above]);
    (low * (high / low).powf((share - from) / (to - from))) as usize
}

fn rules_only(random: &mut Random) -> Vec<u8> {
    let mut text = String::from("User-agent: *\n");
    for number in 0..MOST_RULES {
        push_rule(&mut text, random, number);
    }
    text.into_bytes()
}

fn file(&Plan { size, is_page }: &Plan, random: &mut Random) -> Vec<u8> {
    let line_end = if random.chance(30.0) { "\r\n" } else { "\n" };
    let mut text = String::new();
    text.push_str(if is_page {
        "<!DOCTYPE html>\n"
    } else {
        "User-agent: *\n"
    });
    // The last line begun runs over by half a line.
    while text.len() + 24 < size {
        let number = text.len();
        match random.below(100) {
            _ if is_page => push_line(
                &mut text,
                &random.pick(PAGE).replace('#', &number.to_string()),
            ),
            0..60 => push_rule(&mut text, random, number),
            60..67 => push_comment(&mut text, random),
            67..83 => text.push('\n'),
            83..88 => push_sitemap(&mut text, random, number),
            _ => push_group(&mut text, random),
        }
    }
    text.replace('\n', line_end).into_bytes()
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn push_comment(text: &mut String, random: &mut Random) {
    push_line(text, random.pick(COMMENTS));
}

fn push_sitemap(text: &mut String, random: &mut Random, number: usize) {
    push_line(
        text,
        &format!(
            "Sitemap: https://www.example.com/{}/sitemap-{number}.xml",
            random.pick(WORDS)
        ),
    );
}

fn push_group(text: &mut String, random: &mut Random) {
    text.push('\n');
    let agent = if random.chance(60.0) {
        random.pick(AGENTS)
    } else {
        "*"
    };
    push_line(text, &format!("User-agent: {agent}"));
    if random.chance(10.0) {
        push_line(text, "Crawl-delay: 10");
    }
}

fn push_rule(text: &mut String, random: &mut Random, number: usize) {
    let field = if random.chance(15.0) {
        "Allow"
    } else {
        "Disallow"
    };
    push_line(text, &format!("{field}: {}", rule(random, number)));
}

/// A path; `number` keeps those of one file apart.
fn rule(random: &mut Random, number: usize) -> String {
    let (word, other) = (random.pick(WORDS), random.pick(WORDS));
    let mut path = match random.below(4) {
        0 => format!("/{word}/"),
        1 => format!("/{word}/{other}"),
        2 => format!("/{word}-{number}.html"),
        _ => format!("/{word}/{other}{number}/"),
    };
    if random.chance(1.1) {
        path.push_str(random.pick(&["%20", "%C3%A9", "%2F", "%7e"]));
    }
    // Most rules that end in `$` hold a `*` too, as in real files.
    let ended = random.chance(2.0);
    if random.chance(if ended { 85.0 } else { 16.6 }) {
        path = match random.below(5) {
            0 => format!("/*?{word}="),
            1 => format!("/*/{other}{number}/"),
            2 => format!("{path}*"),
            3 => format!("/*.{}", random.pick(&["pdf", "php", "xml", "gif", "json"])),
            _ => format!("{path}*/{other}"),
        };
    }
    if ended {
        path.push('$');
    }
    path
}
