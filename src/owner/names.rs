//! Knows the names of well-known crawlers, and guesses the meaning of a name that no crawler has.

use super::lint::quoted;
use crate::base::dialect::Dialect;
use crate::bytes::display::listed;
use crate::bytes::near_word::{Bare, LONGEST, near_word};
use crate::core::parse::directive::Field;
use crate::core::parse::reader::Reader;
use crate::crawler::Crawler;
use crate::crawler::operator::{near_operator, operator_tokens};
use crate::crawler::preset::{Preset, Purpose};
use crate::page::is_policy_token;

/// Names of other crawlers that are near the names of well-known crawlers. These other names are correct, not misspelt.
const NEIGHBOURS: &str = "\
    AI2Bot AIBOT aipbot archive.org_bot Claude-Web cohere-ai dotbot Facebot Googlebot-Mobile \
    ICC-Crawler Majestic12 msnbot msnbot-media MSRBOT omgili omgilibot rogerbot Roverbot ScoutJet \
    SemrushBot-BA SemrushBot-SA SemrushBot-SI Slurp voyager Yeti YouBot";

/// Names of well-known crawlers without a preset.
const OTHERS: &str = "\
    anthropic-ai APIs-Google BLEXBot DataForSeoBot Diffbot FacebookBot ImagesiftBot LinkedInBot \
    Pinterestbot SeznamBot TurnitinBot Twitterbot YandexImages YandexMobileBot YandexNews \
    YandexVideo YandexBlogs";

fn known() -> impl Iterator<Item = &'static str> {
    Crawler::presets().chain(OTHERS.split(' '))
}

/// Returns whether a name is the name of a well-known crawler, or a policy token.
pub(super) fn is_known(name: &[u8]) -> bool {
    is_policy_token(name)
        || known()
            .chain(NEIGHBOURS.split(' '))
            .any(|known| known.as_bytes().eq_ignore_ascii_case(name))
}

/// Returns whether a crawler with this name reads files as Google does.
pub(super) fn is_of_google(name: &[u8]) -> bool {
    known()
        .filter(|known| known.contains("Google") && *known != "Google-Extended")
        .any(|known| known.as_bytes().eq_ignore_ascii_case(name))
}

/// The probable meaning of a name that no crawler has.
pub(super) enum Meant<'n> {
    /// Every crawler, as in `all`.
    Everyone,
    /// The crawlers of a purpose, as in `seo`.
    Purpose(Purpose),
    /// The crawlers of an operator or a product; its name may be misspelt.
    Operator(&'n str),
    /// A well-known crawler, whose name is misspelt.
    Crawler(&'static str),
    /// A group or a well-known crawler with a name that is less similar. So the name may be correct.
    Perhaps(&'n str),
}

/// Upper bound on the groups that are compared: a hostile file has tens of thousands of groups.
const MOST_GROUPS: usize = 200;

/// Returns the probable meaning of a name; `None` if the name may be correct. `groups`: the names of groups.
pub(super) fn meant_by<'n>(name: &'n str, groups: &'n [String]) -> Option<Meant<'n>> {
    let is_it = |known: &str| known.eq_ignore_ascii_case(name);
    if Preset::all().any(|preset| preset.tokens().iter().any(|it| is_it(it))) {
        return None;
    }
    match operator_tokens(name.as_bytes()).next() {
        Some("*") => return Some(Meant::Everyone),
        Some(_) => return Some(Meant::Operator(name)),
        None => {}
    }
    if let Some(purpose) = Purpose::meant_by(name, false).next() {
        return Some(Meant::Purpose(purpose));
    }
    if let Some(known) = near_miss(name.as_bytes()) {
        return Some(Meant::Crawler(known));
    }
    if is_known(name.as_bytes()) || groups.iter().any(|group| is_it(group)) {
        return None;
    }
    if let Some(operator) = near_operator(name) {
        return Some(Meant::Operator(operator));
    }
    let first = |name: &str| name.chars().next().map(|it| it.to_ascii_lowercase());
    let is_like = |known: &&str| first(known) == first(name);
    let compared = groups.iter().take(MOST_GROUPS).map(String::as_str);
    if let Some(group) = near_word(name.as_bytes(), &mut compared.filter(is_like)) {
        return Some(Meant::Perhaps(group));
    }
    // Also compare with the names without `bot` at the end: `Bingo` is near `Bing`, so it may mean `bingbot`.
    let short = |known: &'static str| {
        let (start, end) = known.split_at_checked(known.len().checked_sub(3)?)?;
        end.eq_ignore_ascii_case("bot").then_some(start)
    };
    let shorts = Crawler::presets().filter_map(short).filter(is_like);
    let near = near_word(name.as_bytes(), &mut { shorts })?;
    let known = Crawler::presets().find(|known| short(known) == Some(near));
    known.map(Meant::Perhaps)
}

/// Advice about a name that no crawler has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameAdvice {
    /// A sentence without a period.
    pub text: String,
    /// Whether it is certain that no crawler has the name. If false, the name is only similar to another name.
    pub is_sure: bool,
}

/// Returns the probable meaning of a name; `None` if the name may be correct. `groups`: the names of a file's groups, which may
/// be meant, too. `all`: text after a list of names that says where to find all names.
///
/// ```
/// let advice = robots::name_advice("Bing", &[], "").unwrap();
/// assert_eq!(advice.text, "Bing names an operator, not a crawler; its crawlers: bingbot");
/// let groups = ["ShopBot".to_owned()];
/// let advice = robots::name_advice("Shopbt", &groups, "").unwrap();
/// assert_eq!(advice.text, "`Shopbt` is nearly `ShopBot`: write `ShopBot`, if that crawler is meant");
/// assert_eq!(robots::name_advice("ExampleBot", &groups, ""), None);
/// ```
pub fn name_advice(name: &str, groups: &[String], all: &str) -> Option<NameAdvice> {
    let shown = quoted(name.as_bytes());
    let (is_sure, text) = match meant_by(name, groups)? {
        Meant::Everyone => (true, format!("{name} names no crawler: everyone is `*`")),
        Meant::Purpose(purpose) => {
            let own = Preset::all().filter(|preset| preset.purpose() == purpose);
            let own = listed(&own.map(|preset| preset.name()).collect::<Vec<_>>());
            (
                true,
                format!("{name} names a purpose, not a crawler: write a name such as {own}{all}"),
            )
        }
        Meant::Operator(operator) => {
            let own = listed(&operator_tokens(operator.as_bytes()).collect::<Vec<_>>());
            let is_sure = operator == name;
            let near = match is_sure {
                true => "",
                false => &format!("{shown} is nearly {operator}: "),
            };
            (
                is_sure,
                format!(
                    "{near}{operator} names an operator, not a crawler; its crawlers: {own}{all}"
                ),
            )
        }
        Meant::Crawler(right) => (
            true,
            format!(
                "{shown} names no well-known crawler, but nearly `{right}`: write `{right}`, if that crawler is meant"
            ),
        ),
        Meant::Perhaps(right) => {
            let right = quoted(right.as_bytes());
            (
                false,
                format!("{shown} is nearly {right}: write {right}, if that crawler is meant"),
            )
        }
    };
    Some(NameAdvice { text, is_sure })
}

/// Returns the names on the user-agent lines of a file, in file order.
pub(crate) fn group_names(body: &[u8]) -> Vec<String> {
    let lines = Reader::whole(body, Dialect::Rfc9309).filter_map(|line| line.directive);
    let agents = lines.filter(|line| line.field == Field::UserAgent);
    let names = agents.filter_map(|line| Dialect::Rfc9309.agent_name(line.value));
    names
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect()
}

/// Returns the well-known crawler whose name is nearly `name`; `None` if `name` is itself well known. The names may differ in
/// `-`, `_`, `.` and spaces, and in up to two letters. Short names may differ in fewer letters. Names also match if `name`
/// lacks only the `bot` at the end.
fn near_miss(name: &[u8]) -> Option<&'static str> {
    if name.len() > LONGEST || is_known(name) {
        return None;
    }
    let name = Bare::new(name);
    let first = *name.letters().first()?;
    let close = known().filter(|known| known.len() <= LONGEST);
    let close = close.filter_map(|known| {
        let bare = Bare::new(known.as_bytes());
        if bare.letters().strip_suffix(b"bot") == Some(name.letters()) {
            // `Yandex` is not misspelt: it is a token of YandexBot.
            let mut tokens = Preset::find(known)?.tokens().iter();
            let is_token = |token: &&str| Bare::new(token.as_bytes()).letters() == name.letters();
            return (!tokens.any(is_token)).then_some((LONGEST, known));
        }
        let most = match bare.len {
            0..=5 => 0,
            6..=11 => 1,
            _ => 2,
        };
        let may_be_close =
            bare.letters().first() == Some(&first) && bare.len.abs_diff(name.len) <= most;
        let distance = may_be_close.then(|| name.distance(&bare))?;
        (distance <= most).then_some((distance, known))
    });
    let nearest = close.min_by_key(|(distance, _)| *distance);
    nearest.map(|(_, known)| known)
}
