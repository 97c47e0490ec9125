//! Crawlers that site owners know, after what their operators have published. Operators change such things, and none has
//! confirmed these rows: a preset is where to begin, not a promise of how that crawler behaves.

use crate::crawler::Crawler;
use crate::dialect::Dialect;
use crate::error::Error;

/// A crawler: its tokens in order of preference, its dialect, whether it ignores `*` groups.
struct Preset(&'static [&'static str], Dialect, bool);

const G: Dialect = Dialect::Google;
const R: Dialect = Dialect::Rfc9309;

/// One row for each; its first token is its name. Where an operator says that a crawler also obeys another's
/// group, that is its second token.
#[rustfmt::skip]
const PRESETS: &[Preset] = &[
    // Google's list of crawlers; special-case crawlers ignore `*` (SPEC 7.5).
    Preset(&["Googlebot"],                       G, false),
    Preset(&["Googlebot-Image", "Googlebot"],    G, false),
    Preset(&["Googlebot-News", "Googlebot"],     G, false),
    Preset(&["Googlebot-Video", "Googlebot"],    G, false),
    Preset(&["Storebot-Google"],                 G, false),
    Preset(&["Google-InspectionTool", "Googlebot"], G, false),
    Preset(&["GoogleOther"],                     G, false),
    Preset(&["AdsBot-Google"],                   G, true),
    Preset(&["AdsBot-Google-Mobile"],            G, true),
    Preset(&["Mediapartners-Google"],            G, true),
    // Apple says that it obeys Googlebot's group where none names it. Of those below nothing is assumed but their names
    // and the standard.
    Preset(&["Applebot", "Googlebot"],           R, false),
    Preset(&["bingbot"],                         R, false),
    Preset(&["DuckDuckBot"],                     R, false),
    Preset(&["YandexBot", "Yandex"],             R, false),
    Preset(&["Baiduspider"],                     R, false),
    Preset(&["CCBot"],                           R, false),
    Preset(&["GPTBot"],                          R, false),
    Preset(&["OAI-SearchBot"],                   R, false),
    Preset(&["ClaudeBot"],                       R, false),
    Preset(&["PerplexityBot"],                   R, false),
    Preset(&["Amazonbot"],                       R, false),
    Preset(&["ia_archiver"],                     R, false),
];

impl Crawler {
    /// The crawler of a well-known name, such as "Googlebot-Image", set up after what its operator has published, as far
    /// as that is known: tokens in order of preference, dialect, whether it ignores `*` groups. Operators change such
    /// things; who must be sure asks theirs. Case does not matter.
    ///
    /// # Errors
    /// [`Error::Token`] for a name that is not in the table: set it up with [`Crawler::new`].
    ///
    /// ```
    /// let crawler = robots::Crawler::preset("Googlebot-Image")?;
    /// let rules = crawler.parse("User-agent: Googlebot\nDisallow: /private/\n");
    /// assert!(!rules.is_allowed("https://example.com/private/page"));
    /// # Ok::<(), robots::Error>(())
    /// ```
    pub fn preset(name: impl AsRef<[u8]>) -> Result<Crawler, Error> {
        let name = name.as_ref();
        let Preset(tokens, dialect, ignore_star) = PRESETS
            .iter()
            .find(|Preset(tokens, ..)| {
                tokens
                    .first()
                    .is_some_and(|token| token.as_bytes().eq_ignore_ascii_case(name))
            })
            .ok_or(Error::Token)?;
        let (first, others) = tokens.split_first().ok_or(Error::Token)?;
        let crawler = others
            .iter()
            .try_fold(Crawler::new(first)?, Crawler::with_token)?
            .with_dialect(*dialect)?;
        Ok(crawler.with_ignore_star(*ignore_star))
    }

    /// The names that [`Crawler::preset`] knows.
    pub fn presets() -> impl Iterator<Item = &'static str> {
        PRESETS
            .iter()
            .filter_map(|Preset(tokens, ..)| tokens.first().copied())
    }
}
