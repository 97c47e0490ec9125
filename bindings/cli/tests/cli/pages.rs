//! Completions and manual pages, and what the library has to do with all this: nothing.

use crate::printed;
use std::process::Command;

const COMMANDS: [&str; 18] = [
    "check", "filter", "explain", "policy", "use", "replay", "audit", "crawlers", "where", "new",
    "test", "fetch", "lint", "fmt", "groups", "diff", "image", "generate",
];

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = printed(&format!("robots generate completions {shell}"), 0);
        for command in COMMANDS {
            assert!(text.contains(command), "{shell} does not know {command}");
        }
    }
    // What bash makes of them.
    let line = "source <(robots generate completions bash) && COMP_WORDS=(robots gr) COMP_CWORD=1 && _robots robots gr robots && echo ${COMPREPLY[@]}";
    assert_eq!(printed(line, 0), "groups\n");
}

#[test]
fn every_command_has_a_manual_page() {
    let line = "d=$(mktemp -d) && robots generate man $d && cd $d && ls && grep -c ExampleBot robots-check.1 > /dev/null && rm -r $d";
    let names = printed(line, 0);
    for command in COMMANDS {
        assert!(names.contains(&format!("robots-{command}.1\n")), "{names}");
    }
    assert!(
        names.starts_with("robots-check.1") || names.contains("robots.1\n"),
        "{names}"
    );
}

/// Without the feature none of the command's crates are built.
#[test]
fn the_library_needs_nothing_of_it() {
    let tree = |package: &str| {
        let output = Command::new(env!("CARGO"))
            .args([
                "tree",
                "--offline",
                "--locked",
                "-p",
                package,
                "-e",
                "normal",
                "--prefix",
                "none",
                "--format",
                "{p}",
            ])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    let own = [
        "clap",
        "clap_complete",
        "clap_mangen",
        "serde",
        "serde_json",
        "toml",
    ];
    let has = |tree: &str, name: &str| {
        tree.lines()
            .any(|line| line.starts_with(&format!("{name} v")))
    };
    let (without, with) = (tree("librobots"), tree("librobots-cli"));
    assert!(has(&without, "memchr"));
    for name in own {
        assert!(!has(&without, name) && has(&with, name), "{name}");
    }
}
