//! Conversions between the library's types and the oracle's. A test that uses it declares `mod oracle;`, too.

use crate::oracle;
use robots::api::READ_OPTIONS;
use robots::{Crawler, Dialect, Error, Reason, Rules, Verdict};

/// Returns the library's crawler for a setup of the oracle. Tokens that `Crawler::new` refuses are not validated:
/// Google's matcher accepts any.
pub fn crawler(setup: &oracle::Setup) -> Crawler {
    let tokens: Vec<&[u8]> = setup.tokens.iter().map(Vec::as_slice).collect();
    let checked = checked_crawler(setup)
        .unwrap_or_else(|_| Crawler::unchecked(&tokens, dialect(setup.dialect)));
    setup
        .options()
        .into_iter()
        .fold(checked, |crawler, (name, value)| {
            let rows = READ_OPTIONS.iter();
            let wanted = format!("ROBOTS_OPT_{}", name.to_uppercase());
            let row = rows.into_iter().find(|row| row.name == wanted);
            let number = row.expect("an option of src/crawler/options.rs").number;
            crawler.with_option(number, value).unwrap()
        })
}

/// Returns the library's crawler if all tokens are valid in its dialect.
pub fn checked_crawler(setup: &oracle::Setup) -> Result<Crawler, Error> {
    let mut tokens = setup.tokens.iter();
    let mut crawler = Crawler::new(tokens.next().ok_or(Error::Token)?)?;
    for token in tokens {
        crawler = crawler.with_token(token)?;
    }
    crawler.with_dialect(dialect(setup.dialect))
}

pub fn dialect(dialect: oracle::Dialect) -> Dialect {
    match dialect {
        oracle::Dialect::Rfc9309 => Dialect::Rfc9309,
        oracle::Dialect::Google => Dialect::Google,
        oracle::Dialect::Koster1996 => Dialect::Koster1996,
    }
}

/// Converts a verdict of the library; `None` if the oracle has no such reason or error.
pub fn answer(verdict: Verdict) -> Option<oracle::Answer> {
    let reason = match verdict.reason() {
        Reason::None => oracle::Reason::None,
        Reason::RuleAllowed => oracle::Reason::RuleAllowed,
        Reason::RuleDisallowed => oracle::Reason::RuleDisallowed,
        Reason::NoRule => oracle::Reason::NoRule,
        Reason::NoGroup => oracle::Reason::NoGroup,
        Reason::RobotsTxt => oracle::Reason::RobotsTxt,
        Reason::Unreachable => oracle::Reason::Unreachable,
        _ => return None,
    };
    let url_error = match verdict.error() {
        // SPEC 4.7: the body is an address.
        None | Some(Error::Argument) => false,
        Some(Error::Url) => true,
        Some(_) => return None,
    };
    Some(oracle::Answer {
        allowed: verdict.allowed(),
        reason,
        line: verdict.line(),
        url_error,
        site_wide: verdict.is_site_wide(),
    })
}

/// Compares the verdicts of library and oracle; the error shows both.
pub fn compare(rules: &Rules, site: &oracle::Site, url: &[u8]) -> Result<(), String> {
    let (engine, oracle) = (rules.check(url), site.decide(url));
    if answer(engine) == Some(oracle) && rules.is_allowed(url) == oracle.allowed {
        return Ok(());
    }
    Err(format!(
        "the engine says {engine:?}, the oracle {oracle:?}, of {}",
        url.escape_ascii()
    ))
}

/// Compares the verdict of parsed rules and the one that is decided without keeping them; the error shows both.
pub fn compare_once(
    crawler: &Crawler,
    body: &[u8],
    rules: &Rules,
    url: &[u8],
) -> Result<(), String> {
    let (once, kept) = (crawler.check_once(body, url), rules.check(url));
    if once == kept {
        return Ok(());
    }
    Err(format!(
        "once {once:?}, by parsed rules {kept:?}, of {}",
        url.escape_ascii()
    ))
}

/// Compares crawl-delay and sitemaps; the error shows both.
pub fn compare_extensions(rules: &Rules, site: &oracle::Site) -> Result<(), String> {
    let (engine, oracle) = (rules.crawl_delay(), site.crawl_delay);
    if engine.map(f64::to_bits) != oracle.map(f64::to_bits) {
        return Err(format!(
            "crawl-delay: the engine says {engine:?}, the oracle {oracle:?}"
        ));
    }
    let engine: Vec<&[u8]> = rules.sitemaps().collect();
    if engine != site.sitemaps {
        let show = |all: &[&[u8]]| {
            all.iter()
                .map(|s| s.escape_ascii().to_string())
                .collect::<Vec<_>>()
        };
        let oracle: Vec<&[u8]> = site.sitemaps.iter().map(Vec::as_slice).collect();
        return Err(format!(
            "sitemaps: the engine says {:?}, the oracle {:?}",
            show(&engine),
            show(&oracle)
        ));
    }
    Ok(())
}
