//! Writes receipts (SPEC 13.7): an answer and its sources, as one line of JSON.

use super::{Use, UseSource, Uses};
use crate::base::codes::Enum;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::limits::validate_time;
use crate::bytes::sha256::sha256;
use crate::bytes::try_alloc::{append, push};
use crate::crawler::options::{READ_OPTIONS, ReadOptions};
use crate::crawler::preset::Purpose;
use crate::page::controls::PageControls;
use crate::url::origin;

impl Uses {
    /// Returns the receipt of an answer (SPEC 13.7): one line of JSON, without a line end. The receipt states the answer of
    /// [`Uses::use_for`], the reasons, and the files. `fetched_at`: when the page was fetched, in seconds since 1970-01-01 UTC.
    /// The command `robots replay` computes the answer again, and compares both.
    ///
    /// ```
    /// use robots::{Crawler, PageControls, Purpose, Uses};
    ///
    /// let crawler = Crawler::new("ExampleBot")?;
    /// let uses = Uses::new(&crawler, None, Some("Content-Signal: ai-train=no\n"))?;
    /// let page = PageControls::new(&crawler);
    /// let receipt = uses.receipt("https://example.com/tea", Purpose::Training, Some(&page), 1_795_000_000)?;
    /// assert!(receipt.contains(r#""use":"denied""#));
    /// # Ok::<(), robots::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Uses::use_for`]; also [`Error::Url`] and [`Error::Scheme`] if `url` is not absolute or not UTF-8,
    /// [`Error::Argument`] for a time after the year 9999, and [`Error::Memory`] if an allocation failed while the page was read.
    pub fn receipt(
        &self,
        url: impl AsRef<[u8]>,
        purpose: Purpose,
        page: Option<&PageControls>,
        fetched_at: u64,
    ) -> Result<String, Error> {
        let url = url.as_ref();
        if page.is_some_and(|page| page.is_incomplete) {
            return Err(Error::Memory);
        }
        origin::key(url)?;
        validate_time(fetched_at)?;
        let url = core::str::from_utf8(url).map_err(|_| Error::Url)?;
        let answer = self.use_for(url, purpose, page)?;
        let verdict = self.lines.check(url.as_bytes());
        let mut json = Json(Vec::new());
        json.raw(b"{\"receipt\":1")?;
        json.text("url", url.as_bytes())?;
        json.word("purpose", &Purpose::C, purpose as u32)?;
        json.number("fetched_at", fetched_at)?;
        self.add_crawler(&mut json)?;
        json.digest("robots", self.digest.as_ref())?;
        json.digest("tdmrep", self.tdm_digest.as_ref())?;
        let word: &[u8] = match (self.digest, verdict.allowed()) {
            (None, _) => b"unknown",
            (_, true) => b"allowed",
            (_, false) => b"disallowed",
        };
        json.text("verdict", word)?;
        json.number("line", verdict.line().into())?;
        let word: &[u8] = match page {
            None => b"unknown",
            Some(page) if page.statements.is_cut => b"cut",
            Some(_) => b"read",
        };
        json.text("page", word)?;
        json.word("use", &Use::C, answer.says() as u32)?;
        json.name("signals")?;
        json.raw(b"[")?;
        for (number, signal) in answer.signals().iter().enumerate() {
            json.raw(if number == 0 { b"{" } else { b",{" })?;
            json.word("source", &UseSource::C, signal.source as u32)?;
            json.word("says", &Use::C, signal.says as u32)?;
            if signal.line > 0 {
                json.number("line", signal.line.into())?;
            }
            if signal.source == UseSource::TokenRule {
                json.text("token", signal.token.as_bytes())?;
            }
            json.text("text", signal.text)?;
            json.raw(b"}")?;
        }
        json.raw(b"]")?;
        let digest = sha256(&json.0);
        json.digest("sha256", Some(&digest))?;
        json.raw(b"}")?;
        #[allow(clippy::expect_used, reason = "an invariant")]
        let receipt = String::from_utf8(json.0).expect("JSON is written as ASCII");
        Ok(receipt)
    }

    /// Adds the crawler: its tokens, its dialect, and the reading options that differ from the dialect's defaults.
    fn add_crawler(&self, json: &mut Json) -> Result<(), Error> {
        let crawler = &self.lines.crawler;
        let dialect = crawler.reading.dialect;
        json.name("crawler")?;
        json.raw(b"{\"tokens\":[")?;
        for (number, token) in crawler.tokens().enumerate() {
            json.raw(if number == 0 { b"" } else { b"," })?;
            json.string(token)?;
        }
        json.raw(b"]")?;
        json.word("dialect", &Dialect::C, dialect as u32)?;
        let defaults = ReadOptions::new(dialect).values();
        let mut options = crawler.reading.values().into_iter().zip(defaults);
        options.try_for_each(|((option, value), (_, default))| {
            let row = READ_OPTIONS.iter().find(|row| row.number == option as u32);
            let name = row.and_then(|row| row.name.strip_prefix("ROBOTS_OPT_"));
            match name.filter(|_| value != default) {
                Some(name) => json.number(name, value),
                None => Ok(()),
            }
        })?;
        json.raw(b"}")
    }
}

struct Json(Vec<u8>);

impl Json {
    fn raw(&mut self, text: &[u8]) -> Result<(), Error> {
        append(&mut self.0, text)
    }

    /// Adds the name of a member, and the comma before it.
    fn name(&mut self, name: &str) -> Result<(), Error> {
        if self.0.last() != Some(&b'{') {
            self.raw(b",")?;
        }
        self.lower(name)?;
        self.raw(b":")
    }

    /// Adds a string in lower case. The string has only letters and underscores, so nothing is escaped.
    fn lower(&mut self, word: &str) -> Result<(), Error> {
        self.raw(b"\"")?;
        for byte in word.bytes() {
            push(&mut self.0, byte.to_ascii_lowercase())?;
        }
        self.raw(b"\"")
    }

    fn word(&mut self, name: &str, words: &Enum, number: u32) -> Result<(), Error> {
        self.name(name)?;
        self.lower(words.word(number))
    }

    fn text(&mut self, name: &str, text: &[u8]) -> Result<(), Error> {
        self.name(name)?;
        self.string(text)
    }

    fn number(&mut self, name: &str, number: u64) -> Result<(), Error> {
        self.name(name)?;
        let mut digits = [0; 20];
        let (mut start, mut rest) = (digits.len(), number);
        while rest > 0 || start == digits.len() {
            start -= 1;
            if let Some(digit) = digits.get_mut(start) {
                *digit = b'0' + (rest % 10) as u8;
            }
            rest /= 10;
        }
        self.raw(digits.get(start..).unwrap_or_default())
    }

    fn digest(&mut self, name: &str, digest: Option<&[u8; 32]>) -> Result<(), Error> {
        self.name(name)?;
        let Some(digest) = digest else {
            return self.raw(b"null");
        };
        self.raw(b"\"")?;
        for byte in digest {
            self.raw(&hex(*byte))?;
        }
        self.raw(b"\"")
    }

    /// Adds a string in ASCII. A byte that is not UTF-8 becomes `?`.
    fn string(&mut self, text: &[u8]) -> Result<(), Error> {
        self.raw(b"\"")?;
        for chunk in text.utf8_chunks() {
            for unit in chunk.valid().encode_utf16() {
                let [high, low] = unit.to_be_bytes();
                match unit {
                    0x22 | 0x5C => self.raw(&[b'\\', low])?,
                    0x20..0x7F => push(&mut self.0, low)?,
                    _ => {
                        self.raw(b"\\u")?;
                        self.raw(&hex(high))?;
                        self.raw(&hex(low))?;
                    }
                }
            }
            for _ in chunk.invalid() {
                self.raw(b"?")?;
            }
        }
        self.raw(b"\"")
    }
}

fn hex(byte: u8) -> [u8; 2] {
    [byte >> 4, byte & 15].map(|digit| match digit {
        0..10 => b'0' + digit,
        _ => b'a' + digit - 10,
    })
}
