//! The names of well-known crawlers, and the edit distance of other names to them.

use crate::crawler::Crawler;
use crate::page::is_policy_token;

/// Names of other crawlers that are near those of well-known crawlers.
const NEIGHBOURS: &str = "\
    AI2Bot AIBOT aipbot archive.org_bot Claude-Web cohere-ai dotbot Googlebot-Mobile ICC-Crawler \
    msnbot msnbot-media MSRBOT omgili omgilibot rogerbot Roverbot ScoutJet SemrushBot-BA \
    SemrushBot-SA SemrushBot-SI Slurp voyager Yeti YouBot";

/// Names of well-known crawlers without a preset.
const OTHERS: &str = "\
    anthropic-ai APIs-Google BLEXBot DataForSeoBot Diffbot FacebookBot ImagesiftBot LinkedInBot \
    Pinterestbot SeznamBot TurnitinBot Twitterbot YandexImages YandexMobileBot YandexNews \
    YandexVideo YandexBlogs";

/// Upper bound on the letters that are compared: no well-known name is longer.
const LONGEST: usize = 28;

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

/// Returns the well-known crawler whose name is nearly `name`: only `-`, `_`, `.` or spaces differ, or one letter. In a long
/// name two letters may differ. `None` for the name of a well-known crawler.
pub(super) fn near_miss(name: &[u8]) -> Option<&'static str> {
    if name.len() > LONGEST || is_known(name) {
        return None;
    }
    let name = Bare::new(name);
    let first = *name.letters().first()?;
    let close = known().filter(|known| known.len() <= LONGEST);
    let close = close.filter_map(|known| {
        let bare = Bare::new(known.as_bytes());
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

/// Returns the first known word that is near `word`: one letter differs, or two of a long word, because short words are near
/// many others.
pub(super) fn near_word(
    word: &[u8],
    known: impl Iterator<Item = &'static str>,
) -> Option<&'static str> {
    let word = Bare::new(word);
    let mut known = known.map(|known| (known, Bare::new(known.as_bytes())));
    let near = known.find(|(_, bare)| word.distance(bare) <= if bare.len < 7 { 1 } else { 2 });
    near.map(|(known, _)| known)
}

/// The first [`LONGEST`] letters and digits of a name, in lower case.
pub(super) struct Bare {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Bare {
    pub(super) fn new(name: &[u8]) -> Bare {
        let mut bare = Bare {
            bytes: [0; LONGEST],
            len: 0,
        };
        let letters = name.iter().filter(|byte| byte.is_ascii_alphanumeric());
        for (to, from) in bare.bytes.iter_mut().zip(letters) {
            *to = from.to_ascii_lowercase();
            bare.len += 1;
        }
        bare
    }

    pub(super) fn letters(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// Returns the Damerau-Levenshtein distance (optimal string alignment).
    fn distance(&self, other: &Bare) -> usize {
        let (a, b) = (self.letters(), other.letters());
        let mut row: [usize; LONGEST + 1] = core::array::from_fn(|at| at);
        let mut before = row;
        let mut last = None;
        for (i, from) in a.iter().enumerate() {
            let mut next = [i + 1; LONGEST + 1];
            let cost = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX / 2);
            for (j, to) in b.iter().enumerate() {
                let mut best = (cost(&row, j) + usize::from(from != to))
                    .min(cost(&row, j + 1) + 1)
                    .min(cost(&next, j) + 1);
                let is_swapped = j > 0 && last == Some(to) && b.get(j - 1) == Some(from);
                if is_swapped {
                    best = best.min(cost(&before, j - 1) + 1);
                }
                if let Some(cell) = next.get_mut(j + 1) {
                    *cell = best;
                }
            }
            before = core::mem::replace(&mut row, next);
            last = Some(from);
        }
        row.get(b.len()).copied().unwrap_or(0)
    }
}
