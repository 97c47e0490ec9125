//! The pieces of generated files, and those of `paths`. A piece that matters most, or must not be rare, is listed
//! several times.

pub use super::paths::*;

pub type Bytes = &'static [u8];

#[rustfmt::skip]
pub const AGENT_FIELDS: &[Bytes] = &[
    b"User-agent", b"User-agent", b"User-agent", b"user-agent", b"USER-AGENT", b"useragent", b"User Agent",
    b"user-agents", b"user_agent",
];

pub const ALLOW_FIELDS: &[Bytes] = &[
    b"Allow",
    b"Allow",
    b"Allow",
    b"allow",
    b"ALLOW",
    b"Allowance",
    b"Alow",
];

#[rustfmt::skip]
pub const DISALLOW_FIELDS: &[Bytes] = &[
    b"Disallow", b"Disallow", b"Disallow", b"Disallow", b"disallow", b"DISALLOW", b"Dissallow", b"dissalow",
    b"Disalow", b"diasllow", b"disallaw", b"Disallowed", b"Disalllow", b"Dis allow",
];

pub const SITEMAP_FIELDS: &[Bytes] = &[
    b"Sitemap",
    b"sitemap",
    b"site-map",
    b"SITEMAPS",
    b"Site map",
];

pub const DELAY_FIELDS: &[Bytes] = &[
    b"Crawl-delay",
    b"crawl-delay",
    b"CRAWL-DELAY",
    b"Crawl-delays",
    b"crawldelay",
];

/// Between field and value, mostly a colon.
#[rustfmt::skip]
pub const SEPARATORS: &[Bytes] = &[
    b": ", b": ", b": ", b": ", b": ", b": ", b": ", b":", b":", b" : ", b"\t:\t", b":  ", b" ", b" ", b"\t", b" \t ",
    b"::", b": :", b"", b"\x0b:", b":\x0c", b"=", b"\0:", b":\0", b"#:", b": #", b"\xc2\xa0:",
];

#[rustfmt::skip]
pub const BEFORE: &[Bytes] = &[
    b"", b"", b"", b"", b"", b"", b"", b"", b"", b" ", b"\t ", b"\x0b", b"\0", b"#", b"\xef\xbb\xbf", b"- ",
];

pub const AFTER: &[Bytes] = &[
    b"", b"", b"", b"", b"", b"", b"", b"", b" ", b"\t", b" # why", b"#", b"\x0b", b"\x0c ", b"\0",
    b"\0x", b" x", b" :",
];

/// Whom most groups are for, so that the crawlers here have something to obey.
#[rustfmt::skip]
pub const COMMON_AGENTS: &[Bytes] = &[
    b"*", b"*", b"*", b"*", b"*", b"ExampleBot", b"ExampleBot", b"ExampleBot", b"examplebot-news", b"Ex", b"Other",
];

/// The tokens of the crawlers here, and what sites make of them.
#[rustfmt::skip]
pub const AGENTS: &[Bytes] = &[
    b"*", b"*", b"*", b"*", b"ExampleBot", b"ExampleBot", b"ExampleBot", b"examplebot", b"EXAMPLEBOT/1.0",
    b"ExampleBot foo", b"ExampleBot*", b"ExampleBot-News", b"ExampleBot-News", b"examplebot-news", b"ExampleBot2",
    b"Example", b"ExampleBots", b"Ex", b"Ex", b"ex/2", b"Ex.2", b"Ex.2.1", b"ExampleBot.", b"ExampleBot2.1",
    b"2ExampleBot", b"ExampleBot-News3", b"Other", b"Other", b"other_bot", b"", b"* foo", b"*\tfoo", b"**", b"*foo",
    b"*/", b"*\x0bfoo", b"*\0", b"/", b"\"ExampleBot\"", b"ExampleBot\0", b"Ex\xffample", b"2", b"*\xc2\xa0",
    b"Mozilla/5.0 (compatible; ExampleBot/0.1)",
];

#[rustfmt::skip]
pub const LINES: &[Bytes] = &[
    b"", b"", b"", b"", b"", b" ", b"\t \t", b"#", b"# a comment", b" # Disallow: /", b"Host: example.com",
    b"Noindex: /a", b"nonsense", b"two words", b": /", b"Disallow", b"Disallow:", b"Disallow: ", b"Allow:",
    b"Disallow / a", b"Disallow /a:", b"\0", b"\xff\xfe", b"<html>", b"User-agent", b"User-agent:",
    b"Request-rate: 1/5", b"Disallow: /a Disallow: /b", b"\x0b", b"disallow\x0b/", b"Disallow\xef\xbc\x9a /",
    b"\xef\xbb\xbf",
];

#[rustfmt::skip]
pub const DELAYS: &[Bytes] = &[
    b"1", b"10", b"2.5", b".5", b"3.", b"0", b"007", b".", b"-1", b"+1", b"1e3", b"5s", b"5 s", b"soon", b"", b"1,5",
    b"1.2.3", b"inf", b"NaN", b"0x10", b"99999999999999999999", b"0.1", b"0.30000000000000004", b"5\0", b"\xd9\xa1",
];

#[rustfmt::skip]
pub const SITEMAPS: &[Bytes] = &[
    b"https://example.com/s.xml", b"https://example.com/1.xml?a=%2f", b"relative.xml", b"",
    b"https://example.com/\xe3\x83\x84", b"a b", b"https://example.com/\0x", b"\xff", b"https://example.com/#f",
];

pub const ENDS: &[Bytes] = &[b"\n", b"\n", b"\n", b"\r\n", b"\r"];

/// With blank lines, which end a record in koster1996.
pub const BLANK_ENDS: &[Bytes] = &[b"\n\n", b"\n\r", b"\r\r\n", b"\r\n\r\n", b"\n \t\n"];

#[rustfmt::skip]
pub const MARKS: &[Bytes] = &[
    b"\xef\xbb\xbf", b"\xef\xbb\xbf", b"\xef\xbb", b"\xef", b"\xef\xbb\xbf\xef\xbb\xbf", b"\xef\xbf", b"\xbb\xbf",
    b"\xff\xfe",
];

/// Pieces that a fast reader of lines could take for others.
#[rustfmt::skip]
pub const LINE_PIECES: &[Bytes] = &[
    b"\n", b"\n", b"\n", b"\r", b"\r\n", b"\r\n", b"\n\r", b"\r\r\n", b"#", b"##", b" # ", b"\0", b" ", b"\t",
    b"\x0B", b"        ", b"\xEF\xBB\xBF", b"\xEF", b"User-agent: ExampleBot", b"User-agent: *", b"user-agent:other",
    b"USER AGENT ExampleBot", b"Disallow: /", b"Disallow: /a*b$", b"DISALLOW: /%41", b"disallow:/x", b"Disallow:",
    b"Disallow : /y", b"Disallow: ", b"Allow: /", b"allow: *", b"Allow:/z$", b"Allow", b"llow: /", b"allow\x1A /",
    b"allow:\0/", b"allow: \x0F", b"Disallow\x1A /", b"Dis#allow: /", b"Disallow:\t/", b"Disallow:  /",
    b"disalow: /~!", b"Sitemap: http://a/b", b"site-map:x", b"Crawl-delay: 2", b"\xE3\x83\x84", b"/index.html", b"*",
    b"$", b"<p class=x>", b"Disallow: /\r",
];
