//! Images from strangers: compiled ones, damaged ones, forged ones with a checksum that is right, and bytes that
//! never were one. None crashes, and what is accepted answers.

use super::input::{Bytes, question};
use crate::invariants::image::{check, is_refused_or_answers, seal};
use crate::invariants::work;
use crate::support::bridge;
use robots::Rules;

const RAW: u8 = 1;
const SEALED: u8 = 2;
const CUT: u8 = 4;

pub fn run(data: &[u8]) {
    let (image, urls) = image(data);
    is_refused_or_answers(&image, &urls);
    for url in &urls {
        work::holds_for_image(&image, url).unwrap_or_else(|fault| panic!("{fault}"));
    }
    if let Ok(rules) = Rules::from_image(&image) {
        assert_eq!(rules.image(), image);
    }
}

/// The image that an input stands for, and URLs. A byte says how it is made, then: of what is raw, all bytes;
/// else places to change (how many, then for each two bytes for where and two for how) and the input of `check`.
pub fn image(data: &[u8]) -> (Vec<u8>, Vec<Vec<u8>>) {
    let mut bytes = Bytes(data);
    let how = bytes.next();
    let (mut image, urls);
    if how & RAW != 0 {
        image = bytes.0.to_vec();
        urls = urls_of(&image);
    } else {
        let changes: Vec<[u8; 4]> = (0..bytes.next() & 7)
            .map(|_| [(); 4].map(|()| bytes.next()))
            .collect();
        let question = question(bytes.0);
        let rules = bridge::crawler(&question.setup).parse(&question.body);
        image = rules.image().to_vec();
        urls = question.urls;
        if changes.is_empty() {
            for url in &urls {
                assert_eq!(check(&image, url), rules.check(url).bits());
            }
        }
        for [high, low, kind, byte] in changes {
            let at = usize::from(u16::from_be_bytes([high, low])) % image.len();
            match kind % 6 {
                0 => image[at] = byte,
                1 => image[at] ^= byte,
                2 => image[at] = image[at].wrapping_add(byte),
                3 => image[at] = image[usize::from(byte) % image.len()],
                4 if how & CUT != 0 => image.truncate(at.max(16)),
                _ => drop(image.splice(at..at, [byte; 4])),
            }
        }
    }
    if how & SEALED != 0 && image.len() >= 16 {
        let len = u32::try_from(image.len()).unwrap();
        image[8..12].copy_from_slice(&len.to_le_bytes());
        seal(&mut image);
    }
    (image, urls)
}

/// The text of an image, as URLs.
fn urls_of(image: &[u8]) -> Vec<Vec<u8>> {
    let mut urls = vec![
        b"/".to_vec(),
        b"/robots.txt".to_vec(),
        b"https://example.com/a%2Fb?c".to_vec(),
        b"x".to_vec(),
    ];
    let starts = (16..image.len()).filter(|at| image[*at] == b'/');
    for start in starts.take(6) {
        let text = &image[start..image.len().min(start + 60)];
        let end = text.iter().position(|byte| !byte.is_ascii_graphic());
        urls.push(text[..end.unwrap_or(text.len())].to_vec());
        urls.push([b"/", &image[16..start]].concat());
    }
    urls
}
