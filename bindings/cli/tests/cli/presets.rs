//! A well-known crawler after -a is its preset, in every command that takes a crawler.

use crate::filter::Folder;
use crate::{printed, shell};

/// Google's matcher compares the start of a field (SPEC 5.6): it reads a ban, and the standard reads no rule.
const FILE: &str = "User-agent: *\nDisallowed: /\n";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("robots.txt", FILE);
    folder.write("empty.txt", "");
    let (status, ..) = folder.run("mkdir sites && cp robots.txt sites/a.example");
    assert_eq!(status, 0);
    folder
}

const NOTE: &str = "robots: Googlebot reads files in the dialect google, says https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers; --exact takes the token alone\n";

/// Only google reads the rule of an index page as one of its directory (SPEC 8.10).
const INDEX: &str = "User-agent: *\nAllow: /x/index.html\nDisallow: /\n";

#[test]
fn a_known_crawler_reads_files_in_its_dialect() {
    let folder = folder("preset-dialect");
    folder.write("robots.txt", INDEX);
    folder.write("sites/a.example", INDEX);
    let closed = "User-agent: *\nDisallow: /\n";
    folder.write("closed.txt", closed);
    for (command, allowed) in [
        ("check -a NAME robots.txt /x/", "allowed        2  /x/\n"),
        (
            "explain -a NAME --json robots.txt /x/ | grep -o '\"/x/\",\"allowed\":true'",
            "\"/x/\",\"allowed\":true\n",
        ),
        (
            "filter -q -a NAME -r sites <<< https://a.example/x/",
            "https://a.example/x/\n",
        ),
        (
            "image make -a NAME robots.txt -o image && robots image check image /x/",
            "allowed        2  /x/\n",
        ),
        (
            "diff --json -a NAME closed.txt robots.txt /x/ | grep -o '\"allowed\":true'",
            "\"allowed\":true\n",
        ),
    ] {
        let (_, out, error) =
            folder.run(&format!("robots {}", command.replace("NAME", "Googlebot")));
        // `diff` has no --exact.
        let note = match command.starts_with("diff") {
            true => NOTE.replace("; --exact takes the token alone", ""),
            false => NOTE.to_owned(),
        };
        assert_eq!((out.as_str(), error), (allowed, note), "{command}");
        // The dialect that is given, and the token alone, are taken as they are.
        for name in ["Googlebot -d rfc9309", "ExampleBot"] {
            let (_, out, error) = folder.run(&format!("robots {}", command.replace("NAME", name)));
            assert_ne!(out, allowed, "{name}: {command}");
            assert_eq!(error, "", "{name}: {command}");
        }
        if !command.starts_with("diff") {
            let (_, out, error) = folder.run(&format!(
                "robots {}",
                command.replace("NAME", "Googlebot --exact")
            ));
            assert_ne!(out, allowed, "{command}");
            assert_eq!(error, "", "{command}");
        }
    }
    // The first token names the crawler.
    let (_, out, error) = folder.run("robots check -a Googlebot,OtherBot robots.txt /x/");
    assert_eq!(
        (out.as_str(), error.as_str()),
        ("allowed        2  /x/\n", NOTE)
    );
    let (_, help, _) = folder.run("robots check --help | tr -s ' \\n' ' '");
    assert!(
        help.contains("[default: that of a well-known crawler, else rfc9309]"),
        "{help}"
    );
}

/// Each row of `policy` is decided in the dialect of its operator, and so is each name that `diff` finds in a file.
#[test]
fn every_row_is_decided_in_the_dialect_of_its_crawler() {
    let folder = folder("preset-rows");
    let rows = |options: &str| {
        let line = format!("robots policy {options} robots.txt | grep -E '(  Googlebot|GPTBot)  '");
        let (status, out, error) = folder.run(&line);
        assert_eq!((status, error.as_str()), (0, ""), "{line}");
        ["blocked", "allowed"].map(|word| out.matches(word).count())
    };
    assert_eq!(rows(""), [1, 1]);
    assert_eq!(rows("-d rfc9309"), [0, 2]);
    assert_eq!(rows("-d google"), [2, 0]);
    folder.write("named.txt", FILE.replace('*', "Googlebot"));
    folder.write("other.txt", FILE.replace('*', "OtherBot"));
    for (file, options, wanted) in [
        (
            "named.txt",
            "",
            "1 of 2 verdicts changes, for 2 kinds of crawlers",
        ),
        ("named.txt", "-d rfc9309", "0 of "),
        ("other.txt", "", "0 of "),
    ] {
        let (_, out, error) = folder.run(&format!("robots diff {options} empty.txt {file} /x"));
        assert!(out.contains(wanted), "{file} {options}: {out}");
        assert_eq!(error, "", "{file} {options}");
    }
}

#[test]
fn the_preset_of_a_mobile_app_ads_bot_ignores_star() {
    let output = shell(
        "printf 'User-agent: *\\nDisallow: /\\n' | robots check -a AdsBot-Google-Mobile-Apps - /x",
    );
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "allowed        -  /x\n"
    );
}

/// A fetcher that ignores the robots.txt gets no verdict: there is nothing to decide.
#[test]
fn a_fetcher_that_robots_txt_does_not_govern_has_no_verdict() {
    let folder = folder("not-governed");
    let said = |name: &str| format!("robots: {name} ignores the robots.txt, says https://");
    for name in ["FeedFetcher-Google", "google-read-aloud", "Perplexity-User"] {
        for command in [
            format!("check -a {name} robots.txt /"),
            format!("explain -a {name} robots.txt /"),
            format!("filter -a {name} -r sites <<< https://a.example/"),
            format!("image make -a {name} robots.txt -o image"),
            format!("diff -a {name} robots.txt empty.txt /"),
            format!("lint --crawler {name} robots.txt"),
        ] {
            let (status, out, error) = folder.run(&format!("robots {command}"));
            assert_eq!((status, out.as_str()), (2, ""), "{command}: {error}");
            let is_said = error.to_lowercase().starts_with(&said(name).to_lowercase());
            assert!(is_said, "{command}: {error}");
        }
    }
    let (status, out, _) = folder.run("robots check --exact -a FeedFetcher-Google robots.txt /");
    assert_eq!((status, out.as_str()), (0, "allowed        -  /\n"));
    let rows = printed("robots policy --json shop.txt | grep FeedFetcher-Google", 0);
    assert!(rows.contains("\"verdict\":\"ignores\""), "{rows}");
    let table = printed("robots policy shop.txt | grep FeedFetcher-Google", 0);
    assert!(table.contains("  ignores"), "{table}");
}
