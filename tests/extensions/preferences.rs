//! SPEC 9.4, 9.5: the preferences for a URL.

use super::{preferences, preferences_of};
use robots::{Crawler, Dialect, Error, Purpose, Uses};

/// SPEC 9.4: of the group obeyed and of no group; no wins; absence says nothing; unknown keys are kept.
#[test]
pub(crate) fn spec_9_4_content_signals() {
    let body = "Content-Signal: search=no, ai-input=yes, file=no
User-agent: *
Content-Signal: search=no
Disallow: /
User-agent: ExampleBot
Disallow: /closed
Content-Signal: search=yes,ai-train=no , X=perhaps, y, =no,,z=
content-signal: AI-TRAIN=YES, ai-train=Yes
User-agent: OtherBot
Content-Signal: other=no
";
    let all = "s ai-input=y@1, s ai-train=n@7, s file=n@1, s search=n@1, s x=?@7, s y=?@7, s z=?@7";
    assert_eq!(preferences(body, "/open"), all);
    assert_eq!(preferences(body, "/closed/x"), "");
    assert_eq!(preferences(body, "/robots.txt"), "");
    assert_eq!(preferences("Content-Signal: a=yes\n", "/x"), "s a=y@1");
}

/// SPEC 9.5: the example of draft-ietf-aipref-attach.
#[test]
pub(crate) fn spec_9_5_the_example_of_the_draft() {
    let body = "User-Agent: *
Allow: /
Disallow: /never/
Content-Usage: / train-ai=n
Content-Usage: /ai-ok/ train-ai=y

User-Agent: ExampleBot
Allow: /
Content-Usage: / train-ai=y
";
    let of = |token: &str, url| preferences_of(token, Dialect::Rfc9309, body, url);
    assert_eq!(of("SomeBot", "/test"), "u train-ai=n@4");
    assert_eq!(of("SomeBot", "https://example.com/never/test"), "");
    assert_eq!(of("SomeBot", "/ai-ok/test"), "u train-ai=y@5");
    assert_eq!(of("ExampleBot", "/never/test"), "u train-ai=y@9");
}

/// SPEC 9.5: the longest path wins whole; equal paths combine, `n` wins; without a path it is `/`.
#[test]
pub(crate) fn spec_9_5_paths() {
    let body = "User-agent: *
Content-Usage: train-ai=n, search=y
Content-Usage: /a\ttrain-ai=y
Content-Usage: /a train-ai=n, x=y
Content-Usage: /%61 x=1
Content-Usage: /b$ b=y
Content-Usage: /*.png c=y
Content-Usage: *.gif=y
Content-Usage: /broken train-ai=
Content-Usage: /nothing
";
    assert_eq!(
        preferences(body, "/"),
        "u *.gif=y@8, u search=y@2, u train-ai=n@2"
    );
    assert_eq!(preferences(body, "/a/b"), "u train-ai=n@4, u x=y@4");
    assert_eq!(preferences(body, "/b"), "u b=y@6");
    assert_eq!(preferences(body, "/b/x.png?q"), "u c=y@7");
    assert_eq!(preferences(body, "/broken"), "");
    assert_eq!(preferences(body, "/nothing/x"), "");
    assert_eq!(preferences(body, "/robots.txt"), "");
    // Of another length, of another kind: `/a*` and `/ab` are both of three bytes.
    let wild = "User-agent: *\nContent-Usage: /a* p=y\nContent-Usage: /ab p=n\n";
    assert_eq!(preferences(wild, "/abc"), "u p=n@3");
    assert_eq!(preferences(wild, "/acc"), "u p=y@2");
    // In no group it holds for every crawler.
    let outside = "Content-Usage: train-ai=n\nContent-Usage: /a b=y\nUser-agent: *\nContent-Usage: / train-ai=y\n";
    assert_eq!(preferences(outside, "/x"), "u train-ai=n@1");
    assert_eq!(preferences(outside, "/a"), "u b=y@2");
    let uses = Uses::new(&Crawler::new("ExampleBot").unwrap(), None, Some(body)).unwrap();
    let answer = uses.use_for("no url", Purpose::Training, None);
    assert_eq!(answer.err(), Some(Error::Url));
}

/// SPEC 9.5 and 5.1: white space is what the dialect takes for it.
#[test]
pub(crate) fn spec_9_5_white_space() {
    let of = |dialect, body: &str, url: &str| preferences_of("ExampleBot", dialect, body, url);
    // A form feed is none in rfc9309: with it nothing is a dictionary.
    let feed = "User-agent: *\nContent-Usage: /a \x0Cp=y\n";
    assert_eq!(of(Dialect::Rfc9309, feed, "/a"), "");
    assert_eq!(of(Dialect::Google, feed, "/a"), "u p=y@2");
    // With it the paths are equal in google.
    let equal = "User-agent: *\nContent-Usage: /a\x0B p=y\nContent-Usage: /a p=n\n";
    assert_eq!(of(Dialect::Rfc9309, equal, "/a%0B"), "u p=y@2");
    assert_eq!(of(Dialect::Google, equal, "/a"), "u p=n@3");
}

/// SPEC 9.5: in koster1996, too, the longest path wins; it has no wildcards.
#[test]
pub(crate) fn spec_9_5_koster() {
    let body = "User-agent: *\nContent-Usage: /a p=y\nContent-Usage: /a/b p=n\nContent-Usage: /%61 q=n\nContent-Usage: /* r=n\n";
    let of = |url| preferences_of("ExampleBot", Dialect::Koster1996, body, url);
    assert_eq!(of("/a/b"), "u p=n@3");
    assert_eq!(of("/a/c"), "u p=y@2, u q=n@4");
    assert_eq!(of("/x"), "");
}
