//! Policy tokens: names of groups that stand for a purpose, not for a crawler (SPEC 9.8).

/// The policy tokens that are known. The drafts are not final, so they are data: a new token is a new row.
const TOKENS: &[&str] = &["__usage_ai-training"];

/// How every policy token starts, those of later drafts included.
const PREFIX: &str = "__usage_";

/// Returns the policy tokens that are known (SPEC 9.8). A crawler with such a token reads the groups that name it, as for any
/// other token.
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

/// Returns whether a name is that of a policy token, known or of a later draft (SPEC 9.8).
pub fn is_policy_token(name: impl AsRef<[u8]>) -> bool {
    let start = name.as_ref().get(..PREFIX.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(PREFIX.as_bytes()))
}
