//! Table of the rules that a page can set, and the parsers of their values (SPEC 9.6).

use super::control::{Control, UNLIMITED};
use crate::bytes::list::saturating;

/// A control and the value that a rule gives to it.
pub(super) type Effect = (Control, i64);

/// The rules without a value.
#[rustfmt::skip]
const WORDS: [(&str, &[Effect]); 13] = {
    use Control::*;
    [
        ("all",             &[(Index, 1), (Follow, 1)]),
        ("index",           &[(Index, 1)]),
        ("follow",          &[(Follow, 1)]),
        ("archive",         &[(Archive, 1)]),
        ("none",            &[(Index, 0), (Follow, 0)]),
        ("noindex",         &[(Index, 0)]),
        ("nofollow",        &[(Follow, 0)]),
        ("noarchive",       &[(Archive, 0)]),
        ("nocache",         &[(Archive, 0)]),
        ("nosnippet",       NO_SNIPPET),
        ("notranslate",     &[(Translate, 0)]),
        ("noimageindex",    &[(ImageIndex, 0)]),
        ("indexifembedded", &[(IndexIfEmbedded, 1)]),
    ]
};

/// `nosnippet` also forbids video previews, and `max-snippet: 0` equals `nosnippet` (Google's reference).
pub(super) const NO_SNIPPET: &[Effect] = &[
    (Control::Snippet, 0),
    (Control::MaxSnippet, 0),
    (Control::MaxVideoPreview, 0),
];

/// The values of `max-image-preview`, from the most restrictive.
const PREVIEWS: [&str; 3] = ["none", "standard", "large"];

/// A rule with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Valued {
    MaxSnippet,
    MaxImagePreview,
    MaxVideoPreview,
    UnavailableAfter,
}

/// The names of the rules with a value.
const VALUED: [(&str, Valued); 4] = [
    ("max-snippet", Valued::MaxSnippet),
    ("max-image-preview", Valued::MaxImagePreview),
    ("max-video-preview", Valued::MaxVideoPreview),
    ("unavailable_after", Valued::UnavailableAfter),
];

/// Returns the effects of a rule without a value, in any case; `None` if the rule is unknown.
pub(super) fn word(text: &[u8]) -> Option<&'static [Effect]> {
    let is_it = |(name, _): &&(&str, _)| text.eq_ignore_ascii_case(name.as_bytes());
    WORDS.iter().find(is_it).map(|(_, effects)| *effects)
}

impl Valued {
    /// Returns the rule with this name, in any case.
    pub(super) fn from_name(name: &[u8]) -> Option<Valued> {
        let is_it = |(known, _): &&(&str, _)| name.eq_ignore_ascii_case(known.as_bytes());
        VALUED.iter().find(is_it).map(|(_, rule)| *rule)
    }
}

/// Returns the effect of a rule with a value; `None` if the value is invalid, or a date.
pub(super) fn limit(rule: Valued, value: &[u8]) -> Option<Effect> {
    match rule {
        Valued::MaxSnippet => Some((Control::MaxSnippet, number(value)?)),
        Valued::MaxVideoPreview => Some((Control::MaxVideoPreview, number(value)?)),
        Valued::MaxImagePreview => {
            let is_it = |name: &&str| value.eq_ignore_ascii_case(name.as_bytes());
            let place = PREVIEWS.iter().position(is_it)?;
            Some((Control::MaxImagePreview, place as i64))
        }
        Valued::UnavailableAfter => None,
    }
}

/// Parses a number of at least -1, where -1 means no limit. A larger number than `i64::MAX` becomes that.
fn number(text: &[u8]) -> Option<i64> {
    if text == b"-1" {
        return Some(UNLIMITED);
    }
    saturating(text).map(|number| i64::try_from(number).unwrap_or(i64::MAX))
}
