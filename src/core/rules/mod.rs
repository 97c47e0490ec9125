//! The public type [`Rules`]: parses a robots.txt, checks URLs, returns crawl-delay and sitemaps.

pub(crate) mod batch;
pub(crate) mod effective;
mod once;
pub(crate) mod single_rule;

use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::verdict::{Reason, Verdict};
use crate::bytes::shared_bytes::SharedBytes;
use crate::core::check::{check, check_image};
use crate::core::compile;
use crate::core::image::{self, VERSION, View, flag};
use crate::core::parse;
use crate::crawler::Crawler;

impl Crawler {
    /// Compiles a robots.txt for this crawler. Any bytes are valid: lines that are not understood are skipped (SPEC 4.3), and
    /// bytes after the size limit are ignored (SPEC 4.5).
    ///
    /// Pass the decoded body. If the body is still compressed, the site is unreachable, except in google (SPEC 4.4). If the
    /// body is an address instead of the content, such as `https://example.com/robots.txt` or `robots.txt`, every verdict is
    /// [`Error::Argument`] (SPEC 4.7). After a failed fetch, do not pass an empty body: report the status to a
    /// [`Fetch`](crate::Fetch).
    ///
    /// The process aborts on allocation failure, like Rust's own collections. A [`Fetch`](crate::Fetch) returns
    /// [`Error::Memory`] instead.
    ///
    /// ```
    /// let crawler = robots::Crawler::new("ExampleBot")?;
    /// let rules = crawler.parse("User-agent: *\nDisallow: /*.php$\nCrawl-delay: 2\n");
    /// let verdict = rules.check("https://example.com/index.php");
    /// assert_eq!((verdict.allowed(), verdict.line()), (false, 2));
    /// assert_eq!(rules.crawl_delay(), Some(2.0));
    /// # Ok::<(), robots::Error>(())
    /// ```
    pub fn parse(&self, body: impl AsRef<[u8]>) -> Rules {
        Rules::certain(Rules::given(self, body.as_ref()))
    }
}

/// A robots.txt compiled for one crawler.
///
/// Rules are immutable, and clones share one block of memory. Any number of threads may check URLs at the same time. A check
/// takes no lock, and allocates nothing if the URL and its canonical form have at most 16 KiB each. A canonical path of more
/// than 64 KiB is an error (SPEC 8.12).
#[derive(Clone)]
#[repr(transparent)]
pub struct Rules {
    /// The image: bytes that the block owns, or borrowed bytes that the caller of the C API must not change.
    image: SharedBytes,
}

impl Rules {
    /// Returns rules that allow every URL (SPEC 2.5).
    pub fn allow_all() -> Rules {
        Rules::certain(Rules::site_wide(true))
    }

    /// Returns rules that disallow every URL except /robots.txt (SPEC 2.6, 8.9).
    pub fn disallow_all() -> Rules {
        Rules::certain(Rules::site_wide(false))
    }

    /// Implements [`Rules::allow_all`] and [`Rules::disallow_all`], with an error on allocation failure.
    pub(crate) fn site_wide(allow: bool) -> Result<Rules, Error> {
        let flags = match allow {
            true => flag::ALLOW_ALL,
            false => flag::DISALLOW_ALL,
        };
        Rules::whole_site(flags, Dialect::default())
    }

    /// Returns rules for the whole site. `flags`: `flag::ALLOW_ALL`, `flag::DISALLOW_ALL`, `flag::UNREACHABLE` or
    /// `flag::ADDRESS`.
    pub(crate) fn whole_site(flags: u8, dialect: Dialect) -> Result<Rules, Error> {
        let image = compile::whole_site(flags, dialect, SharedBytes::copy_of)?;
        Ok(Rules { image })
    }

    /// Implements [`Crawler::parse`], with an error on allocation failure.
    pub(crate) fn given(crawler: &Crawler, body: &[u8]) -> Result<Rules, Error> {
        match parse::is_address(body) {
            true => Rules::whole_site(flag::ADDRESS, crawler.reading.dialect),
            false => Rules::compiled(crawler, body),
        }
    }

    /// Compiles a body that a server sent. The text of an address is a file without rules here, because only a caller can
    /// mistake an address for a body (SPEC 4.7).
    pub(crate) fn compiled(crawler: &Crawler, body: &[u8]) -> Result<Rules, Error> {
        let image = compile::compile(crawler, body, SharedBytes::copy_of)?;
        Ok(Rules { image })
    }

    /// Returns the rules; aborts the process after a failed allocation.
    pub(crate) fn certain(rules: Result<Rules, Error>) -> Rules {
        rules.unwrap_or_else(|error| {
            assert!(error == Error::Memory, "{error}");
            std::alloc::handle_alloc_error(std::alloc::Layout::new::<[u8; 1024]>())
        })
    }

    /// Returns the rules of an image, which the block owns or borrows. Validates only magic, version, byte order and length, in
    /// constant time. This is safe, because each later read is checked.
    pub(crate) fn open(image: SharedBytes) -> Result<Rules, Error> {
        View::open(&image)?;
        Ok(Rules { image })
    }

    #[inline(always)]
    pub(crate) fn from_block(image: SharedBytes) -> Rules {
        Rules { image }
    }

    /// Adds a reference. If there are too many references, returns an error, while a clone would abort.
    pub(crate) fn retain(&self) -> Result<Rules, Error> {
        self.image.retain().map(Rules::from_block)
    }

    pub(crate) fn block(&self) -> &SharedBytes {
        &self.image
    }

    /// Returns whether `url` may be fetched, with reason and line.
    ///
    /// `url` is absolute (`scheme://...`) or a path that starts with `/`. Only path and query count: the caller selects the rules
    /// of the site. For any other text, the verdict has [`Error::Url`] and is not allowed.
    ///
    /// A URL that clients read differently, such as `/a/../b`, is allowed only if each reading is allowed (SPEC 8.11). In google,
    /// only the URL as it is counts: pass the URL that the client requests.
    ///
    /// ```
    /// let rules = robots::Crawler::new("ExampleBot")?.parse("User-agent: *\nDisallow: /a%20b\n");
    /// assert!(!rules.check("https://example.com/a b/c").allowed());
    /// assert!(rules.check("/other").allowed());
    /// assert_eq!(rules.check("no-url").error(), Some(robots::Error::Url));
    /// # Ok::<(), robots::Error>(())
    /// ```
    #[inline]
    pub fn check(&self, url: impl AsRef<[u8]>) -> Verdict {
        self.check_from(url.as_ref(), None)
    }

    /// Implements [`Rules::check`], inlined into each caller. `start`: the length of scheme and authority, if the caller knows it.
    #[inline(always)]
    pub(crate) fn check_from(&self, url: &[u8], start: Option<usize>) -> Verdict {
        match self.view() {
            Ok(image) => check(image, url, start).verdict,
            Err(error) => Verdict::from_error(error),
        }
    }

    /// Returns whether `url` may be fetched. [`Rules::check`] also returns the reason.
    #[inline]
    pub fn is_allowed(&self, url: impl AsRef<[u8]>) -> bool {
        self.check(url).allowed()
    }

    /// Returns the longest crawl-delay of the groups that the crawler obeys, in seconds; `None` if these groups state no
    /// crawl-delay (SPEC 9.2).
    pub fn crawl_delay(&self) -> Option<f64> {
        self.view().ok()?.crawl_delay()
    }

    pub(crate) fn sitemap(&self, index: usize) -> Option<&[u8]> {
        self.view().ok()?.sitemap(index)
    }

    /// Returns the sitemaps in file order, unchanged (SPEC 9.1).
    pub fn sitemaps(&self) -> impl Iterator<Item = &[u8]> {
        (0..).map_while(|index| self.sitemap(index))
    }

    /// Returns the compiled rules as bytes, to store or to send. [`Rules::from_image`] reads them.
    pub fn image(&self) -> &[u8] {
        &self.image
    }

    /// Returns the rules of an image, which is validated and copied.
    ///
    /// # Errors
    /// [`Error::Image`] if the image is damaged; [`Error::ImageFormat`] if it has another format version or byte order;
    /// [`Error::Memory`].
    pub fn from_image(image: &[u8]) -> Result<Rules, Error> {
        image::validate(image)?;
        let image = SharedBytes::copy_of(image)?;
        Ok(Rules { image })
    }

    /// Returns facts about the rules.
    ///
    /// ```
    /// let rules = robots::Crawler::new("ExampleBot")?.parse("user-agent: *\ndisallow: /a\n");
    /// assert!(rules.about().has_group);
    /// # Ok::<(), robots::Error>(())
    /// ```
    pub fn about(&self) -> RulesInfo {
        let image = View::new_trusted(self.image());
        let verdict = image.default_verdict();
        let is_site_wide = verdict.is_site_wide();
        let unreachable = verdict.reason() == Reason::Unreachable;
        RulesInfo {
            format: VERSION,
            dialect: image.dialect().unwrap_or_default(),
            has_group: image.flags() & flag::GROUP != 0,
            allows_all: is_site_wide && verdict.allowed(),
            disallows_all: is_site_wide && !verdict.allowed() && !unreachable,
            unreachable,
        }
    }

    /// Returns a view of the image. The header of a borrowed image is validated again. If the caller changed the borrowed
    /// bytes, which it must not do, a check returns an error or a wrong verdict, but reads nothing outside the image.
    #[inline(always)]
    pub(crate) fn view(&self) -> Result<View<'_>, Error> {
        if self.image.owns() {
            Ok(View::new_trusted(&self.image))
        } else {
            View::open(&self.image)
        }
    }
}

/// Facts about compiled rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RulesInfo {
    /// The version of the image format.
    pub format: u8,
    /// The dialect of the rules.
    pub dialect: Dialect,
    /// A group of the file applies to the crawler (SPEC 7.1).
    pub has_group: bool,
    /// Every URL of the site is allowed (SPEC 8.13).
    pub allows_all: bool,
    /// Every URL of the site is disallowed (SPEC 8.13), except /robots.txt (SPEC 8.9).
    pub disallows_all: bool,
    /// The site is unreachable: no URL is allowed for now (SPEC 2), except /robots.txt (SPEC 8.9).
    pub unreachable: bool,
}

impl core::fmt::Debug for Rules {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Rules")
            .field("image_len", &self.image.len())
            .field("crawl_delay", &self.crawl_delay())
            .finish_non_exhaustive()
    }
}

/// Returns the verdict of an image, which may be damaged, and the number of steps. For tests.
#[doc(hidden)]
pub fn check_image_counted(image: &[u8], url: &[u8]) -> (Verdict, usize) {
    let decision = check_image(image, url);
    (decision.verdict, decision.steps)
}
