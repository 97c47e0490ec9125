//! Generators of robots.txt files: every kind of line, field, agent and path that the specification mentions, in
//! small numbers, and sometimes something big.

use super::urls::{Numbers, noise};
use super::words::*;
use crate::oracle::{Dialect, OPTIONS, Setup};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// The place of the size limit (4.5): the file is filled up before one of its lines.
#[derive(Clone, Copy, Debug)]
struct Limit {
    line: usize,
    /// Bytes from the start of that line to the limit.
    after: usize,
    /// Use the next end of a line instead.
    at_end: bool,
    /// Fill with one long comment instead of many lines.
    one_line: bool,
}

/// A file in its lines, each with its end.
#[derive(Clone, Debug)]
pub struct File {
    pub lines: Vec<(Vec<u8>, Bytes)>,
    mark: Bytes,
    /// The last line has no end.
    open: bool,
    limit: Option<Limit>,
}

impl File {
    pub fn bytes(&self, max_bytes: usize) -> Vec<u8> {
        let mut pieces: Vec<Vec<u8>> = self
            .lines
            .iter()
            .map(|(line, end)| [line.as_slice(), *end].concat())
            .collect();
        if self.open {
            if let (Some(piece), Some((line, _))) = (pieces.last_mut(), self.lines.last()) {
                piece.truncate(line.len());
            }
        }
        let mut bytes = self.mark.to_vec();
        let Some(limit) = self.limit else {
            return [bytes, pieces.concat()].concat();
        };
        let rest = pieces.split_off(limit.line % (pieces.len() + 1)).concat();
        bytes.extend(pieces.concat());
        let mut after = limit.after % (rest.len() + 2);
        if limit.at_end {
            let is_end = |at: &usize| matches!(rest[*at], b'\r' | b'\n');
            after = (after..rest.len()).find(is_end).unwrap_or(after);
        }
        if let Some(filler) = max_bytes.checked_sub(bytes.len() + after + 2) {
            let filling: &[u8] = if limit.one_line { b"x" } else { b"\n#" };
            bytes.push(b'#');
            bytes.extend(filling.iter().copied().cycle().take(filler));
            bytes.push(b'\n');
        }
        bytes.extend(rest);
        bytes
    }
}

pub fn rule_path() -> impl Strategy<Value = Vec<u8>> {
    const LAST: &[Bytes] = &[b"", b"", b"", b"$", b"*"];
    let put_together = (select(STEMS), vec(select(PIECES), 0..5), select(LAST))
        .prop_map(|(stem, pieces, end)| [stem, &pieces.concat(), end].concat());
    prop_oneof![
        10 => put_together,
        1 => select(PATHS).prop_map(<[u8]>::to_vec),
    ]
}

fn field_line(
    fields: &'static [Bytes],
    value: impl Strategy<Value = Vec<u8>>,
) -> impl Strategy<Value = Vec<u8>> {
    // Most lines are plain: a file in which every line is malformed has no group and no rule.
    let plain = (
        Just(&b""[..]),
        Just(fields[0]),
        Just(&b": "[..]),
        Just(&b""[..]),
    );
    let malformed = (
        select(BEFORE),
        select(fields),
        select(SEPARATORS),
        select(AFTER),
    );
    (
        prop_oneof![3 => plain.boxed(), 1 => malformed.boxed()],
        value,
    )
        .prop_map(|((before, field, separator, after), value)| {
            [before, field, separator, &value, after].concat()
        })
}

fn agent() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![3 => select(COMMON_AGENTS), 1 => select(AGENTS)].prop_map(<[u8]>::to_vec)
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let agent = || field_line(AGENT_FIELDS, agent());
    let allow = || field_line(ALLOW_FIELDS, rule_path());
    let disallow = || field_line(DISALLOW_FIELDS, rule_path());
    let short = prop_oneof![
        9 => agent(),
        32 => allow(),
        40 => disallow(),
        12 => select(LINES).prop_map(<[u8]>::to_vec),
        4 => field_line(SITEMAP_FIELDS, select(SITEMAPS).prop_map(<[u8]>::to_vec)),
        5 => field_line(DELAY_FIELDS, select(DELAYS).prop_map(<[u8]>::to_vec)),
        2 => vec(any::<u8>(), 0..20),
    ];
    // Near google's limit of a line (4.6), which blanks before or within a line, or the path, reach.
    let to_limit = (16_600_usize..16_680, prop_oneof![disallow(), allow()], 0..3).prop_map(
        |(length, line, how)| match how {
            0 => [vec![b' '; length], line].concat(),
            1 => [b"Disallow: /".to_vec(), vec![b'a'; length], line].concat(),
            _ => [b"Disallow: /ab".to_vec(), vec![b' '; length], line].concat(),
        },
    );
    let count = prop_oneof![15 => 50_usize..400, 1 => 400_usize..4_000];
    // Long pieces before and between wildcards.
    let long_pieces = (0_usize..700, 1_usize..700, any::<u64>(), select(PIECES)).prop_map(
        |(start, piece, seed, end)| {
            [
                b"Disallow: /a".to_vec(),
                noise(start, seed),
                b"*".to_vec(),
                noise(piece, !seed),
                end.to_vec(),
            ]
            .concat()
        },
    );
    prop_oneof![
        1000 => short,
        8 => long_pieces,
        12 => (count, 0_u8..9, any::<u64>()).prop_map(|(count, kind, seed)| many_rules(count, kind, seed)),
        3 => to_limit,
    ]
}

/// Hundreds of rules under a few prefixes, as one big line (each of its lines but the last ends in LF).
fn many_rules(count: usize, kind: u8, seed: u64) -> Vec<u8> {
    let mut numbers = Numbers::new(seed);
    // Among them some that match whatever has their start, and some without wildcards.
    const LENIENT: &[Bytes] = &[
        b"/p/***", b"/p/*", b"/*", b"/p*$", b"/p/", b"/p/a*", b"/***", b"/p/*$", b"/p/*?",
    ];
    let mut text = Vec::new();
    for index in 0..count {
        let path = match kind {
            _ if index % 16 == 7 => numbers.pick(LENIENT).to_vec(),
            0 => format!("/p/*/a{index}/*.php$").into_bytes(),
            1 => format!("/p/a{}*x", numbers.below(count)).into_bytes(),
            2 => format!("/p/a{}", numbers.below(count)).into_bytes(),
            3 => format!("/*a{}$", numbers.below(count)).into_bytes(),
            4 => letters(&mut numbers, b"/abab/*", 12),
            5 => letters(&mut numbers, b"aaaabb*", 30),
            // `*` that only make a rule longer, by about as many as a byte can count.
            6 => {
                let stars = "*".repeat(250 + numbers.below(12));
                let end = ["", "a", "b$", "x*y", "ab", "$"][numbers.below(6)];
                let more = if numbers.below(4) == 0 { "" } else { "*a" };
                format!("/p/{stars}{end}{more}").into_bytes()
            }
            // Many branches from one place; what would end the path or begin a comment, as an escape.
            7 => {
                let bytes: Vec<u8> = (0..=255).collect();
                let path = letters(&mut numbers, &bytes, 4);
                let escaped = path.iter().map(|byte| match byte {
                    b'\r' | b'\n' | b'#' | b'*' | 0 => format!("%{byte:02X}").into_bytes(),
                    _ => vec![*byte],
                });
                [b"/p".to_vec(), escaped.collect::<Vec<_>>().concat()].concat()
            }
            _ => letters(&mut numbers, b"a/b*%?$", 20),
        };
        if index > 0 {
            text.push(b'\n');
        }
        text.extend_from_slice(if numbers.below(3) == 0 {
            b"Allow: "
        } else {
            b"Disallow: "
        });
        text.extend_from_slice(&path);
    }
    text
}

fn letters(numbers: &mut Numbers, of: &[u8], most: usize) -> Vec<u8> {
    let mut path = b"/".to_vec();
    for _ in 0..numbers.below(most) {
        path.push(of[numbers.below(of.len())]);
    }
    path
}

fn limit() -> impl Strategy<Value = Limit> {
    let one_line = prop::bool::weighted(0.8);
    (any::<usize>(), any::<usize>(), any::<bool>(), one_line).prop_map(
        |(line, after, at_end, one_line)| Limit {
            line,
            after,
            at_end,
            one_line,
        },
    )
}

pub fn file() -> impl Strategy<Value = File> {
    let end = prop_oneof![12 => select(ENDS), 1 => select(BLANK_ENDS)];
    // Most files begin with a group for someone; more lines are likelier to have a group for us.
    let start = prop_oneof![
        12 => agent().prop_map(|agent| vec![([b"User-agent: ".to_vec(), agent].concat(), &b"\n"[..])]),
        1 => Just(Vec::new()),
    ];
    let lines = (start, vec((line(), end), 0..24)).prop_map(|(mut lines, more)| {
        lines.extend(more);
        lines
    });
    let limit = prop::option::weighted(0.02, limit());
    let mark = prop_oneof![5 => Just(&b""[..]), 1 => select(MARKS)];
    (lines, mark, any::<bool>(), limit).prop_map(|(lines, mark, open, limit)| File {
        lines,
        mark,
        open,
        limit,
    })
}

/// The tokens of generated crawlers, in order of preference.
pub const TOKENS: &[&[Bytes]] = &[
    &[b"ExampleBot"],
    &[b"ExampleBot"],
    &[b"ExampleBot-News", b"ExampleBot"],
    &[b"ExampleBot-News", b"ExampleBot", b"Other"],
    &[b"Ex", b"ExampleBot"],
    &[b"Other", b"other_bot"],
];
pub const MORE_TOKENS: &[&[Bytes]] = &[
    &[b"ExampleBot2"],
    &[b"Ex.2", b"2", b"ExampleBot"],
    &[b"ExampleBot"],
];
// Google's matcher takes any.
pub const ANY_TOKENS: &[&[Bytes]] = &[
    &[],
    &[b""],
    &[b"*"],
    &[b"ExampleBot/1.0"],
    &[b"", b"ExampleBot"],
];

/// Generates files of [`LINE_PIECES`], with runs of a letter that put what follows about the end of a block of 64 bytes.
pub fn blocks() -> impl Strategy<Value = Vec<u8>> {
    #[derive(Clone, Debug)]
    enum Part {
        Piece(Bytes),
        Run(u8, usize),
        /// Up to so many bytes before or after the end of a block.
        Block(usize),
    }
    let part = prop_oneof![
        4 => select(LINE_PIECES).prop_map(Part::Piece),
        1 => (select(&b"a#*~ \n"[..]), 0_usize..140).prop_map(|(byte, len)| Part::Run(byte, len)),
        1 => (0_usize..4).prop_map(Part::Block),
    ];
    const ENDS: &[Bytes] = &[b"\n", b"\r\n", b"\r", b""];
    const FIRST: &[Bytes] = &[b"", b"User-agent: ExampleBot\n"];
    let (first, end) = (select(FIRST), select(ENDS));
    (first, vec((part, end), 0..40)).prop_map(|(first, parts)| {
        let mut body = first.to_vec();
        for (part, end) in parts {
            match part {
                Part::Piece(piece) => body.extend_from_slice(piece),
                Part::Run(byte, len) => body.resize(body.len() + len, byte),
                Part::Block(place) => {
                    let len = 64 * (1 + body.len() / 64) + place - 2;
                    body.resize(len.max(body.len()), b'a');
                }
            }
            body.extend_from_slice(end);
        }
        body
    })
}

pub fn setup(dialect: Dialect) -> impl Strategy<Value = Setup> {
    let more = if dialect == Dialect::Google {
        ANY_TOKENS
    } else {
        MORE_TOKENS
    };
    let tokens = prop_oneof![6 => select(TOKENS), 1 => select(more)];
    // Most crawlers have most defaults. A number is near its least, where generated files reach it.
    let option = |(_, least, most): (&str, u64, u64)| {
        let near = |far: u64| least..=most.min(least + far);
        prop::option::weighted(0.2, prop_oneof![near(5), near(1_000)])
    };
    let options: Vec<_> = OPTIONS.into_iter().map(option).collect();
    (tokens, options).prop_map(move |(tokens, options)| {
        let mut setup = Setup::new(dialect, tokens);
        for ((name, ..), value) in OPTIONS.into_iter().zip(options) {
            if let Some(value) = value {
                setup.set(name, value);
            }
        }
        setup
    })
}

/// Returns the values of the lines that look like rules, to generate URLs from.
pub fn rule_paths(body: &[u8]) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    for line in body.split(|byte| matches!(byte, b'\r' | b'\n')) {
        let line = line.split(|&byte| byte == b'#').next().unwrap_or_default();
        let Some(end) = line.iter().position(|byte| matches!(byte, b'/' | b'*')) else {
            continue;
        };
        let (field, value) = line.split_at(end);
        let field = field.to_ascii_lowercase();
        if field.windows(3).any(|part| matches!(part, b"low" | b"law")) {
            paths.push(value.trim_ascii_end().to_vec());
        }
    }
    paths
}
