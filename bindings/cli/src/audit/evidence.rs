//! Whether a client is the crawler that its User-Agent claims.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::Arc;

use robots::Preset;
use serde_json::Value;

/// An operator of well-known crawlers.
#[derive(Debug)]
pub(super) struct Operator {
    pub(super) name: &'static str,
    /// The end of the host that documents its crawlers.
    site: &'static str,
    /// The domains of its crawlers that it documents. Nobody else can rent a host in them.
    domains: &'static [&'static str],
}

/// The operators. Those with domains document a reverse look-up. Google's googleusercontent.com is left out: its customers have
/// hosts there.
#[rustfmt::skip]
const OPERATORS: &[Operator] = &[
    // https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests
    Operator { name: "Google", site: "google.com", domains: &["googlebot.com", "google.com"] },
    // https://support.apple.com/en-us/119829
    Operator { name: "Apple", site: "apple.com", domains: &["applebot.apple.com"] },
    // https://www.bing.com/webmasters/help/how-to-verify-bingbot-3905dc26
    Operator { name: "Microsoft", site: "bing.com", domains: &["search.msn.com"] },
    // https://yandex.com/support/webmaster/en/robot-workings/check-yandex-robots
    Operator { name: "Yandex", site: "yandex.com", domains: &["yandex.ru", "yandex.net", "yandex.com"] },
    // https://help.baidu.com/question?prod_id=99&class=0&id=3001
    Operator { name: "Baidu", site: "baidu.com", domains: &["baidu.com", "baidu.jp"] },
    // https://webmaster.petalsearch.com/site/petalbot
    Operator { name: "Petal Search", site: "petalsearch.com", domains: &["petalsearch.com"] },
    // https://commoncrawl.org/ccbot
    Operator { name: "Common Crawl", site: "commoncrawl.org", domains: &["crawl.commoncrawl.org"] },
    // https://developer.amazon.com/amazonbot
    Operator { name: "Amazon", site: "amazon.com", domains: &["crawl.amazonbot.amazon"] },
    Operator { name: "DuckDuckGo", site: "duckduckgo.com", domains: &[] },
    Operator { name: "OpenAI", site: "openai.com", domains: &[] },
    Operator { name: "Anthropic", site: "claude.com", domains: &[] },
    Operator { name: "Perplexity", site: "perplexity.ai", domains: &[] },
    Operator { name: "Meta", site: "facebook.com", domains: &[] },
    Operator { name: "Mistral AI", site: "mistral.ai", domains: &[] },
    Operator { name: "Ahrefs", site: "ahrefs.com", domains: &[] },
    Operator { name: "Semrush", site: "semrush.com", domains: &[] },
    Operator { name: "Majestic", site: "mj12bot.com", domains: &[] },
    Operator { name: "Moz", site: "moz.com", domains: &[] },
];

/// Domains whose hosts anybody can rent. Such a host proves nothing, not even that a claim is false.
const RENTED: &[&str] = &[
    "googleusercontent.com",
    "amazonaws.com",
    "azure.com",
    "cloudapp.net",
];

impl Operator {
    /// Returns the operator of a well-known crawler.
    pub(super) fn of(preset: Preset) -> Option<&'static Operator> {
        let host = preset.documentation()?.split('/').nth(2)?;
        OPERATORS.iter().find(|operator| is_in(host, operator.site))
    }
}

/// Returns whether a name is that of a well-known crawler or of an operator, in any case.
pub(super) fn is_known(name: &str) -> bool {
    let mut operators = OPERATORS.iter();
    Preset::find(name).is_some()
        || operators.any(|operator| operator.name.eq_ignore_ascii_case(name))
}

/// Returns whether a host is a domain or in it.
fn is_in(host: &str, domain: &str) -> bool {
    let before = host.strip_suffix(domain);
    before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// What is known of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nothing was given to verify it with.
    Claimed,
    Verified,
    Unverified,
    False,
}

pub(super) const STANDINGS: [Standing; 4] = [
    Standing::Claimed,
    Standing::Verified,
    Standing::Unverified,
    Standing::False,
];

impl Standing {
    pub(super) fn text(self) -> &'static str {
        match self {
            Standing::Claimed => "claimed",
            Standing::Verified => "verified",
            Standing::Unverified => "not verified",
            Standing::False => "false",
        }
    }
}

/// First and last address, as numbers of IPv6.
type Range = (u128, u128);

/// What the caller gave to verify clients with.
#[derive(Default)]
pub(super) struct Evidence {
    /// By the name of a crawler or an operator, in lower case.
    ranges: Vec<(String, Vec<Range>)>,
    hosts: Arc<HashMap<IpAddr, Box<str>>>,
}

/// What proves the claim to be one crawler.
#[derive(Default)]
pub(super) struct Proof {
    /// Sorted; they do not overlap.
    ranges: Option<Vec<Range>>,
    domains: &'static [&'static str],
    hosts: Arc<HashMap<IpAddr, Box<str>>>,
}

impl Evidence {
    /// Adds the ranges that an operator publishes as JSON.
    pub(super) fn add_ranges(&mut self, name: &str, json: &[u8]) -> Result<(), String> {
        let published: Value = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        let prefixes = published.get("prefixes").and_then(Value::as_array);
        let prefixes = prefixes.ok_or(
            "it has no \"prefixes\": give the JSON that the operator publishes, {\"prefixes\": [{\"ipv4Prefix\": ...}]}",
        )?;
        let mut ranges = Vec::new();
        for prefix in prefixes {
            let text = prefix
                .get("ipv4Prefix")
                .or_else(|| prefix.get("ipv6Prefix"));
            let range = text.and_then(Value::as_str).and_then(range);
            let fault = || {
                format!(
                    "{prefix} is no range of addresses such as {{\"ipv4Prefix\": \"192.0.2.0/24\"}}"
                )
            };
            ranges.push(range.ok_or_else(fault)?);
        }
        let name = name.to_ascii_lowercase();
        match self.ranges.iter_mut().find(|(known, _)| *known == name) {
            Some((_, all)) => all.append(&mut ranges),
            None => self.ranges.push((name, ranges)),
        }
        Ok(())
    }

    /// Adds the hosts of a reverse look-up: lines of an address and a host.
    pub(super) fn add_hosts(&mut self, text: &str) -> Result<(), String> {
        let mut hosts = HashMap::new();
        for (index, line) in text.lines().enumerate() {
            let mut words = line.split_whitespace();
            let Some(address) = words.next().filter(|word| !word.starts_with('#')) else {
                continue;
            };
            let known = address_of(address.as_bytes()).zip(words.next());
            let Some((address, host)) = known.filter(|_| words.next().is_none()) else {
                return Err(format!(
                    "line {}: write an address, a blank and its host",
                    index + 1
                ));
            };
            let host = host.trim_end_matches('.').to_ascii_lowercase();
            hosts.insert(address, host.into());
        }
        self.hosts = Arc::new(hosts);
        Ok(())
    }

    /// Whether there is no evidence.
    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty() && self.hosts.is_empty()
    }

    /// Returns what proves the claim to be a crawler. Ranges with the name of a crawler are those of the crawlers that obey its group,
    /// too, such as Googlebot-Image.
    pub(super) fn proof(
        &self,
        token: &str,
        preset: Option<Preset>,
        operator: Option<&'static Operator>,
    ) -> Proof {
        let second = preset.and_then(|preset| preset.tokens().get(1).copied());
        let second = second.and_then(Preset::find).filter(|second| {
            let other = Operator::of(*second);
            other.map(|it| it.name) == operator.map(|it| it.name)
        });
        let own_names = [
            Some(token),
            second.map(|it| it.name()),
            operator.map(|it| it.name),
        ];
        let mut own = self.ranges.clone();
        own.retain(|(name, _)| {
            let mut names = own_names.iter().flatten();
            names.any(|own| own.eq_ignore_ascii_case(name))
        });
        let mut ranges: Vec<Range> = own.iter().flat_map(|(_, ranges)| ranges).copied().collect();
        ranges.sort_unstable();
        ranges.dedup_by(|next, kept| {
            let is_joined = next.0 <= kept.1;
            kept.1 = if is_joined {
                kept.1.max(next.1)
            } else {
                kept.1
            };
            is_joined
        });
        Proof {
            ranges: (!own.is_empty()).then_some(ranges),
            domains: operator.map_or(&[], |operator| operator.domains),
            hosts: self.hosts.clone(),
        }
    }
}

impl Proof {
    /// Returns what is known of the claim of a client with this address.
    pub(super) fn standing(&self, address: Option<&[u8]>) -> Standing {
        let has_hosts = !self.hosts.is_empty() && !self.domains.is_empty();
        if self.ranges.is_none() && !has_hosts {
            return Standing::Claimed;
        }
        let Some(address) = address.and_then(address_of) else {
            return Standing::Unverified;
        };
        let host = self.hosts.get(&address).filter(|_| has_hosts);
        let is_of =
            |domains: &[&str]| host.is_some_and(|host| domains.iter().any(|it| is_in(host, it)));
        let is_in_ranges = self.ranges.as_ref().map(|ranges| {
            let number = number(address);
            let end = ranges.partition_point(|(first, _)| *first <= number);
            let range = end.checked_sub(1).and_then(|index| ranges.get(index));
            range.is_some_and(|(_, last)| *last >= number)
        });
        if is_in_ranges == Some(true) || is_of(self.domains) {
            Standing::Verified
        } else if is_in_ranges == Some(false) || host.is_some() && !is_of(RENTED) {
            Standing::False
        } else {
            Standing::Unverified
        }
    }
}

/// Parses an address, perhaps with a port.
fn address_of(text: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(text).ok()?;
    let bare = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    let address = IpAddr::from_str(bare.unwrap_or(text)).ok();
    let address = address.or_else(|| Some(SocketAddr::from_str(text).ok()?.ip()))?;
    Some(address.to_canonical())
}

fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => address.to_bits(),
    }
}

fn range(prefix: &str) -> Option<Range> {
    let (address, len) = match prefix.split_once('/') {
        Some((address, len)) => (address, Some(len.parse::<u32>().ok()?)),
        None => (prefix, None),
    };
    let address = IpAddr::from_str(address).ok()?;
    let width = if address.is_ipv4() { 32 } else { 128 };
    let free = width - len.unwrap_or(width).min(width);
    let mask = u128::MAX.checked_shl(free).unwrap_or_default();
    let first = number(address) & mask;
    (len.is_none_or(|len| len <= width)).then_some((first, first | !mask))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    fn standing(evidence: &Evidence, name: &str, address: &str) -> Standing {
        let preset = Preset::find(name);
        let proof = evidence.proof(name, preset, preset.and_then(Operator::of));
        proof.standing(Some(address.as_bytes()))
    }

    #[test]
    fn ranges_verify_and_refute() {
        let mut evidence = Evidence::default();
        assert_eq!(
            standing(&evidence, "GPTBot", "192.0.2.1"),
            Standing::Claimed
        );
        let json = br#"{"creationTime": "2026-11-01", "prefixes": [{"ipv4Prefix": "192.0.2.0/28"}, {"ipv6Prefix": "2001:db8::/32"},
            {"ipv4Prefix": "192.0.2.3/32"}]}"#;
        evidence.add_ranges("gptbot", json).unwrap();
        for (address, wanted) in [
            ("192.0.2.15", Standing::Verified),
            ("::ffff:192.0.2.15", Standing::Verified),
            ("192.0.2.16", Standing::False),
            ("2001:db8:ffff::1", Standing::Verified),
            ("[2001:db8:ffff::1]:443", Standing::Verified),
            ("2001:db9::", Standing::False),
            ("unknown", Standing::Unverified),
        ] {
            assert_eq!(standing(&evidence, "GPTBot", address), wanted, "{address}");
            assert_eq!(
                standing(&evidence, "ChatGPT-User", address),
                Standing::Claimed
            );
        }
        evidence.add_ranges("Googlebot", json).unwrap();
        assert_eq!(
            standing(&evidence, "Googlebot-Image", "192.0.2.1"),
            Standing::Verified
        );
        assert_eq!(
            standing(&evidence, "AdsBot-Google", "192.0.2.1"),
            Standing::Claimed
        );
        // Applebot obeys the group of Googlebot, but is another operator's.
        assert_eq!(
            standing(&evidence, "Applebot", "192.0.2.1"),
            Standing::Claimed
        );
        for json in [
            "{}",
            r#"{"prefixes": [{"ipv4Prefix": "192.0.2.0/33"}]}"#,
            r#"{"prefixes": [{"ipv4Prefix": "x"}]}"#,
        ] {
            assert!(evidence.add_ranges("x", json.as_bytes()).is_err(), "{json}");
        }
    }

    #[test]
    fn hosts_verify_only_in_domains_that_nobody_rents() {
        let mut evidence = Evidence::default();
        let hosts = "# address host\n192.0.2.1 crawl-192-0-2-1.googlebot.com.\n192.0.2.2 2.2.0.192.bc.googleusercontent.com\n\
            192.0.2.3 evilgooglebot.com\n192.0.2.4 google.com.evil.example\n192.0.2.5 ec2-192-0-2-5.amazonaws.com\n";
        evidence.add_hosts(hosts).unwrap();
        for (address, wanted) in [
            ("192.0.2.1", Standing::Verified),
            ("192.0.2.2", Standing::Unverified),
            ("192.0.2.3", Standing::False),
            ("192.0.2.4", Standing::False),
            ("192.0.2.5", Standing::Unverified),
            ("192.0.2.9", Standing::Unverified),
        ] {
            assert_eq!(
                standing(&evidence, "Googlebot", address),
                wanted,
                "{address}"
            );
            assert_eq!(standing(&evidence, "GPTBot", address), Standing::Claimed);
        }
        assert_eq!(standing(&evidence, "bingbot", "192.0.2.1"), Standing::False);
        for rented in RENTED {
            let mut domains = OPERATORS.iter().flat_map(|operator| operator.domains);
            assert!(!domains.any(|domain| is_in(rented, domain) || is_in(domain, rented)));
        }
        assert!(evidence.add_hosts("192.0.2.1").is_err() && evidence.add_hosts("x y").is_err());
    }

    #[test]
    fn every_documented_crawler_has_an_operator() {
        for preset in Preset::all().filter(|preset| preset.documentation().is_some()) {
            assert!(Operator::of(preset).is_some(), "{}", preset.name());
        }
    }
}
