//! The form of a URL that every client sends unchanged (SPEC 8.11).

use std::borrow::Cow;

use crate::base::error::Error;
use crate::base::limits::MAX_PATH;
use crate::bytes::try_alloc::reserved;
use crate::url::canonical::{escape, hex};
use crate::url::{origin, reading};

/// Returns the form of an absolute URL to check and then to send: each HTTP client sends it byte for byte, so one reading
/// decides (SPEC 8.11). The result is borrowed if the URL has that form.
///
/// It starts with the key of the [`Origin`](crate::Origin), without user name and password. The path is the one that a browser
/// requests. Path and query have only the ASCII characters of RFC 3986; escapes are in upper case, and none is of an unreserved
/// character. There is no empty query and no fragment. If the URL is allowed, so is its form.
///
/// ```
/// let form = robots::url_to_send("HTTPS://Example.com:443/a/../caf\u{e9} %7euser\\?#top")?;
/// assert_eq!(form, "https://example.com/caf%C3%A9%20~user/");
/// # Ok::<(), robots::Error>(())
/// ```
///
/// # Errors
/// [`Error::Scheme`] and [`Error::Url`] as [`Origin::from_url`](crate::Origin::from_url); [`Error::Url`] if path and query have
/// more than 64 KiB in that form; [`Error::Memory`].
pub fn url_to_send<U: AsRef<[u8]> + ?Sized>(url: &U) -> Result<Cow<'_, str>, Error> {
    to_send(url.as_ref())
}

/// Implements [`url_to_send`].
#[allow(clippy::expect_used, reason = "an invariant")]
pub(crate) fn to_send(url: &[u8]) -> Result<Cow<'_, str>, Error> {
    let key = origin::key(url)?;
    if url.strip_prefix(key.as_bytes()).is_some_and(is_form) {
        let form = core::str::from_utf8(url).expect("key and form are ASCII");
        return Ok(Cow::Borrowed(form));
    }
    let form = reading::of_browsers(url, |path| {
        // An escape has three bytes.
        let mut form = reserved(key.len() + path.len() * 3)?;
        form.extend_from_slice(key.as_bytes());
        append(path, &mut form);
        if form.len() - key.len() > MAX_PATH {
            return Err(Error::Url);
        }
        Ok(form)
    })??;
    let form = String::from_utf8(form).expect("key and form are ASCII");
    Ok(Cow::Owned(form))
}

/// Returns whether the rest of a URL after its key certainly has the form. False negatives are allowed.
fn is_form(path: &[u8]) -> bool {
    // `%` is not kept: it may escape an unreserved byte.
    let is_kept = |byte: &u8| *byte != b'\'' && is_allowed(*byte);
    path.first() == Some(&b'/')
        && path.len() <= MAX_PATH
        && path.iter().all(is_kept)
        && reading::is_single(path)
        && !ends_with_parameter(path)
}

/// Returns whether the path before the query ends with `;`, which urllib and Scrapy remove.
fn ends_with_parameter(path: &[u8]) -> bool {
    let mut parts = path.split(|byte| *byte == b'?');
    parts.next().is_some_and(|path| path.ends_with(b";"))
}

/// Appends a path and its query to a form.
fn append(path: &[u8], form: &mut Vec<u8>) {
    let mut in_query = false;
    let mut rest = path;
    while let [byte, others @ ..] = rest {
        rest = others;
        let escaped = match rest {
            [high, low, ..] if *byte == b'%' => hex(*high).zip(hex(*low)),
            _ => None,
        };
        if let Some((high, low)) = escaped {
            rest = rest.get(2..).unwrap_or_default();
            match high << 4 | low {
                value if is_unreserved(value) => form.push(value),
                value => form.extend(escape(value)),
            }
            continue;
        }
        let is_end = matches!(rest, [] | [b'?', ..]);
        match byte {
            b'?' if !in_query && rest.is_empty() => {}
            b';' if !in_query && is_end => form.extend(escape(b';')),
            b'\'' if in_query => form.extend(escape(b'\'')),
            byte if is_allowed(*byte) => form.push(*byte),
            byte => form.extend(escape(*byte)),
        }
        in_query |= *byte == b'?';
    }
}

/// Returns whether a path and query may have this byte (RFC 3986, sections 3.3 and 3.4).
fn is_allowed(byte: u8) -> bool {
    is_unreserved(byte)
        || matches!(
            byte,
            b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'='
        )
        || matches!(byte, b':' | b'@' | b'/' | b'?')
}

/// Returns whether a byte is unreserved (RFC 3986, section 2.3).
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{Crawler, Dialect, Origin};
    use proptest::prelude::*;

    fn form(url: &str) -> String {
        url_to_send(url).unwrap().into_owned()
    }

    /// The table of SPEC 8.11 shows what each client sends for these URLs.
    #[test]
    fn spec_8_11_the_form_to_send() {
        for (url, sent) in [
            ("https://h/x.pdf?", "https://h/x.pdf"),
            ("https://h/x?#f", "https://h/x"),
            ("https://h", "https://h/"),
            ("https://h?q", "https://h/?q"),
            ("https://h/a;", "https://h/a%3B"),
            ("https://h/a;?q;", "https://h/a%3B?q;"),
            ("https://h/prive\u{301}", "https://h/prive%CC%81"),
            ("https://h/pri\u{c}vate", "https://h/pri%0Cvate"),
            ("https://h/a/../..//private", "https://h//private"),
            ("https://h/p?a b", "https://h/p?a%20b"),
            ("https://h/p\u{3000}", "https://h/p%E3%80%80"),
            ("https://h/ok%7E%", "https://h/ok~%25"),
            (
                "https://h/private%2fmy file",
                "https://h/private%2Fmy%20file",
            ),
            ("https://h/it's?it's", "https://h/it's?it%27s"),
            ("https://h/%%32e", "https://h/%252e"),
            ("https://h/a/.%2\te/b \x01", "https://h/b"),
            ("https://u:p@H:0443/[a]?[b]", "https://h/%5Ba%5D?%5Bb%5D"),
            ("ftp://h/a\\b?c\\d", "ftp://h/a/b?c%5Cd"),
        ] {
            assert_eq!(form(url), sent, "{url:?}");
        }
        assert_eq!(url_to_send("https://h\\x/"), Err(Error::Url));
        assert_eq!(url_to_send("/path"), Err(Error::Url));
        assert_eq!(url_to_send("gopher://h/"), Err(Error::Scheme));
        let long = |len| ["https://h/", &"a".repeat(len)].concat();
        assert!(url_to_send(&long(MAX_PATH - 1)).is_ok());
        assert_eq!(url_to_send(&long(MAX_PATH)), Err(Error::Url));
        assert_eq!(
            url_to_send(&[&long(MAX_PATH - 3), " b"].concat()),
            Err(Error::Url)
        );
    }

    fn urls() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "a", "B", "7", "-", "~", "/", "//", "\\", ".", "..", "/../", "/./", "%2e", "%2E", "%",
            "%4", "%41", "%2f", "%3f", "%25", "%zz", "%c3%A9", "é", "\u{301}", "\t", "\n", "\x0c",
            "\x7f", " ", "?", "#", ";", "'", "*", "$", "+", "&", "=", "[", "|", "\"", "\u{3000}",
            "private",
        ]);
        let host = prop::sample::select(vec![
            "https://h/",
            "HTTP://u@Ex%61mple.com:80/",
            "https://h",
            "ftp://[::1]:2121/",
        ]);
        (host, prop::collection::vec(pieces, 0..10))
            .prop_map(|(host, path)| [host, &path.concat()].concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        /// The form is its own form, has one reading and keeps the origin. The crate `url`, one of the clients, does not change
        /// it.
        #[test]
        fn the_form_is_sent_unchanged(url in urls()) {
            let Ok(form) = url_to_send(&url) else {
                prop_assert!(Origin::from_url(&url).is_err());
                return Ok(());
            };
            prop_assert_eq!(&*url_to_send(&*form).unwrap(), &*form, "{:?}", url);
            prop_assert!(matches!(url_to_send(&*form), Ok(Cow::Borrowed(_))) || form.contains(['%', '\'']), "{}", form);
            let origin = Origin::from_url(&url).unwrap();
            let path = form.strip_prefix(origin.key()).unwrap();
            prop_assert!(reading::is_single(path.as_bytes()), "{}", form);
            prop_assert!(path.bytes().all(|byte| is_allowed(byte) || byte == b'%'), "{}", form);
            let parsed = url::Url::parse(&form).unwrap();
            prop_assert_eq!(parsed.as_str(), &*form);
            let (path, query) = path.split_once('?').unwrap_or((path, "q"));
            prop_assert!(!path.ends_with(';') && !query.is_empty(), "{}", form);
        }

        /// If a URL is allowed, its form is allowed.
        #[test]
        fn the_form_of_an_allowed_url_is_allowed(
            url in urls(),
            rule in prop::collection::vec(prop::sample::select(vec![
                "a", "B", "7", "/", "//", ".", "..", "%2e", "%25", "%", "é", "%C3%A9", "*", "$", "?", ";", "'", "private", " ",
            ]), 0..6),
            tail in prop::sample::select(vec!["", "*", "$", "/"]),
        ) {
            let file = ["user-agent: *\ndisallow: /", &rule.concat(), tail, "\nallow: /a"].concat();
            let Ok(form) = url_to_send(&url) else {
                return Ok(());
            };
            for dialect in [Dialect::Rfc9309, Dialect::Koster1996] {
                let rules = Crawler::new("x").unwrap().with_dialect(dialect).unwrap().parse(&file);
                prop_assert!(!rules.is_allowed(&url) || rules.is_allowed(&*form), "{:?} {:?} {}", file, url, form);
            }
        }
    }
}
