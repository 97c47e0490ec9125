//! SPEC 2.17: gzip, which the fetch itself undoes. The vectors are by Python's `zlib`.

use super::server::*;
use robots::{Cause, Fetch, Outcome, Step};

/// What Python's `gzip` makes of [`BODY`].
const PLAIN: &str = "\
    1f8b08000000000002ff0b2d4e2dd24d4c4fcd2bb152d0e272c92c4eccc9c92fb752d02f28ca2c4b2c49d5e7020061298f7722000000";
/// Of [`BODY`], with every field that a header may have.
const ALL_FIELDS: &str = "\
    1f8b081f0000000002ff08004170040061626364726f626f74732e747874006120636f6d6d656e740098230b2d4e2dd24d4c4fcd2bb152\
    d0e272c92c4eccc9c92fb752d02f28ca2c4b2c49d5e7020061298f7722000000";
/// Of [`long_file`]: its codes are the stream's own (dynamic Huffman).
const LONG: &str = "\
    1f8b08000000000002ff75d53b6ac3501085e13eab701d08d23cef1dd7de8217a042048349826deced07f7f3b7a7101c7d3aa3f37dbf7d\
    6ddffbcfe378f8fc385deedbf5fafb3a1e96bfdbe5b93df6655dbab4bccfe7b43ed76cf391d5e7a26d9e116d1e35fbdca5cd7d7a9feb68\
    731b7d5f93beaf46df57aaef2bdef79d7d5deddb56422e024fefdfc2a8fe2d0c504f504f500f500f507750375037505750575017501750\
    07f42ac8ad6044f03168c088268c4860440e231a30a215466430a2beaf01bb01bb02bb00bb003ba90f1811e402272f0c4604270fd413d4\
    13d403d403d41dd40dd40dd415d415d405d405d401bd0a729b3022f818146e1eb00f604f600f600f6077607760376037605760176017fa\
    b3833a9cb6847c8593170a23829307ea09ea09ea01ea01ea0eea06eaf656ff07b79a20fe64090000";
/// Of [`BODY`], in a block that is not compressed.
const STORED: &str = "\
    1f8b08000000000002ff012200ddff557365722d6167656e743a202a0a446973616c6c6f773a202f707269766174652f0a61298f772200\
    0000";
/// Of no byte.
const EMPTY: &str = "\
    1f8b08000000000002ff03000000000000000000";
/// Of a million `#`.
const BOMB: &str = "\
    1f8b08000000000002ffedc18100000000c32098f93b1ee455010000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
    00000000af061f50714840420f00";

fn long_file() -> Vec<u8> {
    let rules = (0..100).map(|n| format!("Disallow: /private/{}/\n", n * 7919 % 997));
    let lines = std::iter::once("User-agent: *\n".to_owned()).chain(rules);
    lines.collect::<String>().into()
}

fn bytes(hex: &str) -> Vec<u8> {
    let pairs = hex.as_bytes().chunks(2);
    let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    pairs.map(byte).collect()
}

const GZIP: (&str, &str) = ("Content-Encoding", "gzip");

/// The cause of a response with this body, and the file.
fn fetched(headers: &[(&str, &str)], body: &[u8]) -> (Cause, Option<Vec<u8>>) {
    let mut fetch = Fetch::new(&[standard()], URL, NOW).unwrap();
    let outcome = run(&mut fetch, &[Respond(200, headers.to_vec(), body)], NOW);
    (outcome.cause, fetch.file().map(<[u8]>::to_vec))
}

fn whole(body: &[u8], file: &[u8]) {
    let len = body.len().to_string();
    let values = ["gzip", "x-gzip", "GZip , identity,"];
    for value in values {
        let headers = [("Content-Encoding", value), ("Content-Length", &len)];
        assert_eq!(fetched(&headers, body), (Cause::Found, Some(file.to_vec())));
    }
    // The length counts for the body as it came.
    let longer = (body.len() + 1).to_string();
    let headers = [GZIP, ("Content-Length", &longer)];
    assert_eq!(fetched(&headers, body), (Cause::ShortBody, None));
}

#[test]
pub(crate) fn spec_2_17_gzip() {
    whole(&bytes(PLAIN), BODY.as_bytes());
    whole(&bytes(ALL_FIELDS), BODY.as_bytes());
    whole(&bytes(STORED), BODY.as_bytes());
    whole(&bytes(LONG), &long_file());
    whole(&bytes(EMPTY), b"");
    let members = [EMPTY, PLAIN, LONG, EMPTY, ALL_FIELDS, EMPTY].map(bytes);
    let file = [BODY.as_bytes(), &long_file(), BODY.as_bytes()].concat();
    whole(&members.concat(), &file);
    row(
        &[Respond(200, vec![GZIP], &bytes(PLAIN))],
        Cause::Found,
        [RULES; 3],
    );
    let ahead = Outcome::from_status(&[standard()], URL, 200, bytes(PLAIN), NOW).unwrap();
    assert_eq!(ahead.cause, Cause::EncodedBody, "no header states it");
}

/// A part of a body is never a file, whatever the client took for its end.
#[test]
fn spec_2_17_gzip_that_is_cut() {
    for body in [bytes(PLAIN), bytes(ALL_FIELDS), bytes(LONG), bytes(STORED)] {
        for len in 2..body.len() {
            assert_eq!(
                fetched(&[GZIP], &body[..len]),
                (Cause::Truncated, None),
                "{len}"
            );
        }
        assert_eq!(fetched(&[GZIP], &body[..1]), (Cause::EncodedBody, None));
    }
    let first = bytes(PLAIN);
    let both = [&first[..], &bytes(LONG)].concat();
    for len in first.len() + 1..both.len() {
        assert_eq!(
            fetched(&[GZIP], &both[..len]),
            (Cause::Truncated, None),
            "{len}"
        );
    }
}

/// A damaged body is no file, or the same file: a header has a time and a name.
#[test]
fn spec_2_17_gzip_that_is_damaged() {
    for (hex, file) in [
        (PLAIN, BODY.as_bytes()),
        (ALL_FIELDS, BODY.as_bytes()),
        (STORED, BODY.as_bytes()),
        (LONG, &long_file()),
    ] {
        let body = bytes(hex);
        for place in 0..body.len() {
            for bit in 0..8 {
                let mut body = body.clone();
                body[place] ^= 1 << bit;
                match fetched(&[GZIP], &body) {
                    (Cause::Found, found) => assert_eq!(found.as_deref(), Some(file)),
                    (Cause::Truncated | Cause::EncodedBody, None) => {}
                    other => panic!("{place}.{bit}: {other:?}"),
                }
            }
        }
    }
    for rest in [
        &b"\0"[..],
        b"User-agent: *\nAllow: /\n",
        b"\x1F\x8A",
        b"\x1F\x8B\x09\0\0\0\0\0\0\0",
    ] {
        let body = [&bytes(PLAIN), rest].concat();
        assert_eq!(fetched(&[GZIP], &body), (Cause::EncodedBody, None));
    }
    // gzip within gzip.
    let inner = bytes(PLAIN);
    let mut outer = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1];
    outer.extend((inner.len() as u16).to_le_bytes());
    outer.extend((!(inner.len() as u16)).to_le_bytes());
    outer.extend(&inner);
    outer.extend(crc32(&inner).to_le_bytes());
    outer.extend((inner.len() as u32).to_le_bytes());
    assert_eq!(fetched(&[GZIP], &outer), (Cause::EncodedBody, None));
}

/// Long division of the body by the polynomial.
fn crc32(bytes: &[u8]) -> u32 {
    let mut rest = !0_u32;
    for bit in bytes
        .iter()
        .flat_map(|byte| (0..8).map(move |n| byte >> n & 1))
    {
        let carry = rest & 1 ^ u32::from(bit);
        rest >>= 1;
        rest ^= if carry == 1 { 0xEDB8_8320 } else { 0 };
    }
    !rest
}

/// The limit of SPEC 4.5 holds for the file, and bounds what is read of a body.
#[test]
fn spec_2_17_gzip_of_more_than_the_limit() {
    let bomb = bytes(BOMB);
    for count in [1, 100] {
        let (cause, file) = fetched(&[GZIP], &bomb.repeat(count));
        assert_eq!(cause, Cause::Found);
        assert_eq!(file.unwrap(), b"#".repeat(512_001));
    }
    // Cut after the limit, the file is as long as it need be.
    let cut = &bomb[..bomb.len() - 8];
    assert_eq!(fetched(&[GZIP], cut).0, Cause::Found);
    // A client that undid the coding.
    let long = b"#".repeat(700_000);
    assert_eq!(
        fetched(&[GZIP], &long),
        (Cause::Found, Some(b"#".repeat(512_001)))
    );
    // Members without a text would never end.
    let mut fetch = Fetch::new(&[standard()], URL, NOW).unwrap();
    fetch.status(200, NOW).unwrap();
    fetch.header(GZIP.0, GZIP.1).unwrap();
    fetch.headers_end().unwrap();
    let empty = bytes(EMPTY).repeat(100);
    let read = (1..).find(|_| fetch.body(&empty).unwrap() == Step::Done);
    assert!(read.unwrap() * empty.len() < 650_000);
    assert_ne!(fetch.outcome().unwrap().cause, Cause::Found);
}
