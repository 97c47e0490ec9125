//! Matches one rule alone against a URL, for explanations and preferences. It compiles a file with only that
//! rule, so that there is one matcher.

use crate::crawler::Crawler;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::rules;
use crate::url::canonical::{Canonical, Form, Side};

/// Matches rules one at a time.
pub(crate) struct Alone {
    crawler: Crawler,
    file: Vec<u8>,
}

/// The first line of the file; the rule is the second.
const GROUP: &[u8] = b"user-agent: *\n";

impl Alone {
    /// Creates a matcher for the dialect of `crawler`.
    pub(crate) fn new(crawler: &Crawler) -> Alone {
        let mut crawler = crawler.clone().with_ignore_star(false);
        // The line was within the limit of its own file.
        crawler.max_bytes = usize::MAX;
        Alone {
            crawler,
            file: Vec::new(),
        }
    }

    /// Returns whether the rule of a line matches `url`. The line comes in two parts, without comment and line end.
    pub(crate) fn matches(&mut self, line: [&[u8]; 2], url: &[u8]) -> Result<bool, Error> {
        self.file.clear();
        for part in [GROUP].into_iter().chain(line) {
            self.file
                .try_reserve(part.len())
                .map_err(|_| Error::Memory)?;
            self.file.extend_from_slice(part);
        }
        let image = rules::compile(&self.crawler, &self.file)?;
        Ok(rules::check_trusted(&image, url).line() == 2)
    }
}

/// Returns the canonical path of a rule, with a `$` that means the end of the URL. Its length is that of SPEC
/// 8.7.
pub(crate) fn canonical(path: &[u8], dialect: Dialect) -> Result<Vec<u8>, Error> {
    let (path, end) = match path {
        [path @ .., b'$'] if dialect.has_wildcards() => (path, &b"$"[..]),
        _ => (path, &b""[..]),
    };
    let form = Form::new(dialect, Side::Rule);
    let mut canonical = Vec::new();
    canonical
        .try_reserve_exact(Canonical::new(form, path).count() + end.len())
        .map_err(|_| Error::Memory)?;
    canonical.extend(Canonical::new(form, path));
    canonical.extend_from_slice(end);
    Ok(canonical)
}
