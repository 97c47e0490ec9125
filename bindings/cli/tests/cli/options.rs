//! The options of the output are the same for every command.

use crate::{printed, shell};

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
        ("robots use -a ExampleBot", "policy-uses.txt /", 1),
        ("robots audit -r shop.txt", "access.log", 0),
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
