//! The committed C header is the one that the source makes. `UPDATE_HEADER=1 cargo test --test header`
//! (or `make header`) renews it.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::path::Path;

const HEADER: &str = "include/librobots.h";

const BEFORE: &str = r#"/*
 * librobots: what a robots.txt lets a crawler fetch.
 *
 * A crawler says once who it is (robots_crawler_new), compiles each robots.txt for itself
 * (robots_rules_parse) and asks about URLs (robots_rules_check), from any number of threads, without
 * allocation:
 *
 *     robots_crawler *crawler;
 *     robots_rules *rules;
 *     if (robots_crawler_new("ExampleBot", 10, &crawler) != ROBOTS_OK) ...
 *     if (robots_rules_parse(crawler, body, body_len, &rules) != ROBOTS_OK) ...
 *     if (ROBOTS_VERDICT_ALLOWED(robots_rules_check(rules, url, url_len))) ...
 *     robots_rules_free(rules);
 *     robots_crawler_free(crawler);
 *
 * What holds for all functions:
 * - Strings in are a pointer and a length, any octets; with length 0 the pointer is ignored. Strings out
 *   are borrowed (robots_str); there is nothing to free but handles. Freeing NULL does nothing.
 * - A fallible function returns a robots_status and sets its output to a safe value first. A verdict
 *   carries its status, and then allows nothing: misuse never permits a fetch.
 * - "const T *" may be used from many threads at once, "T *" from one.
 * - Numbers are never renumbered and never change their meaning; functions are only added.
 *
 * This file is generated: change the source and run `make header`.
 */"#;

const MACROS: &str = r"
/* The version of this header; robots_version_number() gives that of the library. */
#define ROBOTS_VERSION_NUMBER @VERSION@

/* The parts of a robots_verdict. */
#define ROBOTS_VERDICT_ALLOWED(v) ((int)((v) & 1u))
#define ROBOTS_VERDICT_REASON(v) ((uint32_t)(((v) >> 8) & 0xFFu))
#define ROBOTS_VERDICT_STATUS(v) ((robots_status)(((v) >> 16) & 0xFFFFu))
#define ROBOTS_VERDICT_LINE(v) ((uint32_t)((v) >> 32))
";

fn config() -> cbindgen::Config {
    let number = |part: &str| part.parse::<u32>().unwrap();
    let version = number(env!("CARGO_PKG_VERSION_MAJOR")) * 1_000_000
        + number(env!("CARGO_PKG_VERSION_MINOR")) * 1_000
        + number(env!("CARGO_PKG_VERSION_PATCH"));
    cbindgen::Config {
        language: cbindgen::Language::C,
        header: Some(BEFORE.to_owned()),
        after_includes: Some(MACROS.replace("@VERSION@", &version.to_string())),
        include_guard: Some("LIBROBOTS_H".to_owned()),
        no_includes: true,
        sys_includes: vec!["stddef.h".to_owned(), "stdint.h".to_owned()],
        cpp_compat: true,
        usize_is_size_t: true,
        documentation_style: cbindgen::DocumentationStyle::Doxy,
        style: cbindgen::Style::Type,
        ..cbindgen::Config::default()
    }
}

/// The header as the source says it.
fn generated() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The skin alone: nothing of the core belongs into the header.
    let files = [
        "status",
        "verdict",
        "crawler",
        "rules",
        "image",
        "origin",
        "fetch",
        "outcome",
        "ticket",
        "cache",
        "cursor",
        "explain",
        "extensions",
        "lint",
    ];
    let builder = files.iter().fold(
        cbindgen::Builder::new().with_config(config()),
        |builder, file| builder.with_src(root.join(format!("src/ffi/{file}.rs"))),
    );
    let bindings = builder.generate().unwrap();
    let mut text = Vec::new();
    bindings.write(&mut text);
    for_c(&String::from_utf8(text).unwrap())
}

/// What Rust calls "Safety" is, for C, what every function asks: the sections are left out.
/// Comments are those of C89.
fn for_c(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut is_left_out = false;
    for line in text.lines() {
        if line.trim() == "* # Safety" {
            is_left_out = true;
            while lines.last().is_some_and(|line| line.trim() == "*") {
                lines.pop();
            }
        }
        is_left_out &= line.trim() != "*/";
        if !is_left_out {
            lines.push(line.trim_end());
        }
    }
    lines
        .join("\n")
        .replace("#endif // __cplusplus", "#endif")
        .replace("#endif  // __cplusplus", "#endif")
        + "\n"
}

#[test]
fn header_is_up_to_date() {
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join(HEADER);
    let generated = generated();
    if std::env::var_os("UPDATE_HEADER").is_some() {
        std::fs::write(&header, &generated).unwrap();
    }
    let committed = std::fs::read_to_string(&header).unwrap_or_default();
    assert!(
        committed == generated,
        "{HEADER} is out of date: run `make header` and commit the result"
    );
}
