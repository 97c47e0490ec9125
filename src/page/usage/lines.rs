//! Finds what the lines of a robots.txt state about the use of a URL (SPEC 9.4, 9.5, 9.7).

use core::cmp::Reverse;

use crate::base::error::Error;
use crate::base::rule::RulePath;
use crate::base::verdict::Verdict;
use crate::bytes::sort::sort;
use crate::bytes::try_alloc::{append, copy, push, zeros};
use crate::core::check::check_image;
use crate::core::check::pieces::scratch_len;
use crate::core::compile::compile;
use crate::core::rules::single_rule::{self, SingleRules};
use crate::crawler::Crawler;
use crate::page::preferences::{Stated, add_signals, add_usage, path_and_dictionary};
use crate::page::{Extension, ExtensionField, Extensions};
use crate::url::reading;

/// The lines that apply to a crawler: lines in groups that the crawler obeys, and lines in no group.
#[derive(Clone, Debug)]
pub(super) struct UseLines {
    pub(super) crawler: Crawler,
    /// The compiled rules of the file.
    image: Vec<u8>,
    extensions: Extensions,
    /// The canonical paths of the content-usage lines, concatenated.
    paths: Vec<u8>,
    /// The content-usage lines, sorted by the length of the path (longest first), then by line.
    usage: Vec<Usage>,
}

#[derive(Clone, Copy, Debug)]
struct Usage {
    /// Index of the line in `UseLines::extensions`.
    index: usize,
    /// Start offset of the canonical path in `UseLines::paths`.
    path: usize,
    /// Length of the canonical path (SPEC 8.7).
    length: usize,
}

impl UseLines {
    /// # Errors
    /// [`Error::Memory`].
    pub(super) fn parse(crawler: &Crawler, body: &[u8]) -> Result<UseLines, Error> {
        let (dialect, mut paths, mut usage) = (crawler.reading.dialect, Vec::new(), Vec::new());
        let extensions = Extensions::parse(crawler, body)?;
        for (index, line) in extensions.lines().enumerate() {
            if line.field == ExtensionField::ContentUsage {
                let path = path_and_dictionary(line.value, dialect).0;
                let canonical = single_rule::canonical(path, dialect)?;
                let (path, length) = (paths.len(), canonical.len());
                append(&mut paths, &canonical)?;
                let one = Usage {
                    index,
                    path,
                    length,
                };
                push(&mut usage, one)?;
            }
        }
        let order = |usage: &Usage| (Reverse(usage.length), usage.index);
        sort(&mut usage, |a, b| order(a) < order(b));
        Ok(UseLines {
            crawler: crawler.clone(),
            image: compile(crawler, body, copy)?,
            extensions,
            paths,
            usage,
        })
    }

    /// Returns whether `name` is the crawler's first token.
    pub(super) fn is_for(&self, name: &str) -> bool {
        let first = self.crawler.tokens().next();
        first.is_some_and(|first| first.eq_ignore_ascii_case(name.as_bytes()))
    }

    pub(super) fn check(&self, url: &[u8]) -> Verdict {
        check_image(&self.image, url).verdict
    }

    /// Returns whether lines can state anything about a URL with this verdict. The URL must be allowed, and have a reading that
    /// is not the robots.txt itself (SPEC 9.4).
    pub(super) fn has_statements(&self, url: &[u8], verdict: Verdict) -> Result<bool, Error> {
        if !verdict.allowed() {
            return Ok(false);
        }
        let dialect = self.crawler.reading.dialect;
        let page = |reading: reading::Reading<'_>| {
            let path = single_rule::canonical_url(reading.url, dialect);
            path.map_or_else(
                |error| Some(Err(error)),
                |path| (path != b"/robots.txt").then_some(Ok(())),
            )
        };
        let page = reading::each(url, dialect, page)?.transpose()?;
        Ok(page.is_some())
    }

    /// Returns the lines of a field, in file order.
    pub(super) fn of(&self, field: ExtensionField) -> impl Iterator<Item = Extension<'_>> {
        let lines = self.extensions.lines();
        lines.filter(move |line| line.field == field)
    }

    /// Returns the preferences for a URL with this verdict. Among the content-usage lines, only the lines with the longest
    /// matching path count.
    ///
    /// # Errors
    /// [`Error::Url`] if `url` is not a URL (SPEC 8.5b); [`Error::Memory`].
    pub(super) fn stated(&self, url: &[u8], verdict: Verdict) -> Result<Vec<Stated<'_>>, Error> {
        if let Some(error) = verdict.error() {
            return Err(error);
        }
        let mut stated = Vec::new();
        if !self.has_statements(url, verdict)? {
            return Ok(stated);
        }
        for line in self.of(ExtensionField::ContentSignal) {
            add_signals(&mut stated, line.value, line.line)?;
        }
        // A line counts if it matches any reading of the URL (SPEC 8.11).
        let dialect = self.crawler.reading.dialect;
        let mut matched = zeros(self.usage.len())?;
        let find = |reading: reading::Reading<'_>| self.find_usage(reading.url, &mut matched).err();
        if let Some(error) = reading::each(url, dialect, find)? {
            return Err(error);
        }
        for (usage, matched) in self.usage.iter().zip(&matched) {
            let line = self.extensions.line(usage.index);
            if let Some(line) = line.filter(|_| *matched == 1) {
                add_usage(
                    &mut stated,
                    path_and_dictionary(line.value, dialect).1,
                    line.line,
                )?;
            }
        }
        Ok(stated)
    }

    /// Sets `matched` to 1 for the content-usage lines with the longest path that matches a URL.
    fn find_usage(&self, url: &[u8], matched: &mut [u8]) -> Result<(), Error> {
        if self.usage.is_empty() {
            return Ok(());
        }
        let dialect = self.crawler.reading.dialect;
        let canonical_url = single_rule::canonical_url(url, dialect)?;
        let mut scratch = zeros(scratch_len(canonical_url.len()))?;
        let mut rules = SingleRules::new(&canonical_url, dialect, &mut scratch);
        let mut longest = 0;
        for (usage, matched) in self.usage.iter().zip(matched) {
            if usage.length < longest {
                break;
            }
            let path = self.paths.get(usage.path..usage.path + usage.length);
            #[allow(clippy::expect_used, reason = "an invariant")]
            let path = path.expect("a content-usage line has its path");
            if rules.matches_path(&RulePath::split(path, dialect)) {
                longest = usage.length;
                *matched = 1;
            }
        }
        Ok(())
    }
}
