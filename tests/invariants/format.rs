//! Invariants of formatted files: same meaning, standard layout.

use robots::{Crawler, Formatted, Verdict, format};

/// Returns the verdict with its line in the original file.
fn moved_back(verdict: Verdict, formatted: &Formatted) -> u64 {
    let line = verdict.line() as usize;
    let origin = if line == 0 {
        0
    } else {
        formatted.origins[line - 1]
    };
    verdict.bits() & 0xFFFF_FFFF | u64::from(origin) << 32
}

/// Checks that verdicts, crawl-delay and sitemaps are the same before and after.
pub fn says_the_same(
    crawler: &Crawler,
    body: &[u8],
    formatted: &Formatted,
    urls: &[Vec<u8>],
) -> Result<(), (String, Vec<u8>)> {
    let (before, after) = (crawler.parse(body), crawler.parse(&formatted.text));
    if before.crawl_delay() != after.crawl_delay() || !before.sitemaps().eq(after.sitemaps()) {
        return Err(("crawl-delay or sitemaps differ".to_owned(), b"/".to_vec()));
    }
    for url in urls {
        let (is, was) = (after.check(url), before.check(url));
        if moved_back(is, formatted) != was.bits() {
            return Err((format!("was {was:?}, is {is:?}"), url.clone()));
        }
    }
    Ok(())
}

pub fn looks_right(formatted: &Formatted) -> Result<(), &'static str> {
    let text = &formatted.text;
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    if text.contains(&b'\r') {
        return Err("a CR is left");
    }
    if text.starts_with(b"\n") || text.windows(3).any(|part| part == b"\n\n\n") {
        return Err("two blank lines, or one at the start");
    }
    if !text.is_empty() && (!text.ends_with(b"\n") || text.ends_with(b"\n\n")) {
        return Err("the end is not one line end");
    }
    if formatted.origins.len() != lines.len() - 1 {
        return Err("not one origin for each line");
    }
    let moved: Vec<u32> = formatted
        .origins
        .iter()
        .copied()
        .filter(|o| *o > 0)
        .collect();
    if !moved.is_sorted_by(|one, other| one < other) {
        return Err("the lines are in another order");
    }
    match format(text) {
        Ok(again) if again.text == *text => Ok(()),
        _ => Err("formatting again changes it"),
    }
}
