//! Finds rules that keep search engines out of the site, of the home page, or of all pages of one form (SPEC 12).

use core::fmt::Display;

use super::budget::{Budget, NOBODY, as_read, named};
use super::codes::Code;
use super::diagnostic::{Checked, Findings, quoted};
use super::lines::File;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::bytes::display::from_fn;
use crate::bytes::try_alloc::{append, copy, push};
use crate::core::rules::effective::EffectiveRule;
use crate::crawler::Crawler;
use crate::crawler::preset::{Preset, Purpose};
use crate::owner::difference::shuts;

/// The crawlers of the largest search engines. Bans of other search engines are common, and often intended.
const LARGEST: [&str; 2] = ["Googlebot", "bingbot"];

/// Form of all URLs.
const SITE: &[u8] = b"/";
/// Form of the home page.
const HOME: &[u8] = b"/$";

/// Number of forms that do not come from a rule of the file.
const FORMS: usize = 5;
/// Number of forms that are tried before the forms with one character, because they match more URLs.
const WIDE: usize = 2;

/// Returns the canonical path that matches the URLs of a form.
fn form(number: usize) -> &'static [u8] {
    // A `match` needs no relocations; a table of strings would need them.
    match number {
        0 => SITE,
        1 => b"/*/",
        2 => HOME,
        3 => b"/*/$",
        _ => b"/*.html$",
    }
}

/// Characters that are in the URLs of nearly all pages of many sites.
const COMMON: &[u8] = b"-acdehilmnoprstu";

/// Returns the form of a rule such as `/*e` or `*-`, whose path has one letter, digit or dash besides stars. Such a rule is
/// probably a mistake: it matches each URL that has the character anywhere.
fn form_of<'r>(rule: &EffectiveRule<'r>) -> Option<&'r [u8]> {
    let path = rule.pattern();
    let end = path
        .iter()
        .rposition(|byte| *byte != b'*')
        .map_or(0, |at| at + 1);
    let path = path.get(..end).unwrap_or(path);
    let stars = path.strip_prefix(b"/").unwrap_or(path);
    match stars {
        [stars @ .., b'-' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z'] => {
            let is_star = |byte: &u8| *byte == b'*';
            let is_free = !stars.is_empty() && stars.iter().all(is_star);
            (is_free && !rule.allow()).then_some(path)
        }
        _ => None,
    }
}

/// Returns two paths of a form, with names that no real file has. For the form [`SITE`], the first path is the home page.
fn examples(form: &[u8]) -> Result<[Vec<u8>; 2], Error> {
    let with = |name: &[u8], rest: &[u8]| {
        let mut path = Vec::new();
        append(&mut path, if form.starts_with(b"*") { b"/" } else { b"" })?;
        for byte in form.strip_suffix(b"$").unwrap_or(form) {
            match byte {
                b'*' => append(&mut path, name)?,
                byte => push(&mut path, *byte)?,
            }
        }
        append(&mut path, if form.ends_with(b"$") { b"" } else { rest })?;
        Ok::<_, Error>(path)
    };
    Ok([with(b"7c1", b"")?, with(b"7c1/7c1", b"7c1")?])
}

/// A form whose pages a crawler may not fetch, and the line of the rule that decides.
#[derive(PartialEq, Eq)]
struct Ban {
    form: Vec<u8>,
    /// Whether the crawler may fetch the home page although it may not fetch the pages of the form.
    has_home_page: bool,
    /// Paths of the allow rules that open the only other pages: at most [`MOST_OPEN`] paths.
    open: Vec<Vec<u8>>,
    line: u32,
}

impl Ban {
    fn code(&self) -> Code {
        match &*self.form {
            // The author has opened single pages, so the author perhaps wants to close all other pages.
            form if !self.open.is_empty() && (form != SITE || self.has_home_page) => {
                Code::FormKeptOut
            }
            SITE | HOME | b"/*/" => Code::SearchKeptOut,
            [.., last] if COMMON.contains(last) => Code::SearchKeptOut,
            _ => Code::FormKeptOut,
        }
    }

    /// Returns the pages that the crawler may not fetch, as a part of a sentence.
    fn pages(&self) -> impl Display {
        from_fn(|f| {
            match &*self.form {
                SITE => f.write_str("may fetch no page")?,
                HOME => f.write_str("may not fetch the home page")?,
                // An allow rule may open the example.
                b"/*/" if !self.open.is_empty() => f.write_str("may fetch no page in a folder")?,
                b"/*/" => f.write_str("may fetch no page in a folder, such as `/shop/tea`")?,
                b"/*/$" => f.write_str("may fetch no page that ends with `/`, such as `/shop/`")?,
                b"/*.html$" => {
                    f.write_str("may fetch no page that ends with `.html`, such as `/tea.html`")?;
                }
                form => {
                    let last = form.last_chunk::<1>().unwrap_or(b"-");
                    write!(f, "may fetch no page with {} in its URL", quoted(last))?;
                }
            }
            f.write_str(if self.has_home_page {
                " but the home page"
            } else {
                ""
            })?;
            for (at, path) in self.open.iter().enumerate() {
                f.write_str(match at {
                    0 if self.has_home_page => " and those that an allow rule opens, ",
                    0 => " but those that an allow rule opens, ",
                    _ => " and ",
                })?;
                quoted(path).fmt(f)?;
            }
            Ok(())
        })
    }

    /// Returns which pages the search engine still sees, as a part of a sentence.
    fn seen(&self) -> &'static str {
        match &*self.form {
            SITE if self.has_home_page || !self.open.is_empty() => "nothing else of the site",
            SITE => "nothing of the site",
            HOME => "no text of it",
            _ => "none of these pages",
        }
    }
}

/// Reports rules that keep search engines out of the whole site, of the home page, or of all pages of a form.
pub(super) fn check_search(file: &File, budget: &mut Budget, findings: &mut Findings) -> Checked {
    let everyone = ban(file, &named(file, NOBODY, file.dialect)?, budget)?;
    let [google, bing] = LARGEST;
    let bans = [
        ban(
            file,
            &named(file, google.as_bytes(), of_google(file))?,
            budget,
        )?,
        ban(file, &named(file, bing.as_bytes(), file.dialect)?, budget)?,
    ];
    let is_same = bans[0] == bans[1];
    for (name, ban) in LARGEST.into_iter().zip(&bans) {
        let Some(found) = ban.as_ref().filter(|_| !is_same || name == google) else {
            continue;
        };
        let (name, they) = match is_same {
            true => ("Googlebot and bingbot", "these search engines see"),
            false => (name, "the search engine sees"),
        };
        push(&mut findings.bans, found.line)?;
        let (pages, seen) = (found.pages(), found.seen());
        let draft = findings.add(found.code(), file.value_place(found.line));
        let draft = match everyone == *ban {
            true => draft.say(format_args!(
                "search engines that no other group names, such as {name}, {pages}: they obey `*` (everyone else) and see {seen}"
            )),
            false => draft.say(format_args!("{name} {pages}: {they} {seen}")),
        };
        match found.code() {
            Code::FormKeptOut => draft.help(format_args!(
                "remove line {}, if the site has such pages",
                found.line
            )),
            _ => draft.help(format_args!(
                "remove line {}, or write a group for {name} with `Allow: /`, if search engines should find the site",
                found.line
            )),
        };
    }
    others(file, &bans, budget, findings)
}

/// Returns the dialect in which Google's crawlers read the file.
fn of_google(file: &File) -> Dialect {
    match file.dialect {
        Dialect::Rfc9309 => Dialect::Google,
        dialect => dialect,
    }
}

/// Reports, in one diagnostic, the other well-known search crawlers that may fetch no page or nearly no page. `reported` holds
/// the bans that other diagnostics report.
fn others(
    file: &File,
    reported: &[Option<Ban>],
    budget: &mut Budget,
    findings: &mut Findings,
) -> Checked {
    let mut shut: Vec<(&str, u32)> = Vec::new();
    let is_other =
        |preset: &Preset| preset.purpose() == Purpose::Search && !LARGEST.contains(&preset.name());
    for preset in Preset::all().filter(is_other) {
        let dialect = match preset.dialect() {
            Dialect::Google => of_google(file),
            _ => file.dialect,
        };
        let Some(found) = ban(file, &as_read(preset.crawler()?, file, dialect), budget)? else {
            continue;
        };
        let is_reported = reported.iter().flatten().any(|other| *other == found);
        if found.code() == Code::SearchKeptOut && !is_reported {
            push(&mut shut, (preset.name(), found.line))?;
            push(&mut findings.bans, found.line)?;
        }
    }
    let [(_, line), ..] = *shut else {
        return Ok(());
    };
    let names = from_fn(|f| {
        for (at, (name, _)) in shut.iter().enumerate() {
            f.write_str(match at {
                0 => "",
                _ if at + 1 == shut.len() => " and ",
                _ => ", ",
            })?;
            f.write_str(name)?;
        }
        Ok(())
    });
    let second = shut.iter().find(|(_, other)| *other != line);
    findings
        .add(Code::OthersKeptOut, file.value_place(line))
        .say(format_args!("{names} may fetch no page, or nearly none"))
        .help("remove the rules for them, if people should find the site in these search engines")
        .other(second.map_or(0, |(_, other)| *other));
    Ok(())
}

/// Upper bound on the forms that come from rules. One form is enough for a diagnostic.
const MOST_FORMS: usize = 8;

/// Upper bound on the allow rules that open the only pages of a site. An author who writes a longer list knows what the list
/// does.
const MOST_OPEN: usize = 3;

/// Returns the first form whose pages a crawler may not fetch; `None` if the search finds none within the budget.
fn ban(file: &File, crawler: &Crawler, budget: &mut Budget) -> Result<Option<Ban>, Error> {
    let Some(own) = budget.compiled_for(crawler, &file.body)? else {
        return Ok(None);
    };
    // The list of rules takes much memory, so it is freed before a search begins.
    let mut of_rules = Vec::new();
    let rules = own.effective_rules()?;
    for form in rules
        .iter()
        .filter_map(|rule| form_of(&rule))
        .take(MOST_FORMS)
    {
        push(&mut of_rules, copy(form)?)?;
    }
    drop(rules);
    let at = |number| -> &[u8] { form(number) };
    let wide = (0..WIDE).map(at).chain(of_rules.iter().map(Vec::as_slice));
    let all = wide.chain((WIDE..FORMS).map(at));
    let has_wildcards = file.dialect.has_wildcards();
    for form in all.take(if has_wildcards { usize::MAX } else { 1 }) {
        let [first, second] = examples(form)?.map(|path| own.check(&path));
        if second.allowed() || first.allowed() && form != SITE {
            continue;
        }
        let decides = if first.allowed() { second } else { first };
        let mut found = Ban {
            form: copy(form)?,
            has_home_page: first.allowed(),
            open: Vec::new(),
            line: decides.line(),
        };
        // The forms of the home page, of folder pages and of a file type match few pages. An author who opens a page of such a
        // form has considered the other pages.
        let is_wide = !matches!(form, HOME | b"/*/$" | b"/*.html$");
        let opens_place = |rule: &EffectiveRule<'_>| is_wide && opens_place(rule.pattern());
        // A further disallow rule allows nothing more. So the first search has only the deciding disallow rule, which is
        // faster. The last search leaves out the allow rules that open one place each.
        for (is_alone, has_places) in [(true, true), (false, true), (false, false)] {
            let is_kept = |rule: &EffectiveRule<'_>| match rule.allow() {
                true => !opens_no_page(rule.pattern()) && (has_places || !opens_place(rule)),
                false => !is_alone || rule.line() == found.line,
            };
            if !has_places {
                let rules = own.effective_rules()?;
                let open = rules
                    .iter()
                    .filter(|rule| rule.allow() && opens_place(rule));
                let open = open.filter(|rule| !opens_no_page(rule.pattern()));
                for rule in open.take(MOST_OPEN + 1) {
                    push(&mut found.open, copy(rule.pattern())?)?;
                }
                if !(1..=MOST_OPEN).contains(&found.open.len()) {
                    break;
                }
            }
            if shuts(&own, form, &is_kept, &mut budget.limits)? == Some(true) {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

/// Returns whether an allow rule with this path opens only URLs that begin with a fixed text, such as a folder.
fn opens_place(path: &[u8]) -> bool {
    matches!(path, [b'/', next, ..] if !matches!(next, b'*' | b'$'))
}

/// Extensions of files that pages load, such as style sheets and images.
const PARTS_OF_PAGES: &str =
    "css js mjs json map ico png jpg jpeg gif svg webp avif woff woff2 ttf webmanifest";

/// Names of folders for files that pages load.
const FOLDERS_OF_PARTS: &str =
    "css js static assets images image img fonts font scripts styles _next wp-content wp-includes";

/// Returns whether an allow rule with this path opens only the home page, or only files that are not pages.
fn opens_no_page(path: &[u8]) -> bool {
    if path == b"/$" || path.starts_with(b"/index.htm") {
        return true;
    }
    // A query selects a version of a file.
    let path = path.split(|byte| *byte == b'?').next().unwrap_or(path);
    let end = path.iter().rposition(|byte| !matches!(byte, b'$' | b'*'));
    let path = path.get(..end.map_or(0, |end| end + 1)).unwrap_or(path);
    if opens_parts(path) {
        return true;
    }
    let Some(dot) = memchr::memrchr(b'.', path) else {
        return false;
    };
    let ending = path.get(dot + 1..).unwrap_or_default();
    let is_one_file = !path.contains(&b'*') && (ending == b"xml" || ending == b"txt");
    let mut parts = PARTS_OF_PAGES.split(' ');
    is_one_file || parts.any(|part| ending.eq_ignore_ascii_case(part.as_bytes()))
}

/// Returns whether a path, without the `*` at its end, is a folder for files that pages load.
fn opens_parts(path: &[u8]) -> bool {
    let is_of_parts = |name: &[u8]| {
        let mut known = FOLDERS_OF_PARTS.split(' ');
        known.any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
    };
    let mut names = path.split(|byte| *byte == b'/');
    // A path without a final `/` may be the path of one page, such as `/static/about`.
    let last = names.next_back().unwrap_or_default();
    is_of_parts(last) || last.is_empty() && names.any(is_of_parts)
}
