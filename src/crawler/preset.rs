//! Presets: well-known crawlers, as their operators describe them. Operators change their crawlers, and no operator has
//! confirmed these rows: a preset is a starting point, not a promise.
//!
//! The rows are from texts about the crawlers as of [`Preset::DATE`]. A row has the address of the operator's page, if there is
//! one. If the row and the page differ, the page is right.

use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::bytes::near_word::near_word;
use crate::crawler::Crawler;

codes! {
    /// The purpose for which a crawler fetches pages, or for which somebody uses pages. Purposes are ordered by discriminant.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    #[repr(u8)]
    pub enum Purpose: robots_purpose("ROBOTS_PURPOSE_") in uses, "Purposes of a use (SPEC 13.2)." {
        /// An index of a search engine.
        Search = 0 ROBOTS_PURPOSE_SEARCH,
        /// An index for a model that writes answers.
        AiSearch = 1 ROBOTS_PURPOSE_AI_SEARCH,
        /// Training data of models.
        Training = 2 ROBOTS_PURPOSE_TRAINING,
        /// A user's request to read, summarize or show a page.
        UserRequest = 3 ROBOTS_PURPOSE_USER_REQUEST,
        /// Advertisements and shops.
        Commerce = 4 ROBOTS_PURPOSE_COMMERCE,
        /// Archives of the web.
        Archive = 5 ROBOTS_PURPOSE_ARCHIVE,
        /// Data about sites and their links, for tools of search engine optimization.
        Seo = 6 ROBOTS_PURPOSE_SEO,
        /// Tests, research and all else.
        Other = 7 ROBOTS_PURPOSE_OTHER,
    }
    ALL: pub, from_code: pub(crate) u32
}

impl Purpose {
    /// Returns the name, such as "AI search".
    pub const fn name(self) -> &'static str {
        match self {
            Purpose::Search => "search",
            Purpose::AiSearch => "AI search",
            Purpose::Training => "training",
            Purpose::UserRequest => "user request",
            Purpose::Commerce => "ads, shops",
            Purpose::Archive => "archive",
            Purpose::Seo => "SEO",
            Purpose::Other => "other",
        }
    }

    /// Returns the words that people write for this purpose, in lower case. The expectations of `robots test` use the first word.
    #[rustfmt::skip]
    fn words(self) -> impl Iterator<Item = &'static str> {
        let words = match self {
            Purpose::Search => "search searches searchbots engines search-engines",
            Purpose::AiSearch => "ai-search ai ai-answers ai-bots answers assistants",
            Purpose::Training => "training ai ai-bots ai-train ai-training llm llms train trainer trainers",
            Purpose::UserRequest => "user-request requests user users",
            Purpose::Commerce => "ads ad advertising ads-and-shops shopping shops",
            Purpose::Archive => "archive archives",
            Purpose::Seo => "seo backlinks",
            Purpose::Other => "other others",
        };
        words.split(' ')
    }

    /// Returns the word for this purpose in the expectations of `robots test`, such as "ai-search".
    pub fn word(self) -> &'static str {
        self.words().next().unwrap_or_default()
    }

    /// Returns the purposes that people mean by a word, in any case, such as `ai-training` or `ads`. `is_near`: one letter may
    /// differ, or two letters of a long word. No word for a purpose is the name of a well-known crawler.
    ///
    /// ```
    /// use robots::Purpose;
    ///
    /// assert_eq!(Purpose::meant_by("AI", false).collect::<Vec<_>>(), [Purpose::AiSearch, Purpose::Training]);
    /// assert_eq!(Purpose::meant_by("trainig", true).next(), Some(Purpose::Training));
    /// ```
    pub fn meant_by(
        word: impl AsRef<[u8]>,
        is_near: bool,
    ) -> impl Iterator<Item = Purpose> + Clone {
        let word = word.as_ref();
        let known = || Purpose::ALL.into_iter().flat_map(Purpose::words);
        let meant = match is_near {
            true => near_word(word, &mut known()),
            false => known().find(|known| known.as_bytes().eq_ignore_ascii_case(word)),
        };
        let is_meant =
            move |purpose: &Purpose| meant.is_some_and(|it| purpose.words().any(|word| word == it));
        Purpose::ALL.into_iter().filter(is_meant)
    }
}

/// A well-known crawler.
///
/// ```
/// use robots::{Preset, Purpose};
///
/// let preset = Preset::find("gptbot").ok_or(robots::Error::Token)?;
/// assert_eq!((preset.name(), preset.purpose()), ("GPTBot", Purpose::Training));
/// # Ok::<(), robots::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Product tokens in order of preference; the first is the crawler's name. If the operator says that the crawler also obeys
    /// another group, the second token is the name of this group.
    tokens: &'static [&'static str],
    dialect: Dialect,
    ignores_star: bool,
    purpose: Purpose,
    obedience: Obedience,
    documentation: &'static str,
}

/// How a token relates to a robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Obedience {
    /// A crawler that obeys the robots.txt.
    Crawler,
    /// A token that is not the name of a crawler. The token controls what may be done with pages that other crawlers fetch.
    Control,
    /// A crawler for requests of users. Its operator says that it may ignore the robots.txt.
    Perhaps,
    /// A crawler whose operator says that it ignores the robots.txt.
    Never,
}

/// A row: tokens, dialect, star, purpose, obedience, address of the documentation.
#[rustfmt::skip]
macro_rules! row {
    ($tokens:expr, $dialect:ident, $star:ident, $purpose:ident, $obedience:ident, $documentation:expr) => {
        Preset {
            tokens: &$tokens,
            dialect: Dialect::$dialect,
            ignores_star: row!($star),
            purpose: Purpose::$purpose,
            obedience: Obedience::$obedience,
            documentation: $documentation,
        }
    };
    (Star) => { false };
    (NoStar) => { true };
}

const GOOGLE: &str =
    "https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers";
const GOOGLE_SPECIAL: &str =
    "https://developers.google.com/crawling/docs/crawlers-fetchers/google-special-case-crawlers";
const GOOGLE_FETCHERS: &str =
    "https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers";
const OPENAI: &str = "https://developers.openai.com/api/docs/bots";
const ANTHROPIC: &str = "https://support.claude.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler";
const APPLE: &str = "https://support.apple.com/en-us/119829";
const META: &str = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers";
const AMAZON: &str = "https://developer.amazon.com/amazonbot";
const PERPLEXITY: &str = "https://docs.perplexity.ai/guides/bots";
const BING: &str = "https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0";
const MISTRAL: &str = "https://docs.mistral.ai/robots";
const YANDEX: &str = "https://yandex.com/support/webmaster/en/robot-workings/check-yandex-robots";

/// The presets, grouped by operator. A crawler has a second token only if its operator documents a fallback group; other
/// crawlers follow the standard. A crawler without documentation has an empty address.
#[rustfmt::skip]
const PRESETS: &[Preset] = &[
    // Google's list of crawlers. The special-case crawlers ignore `*` groups (SPEC 7.5).
    row!(["Googlebot"],                           Google,  Star,   Search,      Crawler, GOOGLE),
    row!(["Googlebot-Image", "Googlebot"],        Google,  Star,   Search,      Crawler, GOOGLE),
    row!(["Googlebot-News", "Googlebot"],         Google,  Star,   Search,      Crawler, GOOGLE),
    row!(["Googlebot-Video", "Googlebot"],        Google,  Star,   Search,      Crawler, GOOGLE),
    row!(["Storebot-Google"],                     Google,  Star,   Commerce,    Crawler, GOOGLE),
    row!(["Google-InspectionTool", "Googlebot"],  Google,  Star,   Other,       Crawler, GOOGLE),
    row!(["GoogleOther"],                         Google,  Star,   Other,       Crawler, GOOGLE),
    row!(["GoogleOther-Image", "GoogleOther"],    Google,  Star,   Other,       Crawler, GOOGLE),
    row!(["GoogleOther-Video", "GoogleOther"],    Google,  Star,   Other,       Crawler, GOOGLE),
    row!(["Google-CloudVertexBot"],               Google,  Star,   UserRequest, Crawler, GOOGLE),
    row!(["Google-Extended"],                     Google,  Star,   Training,    Control, GOOGLE),
    row!(["AdsBot-Google"],                       Google,  NoStar, Commerce,    Crawler, GOOGLE_SPECIAL),
    row!(["AdsBot-Google-Mobile"],                Google,  NoStar, Commerce,    Crawler, GOOGLE_SPECIAL),
    row!(["AdsBot-Google-Mobile-Apps"],           Google,  NoStar, Commerce,    Crawler, GOOGLE_SPECIAL),
    row!(["Mediapartners-Google"],                Google,  NoStar, Commerce,    Crawler, GOOGLE_SPECIAL),
    // Google searches for abuse with this crawler, and says that the crawler ignores the file.
    row!(["Google-Safety"],                       Google,  Star,   Other,       Never,   GOOGLE_SPECIAL),
    // Google's user-triggered fetchers generally ignore the file.
    row!(["FeedFetcher-Google"],                  Google,  Star,   UserRequest, Never,   GOOGLE_FETCHERS),
    row!(["Google-CWS"],                          Google,  Star,   UserRequest, Never,   GOOGLE_FETCHERS),
    row!(["Google-NotebookLM"],                   Google,  Star,   UserRequest, Never,   GOOGLE_FETCHERS),
    row!(["Google-Pinpoint"],                     Google,  Star,   UserRequest, Never,   GOOGLE_FETCHERS),
    row!(["Google-Read-Aloud"],                   Google,  Star,   UserRequest, Never,   GOOGLE_FETCHERS),
    row!(["Google-Site-Verification"],            Google,  Star,   UserRequest, Never,   GOOGLE_FETCHERS),
    row!(["GoogleProducer"],                      Google,  Star,   UserRequest, Never,   GOOGLE_FETCHERS),
    // Apple says that Applebot obeys Googlebot's group if no group names Applebot.
    row!(["Applebot", "Googlebot"],               Rfc9309, Star,   Search,      Crawler, APPLE),
    row!(["Applebot-Extended"],                   Rfc9309, Star,   Training,    Control, APPLE),
    row!(["bingbot"],                             Rfc9309, Star,   Search,      Crawler, BING),
    row!(["DuckDuckBot"],                         Rfc9309, Star,   Search,      Crawler, "https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot"),
    row!(["DuckAssistBot"],                       Rfc9309, Star,   UserRequest, Crawler, "https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot"),
    row!(["YandexBot", "Yandex"],                 Rfc9309, Star,   Search,      Crawler, YANDEX),
    row!(["Baiduspider"],                         Rfc9309, Star,   Search,      Crawler, "https://help.baidu.com/question?prod_id=99&class=0&id=3001"),
    row!(["PetalBot"],                            Rfc9309, Star,   Search,      Crawler, "https://webmaster.petalsearch.com/site/petalbot"),
    row!(["OAI-SearchBot"],                       Rfc9309, Star,   AiSearch,    Crawler, OPENAI),
    row!(["GPTBot"],                              Rfc9309, Star,   Training,    Crawler, OPENAI),
    row!(["ChatGPT-User"],                        Rfc9309, Star,   UserRequest, Perhaps, OPENAI),
    row!(["Claude-SearchBot"],                    Rfc9309, Star,   AiSearch,    Crawler, ANTHROPIC),
    row!(["ClaudeBot"],                           Rfc9309, Star,   Training,    Crawler, ANTHROPIC),
    row!(["Claude-User"],                         Rfc9309, Star,   UserRequest, Crawler, ANTHROPIC),
    row!(["PerplexityBot"],                       Rfc9309, Star,   AiSearch,    Crawler, PERPLEXITY),
    row!(["Perplexity-User"],                     Rfc9309, Star,   UserRequest, Never,   PERPLEXITY),
    row!(["meta-webindexer"],                     Rfc9309, Star,   AiSearch,    Crawler, META),
    row!(["meta-externalagent"],                  Rfc9309, Star,   Training,    Crawler, META),
    row!(["meta-externalfetcher"],                Rfc9309, Star,   UserRequest, Perhaps, META),
    row!(["facebookexternalhit"],                 Rfc9309, Star,   UserRequest, Perhaps, META),
    row!(["Amzn-SearchBot"],                      Rfc9309, Star,   AiSearch,    Crawler, AMAZON),
    row!(["Amazonbot"],                           Rfc9309, Star,   Training,    Crawler, AMAZON),
    row!(["Amzn-User"],                           Rfc9309, Star,   UserRequest, Crawler, AMAZON),
    row!(["MistralAI-Index"],                     Rfc9309, Star,   AiSearch,    Crawler, MISTRAL),
    row!(["MistralAI-Training"],                  Rfc9309, Star,   Training,    Crawler, MISTRAL),
    row!(["MistralAI-User"],                      Rfc9309, Star,   UserRequest, Crawler, MISTRAL),
    // Common Crawl is an archive, and models are trained on its pages.
    row!(["CCBot"],                               Rfc9309, Star,   Training,    Crawler, "https://commoncrawl.org/ccbot"),
    row!(["Bytespider"],                          Rfc9309, Star,   Training,    Crawler, ""),
    row!(["ia_archiver"],                         Rfc9309, Star,   Archive,     Crawler, ""),
    row!(["AhrefsBot"],                           Rfc9309, Star,   Seo,         Crawler, "https://ahrefs.com/robot"),
    row!(["SemrushBot"],                          Rfc9309, Star,   Seo,         Crawler, "https://www.semrush.com/bot/"),
    row!(["MJ12bot"],                             Rfc9309, Star,   Seo,         Crawler, "https://mj12bot.com/"),
    row!(["DotBot"],                              Rfc9309, Star,   Seo,         Crawler, "https://moz.com/help/moz-procedures/crawlers/dotbot"),
];

impl Preset {
    /// Returns the presets, grouped by operator.
    pub fn all() -> impl ExactSizeIterator<Item = Preset> + Clone {
        PRESETS.iter().copied()
    }

    /// Returns the preset with this name, in any case.
    pub fn find(name: impl AsRef<[u8]>) -> Option<Preset> {
        let name = name.as_ref();
        Preset::all().find(|preset| preset.name().as_bytes().eq_ignore_ascii_case(name))
    }

    /// Returns the name, which is the first product token.
    pub fn name(&self) -> &'static str {
        self.tokens.first().copied().unwrap_or_default()
    }

    /// Returns the product tokens, in order of preference.
    pub fn tokens(&self) -> &'static [&'static str] {
        self.tokens
    }

    /// Returns the dialect in which the crawler reads a robots.txt.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns whether the crawler obeys only groups that name it (SPEC 7.5).
    pub fn ignores_star(&self) -> bool {
        self.ignores_star
    }

    /// Returns the purpose of the crawler. The purpose of a control token is the use of pages that the token controls.
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Returns whether the name is a control token. No crawler has a control token as its name. The token controls what may be
    /// done with pages that other crawlers of the operator fetch.
    pub fn is_control_token(&self) -> bool {
        self.obedience == Obedience::Control
    }

    /// Returns whether this is a control token for a purpose. Google-Extended controls two purposes: training, and the answers
    /// of Google's models.
    pub(crate) fn controls(&self, purpose: Purpose) -> bool {
        let is_for = self.purpose == purpose
            || self.name() == "Google-Extended" && purpose == Purpose::AiSearch;
        self.is_control_token() && is_for
    }

    /// Returns the control tokens of the operator of a crawler. The crawler's first token identifies the operator; the result
    /// is empty if that token is not a preset.
    pub(crate) fn control_tokens_for(crawler: &Crawler) -> impl Iterator<Item = Preset> + use<> {
        let preset = crawler.tokens().next().and_then(Preset::find);
        let host = preset.and_then(|preset| preset.documentation_host());
        Preset::all().filter(move |preset| {
            preset.is_control_token() && host.is_some() && preset.documentation_host() == host
        })
    }

    fn documentation_host(&self) -> Option<&'static str> {
        self.documentation.split('/').nth(2)
    }

    /// Returns whether the operator says that the crawler may ignore the robots.txt, or always ignores it.
    pub fn may_ignore(&self) -> bool {
        matches!(self.obedience, Obedience::Perhaps | Obedience::Never)
    }

    /// Returns whether the operator says that the crawler ignores the robots.txt. If so, no verdict limits the crawler's
    /// fetches.
    ///
    /// ```
    /// let preset = robots::Preset::find("FeedFetcher-Google").ok_or(robots::Error::Token)?;
    /// assert!(preset.ignores_robots_txt());
    /// # Ok::<(), robots::Error>(())
    /// ```
    pub fn ignores_robots_txt(&self) -> bool {
        self.obedience == Obedience::Never
    }

    /// The date of the presets and of their addresses.
    pub const DATE: &'static str = "2026-11-22";

    /// Returns the address of the operator's documentation as of [`Preset::DATE`]; `None` if no documentation is known. Compare
    /// the preset with the documentation before you rely on the preset.
    pub fn documentation(&self) -> Option<&'static str> {
        Some(self.documentation).filter(|address| !address.is_empty())
    }

    /// Creates the crawler.
    ///
    /// # Errors
    /// Only [`Error::Memory`], because the tokens are valid.
    pub fn crawler(&self) -> Result<Crawler, Error> {
        let crawler = Crawler::from_tokens(&[], self.dialect)?.with_ignore_star(self.ignores_star);
        self.tokens.iter().try_fold(crawler, Crawler::with_token)
    }
}

impl Crawler {
    /// Creates a well-known crawler by name, such as "Googlebot-Image", in any case. The result has the tokens, the dialect
    /// and the treatment of `*` groups that the operator describes. Operators change their crawlers: verify the preset before
    /// you rely on it.
    ///
    /// # Errors
    /// [`Error::Token`] if the table does not have the name; then use [`Crawler::new`].
    ///
    /// ```
    /// let crawler = robots::Crawler::preset("Googlebot-Image")?;
    /// let rules = crawler.parse("User-agent: Googlebot\nDisallow: /private/\n");
    /// assert!(!rules.is_allowed("https://example.com/private/page"));
    /// # Ok::<(), robots::Error>(())
    /// ```
    pub fn preset(name: impl AsRef<[u8]>) -> Result<Crawler, Error> {
        Preset::find(name).ok_or(Error::Token)?.crawler()
    }

    /// Returns the names that [`Crawler::preset`] accepts.
    pub fn presets() -> impl Iterator<Item = &'static str> {
        Preset::all().map(|preset| preset.name())
    }
}
