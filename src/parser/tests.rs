//! Compares the reader of lines, directives and groups with a naive one.

use crate::crawler::Crawler;
use crate::dialect::Dialect;
use crate::parser::directive::{self, Directive, Field};
use crate::parser::group::{RawRule, RuleText, Selection, seconds};
use crate::parser::line::Lines;
use crate::parser::reader::{ObeyedGroups, Reader, Standing};
use crate::rule::without_end;
use crate::url::canonical::{Form, Side};

/// Returns the text of each line (SPEC 4 and 5.1) and whether it has a comment.
fn plain_lines(body: &[u8], max_bytes: usize, dialect: Dialect) -> Vec<(Vec<u8>, bool)> {
    let is_cut = body.len() > max_bytes && !matches!(body[max_bytes], b'\r' | b'\n');
    let mut text = &body[..body.len().min(max_bytes)];
    for mark in [0xEF, 0xBB, 0xBF] {
        match text {
            [first, rest @ ..] if *first == mark => text = rest,
            _ => break,
        }
    }
    let mut lines = Vec::new();
    let (mut line, mut is_commented) = (Vec::new(), false);
    let mut at = 0;
    let mut begun = false;
    while at < text.len() {
        begun = true;
        match text[at] {
            b'\r' | b'\n' => {
                lines.push((std::mem::take(&mut line), is_commented));
                (is_commented, begun) = (false, false);
                if text[at] == b'\r' && text.get(at + 1) == Some(&b'\n') {
                    at += 1;
                }
            }
            b'#' => is_commented = true,
            byte if !is_commented => line.push(byte),
            _ => {}
        }
        at += 1;
    }
    if begun && (!is_cut || dialect == Dialect::Google) {
        lines.push((line, is_commented));
    }
    if dialect == Dialect::Google {
        for (line, _) in &mut lines {
            line.truncate(crate::limits::GOOGLE_LINE);
            line.truncate(
                line.iter()
                    .position(|byte| *byte == 0)
                    .unwrap_or(line.len()),
            );
        }
    }
    lines
}

/// The generator of Knuth's MMIX.
struct Lehmer(u64);

impl Lehmer {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

const PIECES: &[&[u8]] = &[
    b"\n",
    b"\n",
    b"\n",
    b"\r",
    b"\r\n",
    b"\r\n",
    b"\n\r",
    b"\r\r\n",
    b"#",
    b"##",
    b" # ",
    b"\0",
    b" ",
    b"\t",
    b"\x0B",
    b"        ",
    b"\xEF\xBB\xBF",
    b"\xEF",
    b"User-agent: Bot",
    b"User-agent: *",
    b"user-agent:other",
    b"USER AGENT Bot",
    b"Disallow: /",
    b"Disallow: /a*b$",
    b"DISALLOW: /%41",
    b"disallow:/x",
    b"Disallow:",
    b"Disallow : /y",
    b"Disallow: ",
    b"Allow: /",
    b"allow: *",
    b"Allow:/z$",
    b"Allow",
    b"llow: /",
    b"allow\x1A /",
    b"allow:\0/",
    b"allow: \x0F",
    b"Disallow\x1A /",
    b"Dis#allow: /",
    b"Disallow:\t/",
    b"Disallow:  /",
    b"disalow: /~!",
    b"Sitemap: http://a/b",
    b"site-map:x",
    b"Crawl-delay: 2",
    b"\xE3\x83\x84",
    b"/index.html",
    b"*",
    b"$",
    b"<p class=x>",
    b"Disallow: /\r",
];

/// A file of pieces that matter, with runs of letters that put what follows about the end of a block.
fn hostile_body(random: &mut Lehmer) -> Vec<u8> {
    let mut body = [&b""[..], b"User-agent: Bot\n"][random.below(2)].to_vec();
    for _ in 0..random.below(40) {
        match random.below(6) {
            0 => {
                let block = 64 * (1 + body.len() / 64);
                let end = (block + random.below(4)).saturating_sub(2);
                body.resize(end.max(body.len()), b'a');
            }
            1 => body.resize(body.len() + random.below(140), b"a#*~ \n"[random.below(6)]),
            _ => body.extend_from_slice(PIECES[random.below(PIECES.len())]),
        }
        if random.below(3) > 0 {
            body.extend_from_slice([&b"\n"[..], b"\r\n", b"\r"][random.below(3)]);
        }
    }
    body
}

#[test]
fn lines_are_those_of_a_reader_by_bytes() {
    let mut random = Lehmer(1);
    for turn in 0..15_000 {
        let body = hostile_body(&mut random);
        let max_bytes = match turn % 3 {
            0 => body.len(),
            1 => random.below(body.len() + 1),
            _ => usize::MAX,
        };
        for dialect in Dialect::ALL {
            let mut lines = Lines::new(&body, max_bytes, dialect);
            let mut seen = Vec::new();
            while let Some(line) = lines.next() {
                assert!(line.rest.starts_with(line.text));
                seen.push((line.text.to_vec(), line.is_commented));
                assert_eq!(lines.number() as usize, seen.len());
            }
            assert!(lines.next().is_none());
            let plainly = plain_lines(&body, max_bytes, dialect);
            assert_eq!(
                seen,
                plainly,
                "{dialect:?} {max_bytes} {}",
                body.escape_ascii()
            );
        }
    }
}

#[test]
fn lines_about_the_size_limit_and_of_any_length_are_read() {
    for (end, len) in [
        ("\n", 0),
        ("\r", 0),
        ("\r\n", 0),
        ("\r\n", 1),
        ("#\n", 1),
        ("#", 2),
    ]
    .into_iter()
    .flat_map(|(end, more)| (0..200).map(move |len| (end, len + more)))
    {
        let line = format!("{}{end}", "x".repeat(len));
        let body = line.repeat(1 + 700 / line.len());
        // The limit is wherever in a line, and in whichever block.
        for max_bytes in (500 + len % 3..640).step_by(3) {
            for dialect in Dialect::ALL {
                let seen: Vec<_> = Lines::new(body.as_bytes(), max_bytes, dialect)
                    .map(|line| (line.text.to_vec(), line.is_commented))
                    .collect();
                assert_eq!(seen, plain_lines(body.as_bytes(), max_bytes, dialect));
            }
        }
    }
    // The default limit, within a line that the next block continues.
    for cut in 511_990..512_010 {
        let mut body = vec![b'\n'; cut];
        body.extend_from_slice(b"Disallow: /a\nDisallow: /b\n");
        for dialect in Dialect::ALL {
            let plainly = plain_lines(&body, 512_000, dialect);
            let lines = Lines::new(&body, 512_000, dialect);
            assert!(
                lines
                    .map(|line| (line.text.to_vec(), line.is_commented))
                    .eq(plainly)
            );
        }
    }
}

/// The field and the value of a line (SPEC 5), found without short cuts.
fn plain_directive(line: &[u8], dialect: Dialect) -> Option<(Field, Vec<u8>)> {
    let is_space = |byte: &u8| dialect.is_space(*byte);
    let trim = |text: &[u8]| {
        let start = text
            .iter()
            .position(|byte| !is_space(byte))
            .unwrap_or(text.len());
        let end = text
            .iter()
            .rposition(|byte| !is_space(byte))
            .map_or(start, |last| last + 1);
        text[start..end].to_vec()
    };
    let (name, value) = match line.iter().position(|byte| *byte == b':') {
        Some(colon) => (trim(&line[..colon]), trim(&line[colon + 1..])),
        None => {
            let line = trim(line);
            let mut words = line
                .split(|byte| matches!(byte, b' ' | b'\t'))
                .filter(|word| !word.is_empty());
            match (words.next(), words.next(), words.next()) {
                (Some(name), Some(value), None) => (trim(name), trim(value)),
                _ => return None,
            }
        }
    };
    let name = name.to_ascii_lowercase();
    let fields: [(Field, &[&str]); 5] = [
        (Field::UserAgent, &["user-agent", "useragent", "user agent"]),
        (Field::Allow, &["allow"]),
        (
            Field::Disallow,
            &[
                "disallow",
                "dissallow",
                "dissalow",
                "disalow",
                "diasllow",
                "disallaw",
            ],
        ),
        (Field::Sitemap, &["sitemap", "site-map"]),
        (Field::CrawlDelay, &["crawl-delay"]),
    ];
    let is_named = |known: &&str| match dialect {
        Dialect::Google => name.starts_with(known.as_bytes()),
        _ => name == known.as_bytes(),
    };
    let field = fields
        .iter()
        .find(|(_, names)| names.iter().any(is_named))?;
    Some((field.0, value))
}

/// What a crawler obeys: of each rule line, allow and path; sitemaps; the crawl-delay; whether a group applies.
#[derive(Debug, Default, PartialEq)]
struct Obeyed {
    rules: Vec<(u32, bool, Vec<u8>)>,
    sitemaps: Vec<Vec<u8>>,
    delay: Option<f64>,
    has_group: bool,
}

/// SPEC 6 and 7 by the cold reader.
fn coldly_obeyed(crawler: &Crawler, body: &[u8]) -> Obeyed {
    let mut obeyed = Obeyed::default();
    let Ok(groups) = ObeyedGroups::new(crawler, body) else {
        panic!("no memory");
    };
    for line in Reader::new(crawler, body) {
        let Some(Directive { field, value }) = line.directive else {
            continue;
        };
        let is_mine = groups.standing(&line) == Standing::Obeyed;
        obeyed.has_group |= is_mine;
        match field {
            Field::Allow | Field::Disallow => {
                let can_match = match value.first() {
                    Some(b'/') => true,
                    Some(b'*') => crawler.reading.dialect != Dialect::Koster1996,
                    _ => false,
                };
                if is_mine && can_match {
                    let rule = (line.number, field == Field::Allow, value.to_vec());
                    obeyed.rules.push(rule);
                }
            }
            Field::Sitemap if !value.is_empty() => obeyed.sitemaps.push(value.to_vec()),
            Field::CrawlDelay if is_mine => {
                let longest = |a: f64, b: f64| a.max(b);
                let delays = [obeyed.delay, seconds(value)];
                obeyed.delay = delays.into_iter().flatten().reduce(longest);
            }
            _ => {}
        }
    }
    obeyed
}

/// The canonical path of a rule that is written as `path`.
fn canonical(path: &[u8], dialect: Dialect) -> Vec<u8> {
    let (path, is_anchored) = without_end(path, dialect);
    let mut canonical = Vec::new();
    let form = Form::new(dialect, Side::Rule);
    assert_eq!(form.append(path, &mut canonical), Ok(()));
    canonical.extend_from_slice(if is_anchored { b"$" } else { b"" });
    canonical
}

/// The canonical path of a rule, after a check that no more of the path than need be was copied.
fn path_of(raw: &RawRule, text: RuleText<'_>, dialect: Dialect) -> Vec<u8> {
    let path = text.path(raw);
    let star = path.bytes.iter().position(|byte| *byte == b'*');
    let star = star.filter(|_| dialect != Dialect::Koster1996);
    assert_eq!(path.prefix().len(), star.unwrap_or(path.bytes.len()));
    let is_common = |byte: &u8| byte.is_ascii_alphanumeric() || b"/*-_.?=&".contains(byte);
    let is_decoded = dialect != Dialect::Google;
    assert!(
        !text.is_in_arena(raw) || is_decoded || !path.bytes.iter().all(is_common),
        "{}",
        path.bytes.escape_ascii()
    );
    let end: &[u8] = if path.is_anchored { b"$" } else { b"" };
    [path.bytes, end].concat()
}

#[test]
fn groups_are_those_of_the_cold_reader() {
    let mut random = Lehmer(2);
    let (mut rules, mut sitemaps) = (0, 0);
    for turn in 0..15_000 {
        let body = hostile_body(&mut random);
        for dialect in Dialect::ALL {
            let mut crawler = Crawler::unchecked(&[b"Bot", b"other"], dialect);
            crawler.reading.crawl_delay_ends_agents = turn % 2 == 0;
            crawler.reading.ignore_star = turn % 5 == 0;
            crawler.reading.merge_tokens = turn % 7 == 0;
            if turn % 3 == 0 {
                crawler.reading.max_bytes = random.below(body.len() + 1);
            }
            let mut selection = Selection::new(&body);
            assert_eq!(selection.read(&crawler), Ok(()));
            let (raw_rules, text) = selection.rules();
            let of_raw = |raw: &RawRule| {
                (
                    raw.rule.line(),
                    raw.rule.allow(),
                    path_of(raw, text, dialect),
                )
            };
            let mut all: Vec<_> = raw_rules.iter().map(of_raw).collect();
            // SPEC 8.10: the directory of a rule follows it.
            all.dedup_by_key(|(line, ..)| *line);
            let seen = Obeyed {
                rules: all,
                sitemaps: selection.sitemaps.iter().map(|url| url.to_vec()).collect(),
                delay: selection.crawl_delay,
                has_group: selection.has_group,
            };
            (rules, sitemaps) = (rules + seen.rules.len(), sitemaps + seen.sitemaps.len());
            let mut coldly = coldly_obeyed(&crawler, &body);
            for (.., path) in &mut coldly.rules {
                *path = canonical(path, dialect);
            }
            let lines = Reader::new(&crawler, &body);
            let lines: Vec<_> = lines
                .map(|line| (line.text.to_vec(), line.is_commented))
                .collect();
            assert_eq!(
                lines,
                plain_lines(&body, crawler.reading.max_bytes, dialect)
            );
            assert_eq!(seen, coldly, "{dialect:?} {}", body.escape_ascii());
        }
    }
    assert!(
        rules > 20_000 && sitemaps > 5_000,
        "{rules} rules, {sitemaps} sitemaps"
    );
}

/// The short cut for common rules gives what the reader of all lines gives, and is taken for common lines.
#[test]
fn common_rules_are_read_like_all() {
    let mut random = Lehmer(3);
    let mut taken = 0;
    for _ in 0..200_000 {
        let mut body = PIECES[random.below(PIECES.len())].to_vec();
        for _ in 0..random.below(3) {
            let at = random.below(body.len());
            body[at] = [b' ', b'/', b':', 0, 0x1A, b'x', b'\t', 0x0F, b'a', 0x0C][random.below(10)];
        }
        body.extend_from_slice(b"/path  \n and more"[..random.below(18)].as_ref());
        for dialect in Dialect::ALL {
            for line in Lines::new(&body, usize::MAX, dialect) {
                let read = directive::read(line.text, dialect);
                let plainly = plain_directive(line.text, dialect);
                let read = read.map(|directive| (directive.field, directive.value.to_vec()));
                assert_eq!(read, plainly, "{dialect:?} {}", line.text.escape_ascii());
                if let Some((allow, path)) = directive::common_rule(&line) {
                    taken += 1;
                    let field = if allow { Field::Allow } else { Field::Disallow };
                    assert!(path.rest.starts_with(path.bytes));
                    assert_eq!(Some((field, path.bytes.to_vec())), plainly);
                }
            }
        }
    }
    assert!(taken > 5_000, "{taken}");
}
