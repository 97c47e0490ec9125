//! The front door: parse, ask, and what else a robots.txt says.

pub(crate) mod batch;
pub(crate) mod info;
pub(crate) mod single_rule;

use crate::crawler::Crawler;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::image::{self, Offset16, Offset32, View, Width, builder, flag};
use crate::limits::{LONG_PATH_BUFFER, PATH_BUFFER};
use crate::matcher::{PathText, Slice, Stream, TreeMatch};
use crate::parser::group::Selection;
use crate::rule::RuleRef;
use crate::url::canonical::{Canonical, Form, Side};
use crate::url::target::{self, Target};
use crate::util::shared_bytes::SharedBytes;
use crate::verdict::{Reason, Verdict};

impl Crawler {
    /// Compiles a robots.txt for this crawler. Any octets will do: what is not understood is
    /// skipped (SPEC 4.3), what lies past the size limit is ignored (SPEC 4.5).
    ///
    /// Where memory lacks, the process ends, as with Rust's own collections. A [`Fetch`](crate::Fetch) answers
    /// with [`Error::Memory`].
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
        Rules::certain(Rules::compiled(self, body.as_ref()))
    }
}

/// A robots.txt, compiled for one crawler.
///
/// Immutable, and one block of memory: a clone shares it, and any number of threads may ask at once.
/// Asking allocates nothing and takes no lock.
#[derive(Clone)]
pub struct Rules {
    image: SharedBytes,
}

impl Rules {
    /// The rules of a site that may be fetched as a whole (SPEC 2.5).
    pub fn allow_all() -> Rules {
        Rules::certain(Rules::whole_site(flag::ALLOW_ALL))
    }

    /// The rules of a site of which nothing may be fetched (SPEC 2.8) but its robots.txt (SPEC 8.9).
    pub fn disallow_all() -> Rules {
        Rules::certain(Rules::whole_site(flag::DISALLOW_ALL))
    }

    /// One word for a whole site, `flag::ALLOW_ALL` or `flag::DISALLOW_ALL`.
    pub(crate) fn whole_site(flags: u8) -> Result<Rules, Error> {
        let image = SharedBytes::copy_of(&builder::whole_site(flags)?)?;
        Ok(Rules { image })
    }

    /// [`Crawler::parse`], as far as there is memory.
    pub(crate) fn compiled(crawler: &Crawler, body: &[u8]) -> Result<Rules, Error> {
        let image = SharedBytes::copy_of(&compile(crawler, body)?)?;
        Ok(Rules { image })
    }

    fn certain(rules: Result<Rules, Error>) -> Rules {
        // As everywhere in Rust's own collections; the C API answers with an error.
        rules.unwrap_or_else(|_| {
            std::alloc::handle_alloc_error(std::alloc::Layout::new::<[u8; PATH_BUFFER]>())
        })
    }

    /// The image as C shares it.
    pub(crate) fn block(&self) -> &SharedBytes {
        &self.image
    }

    /// Whether `url` may be fetched, why, and by which line.
    ///
    /// `url` is absolute (`scheme://...`) or a path that starts with `/`; of an absolute one only
    /// path and query count, so ask the rules of its own site. Anything else gives a verdict with
    /// [`Error::Url`], which is not allowed.
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
        check_trusted(&self.image, url.as_ref())
    }

    /// Whether `url` may be fetched; [`Rules::check`] says why.
    #[inline]
    pub fn is_allowed(&self, url: impl AsRef<[u8]>) -> bool {
        self.check(url).allowed()
    }

    /// The crawl-delay of the groups the crawler obeys, in seconds (SPEC 9.2). Of several the
    /// longest.
    pub fn crawl_delay(&self) -> Option<f64> {
        self.view().ok()?.crawl_delay()
    }

    /// The sitemaps of the file, in its order, as they are written (SPEC 9.1).
    pub fn sitemaps(&self) -> impl Iterator<Item = &[u8]> {
        let view = self.view().ok();
        let count = view.map_or(0, View::sitemap_count);
        (0..count).map_while(move |index| view?.sitemap(index))
    }

    /// The compiled rules as one flat block, to store or send; [`Rules::from_image`] reads it.
    pub fn image(&self) -> &[u8] {
        &self.image
    }

    /// Rules from an image, which is checked and copied.
    ///
    /// # Errors
    /// [`Error::Image`] for a damaged image, [`Error::ImageFormat`] for one of another format
    /// version or byte order; [`Error::Memory`].
    pub fn from_image(image: &[u8]) -> Result<Rules, Error> {
        image::validate(image)?;
        let image = SharedBytes::copy_of(image)?;
        Ok(Rules { image })
    }

    fn view(&self) -> Result<View<'_>, Error> {
        View::open(&self.image)
    }
}

impl core::fmt::Debug for Rules {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Rules")
            .field("image_len", &self.image.len())
            .field("crawl_delay", &self.crawl_delay())
            .finish_non_exhaustive()
    }
}

/// The image of a robots.txt for a crawler.
pub(crate) fn compile(crawler: &Crawler, body: &[u8]) -> Result<Vec<u8>, Error> {
    let selection = Selection::parse(crawler, body)?;
    builder::image(&selection, crawler.dialect)
}

/// The verdict of an image on a URL. The image may be damaged: then the answer may be an error or
/// wrong, and no more.
#[inline(always)]
pub(crate) fn check(image: &[u8], url: &[u8]) -> Verdict {
    match View::open(image) {
        Ok(image) => decide(image, url),
        Err(error) => Verdict::from_error(error),
    }
}

/// The same for an image that this library made and nobody could write to since.
#[inline(always)]
pub(crate) fn check_trusted(image: &[u8], url: &[u8]) -> Verdict {
    decide(View::new_trusted(image), url)
}

#[inline(always)]
fn decide(image: View<'_>, url: &[u8]) -> Verdict {
    if image.is_wide() {
        decide_as::<Offset32>(image, url)
    } else {
        decide_as::<Offset16>(image, url)
    }
}

#[inline(always)]
fn decide_as<W: Width>(image: View<'_>, url: &[u8]) -> Verdict {
    decide_raw::<W>(image, url).unwrap_or_else(|| decide_canonical::<W>(image, url))
}

/// The hot path: path and query are found in the URL, walked with as they are spelt, and then it is
/// seen whether what was looked at is spelt as it is compared. Nearly always it is; if not, or if
/// anything else is unusual, there is no answer here.
#[inline(always)]
fn decide_raw<W: Width>(image: View<'_>, url: &[u8]) -> Option<Verdict> {
    let dialect = image.dialect()?;
    let range = target::range(url, dialect)?;
    let mut short = [0; Slice::MIN];
    let path = Slice::new(Slice::readable(url, &mut short), range.clone())?;
    let start = range.start;
    let raw = url.get(range)?;
    if raw.first() != Some(&b'/') {
        return None;
    }
    let walk = TreeMatch::new::<W, _>(image, &path)?;
    // The robots.txt itself (SPEC 8.9) is told by all of its path, and so by more than its start.
    let may_be_robots_txt = raw.get(1) == Some(&b'r');
    let form = Form::new(dialect, Side::Url);
    let is_plain = if walk.has_list() || may_be_robots_txt {
        form.is_plain(raw)
    } else {
        form.starts_plain(url, start, walk.seen)
    };
    if !is_plain {
        return None;
    }
    let slot = walk.decide::<W, _>(image, &path)?;
    Some(verdict(image, dialect, raw, slot))
}

/// The path is spelt in another way than it is compared: its canonical form is made on the stack
/// or, if it is too long for that, as it is compared.
#[cold]
#[inline(never)]
fn decide_canonical<W: Width>(image: View<'_>, url: &[u8]) -> Verdict {
    let Some(dialect) = image.dialect() else {
        return Verdict::from_error(Error::Image);
    };
    let target = match Target::locate(url, dialect) {
        Ok(target) => target,
        Err(error) => return Verdict::from_error(error),
    };
    let path = Canonical::from_url(Form::new(dialect, Side::Url), target);
    let decided = buffered::<W, PATH_BUFFER>(image, dialect, path)
        .or_else(|| buffered::<W, LONG_PATH_BUFFER>(image, dialect, path))
        .unwrap_or_else(|| {
            let slot = winner::<W, _>(image, &Stream::new(path)).ok_or(Error::Image)?;
            Ok(verdict(image, dialect, b"", slot))
        });
    decided.unwrap_or_else(Verdict::from_error)
}

/// Decides on a path in a buffer of `N` octets; `None` if it does not fit.
#[inline(never)]
fn buffered<W: Width, const N: usize>(
    image: View<'_>,
    dialect: Dialect,
    path: Canonical<'_>,
) -> Option<Result<Verdict, Error>> {
    let mut buffer = [0; N];
    let len = path.fill(&mut buffer)?;
    let octets = buffer.get(..len)?;
    let slot = winner::<W, _>(image, &Slice::new(&buffer, 0..len)?).ok_or(Error::Image);
    Some(slot.map(|slot| verdict(image, dialect, octets, slot)))
}

fn winner<W: Width, T: PathText>(image: View<'_>, path: &T) -> Option<RuleRef> {
    TreeMatch::new::<W, T>(image, path)?.decide::<W, T>(image, path)
}

/// `path`: canonical; nothing where it is longer than that of any robots.txt.
#[inline(always)]
fn verdict(image: View<'_>, dialect: Dialect, path: &[u8], slot: RuleRef) -> Verdict {
    if path == b"/robots.txt" && dialect.frees_robots_txt() {
        return Verdict::new(Reason::RobotsTxt, true, 0);
    }
    if slot == RuleRef::NONE {
        image.default_verdict()
    } else {
        Verdict::from_rule(slot.allow(), slot.line())
    }
}
