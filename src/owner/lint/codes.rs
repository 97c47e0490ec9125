//! The table of codes: number, severity, title, explanation, example.

use core::fmt;

codes! {
    /// The severity of a diagnostic.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(u8)]
    pub enum Severity: robots_lint_severity("ROBOTS_LINT_") in lint, "Severities of diagnostics." {
        /// Nothing is wrong, but the author may want to know it.
        Note = 1 ROBOTS_LINT_NOTE,
        /// The effect may differ from what the author expects, or between crawlers.
        Warning = 2 ROBOTS_LINT_WARNING,
        /// The effect differs from what the author must have meant.
        Error = 3 ROBOTS_LINT_ERROR,
    }
    ALL: pub, from_code: pub(self) u32
}

impl Severity {
    /// Returns `note`, `warning` or `error`.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

struct CodeEntry {
    severity: Severity,
    title: &'static str,
    explanation: &'static str,
    example: &'static [u8],
}

macro_rules! catalogue {
    ($($name:ident = $number:literal, $severity:ident, $title:literal, $explanation:literal, $example:literal;)*) => {
        /// The code of a diagnostic. Its number and meaning never change; later versions may add codes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u16)]
        pub enum Code {
            $(#[doc = $title] $name = $number,)*
        }

        impl Code {
            /// Every code, in ascending order.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            const fn entry(self) -> CodeEntry {
                match self {
                    $(Code::$name => CodeEntry {
                        severity: Severity::$severity,
                        title: $title,
                        explanation: $explanation,
                        example: $example,
                    },)*
                }
            }
        }
    };
}

impl Code {
    /// Returns the code with this number.
    pub fn from_number(number: u32) -> Option<Code> {
        let mut all = Code::ALL.iter().copied();
        all.find(|code| code.number() == number)
    }

    /// Returns the number: 1 for `R001`.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// Returns the severity.
    pub const fn severity(self) -> Severity {
        self.entry().severity
    }

    /// Returns the title.
    pub const fn title(self) -> &'static str {
        self.entry().title
    }

    /// Returns the explanation: what the code means and what to do.
    pub const fn explanation(self) -> &'static str {
        self.entry().explanation
    }

    /// Returns whether lint reports the code only if [`Crawler::with_lint_all`](crate::Crawler::with_lint_all) is set. Many good
    /// files have such a code. In the dialect koster1996, lint always reports [`Code::OldCrawlersDiffer`].
    pub const fn is_on_request(self) -> bool {
        matches!(
            self,
            Code::NeedlessStar | Code::PrivatePath | Code::OldCrawlersDiffer
        )
    }

    /// Returns a short robots.txt with this fault.
    pub const fn example(self) -> &'static [u8] {
        self.entry().example
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "R{:03}", self.number())
    }
}

catalogue! {
    // --- the file as a whole -------------------------------------------------------------------------------------------
    Html = 1, Error, "an HTML page instead of a robots.txt",
        "Crawlers skip every line that they do not understand, so a web page served as robots.txt disallows nothing. Serve the rules as plain text, or answer 404 if there are none.",
        b"<!DOCTYPE html>\n<html><body>Not found</body></html>\n";
    Utf16 = 2, Error, "the file is UTF-16",
        "A robots.txt is UTF-8. In UTF-16 every second byte is usually a NUL and no line is understood, so nothing is disallowed. Save the file as UTF-8.",
        b"\xFF\xFEU\0s\0e\0r\0";
    Nul = 3, Warning, "a NUL byte",
        "Some crawlers stop reading the line at a NUL, others read it as part of the line. Remove it.",
        b"User-agent: *\nDisallow: /a\0b\n";
    Binary = 4, Error, "not a text file",
        "The file holds many bytes that text does not contain: it may be compressed, or an image. No line is understood. Crawlers treat a compressed file as an outage and fetch nothing. Serve plain text, and name a compression in Content-Encoding.",
        b"\x1F\x8B\x08\x00\x01\x02\x03\x04\x05\x06\x0E\x0F\x10\x11\x12\x13";
    Empty = 5, Note, "a file without rules",
        "A file without a line that is understood allows everything. An empty file has the same effect.",
        b"# nothing yet\n";
    TooLong = 6, Error, "longer than crawlers read",
        "Crawlers read at least the first 500 KiB (512,000 bytes) and may ignore the rest. Make the file shorter: a pattern with `*` often replaces many lines.",
        b"(a file of more than 512,000 bytes)";
    ByteOrderMark = 7, Note, "a byte order mark at the start",
        "It is skipped, but simple crawlers read it as part of the first field and miss that line. Save the file as UTF-8 without a mark.",
        b"\xEF\xBB\xBFUser-agent: *\nDisallow: /a/\n";
    SecondMark = 8, Error, "a second byte order mark",
        "One mark at the start of the file is skipped. Another one is part of its line, whose field is then unknown. Remove it.",
        b"\xEF\xBB\xBF\xEF\xBB\xBFUser-agent: *\nDisallow: /a/\n";
    NotUtf8 = 9, Warning, "bytes that are not UTF-8",
        "They are compared with the bytes of URLs, which are nearly always UTF-8: the rule does not match what it shows. Save the file as UTF-8, or write the bytes as %HH.",
        b"User-agent: *\nDisallow: /caf\xE9/\n";
    LongLine = 10, Warning, "a line that Google cuts",
        "Google's parser reads the first 16,663 bytes of a line and ignores the rest, so the rule matches more URLs than its text does.",
        b"(a line of more than 16,663 bytes)";
    Invisible = 11, Error, "an invisible character",
        "An invisible character, such as a no-break space or a zero-width space, is part of the field or the value. It usually comes from a copy out of a word processor or a web page. Remove it.",
        b"User-agent: *\n\xC2\xA0Disallow: /a/\n";
    NoRobotsTxt = 12, Error, "text that is not a robots.txt",
        "No line of the file is understood, so nothing is disallowed: it may be an error message, or JSON. Serve the rules, or answer 404 if there are none.",
        b"Not found\n";
    Warc = 13, Error, "a WARC file instead of a robots.txt",
        "A WARC file holds whole responses of many URLs. Crawlers compare no rule in it: the header of its records and of its responses are lines of unknown fields. Extract the body of the response for /robots.txt.",
        b"WARC/1.0\r\nWARC-Type: response\r\n";
    HttpHeader = 14, Error, "an HTTP response with its header",
        "The file begins with the status line of a response. A robots.txt is the body of the response only: the bytes after the empty line.",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\n";
    CutLine = 15, Error, "a file that ends within a field",
        "The last line has no line end, and only the start of a field: the file was cut when it was written or stored. The rules that followed are lost, so URLs that they disallow are allowed. Save or fetch the file again.",
        b"User-agent: *\nDisallow: /a/\nDisal";

    // --- a line --------------------------------------------------------------------------------------------------------
    UnknownField = 20, Warning, "an unknown field",
        "Crawlers skip a line whose field they do not know. If it is meant for one crawler only, this is harmless.",
        b"User-agent: *\nDisallow: /a/\nColour: blue\n";
    MisspeltField = 21, Error, "a misspelt field",
        "The line is skipped, since no crawler knows a field of this name. (Google reads a name that begins with a field as that field.) Correct it.",
        b"User-agent: *\nDisalluw: /a/\n";
    ForgivenSpelling = 22, Warning, "a misspelling that only some crawlers accept",
        "This misspelling is so common that many crawlers understand it, but not all. Correct it.",
        b"User-agent: *\nDissallow: /a/\n";
    MissingColon = 23, Error, "no colon after the field",
        "Without the colon the line is skipped.",
        b"User-agent: *\nDisallow /a/ /b/\n";
    ForgivenColon = 24, Warning, "a missing colon that only some crawlers accept",
        "Some crawlers read a line of exactly two words as if it had a colon. Write the colon.",
        b"User-agent: *\nDisallow /a/\n";
    NotUnderstood = 25, Warning, "a line that is not understood",
        "A line is `field: value`, or a comment that begins with `#`. Crawlers skip anything else.",
        b"User-agent: *\nDisallow: /a/\nplease be nice to us\n";
    NoField = 26, Warning, "no field before the colon",
        "The line is skipped.",
        b"User-agent: *\n: /a/\nDisallow: /b/\n";
    FieldByPrefix = 27, Warning, "a field that Google reads as another",
        "Google's parser compares only the start of a field, so it reads `Allowance:` as `Allow:`. Others skip the line.",
        b"User-agent: *\nDisallow: /\nAllowance: /a/\n";
    ForeignComment = 28, Warning, "a comment that does not begin with `#`",
        "Only `#` begins a comment. Crawlers skip the line because they do not understand it.",
        b"// our robots.txt\nUser-agent: *\nDisallow: /a/\n";
    JoinedLines = 29, Error, "several fields on one line",
        "A line holds one field. The line ends between the fields were lost: crawlers read what follows the first field as its value, or the whole line as a comment, so a rule in it disallows nothing. Write each field on its own line. No fix of such a file is safe.",
        b"User-agent: * Disallow: /\n";

    // --- groups --------------------------------------------------------------------------------------------------------
    RuleOutsideGroup = 30, Error, "a rule that belongs to no group",
        "Rules before the first user-agent line are ignored (dialect koster1996: also rules after a blank line). Write `User-agent: *` above them.",
        b"Disallow: /a/\nUser-agent: *\nDisallow: /b/\n";
    EmptyAgent = 31, Error, "a user-agent line without a name",
        "A group without a name applies to no crawler. Write the crawler's product token, or `*` for everyone.",
        b"User-agent:\nDisallow: /\n";
    AgentWithSpace = 32, Warning, "an agent with a space in its name",
        "A product token has no spaces: only the first word is the name, and the rest is ignored. Write the token that the crawler's operator documents, and one user-agent line for each crawler.",
        b"User-agent: Googlebot Bingbot\nDisallow: /a/\n";
    AgentWithVersion = 33, Note, "an agent with a version",
        "The version and what follows it are ignored: the group applies to every version of the crawler. Koster's draft of 1996 reads them as part of the name.",
        b"User-agent: ExampleBot/1.2\nDisallow: /a/\n";
    WholeUserAgent = 34, Error, "a whole User-Agent header as a name",
        "Crawlers compare their product token, such as `ExampleBot`, not the header that they send. This line names `Mozilla`, which is no crawler's token.",
        b"User-agent: Mozilla/5.0 (compatible; ExampleBot/1.0)\nDisallow: /a/\n";
    AgentWildcard = 35, Warning, "a `*` in the name of an agent",
        "Only a `*` alone names everyone. Names are not patterns: the text after the token is ignored, and a name that begins with `*` names no crawler.",
        b"User-agent: *bot\nDisallow: /\n";
    AgentNotAToken = 36, Warning, "an agent that is not a valid product token",
        "The name ends before the first character that a product token cannot have. Write the token as the crawler's operator documents it.",
        b"User-agent: Foo@Bar\nDisallow: /\n";
    AgentAgain = 37, Note, "an agent that an earlier group also names",
        "Groups that name the same agent are one group, in file order; but some crawlers read only the first. Merge their rules.",
        b"User-agent: ExampleBot\nDisallow: /a/\n\nUser-agent: *\nDisallow: /b/\n\nUser-agent: examplebot\nDisallow: /c/\n";
    AgentTwice = 38, Note, "an agent that the same group names twice",
        "It changes nothing.",
        b"User-agent: ExampleBot\nUser-agent: examplebot\nDisallow: /a/\n";
    GroupWithoutRules = 39, Note, "a group without rules",
        "It allows everything to the crawlers it names, also what the group of `*` disallows. Write `Disallow:` to make this plain.",
        b"User-agent: *\nDisallow: /a/\n\nUser-agent: ExampleBot\n";
    CrawlDelayBetweenAgents = 40, Warning, "a crawl-delay among user-agent lines changes verdicts",
        "Only an allow or disallow line ends a run of user-agent lines. A crawl-delay does not, so the rules that follow also apply to the crawlers named above it; some crawlers end the run there. Write rules after each run (`Disallow:` if nothing is disallowed).",
        b"User-agent: SlowBot\nCrawl-delay: 10\n\nUser-agent: BadBot\nDisallow: /\n";
    AgentsInterrupted = 41, Note, "user-agent lines that are one group although another line is between them",
        "Only an allow or disallow line ends a run of user-agent lines. A sitemap, an unknown field or a crawl-delay does not: the rules that follow apply to all of the agents.",
        b"User-agent: a\nSitemap: https://example.com/s.xml\nUser-agent: b\nDisallow: /\n";
    AgentWithDigit = 42, Warning, "a name that Google reads as a shorter one",
        "Google's parser reads only letters, `_` and `-` as part of a name, and ignores the rest, such as a digit or a dot. So the group is for a crawler of Google.",
        b"User-agent: Googlebot2\nDisallow: /\n";
    SearchKeptOut = 43, Warning, "search engines are kept out of the home page, of all pages, or of nearly all",
        "Googlebot or bingbot may fetch no page, no page but the home page or a few folders, no page in a folder, no page with a common letter or a dash in its URL, or not the home page, by a group that names it or by that of `*`: the search engine drops the pages, or lists addresses without text. Allow rules for the home page, for files such as style sheets, scripts and images, and for their folders change nothing of that. Lint does not report a site that keeps all others out and lets these two in. Some crawlers do not obey `*`: AdsBot-Google, AdsBot-Google-Mobile, AdsBot-Google-Mobile-Apps and Mediapartners-Google need groups that name them. If this comes from a test system, remove it.",
        b"User-agent: *\nDisallow: /\n";
    ListOfAgents = 44, Error, "several agents on one user-agent line",
        "A user-agent line names one crawler. The text after the first name is ignored, so the group does not apply to the others. Write one line for each.",
        b"User-agent: Googlebot, Bingbot\nDisallow: /a/\n";
    AgentNearMiss = 45, Warning, "a name that no crawler has: misspelled, or an operator's",
        "Crawlers compare whole names, letter case ignored, so this group is not for the well-known crawler. Correct the name if that crawler is meant. Operators and products have other names than their crawlers: `Google` names none, `Googlebot` does. Everyone is `*`, not `All`.",
        b"User-agent: Googelbot\nDisallow: /a/\n";
    EscapesEveryone = 46, Warning, "a group whose crawler escapes the rules of `*`",
        "A crawler obeys the groups that name it, or else the groups of `*`, never both. This crawler may fetch the start of each path that `*` disallows. Repeat the rules that are for this crawler, too, or write `Allow: /` in the group if it may fetch everything that the group does not disallow.",
        b"User-agent: *\nDisallow: /a/\n\nUser-agent: ExampleBot\nCrawl-delay: 5\n";
    IgnoresTheFile = 47, Warning, "a group for a crawler that ignores the file",
        "The operator of this crawler says that it ignores the robots.txt, usually because a user requests the page. The group has no effect. To keep such requests out, block them in the server.",
        b"User-agent: Perplexity-User\nDisallow: /\n";
    FormKeptOut = 48, Note, "search engines are kept out of pages of one form",
        "Googlebot or bingbot may fetch no page whose URL ends with `.html`, or none that ends with `/`. On many sites these are all pages, or nearly all. Or it may fetch the home page and a few folders only, or a few pages in spite of a rule for all folders or for a common letter. If the site has no other pages, or other URLs show the same pages, this is harmless.",
        b"User-agent: *\nDisallow: /*.html$\n";
    OthersKeptOut = 49, Note, "other search engines are kept out of all pages, or of nearly all",
        "Well-known crawlers of search besides Googlebot and bingbot may fetch no page, or nearly none: people do not find the site with these search engines. Often this is meant. Lint names all of these crawlers at once.",
        b"User-agent: DuckDuckBot\nUser-agent: YandexBot\nDisallow: /\n";

    // --- rules ---------------------------------------------------------------------------------------------------------
    PathWithoutSlash = 50, Error, "a path that does not begin with `/`",
        "Paths of URLs begin with `/`, so a rule that begins with neither `/` nor `*` never matches.",
        b"User-agent: *\nDisallow: private/\n";
    UrlAsPath = 51, Error, "a whole URL in the place of a path",
        "Rules are compared with the path of a URL, without scheme and host, so this rule never matches. A robots.txt holds rules for its own host only: a URL of another host belongs in the robots.txt of that host.",
        b"User-agent: *\nDisallow: https://example.com/private/\n";
    EmptyAllow = 52, Warning, "an allow without a path",
        "It is ignored. To allow everything write `Allow: /`.",
        b"User-agent: *\nAllow:\nDisallow: /a/\n";
    EmptyDisallow = 53, Note, "an empty disallow with other rules",
        "It is ignored: it does not cancel the other rules of the group.",
        b"User-agent: *\nDisallow:\nDisallow: /a/\n";
    SpaceInPath = 54, Warning, "a space in a path",
        "The space is part of the path. It is compared as %20, except by Google, which finds it in no URL. Two paths need two lines; a comment needs a `#`.",
        b"User-agent: *\nDisallow: /a/ /b/\n";
    DollarInside = 55, Warning, "a `$` that does not end the path",
        "Only as the last character of the path does `$` mean the end of the URL. Elsewhere it is an ordinary character; write %24 to make that clear.",
        b"User-agent: *\nDisallow: /*.php$?x\n";
    NeedlessStar = 56, Note, "a `*` that changes nothing",
        "A rule matches every URL that begins with it, so a `*` at its end adds only length, which counts when an allow and a disallow match. Of several `*` in a row one is enough to match; the others add length as well. Lint reports the first rule whose last `*` has no effect on any verdict, and says how many there are.",
        b"User-agent: *\nDisallow: /a/*\n";
    BadEscape = 57, Warning, "a `%` that two hexadecimal digits do not follow",
        "It is read as the character `%` and compared as %25. Write %25 if you mean it.",
        b"User-agent: *\nDisallow: /100%zz/\n";
    RegularExpression = 58, Warning, "it looks like a regular expression",
        "Rules are not regular expressions: only `*` and a last `$` are special. `[0-9]`, `(a|b)`, `\\d` and `^` are ordinary characters.",
        b"User-agent: *\nDisallow: /item/[0-9]+/\n";
    HashInPath = 59, Warning, "a `#` cuts the path",
        "A `#` begins a comment, everywhere. Crawlers request URLs without `#` and what follows it, so no rule needs it. A `#` that is part of a path is %23 in URLs and rules.",
        b"User-agent: *\nDisallow: /a/#top\n";
    Duplicate = 60, Warning, "a duplicate rule",
        "The same rule for the same crawlers, however its path is encoded: it decides nothing.",
        b"User-agent: *\nDisallow: /a/\nDisallow: /%61/\n";
    Conflict = 61, Warning, "allow and disallow for the same path",
        "At equal length allow wins, so this disallow never decides (Koster's draft of 1996: the first of the two wins). Remove the one that you do not mean.",
        b"User-agent: *\nDisallow: /a/\nAllow: /a/\n";
    NeverWins = 62, Warning, "a rule that can never win",
        "Another rule matches everything that this one matches, and always wins: by a longer path (`*` and `$` count), or at equal length because it is an allow. This rule decides nothing.",
        b"User-agent: *\nDisallow: /a\nAllow: /*\n";
    Redundant = 63, Note, "a rule that changes nothing",
        "Another rule has the same effect on all that this one decides. Without it no verdict would change, also without the other rules that lint reports so.",
        b"User-agent: *\nDisallow: /a/\nDisallow: /a/b/\n";
    AllowedAnyway = 64, Note, "an allow of what no rule disallows",
        "A URL that no disallow matches is allowed. An allow is only needed for a part of what a disallow matches. `Allow: /` is not reported: it states that everything is allowed.",
        b"User-agent: *\nAllow: /a/\nDisallow: /b/\n";
    RobotsTxtRule = 65, Note, "a rule about /robots.txt",
        "/robots.txt itself is always allowed. To keep the file out of search results use an X-Robots-Tag header.",
        b"User-agent: *\nDisallow: /robots.txt\nDisallow: /a/\n";
    BareStar = 66, Warning, "`*` in the place of `/`",
        "`*` alone matches every URL, like `/`. Crawlers without wildcards read it as a path that no URL begins with. Write `/`. As an allow it changes only what `Disallow: /` forbids: longer rules win.",
        b"User-agent: *\nDisallow: *\n";
    BlockedAssets = 67, Warning, "style sheets or scripts that search engines cannot fetch",
        "Search engines render pages as browsers do. Without their style sheets and scripts the pages may be ranked and shown wrongly. Allow these files, unless they do not matter for any page.",
        b"User-agent: *\nDisallow: /*.css$\n";
    DotSegment = 68, Warning, "a dot segment in a path",
        "Browsers and URL libraries remove the segments `.` and `..` (also written `%2e`) before they send a URL. So the rule matches only the URLs of clients that send them as they are. Write the path without dot segments.",
        b"User-agent: *\nDisallow: /a/../b/\n";
    FolderWithoutSlash = 69, Note, "a folder without its last `/`",
        "A rule matches every URL that begins with it: `/calendar` also matches `/calendars` and `/calendar.html`. Other rules of the file show that a folder is meant. Write the `/` at its end, if only the folder is meant.",
        b"User-agent: *\nDisallow: /calendar\nAllow: /calendar/public\n";

    // --- other lines ---------------------------------------------------------------------------------------------------
    RelativeSitemap = 70, Error, "a sitemap that is not an absolute URL",
        "A sitemap needs an absolute URL with scheme and host. Crawlers ignore anything else.",
        b"Sitemap: /sitemap.xml\n";
    EmptySitemap = 71, Warning, "a sitemap without a URL",
        "The line is ignored.",
        b"Sitemap:\n";
    SitemapAgain = 72, Note, "a duplicate sitemap",
        "It changes nothing.",
        b"Sitemap: https://example.com/s.xml\nSitemap: https://example.com/s.xml\n";
    SitemapWithSpace = 73, Warning, "a space in the URL of a sitemap",
        "A URL has no spaces. Each sitemap needs its own line.",
        b"Sitemap: https://example.com/a.xml https://example.com/b.xml\n";
    BadCrawlDelay = 74, Error, "a crawl-delay that is not a number of seconds",
        "The value is a number, with an optional fraction: `Crawl-delay: 2.5`. Anything else is ignored.",
        b"User-agent: *\nCrawl-delay: 5 seconds\nDisallow: /a/\n";
    LongCrawlDelay = 75, Warning, "a very long crawl-delay",
        "A crawler that obeys it fetches fewer than 1,500 pages a day. If a crawler should stay away, disallow it; if you mean milliseconds, write seconds.",
        b"User-agent: *\nCrawl-delay: 3600\nDisallow: /a/\n";
    CrawlDelayOutsideGroup = 76, Warning, "a crawl-delay that belongs to no group",
        "It comes before the first user-agent line and applies to no crawler.",
        b"Crawl-delay: 5\nUser-agent: *\nDisallow: /a/\n";
    CrawlDelayAgain = 77, Note, "a second crawl-delay in one group",
        "Crawlers differ in which of the two they use; this library uses the longest.",
        b"User-agent: *\nCrawl-delay: 5\nCrawl-delay: 10\nDisallow: /a/\n";
    Noindex = 78, Warning, "`noindex` in a robots.txt",
        "Large search engines do not read it here. Use <meta name=\"robots\" content=\"noindex\"> or the X-Robots-Tag header, and allow the page: a crawler must fetch it to read them.",
        b"User-agent: *\nNoindex: /a/\nDisallow: /b/\n";
    RarelyRead = 79, Note, "a field that few crawlers read",
        "It is an extension: most crawlers skip it. It has no effect on verdicts.",
        b"User-agent: *\nDisallow: /a/\nHost: example.com\n";
    BadRequestRate = 80, Warning, "a request-rate that is not understood",
        "Its form is `Request-rate: 1/10s`, documents per time, optionally followed by `hhmm-hhmm`.",
        b"User-agent: *\nRequest-rate: slow\nDisallow: /a/\n";
    BadVisitTime = 81, Warning, "a visit-time that is not understood",
        "Its form is `Visit-time: 0600-0845`, hours and minutes of UTC.",
        b"User-agent: *\nVisit-time: at night\nDisallow: /a/\n";
    BadContentSignal = 82, Warning, "a content-signal that is not understood",
        "Its form is `Content-Signal: search=yes, ai-train=no, use=reference`: keys with values, and commas between them.",
        b"User-agent: *\nContent-Signal: no training\nDisallow: /a/\n";
    MisspeltPreference = 83, Warning, "a preference that no crawler knows",
        "The known keys of Content-Signal are `search`, `ai-input` and `ai-train` with `yes` or `no`, and `use` with `immediate`, `reference` or `full`; those of Content-Usage are `search` and `train-ai` with `y` or `n`. Crawlers ignore other keys, so the preference is not stated.",
        b"User-agent: *\nContent-Signal: ai-trian=no\nAllow: /\n";
    GoogleCrawlDelay = 84, Note, "a crawl-delay for Google",
        "Google's crawlers do not read crawl-delay. They slow down when the server answers slowly, or with 429 or 503.",
        b"User-agent: Googlebot\nCrawl-delay: 10\nDisallow: /a/\n";
    SitemapDisallowed = 85, Warning, "a sitemap that may not be fetched",
        "The rules for `*` disallow the path of the sitemap. Crawlers that obey them do not fetch it. Allow it.",
        b"User-agent: *\nDisallow: /maps/\n\nSitemap: https://example.com/maps/a.xml\n";
    SitemapElsewhere = 86, Note, "a sitemap on another host",
        "Its URLs count for this site, since the robots.txt of this site names it. Check that the host is right: a copied line often names a test system.",
        b"(a sitemap of another host than the site that lint was given)";
    PrivatePath = 87, Note, "a path that seems to be private",
        "A robots.txt hides nothing: everybody can read it, and those who look for private pages do. Crawlers may ignore it, and search engines may list the URL of a page that they may not fetch. Protect private pages with a password, and do not name them here.",
        b"User-agent: *\nDisallow: /admin/\n";
    SearchNotWanted = 88, Warning, "search engines are asked not to show the pages",
        "`search=no` of Content-Signal and `search=n` of Content-Usage are preferences, not rules: crawlers may fetch the pages, and a search engine that reads the preference leaves them out of its results. If only training or answers are meant, write `ai-train=no` or `ai-input=no`.",
        b"User-agent: *\nContent-Signal: search=no, ai-train=no\nAllow: /\n";
    BadLicense = 89, Warning, "a license that is not an absolute URL",
        "The value of `License` is the address of the terms, with scheme and host. A crawler that reads the line finds no terms at any other text, so nothing is stated.",
        b"License: /license.xml\nUser-agent: *\nAllow: /\n";

    // --- readings ------------------------------------------------------------------------------------------------------
    DialectsDiffer = 90, Warning, "RFC 9309 and Google decide differently",
        "For the URL that is shown, RFC 9309 and Google's matcher give different verdicts. Write the rule so that both agree: usually, encode the path like URLs are encoded.",
        b"User-agent: *\nDisallow: /a%3Ab\n";
    OldCrawlersDiffer = 91, Note, "a crawler that obeys the first match decides differently",
        "By Koster's draft of 1996 the first rule that matches decides, and a blank line ends a group. Few crawlers are that old, but some libraries still work like this, such as that of Python. The order of rules and blank lines have no effect on other crawlers, so longer rules can come first. Lint reports one example, and none that is due to wildcards.",
        b"User-agent: *\nDisallow: /a/\nAllow: /a/b/\n";
    NotDecided = 92, Note, "rules that are too hard to compare",
        "Lint compares the rules of each crawler, within bounds of time and memory. Some were not compared: the file has very many rules or crawlers, or many `*`. Rules that change nothing, and differences between crawlers, may be missing in the report. What is in it is right.",
        b"(a file with more than 20,000 rules for one crawler)";
    PreferencesDisagree = 93, Warning, "a preference that another line contradicts",
        "One line permits a use of the same pages and the other does not. Of the two, the one that does not counts, for every crawler that obeys the group. Remove the one that you do not mean.",
        b"User-agent: *\nContent-Signal: ai-train=no\nContent-Usage: train-ai=y\nAllow: /\n";
    PreferencesNotInherited = 94, Note, "a group that lacks a preference of `*`",
        "A crawler obeys the groups that name it, or else the groups of `*`, never both. The same holds for Content-Signal and Content-Usage: what `*` does not permit is not stated for this crawler. Repeat the line in its group. Lint does not report a group that disallows everything.",
        b"User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /a/\n";
    AgentPerhaps = 95, Note, "a name that is nearly that of a well-known operator or crawler",
        "The name may be right: lint does not know every crawler. If a well-known crawler is meant, the group is not for it, and it obeys other rules.",
        b"User-agent: Goggle\nDisallow: /a/\n";
}
