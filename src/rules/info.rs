//! What compiled rules say of themselves, for people.

use crate::dialect::Dialect;
use crate::image::{VERSION, View, flag};
use crate::rules::Rules;

/// What compiled rules say of themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RulesInfo {
    /// The version of the image's format.
    pub format: u8,
    /// The dialect the rules were compiled in.
    pub dialect: Dialect,
    /// Some group of the file applies to the crawler (SPEC 7.1).
    pub has_group: bool,
    /// The whole site is allowed, whatever the URL.
    pub allows_all: bool,
    /// The whole site is disallowed, whatever the URL.
    pub disallows_all: bool,
}

impl Rules {
    /// What the rules say of themselves.
    ///
    /// ```
    /// let rules = robots::Crawler::new("ExampleBot")?.parse("user-agent: *\ndisallow: /a\n");
    /// assert!(rules.about().has_group);
    /// # Ok::<(), robots::Error>(())
    /// ```
    pub fn about(&self) -> RulesInfo {
        let image = View::new_trusted(self.image());
        let is = |bit| image.flags() & bit != 0;
        RulesInfo {
            format: VERSION,
            dialect: image.dialect().unwrap_or_default(),
            has_group: is(flag::GROUP),
            allows_all: is(flag::ALLOW_ALL),
            disallows_all: is(flag::DISALLOW_ALL),
        }
    }
}
