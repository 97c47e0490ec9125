//! Bounds of the work on hostile files of 500 KiB (SPEC 10.1), counted in output and verdicts.

use crate::shell;

/// Writes a file to standard output: 700 names share 120 long rules, and then each has a group of its own.
const SHARED: &str = "awk 'BEGIN { for (n = 0; n < 700; n++) print \"user-agent: a\" n; \
    path = sprintf(\"%4000s\", \"\"); gsub(/ /, \"a\", path); \
    for (n = 0; n < 120; n++) print \"disallow: /\" path; \
    for (n = 0; n < 700; n++) print \"user-agent: a\" n \"\\nallow: /\" }'";

fn run(line: &str) -> (Option<i32>, String, String) {
    let output = shell(line);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// The output would have 340 MB: `groups` stops, and reports it.
#[test]
fn groups_write_a_bounded_number_of_bytes() {
    let (_, columns, complaint) = run(&format!("{SHARED} | robots groups --json - | wc -l"));
    let columns: usize = columns.trim().parse().unwrap();
    assert!((500..600).contains(&columns), "{columns}");
    let left = 700 - columns;
    assert_eq!(
        complaint,
        format!("robots: {left} more columns are not written: the file names too many crawlers\n")
    );
}

/// The search for a change ends without an answer: `diff` names the crawlers.
#[test]
fn diff_searches_for_a_bounded_time() {
    let counted = "echo 'user-agent: *'; for a in {a..z}; do echo \"disallow: *$a*$a*$a*$a*$a*$a*$a*$a*$a\"; done";
    let (status, verdicts, complaint) = run(&format!(
        "robots diff <({counted}) <({counted}; echo 'disallow: *a*a*a*a*a*a*a*a*a*a')"
    ));
    assert_eq!(status, Some(2), "{verdicts}{complaint}");
    assert!(
        complaint.starts_with("robots: not decided for *: the rules are too hard"),
        "{complaint}"
    );
}

/// Crawlers with the same rules or in the same groups are examined once: five seconds of the processor are plenty.
#[test]
fn many_crawlers_share_the_work() {
    let stars = "awk 'BEGIN { print \"user-agent: *\"; path = sprintf(\"%250s\", \"\"); gsub(/ /, \"*a\", path); \
        for (n = 0; n < 970; n++) print \"allow: /\" path n }'";
    let names = "awk 'BEGIN { for (n = 0; n < 29000; n++) { name = \"\"; \
        for (m = n + 17576; m > 0; m = int(m / 26)) name = name sprintf(\"%c\", 97 + m % 26); print \"user-agent:a\" name } }'";
    for (file, command) in [
        (stars, "policy -"),
        (names, "new --from - --folder /x/"),
        (names, "policy -"),
    ] {
        let (status, _, complaint) = run(&format!(
            "{file} | (ulimit -t 5; robots {command} > /dev/null)"
        ));
        assert_eq!(status, Some(0), "{command}: {complaint}");
    }
}
