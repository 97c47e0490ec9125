//! The names of well-known crawlers, and a search for the well-known name that a misspelt name means.

use crate::bytes::near_word::{Bare, LONGEST};
use crate::crawler::Crawler;
use crate::crawler::preset::Preset;
use crate::page::is_policy_token;

/// Names of other crawlers. They are near the names of well-known crawlers, but are not misspelt.
const NEIGHBOURS: &str = "\
    AI2Bot AIBOT aipbot archive.org_bot Claude-Web cohere-ai dotbot Googlebot-Mobile ICC-Crawler \
    msnbot msnbot-media MSRBOT omgili omgilibot rogerbot Roverbot ScoutJet SemrushBot-BA \
    SemrushBot-SA SemrushBot-SI Slurp voyager Yeti YouBot";

/// Names of well-known crawlers without a preset.
const OTHERS: &str = "\
    anthropic-ai APIs-Google BLEXBot DataForSeoBot Diffbot FacebookBot ImagesiftBot LinkedInBot \
    Pinterestbot SeznamBot TurnitinBot Twitterbot YandexImages YandexMobileBot YandexNews \
    YandexVideo YandexBlogs";

fn known() -> impl Iterator<Item = &'static str> {
    Crawler::presets().chain(OTHERS.split(' '))
}

/// Returns whether a name is that of a well-known crawler, or a policy token.
pub(super) fn is_known(name: &[u8]) -> bool {
    is_policy_token(name)
        || known()
            .chain(NEIGHBOURS.split(' '))
            .any(|known| known.as_bytes().eq_ignore_ascii_case(name))
}

/// Returns whether a crawler with this name reads files as Google does.
pub(super) fn is_of_google(name: &[u8]) -> bool {
    known()
        .filter(|known| known.contains("Google") && *known != "Google-Extended")
        .any(|known| known.as_bytes().eq_ignore_ascii_case(name))
}

/// Returns the well-known crawler whose name is nearly `name`; `None` if `name` is itself well known. The names may differ in
/// `-`, `_`, `.` and spaces, and in up to two letters, depending on their length. Or `name` lacks the `bot` at the end.
#[inline(never)]
pub(crate) fn near_miss(name: &[u8]) -> Option<&'static str> {
    if name.len() > LONGEST || is_known(name) {
        return None;
    }
    let name = Bare::new(name);
    let first = *name.letters().first()?;
    let close = known().filter(|known| known.len() <= LONGEST);
    let close = close.filter_map(|known| {
        let bare = Bare::new(known.as_bytes());
        if bare.letters().strip_suffix(b"bot") == Some(name.letters()) {
            // `Yandex` is not misspelt: it is a token of YandexBot.
            let mut tokens = Preset::find(known)?.tokens().iter();
            let is_token = |token: &&str| Bare::new(token.as_bytes()).letters() == name.letters();
            return (!tokens.any(is_token)).then_some((LONGEST, known));
        }
        let most = match bare.len {
            0..=5 => 0,
            6..=11 => 1,
            _ => 2,
        };
        let may_be_close =
            bare.letters().first() == Some(&first) && bare.len.abs_diff(name.len) <= most;
        let distance = may_be_close.then(|| name.distance(&bare))?;
        (distance <= most).then_some((distance, known))
    });
    let nearest = close.min_by_key(|(distance, _)| *distance);
    nearest.map(|(_, known)| known)
}
