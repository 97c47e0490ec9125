//! One rule on its own: whether it matches a URL. The engine itself is asked, with a file that holds
//! nothing else, so that there is one matcher. Cold.

use crate::crawler::Crawler;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::rules;
use crate::url::canonical::{Canonical, Form, Side};

/// Asks about rules one at a time.
pub(crate) struct Alone {
    crawler: Crawler,
    file: Vec<u8>,
}

/// A group for everyone; the rule is the second line.
const GROUP: &[u8] = b"user-agent: *\n";

impl Alone {
    /// Asks in the dialect of `crawler`.
    pub(crate) fn new(crawler: &Crawler) -> Alone {
        let mut crawler = crawler.clone().with_ignore_star(false);
        // The line stood within the limit where it came from.
        crawler.max_bytes = usize::MAX;
        Alone {
            crawler,
            file: Vec::new(),
        }
    }

    /// Whether the rule of a line matches, which is given in parts and holds neither comment nor end.
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

/// The path of a rule as it is compared: canonical, with a `$` that stands for the end. Its length is
/// that of SPEC 8.7.
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
