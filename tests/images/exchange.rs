//! Images and records are portable: a machine with 32 bits or another byte order makes the same bytes of a file, and
//! decides the same with them.
//!
//! `ROBOTS_EXCHANGE` names a folder. If it is empty, this test writes its results there; otherwise it compares them. `tests/scripts/portability` does the one here and the other elsewhere.

use crate::support::files;
use crate::support::runner::runner;
use proptest::strategy::{Strategy, ValueTree};
use robots::{Crawler, Dialect, Outcome, Rules};
use std::path::{Path, PathBuf};

const FILES: usize = 300;
const NOW: u64 = 1_800_000_000;
const DIALECTS: [Dialect; 3] = [Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996];

fn crawler(number: usize) -> Crawler {
    let crawler = Crawler::new("ExampleBot").unwrap();
    crawler.with_dialect(DIALECTS[number % 3]).unwrap()
}

/// The results for a file: its image, the record of its retrieval, and verdicts on URLs from its rules.
fn made(number: usize, body: &[u8]) -> [Vec<u8>; 3] {
    let crawler = crawler(number);
    let outcome = Outcome::from_status(
        std::slice::from_ref(&crawler),
        "https://example.com/",
        200,
        body,
        NOW,
    );
    let image = crawler.parse(body).image().to_vec();
    let verdicts = verdicts(&image, body);
    [image, outcome.unwrap().encode().unwrap(), verdicts]
}

fn verdicts(image: &[u8], body: &[u8]) -> Vec<u8> {
    let rules = Rules::from_image(image).unwrap();
    files::rule_paths(body)
        .iter()
        .flat_map(|url| rules.check(url).bits().to_le_bytes())
        .collect()
}

fn place(folder: &Path, number: usize, of: &str) -> PathBuf {
    folder.join(format!("{number}.{of}"))
}

const PARTS: [&str; 3] = ["image", "record", "verdicts"];

fn write(folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    let mut runner = runner(FILES as u64);
    for number in 0..FILES {
        let file = files::file().new_tree(&mut runner).unwrap().current();
        let body = file.bytes(1 << 20);
        for (of, bytes) in PARTS.into_iter().zip(made(number, &body)) {
            std::fs::write(place(folder, number, of), bytes).unwrap();
        }
        std::fs::write(place(folder, number, "robots.txt"), body).unwrap();
    }
}

#[test]
fn machines_understand_each_other() {
    let folder = std::env::var_os("ROBOTS_EXCHANGE").map_or_else(
        || {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exchange");
            std::fs::remove_dir_all(&folder).ok();
            folder
        },
        PathBuf::from,
    );
    if !place(&folder, 0, "robots.txt").exists() {
        write(&folder);
    }
    let mut decided = 0;
    for number in 0..FILES {
        let theirs = |of| std::fs::read(place(&folder, number, of)).unwrap();
        let body = theirs("robots.txt");
        for (of, ours) in PARTS.into_iter().zip(made(number, &body)) {
            assert!(ours == theirs(of), "{of} of file {number} differs");
        }
        // The stored bytes can be used as they are.
        assert_eq!(verdicts(&theirs("image"), &body), theirs("verdicts"));
        let outcome = Outcome::decode(&theirs("record"), &[crawler(number)]).unwrap();
        assert_eq!(outcome.rules(0).unwrap().image(), theirs("image"));
        decided += theirs("verdicts").len() / 8;
    }
    assert!(decided > FILES, "{decided} verdicts are too few");
}
