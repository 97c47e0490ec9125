//! Reads page-level controls: what a crawler may do with a response (SPEC 9.6). A page states controls in the headers
//! `X-Robots-Tag` and `Robots-Tag`, and in `<meta>` elements. The module `lists` parses the values, and `rules` has the table
//! of known rules.

mod control;
mod link;
mod lists;
mod rules;
pub(super) mod statements;

pub use control::{Control, PageSource};

use core::mem;

use self::lists::{KnownRule, ListReader, Naming};
pub use self::rules::near_page_rule;
use self::rules::{Effect, NO_SNIPPET};
use self::statements::Statements;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::limits::{MAX_RULE_TEXT, MAX_UNKNOWN_RULES, MAX_USAGE};
use crate::bytes::date::Zone;
use crate::bytes::try_alloc::{append, copy, push};
use crate::crawler::Crawler;

/// A rule of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageRule {
    /// Text of the rule, such as `max-snippet: 20`; at most 256 bytes.
    pub text: Vec<u8>,
    /// The product token of the crawler that the rule is for; `None` if it is for every crawler.
    pub agent: Option<Vec<u8>>,
    /// Source of the rule.
    pub source: PageSource,
    /// Number of the header or element in the order of addition, counted from 1 for each source.
    pub number: u32,
    /// The value that the rule gives to the control; 0 for an unknown rule.
    pub value: i64,
    /// Time zone of a date: known, missing or unknown; [`Zone::Known`] for other rules.
    pub zone: Zone,
}

/// The crawlers that a rule applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Everyone,
    /// The crawler's product token with this index.
    Token(usize),
    Others,
}

/// The place of a rule, and the crawlers that it applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RulePlace {
    source: PageSource,
    number: u32,
    part: Part,
}

/// What one crawler may do with one response: the page-level controls (SPEC 9.6), and the statements of the response that
/// [`Uses`](crate::Uses) reads (SPEC 13).
///
/// Pass all headers of the response to [`add_header`](PageControls::add_header), and the name and content of each `<meta>`
/// element to [`add_meta`](PageControls::add_meta). Rules without a name apply to every crawler. Rules with a name apply only
/// to a crawler that has this name as a product token, in any case. Of all rules that apply to the crawler, the most
/// restrictive rule decides, whatever its source.
///
/// ```
/// use robots::{Control, Crawler, PageControls};
///
/// let mut page = PageControls::new(&Crawler::new("ExampleBot")?);
/// page.add_header("X-Robots-Tag", "max-snippet: 50, otherbot: noindex")?;
/// page.add_header("X-Robots-Tag", "examplebot: nofollow, unavailable_after: Fri, 25 Jun 2027 15:00:00 PST")?;
/// page.add_meta("robots", "max-snippet: 20, noai")?;
/// assert!(page.may_index() && !page.may_follow());
/// assert_eq!(page.get(Control::MaxSnippet), 20);
/// assert_eq!(page.unavailable_after(), Some(1_813_964_400));
/// let rule = page.decided_by(Control::Follow).map(|rule| (&*rule.text, rule.number));
/// assert_eq!(rule, Some((&b"nofollow"[..], 2)));
/// let unknown: Vec<_> = page.unknown().map(|rule| &*rule.text).collect();
/// assert_eq!(unknown, [b"noai"]);
/// # Ok::<(), robots::Error>(())
/// ```
///
/// # Rules and the crawlers that obey them
///
/// The last three columns state what the operators documented on 2026-11-22. A crawler that obeys every rule of this table
/// is at least as restrictive as each operator.
///
/// | rule | restricts | Google | Bing | Yandex |
/// |---|---|---|---|---|
/// | `noindex` | [`Control::Index`] | yes | yes | yes |
/// | `nofollow` | [`Control::Follow`] | yes | yes | yes |
/// | `none` | both | yes | - | yes |
/// | `all`, `index`, `follow`, `archive` | nothing: this is the default | ignored | `index`, `follow` | cancel the opposite |
/// | `noarchive` | [`Control::Archive`] | no longer | yes; not used by Bing Chat | yes |
/// | `nocache` | [`Control::Archive`] | no | yes; Bing Chat shows the snippet only | - |
/// | `nosnippet` | [`Control::Snippet`], excerpts and video previews | yes | yes | - |
/// | `max-snippet: <n>` | [`Control::MaxSnippet`]; 0 equals `nosnippet` | yes | yes | - |
/// | `max-image-preview: none\|standard\|large` | [`Control::MaxImagePreview`] | yes | yes | - |
/// | `max-video-preview: <n>` | [`Control::MaxVideoPreview`] | yes | yes | - |
/// | `notranslate` | [`Control::Translate`] | yes | - | - |
/// | `noimageindex` | [`Control::ImageIndex`] | yes | - | - |
/// | `unavailable_after: <date>` | [`Control::UnavailableAfter`] | yes | - | - |
/// | `indexifembedded` | lifts `noindex` for embedded content | yes | - | - |
/// | `nositelinkssearchbox`, `noodp`, `noydir`, `noyaca` | nothing: unknown here | no longer | `noodp` | `noyaca` |
///
/// Sources: Google Search Central, "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications"; Bing Webmaster
/// Help, "Robots Metatags"; Bing Webmaster Blog of April 2020 (previews) and of September 2023 (Bing Chat); Yandex
/// Webmaster Help, "Robots meta tag and X-Robots-Tag HTTP header". `Robots-Tag` is read as in `draft-illyes-repext`
/// 00 and 03. Yandex lets a permission win over a restriction; here the most restrictive rule wins (SPEC 9.6).
///
/// # Limits
///
/// A value of any length is parsed in linear time. The deciding rules and up to 64 unknown rules are kept, with at most 256
/// bytes each. If all `Content-Usage` values exceed 16 KiB, there are no preferences. Getters allocate nothing.
///
/// After an error some rules are missing, so every control has the value 0, its most restrictive value.
#[derive(Clone, Debug)]
pub struct PageControls {
    crawler: Crawler,
    decided: [Option<PageRule>; Control::ALL.len()],
    unknown: Vec<PageRule>,
    unknown_omitted: u64,
    /// Number of values added so far, for each source.
    numbers: [u32; 3],
    /// `Content-Usage` values, joined with `, `; `None` once they exceed [`MAX_USAGE`].
    usage_text: Option<Vec<u8>>,
    /// Whether there is a `Content-Usage` header. The value of the header may be empty.
    has_usage: bool,
    /// The first rule with the word `noai`, and the first rule with the word `noimageai`.
    no_ai: [Option<PageRule>; 2],
    pub(super) statements: Statements,
    pub(super) is_incomplete: bool,
}

impl PageControls {
    /// Creates the controls of a response without headers and elements: everything is allowed.
    pub fn new(crawler: &Crawler) -> PageControls {
        PageControls {
            crawler: crawler.clone(),
            decided: [const { None }; Control::ALL.len()],
            unknown: Vec::new(),
            unknown_omitted: 0,
            numbers: [0; 3],
            usage_text: Some(Vec::new()),
            has_usage: false,
            no_ai: [None, None],
            statements: Statements::default(),
            is_incomplete: false,
        }
    }

    /// Adds a header of the response. Only `X-Robots-Tag`, `Robots-Tag` and `Content-Usage` have an effect, in upper or lower
    /// case; for [`Uses`](crate::Uses) also `Content-Signal`, `Link`, `tdm-reservation` and `tdm-policy`. Add repeated headers
    /// one by one: a joined value does not show where the rules for one crawler end.
    ///
    /// # Errors
    /// [`Error::Memory`]. Then every control has the value 0.
    pub fn add_header(
        &mut self,
        name: impl AsRef<[u8]>,
        value: impl AsRef<[u8]>,
    ) -> Result<(), Error> {
        let (name, value) = (name.as_ref().trim_ascii(), value.as_ref());
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        let added = if is("X-Robots-Tag") {
            let place = self.next_place(PageSource::XRobotsTag);
            self.read_list(value, place, Naming::Colon)
        } else if is("Robots-Tag") {
            let place = self.next_place(PageSource::RobotsTag);
            self.read_list(value, place, Naming::of_robots_tag(value))
        } else if is("Content-Usage") {
            self.add_usage(value)
        } else {
            self.statements.add_header(name, value)
        };
        self.noting_failure(added)
    }

    /// Adds a `<meta>` element of the page. The element has an effect if its name is `robots`, `*` or a product token of the
    /// crawler, and for [`Uses::use_for`](crate::Uses::use_for) `tdm-reservation` or `tdm-policy`. Names have any case.
    ///
    /// # Errors
    /// [`Error::Memory`]. Then every control has the value 0.
    pub fn add_meta(
        &mut self,
        name: impl AsRef<[u8]>,
        content: impl AsRef<[u8]>,
    ) -> Result<(), Error> {
        let name = name.as_ref().trim_ascii();
        let mut place = self.next_place(PageSource::Meta);
        place.part = self.part(name);
        let added = match place.part {
            Part::Others => self.statements.add_meta(name, content.as_ref()),
            _ => self.read_list(content.as_ref(), place, Naming::None),
        };
        self.noting_failure(added)
    }

    /// Returns the value of a control. After an error it is 0, the most restrictive value.
    pub fn get(&self, control: Control) -> i64 {
        if self.is_incomplete {
            return 0;
        }
        match self.deciding(control) {
            Some(rule) => rule.value,
            None if control == Control::IndexIfEmbedded => self.get(Control::Index),
            None => control.unrestricted(),
        }
    }

    /// Returns whether the page may be indexed.
    pub fn may_index(&self) -> bool {
        self.get(Control::Index) != 0
    }

    /// Returns whether links of the page may be followed.
    pub fn may_follow(&self) -> bool {
        self.get(Control::Follow) != 0
    }

    /// Returns the time after which the page must not be shown, in seconds since 1970-01-01 UTC.
    pub fn unavailable_after(&self) -> Option<u64> {
        u64::try_from(self.get(Control::UnavailableAfter)).ok()
    }

    /// Returns the rule that decides a control: the first of the most restrictive rules. Returns `None` if no rule decides the
    /// control, or after an error.
    pub fn decided_by(&self, control: Control) -> Option<&PageRule> {
        if self.is_incomplete {
            return None;
        }
        let rule = self.deciding(control);
        match control {
            Control::IndexIfEmbedded => rule.or_else(|| self.deciding(Control::Index)),
            _ => rule,
        }
    }

    /// Returns the rules for this crawler that are unknown or have an invalid value, in the order of their addition.
    pub fn unknown(&self) -> impl ExactSizeIterator<Item = &PageRule> {
        self.unknown.iter()
    }

    /// Returns the number of unknown rules that were not kept, because 64 were kept already.
    pub fn unknown_omitted(&self) -> u64 {
        self.unknown_omitted
    }

    /// Returns the values of the `Content-Usage` headers.
    pub(super) fn usage_text(&self) -> &[u8] {
        self.usage_text.as_deref().unwrap_or_default()
    }

    /// Returns the rules with the words `noai` and `noimageai`, for this crawler.
    pub(super) fn no_ai(&self) -> [Option<&PageRule>; 2] {
        self.no_ai.each_ref().map(Option::as_ref)
    }

    /// Returns whether these controls were read for a crawler with the same product tokens. Rules name tokens, so controls for
    /// other tokens may differ.
    pub(super) fn is_for(&self, crawler: &Crawler) -> bool {
        self.crawler.tokens().eq(crawler.tokens())
    }

    /// Records that some value is missing: every control then has its most restrictive value.
    pub(crate) fn set_incomplete(&mut self) {
        self.is_incomplete = true;
    }

    fn noting_failure(&mut self, added: Result<(), Error>) -> Result<(), Error> {
        added.inspect_err(|_| self.set_incomplete())
    }

    /// Counts a header or element of `source`, and returns the place of its rules.
    fn next_place(&mut self, source: PageSource) -> RulePlace {
        let number = self.numbers.get_mut(source as usize - 1);
        let number = number.map_or(0, |number| {
            *number = number.saturating_add(1);
            *number
        });
        RulePlace {
            source,
            number,
            part: Part::Everyone,
        }
    }

    /// Adds the rules of a list.
    fn read_list(
        &mut self,
        value: &[u8],
        mut place: RulePlace,
        naming: Naming,
    ) -> Result<(), Error> {
        let mut list = ListReader::new(value);
        let mut separator = Some(b',');
        while let Some(before) = separator {
            let starts_part = naming.part_end() == Some(before);
            if starts_part {
                place.part = Part::Everyone;
            }
            self.read_element(&mut list, &mut place, naming, starts_part)?;
            separator = list.next();
        }
        Ok(())
    }

    /// Reads the rules up to the next separator. Adjacent words that belong to no known rule form one unknown rule.
    fn read_element(
        &mut self,
        list: &mut ListReader<'_>,
        place: &mut RulePlace,
        naming: Naming,
        starts_part: bool,
    ) -> Result<(), Error> {
        let (mut unknown, mut is_first) = (0..0, true);
        while let Some(word) = list.word() {
            let rule = list.rule(&word);
            let may_name = is_first && starts_part || naming != Naming::Element;
            let is_name = may_name && naming.is_name(&word, list);
            let part = is_name.then(|| self.part(word.text));
            // A later word that looks like a name may be an unknown rule, so it cannot end the rules for this crawler.
            let part = part.filter(|part| is_first || *part != Part::Others);
            is_first = false;
            if rule.is_none() && part.is_none() {
                let is_new = unknown.is_empty();
                unknown = if is_new { word.start } else { unknown.start }..list.at;
                continue;
            }
            let skipped = mem::take(&mut unknown);
            self.add_unknown(list.slice(skipped.start, skipped.end), *place)?;
            let text = list.slice(word.start, list.at).trim_ascii();
            match rule {
                Some(KnownRule::Effects([])) => self.note_no_ai(word.text, *place)?,
                Some(KnownRule::Effects(effects)) => {
                    self.add_effects(word.text, effects, *place)?;
                }
                Some(KnownRule::Value(Control::MaxSnippet, 0, _)) => {
                    self.add_effects(text, NO_SNIPPET, *place)?;
                }
                Some(KnownRule::Value(control, value, zone)) => {
                    self.decide(control, value, text, zone, *place)?;
                }
                None => place.part = part.unwrap_or(place.part),
            }
        }
        self.add_unknown(list.slice(unknown.start, unknown.end), *place)
    }

    /// Returns the crawlers that a name denotes.
    fn part(&self, name: &[u8]) -> Part {
        if name == b"*" || name.eq_ignore_ascii_case(b"robots") {
            return Part::Everyone;
        }
        let mut tokens = self.crawler.tokens();
        let token = tokens.position(|token| token.eq_ignore_ascii_case(name));
        token.map_or(Part::Others, Part::Token)
    }

    fn add_usage(&mut self, value: &[u8]) -> Result<(), Error> {
        let Some(text) = &mut self.usage_text else {
            return Ok(());
        };
        // Surrounding white space is not part of the value (RFC 9110, section 5.5).
        let value = Dialect::Rfc9309.trim(value);
        let separator = if mem::replace(&mut self.has_usage, true) {
            ", "
        } else {
            ""
        };
        if text.len() + separator.len() + value.len() > MAX_USAGE {
            self.usage_text = None;
            self.statements.is_cut = true;
            return Ok(());
        }
        append(text, separator.as_bytes())?;
        append(text, value)
    }

    fn add_effects(
        &mut self,
        text: &[u8],
        effects: &[Effect],
        place: RulePlace,
    ) -> Result<(), Error> {
        for (control, value) in effects {
            self.decide(*control, *value, text, Zone::Known, place)?;
        }
        Ok(())
    }

    /// Keeps a rule that is more restrictive than the deciding rule so far.
    fn decide(
        &mut self,
        control: Control,
        value: i64,
        text: &[u8],
        zone: Zone,
        place: RulePlace,
    ) -> Result<(), Error> {
        // Cast to `u64`, -1 (no limit) is the largest value.
        let is_stronger = |rule: &PageRule| (value as u64) < rule.value as u64;
        if place.part != Part::Others && self.rule_of(control).is_none_or(is_stronger) {
            let rule = self.rule(text, value, zone, place)?;
            if let Some(decided) = self.decided.get_mut(control as usize) {
                *decided = Some(rule);
            }
        }
        Ok(())
    }

    /// Keeps the first rule with this word, `noai` or `noimageai`, however many unknown rules there are.
    fn note_no_ai(&mut self, word: &[u8], place: RulePlace) -> Result<(), Error> {
        let place_of_word = usize::from(word.eq_ignore_ascii_case(b"noimageai"));
        let is_new = self.no_ai.get(place_of_word).is_some_and(Option::is_none);
        if place.part != Part::Others && is_new {
            let rule = self.rule(word, 0, Zone::Known, place)?;
            if let Some(kept) = self.no_ai.get_mut(place_of_word) {
                *kept = Some(rule);
            }
        }
        self.add_unknown(word, place)
    }

    fn add_unknown(&mut self, text: &[u8], place: RulePlace) -> Result<(), Error> {
        if place.part == Part::Others || text.is_empty() {
            return Ok(());
        }
        if self.unknown.len() >= MAX_UNKNOWN_RULES {
            self.unknown_omitted = self.unknown_omitted.saturating_add(1);
            return Ok(());
        }
        let rule = self.rule(text, 0, Zone::Known, place)?;
        push(&mut self.unknown, rule)
    }

    fn rule(
        &self,
        text: &[u8],
        value: i64,
        zone: Zone,
        place: RulePlace,
    ) -> Result<PageRule, Error> {
        let token = match place.part {
            Part::Token(index) => self.crawler.tokens().nth(index),
            _ => None,
        };
        Ok(PageRule {
            text: copy(text.get(..MAX_RULE_TEXT).unwrap_or(text))?,
            agent: token.map(copy).transpose()?,
            source: place.source,
            number: place.number,
            value,
            zone,
        })
    }

    fn rule_of(&self, control: Control) -> Option<&PageRule> {
        self.decided.get(control as usize)?.as_ref()
    }

    /// Returns the rule that decides a control. `indexifembedded` has no effect without `noindex`.
    fn deciding(&self, control: Control) -> Option<&PageRule> {
        let index = self.rule_of(Control::Index);
        let has_effect = match control {
            Control::IndexIfEmbedded => index.is_some_and(|rule| rule.value == 0),
            _ => true,
        };
        self.rule_of(control).filter(|_| has_effect)
    }
}
