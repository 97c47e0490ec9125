//! SPEC 13: what a page may be used for, by asking every statement.

use super::page_controls::{self, Input};
use super::preferences::{Preferences, plain_dictionary};
use super::{Dialect, Reason, Setup, parse, paths, readings, winner};

/// A rule of tdmrep.json: location, value of the reservation, policy.
pub type TdmRule = (String, Option<&'static str>, Option<&'static str>);

/// All that a site and a page say.
#[derive(Clone, Debug)]
pub struct Statements {
    pub body: Option<Vec<u8>>,
    /// Headers and `<meta>` elements (name, value); `None`: not known.
    pub headers: Option<Vec<(&'static str, String)>>,
    pub metas: Vec<(&'static str, String)>,
    /// `None`: there is no file. `Some(None)`: it is damaged.
    pub tdm: Option<Option<Vec<TdmRule>>>,
}

/// A crawler: its tokens, and the control tokens of its operator with the purposes of each.
pub struct Crawler {
    pub setup: Setup,
    pub controls: &'static [(&'static str, Dialect, &'static [&'static str])],
}

/// `d`, `l` or `a` of 13.1, or `u`.
pub fn answer(crawler: &Crawler, said: &Statements, url: &[u8], purpose: &str) -> char {
    let mut all = Vec::new();
    let mut is_unread = said.body.is_none() || said.headers.is_none();
    let body = said.body.clone().unwrap_or_default();
    let site = parse(&crawler.setup, &body);
    if !site.decide(url).allowed {
        all.push('d');
    }
    // 13.3
    let policy = ("__usage_ai-training", Dialect::Rfc9309, &["training"][..]);
    for (name, dialect, purposes) in crawler.controls.iter().copied().chain([policy]) {
        if !purposes.contains(&purpose) {
            continue;
        }
        let mut setup = Setup::new(dialect, &[name.as_bytes()]);
        setup.ignore_star = true;
        let has_group = parse(&setup, &body).rule_count().is_some();
        setup.ignore_star = has_group || name == policy.0;
        match parse(&setup, &body).decide(url).reason {
            Reason::RuleDisallowed => all.push('d'),
            Reason::RuleAllowed if has_group => all.push('a'),
            _ => {}
        }
    }
    // 13.2: the preferences of the file, and of the headers
    let headers = said.headers.clone().unwrap_or_default();
    let of_name = |name: &str| {
        let values = headers.iter().filter(|(is, _)| *is == name);
        values.map(|(_, value)| value.as_str()).collect::<Vec<_>>()
    };
    let usage_values = of_name("Content-Usage").into_iter();
    let usage_values: Vec<_> = usage_values
        .map(|value| value.trim_matches([' ', '\t']))
        .collect();
    let mut usage: Vec<_> = plain_dictionary(usage_values.join(", ").as_bytes());
    let file: Preferences = site.preferences(url, plain_dictionary).unwrap();
    let mut signals = super::preferences::signals(of_name("Content-Signal").join(",").as_bytes());
    for ((vocabulary, label), choice) in file {
        match vocabulary {
            "usage" => usage.push((label, choice)),
            _ => signals.push((label, choice)),
        }
    }
    let labels = match purpose {
        "search" => ["search", "search"],
        "ai_search" | "user_request" => ["ai-input", ""],
        "training" => ["ai-train", "train-ai"],
        _ => ["", ""],
    };
    for (list, known) in [signals, usage].into_iter().zip(labels) {
        for (label, choice) in list {
            match choice {
                'y' if label == known.as_bytes() => all.push('a'),
                'n' if label == known.as_bytes() => all.push('d'),
                _ => {}
            }
        }
    }
    // 13.5
    let has_lines = site.decide(url).allowed && !site.is_robots_txt(url);
    let lines = site.licenses().into_iter().filter(|_| has_lines);
    let lines = lines.map(|line| String::from_utf8_lossy(&line).into_owned());
    let lines = lines.filter(|url| is_absolute(url));
    let links = of_name("Link").into_iter().map(|link| {
        let target = link
            .strip_prefix('<')
            .and_then(|link| link.strip_suffix(">; rel=license"));
        target.unwrap_or_default().to_owned()
    });
    all.extend(
        lines
            .chain(links.filter(|url| !url.is_empty()))
            .map(|_| 'l'),
    );
    // 13.2: page rules
    let tags = of_name("X-Robots-Tag").into_iter();
    let tags = tags.map(|tag| Input::XRobotsTag(tag.as_bytes().to_vec()));
    let metas = said.metas.iter().filter(|(name, _)| *name == "robots");
    let metas =
        metas.map(|(name, value)| Input::Meta(name.as_bytes().to_vec(), value.as_bytes().to_vec()));
    if said.headers.is_some() {
        let inputs: Vec<_> = tags.chain(metas).collect();
        let page = page_controls::read(&crawler.setup.tokens, &inputs);
        let has = |word: &str| {
            let mut unknown = page.unknown.iter().flat_map(|rule| rule.split(' '));
            unknown.any(|is| is.eq_ignore_ascii_case(word))
        };
        let is_zero = |control: &str| page.values.get(control) == Some(&0);
        let is_ai = matches!(purpose, "ai_search" | "training");
        let is_denied = is_zero("index") && matches!(purpose, "search" | "ai_search")
            || is_zero("snippet") && purpose == "ai_search"
            || is_zero("archive") && purpose == "archive"
            || has("noai") && is_ai
            || has("noimageai") && purpose == "training";
        all.extend(is_denied.then_some('d'));
    }
    // 13.4
    if matches!(purpose, "ai_search" | "training") {
        is_unread |= said.tdm == Some(None);
        let file = said.tdm.clone().flatten().unwrap_or_default();
        let metas = if said.headers.is_some() {
            &said.metas[..]
        } else {
            &[]
        };
        let places = [metas, &headers].map(|list| {
            let of = |name: &str| {
                list.iter()
                    .filter(|(is, _)| *is == name)
                    .map(|(_, value)| value.as_str())
                    .collect::<Vec<_>>()
            };
            let reservations = of("tdm-reservation");
            let is = |value: &str| reservations.contains(&value);
            let reserved = is("1").then_some(true).or(is("0").then_some(false));
            (
                reserved,
                of("tdm-policy").first().map(|policy| (*policy).to_owned()),
            )
        });
        let first = |url: &[u8]| {
            let is_robots_txt = url == b"/robots.txt";
            let mut rules = file.iter().filter(|_| !is_robots_txt);
            rules.find(|(location, ..)| {
                let rule = super::groups::Rule {
                    line: 1,
                    allow: false,
                    path: paths::canonical_rule(Dialect::Rfc9309, location.as_bytes()),
                };
                !winner::matching(Dialect::Rfc9309, &[rule], url).is_empty()
            })
        };
        let reservation = |rule: &TdmRule| match rule.1 {
            Some("1") => Some(true),
            Some("0") => Some(false),
            _ => None,
        };
        // Each reading for itself; the most restrictive of them counts.
        let readings = readings::readings(Dialect::Rfc9309, url).into_iter();
        let said = readings.map(|url| {
            let file = first(&url);
            let of_file = file.map(|rule| (reservation(rule), rule.2.map(str::to_owned)));
            let places = places.iter().cloned().chain(of_file);
            let places: Vec<(Option<bool>, Option<String>)> = places.collect();
            let reserved = places.iter().find_map(|(reserved, _)| *reserved);
            let policy = places.iter().find_map(|(_, policy)| policy.clone());
            match reserved {
                Some(true) if policy.is_some_and(|policy| is_absolute(&policy)) => 'l',
                Some(true) => 'd',
                Some(false) => 'a',
                None => 'u',
            }
        });
        let said: Vec<char> = said.collect();
        all.extend("dla".chars().find(|says| said.contains(says)));
    }
    let has = |says: char| all.contains(&says);
    match () {
        () if has('d') => 'd',
        () if has('l') => 'l',
        () if is_unread => 'u',
        () if has('a') => 'a',
        () => 'u',
    }
}

/// The generated addresses are absolute if they have a scheme.
fn is_absolute(url: &str) -> bool {
    url.starts_with("https://")
}
