//! Detects the kind of a file by its first bytes: a robots.txt, or another file that is served instead of a robots.txt.

use crate::core::parse::line::without_byte_order_mark;
use crate::core::parse::{begins_compressed, begins_utf16, is_address};

/// The number of bytes that are examined (SPEC 2.20).
const START: usize = 4096;

/// The kind of a file.
///
/// ```
/// use robots::FileKind;
///
/// assert_eq!(FileKind::detect("User-agent: *\nDisallow: /a/\n"), FileKind::Text);
/// let kind = FileKind::detect("WARC/1.0\r\nWARC-Type: response\r\n");
/// assert_eq!((kind, kind.description()), (FileKind::Warc, "a WARC file"));
/// assert!(!kind.may_hold_rules());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// Text, which may have no line that crawlers understand.
    Text,
    /// An HTML page.
    Html,
    /// An XML document, such as a sitemap.
    Xml,
    /// A JSON document.
    Json,
    /// A PDF document.
    Pdf,
    /// A document of a word processor in RTF.
    Rtf,
    /// Text in UTF-16.
    Utf16,
    /// A file compressed by gzip.
    Gzip,
    /// A file compressed in another format, or an archive.
    Compressed,
    /// The address of a file instead of its content (SPEC 4.7).
    Address,
    /// A web archive.
    Warc,
    /// An HTTP response with its header.
    HttpResponse,
    /// Other binary data, such as an image.
    Binary,
}

impl FileKind {
    /// Returns the kind of a body, by its first 4,096 bytes.
    pub fn detect(body: impl AsRef<[u8]>) -> FileKind {
        let body = body.as_ref();
        let start = body.get(..START).unwrap_or(body);
        let text = start
            .strip_prefix(b"\xEF\xBB\xBF")
            .unwrap_or(start)
            .trim_ascii_start();
        let versioned = |name: &[u8]| {
            let version = text.strip_prefix(name).unwrap_or_default();
            version.first().is_some_and(u8::is_ascii_digit)
        };
        match without_byte_order_mark(start) {
            _ if is_utf16(start) => FileKind::Utf16,
            [0x1F, 0x8B, ..] => FileKind::Gzip,
            [b'P', b'K', 3, 4, ..] | [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y', ..] => {
                FileKind::Compressed
            }
            _ if begins_compressed(start) => FileKind::Compressed,
            [b'%', b'P', b'D', b'F', b'-', ..] => FileKind::Pdf,
            _ if text.starts_with(b"{\\rtf") => FileKind::Rtf,
            _ if is_binary(start) => FileKind::Binary,
            _ if versioned(b"WARC/") => FileKind::Warc,
            _ if versioned(b"HTTP/") => FileKind::HttpResponse,
            _ if is_json(text) => FileKind::Json,
            _ if is_address(body) => FileKind::Address,
            _ => markup(text),
        }
    }

    /// Returns a description, such as `an HTML page`.
    pub const fn description(self) -> &'static str {
        match self {
            FileKind::Text => "text",
            FileKind::Html => "an HTML page",
            FileKind::Xml => "an XML document",
            FileKind::Json => "a JSON document",
            FileKind::Pdf => "a PDF document",
            FileKind::Rtf => "an RTF document",
            FileKind::Utf16 => "text in UTF-16",
            FileKind::Gzip => "a file compressed by gzip",
            FileKind::Compressed => "a compressed file",
            FileKind::Address => "the address of a file",
            FileKind::Warc => "a WARC file",
            FileKind::HttpResponse => "an HTTP response with its header",
            FileKind::Binary => "not a text file",
        }
    }

    /// Returns whether the file may be a robots.txt. A parser skips most lines of another kind of file, so verdicts by this
    /// file say nothing about the site.
    pub const fn may_hold_rules(self) -> bool {
        matches!(self, FileKind::Text)
    }
}

/// Returns whether the text has a byte order mark of UTF-16, or nearly every second byte is a NUL.
fn is_utf16(start: &[u8]) -> bool {
    let zeros = |from: usize| {
        let every_second = start.iter().skip(from).step_by(2);
        every_second.filter(|byte| **byte == 0).count()
    };
    let pairs = start.len() / 2;
    begins_utf16(start) || pairs >= 4 && zeros(0).max(zeros(1)) * 10 > pairs * 9
}

/// Returns whether more than a tenth of the bytes, and more than three, are control characters that text does not have.
fn is_binary(start: &[u8]) -> bool {
    let is_control =
        |byte: &u8| *byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B);
    let controls = start.iter().filter(|byte| is_control(byte)).count();
    controls * 10 > start.len() && controls > 3
}

/// Returns whether the text starts like a JSON object, or an array of objects, arrays or strings.
fn is_json(text: &[u8]) -> bool {
    let next = text.get(1..).unwrap_or_default().trim_ascii_start().first();
    match text.first() {
        Some(b'{') => matches!(next, Some(b'"' | b'}')),
        Some(b'[') => matches!(next, Some(b'"' | b'{' | b'[' | b']')),
        _ => false,
    }
}

/// Returns the kind of a text: HTML or XML if the text starts with `<` and has tags of that kind.
fn markup(text: &[u8]) -> FileKind {
    if text.first() != Some(&b'<') {
        return FileKind::Text;
    }
    const HTML: &str =
        "<!doctype <html <head <body <title <meta <script <p> <div <h1 <center <pre <br";
    const XML: &str = "<?xml <urlset <sitemapindex";
    let holds = |tag: &str| {
        let mut windows = text.windows(tag.len());
        windows.any(|window| window.eq_ignore_ascii_case(tag.as_bytes()))
    };
    if HTML.split(' ').any(holds) {
        FileKind::Html
    } else if XML.split(' ').any(holds) {
        FileKind::Xml
    } else {
        FileKind::Text
    }
}
