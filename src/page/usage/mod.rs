//! Decides what a page may be used for (SPEC 13). The answer lists every statement of the site and of the page about a purpose;
//! the most restrictive statement decides.

mod lines;
mod receipt;
mod tdm_file;

use super::ExtensionField;
use super::controls::statements::Statements;
use super::controls::{Control, PageControls, PageRule};
use super::policy_tokens::policy_tokens;
use super::preferences::{Choice, Stated, Vocabulary, add_signals, add_usage};
use crate::base::error::Error;
use crate::base::verdict::{Reason, Verdict};
use crate::bytes::sha256::sha256;
use crate::bytes::try_alloc::{append, copy, push};
use crate::core::parse::directive::Field;
use crate::core::parse::file_kind::FileKind;
use crate::core::parse::reader::{self, Reader};
use crate::core::rules::Rules;
use crate::crawler::Crawler;
use crate::crawler::preset::{Preset, Purpose};
use crate::url::origin::{self, Origin};
use lines::UseLines;
use tdm_file::{TdmFile, TdmRule};

codes! {
    /// Whether a page may be used for a purpose (SPEC 13.1), the most restrictive first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(u8)]
    pub enum Use: robots_use("ROBOTS_USE_") in uses, "Whether a page may be used for a purpose (SPEC 13.1), the most restrictive first." {
        /// A statement says no.
        Denied = 0 ROBOTS_USE_DENIED,
        /// No statement says no, and a statement gives the address of terms.
        Licensed = 1 ROBOTS_USE_LICENSED,
        /// A statement says yes, and no statement is more restrictive.
        Allowed = 2 ROBOTS_USE_ALLOWED,
        /// Nothing is stated, or something that was not read may restrict the use: neither a yes nor a no.
        Unstated = 3 ROBOTS_USE_UNSTATED,
    }
    ALL: pub(crate), from_code: pub(crate) u32
}

codes! {
    /// The source of a signal (SPEC 13.2).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    #[repr(u8)]
    pub enum UseSource: robots_use_source("ROBOTS_USE_SOURCE_") in uses, "Where a signal about a use is (SPEC 13.2)." {
        /// Unknown: the robots.txt was not read, or a part of the page was not kept.
        NotRead = 1 ROBOTS_USE_SOURCE_NOT_READ,
        /// A rule of the robots.txt forbids the fetch.
        Rule = 2 ROBOTS_USE_SOURCE_RULE,
        /// A rule in the group of a policy token or a control token.
        TokenRule = 3 ROBOTS_USE_SOURCE_TOKEN_RULE,
        /// A `Content-Usage` line.
        ContentUsageLine = 4 ROBOTS_USE_SOURCE_CONTENT_USAGE_LINE,
        /// A `Content-Signal` line.
        ContentSignalLine = 5 ROBOTS_USE_SOURCE_CONTENT_SIGNAL_LINE,
        /// A `License` line.
        LicenseLine = 6 ROBOTS_USE_SOURCE_LICENSE_LINE,
        /// The header `Content-Usage`.
        ContentUsageHeader = 7 ROBOTS_USE_SOURCE_CONTENT_USAGE_HEADER,
        /// The header `Content-Signal`.
        ContentSignalHeader = 8 ROBOTS_USE_SOURCE_CONTENT_SIGNAL_HEADER,
        /// The header `Link` with the relation `license`.
        LinkHeader = 9 ROBOTS_USE_SOURCE_LINK_HEADER,
        /// A rule of `X-Robots-Tag`, `Robots-Tag` or a `<meta>` element.
        PageRule = 10 ROBOTS_USE_SOURCE_PAGE_RULE,
        /// The headers `tdm-reservation` and `tdm-policy`.
        TdmHeader = 11 ROBOTS_USE_SOURCE_TDM_HEADER,
        /// The `<meta>` elements `tdm-reservation` and `tdm-policy`.
        TdmMeta = 12 ROBOTS_USE_SOURCE_TDM_META,
        /// The file `/.well-known/tdmrep.json`.
        TdmFile = 13 ROBOTS_USE_SOURCE_TDM_FILE,
    }
    ALL: pub(crate), from_code: pub(crate) u32
}

/// A signal: what one statement says about a URL and a purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UseSignal<'u> {
    /// Source of the statement.
    pub source: UseSource,
    /// What the statement says. [`Use::Unstated`] for an unknown label or value, and for a source that was not read;
    /// [`Use::Denied`] for a page that was not read because memory was short.
    pub says: Use,
    /// The line of the robots.txt, from 1; 0 for any other source.
    pub line: u32,
    /// The text as it is written, such as `ai-train=no` or `Disallow: /a`. If `says` is [`Use::Licensed`], the text is the
    /// address of the terms; in a `Link` header, it may be relative to the page. The text may have any bytes.
    pub text: &'u [u8],
    /// The policy token or control token of [`UseSource::TokenRule`], such as `Google-Extended`; empty for any other source.
    pub token: &'static str,
}

impl<'u> UseSignal<'u> {
    /// Returns a signal without line and token.
    fn new(source: UseSource, says: Use, text: &'u [u8]) -> UseSignal<'u> {
        let (line, token) = (0, "");
        UseSignal {
            source,
            says,
            line,
            text,
            token,
        }
    }
}

/// The answer for a URL and a purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UseAnswer<'u> {
    says: Use,
    signals: Vec<UseSignal<'u>>,
}

impl<'u> UseAnswer<'u> {
    /// Returns whether the page may be used.
    pub fn says(&self) -> Use {
        self.says
    }

    /// Returns every signal about the purpose, with the deciding signal first. Signals with an unknown label or value are last,
    /// because their purpose is unknown.
    pub fn signals(&self) -> &[UseSignal<'u>] {
        &self.signals
    }

    /// Returns the signal that decides; `None` if nothing is stated and every source was read.
    pub fn decided_by(&self) -> Option<&UseSignal<'u>> {
        let first = self.signals.first();
        first.filter(|first| first.says != Use::Unstated || first.source == UseSource::NotRead)
    }

    /// Returns the address of the terms if the answer is [`Use::Licensed`].
    pub fn terms(&self) -> Option<&'u [u8]> {
        let first = self.signals.first().filter(|_| self.says == Use::Licensed);
        first.map(|first| first.text)
    }
}

/// What a site states to one crawler about the use of its pages: the site's robots.txt, and its tdmrep.json if the crawler read
/// that file.
///
/// ```
/// use robots::{Crawler, Origin, PageControls, Purpose, Use, Uses};
///
/// let crawler = Crawler::new("ExampleBot")?;
/// let file = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n";
/// let site = Origin::from_url("https://example.com/")?;
/// let uses = Uses::new(&crawler, Some(&site), Some(file))?;
/// let page = PageControls::new(&crawler);
/// let answer = uses.use_for("https://example.com/tea", Purpose::Training, Some(&page))?;
/// assert_eq!(answer.says(), Use::Denied);
/// assert_eq!(answer.decided_by().map(|by| (by.line, by.text)), Some((2, &b"ai-train=no"[..])));
/// assert_eq!(uses.use_for("https://example.com/tea", Purpose::Search, Some(&page))?.says(), Use::Allowed);
/// assert_eq!(uses.use_for("https://example.com/tea", Purpose::AiSearch, Some(&page))?.says(), Use::Unstated);
/// # Ok::<(), robots::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Uses {
    /// The origin key of the site. `None`: every URL counts as a URL of the site.
    site: Option<Vec<u8>>,
    /// Whether the contents of the robots.txt are known: the file was read, or the site has none.
    is_read: bool,
    lines: UseLines,
    tokens: Vec<Token>,
    /// The texts of the rules, concatenated. `rule_ends` has line and end offset of each rule.
    rules: Vec<u8>,
    rule_ends: Vec<(u32, usize)>,
    tdm_file: TdmFile,
    /// The SHA-256 of the robots.txt, or of an empty text if the site has no file; `None` if the file is unknown.
    digest: Option<[u8; 32]>,
    /// The SHA-256 of the tdmrep.json; `None` if no file was added.
    tdm_digest: Option<[u8; 32]>,
}

/// A policy token or a control token, and its rules.
#[derive(Clone, Debug)]
struct Token {
    name: &'static str,
    /// The preset of a control token; `None` for a policy token, which is about training.
    preset: Option<Preset>,
    rules: Rules,
    /// Whether the file has a group for the token.
    has_group: bool,
}

impl Token {
    fn is_for(&self, purpose: Purpose) -> bool {
        match self.preset {
            Some(preset) => preset.controls(purpose),
            None => purpose == Purpose::Training,
        }
    }

    /// Returns the statement of the token's rules about a URL (SPEC 13.3).
    fn says(&self, verdict: Verdict) -> Option<Use> {
        match verdict.reason() {
            Reason::RuleDisallowed => Some(Use::Denied),
            Reason::RuleAllowed if self.has_group => Some(Use::Allowed),
            _ => None,
        }
    }
}

impl Uses {
    /// Reads a robots.txt. `site`: the site that the file governs; if it is `None`, every URL counts as a URL of the site.
    /// `body`: the file; empty if the site has none (404); `None` if the file is unknown, as in an outage. If the file is
    /// unknown, no answer is [`Use::Allowed`]. The same holds if the body is compressed, is the address of a file, is longer
    /// than the crawler reads, or has a line that the dialect cuts (SPEC 13.6).
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn new(
        crawler: &Crawler,
        site: Option<&Origin>,
        body: Option<impl AsRef<[u8]>>,
    ) -> Result<Uses, Error> {
        let body = body.as_ref().map(AsRef::as_ref);
        let digest = body.map(sha256);
        let is_text = |body: &&[u8]| {
            let kind = FileKind::detect(body);
            !matches!(
                kind,
                FileKind::Gzip | FileKind::Compressed | FileKind::Address
            )
        };
        let body = body.filter(is_text);
        let is_read = body.is_some_and(|body| body.len() <= crawler.reading.max_bytes);
        let body = body.unwrap_or_default();
        let mut uses = Uses {
            site: site.map(|site| copy(site.key().as_bytes())).transpose()?,
            is_read,
            lines: UseLines::parse(crawler, body)?,
            tokens: Vec::new(),
            rules: Vec::new(),
            rule_ends: Vec::new(),
            tdm_file: TdmFile::default(),
            digest,
            tdm_digest: None,
        };
        let names = policy_tokens().map(|name| (name, None));
        let controls = Preset::control_tokens_for(crawler);
        for (name, preset) in names.chain(controls.map(|preset| (preset.name(), Some(preset)))) {
            let mut reader = match preset {
                Some(preset) => preset.crawler()?,
                None => Crawler::new(name)?,
            };
            // Each token reads the same bytes and groups of the file as the crawler.
            reader.reading.max_bytes = crawler.reading.max_bytes;
            reader.reading.crawl_delay_ends_agents = crawler.reading.crawl_delay_ends_agents;
            let own = Rules::compiled(&reader.clone().with_ignore_star(true), body)?;
            let has_group = own.about().has_group;
            // If the `*` group applies to a crawler, it also applies to the crawler's control token (SPEC 13.3).
            let rules = match preset {
                Some(_) if !has_group => Rules::compiled(&reader, body)?,
                _ => own,
            };
            let token = Token {
                name,
                preset,
                rules,
                has_group,
            };
            push(&mut uses.tokens, token)?;
        }
        for line in Reader::new(crawler, body) {
            // The part that a dialect cuts from a line may be more restrictive (SPEC 4.4, 4.6).
            let whole = reader::without_comment(line.whole);
            let of_tokens = uses.tokens.iter().map(|token| token.rules.about().dialect);
            let mut dialects = of_tokens.chain([crawler.reading.dialect]);
            uses.is_read &=
                dialects.all(|dialect| reader::text_of(line.whole, dialect).len() == whole.len());
            let field = line.directive.map(|directive| directive.field);
            if matches!(field, Some(Field::Allow | Field::Disallow)) {
                append(&mut uses.rules, crawler.reading.dialect.trim(line.text))?;
                push(&mut uses.rule_ends, (line.number, uses.rules.len()))?;
            }
        }
        Ok(uses)
    }

    /// Adds the file `/.well-known/tdmrep.json` of the site (SPEC 13.4). If the file is unknown, as in an outage, pass an empty
    /// text. If the text is empty, is no array of JSON objects, or has more than 512,000 bytes, no answer for AI search or
    /// training is [`Use::Allowed`]. Without this call the site has no such file.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn with_tdm_file(mut self, json: impl AsRef<[u8]>) -> Result<Uses, Error> {
        let json = json.as_ref();
        self.tdm_file = TdmFile::parse(json)?;
        self.tdm_digest = Some(sha256(json));
        Ok(self)
    }

    /// Returns whether a page may be used for a purpose. `page`: the controls of the response, read for the same crawler. If
    /// `page` is `None`, the statements of the page are unknown, and the answer is never [`Use::Allowed`].
    ///
    /// # Errors
    /// [`Error::Url`] if `url` is no URL of the site; [`Error::Scheme`] if the site is known and the scheme of `url` has no
    /// robots.txt; [`Error::Argument`] if `page` was read for a crawler with other product tokens, because other rules may
    /// apply to it; [`Error::Memory`].
    pub fn use_for<'u>(
        &'u self,
        url: impl AsRef<[u8]>,
        purpose: Purpose,
        page: Option<&'u PageControls>,
    ) -> Result<UseAnswer<'u>, Error> {
        let url = url.as_ref();
        if page.is_some_and(|page| !page.is_for(&self.lines.crawler)) {
            return Err(Error::Argument);
        }
        if let Some(site) = &self.site {
            origin::expect(site, url)?;
        }
        let mut signals = Signals(Vec::new());
        let verdict = self.lines.check(url);
        let stated = self.lines.stated(url, verdict)?;
        if !self.is_read {
            signals.add(UseSource::NotRead, Use::Unstated, b"robots.txt")?;
        }
        if !verdict.allowed() {
            self.add_rule(&mut signals, UseSource::Rule, Use::Denied, verdict, "")?;
        }
        // If the crawler itself is this control token, the group of the token already decided the verdict.
        let is_told = |name: &str| !verdict.allowed() && self.lines.is_for(name);
        let tokens = self.tokens.iter().filter(|token| token.is_for(purpose));
        for token in tokens.filter(|token| !is_told(token.name)) {
            let verdict = token.rules.check(url);
            if let Some(says) = token.says(verdict) {
                self.add_rule(
                    &mut signals,
                    UseSource::TokenRule,
                    says,
                    verdict,
                    token.name,
                )?;
            }
        }
        signals.add_stated(purpose, &stated)?;
        let has_lines = self.lines.has_statements(url, verdict)?;
        for line in self.lines.of(ExtensionField::License).filter(|_| has_lines) {
            let (source, says) = (UseSource::LicenseLine, of_license(line.value));
            signals.push(UseSignal {
                line: line.line,
                ..UseSignal::new(source, says, line.value)
            })?;
        }
        match page {
            Some(page) => self.add_page(&mut signals, purpose, page)?,
            None => signals.add(UseSource::NotRead, Use::Unstated, b"page")?,
        }
        if is_mining(purpose) {
            self.add_tdm(&mut signals, url, page.map(|page| &page.statements))?;
        }
        signals.answer()
    }

    /// Adds the rule that decides a verdict.
    fn add_rule<'u>(
        &'u self,
        signals: &mut Signals<'u>,
        source: UseSource,
        says: Use,
        verdict: Verdict,
        token: &'static str,
    ) -> Result<(), Error> {
        let line = verdict.line();
        let place = self
            .rule_ends
            .binary_search_by_key(&line, |(line, _)| *line);
        let end_of = |place: usize| self.rule_ends.get(place).map(|(_, end)| *end);
        let text = place.ok().and_then(|place| {
            let start = place.checked_sub(1).and_then(end_of).unwrap_or(0);
            self.rules.get(start..end_of(place)?)
        });
        let text = text.unwrap_or_default();
        signals.push(UseSignal {
            line,
            token,
            ..UseSignal::new(source, says, text)
        })
    }

    /// Adds the statements of the response.
    fn add_page<'u>(
        &'u self,
        signals: &mut Signals<'u>,
        purpose: Purpose,
        page: &'u PageControls,
    ) -> Result<(), Error> {
        if page.is_incomplete {
            return signals.add(UseSource::NotRead, Use::Denied, b"page");
        }
        let statements = &page.statements;
        if statements.is_cut {
            signals.add(UseSource::NotRead, Use::Unstated, b"page")?;
        }
        let mut stated = Vec::new();
        add_usage(&mut stated, page.usage_text(), 0)?;
        add_signals(&mut stated, &statements.signals, 0)?;
        signals.add_stated(purpose, &stated)?;
        for url in statements.licenses() {
            signals.add(UseSource::LinkHeader, Use::Licensed, url)?;
        }
        for rule in page_rules(page, purpose).into_iter().flatten() {
            signals.add(UseSource::PageRule, Use::Denied, &rule.text)?;
        }
        Ok(())
    }

    /// Adds the reservation of rights (SPEC 13.4). A reservation in an element has priority over a reservation in a header, and
    /// both have priority over the file.
    fn add_tdm<'u>(
        &'u self,
        signals: &mut Signals<'u>,
        url: &[u8],
        page: Option<&'u Statements>,
    ) -> Result<(), Error> {
        if self.tdm_file.is_unread {
            signals.add(UseSource::NotRead, Use::Unstated, b"tdmrep.json")?;
        }
        let [meta, header] = match page {
            Some(page) => [Some(&page.tdm_meta), Some(&page.tdm_header)],
            None => [None, None],
        };
        let of = |file: Option<&'u TdmRule>| {
            let said = [
                (UseSource::TdmMeta, meta.and_then(|tdm| tdm.is_reserved)),
                (UseSource::TdmHeader, header.and_then(|tdm| tdm.is_reserved)),
                (UseSource::TdmFile, file.and_then(|rule| rule.is_reserved)),
            ];
            let mut said = said.into_iter();
            let (source, is_reserved) =
                said.find_map(|(source, is_reserved)| Some((source, is_reserved?)))?;
            let of_page = [meta, header].map(|tdm| tdm.and_then(|tdm| tdm.policy.as_deref()));
            let of_file = file.and_then(|rule| rule.policy.as_deref());
            let policy = of_page.into_iter().flatten().chain(of_file).next();
            let terms = policy.filter(|policy| of_license(policy) == Use::Licensed);
            Some(match (is_reserved, terms) {
                (false, _) => UseSignal::new(source, Use::Allowed, b"0"),
                (true, None) => UseSignal::new(source, Use::Denied, b"1"),
                (true, Some(terms)) => UseSignal::new(source, Use::Licensed, terms),
            })
        };
        let says = |rule| of(rule).map_or(Use::Unstated, |signal| signal.says);
        match of(self.tdm_file.most_restrictive(url, says)?) {
            Some(signal) => signals.push(signal),
            None => Ok(()),
        }
    }
}

/// The signals for one URL and one purpose.
struct Signals<'u>(Vec<UseSignal<'u>>);

impl<'u> Signals<'u> {
    fn add(&mut self, source: UseSource, says: Use, text: &'u [u8]) -> Result<(), Error> {
        self.push(UseSignal::new(source, says, text))
    }

    fn push(&mut self, signal: UseSignal<'u>) -> Result<(), Error> {
        push(&mut self.0, signal)
    }

    /// Adds the preferences about the purpose, and the preferences with an unknown label.
    fn add_stated(&mut self, purpose: Purpose, stated: &[Stated<'u>]) -> Result<(), Error> {
        for one in stated {
            let about = one.purposes();
            if about.is_some_and(|about| !about.contains(&purpose)) {
                continue;
            }
            let source = match (one.vocabulary, one.line) {
                (Vocabulary::ContentUsage, 0) => UseSource::ContentUsageHeader,
                (Vocabulary::ContentUsage, _) => UseSource::ContentUsageLine,
                (Vocabulary::ContentSignal, 0) => UseSource::ContentSignalHeader,
                (Vocabulary::ContentSignal, _) => UseSource::ContentSignalLine,
            };
            let says = match one.choice {
                Choice::Yes if about.is_some() => Use::Allowed,
                Choice::No if about.is_some() => Use::Denied,
                _ => Use::Unstated,
            };
            self.push(UseSignal {
                line: one.line,
                ..UseSignal::new(source, says, one.text)
            })?;
        }
        Ok(())
    }

    /// Returns the answer (SPEC 13.1).
    fn answer(self) -> Result<UseAnswer<'u>, Error> {
        // A source that was not read may have a more restrictive statement than a yes.
        let rank = |signal: &UseSignal<'_>| match (signal.says, signal.source) {
            (Use::Denied, _) => 0,
            (Use::Licensed, _) => 1,
            (Use::Unstated, UseSource::NotRead) => 2,
            (Use::Allowed, _) => 3,
            (Use::Unstated, _) => 4,
        };
        let mut signals = Vec::new();
        for wanted in 0..=4 {
            for signal in self.0.iter().filter(|signal| rank(signal) == wanted) {
                push(&mut signals, *signal)?;
            }
        }
        let says = signals.first().map_or(Use::Unstated, |first| first.says);
        Ok(UseAnswer { says, signals })
    }
}

/// Returns what an address of terms says: [`Use::Licensed`] if it is an absolute URL, else [`Use::Unstated`] (SPEC 13.5).
fn of_license(address: &[u8]) -> Use {
    match origin::is_absolute(address) {
        true => Use::Licensed,
        false => Use::Unstated,
    }
}

/// Returns whether text and data are mined for a purpose (SPEC 13.2).
fn is_mining(purpose: Purpose) -> bool {
    matches!(purpose, Purpose::Training | Purpose::AiSearch)
}

/// Returns the rules of a page that forbid a purpose (SPEC 13.2).
fn page_rules(page: &PageControls, purpose: Purpose) -> [Option<&PageRule>; 4] {
    use Purpose::{AiSearch, Archive, Search, Training};
    let forbids = |control, purposes: &[Purpose]| {
        let is_forbidden = purposes.contains(&purpose) && page.get(control) == 0;
        page.decided_by(control).filter(|_| is_forbidden)
    };
    let [ai, ai_images] = page.no_ai();
    [
        forbids(Control::Index, &[Search, AiSearch])
            .or_else(|| forbids(Control::Archive, &[Archive])),
        forbids(Control::Snippet, &[AiSearch]),
        ai.filter(|_| matches!(purpose, AiSearch | Training)),
        ai_images.filter(|_| purpose == Training),
    ]
}
