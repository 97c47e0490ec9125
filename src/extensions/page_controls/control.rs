//! What a page can restrict, and where it says so.

/// The value of a control without a limit.
pub(super) const UNLIMITED: i64 = -1;

codes! {
    /// A control: one thing that a page can restrict. The discriminant is the `ROBOTS_CONTROL_...` value of the C API.
    ///
    /// A lower value is more restrictive, except that -1 is no limit. 0 is always the most restrictive value.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    #[repr(u32)]
    pub enum Control {
        /// 1: the page may be indexed. 0: `noindex`, `none`.
        Index = 0,
        /// 1: links of the page may be followed. 0: `nofollow`, `none`.
        Follow = 1,
        /// 1: a copy of the page may be shown. 0: `noarchive`, `nocache`.
        Archive = 2,
        /// 1: an excerpt of the page may be shown. 0: `nosnippet`, `max-snippet: 0`.
        Snippet = 3,
        /// 1: a translation of the page may be offered. 0: `notranslate`.
        Translate = 4,
        /// 1: images of the page may be indexed. 0: `noimageindex`.
        ImageIndex = 5,
        /// 1: the content may be indexed if it is embedded in another page: the page has no `noindex`, or
        /// `indexifembedded` as well. 0: it may not.
        IndexIfEmbedded = 6,
        /// The length of the longest excerpt, in characters: `max-snippet: 20`. -1: no limit.
        MaxSnippet = 7,
        /// The size of the largest image preview: `max-image-preview`. 0: none, 1: standard, 2: large. -1: not limited.
        MaxImagePreview = 8,
        /// The length of the longest video preview, in seconds: `max-video-preview: 10`. 0: a still image. -1: no limit.
        MaxVideoPreview = 9,
        /// The time after which the page is not to be shown: `unavailable_after`, in seconds since 1970-01-01 UTC. -1:
        /// there is no such time.
        UnavailableAfter = 10,
    }
    ALL: pub, from_code: pub u32
}

impl Control {
    /// Returns the value if no rule decides.
    pub(super) const fn unrestricted(self) -> i64 {
        match self {
            Control::MaxSnippet
            | Control::MaxImagePreview
            | Control::MaxVideoPreview
            | Control::UnavailableAfter => UNLIMITED,
            _ => 1,
        }
    }
}

/// Where a rule of a page is. The discriminant is the `ROBOTS_PAGE_...` value of the C API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u32)]
pub enum PageSource {
    /// The header `X-Robots-Tag`.
    XRobotsTag = 1,
    /// The header `Robots-Tag` of the draft.
    RobotsTag = 2,
    /// A `<meta>` element.
    Meta = 3,
}
