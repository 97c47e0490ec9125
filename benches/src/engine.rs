//! What a row measures of an engine: parse a body for one crawler, keep the rules, check URLs.

use crate::files::Body;

/// The product token every engine crawls as. Hardly a file names it, so the `*` groups decide, as for most crawlers.
pub const TOKEN: &str = "ExampleBot";

pub trait Engine: Sync {
    const NAME: &'static str;
    /// Bytes of a body that the engine reads; it is credited with no more.
    const READS: usize = usize::MAX;

    /// Whether there are rules to keep; else every question reads the body again.
    const KEEPS_RULES: bool = true;

    /// Whether the allocator of this program counts what the engine takes.
    const USES_OUR_HEAP: bool = true;

    /// Whether the engine can be measured: the C++ peers must have been built.
    fn is_there(&self) -> bool {
        true
    }

    /// What the engine keeps of a file, to decide any number of URLs.
    type Rules<'b>: Send + Sync;

    fn parse<'b>(&self, body: &'b Body) -> Self::Rules<'b>;

    /// Whether the engine made nothing of a file because it would not.
    fn refuses(&self, _rules: &Self::Rules<'_>) -> bool {
        false
    }

    /// Sitemaps the file names: the answer of the parse rows.
    fn sitemaps(&self, rules: &Self::Rules<'_>) -> usize;

    /// Whether an absolute URL may be fetched.
    fn allowed(&self, rules: &Self::Rules<'_>, url: &str) -> bool;

    /// Whether a URL may be fetched by a file; the engine keeps nothing.
    fn allowed_once(&self, body: &Body, url: &str) -> bool {
        self.allowed(&self.parse(body), url)
    }

    /// Whether a URL given as its path and query may be fetched.
    fn path_allowed(&self, rules: &Self::Rules<'_>, path: &str) -> bool {
        self.allowed(rules, path)
    }
}
