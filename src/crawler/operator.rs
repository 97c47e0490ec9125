//! Finds the crawlers that people mean when they write the name of an operator or a product, such as `Google`.

use crate::bytes::near_word::near_word;
use crate::crawler::preset::Preset;

/// Names of operators and products in lower case, each with the site that documents the crawlers.
const SITES: &[(&str, &str)] = &[
    ("ahrefs", "ahrefs.com"),
    ("amazon", "amazon.com"),
    ("anthropic", "claude.com"),
    ("apple", "apple.com"),
    ("baidu", "baidu.com"),
    ("bing", "bing.com"),
    ("chatgpt", "openai.com"),
    ("claude", "claude.com"),
    ("commoncrawl", "commoncrawl.org"),
    ("copilot", "bing.com"),
    ("duckduckgo", "duckduckgo.com"),
    ("facebook", "facebook.com"),
    ("google", "google.com"),
    ("majestic", "mj12bot.com"),
    ("meta", "facebook.com"),
    ("microsoft", "bing.com"),
    ("mistral", "mistral.ai"),
    ("moz", "moz.com"),
    ("openai", "openai.com"),
    ("perplexity", "perplexity.ai"),
    ("petal", "petalsearch.com"),
    ("semrush", "semrush.com"),
    ("siri", "apple.com"),
];

/// Names of operators and products in lower case, each with the only crawler that people mean by the name.
const CRAWLERS: &[(&str, &str)] = &[
    ("bytedance", "Bytespider"),
    ("gemini", "Google-Extended"),
    ("linkedin", "LinkedInBot"),
    ("pinterest", "Pinterestbot"),
    ("tiktok", "Bytespider"),
    ("twitter", "Twitterbot"),
    ("yahoo", "Slurp"),
];

/// Words in lower case that stand for every crawler.
const EVERYONE: &str = "all any anybody anyone bot bots crawler crawlers everybody everyone robot robots spider spiders";

fn find(rows: &[(&str, &'static str)], name: &[u8]) -> Option<&'static str> {
    let mut rows = rows.iter();
    let row = rows.find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(name));
    row.map(|(_, value)| *value)
}

/// Returns the known name of an operator or a product that is nearest to `name` ([`near_word`]). Known names of less than six
/// bytes are left out, because they are near many words. If `name` is a crawler, the result is `None`: DuckDuckBot is not a
/// misspelling of DuckDuckGo.
pub(crate) fn near_operator(name: &str) -> Option<&'static str> {
    if Preset::find(name).is_some() {
        return None;
    }
    let known = SITES.iter().chain(CRAWLERS).map(|(known, _)| *known);
    near_word(name.as_bytes(), &mut known.filter(|known| known.len() >= 6))
}

/// Returns whether the crawler of this product also fetches for a search engine. The only such product is Copilot: bingbot
/// fetches for Copilot and for Bing.
pub(crate) fn fetches_for_search(name: impl AsRef<[u8]>) -> bool {
    name.as_ref().eq_ignore_ascii_case(b"copilot")
}

/// Returns the presets of an operator or a product in [`SITES`], including presets that ignore the robots.txt.
pub(crate) fn operator_presets(name: &[u8]) -> impl Iterator<Item = Preset> + Clone + use<> {
    let site = find(SITES, name);
    Preset::all().filter(move |preset| {
        let address = preset.documentation().unwrap_or_default();
        let host = address.split('/').nth(2).unwrap_or_default();
        site.is_some_and(|site| {
            let sub = host.strip_suffix(site);
            sub.is_some_and(|sub| sub.is_empty() || sub.ends_with('.'))
        })
    })
}

/// Returns the names of the crawlers that people mean when they write an operator or a product, such as `Google` or
/// `ChatGPT`, in any case. Words such as `All` and `Everyone` mean `*`. Any other name yields nothing, even the name of a
/// crawler. Crawlers that ignore the robots.txt are left out.
///
/// ```
/// let names: Vec<_> = robots::operator_tokens(b"openai").collect();
/// assert_eq!(names, ["OAI-SearchBot", "GPTBot", "ChatGPT-User"]);
/// ```
pub fn operator_tokens(name: &[u8]) -> impl Iterator<Item = &'static str> + Clone + use<> {
    let presets = operator_presets(name).filter(|preset| !preset.ignores_robots_txt());
    let is_everyone = |word: &str| word.as_bytes().eq_ignore_ascii_case(name);
    let everyone = EVERYONE.split(' ').any(is_everyone).then_some("*");
    presets
        .map(|preset| preset.name())
        .chain(find(CRAWLERS, name))
        .chain(everyone)
}
