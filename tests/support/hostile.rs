//! Files, URLs and images made to cost as much work or memory as they can. A file is as long as asked for, so are URLs.

#![allow(dead_code)]

/// A kind of file and the URL that is asked for it.
pub struct Shape {
    pub name: &'static str,
    line: fn(usize, &mut Random) -> String,
    /// The start of the URL's path, and what fills the rest.
    start: &'static str,
    filling: fn(usize, &mut Random) -> &'static str,
}

impl Shape {
    /// A file of at most `len` bytes: a group for everyone, and as many rules as fit.
    pub fn body(&self, len: usize) -> Vec<u8> {
        self.lines("User-agent: *\n", len, |rule| rule)
    }

    /// The same with a usage preference for the path of each rule, in place of the rule (SPEC 9.5). Before them stands
    /// one whose path starts every URL of the shape and is about as long: those of the same length must all be tried.
    pub fn usage_body(&self, len: usize) -> Vec<u8> {
        fn path(rule: &str) -> &str {
            rule.split_once(':').map_or("", |(_, path)| path.trim())
        }
        let last = (self.line)(10_000, &mut Random::new(1));
        let url = self.url(path(&last).len() + "https://www.example.com".len());
        let start = String::from_utf8_lossy(&url["https://www.example.com".len()..]);
        let first = format!("Content-Usage: {start} train-ai=n");
        let first = format!("User-agent: *\n{first}\n");
        self.lines(&first, len, |rule| {
            format!("Content-Usage: {} train-ai=n", path(&rule))
        })
    }

    fn lines(&self, start: &str, len: usize, of_rule: impl Fn(String) -> String) -> Vec<u8> {
        let mut random = Random::new(1);
        let mut body = String::from(start);
        for number in 0.. {
            let line = of_rule((self.line)(number, &mut random));
            if body.len() + line.len() + 1 > len {
                break;
            }
            body.push_str(&line);
            body.push('\n');
        }
        body.into_bytes()
    }

    /// A URL of at most `len` bytes.
    pub fn url(&self, len: usize) -> Vec<u8> {
        let mut random = Random::new(2);
        let mut url = format!("https://www.example.com/{}", self.start);
        for turn in 0.. {
            let filling = (self.filling)(turn, &mut random);
            if url.len() + filling.len() > len {
                break;
            }
            url.push_str(filling);
        }
        url.into_bytes()
    }
}

/// What makes readings of a URL differ (SPEC 8.11), at the start of the path or after so many bytes of it, again and again.
pub const READ_DIFFERENTLY: [(&str, usize); 3] = [
    ("a/../b\\c/%2e%2e/d\te/", usize::MAX),
    ("x/..//", usize::MAX),
    ("\t\\b/%2e/./", 30),
];

/// Returns a URL as long as `url` that clients read differently, with an empty query: `mark` starts its path, and stands in it
/// after each `every` bytes.
pub fn read_differently(url: &[u8], (mark, every): (&str, usize)) -> Vec<u8> {
    let start = b"https://www.example.com/";
    let path = url.strip_prefix(start).expect("a URL of a shape");
    let mut other = start.to_vec();
    for part in path.chunks(every) {
        other.extend_from_slice(mark.as_bytes());
        other.extend_from_slice(part);
    }
    other.truncate(url.len() - 1);
    other.push(b'?');
    other
}

/// A URL of `len` bytes for [`forged_images`].
pub fn long_url(len: usize) -> Vec<u8> {
    let mut url = b"/".to_vec();
    url.resize(len, b'a');
    url
}

/// The generator of Knuth's MMIX.
pub struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.below(from.len())]
    }

    fn text(&mut self, from: &[&'static str], count: usize) -> String {
        (0..count).map(|_| self.pick(from)).collect()
    }
}

/// Fifty pieces `*a`, those set in `number` with another `a`.
fn pieces(number: usize) -> String {
    (0..50)
        .map(|bit| {
            if bit < 16 && number >> bit & 1 == 1 {
                "*aa"
            } else {
                "*a"
            }
        })
        .collect()
}

macro_rules! shape {
    ($name:literal, $start:literal, $filling:expr, $line:expr) => {
        Shape {
            name: $name,
            start: $start,
            filling: $filling,
            line: $line,
        }
    };
}

/// What takes the most time.
pub const SHAPES: &[Shape] = &[
    // Every rule matches up to its last piece.
    shape!("pieces", "b", |_, _| "a", |n, _| format!(
        "Disallow: /{}*b",
        pieces(n)
    )),
    // As many wildcard rules as can be, whose first pieces are all there.
    shape!("short", "b", |_, _| "a01234567889", |n, _| format!(
        "Disallow: /*a{n}*b"
    )),
    shape!("pairs", "", |_, _| "xy0123456789", |n, _| format!(
        "Disallow: /*x{}*y{n}z",
        n % 7
    )),
    // Pieces that almost occur everywhere: at their end, at their start, in the middle.
    shape!("near-end", "", |_, _| "a", |n, _| format!(
        "Disallow: /*{}b{n}",
        "a".repeat(20)
    )),
    shape!("near-start", "", |_, _| "a", |n, _| format!(
        "Disallow: /*{n}b{}",
        "a".repeat(20)
    )),
    shape!("near-middle", "", |_, _| "a", |n, _| format!(
        "Disallow: /*{0}{n}{0}",
        "a".repeat(10)
    )),
    // Every rule's literal start is a prefix of the URL and of the next rule's.
    shape!("prefixes", "", |_, _| "a", |n, _| format!(
        "Disallow: /{}",
        "a".repeat(n + 1)
    )),
    shape!("prefixes-star", "", |_, _| "a", |n, _| format!(
        "Disallow: /{}*b",
        "a".repeat(n + 1)
    )),
    shape!("prefixes-end", "", |_, _| "a", |n, _| format!(
        "Disallow: /{}$",
        "a".repeat(n + 1)
    )),
    shape!("one-rule", "", |_, _| "a", |_, _| format!(
        "Disallow: /{}",
        "*a".repeat(255_900)
    )),
    // URLs that have to be brought into canonical form.
    shape!("escapes", "", |_, _| "%41%2f%3a", |n, _| format!(
        "Disallow: /*A%2F*:{n}"
    )),
    shape!("utf8", "", |_, _| "é", |n, _| format!(
        "Disallow: /*é*%C3{n}"
    )),
    shape!("stars", "", |_, _| "*$", |n, _| format!(
        "Disallow: /*%2A*%24{n}"
    )),
    // Random pieces of two letters: every window of the path is nearly one of them.
    shape!("two-letters", "", |_, r| r.pick(&["a", "b"]), |_, r| {
        format!("Allow:*{}", r.text(&["a", "b"], 33))
    }),
    shape!(
        "two-letters-escaped",
        "",
        |_, r| r.pick(&["{", "}"]),
        |_, r| { format!("Allow:*{}", r.text(&["{", "}"], 33)) }
    ),
    shape!("braces", "", |_, _| "{", |_, r| format!(
        "Allow:*{}",
        r.text(&["%7B", "%7D"], 11)
    )),
    // Found by `benches/src/bin/search.rs`.
    shape!("dollars", "aab", |_, _| "$", |n, _| format!(
        "Allow:*{}*{}",
        "$".repeat(23),
        "e".repeat(n / 41)
    )),
    shape!(
        "found-dollars",
        "",
        |_, r| r.pick(&["abcd", "0", "$"]),
        |_, r| { format!("Disallow:*{}*{}", r.text(&["*", "$"], 17), "%7B".repeat(14)) }
    ),
    shape!(
        "found-index",
        "0",
        |_, r| r.pick(&["index.htm", "zz", "$"]),
        |_, _| "Allow:*zzzzzzzzzzzzzzzz".into()
    ),
    shape!(
        "found-slashes",
        "%7Bab",
        |_, r| r.pick(&["/", "aab", "%7B"]),
        |_, _| format!("Allow:*{}", "aab".repeat(7))
    ),
    shape!(
        "found-escapes",
        "",
        |_, r| r.pick(&["%41", "abcd", "/"]),
        |_, _| format!("Allow:*{}", "%41".repeat(13))
    ),
    shape!(
        "found-anchored",
        "",
        |_, r| r.pick(&["0", "b", "?", "%41"]),
        |_, _| "Disallow:*%41$".into()
    ),
    shape!(
        "found-zeros",
        "eaab",
        |_, r| r.pick(&["{", "0", "e", "zz"]),
        |_, _| "Allow:*0000*zzzzzzzzzzzzzzzz".into()
    ),
    shape!(
        "found-run",
        "ézz",
        |_, r| r.pick(&["e", "b", "$"]),
        |_, _| format!("Allow:*{}", "e".repeat(13))
    ),
    shape!("found-mixed", "%2f", |_, r| r.pick(&["$", "*"]), |_, r| {
        format!(
            "Disallow:*{}*{}",
            r.text(&["%2f", "é", "*"], 9),
            r.text(&["%2f", "é", "*", "$"], 20)
        )
    }),
    shape!(
        "found-longer",
        "%7B",
        |_, r| r.pick(&["é", "zz", "/"]),
        |n, _| { format!("Allow:*{}*{}", "%41".repeat(n / 30), "zz".repeat(7)) }
    ),
    shape!(
        "found-utf8",
        "zz{%7B",
        |_, r| r.pick(&["{", "aab", "*"]),
        |_, _| format!("Allow:*{}*%7B%7B%7B", "é".repeat(9))
    ),
    shape!(
        "found-htm",
        "/index.htmindex.htm",
        |_, _| "*",
        |_, _| format!("Allow:*{}", "index.htm".repeat(3))
    ),
    shape!(
        "found-letters",
        "?%41",
        |_, r| r.pick(&["b", "a", "{", "ab"]),
        |_, r| {
            format!(
                "Allow:*{}{}",
                r.text(&["a", "b", "ab"], 4),
                r.text(&["a", "b", "ab"], 16)
            )
        }
    ),
    // Pieces that are nearly as long as the path, or longer.
    shape!(
        "found-long",
        "$%7B",
        |_, r| r.pick(&["{", "ab", "e"]),
        |n, _| format!("Disallow:*{}{}", "ab".repeat(n / 53), "é".repeat(n))
    ),
    shape!(
        "found-few",
        "%2f",
        |_, r| r.pick(&["e", "$", "{", "%41"]),
        |_, r| format!("Disallow:*eeeee*{}*{{{{{{{{{{{{", r.text(&["é", "*"], 20))
    ),
];

/// What takes the most memory for its length.
pub const DENSE: &[Shape] = &[
    shape!("dense-letters", "", |_, _| "a", |n, _| {
        format!("allow:/{}", char::from(b'!' + (n % 90) as u8))
    }),
    shape!("dense-pairs", "", |_, _| "a", |n, _| {
        let letter = |n: usize| char::from(b'&' + (n % 84) as u8);
        format!("allow:/{}{}", letter(n), letter(n / 84))
    }),
    shape!("dense-ends", "", |_, _| "a", |n, _| {
        let letter = |n: usize| char::from(b'&' + (n % 84) as u8);
        format!("allow:/{}{}$", letter(n), letter(n / 84))
    }),
    shape!("dense-stars", "", |_, _| "a", |n, _| {
        let letter = |n: usize| char::from(b'+' + (n % 79) as u8);
        format!("allow:*{}{}", letter(n), letter(n / 79))
    }),
    shape!("dense-one-star", "", |_, _| "a", |n, _| {
        format!("allow:*{}", char::from(b'+' + (n % 79) as u8))
    }),
    shape!("dense-nothing", "", |_, _| "a", |_, _| "allow:a".into()),
    shape!("dense-empty", "", |_, _| "a", |_, _| "allow:".into()),
    shape!("dense-escapes", "", |_, _| "a", |_, r| format!(
        "allow:/{}",
        r.text(&["{", "}"], 10)
    )),
    shape!("dense-escape", "", |_, _| "a", |_, r| format!(
        "allow:/{}",
        r.text(&["{", "}"], 1)
    )),
    // Paths whose canonical form is three times as long.
    shape!("dense-bytes", "", |_, _| "a", |n, _| {
        let letter = |n: usize| char::from_u32(0x80 + n as u32 % 0x780).unwrap_or('a');
        format!("allow:/{}{}$", letter(n), letter(n / 0x780))
    }),
    shape!("dense-bytes-star", "", |_, _| "a", |n, _| {
        let letter = |n: usize| char::from_u32(0x80 + n as u32 % 0x780).unwrap_or('a');
        format!("allow:*{}{}", letter(n), letter(n / 0x780))
    }),
    shape!("dense-same", "", |_, _| "a", |_, _| "allow:*".into()),
    shape!("dense-one-escape", "", |_, _| "a", |_, _| format!(
        "allow:/{}",
        "{".repeat(511_900)
    )),
    shape!("dense-sitemaps", "", |_, _| "a", |_, _| "sitemap:a".into()),
    shape!("dense-late", "", |_, _| "a", |n, r| {
        if n < 20_000 {
            "# a comment".into()
        } else {
            format!("allow:*{}", r.text(&["a", "b", "c", "d"], 2))
        }
    }),
    shape!("dense-lists", "", |_, _| "a", |n, _| {
        let letter = |n: usize| char::from(b'+' + (n % 79) as u8);
        format!("allow:/{}{}*{}", letter(n), letter(n / 79), letter(n / 7))
    }),
    shape!("dense-index-html", "", |_, _| "a", |n, _| format!(
        "allow:/{n}/index.htm"
    )),
    shape!("dense-chain", "", |_, _| "a", |n, r| {
        format!("allow:/{}", r.text(&["a", "b"], n / 100))
    }),
];

/// What takes the most memory in google: an allow rule of an index page is two rules there.
pub const INDEX_PAGES: &[Shape] = &[shape!("index-pages", "", |_, _| "a", |n, _| format!(
    "allow:*{n}{}/index.htm",
    "é".repeat(400)
))];

/// Images of up to 1 MiB whose nodes share their rules, or whose index repeats one, with an attempt at much work.
pub fn forged_images() -> Vec<Vec<u8>> {
    let sizes = [40_000, 65_000, 1 << 20];
    let both = sizes.map(|len| {
        [
            forged_nodes(len),
            forged_index(len, b"aaaaaaaaaaaaaaaaaaaaab"),
        ]
    });
    let short = forged_index(1 << 20, b"zy");
    both.into_iter().flatten().chain([short]).collect()
}

fn put(image: &mut Vec<u8>, value: usize) {
    image.extend_from_slice(&(value as u32).to_le_bytes());
}

/// An image of `len` bytes whose index names one rule, with this piece, as often as there is room. Every byte of the path is a
/// key. The layout is that of `src/core/image/mod.rs`.
fn forged_index(len: usize, piece: &[u8]) -> Vec<u8> {
    let mut image = vec![0; 44];
    // The root has no rule and no table.
    image.extend_from_slice(&[0; 3]);
    let rule = image.len();
    put(&mut image, 9_000);
    put(&mut image, 6);
    image.extend_from_slice(&[0, 1, b'/']);
    image.extend_from_slice(&[piece.len() as u8, 0]);
    image.extend_from_slice(piece);
    image.push(0);
    let list = image.len() as u32;
    image[40..44].copy_from_slice(&list.to_le_bytes());
    let count = 65;
    let index = image.len() + (3 + count) * 4;
    put(&mut image, 9_000);
    put(&mut image, count);
    put(&mut image, index);
    (0..count).for_each(|_| put(&mut image, rule));
    // No keys of 1 or 2 bytes; of 4 bytes, a bucket holds the first rule again and again.
    let repeats = (len - image.len() - 40) / 4;
    image.extend_from_slice(&[0, 0, 1]);
    image.extend_from_slice(&[0xFF; 8]);
    put(&mut image, 0);
    put(&mut image, repeats);
    put(&mut image, repeats);
    (0..repeats).for_each(|_| put(&mut image, 0));
    sealed(image, len)
}

/// An image of `len` bytes of nodes of 64 rules, most of them empty; each leads to the next, which starts among them.
fn forged_nodes(len: usize) -> Vec<u8> {
    let mut image = vec![0; 44];
    let stride = 16;
    while image.len() + stride + 64 * 14 < len {
        let next = image.len() + stride;
        image.extend_from_slice(&[1, 0, 64]);
        put(&mut image, next);
        image.resize(next, 0);
    }
    sealed(image, len)
}

/// The image with a header, but no checksum: it passes no validation.
fn sealed(mut image: Vec<u8>, len: usize) -> Vec<u8> {
    image.resize(len, 0);
    image[0..4].copy_from_slice(b"rbts");
    image[4] = 4;
    image[5] = 1;
    image[6..8].copy_from_slice(&[0xFF, 0xFE]);
    image[8..12].copy_from_slice(&(len as u32).to_le_bytes());
    image[24..28].copy_from_slice(&(len as u32).to_le_bytes());
    image
}
