//! Checks many URLs in one call: one text and the offset of each URL.

use crate::error::Error;
use crate::rules::{self, Rules};

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
    for (answer, (start, end)) in answers
        .iter_mut()
        .zip(offsets.iter().zip(offsets.iter().skip(1)))
    {
        let url = start
            .index()
            .zip(end.index())
            .and_then(|(start, end)| text.get(start..end))
            .unwrap_or_default();
        let verdict = rules::check(image, url);
        *answer = match verdict.error() {
            Some(_) => BatchVerdict::BadUrl,
            None if verdict.allowed() => BatchVerdict::Allowed,
            None => BatchVerdict::Disallowed,
        } as u8;
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::crawler::Crawler;

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
