//! Names and lines of files with control characters: no output has one as it is, so that none moves the cursor of a terminal,
//! changes the direction of writing, or writes a workflow command to the log of GitHub Actions.

use crate::shell;

/// Lines that print names of files. `$F`: a robots.txt, `$G`: its folder, `$B`: a binary file, `$T`: expectations, `$N`: a file
/// that does not exist, `$C`: one with controls in its lines.
const LINES: &[&str] = &[
    "robots fmt --check \"$F\"",
    "robots fmt --check \"$N\"",
    "robots fmt --write \"$B\"",
    "robots lint \"$F\"",
    "robots lint --format github \"$F\"",
    "robots lint --json \"$C\"; robots lint \"$C\"; robots lint --fix --diff \"$C\"; robots lint --format sarif \"$C\"",
    "robots groups \"$C\"; robots groups --json \"$C\"; robots diff -a x \"$F\" \"$C\"",
    "robots explain -a x \"$C\" $'/b\\xe2\\x81\\xa6\\xc2\\x9b\\xd8\\x9c'; robots check --json -a x \"$C\" $'/\\xc2\\x9b'",
    "robots lint --stats \"$F\"",
    "robots lint --fix --diff \"$F\"",
    "robots lint --fix \"$B\"",
    "robots lint --fix \"$F\"",
    "robots lint \"$N\"",
    "robots lint --config \"$F\" \"$F\"",
    "robots lint \"$G/empty\"",
    "robots check -a x \"$F\" /a",
    "robots check -a x \"$N\" /a",
    "robots check -a x -f \"$F\" \"$F\" /a",
    "robots check -a x \"$B\" /a",
    "robots check -a x \"$F\" --urls \"$N\"",
    "robots check -a x \"$F\" --urls \"$F\"",
    "robots check -a x \"$G\" /a",
    "robots explain -a x \"$F\" /a",
    "robots groups \"$F\"",
    "robots groups \"$B\"",
    "robots diff \"$F\" \"$B\"",
    "robots diff -a x \"$F\" \"$T\" /a",
    "robots image make -a x \"$F\" -o \"$G/i\"; robots image check \"$G/i\" /a; robots image inspect \"$G/i\"",
    "robots image inspect \"$F\"",
    "robots policy \"$F\"",
    "robots policy \"$F\" /a",
    "robots audit -r \"$F\" \"$F\"; robots audit -r \"$G\" \"$F\"; robots audit -r \"$C\" \"$L\"; robots audit -r \"$C\" --html /dev/stdout \"$L\"",
    "robots audit -r \"$C\" --ranges \"$F\" \"$L\"; robots audit -r \"$C\" --hosts \"$F\" \"$L\"; robots audit -r \"$N@2026-01-01\" \"$L\"",
    "robots test \"$T\" \"$F\"",
    "cp \"$T\" \"$N\"; robots test \"$N\" \"$F\"; robots test --format github \"$N\" \"$F\"",
    "robots test --format github \"$T\" \"$F\"",
    "robots test --format junit \"$T\" \"$F\"",
    "robots test \"$F\" \"$F\"",
    "robots test \"$B\" \"$F\"",
    "robots test \"$T\" \"$G/empty\"",
    "robots test --record \"$N\"",
    "robots new --folder /a -o \"$F\"",
    "robots new --folder /a -o \"$N\"",
    "robots new --folder /a -o \"$G/none/robots.txt\"",
    "robots new --from \"$B\" --folder /a",
    "robots filter -a x --robots \"$G\" -u \"$F\"",
    "robots filter -a x --robots \"$F\" -u \"$F\"",
    "robots filter -a x --robots \"$N\" -u \"$F\"",
    "robots filter -a x --robots \"$G/t.csv\" --column no -u \"$F\"",
    "robots filter -a x --robots \"$G\" -u \"$F\" --column url",
];

#[test]
fn names_are_escaped() {
    let files = "D=$(mktemp -d); G=$D/$'g\\e[31m\\n::error::g\\r\\xe2\\x80\\xae\\xc2\\x9b'; mkdir \"$G\" \"$G/empty\"; \
        F=$G/$'f\\e[31m\\n::error::f.txt'; N=$G/$'n\\e[31m\\n::error::n.txt'; B=$G/$'b\\e[31m\\n::error::b.txt'; T=$G/t.expect; C=$G/c.txt; \
        printf 'user-agent:x\\nDisalow: /a\\nallow: /b*\\n' > \"$F\"; printf 'user-agent:x\\nDisalow: /a\\nallow: /b\\xe2\\x81\\xa6\\xc2\\x9b\\xd8\\x9c\\n' > \"$C\"; printf 'x\\0\\1\\2y' > \"$B\"; \
        L=$G/$'l\\e[31m.log'; printf '192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] \"GET /\\x1b[31m\\xe2\\x80\\xae HTTP/1.1\" 200 1 \"-\" \"x\\x1bbot\"\\n\\x1bx\\n' > \"$L\"; \
        printf 'x allow /a\\n' > \"$T\"; printf 'url,body\\n' > \"$G/t.csv\"; ";
    let mut raw = String::new();
    for line in LINES {
        let output = shell(&format!(
            "{files} {{ {line}; }} 2>&1 < /dev/null; rm -r \"$D\""
        ));
        let text = String::from_utf8_lossy(&output.stdout);
        let is_raw = |text: &str| {
            text.starts_with("::error::")
                || text.contains(['\x1b', '\r', '\u{9b}', '\u{202e}', '\u{2066}', '\u{61c}'])
        };
        if text.lines().any(is_raw) {
            raw.push_str(&format!("{line}: {text:?}\n"));
        }
    }
    assert_eq!(raw, "", "these print names as they are");
}
