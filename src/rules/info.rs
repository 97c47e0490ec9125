//! Facts about compiled rules, for people.

use crate::dialect::Dialect;
use crate::image::{VERSION, View, flag};
use crate::rules::Rules;

/// Facts about compiled rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RulesInfo {
    /// The version of the image's format.
    pub format: u8,
    /// The dialect the rules were compiled in.
    pub dialect: Dialect,
    /// A group of the file applies to the crawler (SPEC 7.1).
    pub has_group: bool,
    /// Every URL of the site is allowed.
    pub allows_all: bool,
    /// Every URL of the site is disallowed, except /robots.txt.
    pub disallows_all: bool,
    /// The site is unreachable: no URL is allowed for now, except /robots.txt (SPEC 2).
    pub unreachable: bool,
}

impl Rules {
    /// Returns facts about the rules.
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
            unreachable: is(flag::UNREACHABLE),
        }
    }
}
