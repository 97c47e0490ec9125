//! Policy tokens: group names that denote a purpose instead of a crawler (SPEC 9.8).

/// The known policy tokens. The drafts are not final; to add a token, add a row here.
const TOKENS: &[&str] = &["__usage_ai-training"];

/// Prefix of every policy token, including tokens of later drafts.
const PREFIX: &str = "__usage_";

/// Returns the known policy tokens (SPEC 9.8). A crawler that has a policy token obeys the groups that name this
/// token, as with any other token.
///
/// ```
/// let mut tokens = robots::policy_tokens();
/// let crawler = robots::Crawler::new(tokens.next().unwrap())?;
/// let body = "User-agent: __usage_ai-training\nDisallow: /art/\n\nUser-agent: *\nDisallow:\n";
/// assert!(!crawler.parse(body).is_allowed("/art/1"));
/// # Ok::<(), robots::Error>(())
/// ```
pub fn policy_tokens() -> impl ExactSizeIterator<Item = &'static str> {
    TOKENS.iter().copied()
}

/// Returns whether a name is a policy token, known or from a later draft (SPEC 9.8).
pub fn is_policy_token(name: impl AsRef<[u8]>) -> bool {
    let start = name.as_ref().get(..PREFIX.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(PREFIX.as_bytes()))
}
