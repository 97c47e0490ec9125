//! Tests that the committed C headers are equal to the headers made from the source. `make header` writes them anew.
//!
//! cbindgen generates the declarations of each file of `src/ffi`. This test adds an introduction, a contents list, titled
//! sections, enums in place of single numbers, and short comments in one line.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::collections::HashSet;
use std::fs;
use std::path::Path;

#[path = "../api/defaults.rs"]
mod defaults;

use defaults::defaults;
use robots::api::{ENUMS, Enum, FETCH_OPTIONS, OptionRow, Unit, Value};

const LINE: usize = 120;

/// A header: its name, its introduction, what it includes, and its sections.
struct Header {
    name: &'static str,
    introduction: &'static str,
    includes: &'static [&'static str],
    sections: &'static [Section],
}

const HEADERS: [Header; 2] = [
    Header {
        name: "librobots",
        introduction: INTRODUCTION,
        includes: &["stddef.h", "stdint.h"],
        sections: &SECTIONS,
    },
    Header {
        name: "librobots_tools",
        introduction: TOOLS,
        includes: &["librobots.h"],
        sections: &[
            Section("Explanations", "", &["explain"]),
            Section("Lint", "", &["lint"]),
            Section("Differences", "", &["difference"]),
            Section("Extension lines", "", &["extensions"]),
        ],
    },
];

/// A section of a header: its title, its introduction, and the files of `src/ffi` that it shows.
struct Section(&'static str, &'static str, &'static [&'static str]);

const SECTIONS: [Section; 11] = [
    Section("Status, strings and version", "", &["status", "string"]),
    Section("Crawler", "", &["crawler"]),
    Section("Rules and verdicts", "", &["verdict", "rules"]),
    Section("Rules as a list", "", &["rule_list"]),
    Section(
        "Images",
        "An image is the flat block of bytes of robots_rules_image. It is position-independent, so any memory can hold it, such
as a mapped file, a database row or an object of a garbage collector. Reads of an image in the caller's memory are checked:
a damaged image gives an error or a wrong result, nothing worse. No other thread may write to an image in use.",
        &["image"],
    ),
    Section("Origins", "", &["origin"]),
    Section(
        "Fetch",
        "A state machine implements the fetch policy: redirects, 304, Retry-After, outages and old copies. The caller provides
the HTTP client and the clock:

    while ((step = robots_fetch_step(fetch)) != ROBOTS_STEP_DONE)
        report the event that the step names;
    robots_fetch_outcome(fetch, &outcome);

Set the options of this section for a crawler (robots_crawler_set) or for one fetch (robots_fetch_set). An option that is
not set has the default of the dialect, even if the dialect changes later. An event with an error changes nothing.",
        &["fetch"],
    ),
    Section("Outcomes of fetches", "", &["outcome"]),
    Section("Cache", "", &["cache", "cache_file", "ticket"]),
    Section(
        "Page controls",
        "The headers X-Robots-Tag and Robots-Tag and <meta> elements restrict what a crawler does with a response (SPEC 9.6). Add every header of the response and every <meta> element, then read the controls:

    robots_page_rule rule = ROBOTS_PAGE_RULE_INIT;
    robots_page_controls_get(controls, ROBOTS_CONTROL_INDEX, &rule);
    if (rule.value) ... index the page",
        &["page_controls"],
    ),
    Section(
        "Uses",
        "May a page be used, and for what (SPEC 13)? Every statement about it counts: rules, lines, headers, <meta> elements,
tdmrep.json. The most restrictive one decides:

    robots_use_answer answer = ROBOTS_USE_ANSWER_INIT;
    robots_use_for(uses, url, url_len, ROBOTS_PURPOSE_TRAINING, page, NULL, 0, &answer);
    if (answer.says == ROBOTS_USE_ALLOWED) ... train with the page",
        &["uses"],
    ),
];

/// Functions whose result the caller may ignore: `out` has the same verdict, `out` is safe to read, or nothing depends on
/// the result. (A fetch that missed an event has no outcome.)
#[rustfmt::skip]
const MAY_BE_IGNORED: [&str; 20] = [
    "robots_cache_check", "robots_cache_count", "robots_cache_import", "robots_cache_load", "robots_cache_remove", "robots_cache_request",
    "robots_cache_report_response", "robots_explanation_get", "robots_fetch_report_body", "robots_fetch_report_end",
    "robots_fetch_report_header", "robots_fetch_report_headers_end", "robots_fetch_report_status", "robots_lint_code",
    "robots_lint_report_count", "robots_outcome_get", "robots_page_controls_add_header",
    "robots_page_controls_add_meta", "robots_page_controls_get", "robots_ticket_finish",
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

Or create a cache for the URLs of many sites, and follow its answer for each URL; librobots-cache(7) has the whole loop:

    robots_cache_answer answer = ROBOTS_CACHE_ANSWER_INIT;
    robots_cache_check(cache, 0, url, url_len, now_ms, &answer);
    if (answer.ticket != NULL) ...                                fetch the robots.txt, submit the outcome
    if (answer.action == ROBOTS_CACHE_DECIDED) ...                obey answer.verdict
    else if (answer.action == ROBOTS_CACHE_FETCH) ...             check the URL again
    else ...                                                      check the URL again at answer.until_ms

Contents:

@CONTENTS@

Conventions, unless the comment of a type or a function says otherwise:

- Parameters: strings are a pointer and a length, any bytes; with length 0 the pointer is ignored. The library copies a
  string or handle that is passed in, or does not need it after the call. `out` receives the result, and overlaps with no
  other argument. `now_ms` is the time.
- Numbers: parameters and fields are uint32_t where an enum lists their values. To let the compiler find missing cases:
  switch ((enum robots_reason)ROBOTS_VERDICT_REASON(verdict)). Enums may grow in later versions.
- Structs with a `size`: initialize each by its macro, such as ROBOTS_RULE_INIT. Later versions add fields at the end only.
- ROBOTS_E_ARG, from every function with a status: a NULL handle, a NULL `out`, a NULL string with a length, a struct whose
  `size` is too small, an unknown option, a number out of its range. Functions without a status return 0 or an empty string.
  Freeing NULL does nothing.
- Times: milliseconds since 1970-01-01 UTC by the caller's clock, and durations in milliseconds: names end in `_ms`. A
  `now_ms` before March 1973, as one in seconds is, or after the year 9999, as one in microseconds is, is ROBOTS_E_TIME.
  The engine counts seconds: options of seconds are multiples of 1000. What a file states keeps its unit, seconds.
- ROBOTS_END: read a list from index 0 until a call returns ROBOTS_END.
- Returns: a function that can fail returns a robots_status. It sets `*out` to a safe value first: NULL, or zeros in a
  struct with a valid `size`. A verdict with an error allows nothing. Misuse never permits a fetch.
- Owner: the caller owns a handle that it receives through `out`, and frees it with the type's `_free`. A robots_str that
  a function returns belongs to the object; it is valid until the object is freed. The caller frees nothing else.
- Threads: any thread may call a function. Many threads may use one `const T *` at the same time. During a call with
  `T *` no other thread may use that object. `_free` releases one reference; other threads may use the others.
- Allocates: functions that create a handle allocate it. Others allocate at most work space that is freed, or as noted.
- Out of memory: ROBOTS_E_MEMORY, from every function that allocates, and nothing leaks. "May abort when out of memory": if
  an allocation of at most 1 KiB, or of the growing table of a cache, fails, Rust's standard library ends the process;
  SECURITY.md lists these allocations.
- Since: 0.1.0. Later versions only add functions and numbers.

Linking: a plugin that contains librobots.a hides its functions with -Wl,--exclude-libs,librobots.a, so that two copies in
one process do not mix. Unloading: a thread that used a cache has a destructor in the library. After dlclose, glibc keeps
the library loaded until that thread ends; for the main thread, until the process ends.

"SPEC 8.7" is a row of the specification: librobots-spec(7).

This file is generated: change the source and run `make header`."#;

const TOOLS: &str = r#"librobots: explanations, lint, differences and extension lines, for people and for site owners.

Contents:

@CONTENTS@

The conventions are those of librobots.h, which this header includes.

This file is generated: change the source and run `make header`."#;

const VERSION: &str = "
/** The version of this header, as text and as numbers; `robots_version_number` returns the version of the library. */
#define ROBOTS_VERSION \"@VERSION@\"
#define ROBOTS_VERSION_MAJOR @MAJOR@
#define ROBOTS_VERSION_MINOR @MINOR@
#define ROBOTS_VERSION_PATCH @PATCH@
#define ROBOTS_VERSION_NUMBER @NUMBER@

/** A mark of functions: the compiler warns, if it can, about a call that ignores the result. */
#if (defined __cplusplus && __cplusplus >= 201703L) || (defined __STDC_VERSION__ && __STDC_VERSION__ >= 202311L)
#define ROBOTS_MUST_USE [[nodiscard]]
#elif defined __GNUC__
#define ROBOTS_MUST_USE __attribute__((warn_unused_result))
#else
#define ROBOTS_MUST_USE
#endif
";

const VERDICT: &str = "
/** A conversion that `-Wold-style-cast` of C++ accepts. */
#ifdef __cplusplus
#define ROBOTS_CAST(type, value) static_cast<type>(value)
#else
#define ROBOTS_CAST(type, value) ((type)(value))
#endif

/** The parts of a `robots_verdict`. */
#define ROBOTS_VERDICT_ALLOWED(v) ROBOTS_CAST(int, (v).bits & 1u)
#define ROBOTS_VERDICT_SITE_WIDE(v) ROBOTS_CAST(int, (v).bits >> 1 & 1u)
#define ROBOTS_VERDICT_REASON(v) ROBOTS_CAST(uint32_t, (v).bits >> 8 & 0xFFu)
#define ROBOTS_VERDICT_STATUS(v) ROBOTS_CAST(robots_status, (v).bits >> 16 & 0xFFFFu)
#define ROBOTS_VERDICT_LINE(v) ROBOTS_CAST(uint32_t, (v).bits >> 32)
";

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn version() -> String {
    let number = |part: &str| part.parse::<u32>().unwrap();
    let version = number(env!("CARGO_PKG_VERSION_MAJOR")) * 1_000_000
        + number(env!("CARGO_PKG_VERSION_MINOR")) * 1_000
        + number(env!("CARGO_PKG_VERSION_PATCH"));
    VERSION
        .replace("@VERSION@", env!("CARGO_PKG_VERSION"))
        .replace("@MAJOR@", env!("CARGO_PKG_VERSION_MAJOR"))
        .replace("@MINOR@", env!("CARGO_PKG_VERSION_MINOR"))
        .replace("@PATCH@", env!("CARGO_PKG_VERSION_PATCH"))
        .replace("@NUMBER@", &version.to_string())
}

/// Returns the declarations of one file, each with its comment.
fn declarations(file: &str) -> Vec<String> {
    let mut config = cbindgen::Config {
        language: cbindgen::Language::C,
        no_includes: true,
        usize_is_size_t: true,
        documentation_style: cbindgen::DocumentationStyle::Doxy,
        style: cbindgen::Style::Both,
        line_length: LINE,
        ..cbindgen::Config::default()
    };
    let source = root().join(format!("src/ffi/{file}.rs"));
    // cbindgen omits types that no function of the same file uses.
    for line in fs::read_to_string(&source).unwrap().lines() {
        if let Some((name, _)) = line
            .strip_prefix("pub type ")
            .or(line.strip_prefix("pub struct "))
            .and_then(|rest| rest.split_once([' ', '(']))
        {
            config.export.include.push(name.to_owned());
        }
    }
    let builder = cbindgen::Builder::new().with_config(config);
    let bindings = builder.with_src(source).generate().unwrap();
    let mut text = Vec::new();
    bindings.write(&mut text);
    let text = for_c(&String::from_utf8(text).unwrap());
    // An empty line separates declarations.
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

/// Puts short comments on one line, and a field's comment after the field. Removes empty comment lines.
fn for_c(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        // cbindgen names a struct by its tag, and declares the name without it, too.
        lines.push(match line.starts_with("typedef") {
            true => line.trim_end().to_owned(),
            false => line.trim_end().replace("struct robots_", "robots_"),
        });
        if let [.., open, only, close] = &lines[..] {
            let is_short = only.len() + 4 <= LINE;
            if open.trim() == "/**" && close.trim() == "*/" && is_short {
                let short = only.replacen(" * ", "/** ", 1) + " */";
                lines.truncate(lines.len() - 3);
                lines.push(short);
            }
        }
        if let [.., comment, field] = &lines[..] {
            let text = comment.trim_start().strip_prefix("/** ");
            let is_field = field.starts_with("  ") && field.ends_with(';');
            if let Some(text) = text.filter(|_| is_field && comment.starts_with("  ")) {
                let short = format!("{field} /**< {text}");
                if short.len() <= LINE {
                    lines.truncate(lines.len() - 2);
                    lines.push(short);
                }
            }
        }
        if line == " *" {
            lines.pop();
        }
    }
    lines.join("\n")
}

/// Returns a member of an enum with its comment, on one line if there is room.
fn member(code: &str, text: &str) -> String {
    let short = format!("  {code} /**< {text} */");
    if short.len() <= LINE {
        return short;
    }
    let short = format!("  /** {text} */");
    if short.len() <= LINE {
        return format!("{short}\n  {code}");
    }
    let mut lines = vec![String::from("  /**")];
    for word in text.split_whitespace().chain(["*/"]) {
        if lines.last().unwrap().len() + 1 + word.len() > LINE {
            lines.push(String::from("   *"));
        }
        *lines.last_mut().unwrap() += &format!(" {word}");
    }
    lines.join("\n") + &format!("\n  {code}")
}

/// Returns the meaning of a value; for an option also its range and its default.
fn meaning(value: &Value) -> String {
    let mut sentence = value.sentence();
    for row in FETCH_OPTIONS {
        let name = format!("`{}`", row.name);
        sentence = sentence.replace(&name, &format!("`{}`", option_name(row)));
    }
    if value.name == "ROBOTS_CONTROL_UNAVAILABLE_AFTER" {
        return sentence.replace("in seconds since", "in milliseconds since");
    }
    let Some(row) = value.option else {
        return sentence;
    };
    let shown = |value: u64| match row.unit {
        Unit::OutcomeKind | Unit::Dialect => name_of(row.unit, value),
        Unit::Seconds if value == 4_294_967_295 => "never".to_owned(),
        Unit::Seconds => (value * 1_000).to_string(),
        _ => value.to_string(),
    };
    let default = defaults(row, |dialect| format!("{dialect:?}").to_lowercase(), shown);
    let (least, most) = (row.least, row.most);
    let values = match row.unit {
        Unit::Switch | Unit::OutcomeKind => format!("default: {default}."),
        Unit::Dialect => format!("one of `enum robots_dialect`; default: {default}."),
        Unit::Seconds => {
            let (least, most) = (least * 1_000, most * 1_000);
            format!("{least} to {most}; default: {default}.")
        }
        Unit::Bytes | Unit::Count => format!("{least} to {most}; default: {default}."),
    };
    let (first, rest) = sentence.split_at(1);
    let sentence = match row.unit {
        Unit::Switch => format!("1 {}{rest}", first.to_lowercase()),
        _ => sentence,
    };
    // After two sentences the range is a sentence too.
    match sentence.trim_end_matches('.') {
        one if one.contains(". ") => {
            format!("{sentence} {}{}", values[..1].to_uppercase(), &values[1..])
        }
        one if values.starts_with("default") => format!("{one}; {values}"),
        one => format!("{one}, {values}"),
    }
}

/// Returns the name of an option in C, where times are in milliseconds.
fn option_name(row: &OptionRow) -> String {
    match row.unit {
        Unit::Seconds => format!("{}_MS", row.name),
        _ => row.name.to_owned(),
    }
}

/// Returns the name of an enum's value in words.
fn name_of(unit: Unit, number: u64) -> String {
    let name = match unit {
        Unit::Dialect => "robots_dialect",
        _ => "robots_outcome_kind",
    };
    let one = ENUMS.iter().find(|one| one.name == name).unwrap();
    let mut values = one.values.iter();
    let value = values.find(|value| u64::from(value.number) == number);
    let name = value.unwrap().name.strip_prefix(one.prefix).unwrap();
    name.to_ascii_lowercase().replace('_', " ")
}

/// Returns an enum of C. cbindgen does not see it, because a macro declares the constants.
fn enumeration(one: &Enum) -> String {
    let members: Vec<String> = (1..)
        .zip(one.values)
        .map(|(place, value)| {
            // C89 permits no comma after the last value.
            let comma = if place == one.values.len() { "" } else { "," };
            let name = value.option.map_or(value.name.to_owned(), option_name);
            let code = format!("{name} = {}{comma}", value.number);
            member(&code, &meaning(value))
        })
        .collect();
    let (about, name) = (one.about, one.name);
    format!(
        "/** {about} */\nenum {name} {{\n{}\n}};\n",
        members.join("\n")
    )
}

/// Returns a function with the mark that its result must be used. Lines break after a comma.
fn function(declaration: &str) -> String {
    let code = code(declaration);
    let comment = declaration.strip_suffix(code).unwrap();
    let is_result = code.starts_with("robots_status ") || code.starts_with("robots_verdict ");
    let name = code.split('(').next().unwrap().rsplit([' ', '*']).next();
    let must_use = is_result && !MAY_BE_IGNORED.contains(&name.unwrap());
    let mark = if must_use { "ROBOTS_MUST_USE " } else { "" };
    let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut lines = vec![mark.to_owned()];
    for parameter in code.split_inclusive(", ") {
        if lines.last().unwrap().len() + parameter.trim_end().len() > LINE {
            lines.push("    ".to_owned());
        }
        *lines.last_mut().unwrap() += parameter;
    }
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    format!("{comment}{}\n", lines.join("\n"))
}

/// Returns a declaration without its comment.
fn code(declaration: &str) -> &str {
    declaration
        .rsplit_once("*/\n")
        .map_or(declaration, |(_, code)| code)
}

/// Returns the name that a typedef declares; none for another declaration.
fn declared(declaration: &str) -> Option<&str> {
    // The comments inside a struct hide the first line from `code`.
    let is_type = declaration.starts_with("typedef") || declaration.contains("\ntypedef");
    if let Some((_, rest)) = code(declaration).split_once("(*").filter(|_| is_type) {
        return rest.split(')').next();
    }
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

/// Returns the initializer of a struct with a `size`: all its fields, so that no compiler warns.
fn initializer(declaration: &str) -> Option<String> {
    let (_, fields) = declaration.split_once("{\n  size_t size;")?;
    let fields = fields.lines().filter_map(|line| line.strip_prefix("  "));
    let fields = fields.filter(|field| field.starts_with(|first: char| first.is_ascii_lowercase()));
    let zeros: String = fields
        .map(|field| match field.split(' ').next() {
            Some("robots_str") => ", {0, 0}",
            Some("robots_verdict" | "robots_slot") => ", {0}",
            _ => ", 0",
        })
        .collect();
    let name = declared(declaration)?;
    let shown = name.to_uppercase();
    Some(format!("#define {shown}_INIT {{sizeof({name}){zeros}}}\n"))
}

fn comment(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| format!(" * {line}").trim_end().to_owned());
    format!("/*\n{}\n */\n", lines.collect::<Vec<_>>().join("\n"))
}

/// Returns a header, made from the source.
fn generated(header: &Header) -> String {
    let all: Vec<Vec<String>> = header
        .sections
        .iter()
        .map(|Section(.., files)| files.iter().flat_map(|file| declarations(file)).collect())
        .collect();
    let contents: Vec<String> = (1..)
        .zip(header.sections.iter().zip(&all))
        .map(|(number, (Section(title, ..), items))| {
            let handles: Vec<&str> = items.iter().filter_map(|item| declared(item)).collect();
            format!("    {number:2}. {title:34}{}", handles.join(", "))
                .trim_end()
                .to_owned()
        })
        .collect();
    let guard = format!("{}_H", header.name.to_uppercase());
    let introduction = header.introduction;
    let mut text = comment(&introduction.replace("@CONTENTS@", &contents.join("\n")));
    text += &format!("\n#ifndef {guard}\n#define {guard}\n\n");
    for include in header.includes {
        text += &format!("#include <{include}>\n");
    }
    let types: Vec<(&str, &String)> = all
        .iter()
        .flatten()
        .filter_map(|item| Some((declared(item)?, item)))
        .collect();
    let mut seen = HashSet::new();
    text += "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    for (number, (Section(title, introduction, files), items)) in
        (1..).zip(header.sections.iter().zip(&all))
    {
        let rule = "=".repeat(LINE - 14 - title.len() - number.to_string().len());
        text += &format!("\n/* ==== {number}. {title} {rule} */\n");
        if !introduction.is_empty() {
            text += &format!("\n{}", comment(introduction));
        }
        if *title == "Status, strings and version" {
            text += &version();
        }
        let is_type = |item: &&String| declared(item).is_some();
        // Types come first: the types of this section, and types of later sections that a function here needs.
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
        for item in order {
            text += &format!("\n{item}");
            text += &initializer(item).unwrap_or_default();
            if declared(item) == Some("robots_verdict") {
                text += VERDICT;
            }
        }
        for file in *files {
            let is_here = |one: &&&Enum| one.module.ends_with(&format!("ffi::{file}"));
            for one in ENUMS.iter().filter(is_here) {
                text += &format!("\n{}", enumeration(one));
            }
        }
        for item in items.iter().filter(|item| !is_type(item)) {
            text += &format!("\n{}", function(item));
        }
    }
    text + &format!("\n#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {guard} */\n")
}

#[test]
fn headers_are_up_to_date() {
    for header in HEADERS {
        let path = format!("include/{}.h", header.name);
        let generated = generated(&header);
        if std::env::var_os("UPDATE_HEADER").is_some() {
            fs::write(root().join(&path), &generated).unwrap();
        }
        let committed = fs::read_to_string(root().join(&path)).unwrap_or_default();
        let lines = committed.lines().chain(["nothing"]).zip(generated.lines());
        let other = lines.into_iter().find(|(old, new)| old != new);
        assert!(
            committed == generated,
            "{path} is out of date: run `make header` and commit the result; it has, and src says: {other:?}"
        );
    }
}
