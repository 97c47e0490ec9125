//! Generators of URLs: made from the rules of a file, with other escapes, slightly too long or too short, or malformed.
//!
//! A `UrlRecipe` says how to make a URL, so that proptest can shrink it; `UrlRecipe::url` makes it for a given file.

use super::words::*;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

#[derive(Clone, Debug)]
pub struct UrlRecipe {
    front: &'static [u8],
    source: Source,
    edits: Vec<Edit>,
    back: &'static [u8],
}

#[derive(Clone, Debug)]
enum Source {
    /// Some rule of the file, its `*` filled in.
    Rule {
        which: usize,
        fills: Vec<&'static [u8]>,
        keep_dollar: bool,
    },
    /// Some rule of the file as it is written.
    RuleText(usize),
    Path(Vec<u8>),
    RobotsTxt,
}

#[derive(Clone, Debug)]
enum Edit {
    Append(&'static [u8]),
    DropLast,
    Truncate(usize),
    Insert(usize, &'static [u8]),
    /// One byte as `%hh`, in upper or lower case.
    Escape(usize, bool),
    /// Every `%hh` as its byte.
    UnescapeAll,
    UpperHex,
    LowerHex,
    FlipCase(usize),
    /// A place, a length, a piece to repeat there.
    Stretch(usize, usize, &'static [u8]),
    /// A place, a length and a seed of random letters, possibly with an escape after them.
    Noise(usize, usize, u64),
}

pub fn path() -> impl Strategy<Value = Vec<u8>> {
    (select(STEMS), vec(select(PIECES), 0..5))
        .prop_map(|(stem, pieces)| [stem, &pieces.concat()].concat())
}

pub fn recipe() -> impl Strategy<Value = UrlRecipe> {
    let from_rule = (
        any::<usize>(),
        vec(select(FILLS), 1..4),
        prop::bool::weighted(0.1),
    )
        .prop_map(|(which, fills, keep_dollar)| Source::Rule {
            which,
            fills,
            keep_dollar,
        });
    let source = prop_oneof![
        66 => from_rule,
        12 => any::<usize>().prop_map(Source::RuleText),
        20 => path().prop_map(Source::Path),
        2 => Just(Source::RobotsTxt),
    ];
    let edits = prop_oneof![
        60 => Just(Vec::new()),
        40 => vec(edit(), 1..4),
    ];
    let front = prop_oneof![11 => select(FRONTS), 1 => select(ODD_FRONTS)];
    (front, source, edits, select(BACKS)).prop_map(|(front, source, edits, back)| UrlRecipe {
        front,
        source,
        edits,
        back,
    })
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<usize>;
    prop_oneof![
        16 => select(FILLS).prop_map(Edit::Append),
        10 => Just(Edit::DropLast),
        6 => at().prop_map(Edit::Truncate),
        10 => (at(), select(FILLS)).prop_map(|(at, piece)| Edit::Insert(at, piece)),
        20 => (at(), any::<bool>()).prop_map(|(at, upper)| Edit::Escape(at, upper)),
        6 => Just(Edit::UnescapeAll),
        6 => Just(Edit::UpperHex),
        6 => Just(Edit::LowerHex),
        6 => at().prop_map(Edit::FlipCase),
        8 => (at(), length(), select(FILLERS)).prop_map(|(at, length, piece)| Edit::Stretch(at, length, piece)),
        8 => (at(), length(), any::<u64>()).prop_map(|(at, length, seed)| Edit::Noise(at, length, seed)),
    ]
}

/// Generates lengths of long URLs, up to 20 KB, often near the size of a buffer.
fn length() -> impl Strategy<Value = usize> {
    prop_oneof![
        4 => 10_usize..400,
        4 => select(&[256_usize, 512, 1024, 2048, 4096, 8192, 16_384][..])
            .prop_flat_map(|size| size - 40..size + 20),
        2 => 400_usize..20_000,
    ]
}

impl UrlRecipe {
    /// The URL for a file whose rules have these paths.
    pub fn url(&self, rules: &[Vec<u8>]) -> Vec<u8> {
        let mut path = match &self.source {
            Source::Rule {
                which,
                fills,
                keep_dollar,
            } if !rules.is_empty() => expand(&rules[which % rules.len()], fills, *keep_dollar),
            Source::RuleText(which) if !rules.is_empty() => rules[which % rules.len()].clone(),
            Source::Rule { .. } | Source::RuleText(_) => b"/a".to_vec(),
            Source::Path(path) => path.clone(),
            Source::RobotsTxt => b"/robots.txt".to_vec(),
        };
        for edit in &self.edits {
            edit.apply(&mut path);
        }
        [self.front, &path, self.back].concat()
    }
}

/// Returns a path that the rule probably matches: each `*` filled in, a final `$` removed.
pub fn expand(rule: &[u8], fills: &[&[u8]], keep_dollar: bool) -> Vec<u8> {
    let rule = match rule.strip_suffix(b"$") {
        Some(rest) if !keep_dollar => rest,
        _ => rule,
    };
    let mut path = Vec::new();
    let mut stars = 0;
    for &byte in rule {
        if byte == b'*' {
            path.extend_from_slice(fills[stars % fills.len()]);
            stars += 1;
        } else {
            path.push(byte);
        }
    }
    path
}

impl Edit {
    fn apply(&self, path: &mut Vec<u8>) {
        let place = |at: usize| at % (path.len() + 1);
        match *self {
            Edit::Append(piece) => path.extend_from_slice(piece),
            Edit::DropLast => drop(path.pop()),
            Edit::Truncate(at) => path.truncate(place(at)),
            Edit::Insert(at, piece) => {
                let at = place(at);
                path.splice(at..at, piece.iter().copied());
            }
            Edit::Escape(at, upper) => {
                if let Some(&byte) = path.get(place(at)) {
                    let escape = if upper {
                        format!("%{byte:02X}")
                    } else {
                        format!("%{byte:02x}")
                    };
                    let at = place(at);
                    path.splice(at..=at, escape.bytes());
                }
            }
            Edit::UnescapeAll => *path = unescape(path),
            Edit::UpperHex => recase(path, |byte| byte.to_ascii_uppercase()),
            Edit::LowerHex => recase(path, |byte| byte.to_ascii_lowercase()),
            Edit::FlipCase(at) => {
                let at = place(at);
                if let Some(byte) = path.get_mut(at).filter(|byte| byte.is_ascii_alphabetic()) {
                    *byte ^= 0x20;
                }
            }
            Edit::Stretch(at, length, piece) => {
                let at = place(at);
                path.splice(at..at, piece.iter().copied().cycle().take(length));
            }
            Edit::Noise(at, length, seed) => {
                let at = place(at);
                path.splice(at..at, noise(length, seed));
            }
        }
    }
}

/// Returns random letters that nearly match the pieces of rules many times.
pub fn noise(length: usize, seed: u64) -> Vec<u8> {
    let of: &[u8] = if seed & 2 == 0 { b"aab" } else { b"aaab/x" };
    let mut numbers = Numbers::new(seed);
    let mut bytes: Vec<u8> = (0..length).map(|_| of[numbers.below(of.len())]).collect();
    if seed & 4 == 0 {
        bytes.extend_from_slice(b"%62");
    }
    bytes
}

/// A small random number generator.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed | 1)
    }

    /// Seeded by bytes, so that every run yields the same numbers for them.
    pub fn of(bytes: &[u8]) -> Numbers {
        let mut state = 0xCBF2_9CE4_8422_2325_u64;
        for &byte in bytes {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        Numbers::new(state)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    pub fn pick<'a>(&mut self, of: &[&'a [u8]]) -> &'a [u8] {
        of[self.below(of.len())]
    }
}

fn hex_pair(path: &[u8], at: usize) -> Option<u8> {
    let digits = path
        .get(at + 1..at + 3)
        .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn unescape(path: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut at = 0;
    while at < path.len() {
        match hex_pair(path, at).filter(|_| path[at] == b'%') {
            Some(byte) => {
                plain.push(byte);
                at += 3;
            }
            None => {
                plain.push(path[at]);
                at += 1;
            }
        }
    }
    plain
}

fn recase(path: &mut [u8], to: impl Fn(u8) -> u8) {
    for at in 0..path.len() {
        if path[at] == b'%' && hex_pair(path, at).is_some() {
            path[at + 1] = to(path[at + 1]);
            path[at + 2] = to(path[at + 2]);
        }
    }
}
