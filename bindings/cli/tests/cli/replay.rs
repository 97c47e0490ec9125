//! `robots replay`: a receipt of every case of uses is decided as before; a changed byte and a forged signal are seen.

use std::fmt::Write as _;

use robots::{Origin, PageControls, Uses};
use sha2::{Digest as _, Sha256};

use crate::filter::Folder;
use crate::uses::{Case, PURPOSES, SITE, read};

const FETCHED_AT: u64 = 1_795_000_000;

/// Returns the receipts of a case; none if its URL is refused. Stores its files.
fn receipts(case: &Case, number: usize, folder: &Folder) -> Vec<String> {
    let crawler = case.crawler();
    let site = Origin::from_url(SITE).unwrap();
    let mut uses = Uses::new(&crawler, Some(&site), case.text("robots")).unwrap();
    if let Some(json) = case.tdm_file() {
        uses = uses.with_tdm_file(json).unwrap();
        folder.write(&format!("store/{number}/tdmrep.json"), json);
    }
    if let Some(body) = case.text("robots") {
        folder.write(&format!("store/{number}/robots.txt"), body);
    }
    let mut page = PageControls::new(&crawler);
    for [name, value] in case.pairs("headers") {
        page.add_header(name, value).unwrap();
    }
    for [name, content] in case.pairs("metas") {
        page.add_meta(name, content).unwrap();
    }
    let page = case.knows_page().then_some(&page);
    let url = case.text("url").unwrap();
    let url = match url.strip_prefix('/') {
        Some(path) => format!("{SITE}{path}"),
        None => url.to_owned(),
    };
    let made = PURPOSES.map(|(_, purpose)| uses.receipt(&url, purpose, page, FETCHED_AT));
    made.into_iter().filter_map(Result::ok).collect()
}

/// Returns a receipt with another text in place of the first one, and the digest that then fits.
fn forged(receipt: &str, text: &str, other: &str) -> Option<String> {
    let (said, _) = receipt.rsplit_once(",\"sha256\":")?;
    let (before, after) = said.split_once(text)?;
    let said = format!("{before}{other}{after}");
    let digest = Sha256::digest(&said);
    let digest = digest.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    });
    Some(format!("{said},\"sha256\":\"{digest}\"}}"))
}

/// Runs the command on lines. Returns its exit status and output.
fn replay(folder: &Folder, lines: &[String]) -> (i32, String) {
    folder.write("receipts.jsonl", lines.join("\n"));
    let (status, out, _) = folder.run("robots replay --files store receipts.jsonl");
    (status, out)
}

#[test]
fn receipts_are_decided_as_they_were() {
    let folder = Folder::new("replay");
    let cases = read();
    let cases = cases.iter().enumerate();
    let all: Vec<String> = cases
        .flat_map(|(number, case)| receipts(case, number, &folder))
        .collect();
    let (status, out) = replay(&folder, &all);
    assert!(all.len() > 900, "{}", all.len());
    let wanted = format!("{0} receipts: {0} the same, 0 not\n", all.len());
    assert_eq!((status, out), (0, wanted));

    // One byte of each, another one in each.
    let changed = all.iter().enumerate().map(|(number, receipt)| {
        let mut bytes = receipt.clone().into_bytes();
        let place = number * 7_919 % bytes.len();
        bytes[place] ^= 1;
        String::from_utf8_lossy(&bytes).replace('\n', " ")
    });
    let (status, out) = replay(&folder, &changed.collect::<Vec<_>>());
    assert!(out.contains(" receipts: 0 the same, "), "{out}");
    assert_ne!(status, 0);
}

/// Who changes what a page said, and makes a digest that fits, must change text and answer alike.
#[test]
fn a_signal_that_does_not_say_what_it_claims_is_seen() {
    let folder = Folder::new("forge");
    let cases = read();
    let cases = cases.iter().enumerate();
    let all: Vec<String> = cases
        .flat_map(|(number, case)| receipts(case, number, &folder))
        .collect();
    #[rustfmt::skip]
    let changes = [
        ("\"says\":\"denied\"", "\"says\":\"allowed\""), ("\"says\":\"licensed\"", "\"says\":\"allowed\""),
        ("\"use\":\"denied\"", "\"use\":\"allowed\""), ("\"use\":\"unstated\"", "\"use\":\"allowed\""),
        ("\"use\":\"licensed\"", "\"use\":\"unstated\""), ("\"verdict\":\"disallowed\"", "\"verdict\":\"allowed\""),
        ("\"page\":\"unknown\"", "\"page\":\"read\""), ("\"page\":\"cut\"", "\"page\":\"read\""),
        ("\"purpose\":\"training\"", "\"purpose\": \"training\""),
    ];
    for (text, other) in changes {
        let lines = all
            .iter()
            .filter_map(|receipt| forged(receipt, text, other));
        let lines: Vec<String> = lines.collect();
        assert!(!lines.is_empty(), "{text}");
        let (status, out) = replay(&folder, &lines);
        let wanted = format!("{0} receipts: 0 the same, {0} not\n", lines.len());
        assert!(out.ends_with(&wanted), "{text}: {out}");
        assert_eq!(status, 1, "{text}");
    }
}

#[test]
fn a_time_after_the_year_9999_is_named() {
    let folder = Folder::new("replay-late");
    let cases = read();
    let first = cases
        .iter()
        .find_map(|case| receipts(case, 0, &folder).pop());
    let late = forged(&first.unwrap(), "1795000000", "253402300800").unwrap();
    let (status, out) = replay(&folder, &[late]);
    let why = "it cannot be decided: 'fetched_at' is after the year 9999\n";
    assert!(status == 1 && out.contains(why), "{status}: {out}");
}
