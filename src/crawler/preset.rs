//! Presets: well-known crawlers, as their operators describe them. Operators change such things, and none has
//! confirmed these rows: a preset is a starting point, not a promise about that crawler.

use crate::crawler::Crawler;
use crate::dialect::Dialect;
use crate::error::Error;

/// A preset: tokens in order of preference, dialect, whether it ignores `*` groups.
struct Preset(&'static [&'static str], Dialect, bool);

const G: Dialect = Dialect::Google;
const R: Dialect = Dialect::Rfc9309;

/// The presets. The first token is the name. If the operator says that the crawler also obeys another group, its
/// second token is the name of that group.
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
    // Apple says that it obeys Googlebot's group if none names it. For those below only the name is known; they
    // follow the standard.
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
    /// Creates a well-known crawler by name, such as "Googlebot-Image": tokens in order of preference, dialect,
    /// whether it ignores `*` groups, as its operator describes it. Operators change such things: verify them if
    /// it matters. Names are case-insensitive.
    ///
    /// # Errors
    /// [`Error::Token`] if the name is not in the table: use [`Crawler::new`].
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

    /// Returns the names that [`Crawler::preset`] accepts.
    pub fn presets() -> impl Iterator<Item = &'static str> {
        PRESETS
            .iter()
            .filter_map(|Preset(tokens, ..)| tokens.first().copied())
    }
}
