//! The crawlers of a log: by the token of the User-Agent.

use std::collections::{HashMap, HashSet};

use robots::{Crawler, Dialect, Preset};

use super::evidence::{Evidence, Operator, Proof};

/// Index of the row of people and browsers.
pub(super) const PEOPLE: usize = 0;
/// Index of the row of the crawlers past the limit.
pub(super) const OTHERS: usize = 1;

/// The most crawlers that are not well known.
pub(super) const MOST_UNKNOWN: usize = 1000;

/// The most User-Agents whose crawler is remembered, and the longest of them.
const MOST_AGENTS: usize = 4096;
const LONGEST_AGENT: usize = 1024;

/// A crawler of the log.
pub(super) struct Found {
    pub(super) name: String,
    pub(super) preset: Option<Preset>,
    pub(super) operator: Option<&'static Operator>,
    /// How it reads a robots.txt.
    pub(super) reader: Crawler,
    pub(super) is_mine: bool,
    /// What would prove its User-Agent.
    pub(super) proof: Proof,
}

/// The crawlers so far. The first two rows are those of people and of others.
pub(super) struct Crawlers {
    pub(super) all: Vec<Found>,
    by_token: HashMap<String, usize>,
    by_agent: HashMap<Box<[u8]>, usize>,
    /// The names in lower case that make a User-Agent a crawler's: those of groups, and of --mine.
    named: HashSet<String>,
    /// The crawler of lines whose log has no User-Agent.
    mine: Option<String>,
    unknown: usize,
    pub(super) evidence: Evidence,
}

impl Crawlers {
    pub(super) fn new(
        mine: Option<String>,
        named: HashSet<String>,
        evidence: Evidence,
    ) -> Crawlers {
        let nobody = |name: &str| Found {
            name: name.to_owned(),
            preset: None,
            operator: None,
            reader: Crawler::without_token(),
            is_mine: false,
            proof: Proof::default(),
        };
        let mut named = named;
        named.extend(mine.iter().map(|token| token.to_ascii_lowercase()));
        Crawlers {
            all: vec![nobody("people and browsers"), nobody("other crawlers")],
            by_token: HashMap::new(),
            by_agent: HashMap::new(),
            named,
            mine,
            unknown: 0,
            evidence,
        }
    }

    /// Returns the index of the crawler with this User-Agent. `None`: the log has no such field.
    pub(super) fn find(&mut self, agent: Option<&[u8]>) -> usize {
        let Some(agent) = agent else {
            return match self.mine.clone() {
                Some(token) => self.of_token(&token),
                None => PEOPLE,
            };
        };
        if let Some(found) = self.by_agent.get(agent) {
            return *found;
        }
        let found = match token(agent, &self.named) {
            Some(token) => self.of_token(token),
            None => PEOPLE,
        };
        if self.by_agent.len() >= MOST_AGENTS {
            self.by_agent.clear();
        }
        if agent.len() <= LONGEST_AGENT {
            self.by_agent.insert(agent.into(), found);
        }
        found
    }

    fn of_token(&mut self, token: &str) -> usize {
        let key = token.to_ascii_lowercase();
        if let Some(found) = self.by_token.get(&key) {
            return *found;
        }
        let preset = well_known(token);
        let is_mine = self
            .mine
            .as_deref()
            .is_some_and(|mine| mine.eq_ignore_ascii_case(token));
        if preset.is_none() && !is_mine {
            if self.unknown >= MOST_UNKNOWN {
                return OTHERS;
            }
            self.unknown += 1;
        }
        let reader = match preset {
            Some(preset) => preset.crawler(),
            None => Crawler::new(token),
        };
        let operator = preset.and_then(Operator::of);
        let proof = self.evidence.proof(token, preset, operator);
        self.all.push(Found {
            name: preset.map_or(token, |preset| preset.name()).to_owned(),
            preset,
            operator,
            reader: reader.unwrap_or_else(|_| Crawler::without_token()),
            is_mine,
            proof,
        });
        self.by_token.insert(key, self.all.len() - 1);
        self.all.len() - 1
    }
}

/// Returns the well-known crawler with this name. No crawler has the name of a control token.
fn well_known(token: impl AsRef<[u8]>) -> Option<Preset> {
    Preset::find(token).filter(|preset| !preset.is_control_token())
}

/// Returns the product token of a crawler; `None` for a User-Agent that names none.
fn token<'a>(agent: &'a [u8], named: &HashSet<String>) -> Option<&'a str> {
    let product = Crawler::token_from_user_agent(agent).ok();
    let is_named =
        |token: &&str| well_known(token).is_some() || named.contains(&token.to_ascii_lowercase());
    if let Some(token) = product.filter(is_named) {
        return Some(token);
    }
    let words = || {
        let parts = agent.split(|byte| byte.is_ascii_whitespace() || b";,()".contains(byte));
        let is_link =
            |part: &&[u8]| part.contains(&b'@') || memchr::memmem::find(part, b"//").is_some();
        let names = parts.filter(move |part| !is_link(part)).map(|part| {
            let end = memchr::memchr(b'/', part).unwrap_or(part.len());
            part.get(..end).unwrap_or_default()
        });
        names.filter_map(|name| std::str::from_utf8(name).ok())
    };
    // Some crawlers of Apple and Amazon stand in a comment without `compatible;`.
    if let Some(token) = words().find(|word| well_known(word).is_some()) {
        return Some(token);
    }
    let lower = agent.to_ascii_lowercase();
    let has = |text: &str| memchr::memmem::find(&lower, text.as_bytes()).is_some();
    if let Some(token) = product.filter(|token| says_crawler(token)) {
        return Some(token);
    }
    let is_token = |word: &&str| Dialect::Rfc9309.token_fault(word).is_none();
    if ["bot", "crawler", "spider"].into_iter().any(has) {
        if let Some(token) = words().filter(is_token).find(|word| says_crawler(word)) {
            return Some(token);
        }
    }
    // A crawler gives the address of its page.
    has("+http").then_some(product.unwrap_or("unnamed"))
}

/// Returns whether a name is that of a crawler by its words. A Cubot is a telephone.
fn says_crawler(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let has = |word: &str| name.contains(word);
    (has("bot") && name != "cubot") || has("crawler") || has("spider")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_agent_names_its_crawler() {
        let named = HashSet::from(["wget".to_owned()]);
        for (agent, wanted) in [
            (
                "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
                Some("Googlebot"),
            ),
            (
                "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/1.2.3.4 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
                Some("Googlebot"),
            ),
            (
                "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.1; +https://openai.com/gptbot)",
                Some("GPTBot"),
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
                Some("Applebot"),
            ),
            ("Googlebot-Image/1.0", Some("Googlebot-Image")),
            ("Wget/1.21.3", Some("Wget")),
            (
                "Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com)",
                Some("ExampleBot"),
            ),
            ("Mozilla/5.0 (X11; like MyCrawler)", Some("MyCrawler")),
            ("Scrapy/2.11 (+https://scrapy.org)", Some("Scrapy")),
            ("(+https://example.com)", Some("unnamed")),
            ("Google-Extended", None),
            (
                "Mozilla/5.0 (Linux; Android 9; CUBOT) AppleWebKit/537.36 Chrome/1 Mobile Safari/537.36",
                None,
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/115.0",
                None,
            ),
            ("curl/8.0", None),
            ("", None),
            ("\x1b[31m\u{9b}", None),
        ] {
            assert_eq!(token(agent.as_bytes(), &named), wanted, "{agent}");
        }
        assert_eq!(token(b"\xff\xfe(;,/bot", &named), None);
    }

    #[test]
    fn the_number_of_crawlers_is_bounded() {
        let mut crawlers = Crawlers::new(None, HashSet::new(), Evidence::default());
        for number in 0..10_000 {
            crawlers.find(Some(format!("a{number}bot").as_bytes()));
        }
        assert_eq!(crawlers.all.len(), MOST_UNKNOWN + 2);
        assert!(crawlers.by_agent.len() <= MOST_AGENTS);
        assert_eq!(crawlers.find(Some(b"OneMoreBot")), OTHERS);
        assert_ne!(crawlers.find(Some(b"A7BOT/2.0")), OTHERS);
        assert_ne!(crawlers.find(Some(b"GPTBot")), OTHERS);
    }
}
