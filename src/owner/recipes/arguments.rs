//! Reads the arguments of recipes: names of crawlers, and paths, folders, file types and parameters, which become paths of
//! rules.

use super::wishes::{Fallible, fault, is_among};
use crate::bytes::display::listed;
use crate::crawler::Crawler;
use crate::crawler::operator::{fetches_for_search, operator_tokens};
use crate::crawler::preset::Preset;
use crate::owner::names::{Meant, meant_by};

/// Returns the crawlers that names mean. The name of an operator means the operator's crawlers that `is_meant` accepts, or all
/// crawlers of the operator if `is_meant` accepts none.
pub(super) fn tokens_of(names: &[&str], is_meant: impl Fn(&str) -> bool) -> Fallible<Vec<String>> {
    let mut tokens: Vec<String> = Vec::new();
    for name in names {
        if let Some(preset) = Preset::find(name).filter(Preset::ignores_robots_txt) {
            let source = preset.documentation().unwrap_or("its operator");
            return fault(format!(
                "{name} ignores the robots.txt, says {source}: a rule for it does nothing"
            ));
        }
        let meant = meant_by(name, &[]);
        if matches!(meant, Some(Meant::Purpose(_))) {
            return fault(format!(
                "{name} is no name of a crawler: write names such as Googlebot, or use the recipe training-out or ads-out"
            ));
        }
        if fetches_for_search(name) {
            let own = listed(&operator_tokens(name.as_bytes()).collect::<Vec<_>>());
            return fault(format!(
                "{name} has no crawler of its own: {own} fetches for it and for a search engine; write {own} if both are meant"
            ));
        }
        let own = operator_tokens(name.as_bytes()).filter(|token| is_meant(token));
        let mut own: Vec<String> = own.map(str::to_owned).collect();
        if own.is_empty() {
            own.extend(operator_tokens(name.as_bytes()).map(str::to_owned));
        }
        if own.is_empty() {
            let has_letter = name.bytes().any(|byte| byte.is_ascii_alphabetic());
            if *name != "*" && (Crawler::new(name).is_err() || !has_letter) {
                return fault(format!(
                    "{name} is not the name of a crawler: write a name such as Googlebot"
                ));
            }
            if let Some(Meant::Crawler(right) | Meant::Operator(right)) = meant {
                return fault(format!("{name} is nearly {right}: write {right}"));
            }
            own.push((*name).to_owned());
        }
        own.retain(|token| !is_among(&tokens, token));
        tokens.append(&mut own);
    }
    if tokens.len() > 1 && is_among(&tokens, "*") {
        return fault("`*` is everyone: leave it out, or the other names");
    }
    Ok(tokens)
}

/// Returns the path if it is valid for a rule. In a path, `*` is any text and a last `$` is the end of the URL (SPEC 8.3, 8.4).
fn checked(path: &str) -> Fallible<&str> {
    if let Some((_, rest)) = path.split_once("://") {
        let path = rest.find('/').and_then(|at| rest.get(at..));
        let path = path.unwrap_or("/");
        return fault(format!(
            "{path} is the path of that URL: a robots.txt holds paths of its own site"
        ));
    }
    if !path.starts_with('/') {
        return fault(format!(
            "{path}: a path starts with `/`: write /{path}, and %20 for a space"
        ));
    }
    if path.contains('#') {
        return fault(format!(
            "{path}: a `#` starts a comment; leave it and what follows out, or write %23"
        ));
    }
    if path.trim_end_matches('*') == "/" {
        return fault(format!(
            "{path} is the whole site: use keep-all-out or let-all-in; `/$` is the home page alone"
        ));
    }
    Ok(path)
}

/// Returns the path of a rule that matches all URLs that start with `path`.
pub(super) fn path_of(path: &str) -> Fallible<Vec<String>> {
    let path = checked(path)?;
    // A `*` at the end has no effect.
    Ok(vec![path.trim_end_matches('*').to_owned()])
}

pub(super) fn folder_of(path: &str) -> Fallible<Vec<String>> {
    let whole = checked(path)?;
    let path = whole.trim_end_matches('*');
    let use_file = || {
        fault(format!(
            "{whole} is no folder: use file, which keeps crawlers out of all URLs that start with it, or allow"
        ))
    };
    match path {
        _ if path.contains('?') => fault(format!(
            "{path} has a query, which no folder has: use file or allow"
        )),
        _ if path.ends_with('$') => use_file(),
        _ if path.ends_with('/') => Ok(vec![path.to_owned()]),
        _ if path != whole => use_file(),
        _ if is_file_name(path) => fault(format!(
            "{path} looks like a file: use file or allow, or end a folder with `/`"
        )),
        _ => Ok(vec![format!("{path}/")]),
    }
}

/// Returns whether a path ends with the extension of a file, such as `.html`.
fn is_file_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    extension.is_some_and(|(_, end)| {
        end.len() <= 5 && end.starts_with(|first: char| first.is_ascii_alphabetic())
    })
}

/// Names that people give to file types, in lower case and singular, each with the file extensions that it means.
const TYPES: &[(&str, &str)] = &[
    ("audio", "mp3 m4a ogg wav"),
    ("document", "pdf doc docx odt rtf"),
    ("excel", "xls xlsx"),
    ("file", "pdf doc zip"),
    ("image", "jpg jpeg png gif webp svg"),
    ("movie", "mp4 mov webm"),
    ("office", "doc docx xls xlsx ppt pptx"),
    ("photo", "jpg jpeg png webp"),
    ("picture", "jpg jpeg png gif webp"),
    ("powerpoint", "ppt pptx"),
    ("presentation", "ppt pptx odp"),
    ("spreadsheet", "xls xlsx ods csv"),
    ("text", "txt"),
    ("video", "mp4 mov webm"),
    ("word", "doc docx"),
];

/// Returns the paths of rules that match a file extension, in lower and in upper case (SPEC 8.2).
pub(super) fn type_of(extension: &str) -> Fallible<Vec<String>> {
    let bare = extension.trim_start_matches('*').trim_start_matches('.');
    let lower = bare.to_ascii_lowercase();
    let singular = lower.strip_suffix('s').unwrap_or(&lower);
    let mut names = TYPES.iter();
    if let Some((_, ends)) = names.find(|(name, _)| *name == lower || *name == singular) {
        return fault(format!(
            "{extension}: file names end otherwise: write {ends}"
        ));
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    if bare.is_empty() || !bare.bytes().all(is_plain) {
        return fault(format!(
            "{extension}: give the end of a file name, such as gif"
        ));
    }
    let mut ends = vec![lower, bare.to_ascii_uppercase()];
    ends.dedup();
    Ok(ends.iter().map(|end| format!("/*.{end}$")).collect())
}

/// Parameters that carry the version of style sheets and scripts, as in `/style.css?v=2`.
const VERSIONS: [&str; 4] = ["rev", "v", "ver", "version"];

/// Returns the paths of rules that match URLs with a parameter, wherever it is in the query.
///
/// The paths are `/*?q=` and `/*&q=`. Google's guide to filters writes `/*?*q=`, which also matches `faq=`. Style sheets and
/// scripts need no exception, because their usual parameters ([`VERSIONS`]) are refused. An exception such as `Allow: /*.css?`
/// would also open the style sheets in a closed folder.
pub(super) fn parameter_of(name: &str) -> Fallible<Vec<String>> {
    let bare = name.trim_start_matches(['?', '&']);
    let bare = bare.strip_suffix('=').unwrap_or(bare);
    if bare.starts_with('/') {
        return fault(format!(
            "{name} is a path: use file or folder; a parameter is a name such as q"
        ));
    }
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"?&=#*$/\\\"'<>".contains(&byte);
    if bare.is_empty() || !bare.bytes().all(is_plain) {
        return fault(format!(
            "{name}: give the name of a parameter, such as q of /search?q=tea"
        ));
    }
    if VERSIONS
        .iter()
        .any(|version| version.eq_ignore_ascii_case(bare))
    {
        return fault(format!(
            "{name}: style sheets and scripts have this parameter, such as /style.css?{bare}=2, and search engines need them: leave it out, or name the pages: file /page?{bare}="
        ));
    }
    Ok(["?", "&"].map(|mark| format!("/*{mark}{bare}=")).to_vec())
}
