//! Checks many URLs in one call.

use crate::base::error::Error;
use crate::base::limits::SAFE_PATH;
use crate::core::check::check;
use crate::core::image::View;
use crate::core::rules::Rules;
use crate::url::reading;

codes! {
    /// The verdict on one URL of a batch.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    pub enum BatchVerdict: robots_batch_result("ROBOTS_") in rules, "Results of `robots_rules_check_batch`." {
        /// The URL may not be fetched.
        Disallowed = 0 ROBOTS_DISALLOWED,
        /// The URL may be fetched.
        Allowed = 1 ROBOTS_ALLOWED,
        /// There is no verdict, nearly always because the text is no URL (SPEC 8.5b); do not fetch it.
        BadUrl = 2 ROBOTS_BAD_URL,
    }
    ALL: pub(self), from_code: pub(crate) u32
}

impl Rules {
    /// Checks many URLs, and writes the number of a [`BatchVerdict`] for each to `answers`. URL `i` is
    /// `text[offsets[i]..offsets[i + 1]]`, the layout of strings in Apache Arrow. An offset is an unsigned integer.
    ///
    /// # Errors
    /// [`Error::Argument`] if offsets decrease or exceed the length of `text`, or if `offsets` is not exactly one longer than
    /// `answers`. Then every answer is [`BatchVerdict::Disallowed`].
    pub fn check_batch<O: Copy + Into<u64>>(
        &self,
        text: &[u8],
        offsets: &[O],
        answers: &mut [u8],
    ) -> Result<(), Error> {
        answers.fill(BatchVerdict::Disallowed as u8);
        // If some offset is wrong, no URL is checked.
        let last = offsets.last().map(|last| (*last).into());
        let is_sound = offsets.len() == answers.len() + 1
            && offsets.is_sorted_by_key(|offset| (*offset).into())
            && last.is_some_and(|last| last <= text.len() as u64);
        if !is_sound {
            return Err(Error::Argument);
        }
        let ends = offsets.iter().map(|end| (*end).into() as usize);
        let urls = ends.clone().zip(ends.skip(1));
        let urls = urls.map(|(start, end)| text.get(start..end).unwrap_or_default());
        for (answer, verdict) in answers.iter_mut().zip(self.check_each(urls)) {
            *answer = verdict as u8;
        }
        Ok(())
    }

    /// Returns the verdict on each of many URLs, in the order of the URLs. Sorted URLs are fastest, here and in
    /// [`Rules::check_batch`], because many URLs then share a prefix with the URL before.
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
        let image = self.view();
        let mut last = Last::NONE;
        urls.into_iter().map(move |url| {
            if !last.decides(url) {
                last = Last::new(image, url);
            }
            last.answer
        })
    }
}

/// The verdict on the last checked URL, and the prefix that determined it. In a sorted list, many URLs have this prefix, too.
struct Last<'a> {
    /// Prefix that determines the verdict; empty if the prefix is unknown. A prefix of less than eight bytes is not used.
    start: &'a [u8],
    answer: BatchVerdict,
}

impl<'a> Last<'a> {
    /// The value before the first URL. This value decides no URL.
    const NONE: Last<'static> = Last {
        start: &[],
        answer: BatchVerdict::Disallowed,
    };

    #[inline(always)]
    fn new(image: Result<View<'_>, Error>, url: &'a [u8]) -> Last<'a> {
        let Ok(image) = image else {
            return Last {
                start: &[],
                answer: BatchVerdict::BadUrl,
            };
        };
        let decision = check(image, url, None);
        Last {
            start: url.get(..decision.decisive).unwrap_or_default(),
            answer: match decision.verdict.error() {
                Some(_) => BatchVerdict::BadUrl,
                None if decision.verdict.allowed() => BatchVerdict::Allowed,
                None => BatchVerdict::Disallowed,
            },
        }
    }

    /// Returns whether `url` has the same verdict as the last URL.
    #[inline(always)]
    fn decides(&self, url: &[u8]) -> bool {
        // The last eight bytes of the prefix are compared first, because they differ most often, and their comparison needs no
        // call.
        let end = self.start.len();
        let word = |text: &[u8]| Some(u64::from_le_bytes(*text.get(..end)?.last_chunk()?));
        match (word(self.start), word(url)) {
            // A dot segment after the prefix would give the URL a second reading (SPEC 8.11). The segment may start in the
            // prefix, so the test includes the last three bytes of the prefix.
            (Some(last), Some(this)) if last == this && url.len() <= SAFE_PATH => {
                let rest = url.get(end - "/..".len()..).unwrap_or(url);
                url.starts_with(self.start) && reading::is_single(rest)
            }
            _ => false,
        }
    }
}
