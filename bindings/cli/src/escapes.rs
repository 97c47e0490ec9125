//! Escapes for untrusted text on a terminal.

use std::borrow::Cow;

/// Returns whether a character moves the cursor of a terminal, or changes the direction of writing.
pub(crate) fn is_control(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Escapes untrusted bytes for a terminal: control characters and invalid UTF-8.
pub(crate) fn safe(text: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(text) {
        Ok(text) if !text.chars().any(is_control) => Cow::Borrowed(text),
        _ => Cow::Owned(escaped(text)),
    }
}

fn escaped(text: &[u8]) -> String {
    let mut out = String::new();
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                _ if is_control(character) => out.extend(character.escape_default()),
                _ => out.push(character),
            }
        }
        out.extend(chunk.invalid().escape_ascii().map(char::from));
    }
    out
}
