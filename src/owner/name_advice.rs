//! What people mean by a name that no well-known crawler has.

use super::lint::{Code, lint};
use super::recipes::listed;
use crate::crawler::Crawler;
use crate::crawler::operator::operator_tokens;
use crate::crawler::preset::{Preset, Purpose};

/// Returns what is probably meant by a name that no well-known crawler has, as a sentence without a period; `None` if the name
/// may be right. `all` follows a list of names, and says where all names are.
///
/// ```
/// let advice = robots::name_advice("Bing", "");
/// assert_eq!(advice.as_deref(), Some("Bing names an operator, not a crawler; its crawlers: bingbot"));
/// assert_eq!(robots::name_advice("ExampleBot", ""), None);
/// ```
pub fn name_advice(name: &str, all: &str) -> Option<String> {
    let is_token = |token: &&str| token.eq_ignore_ascii_case(name);
    if Preset::all().any(|preset| preset.tokens().iter().any(is_token)) {
        return None;
    }
    let own: Vec<&str> = operator_tokens(name.as_bytes()).collect();
    if own.contains(&"*") {
        return Some(format!("{name} names no crawler: everyone is `*`"));
    }
    if let Some(purpose) = Purpose::meant_by(name, false).next() {
        let own = Preset::all().filter(|preset| preset.purpose() == purpose);
        let own = own.map(|preset| preset.name()).collect::<Vec<_>>();
        return Some(format!(
            "{name} names a purpose, not a crawler: write a name such as {}{all}",
            listed(&own)
        ));
    }
    if !own.is_empty() {
        return Some(format!(
            "{name} names an operator, not a crawler; its crawlers: {}{all}",
            listed(&own)
        ));
    }
    // The name is a token: it cannot break the line.
    let file = format!("User-agent: {name}\nDisallow: /x\n");
    let report = lint(&Crawler::new(name).ok()?, file.as_bytes()).ok()?;
    let mut found = report.diagnostics().iter();
    let found = found.find(|found| found.code == Code::AgentNearMiss)?;
    let next = found.suggestion.as_deref().unwrap_or_default();
    Some(format!("{}: {next}", found.message))
}
