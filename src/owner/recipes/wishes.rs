//! Defines what recipes mean: rules for crawlers, or a fault.

use core::fmt;

use crate::base::error::Error;

pub(super) type Fallible<T> = Result<T, RecipeFault>;

/// The title of the recipe `only-folder`.
pub(super) const ONLY_FOLDER: &str = "Crawlers may fetch these folders only.";

/// The title of the recipe `only`.
pub(super) const ONLY: &str = "Only these crawlers may come in.";

/// The titles of rules for the whole site that leave older rules in force.
pub(super) const MAY_STAY: [&str; 2] = [ONLY_FOLDER, ONLY];

/// The title of rules that are copied from another group.
pub(super) const BEFORE: &str = "It obeyed these rules before it had a group.";

/// Why recipes are not added to a file: a sentence that also says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeFault(String);

impl fmt::Display for RecipeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for RecipeFault {}

impl From<Error> for RecipeFault {
    fn from(error: Error) -> RecipeFault {
        RecipeFault(error.to_string())
    }
}

pub(super) fn fault<T>(text: impl Into<String>) -> Fallible<T> {
    Err(RecipeFault(text.into()))
}

/// A rule, and the title of its recipe.
#[derive(Clone)]
pub(super) struct RecipeRule {
    pub(super) allows: bool,
    pub(super) path: Vec<u8>,
    pub(super) title: &'static str,
    /// A line to copy instead of a path: a crawl-delay, or a rule that only google reads.
    pub(super) line: Option<Vec<u8>>,
}

impl RecipeRule {
    pub(super) fn new(allows: bool, path: impl Into<Vec<u8>>, title: &'static str) -> RecipeRule {
        RecipeRule {
            allows,
            path: path.into(),
            title,
            line: None,
        }
    }

    pub(super) fn site(allows: bool, title: &'static str) -> RecipeRule {
        RecipeRule::new(allows, "/", title)
    }

    /// Returns whether the rule comes from a recipe, and not from the rules that a crawler obeyed before.
    pub(super) fn is_of_recipe(&self) -> bool {
        self.title != BEFORE
    }

    pub(super) fn is_for_the_site(&self) -> bool {
        match self.path.as_slice() {
            [b'/', rest @ ..] => rest.iter().all(|byte| *byte == b'*'),
            [b'*', rest @ ..] => rest.iter().all(|byte| *byte == b'*'),
            _ => false,
        }
    }

    /// Returns the parts of the rule that crawlers read. The title is only a comment.
    pub(super) fn key(&self) -> (bool, Vec<u8>, Option<Vec<u8>>) {
        (self.allows, self.path.clone(), self.line.clone())
    }
}

/// Rules, and the names of the crawlers that they are for.
pub(super) struct RulesFor {
    pub(super) names: Vec<String>,
    pub(super) rules: Vec<RecipeRule>,
}

/// The crawlers that a wish is for.
#[derive(Clone)]
pub(super) enum Whom {
    /// Everyone except these crawlers, in each group of the file.
    AllBut(Vec<String>),
    /// The crawlers that no group names, if the file has no group of `*`.
    Star,
    Tokens(Vec<String>),
}

impl Whom {
    pub(super) const EVERYONE: Whom = Whom::AllBut(Vec::new());
}

/// A wish: the rules that a recipe means, and the crawlers that they are for.
pub(super) struct Wish {
    pub(super) whom: Whom,
    pub(super) rules: Vec<RecipeRule>,
    /// The name of the recipe. `None` for a second wish of a recipe for some crawlers: the wish about all other crawlers.
    pub(super) recipe: Option<&'static str>,
    /// The names of crawlers and operators in the request.
    pub(super) named: Vec<String>,
    /// The folders that the request writes without a last `/`.
    pub(super) bare: Vec<String>,
}

impl Wish {
    /// Returns whether the wish is for this crawler; false for [`Whom::Star`], whose crawlers no group names.
    pub(super) fn is_for(&self, agent: &str) -> bool {
        match &self.whom {
            Whom::AllBut(tokens) => !is_among(tokens, agent),
            Whom::Tokens(tokens) => is_among(tokens, agent),
            Whom::Star => false,
        }
    }

    /// Returns the crawlers that the wish names, as targets or as exceptions.
    pub(super) fn tokens(&self) -> &[String] {
        match &self.whom {
            Whom::AllBut(tokens) | Whom::Tokens(tokens) => tokens,
            Whom::Star => &[],
        }
    }

    /// If the wish is one rule for the whole site, returns whether that rule allows.
    pub(super) fn for_the_site(&self) -> Option<bool> {
        match &*self.rules {
            [rule] if rule.is_for_the_site() => Some(rule.allows),
            _ => None,
        }
    }

    /// Returns whether the wish names a crawler, as a target or as an exception.
    pub(super) fn names(&self, agent: &str) -> bool {
        is_among(self.tokens(), agent)
    }
}

/// Returns the name of a crawler for use in a sentence.
pub(super) fn shown(agent: &str) -> &str {
    if agent == "*" { "everyone else" } else { agent }
}

pub(super) fn is_among(names: &[String], name: &str) -> bool {
    names.iter().any(|other| other.eq_ignore_ascii_case(name))
}
