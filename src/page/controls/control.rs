//! The controls of a page, and the sources of its rules.

/// The value of a control without a limit.
pub(super) const UNLIMITED: i64 = -1;

codes! {
    /// A control: one thing that a page can restrict.
    ///
    /// A lower value is more restrictive, but -1 means no limit. The most restrictive value of every control is 0.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    #[repr(u32)]
    pub enum Control: robots_control("ROBOTS_CONTROL_") in page_controls, "Controls of a page: `robots_page_controls_get`." {
        /// 1: the page may be indexed; 0: `noindex`, `none`.
        Index = 0 ROBOTS_CONTROL_INDEX,
        /// 1: links of the page may be followed; 0: `nofollow`, `none`.
        Follow = 1 ROBOTS_CONTROL_FOLLOW,
        /// 1: a copy of the page may be shown; 0: `noarchive`, `nocache`.
        Archive = 2 ROBOTS_CONTROL_ARCHIVE,
        /// 1: an excerpt of the page may be shown; 0: `nosnippet`, `max-snippet: 0`.
        Snippet = 3 ROBOTS_CONTROL_SNIPPET,
        /// 1: a translation of the page may be offered; 0: `notranslate`.
        Translate = 4 ROBOTS_CONTROL_TRANSLATE,
        /// 1: images of the page may be indexed; 0: `noimageindex`.
        ImageIndex = 5 ROBOTS_CONTROL_IMAGE_INDEX,
        /// 1: the content may be indexed if it is embedded in another page; 0: `noindex` without `indexifembedded`.
        IndexIfEmbedded = 6 ROBOTS_CONTROL_INDEX_IF_EMBEDDED,
        /// The length of the longest excerpt, in characters; -1: no limit.
        MaxSnippet = 7 ROBOTS_CONTROL_MAX_SNIPPET,
        /// The largest image preview: 0: none, 1: standard, 2: large, -1: not limited.
        MaxImagePreview = 8 ROBOTS_CONTROL_MAX_IMAGE_PREVIEW,
        /// The length of the longest video preview, in seconds; 0: a still image, -1: no limit.
        MaxVideoPreview = 9 ROBOTS_CONTROL_MAX_VIDEO_PREVIEW,
        /// The time after which the page is not to be shown, in seconds since 1970-01-01 UTC; -1: no such time.
        UnavailableAfter = 10 ROBOTS_CONTROL_UNAVAILABLE_AFTER,
    }
    ALL: pub, from_code: pub u32
}

impl Control {
    /// Returns the value that the control has if no rule decides it.
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

codes! {
    /// Where a rule of a page is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    #[repr(u32)]
    pub enum PageSource: robots_page_source("ROBOTS_PAGE_") in page_controls, "Where a rule of a page is." {
        [ROBOTS_PAGE_NONE "No rule decides."]
        /// The header `X-Robots-Tag`.
        XRobotsTag = 1 ROBOTS_PAGE_X_ROBOTS_TAG,
        /// The header `Robots-Tag` of the draft.
        RobotsTag = 2 ROBOTS_PAGE_ROBOTS_TAG,
        /// A `<meta>` element.
        Meta = 3 ROBOTS_PAGE_META,
    }
    ALL: pub(self), from_code: pub(self) u32
}
