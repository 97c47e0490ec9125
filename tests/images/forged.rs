//! Forged images and records: each has a valid checksum and breaks one rule of the format, which one check alone sees.

use crate::invariants::image::seal;
use robots::cache::Cache;
use robots::{Crawler, Error, Outcome, Reason, Rules};

const NOW: u64 = 1_800_000_000;
const HEADER: usize = 44;
const PADDING: usize = 12;

fn numbers(values: &[u32]) -> Vec<u8> {
    values.iter().copied().flat_map(u32::to_le_bytes).collect()
}

/// A node without tails and with zeros for its rules. `table`: the offsets of its children.
fn node(fan: u8, table: &[u32], rules: u8) -> Vec<u8> {
    let mut node = [&[fan, 0, rules][..], &numbers(table)].concat();
    node.resize(node.len() + 13 * usize::from(rules), 0);
    node
}

/// The parts of a list. Each rule is its bytes after the slot.
struct List {
    longest: u32,
    rules: Vec<Vec<u8>>,
    /// Bytes before each rule and before the index.
    gap: usize,
    index: Option<Vec<u8>>,
    /// Added to the offset of the index.
    index_at: usize,
    /// All offsets are that of the first rule, which alone is there.
    same: bool,
}

/// A rule of 2 bytes: flags, no prefix, a piece of one byte, the end of the pieces.
const RULE: [u8; 6] = [0, 0, 1, 0, b'x', 0];
/// The number of rules that have an index.
const MANY: usize = 65;
/// No key of any length.
const NO_KEYS: [u8; 3] = [0; 3];

fn list(count: usize, index: Option<&[u8]>) -> List {
    List {
        longest: 2,
        rules: vec![RULE.to_vec(); count],
        gap: 0,
        index: index.map(<[u8]>::to_vec),
        index_at: 0,
        same: false,
    }
}

impl List {
    fn bytes(&self, at: usize) -> Vec<u8> {
        let count = self.rules.len();
        let columns = if self.index.is_none() { 10 * count } else { 0 };
        let mut after = at + 12 + columns + 4 * count;
        let first = after as u32;
        let (mut offsets, mut rules) = (Vec::new(), Vec::new());
        for rule in &self.rules {
            if self.same {
                offsets.push(first);
                if offsets.len() > 1 {
                    continue;
                }
            } else {
                after += self.gap;
                rules.resize(rules.len() + self.gap, 0);
                offsets.push(after as u32);
            }
            let rule = [&numbers(&[2, 2])[..], rule].concat();
            after += rule.len();
            rules.extend(rule);
        }
        let index_at = self.index.as_ref().map_or(0, |_| after + self.index_at);
        let head = numbers(&[self.longest, count as u32, index_at as u32]);
        let index = self.index.as_deref().unwrap_or_default();
        [
            &head,
            &vec![0; columns][..],
            &numbers(&offsets),
            &rules,
            index,
        ]
        .concat()
    }
}

/// An image of nodes and a list; `gap` bytes after each; `sitemaps` are their ends, all without text.
fn image(nodes: &[u8], list: Option<&List>, gaps: [usize; 2], sitemaps: &[u32]) -> Vec<u8> {
    let at = HEADER + nodes.len() + gaps[0];
    let list = list.map_or_else(Vec::new, |list| list.bytes(at));
    let end = at + list.len() + gaps[1];
    let len = end + 4 * sitemaps.len() + PADDING;
    let mut image = b"rbts\x04\x01\xFF\xFE".to_vec();
    image.extend(numbers(&[len as u32, 0, 0, 0, end as u32]));
    image.extend(numbers(&[sitemaps.len() as u32, 0, 0]));
    image.extend(numbers(&[if list.is_empty() { 0 } else { at as u32 }]));
    image.extend(nodes);
    image.resize(at, 0);
    image.extend(list);
    image.resize(end, 0);
    image.extend(numbers(sitemaps));
    image.resize(len, 0);
    seal(&mut image);
    image
}

/// An index with keys of one byte: `bits`, marks, the starts of the buckets, numbers of rules.
fn keys(bits: u32, starts: &[u32], rules: &[u32]) -> Vec<u8> {
    let marks = vec![0xFF; 1 << (bits + 2)];
    let keys = [&[bits as u8][..], &marks, &numbers(starts), &numbers(rules)];
    [&keys.concat()[..], &NO_KEYS[1..]].concat()
}

fn with_list(list: List) -> Vec<u8> {
    image(&node(0, &[], 0), Some(&list), [0; 2], &[])
}

fn with_keys(bits: u32, starts: &[u32], rules: &[u32]) -> Vec<u8> {
    with_list(list(MANY, Some(&keys(bits, starts, rules))))
}

/// A root with one child, `gap` bytes after it.
fn with_child(gap: usize) -> Vec<u8> {
    let child = HEADER + 7 + gap;
    let root = node(1, &[child as u32], 0);
    let nodes = [root, vec![0; gap], node(0, &[], 1)].concat();
    image(&nodes, None, [0; 2], &[])
}

#[test]
fn a_sound_image_made_by_hand_is_accepted() {
    for (name, image) in [
        ("node", image(&node(0, &[], 64), None, [0; 2], &[0, 0])),
        ("child", with_child(0)),
        ("list", with_list(list(MANY - 1, None))),
        ("index without keys", with_list(list(MANY, Some(&NO_KEYS)))),
        ("index", with_keys(1, &[0, 1, 2], &[0, 64])),
        ("13 bits", with_keys(13, &[0; (1 << 13) + 1], &[])),
    ] {
        assert_eq!(Rules::from_image(&image).err(), None, "{name}");
    }
}

#[test]
fn each_check_of_an_image_has_a_forged_one() {
    let node = |rules| node(0, &[], rules);
    let of_list = |change: fn(&mut List), count, index: Option<&[u8]>| {
        let mut list = list(count, index);
        change(&mut list);
        with_list(list)
    };
    let mut no_padding = image(&node(1), None, [0; 2], &[]);
    no_padding.truncate(no_padding.len() - 1);
    let len = no_padding.len() as u32;
    no_padding[8..12].copy_from_slice(&len.to_le_bytes());
    seal(&mut no_padding);
    let with_flags = |flags, rules| {
        let mut image = image(&node(rules), None, [0; 2], &[]);
        image[5] = flags;
        seal(&mut image);
        image
    };
    assert_eq!(Rules::from_image(&with_flags(1 | 4 | 32, 0)).err(), None);
    let damaged = |list: &mut List| list.rules[0] = vec![0, 0, 1, 1, b'x', 0];
    let high_fan = [255, 0, 0];
    #[rustfmt::skip]
    let rows = [
        ("end of a sitemap", image(&node(1), None, [0; 2], &[99])),
        ("padding", no_padding),
        ("site-wide with a rule", with_flags(1 | 32, 1)),
        ("two default verdicts", with_flags(2 | 4 | 32, 0)),
        ("bytes before the list", image(&node(1), Some(&list(1, None)), [1, 0], &[])),
        ("bytes after the list", image(&node(1), Some(&list(1, None)), [0, 1], &[])),
        ("bytes after the nodes", image(&node(1), None, [0, 1], &[])),
        ("bytes before a child", with_child(1)),
        ("fan", image(&high_fan, None, [0; 2], &[])),
        ("65 rules of a node", image(&node(65), None, [0; 2], &[])),
        ("an empty list", with_list(list(0, None))),
        ("index of a short list", with_list(list(1, Some(&NO_KEYS)))),
        ("no index of a long list", with_list(list(MANY, None))),
        ("longest rule", of_list(|list| list.longest = 1, 1, None)),
        ("bytes before a rule", of_list(|list| list.gap = 1, 1, None)),
        ("a rule twice", of_list(|list| list.same = true, 2, None)),
        ("a piece", of_list(damaged, 1, None)),
        ("place of the index", of_list(|list| list.index_at = 1, MANY, Some(&NO_KEYS))),
        ("14 bits", with_keys(14, &[0; (1 << 14) + 1], &[])),
        ("falling starts", with_keys(1, &[0, 2, 1], &[0])),
        ("number of a rule", with_keys(1, &[0, 1, 2], &[0, 65])),
        ("one rule, two keys", with_keys(1, &[0, 1, 2], &[0, 0])),
    ];
    for (name, image) in rows {
        assert_eq!(
            Rules::from_image(&image).err(),
            Some(Error::Image),
            "{name}"
        );
    }
}

/// A record as `src/site/fetch/record.rs` and `facts.rs` describe it.
#[derive(Clone)]
struct Record {
    magic: Vec<u8>,
    version: u8,
    count: u8,
    /// How much the length is wrong.
    len_error: u64,
    crawlers: u64,
    slot: u64,
    key: Vec<u8>,
    /// Flags, kind, cause, hops, and the two bytes of the status.
    head: Vec<u8>,
    /// Fetched at, attempted at, fresh until, usable until, retry at, unreachable since.
    times: Vec<u64>,
    /// Last URL, `ETag`, `Last-Modified`.
    texts: Vec<Vec<u8>>,
    after_facts: Vec<u8>,
    images: Vec<Vec<u8>>,
    after: Vec<u8>,
}

/// A change of a record.
type Forge = fn(&mut Record);

/// Appends seven bits in a byte, the lowest first.
fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> u64 {
    let len = 1 + bytes.iter().position(|byte| *byte < 128).unwrap();
    let (number, rest) = bytes.split_at(len);
    *bytes = rest;
    let parts = number.iter().enumerate();
    parts.fold(0, |sum, (at, byte)| sum | u64::from(byte & 127) << (7 * at))
}

impl Record {
    fn new(outcome: &Outcome) -> Record {
        let record = outcome.encode().unwrap();
        let number = |at: usize, len: usize| {
            let bytes = record[at..at + len].iter().rev();
            bytes.fold(0, |sum, byte| sum << 8 | u64::from(*byte))
        };
        let (key_len, facts_len) = (number(6, 2) as usize, number(8, 4) as usize);
        let (key, rest) = record[40..].split_at(key_len);
        let (facts, mut rest) = rest.split_at(facts_len);
        let (head, mut facts) = facts.split_at(6);
        let fetched_at = take_number(&mut facts);
        let mut times = vec![fetched_at];
        times.extend((0..5).map(|_| {
            let after = take_number(&mut facts);
            fetched_at.wrapping_add(after >> 1 ^ (after & 1).wrapping_neg())
        }));
        assert!(facts.is_empty(), "a text");
        let mut images = Vec::new();
        while let [_, ..] = rest {
            let len = u64::from_le_bytes(rest[..8].try_into().unwrap()) as usize;
            images.push(rest[8..8 + len].to_vec());
            rest = &rest[8 + len..];
        }
        Record {
            magic: record[..4].to_vec(),
            version: record[4],
            count: record[5],
            len_error: 0,
            crawlers: number(24, 8),
            slot: number(32, 8),
            key: key.to_vec(),
            head: head.to_vec(),
            times,
            texts: vec![Vec::new(); 3],
            after_facts: Vec::new(),
            images,
            after: Vec::new(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut facts = self.head.clone();
        push_number(&mut facts, self.times[0]);
        for time in &self.times[1..] {
            let after = time.wrapping_sub(self.times[0]) as i64;
            push_number(&mut facts, (after << 1 ^ after >> 63) as u64);
        }
        if self.texts.iter().any(|text| !text.is_empty()) {
            for text in &self.texts {
                push_number(&mut facts, text.len() as u64);
                facts.extend(text);
            }
        }
        facts.extend(&self.after_facts);
        let mut record = self.magic.clone();
        record.extend([self.version, self.count]);
        record.extend((self.key.len() as u16).to_le_bytes());
        record.extend((facts.len() as u32).to_le_bytes());
        record.extend([0; 12]);
        record.extend(self.crawlers.to_le_bytes());
        record.extend(self.slot.to_le_bytes());
        record.extend([&self.key[..], &facts].concat());
        for image in &self.images {
            record.extend((image.len() as u64).to_le_bytes());
            record.extend(image);
        }
        record.extend(&self.after);
        let len = record.len() as u64 + self.len_error;
        record[16..24].copy_from_slice(&len.to_le_bytes());
        seal(&mut record);
        record
    }
}

fn crawler() -> Crawler {
    Crawler::new("ExampleBot").unwrap()
}

fn found() -> Record {
    let body = b"User-agent: *\nDisallow: /private\n";
    let outcome = Outcome::from_status(&[crawler()], "https://example.com/", 200, body, NOW);
    Record::new(&outcome.unwrap())
}

#[test]
fn each_check_of_a_record_has_a_forged_one() {
    let read = |record: &Record| Outcome::decode(&record.bytes(), &[crawler()]).err();
    let mut sound = found();
    // Validators of the highest length, and the last time there is.
    sound.head[0] |= 8 | 16;
    sound.texts[1] = vec![b'"'; 512];
    sound.texts[2] = b"Mon, 01 Jan 2024 00:00:00 GMT".to_vec();
    sound.texts[0] = [b"https://example.com/".to_vec(), vec![b'a'; 8_172]].concat();
    sound.times[0] = 253_402_300_799;
    // The longest lifetime of an option, and a day of grace.
    sound.times[2..5].fill(253_402_300_799 + 315_360_000 + 86_400);
    assert_eq!(read(&sound), None);
    let image = Some(Error::Image);
    #[rustfmt::skip]
    let forged: &[(&str, Forge, Option<Error>)] = &[
        ("magic", |it| it.magic[0] = b'R', image),
        ("version", |it| it.version = 2, Some(Error::ImageFormat)),
        ("length", |it| it.len_error = 1, image),
        ("flag", |it| it.head[0] |= 32, image),
        ("kind", |it| it.head[1] = 99, image),
        ("cause", |it| it.head[2] = 99, image),
        ("crawlers", |it| it.crawlers ^= 1, Some(Error::ImageFormat)),
        ("fetched at", |it| it.times[0] += 1, Some(Error::Argument)),
        ("attempted at", |it| it.times[1] = u64::MAX, Some(Error::Argument)),
        ("fresh until", |it| it.times[2] += 1, image),
        ("usable until", |it| it.times[3] = u64::MAX, image),
        ("retry at", |it| it.times[4] += 1, image),
        ("unreachable since", |it| it.times[5] = u64::MAX, Some(Error::Argument)),
        ("no origin", |it| it.key = b"example.com".to_vec(), image),
        ("no key of an origin", |it| it.key = b"https://EXAMPLE.com".to_vec(), image),
        ("URL as text", |it| it.texts[0] = vec![0xFF], image),
        ("length of the URL", |it| it.texts[0].push(b'a'), image),
        ("ETag without its flag", |it| it.head[0] ^= 8, image),
        ("flag without an ETag", |it| it.texts[1].clear(), image),
        ("length of an ETag", |it| it.texts[1].push(b'"'), image),
        ("a header in an ETag", |it| it.texts[1] = b"\"\r\nX: y\"".to_vec(), image),
        ("Last-Modified without its flag", |it| it.head[0] ^= 16, image),
        ("bytes after the facts", |it| it.after_facts = vec![0], image),
        ("a text that is cut", |it| (it.texts.clear(), it.after_facts = vec![9]).0, image),
        ("a number without end", |it| (it.texts.clear(), it.after_facts = vec![0x80; 11]).0, image),
        ("no image", |it| it.count = u8::from(it.images.pop().is_none()), image),
        ("an image too many", |it| (it.count, ()) = (2, it.images.push(it.images[0].clone())), image),
        ("an image too many beside a copy that does not decide", |it| (it.head[1], it.count, ()) = (4, 2, it.images.push(it.images[0].clone())), image),
        ("an image", |it| it.images[0][20] ^= 1, image),
        ("bytes after the end", |it| it.after = vec![0; 8], image),
    ];
    for (name, forge, expected) in forged {
        let mut record = sound.clone();
        forge(&mut record);
        assert_eq!(read(&record), *expected, "{name}");
    }
    let mut damaged = sound.bytes();
    damaged[12] ^= 1;
    assert_eq!(
        Outcome::decode(&damaged, &[crawler()]).err(),
        image,
        "checksum"
    );

    // A slot is a time that a cache writes.
    let cache = Cache::new(&[crawler()], 1_000_000).unwrap();
    for (slot, expected) in [((NOW * 1_000) << 16, Ok(())), (u64::MAX, Err(Error::Image))] {
        let mut record = found();
        record.slot = slot;
        assert_eq!(cache.import(record.bytes()), expected, "{slot}");
    }
}

/// A record that is read in place is a URL's verdict only within its origin, its times and its crawlers.
#[test]
fn each_check_of_a_record_in_place_has_a_case() {
    const PUBLIC: &str = "https://example.com/public";
    let check = |change: Forge, crawler, url: &str, now| {
        let mut record = found();
        change(&mut record);
        let verdict = Outcome::check_record(&record.bytes(), crawler, url, now);
        assert!(!verdict.allowed() || verdict.error().is_none());
        (verdict.allowed(), verdict.reason(), verdict.error())
    };
    let error = |error| (false, Reason::None, Some(error));
    let defer = (false, Reason::Defer, None);
    let same = |_: &mut Record| ();
    let allowed = (true, Reason::NoRule, None);
    assert_eq!(check(same, 0, PUBLIC, NOW), allowed);
    assert_eq!(check(same, 0, "/public", NOW), allowed);
    assert!(!check(same, 0, "/private", NOW).0);
    assert_eq!(
        check(same, 0, "https://example.org/", NOW),
        error(Error::Url)
    );
    assert_eq!(check(same, 1, PUBLIC, NOW), error(Error::Argument));
    assert_eq!(check(same, 0, PUBLIC, u64::MAX), error(Error::Argument));
    assert_eq!(check(same, 0, PUBLIC, NOW - 1), defer);
    assert_eq!(check(|it| it.times[1] += 1, 0, PUBLIC, NOW), defer);
    assert_eq!(check(|it| it.times[3] = NOW, 0, PUBLIC, NOW), defer);
    assert_eq!(check(|it| it.head[1] = 3, 0, PUBLIC, NOW), defer);
    assert_eq!(
        check(|it| it.count = 0, 0, PUBLIC, NOW),
        error(Error::Argument)
    );
    assert_eq!(
        check(|it| it.version = 9, 0, PUBLIC, NOW),
        error(Error::ImageFormat)
    );
}
