//! Table of the rules that a page can set, and the parsers of their values (SPEC 9.6).

use super::control::{Control, UNLIMITED};
use crate::bytes::list::saturating;
use crate::bytes::near_word::near_word;

/// A control and the value that a rule gives to it.
pub(super) type Effect = (Control, i64);

/// The rules without a value.
#[rustfmt::skip]
const WORDS: [(&str, &[Effect]); 15] = {
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
        // Words for uses that no control restricts ([`Uses`](crate::Uses) reads them, SPEC 13.2).
        ("noai",            &[]),
        ("noimageai",       &[]),
    ]
};

/// The effects of `nosnippet` and of the equal rule `max-snippet: 0`. Google's reference includes video previews.
pub(super) const NO_SNIPPET: &[Effect] = &[
    (Control::Snippet, 0),
    (Control::MaxSnippet, 0),
    (Control::MaxVideoPreview, 0),
];

/// The values of `max-image-preview`, the most restrictive first.
const PREVIEWS: [&str; 3] = ["none", "standard", "large"];

/// The rules with a value, each with the control that it sets.
const VALUED: [(&str, Control); 4] = [
    ("max-snippet", Control::MaxSnippet),
    ("max-image-preview", Control::MaxImagePreview),
    ("max-video-preview", Control::MaxVideoPreview),
    ("unavailable_after", Control::UnavailableAfter),
];

/// Returns the entry of `table` for the rule with this name, in any case.
fn find<T: Copy>(table: &[(&str, T)], name: &[u8]) -> Option<T> {
    let mut rows = table.iter();
    let row = rows.find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes()));
    row.map(|(_, value)| *value)
}

/// Returns the known rule that an unknown rule `text` probably misspells; `None` if there is none.
///
/// ```
/// assert_eq!(robots::near_page_rule(b"no-index"), Some("noindex"));
/// assert_eq!(robots::near_page_rule(b"max-snipet: 20"), Some("max-snippet"));
/// assert_eq!(robots::near_page_rule(b"noai"), None);
/// ```
pub fn near_page_rule(text: &[u8]) -> Option<&'static str> {
    let name = text.split(|byte| *byte == b':').next().unwrap_or(text);
    let words = WORDS.iter().filter(|(_, effects)| !effects.is_empty());
    let words = words.map(|(name, _)| *name);
    near_word(name, &mut words.chain(VALUED.iter().map(|(name, _)| *name)))
}

/// Returns the effects of a rule without a value; `None` if the rule is unknown.
pub(super) fn word(text: &[u8]) -> Option<&'static [Effect]> {
    find(&WORDS, text)
}

/// Returns the control that a rule with a value sets; `None` if the rule is unknown.
pub(super) fn valued(name: &[u8]) -> Option<Control> {
    find(&VALUED, name)
}

/// Parses the value of a rule: the name of a preview, or a number of at least -1, where -1 means no limit. A number above
/// `i64::MAX` becomes `i64::MAX`.
pub(super) fn limit(control: Control, value: &[u8]) -> Option<i64> {
    match value {
        _ if control == Control::MaxImagePreview => {
            let is_it = |name: &&str| value.eq_ignore_ascii_case(name.as_bytes());
            PREVIEWS.iter().position(is_it).map(|place| place as i64)
        }
        b"-1" => Some(UNLIMITED),
        _ => saturating(value).map(|number| i64::try_from(number).unwrap_or(i64::MAX)),
    }
}
