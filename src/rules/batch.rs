//! Checks many URLs in one call: one text and the offset of each URL.

use crate::error::Error;
use crate::matcher::decide::SAFE_PATH;
use crate::rules::{self, Rules};
use crate::url::reading;
use crate::verdict::Verdict;

/// The verdict on one URL of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum BatchVerdict {
    /// The URL may not be fetched.
    Disallowed = 0,
    /// The URL may be fetched.
    Allowed = 1,
    /// The text is not a URL (SPEC 8.5b), or the image is damaged.
    BadUrl = 2,
}

/// An offset into the text of a batch: `u32` or `u64`.
pub trait Offset: Copy + sealed::Sealed {
    /// Returns the offset as an index, if it fits `usize`.
    #[doc(hidden)]
    fn index(self) -> Option<usize>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
}

impl Offset for u32 {
    #[inline]
    fn index(self) -> Option<usize> {
        usize::try_from(self).ok()
    }
}

impl Offset for u64 {
    #[inline]
    fn index(self) -> Option<usize> {
        usize::try_from(self).ok()
    }
}

impl Rules {
    /// Checks many URLs: URL `i` is `text[offsets[i]..offsets[i + 1]]`, the layout of strings in Apache Arrow.
    /// Writes a number of [`BatchVerdict`] for each.
    ///
    /// # Errors
    /// [`Error::Argument`] if the offsets decrease, exceed `text`, or are not one more than `answers`. Then every
    /// answer is [`BatchVerdict::Disallowed`].
    pub fn check_batch<O: Offset>(
        &self,
        text: &[u8],
        offsets: &[O],
        answers: &mut [u8],
    ) -> Result<(), Error> {
        check(self.image(), text, offsets, answers)
    }

    /// Checks many URLs, wherever their bytes are: returns the verdict on each, in order. As
    /// [`Rules::check_batch`], it is fastest for URLs in order, which share their start with the one before.
    ///
    /// ```
    /// use robots::BatchVerdict::{Allowed, BadUrl, Disallowed};
    ///
    /// let rules = robots::Crawler::new("ExampleBot")?.parse("User-agent: *\nDisallow: /private/\n");
    /// let verdicts = rules.check_each(["/", "/private/a", "/private/b", "no-url"].map(str::as_bytes));
    /// assert!(verdicts.eq([Allowed, Disallowed, Disallowed, BadUrl]));
    /// # Ok::<(), robots::Error>(())
    /// ```
    pub fn check_each<'u>(
        &self,
        urls: impl IntoIterator<Item = &'u [u8]>,
    ) -> impl Iterator<Item = BatchVerdict> {
        let mut last = Last::NONE;
        urls.into_iter().map(move |url| {
            if !last.decides(url) {
                last = Last::new(self.image(), url);
            }
            last.answer
        })
    }
}

/// Implements [`Rules::check_batch`].
pub(crate) fn check<O: Offset>(
    image: &[u8],
    text: &[u8],
    offsets: &[O],
    answers: &mut [u8],
) -> Result<(), Error> {
    answers.fill(BatchVerdict::Disallowed as u8);
    // All offsets are validated first: with a bad one no URL is checked.
    let is_sound = offsets.len() == answers.len() + 1
        && offsets.is_sorted_by_key(|offset| offset.index())
        && offsets
            .iter()
            .all(|offset| offset.index().is_some_and(|index| index <= text.len()));
    if !is_sound {
        return Err(Error::Argument);
    }
    let mut last = Last::NONE;
    for (answer, (start, end)) in answers
        .iter_mut()
        .zip(offsets.iter().zip(offsets.iter().skip(1)))
    {
        let url = start
            .index()
            .zip(end.index())
            .and_then(|(start, end)| text.get(start..end))
            .unwrap_or_default();
        if !last.decides(url) {
            last = Last::new(image, url);
        }
        *answer = last.answer as u8;
    }
    Ok(())
}

#[inline(always)]
fn answer_of(verdict: Verdict) -> BatchVerdict {
    match verdict.error() {
        Some(_) => BatchVerdict::BadUrl,
        None if verdict.allowed() => BatchVerdict::Allowed,
        None => BatchVerdict::Disallowed,
    }
}

/// The last URL that was checked. In a sorted column many URLs start with the bytes that decided about the one before.
struct Last<'a> {
    /// The bytes that decide; none if they are not known. Less than eight decide about no other URL.
    start: &'a [u8],
    answer: BatchVerdict,
}

impl<'a> Last<'a> {
    /// No URL: it decides about no other.
    const NONE: Last<'static> = Last {
        start: &[],
        answer: BatchVerdict::Disallowed,
    };

    #[inline(always)]
    fn new(image: &[u8], url: &'a [u8]) -> Last<'a> {
        let decided = rules::check_start(image, url);
        Last {
            start: url.get(..decided.decisive).unwrap_or_default(),
            answer: answer_of(decided.verdict),
        }
    }

    /// Returns whether the verdict is that on `url`, too.
    #[inline(always)]
    fn decides(&self, url: &[u8]) -> bool {
        // The last eight bytes differ soonest. They are compared without a call.
        let end = self.start.len();
        let word = |text: &[u8]| Some(u64::from_le_bytes(*text.get(..end)?.last_chunk()?));
        match (word(self.start), word(url)) {
            // A dot segment in the rest would change what the start decides (SPEC 8.11). `/..` may begin in the start.
            (Some(last), Some(this)) if last == this && url.len() <= SAFE_PATH => {
                let rest = url.get(end - "/..".len()..).unwrap_or(url);
                url.starts_with(self.start) && reading::is_single(rest)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::crawler::Crawler;
    use crate::dialect::Dialect;

    const TEXT: &[u8] = b"/private/x/openrelativehttps://example.com/private/";
    const STARTS: [u8; 5] = [0, 10, 15, 23, 51];
    const ANSWERS: [u8; 4] = [0, 1, 2, 0];

    fn rules() -> Rules {
        let crawler = Crawler::new("ExampleBot").unwrap();
        crawler.parse("User-agent: *\nDisallow: /private/\n")
    }

    #[test]
    fn each_url_of_a_batch_gets_its_verdict() {
        let mut answers = [9; 4];
        let narrow = STARTS.map(u32::from);
        assert_eq!(rules().check_batch(TEXT, &narrow, &mut answers), Ok(()));
        assert_eq!(answers, ANSWERS);
        let mut answers = [9; 4];
        let wide = STARTS.map(u64::from);
        assert_eq!(rules().check_batch(TEXT, &wide, &mut answers), Ok(()));
        assert_eq!(answers, ANSWERS);
        // A batch of no URLs has one offset.
        assert_eq!(rules().check_batch(TEXT, &[7_u32], &mut []), Ok(()));
    }

    /// Each URL comes after those that share its start, of every length, and each verdict is that of the URL alone.
    #[test]
    fn urls_that_share_their_start_get_their_own_verdicts() {
        let body = "User-agent: *\nDisallow: /a\nAllow: /abcdefgh\nDisallow: /abcdefghijklmnopqrstuvwxyz\nDisallow: /r\n\
            Allow: /abcdefgh/0123456789\nDisallow: /shop/a/\nDisallow: /shop/ab\nAllow: /shop/abcdefghijklm/n\nDisallow: /%41b\n";
        let paths = [
            "/abcdefghijklmnopqrstuvwxyz/1",
            "/abcdefgh/0123456789?q=1#f",
            "/shop/abcdefghijklm/no/p",
            "/shop/a/b?c",
            "/Ab%2f#/a",
            "/robots.txt?a",
            "/r\u{e4}ume/%zz",
            "?q=/abcdefgh",
            "//a;b*c$",
            "/.hidden/..a/x",
        ];
        let mut urls: Vec<Vec<u8>> = Vec::new();
        for start in ["", "https://example.com", "http://a", "x://a/b"] {
            for path in paths {
                let url = format!("{start}{path}").into_bytes();
                for end in 0..=url.len() {
                    let start = url.get(..end).unwrap();
                    let more = [
                        "", "a", "#", "%41", "?", "a-longer", "z-longer", "/../a", "\\..\\", "\t",
                    ];
                    urls.extend(more.map(|more| [start, more.as_bytes()].concat()));
                }
            }
        }
        let in_order = urls.clone();
        urls.sort();
        for dialect in Dialect::ALL {
            let crawler = Crawler::new("ExampleBot").unwrap();
            for body in [body.to_owned(), format!("{body}Disallow: /*b$\n")] {
                let rules = crawler.clone().with_dialect(dialect).unwrap().parse(body);
                for urls in [&in_order, &urls] {
                    let ends = urls.iter().scan(0, |end, url| {
                        *end += url.len() as u64;
                        Some(*end)
                    });
                    let offsets: Vec<u64> = [0].into_iter().chain(ends).collect();
                    let mut answers = vec![9; urls.len()];
                    rules
                        .check_batch(&urls.concat(), &offsets, &mut answers)
                        .unwrap();
                    for (url, answer) in urls.iter().zip(answers) {
                        let wanted = answer_of(rules.check(url)) as u8;
                        assert_eq!(answer, wanted, "{dialect:?} {}", url.escape_ascii());
                    }
                    let each = rules.check_each(urls.iter().map(Vec::as_slice));
                    let wanted = urls.iter().map(|url| answer_of(rules.check(url)));
                    assert!(each.eq(wanted), "{dialect:?}");
                }
            }
        }
    }

    #[test]
    fn offsets_that_are_not_sound_allow_nothing() {
        let sound = STARTS.map(u32::from);
        let mut decreasing = sound;
        decreasing.swap(1, 2);
        let mut past_the_end = sound;
        past_the_end[4] = 52;
        for (offsets, count) in [
            (&sound[..], 3),
            (&sound, 5),
            (&sound[..0], 0),
            (&decreasing, 4),
            (&past_the_end, 4),
        ] {
            let mut answers = vec![1; count];
            let result = rules().check_batch(TEXT, offsets, &mut answers);
            assert_eq!(result, Err(Error::Argument), "{offsets:?} {count}");
            assert!(answers.iter().all(|answer| *answer == 0));
        }
        let wide = [0, u64::MAX];
        assert_eq!(
            rules().check_batch(TEXT, &wide, &mut [1]),
            Err(Error::Argument)
        );
    }
}
