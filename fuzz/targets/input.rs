//! What the bytes of an input stand for. Any bytes stand for something, and a small change of them for
//! something near; a file and its URLs are in them as they are, so that what the fuzzer finds can be read.

use crate::oracle::{Dialect, OPTIONS, Setup};
use crate::support::files::{ANY_TOKENS, MORE_TOKENS, TOKENS};
use crate::support::urls::{Numbers, expand};
use crate::support::words::{BACKS, FILLS, FRONTS};

/// Between the parts of an input.
pub const BETWEEN: &[u8] = b"\xFF\xFF";
/// Followed by a number and a byte: 72 times the number of that byte. So 255 of them are longer than a line
/// may be (SPEC 4.6), and a few longer than any buffer.
pub const MANY: u8 = 0xFE;
/// So long may a part become: enough for an image of the wide sort.
const MOST: usize = 80_000;

/// Bytes that are taken from the front; zeros after the end.
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    pub fn next(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    pub fn number(&mut self) -> u64 {
        (0..8).fold(0, |number, _| number << 8 | u64::from(self.next()))
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::from(self.next()) % of.len()]
    }

    /// As many bytes as the next one says.
    pub fn text(&mut self) -> &'a [u8] {
        let len = usize::from(self.next()).min(self.0.len());
        let (text, rest) = self.0.split_at(len);
        self.0 = rest;
        text
    }

    /// The part up to the next [`BETWEEN`], or to the end.
    pub fn part(&mut self) -> Vec<u8> {
        let end = self.0.windows(2).position(|two| two == BETWEEN);
        let part = &self.0[..end.unwrap_or(self.0.len())];
        self.0 = end.map_or(&[], |end| &self.0[end + 2..]);
        stretched(part)
    }

    pub fn parts(&mut self) -> Vec<Vec<u8>> {
        let mut parts = Vec::new();
        while !self.0.is_empty() && parts.len() < 20 {
            parts.push(self.part());
        }
        parts
    }
}

fn stretched(part: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = part;
    while bytes.len() < MOST {
        rest = match rest {
            [] => break,
            [MANY, number, byte, more @ ..] => {
                bytes.resize(bytes.len() + 72 * usize::from(*number), *byte);
                more
            }
            [byte, more @ ..] => {
                bytes.push(*byte);
                more
            }
        };
    }
    bytes
}

pub fn dialect(byte: u8) -> Dialect {
    [Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996][usize::from(byte & 3) % 3]
}

/// A crawler, a robots.txt, and URLs to ask about.
pub struct Question {
    pub setup: Setup,
    pub body: Vec<u8>,
    pub urls: Vec<Vec<u8>>,
}

/// Two bytes for the crawler, the file, the URLs. A second byte of 0xF0 and more puts comments before the file,
/// so that the size limit (SPEC 4.5) falls into it.
pub fn question(data: &[u8]) -> Question {
    let mut bytes = Bytes(data);
    let (mut setup, at_limit) = setup(&mut bytes);
    let mut body = bytes.part();
    set_others(&mut setup, &body);
    if at_limit {
        let inside = usize::from(bytes.next()) * (body.len() + 2) / 256;
        let mut filler = vec![b'#'; setup.max_bytes - inside.min(body.len())];
        if let Some(last) = filler.last_mut() {
            *last = b'\n';
        }
        body.splice(0..0, filler);
    } else {
        setup.max_bytes = 512_000;
    }
    let mut urls = bytes.parts();
    urls.extend(urls_of(&body));
    // The oracle tries a long piece at each byte of a long URL; the engine would be done at once.
    let rules = crate::support::files::rule_paths(&body);
    let wild = rules.iter().filter(|rule| rule.contains(&b'*'));
    let wild: usize = wild.map(Vec::len).sum();
    urls.retain(|url| url.len() * wild <= 8_000_000);
    Question { setup, body, urls }
}

/// The bits of the first byte that turn options on. The bits above are for `max_bytes`.
pub const SWITCHES: [(&str, u8); 3] = [
    ("ignore_star", 4),
    ("merge_tokens", 8),
    ("crawl_delay_ends_agents", 16),
];

fn setup(bytes: &mut Bytes) -> (Setup, bool) {
    let (options, which) = (bytes.next(), bytes.next());
    let dialect = dialect(options);
    let more = match dialect {
        Dialect::Google => ANY_TOKENS,
        _ => MORE_TOKENS,
    };
    let tokens = [TOKENS, more].concat();
    let mut setup = Setup::new(dialect, tokens[usize::from(which & 15) % tokens.len()]);
    for (name, bit) in SWITCHES {
        setup.set(name, u64::from(options & bit != 0));
    }
    setup.max_bytes = 512_000 + 37 * usize::from(options >> 5);
    (setup, which >= 0xF0)
}

/// Sets the options without a bit, as the bytes of the file decide: any may have any value near its least.
fn set_others(setup: &mut Setup, body: &[u8]) {
    let mut numbers = Numbers::of(body);
    for (name, least, most) in OPTIONS {
        let has_bits = name == "max_bytes" || SWITCHES.iter().any(|(known, _)| *known == name);
        if !has_bits && numbers.below(2) == 0 {
            let span = usize::try_from((most - least).min(20)).unwrap();
            setup.set(name, least + numbers.below(span + 1) as u64);
        }
    }
}

/// URLs that the rules of a file are about, the same at each run.
pub fn urls_of(body: &[u8]) -> Vec<Vec<u8>> {
    let rules = crate::support::files::rule_paths(body);
    let mut numbers = Numbers::of(body);
    let mut urls = vec![b"https://example.com/robots.txt".to_vec()];
    for _ in 0..rules.len().min(10) {
        let rule = &rules[numbers.below(rules.len())];
        let fills = [numbers.pick(FILLS), numbers.pick(FILLS)];
        let mut path = expand(rule, &fills, numbers.below(8) == 0);
        match numbers.below(6) {
            0 => drop(path.pop()),
            1 => path.extend(numbers.pick(FILLS)),
            2 if !path.is_empty() => {
                let at = numbers.below(path.len());
                let escape = format!("%{:02x}", path[at]);
                path.splice(at..=at, escape.bytes());
            }
            _ => (),
        }
        let (front, back) = (numbers.pick(FRONTS), numbers.pick(BACKS));
        urls.push([front, &path, back].concat());
    }
    urls
}
