//! The steps that a decision may take, for the sizes of its input (SPEC 10.1).

use robots::Rules;

/// The most steps for an image and a URL of so many bytes: some for each byte of either, and for each rule that the
/// image can hold a pass over the path.
fn most(image: usize, url: usize) -> usize {
    // The canonical form of each byte has three at most.
    let path = 3 * url + 1;
    // The record of a rule of the list takes 13 bytes at least.
    let rules = image / 13 + 1;
    // A pass examines 64 bytes a step; the rest is for indexes and for searches that fall back to a slower one.
    16_384 + 4 * image + 64 * path + rules * (16 + path / 8)
}

/// Decides, and holds the steps against the sizes. Returns the steps.
pub fn holds(rules: &Rules, url: &[u8]) -> Result<usize, String> {
    let verdict = rules.check(url);
    let (counted, steps) = robots::check_image_counted(rules.image(), url);
    if counted != verdict {
        return Err(format!(
            "{counted:?} when steps are counted, else {verdict:?}"
        ));
    }
    within(steps, rules.image(), url)
}

/// The same for an image that nobody validated, which may have any answer.
pub fn holds_for_image(image: &[u8], url: &[u8]) -> Result<usize, String> {
    let (_, steps) = robots::check_image_counted(image, url);
    within(steps, image, url)
}

fn within(steps: usize, image: &[u8], url: &[u8]) -> Result<usize, String> {
    let most = most(image.len(), url.len());
    if steps > most {
        return Err(format!(
            "{steps} steps, at most {most} for an image of {} bytes and a URL of {}",
            image.len(),
            url.len()
        ));
    }
    Ok(steps)
}
