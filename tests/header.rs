//! The committed C header is the one that the source makes. `UPDATE_HEADER=1 cargo test --test header`
//! (or `make header`) renews it.
//!
//! cbindgen generates the declarations of each file of `src/ffi`. This test adds what a manual needs: an introduction,
//! a contents list, titled sections, and short comments in one line.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

const HEADER: &str = "include/librobots.h";
const LINE: usize = 120;

/// A section of the header: its title, its introduction, and the files of `src/ffi` that it shows.
struct Section(&'static str, &'static str, &'static [&'static str]);

const SECTIONS: [Section; 12] = [
    Section("Status, strings and version", "", &["status", "string"]),
    Section("Crawler", "", &["crawler"]),
    Section("Rules and verdicts", "", &["verdict", "rules"]),
    Section(
        "Images",
        "An image is the flat block of bytes of robots_rules_image: position-independent, for any memory, such as a
mapped file, a database row or an object of a garbage collector. The functions that check URLs on an image also accept
one that was not validated: every read is checked. A damaged image gives an error or a wrong result, nothing worse.
No other thread may write to the image during a call.",
        &["image"],
    ),
    Section("Origins", "", &["origin"]),
    Section(
        "Fetch",
        "The fetch policy as a state machine: redirects, 304, Retry-After, outages and old copies. The caller provides the
HTTP client and the clock:

    while ((step = robots_fetch_step(fetch)) != ROBOTS_STEP_DONE)
        report the event that the step names;
    robots_fetch_outcome(fetch, &outcome);

The options of this section are set for a crawler (robots_crawler_set) or for one fetch (robots_fetch_set). An option
that is not set has the default of the dialect, also after a later change of dialect.",
        &["fetch_options", "fetch"],
    ),
    Section("Outcomes of fetches", "", &["outcome"]),
    Section("Cache", "", &["cache", "ticket", "cursor"]),
    Section("Extensions and usage preferences", "", &["extensions"]),
    Section(
        "Page controls",
        "What a crawler may do with a response: the headers X-Robots-Tag, Robots-Tag and Content-Usage, and <meta> elements
(SPEC 9.5, 9.6). Add every header of the response and every <meta> element, then read the controls:

    if (robots_page_controls_get(controls, ROBOTS_CONTROL_INDEX)) ... index the page",
        &["page_controls"],
    ),
    Section("Explanations", "", &["explain"]),
    Section("Lint", "", &["lint"]),
];

const INTRODUCTION: &str = r#"librobots: which URLs a robots.txt allows a crawler to fetch.

Create one crawler, parse each robots.txt with it, then check each URL:

    robots_crawler *crawler;
    robots_rules *rules;
    if (robots_crawler_new("ExampleBot", 10, &crawler) != ROBOTS_OK) ...
    if (robots_rules_parse(crawler, body, body_len, &rules) != ROBOTS_OK) ...
    if (ROBOTS_VERDICT_ALLOWED(robots_rules_check(rules, url, url_len))) ...
    robots_rules_free(rules);
    robots_crawler_free(crawler);

Contents:

@CONTENTS@

What holds unless the comment of a type or a function says otherwise:

- Parameters: strings are a pointer and a length, any bytes; with length 0 the pointer is ignored. A string or handle
  that is passed in is copied or not needed after the call.
- NULL: a NULL handle, a NULL `out`, or a NULL string with a length is ROBOTS_E_ARG. Functions without a status return 0
  or an empty string for it. Freeing NULL does nothing.
- Returns: a function that can fail returns a robots_status. It sets `*out` to a safe value first: NULL, or zeros in a
  struct with a valid `size`. A verdict with an error allows nothing. Misuse never permits a fetch.
- Owner: the caller owns a handle that it receives through `out` and frees it with the type's `_free`. A robots_str that
  a function returns belongs to the object; it is valid until the object is freed. Nothing else is to be freed.
- Threads: a function may be called from any thread. Many threads may use one `const T *` at the same time. During a call
  with `T *` no other thread may use that object.
- Allocates: functions that create a handle allocate it and work space that is freed; all others allocate nothing.
- Out of memory: ROBOTS_E_MEMORY, and nothing leaks. "May abort when out of memory": an allocation of at most 1 KiB, or
  the growing table of a cache, ends the process if it fails, as Rust's standard library does; SECURITY.md lists them.
- Since: 0.1.0. Numbers are never renumbered; later versions only add functions and constants.

Linking: a plugin that contains librobots.a keeps its functions to itself with -Wl,--exclude-libs,librobots.a, so that two
copies in one process do not mix. Unloading: a thread that used a cache has a destructor in the library, so glibc keeps
the library loaded after dlclose until that thread ends; for the main thread that is until the process ends.

"SPEC 8.7" is a row of the specification: librobots-spec(7).

This file is generated: change the source and run `make header`."#;

const VERSION: &str = "
/** The version of this header: major, minor, patch, and all in one number. `robots_version` is that of the library. */
#define ROBOTS_VERSION_MAJOR @MAJOR@
#define ROBOTS_VERSION_MINOR @MINOR@
#define ROBOTS_VERSION_PATCH @PATCH@
#define ROBOTS_VERSION_NUMBER @NUMBER@
";

const VERDICT: &str = "
/** The parts of a `robots_verdict`. */
#define ROBOTS_VERDICT_ALLOWED(v) ((int)((v) & 1u))
#define ROBOTS_VERDICT_REASON(v) ((uint32_t)(((v) >> 8) & 0xFFu))
#define ROBOTS_VERDICT_STATUS(v) ((robots_status)(((v) >> 16) & 0xFFFFu))
#define ROBOTS_VERDICT_LINE(v) ((uint32_t)((v) >> 32))
";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn version() -> String {
    let number = |part: &str| part.parse::<u32>().unwrap();
    let version = number(env!("CARGO_PKG_VERSION_MAJOR")) * 1_000_000
        + number(env!("CARGO_PKG_VERSION_MINOR")) * 1_000
        + number(env!("CARGO_PKG_VERSION_PATCH"));
    VERSION
        .replace("@MAJOR@", env!("CARGO_PKG_VERSION_MAJOR"))
        .replace("@MINOR@", env!("CARGO_PKG_VERSION_MINOR"))
        .replace("@PATCH@", env!("CARGO_PKG_VERSION_PATCH"))
        .replace("@NUMBER@", &version.to_string())
}

/// The numbers of the core's public enums: `Reason::NoRule` is 3. The core has each number once; `src/ffi` refers to it.
fn numbers() -> HashMap<String, String> {
    let mut numbers = HashMap::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let mut name = None;
                for line in fs::read_to_string(path).unwrap().lines() {
                    if let Some(rest) = line.strip_prefix("pub enum ") {
                        name = rest.split([' ', '{']).next().map(str::to_owned);
                    } else if line == "}" {
                        name = None;
                    } else if let (Some(name), Some((variant, number))) =
                        (&name, line.trim().split_once(" = "))
                    {
                        let variant = format!("{name}::{variant}");
                        numbers.insert(variant, number.trim_end_matches(',').to_owned());
                    }
                }
            }
        }
    }
    numbers
}

/// A file of `src/ffi` with plain numbers in its constants, for cbindgen, which does not know the core.
fn plain(file: &str, numbers: &HashMap<String, String>) -> PathBuf {
    let source = fs::read_to_string(root().join(format!("src/ffi/{file}.rs"))).unwrap();
    let lines = source.lines().map(|line| {
        let constant = line
            .starts_with("pub const ROBOTS_")
            .then(|| line.split_once(" = "));
        match constant
            .flatten()
            .and_then(|(left, right)| Some((left, right.split_once(" as ")?)))
        {
            Some((left, (variant, _))) => format!("{left} = {};", numbers[variant]),
            None => line.to_owned(),
        }
    });
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("header-{file}.rs"));
    fs::write(&copy, lines.collect::<Vec<_>>().join("\n")).unwrap();
    copy
}

/// The declarations of one file, each with its comment.
fn declarations(file: &str, numbers: &HashMap<String, String>) -> Vec<String> {
    let mut config = cbindgen::Config {
        language: cbindgen::Language::C,
        no_includes: true,
        usize_is_size_t: true,
        documentation_style: cbindgen::DocumentationStyle::Doxy,
        style: cbindgen::Style::Type,
        line_length: LINE,
        ..cbindgen::Config::default()
    };
    let copy = plain(file, numbers);
    // Types that no function of the same file uses are to be shown, too.
    for line in fs::read_to_string(&copy).unwrap().lines() {
        if let Some((name, _)) = line
            .strip_prefix("pub type ")
            .or(line.strip_prefix("pub struct "))
            .and_then(|rest| rest.split_once(' '))
        {
            config.export.include.push(name.to_owned());
        }
    }
    let builder = cbindgen::Builder::new().with_config(config);
    let bindings = builder.with_src(copy).generate().unwrap();
    let mut text = Vec::new();
    bindings.write(&mut text);
    let text = for_c(&String::from_utf8(text).unwrap());
    // An empty line is between declarations, and in some comments.
    let mut all: Vec<String> = Vec::new();
    let mut last = String::new();
    for line in text.lines() {
        if line.is_empty() {
            all.extend((!last.is_empty()).then(|| std::mem::take(&mut last)));
        } else {
            last += &format!("{line}\n");
        }
    }
    all.extend((!last.is_empty()).then_some(last));
    all
}

/// What Rust calls "Safety" holds for every function of C: those sections are left out. Short comments take one line.
fn for_c(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut is_left_out = false;
    for line in text.lines() {
        if line.trim() == "* # Safety" {
            is_left_out = true;
            while lines.last().is_some_and(|line| line.trim() == "*") {
                lines.pop();
            }
        }
        is_left_out &= line.trim() != "*/";
        if is_left_out {
            continue;
        }
        lines.push(line.trim_end().to_owned());
        if let [.., open, only, close] = &lines[..] {
            let is_short = only.len() + 4 <= LINE;
            if open.trim() == "/**" && close.trim() == "*/" && is_short {
                let short = only.replacen(" * ", "/** ", 1) + " */";
                lines.truncate(lines.len() - 3);
                lines.push(short);
            }
        }
    }
    lines.join("\n")
}

/// The declaration itself, without its comment.
fn code(declaration: &str) -> &str {
    declaration
        .rsplit_once("*/\n")
        .map_or(declaration, |(_, code)| code)
}

/// The name that a typedef declares, if it is one.
fn declared(declaration: &str) -> Option<&str> {
    // A struct has comments of its own inside.
    let is_type = declaration.starts_with("typedef") || declaration.contains("\ntypedef");
    is_type
        .then(|| {
            declaration
                .trim_end()
                .trim_end_matches(';')
                .rsplit([' ', '\n'])
                .next()
        })
        .flatten()
}

fn comment(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| format!(" * {line}").trim_end().to_owned());
    format!("/*\n{}\n */\n", lines.collect::<Vec<_>>().join("\n"))
}

/// The header as the source says it.
fn generated() -> String {
    let numbers = numbers();
    let contents: Vec<String> = (1..)
        .zip(&SECTIONS)
        .map(|(number, Section(title, _, files))| {
            let handles = files.iter().flat_map(|file| declarations(file, &numbers));
            let handles: Vec<String> = handles
                .filter_map(|item| declared(&item).map(str::to_owned))
                .collect();
            format!("    {number:2}. {title:34}{}", handles.join(", "))
                .trim_end()
                .to_owned()
        })
        .collect();
    let mut text = comment(&INTRODUCTION.replace("@CONTENTS@", &contents.join("\n")));
    text +=
        "\n#ifndef LIBROBOTS_H\n#define LIBROBOTS_H\n\n#include <stddef.h>\n#include <stdint.h>\n";

    let all: Vec<Vec<String>> = SECTIONS
        .iter()
        .map(|Section(.., files)| {
            files
                .iter()
                .flat_map(|file| declarations(file, &numbers))
                .collect()
        })
        .collect();
    let types: Vec<(&str, &String)> = all
        .iter()
        .flatten()
        .filter_map(|item| Some((declared(item)?, item)))
        .collect();
    let mut seen = HashSet::new();
    text += "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    for (number, (Section(title, introduction, _), items)) in (1..).zip(SECTIONS.iter().zip(&all)) {
        let rule = "=".repeat(LINE - 3);
        text += &format!("\n/* {rule}\n * {number}. {title}\n * {rule} */\n");
        if !introduction.is_empty() {
            text += &format!("\n{}", comment(introduction));
        }
        if *title == "Status, strings and version" {
            text += &version();
        }
        let is_constant = |item: &&String| code(item).starts_with("#define");
        let is_type = |item: &&String| declared(item).is_some();
        // Types first: those of this section, and those of later ones that a function here needs.
        let words: HashSet<&str> = items
            .iter()
            .flat_map(|item| code(item).split(|c: char| !(c.is_alphanumeric() || c == '_')))
            .collect();
        let mut order: Vec<&String> = types
            .iter()
            .filter(|(name, item)| words.contains(name) || items.contains(item))
            .filter(|(name, _)| seen.insert(*name))
            .map(|(_, item)| *item)
            .collect();
        // A struct follows the types of its fields.
        order.sort_by_key(|item| item.contains(" {\n"));
        let mut group = "";
        for item in order {
            text += &format!("\n{item}");
            if declared(item) == Some("robots_verdict") {
                text += VERDICT;
            }
        }
        for item in items.iter().filter(is_constant) {
            // Constants that belong together have the same first word in their comment.
            let first = item
                .trim_start_matches("/**\n * ")
                .trim_start_matches("/** ");
            let first = first.split(':').next().unwrap_or_default();
            text += if first == group {
                ""
            } else {
                "
"
            };
            group = first;
            text += item;
        }
        for item in items
            .iter()
            .filter(|item| !is_constant(item) && !is_type(item))
        {
            text += &format!("\n{item}");
        }
    }
    text + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* LIBROBOTS_H */\n"
}

#[test]
fn header_is_up_to_date() {
    let header = root().join(HEADER);
    let generated = generated();
    if std::env::var_os("UPDATE_HEADER").is_some() {
        fs::write(&header, &generated).unwrap();
    }
    let committed = fs::read_to_string(&header).unwrap_or_default();
    assert!(
        committed == generated,
        "{HEADER} is out of date: run `make header` and commit the result"
    );
}
