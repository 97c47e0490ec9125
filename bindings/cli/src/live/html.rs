//! The `<meta>` elements of an HTML page.

use html5gum::{DefaultEmitter, Token, Tokenizer};

/// An element `<meta name content>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) name: Vec<u8>,
    pub(crate) content: Vec<u8>,
}

/// Returns the `<meta>` elements with a name and a content, wherever they are on the page: robots move them into the head. Those
/// in comments, scripts, `<template>` and other text are no elements. Those in `<noscript>` are: a crawler without scripts reads
/// them. The page is in UTF-8, or in another encoding in which ASCII is ASCII.
pub(super) fn metas(page: &[u8]) -> Vec<Meta> {
    let (mut metas, noscripts) = metas_of(page);
    // A `<noscript>` holds no second one.
    metas.extend(noscripts.iter().flat_map(|text| metas_of(text).0));
    metas
}

/// Returns the elements outside of `<noscript>`, and the text of each `<noscript>`.
fn metas_of(page: &[u8]) -> (Vec<Meta>, Vec<Vec<u8>>) {
    let mut emitter = DefaultEmitter::default();
    // The text of `<script>`, `<noscript>`, `<title>` and others holds no elements.
    emitter.naively_switch_states(true);
    let mut metas = Vec::new();
    // Number of open elements whose contents are not on the page.
    let mut inert = 0_usize;
    let mut noscripts = Vec::new();
    let mut is_noscript = false;
    let is_inert = |name: &[u8]| matches!(name, b"template" | b"noframes");
    for token in Tokenizer::new_with_emitter(page, emitter) {
        match token {
            Ok(Token::StartTag(tag)) if is_inert(&tag.name) => inert += 1,
            Ok(Token::EndTag(tag)) if is_inert(&tag.name) => inert = inert.saturating_sub(1),
            Ok(Token::StartTag(tag)) if inert == 0 && **tag.name == *b"meta" => {
                let value = |name: &[u8]| tag.attributes.get(name).map(|value| value.to_vec());
                if let (Some(name), Some(content)) = (value(b"name"), value(b"content")) {
                    metas.push(Meta { name, content });
                }
            }
            Ok(Token::StartTag(tag)) => {
                is_noscript = inert == 0 && **tag.name == *b"noscript";
                if is_noscript {
                    noscripts.push(Vec::new());
                }
            }
            Ok(Token::EndTag(_)) => is_noscript = false,
            Ok(Token::String(text)) if is_noscript => {
                if let Some(own) = noscripts.last_mut() {
                    own.extend_from_slice(&text);
                }
            }
            Ok(_) => {}
            Err(never) => match never {},
        }
    }
    (metas, noscripts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn robots(page: &str) -> Vec<String> {
        let all = metas(page.as_bytes()).into_iter();
        all.map(|meta| String::from_utf8_lossy(&meta.content).into_owned())
            .collect()
    }

    #[test]
    fn elements_are_read_as_browsers_read_them() {
        for page in [
            "<meta name=robots content=noindex>",
            "<!doctype html><html><head><META CONTENT='noindex' NAME=\"robots\" /></head></html>",
            "<meta\n\tname = robots\n content = 'noindex'>",
            "<meta name=robots content='&#110;oindex'>",
            "<meta name=robots content=noindex name=other content=all>",
            "<body><p>text<meta name=robots content=noindex>",
            "<title><!-- </title><meta name=robots content=noindex>",
            "<!-- > --><meta name=robots content=noindex>",
            "<script>'<!--'</script><meta name=robots content=noindex><!-- -->",
            "<template></template><meta name=robots content=noindex>",
            "</template><meta name=robots content=noindex>",
            "<noscript><p><meta name=robots content=noindex></p></noscript>",
            "<noscript><!-- </noscript><noscript><meta name=robots content=noindex></noscript>",
            "<noscript><noscript><meta name=robots content=all></noscript><meta name=robots content=noindex>",
            "\u{feff}<p a='>'><meta name=robots content=noindex>",
        ] {
            assert_eq!(robots(page), ["noindex"], "{page}");
        }
    }

    #[test]
    fn text_that_looks_like_an_element_is_none() {
        for page in [
            "<!-- <meta name=robots content=noindex> -->",
            "<!--><!-- <meta name=robots content=noindex> --!>",
            "<script>document.write('<meta name=robots content=noindex>')</script>",
            "<script><!-- <script> <meta name=robots content=noindex> </script> --></script>",
            "<template><div><meta name=robots content=noindex></div></template>",
            "<noframes><meta name=robots content=noindex></noframes>",
            "<textarea><meta name=robots content=noindex></textarea>",
            "<title><meta name=robots content=noindex></title>",
            "<style><meta name=robots content=noindex></style>",
            "<iframe><meta name=robots content=noindex></iframe>",
            "<p title='<meta name=robots content=noindex>'>",
            "&lt;meta name=robots content=noindex>",
            "<metadata name=robots content=noindex>",
            "<meta property=robots content=noindex>",
            "<meta name=robots>",
            // A tag that is cut is none.
            "<meta name=robots content=noindex",
            "<plaintext><meta name=robots content=noindex>",
        ] {
            assert_eq!(robots(page), [""; 0], "{page}");
        }
    }
}
