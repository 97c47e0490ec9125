//! What the drivers are asked and what they answer, over their standard input and output.
//!
//! Numbers are little-endian. A `text` is a `u32` and so many bytes; a `list` is a `u32` and so many elements.
//!
//! A driver reads questions until its input ends, and answers each before it reads the next:
//!
//! ```text
//! question   options of reading: list of (name text: that of `tests/data/api.json`, value u64),
//!            tokens: list of text (`*` alone: a crawler without a token), file: text, URLs: list of text
//! answer     status u32: of making the crawler; if it is not 0, that is all
//!            crawl-delay u64: the bits of its f64, `NONE` for none; Go: nanoseconds
//!            sitemaps: list of text, image: text
//!            ways: list of (name text, kind u32, for each URL a u64)
//! ```
//!
//! A way is one manner of asking for all URLs. Its kind says what the numbers are (`Kind`); a URL that cannot be asked
//! about in that way has `NONE`.

use crate::case::Case;
use std::io::{Error, ErrorKind, Read, Result};

/// No crawl-delay; not asked.
pub const NONE: u64 = u64::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The whole verdict.
    Word = 0,
    /// 0 disallowed, 1 allowed, 2 no URL.
    Answer = 1,
    /// 1 allowed, 0 not.
    Allowed = 2,
}

pub struct Way {
    pub name: String,
    pub kind: Kind,
    pub numbers: Vec<u64>,
}

pub struct Said {
    pub status: u32,
    pub delay: u64,
    pub sitemaps: Vec<Vec<u8>>,
    pub image: Vec<u8>,
    pub ways: Vec<Way>,
}

pub fn question(case: &Case) -> Vec<u8> {
    let setup = &case.setup;
    let mut bytes = Vec::new();
    let dialect = ("dialect", setup.dialect as u64);
    let options = setup.options();
    number(&mut bytes, 1 + options.len());
    for (name, value) in [dialect].into_iter().chain(options) {
        text(&mut bytes, name.as_bytes());
        bytes.extend(value.to_le_bytes());
    }
    texts(&mut bytes, &setup.tokens);
    text(&mut bytes, &case.body);
    texts(&mut bytes, &case.urls);
    bytes
}

fn number(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend(u32::try_from(number).unwrap().to_le_bytes());
}

fn text(bytes: &mut Vec<u8>, text: &[u8]) {
    number(bytes, text.len());
    bytes.extend(text);
}

fn texts(bytes: &mut Vec<u8>, all: &[Vec<u8>]) {
    number(bytes, all.len());
    for one in all {
        text(bytes, one);
    }
}

/// Reads the answer to a question with so many URLs.
pub fn said(from: &mut impl Read, urls: usize) -> Result<Said> {
    let mut said = Said {
        status: read_u32(from)?,
        delay: NONE,
        sitemaps: Vec::new(),
        image: Vec::new(),
        ways: Vec::new(),
    };
    if said.status != 0 {
        return Ok(said);
    }
    said.delay = read_u64(from)?;
    for _ in 0..read_u32(from)? {
        said.sitemaps.push(read_text(from)?);
    }
    said.image = read_text(from)?;
    for _ in 0..read_u32(from)? {
        let name = String::from_utf8_lossy(&read_text(from)?).into_owned();
        let kind = match read_u32(from)? {
            0 => Kind::Word,
            1 => Kind::Answer,
            2 => Kind::Allowed,
            other => return Err(Error::other(format!("{name}: kind {other}"))),
        };
        let numbers = (0..urls).map(|_| read_u64(from)).collect::<Result<_>>()?;
        said.ways.push(Way {
            name,
            kind,
            numbers,
        });
    }
    Ok(said)
}

fn read_u32(from: &mut impl Read) -> Result<u32> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn read_u64(from: &mut impl Read) -> Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn read_text(from: &mut impl Read) -> Result<Vec<u8>> {
    let len = u64::from(read_u32(from)?);
    let mut bytes = Vec::new();
    // Not a list of that length at once: a driver gone wrong may say anything.
    from.take(len).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == len {
        Ok(bytes)
    } else {
        Err(ErrorKind::UnexpectedEof.into())
    }
}
