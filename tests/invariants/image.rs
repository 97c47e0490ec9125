//! Invariants of images from any source.

use robots::{Error, Rules};

unsafe extern "C" {
    fn robots_image_check(image: *const u8, len: usize, url: *const u8, url_len: usize) -> u64;
}

/// Returns the verdict of an image that was not validated, through the C API. The block of memory ends where the image
/// does, so that tools find a read past its end.
pub fn check(image: &[u8], url: &[u8]) -> u64 {
    let image: Box<[u8]> = image.into();
    // SAFETY: both are readable for their lengths.
    let bits = unsafe { robots_image_check(image.as_ptr(), image.len(), url.as_ptr(), url.len()) };
    let status = bits >> 16 & 0xFFFF;
    assert_ne!(status, Error::Panic.code() as u64, "a panic was held back");
    bits
}

/// The checksum as `src/core/image/checksum.rs` describes it: an attacker can compute it, too.
pub fn seal(image: &mut [u8]) {
    if image.len() < 16 {
        return;
    }
    let step = |state: u64, word: u64| {
        (state ^ word ^ word >> 31)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(32)
    };
    image[12..16].fill(0);
    let mut lanes = [0, 1, 2, 3].map(|lane| image.len() as u64 + lane);
    let mut padded = image.to_vec();
    padded.resize(image.len() - image.len() % 32 + 32, 0);
    for (at, word) in padded.chunks(8).enumerate() {
        let lane = &mut lanes[at % 4];
        *lane = step(*lane, u64::from_le_bytes(word.try_into().unwrap()));
    }
    let state = lanes[1..]
        .iter()
        .fold(lanes[0], |lane, other| step(lane, *other));
    let checksum = (state ^ state >> 32) as u32;
    image[12..16].copy_from_slice(&checksum.to_le_bytes());
}

/// Checks that a valid image decides without errors and that an error never allows; returns whether it is valid.
pub fn is_refused_or_answers(image: &[u8], urls: &[Vec<u8>]) -> bool {
    let accepted = Rules::from_image(image);
    for url in urls {
        let bits = check(image, url);
        let is_error = bits >> 16 & 0xFFFF != 0;
        assert!(
            !is_error || bits & 1 == 0,
            "an error that allows: {bits:#x}"
        );
        if let Ok(rules) = &accepted {
            assert_eq!(rules.check(url).bits(), bits);
            assert_ne!(rules.check(url).error(), Some(Error::Image));
        }
    }
    let Ok(rules) = accepted else { return false };
    assert!(rules.sitemaps().count() <= image.len());
    rules.crawl_delay();
    match rules.effective_rules() {
        Ok(list) => assert!(list.iter().is_sorted_by_key(|rule| rule.line())),
        // Forged rules can share their starts without end.
        Err(error) => assert_eq!(error, Error::Memory),
    }
    true
}
