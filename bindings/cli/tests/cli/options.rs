//! The options of the output are the same for every command.

use crate::{printed, shell};

/// Commands that show results.
const SHOW: [&str; 12] = [
    "check",
    "explain",
    "policy",
    "crawlers",
    "where",
    "test",
    "fetch",
    "lint",
    "groups",
    "diff",
    "image check",
    "image inspect",
];

#[test]
fn every_command_spells_them_alike() {
    let is_there = |command: &&&str| cfg!(feature = "live") || **command != "fetch";
    for command in SHOW.iter().filter(is_there) {
        let help = printed(&format!("robots {command} --help"), 0);
        let words: String = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for option in [
            "--json Print a line of JSON for each result",
            "-q, --quiet Print nothing; use the exit status",
            "--color <auto|always|never> Colour the text [default: auto]",
        ] {
            assert!(words.contains(option), "{command} lacks: {option}\n{help}");
        }
    }
}

/// Runs each command on real input: JSON, nothing, colour or none.
#[test]
fn every_command_obeys_them() {
    let image = "d=$(mktemp -d) && robots image make -a ExampleBot shop.txt -o $d/i && cd $d && robots image";
    let lines = [
        ("robots check -a ExampleBot", "shop.txt /cart/ /", 1),
        ("robots explain -a ExampleBot", "shop.txt /cart/ /", 1),
        (
            "robots explain -a ExampleBot",
            "--header 'X-Robots-Tag: noindex'",
            1,
        ),
        ("robots check", "policy.txt /", 1),
        ("robots policy", "policy.txt", 0),
        ("robots test", "shop.expect shop-new.txt", 1),
        ("robots lint", "faulty.txt", 1),
        ("robots groups", "shop.txt", 0),
        ("robots diff", "shop.txt shop-new.txt", 1),
        (&format!("{image} check"), "i /cart/ /", 1),
        (&format!("{image} inspect"), "i", 0),
    ];
    for (command, arguments, status) in lines {
        let run = |options: &str| printed(&format!("{command} {options} {arguments}"), status);
        assert_eq!(run("-q"), "", "{command}");
        assert_eq!(run("--quiet --color always"), "", "{command}");
        let json = run("--json --color always");
        assert!(!json.is_empty(), "{command}");
        for line in json.lines() {
            let value: Result<serde_json::Value, _> = serde_json::from_str(line);
            assert!(
                value.is_ok_and(|value| value.is_object()),
                "{command}: {line}"
            );
        }
        let (plain, coloured) = (run("--color never"), run("--color always"));
        assert_eq!(run(""), plain, "{command}");
        let is_page = arguments.starts_with("--header");
        assert!(is_page || coloured.contains("\x1b["), "{command}");
        let mut bare = String::new();
        for (index, piece) in coloured.split("\x1b[").enumerate() {
            let (_, text) = match index {
                0 => ("", piece),
                _ => piece.split_once('m').unwrap(),
            };
            bare.push_str(text);
        }
        assert_eq!(bare, plain, "{command}");
        let both = shell(&format!("{command} --json -q {arguments}"));
        assert_eq!(both.status.code(), Some(2), "{command}");
    }
}

/// A path that starts with `//` is a path of the file's site: nothing in it is a host (SPEC 8.11).
#[test]
fn a_path_that_starts_with_two_slashes_is_a_path() {
    let file = "printf 'User-agent: *\\nDisallow: //other\\nDisallow: /x//\\n' | robots";
    for path in ["//other/../y", "//other/y", "/x//other/../y"] {
        let check = printed(
            &format!("{file} check -a B --site https://site.example - {path}"),
            1,
        );
        assert!(check.starts_with("disallowed "), "{check}");
        assert!(check.ends_with(&format!("  {path}\n")), "{check}");
        let full = printed(
            &format!("{file} check -a B - https://site.example{path}"),
            1,
        );
        assert_eq!(full.replace("https://site.example", ""), check);
        let why = printed(&format!("{file} explain -a B --json - {path}"), 1);
        assert!(why.contains("\"allowed\":false"), "{why}");
    }
    let open = printed(&format!("{file} check -a B - //elsewhere/../y"), 0);
    assert_eq!(open, "allowed        -  //elsewhere/../y\n");
    let site = shell("echo | robots check -a B --site //other/../y - /");
    let error = String::from_utf8_lossy(&site.stderr);
    assert_eq!(site.status.code(), Some(2), "{error}");
    assert!(
        error.contains("//other/../y: a path names no site"),
        "{error}"
    );
}

#[test]
fn json_is_short_for_a_format_of_lint() {
    let long = printed("robots lint --format json faulty.txt", 1);
    assert_eq!(printed("robots lint --json faulty.txt", 1), long);
    let stats = printed("robots lint --json --stats faulty.txt", 1);
    assert!(stats.starts_with("{\"code\":"), "{stats}");
    for line in ["--json --format text", "-q --format sarif"] {
        let output = shell(&format!("robots lint {line} faulty.txt"));
        assert_eq!(output.status.code(), Some(2), "{line}");
    }
    let fmt = shell("robots fmt --check -q untidy.txt");
    assert_eq!((fmt.status.code(), &*fmt.stdout), (Some(1), &b""[..]));
}

/// Each option of reading is a flag of the commands that decide for one crawler. A switch takes no value.
#[test]
fn every_option_of_reading_is_a_flag() {
    let api = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/api.json");
    let api: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(api).unwrap()).unwrap();
    let options = api["crawler_options"].as_array().unwrap();
    for command in ["check", "explain"] {
        let help = printed(&format!("robots {command} --help"), 0);
        let words: Vec<&str> = help.split_whitespace().collect();
        // `robots lint --select` is for codes.
        for option in options.iter().filter(|option| option["name"] != "lint_all") {
            let flag = format!("--{}", option["name"].as_str().unwrap().replace('_', "-"));
            let place = words.iter().position(|word| *word == flag);
            let Some(place) = place else {
                panic!(
                    "robots {command} lacks {flag}: see \"An option of reading\" in CONTRIBUTING.md"
                );
            };
            let takes_a_value = words[place + 1].starts_with('<');
            assert_eq!(
                takes_a_value,
                option["unit"] != "switch",
                "{command} {flag}"
            );
        }
    }
}
