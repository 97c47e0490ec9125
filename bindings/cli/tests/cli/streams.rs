//! Long inputs: every line is answered, in order, by any number of threads, in bounded memory.

use crate::{printed, shell};

/// So many lines of different lengths that many blocks are needed, ends and all.
const MANY: &str = "seq 300000 | awk '{ print ($1 % 3 ? \"/oolong/\" : \"/cart/\") $1 }'";

#[test]
fn the_order_is_that_of_the_input() {
    let one = printed(
        &format!("{MANY} | robots check -a ExampleBot shop.txt --threads 1"),
        1,
    );
    assert_eq!(one.lines().count(), 300_000);
    for (index, line) in one.lines().enumerate() {
        let number = (index + 1).to_string();
        let is_cart = (index + 1) % 3 == 0;
        assert!(
            line.ends_with(&number) && line.starts_with("disallowed") == is_cart,
            "{line}"
        );
    }
    for threads in [2, 5] {
        let line = format!("{MANY} | robots check -a ExampleBot shop.txt --threads {threads}");
        assert!(printed(&line, 1) == one, "{threads} threads differ");
    }
    // A file is read in larger blocks.
    let from_file = format!(
        "f=$(mktemp) && {MANY} > $f && robots check -a ExampleBot shop.txt --threads 3 -u $f; s=$?; rm $f; exit $s"
    );
    assert!(printed(&from_file, 1) == one, "a file differs");
}

/// Who types sees the answer before the next line.
#[test]
fn what_there_is_is_answered_at_once() {
    let line = "coproc robots check -a ExampleBot shop.txt --threads 2; \
        for u in /cart/1 /oolong; do echo $u >&${COPROC[1]}; read -t 20 -u ${COPROC[0]} answer || exit 9; echo \"$answer\"; done; \
        exec {COPROC[1]}>&-; wait $COPROC_PID";
    assert_eq!(
        printed(line, 1),
        "disallowed    10  /cart/1\nallowed        -  /oolong\n"
    );
}

/// 64 MB of address space beside the program and its threads' stacks are plenty for an input without end, and for a line without end.
#[test]
fn memory_is_bounded() {
    let limit = "ulimit -v 200000; export MALLOC_ARENA_MAX=2";
    let lines = format!(
        "{limit}; yes /oolong/tea | head -c 300000000 | robots check -a ExampleBot shop.txt --json --threads 2 | tail -c 100"
    );
    assert!(printed(&lines, 0).ends_with("\"reason\":\"no_rule\",\"line\":0,\"error\":null}\n"));
    // The answer is an error and never that of the line's start; the lines around it are answered.
    let long = format!(
        "{limit}; (echo /cart/1; head -c 300000000 /dev/zero | tr '\\0' a; echo; echo /oolong) | robots check -a ExampleBot shop.txt --threads 2"
    );
    let output = shell(&long);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!(
        (lines[0], lines[2]),
        ("disallowed    10  /cart/1", "allowed        -  /oolong")
    );
    assert!(lines[1].starts_with("error") && lines[1].ends_with("aaa...") && lines[1].len() < 300);
    // A robots.txt without end is read as far as it counts.
    let endless = format!("{limit}; robots check -a ExampleBot <(yes '#') /x");
    assert_eq!(printed(&endless, 0), "allowed        -  /x\n");
}

/// A line may be as long as a block, and blocks end anywhere in lines.
#[test]
fn lines_of_all_lengths_are_whole() {
    // A fragment is no part of the path, whose length has a limit (SPEC 8.12).
    let line = "for n in 1 100 65535 65536 65537 131072 262142 262143; do printf /; head -c $((n - 1)) /dev/zero | tr '\\0' '#'; echo; done | robots check -a ExampleBot shop.txt --threads 2 | awk '{ print $1, length($3) }'";
    let wanted: String = [1, 100, 65535, 65536, 65537, 131_072, 262_142, 262_143]
        .map(|length| format!("allowed {length}\n"))
        .concat();
    assert_eq!(printed(line, 0), wanted);
}

/// SPEC 8.12
#[test]
fn a_path_of_more_than_64_kib_is_an_error() {
    let check = |length: usize| {
        format!("head -c {length} /dev/zero | tr '\\0' / | robots check -a ExampleBot shop.txt")
    };
    assert!(printed(&check(65_536), 0).starts_with("allowed "));
    let output = shell(&check(65_537));
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(complaint.contains("1 line is not a URL"), "{complaint}");
    assert!(!output.stdout.starts_with(b"allowed"));
}

#[test]
fn a_broken_pipe_ends_quietly_and_never_with_yes() {
    let commands = [
        "yes /oolong | robots check -a ExampleBot shop.txt --threads 2",
        "yes /oolong | robots check -a ExampleBot shop.txt --json --threads 1",
        "(echo 'User-agent: *'; seq 20000 | sed 's|^|Disallow: /|') | robots groups -",
    ];
    for command in commands {
        let line = format!("{command} | head -n 1 > /dev/null; echo ${{PIPESTATUS[@]}}");
        let text = printed(&line, 0);
        let statuses: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(statuses[statuses.len() - 2], "141", "{command}: {text}");
    }
}

/// On a terminal progress is shown for what takes long, and taken away; a stranger's escapes do not reach it.
#[test]
fn a_terminal_is_cared_for() {
    if !shell("command -v script").status.success() {
        println!("script(1) is not here");
        return;
    }
    let slow = r#"script -qec "(for i in 1 2 3 4 5 6; do echo /oolong; sleep 0.3; done) | robots check -a ExampleBot shop.txt > /dev/null" /dev/null"#;
    let text = printed(slow, 0);
    assert!(
        text.contains(" URLs  ") && text.ends_with("\r\u{1b}[K"),
        "{text:?}"
    );
    // script(1) runs its command in whatever $SHELL is, or sh: nothing here may be bash's own.
    let escapes =
        r#"script -qec 'printf "/\033[31mred\n" | robots check -a ExampleBot shop.txt' /dev/null"#;
    let text = printed(escapes, 0);
    assert!(
        text.contains("/\\u{1b}[31mred") && !text.contains("\u{1b}[31mred"),
        "{text:?}"
    );
    assert!(text.starts_with("\u{1b}[32mallowed"), "{text:?}");
    let colours = r#"script -qec "robots lint faulty.txt" /dev/null"#;
    assert!(printed(colours, 1).contains("\u{1b}[1;31m"));
    assert!(!printed(&format!("export NO_COLOR=1; {colours}"), 1).contains('\u{1b}'));
}

/// A file that names many agents twice, once above very many bytes of rules.
const MANY_AGENTS: &str = "agents=$(seq -f 'user-agent: a%g' 500); rule=$(printf 'a%.0s' {1..4000}); \
    file=$( { echo \"$agents\"; seq -f \"disallow: /%g$rule\" 118; echo \"$agents\" | sed 's/$/\\nallow: \\/x/'; } )";

/// What is printed of it is many times as long as it is, and not in memory at once.
#[test]
fn groups_of_many_agents_are_printed_one_by_one() {
    let line = format!(
        "{MANY_AGENTS}; ulimit -v 150000; echo \"$file\" | robots groups --json - | {{ tail -c 12; }}; echo ${{PIPESTATUS[1]}}"
    );
    assert!(printed(&line, 0).ends_with("}]}\n0\n"));
}

/// More crawlers than are compared: that no verdict changes for the others would be no answer. The last kind is `a`, which obeys
/// all groups.
#[test]
fn what_is_not_compared_is_no_answer() {
    let line = "for n in {1..600}; do printf 'user-agent: a%d\\ndisallow: /%d\\n' $n $n; done > \"$f\"; \
        robots diff \"$f\" \"$f\"";
    let output = shell(&format!("f=$(mktemp); {line}; s=$?; rm \"$f\"; exit $s"));
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        complaint.contains("too many crawlers: 101 were not compared"),
        "{complaint}"
    );
    assert!(
        String::from_utf8_lossy(&output.stdout)
            .starts_with("no change was found, and 101 of 602 kinds of crawlers are not decided")
    );
}
