//! Rows and files that are the source of `robots filter`: which count, and what they mean.

use crate::filter::Folder;

/// A row without a response or with a part of one is no permission.
#[test]
fn rows_without_a_response_are_of_unreachable_sites() {
    let folder = Folder::new("empty");
    folder.write(
        "sites.csv",
        "host,status,body\nzero.example,0,\nempty.example,,\nspace.example, ,\"User-agent: *\"\nshort.example\ncut.example,200\n\
         missing.example,404\nfound.example,200,\n",
    );
    folder.write("bare.csv", "host,body\nshort.example\nfound.example,\n");
    let run = |table: &str, host: &str| {
        folder.run(&format!(
            "robots filter -a ExampleBot -r {table} <<< https://{host}.example/"
        ))
    };
    for (table, host) in [
        ("sites.csv", "zero"),
        ("sites.csv", "empty"),
        ("sites.csv", "space"),
        ("sites.csv", "short"),
        ("sites.csv", "cut"),
        ("bare.csv", "short"),
    ] {
        let (status, out, error) = run(table, host);
        assert_eq!((status, out.as_str()), (0, ""), "{table}: {host}");
        assert!(error.contains("1 of unreachable sites"), "{host}: {error}");
    }
    for (table, host) in [
        ("sites.csv", "missing"),
        ("sites.csv", "found"),
        ("bare.csv", "found"),
    ] {
        let (status, out, _) = run(table, host);
        assert_eq!((status, out), (0, format!("https://{host}.example/\n")));
    }
}

#[test]
fn rows_of_other_pages_do_not_count() {
    let folder = Folder::new("other-pages");
    folder.write(
        "sites.csv",
        "url,status,body\nhttps://a.example/robots.txt,200,\"User-agent: *\nDisallow: /\"\n\
         https://a.example/page,404,\nhttps://a.example/,200,<html>\nhttps://a.example/robots.txt?x,404,\n",
    );
    folder.write(
        "hosts.csv",
        "origin,body\nhttps://a.example/,\"User-agent: *\nDisallow: /\"\n",
    );
    for table in ["sites.csv", "hosts.csv"] {
        let line = format!("robots filter -a ExampleBot -r {table} <<< https://a.example/");
        let (status, out, error) = folder.run(&line);
        assert_eq!((status, out.as_str()), (0, ""), "{error}");
        assert!(error.contains("1 disallowed"), "{error}");
        let wanted = "left out: 3 rows of other pages; the first: https://a.example/page\n";
        assert_eq!(error.contains(wanted), table == "sites.csv", "{error}");
    }
}

#[test]
fn compressed_files_are_named_after_their_site() {
    let folder = Folder::new("gz");
    for host in ["a", "b", "c", "cut"] {
        folder.write(host, "User-agent: *\nDisallow: /private/\n");
    }
    let (status, ..) = folder.run(
        "mkdir sites && gzip -c a > sites/a.example.gz && gzip -c b > sites/b.example.txt.gz && \
         gzip -c c > sites/https%3A%2F%2Fc.example.gz && gzip -c cut | head -c 30 > sites/cut.example.gz && \
         tar -cf sites.tar -C sites .",
    );
    assert_eq!(status, 0);
    folder.write(
        "urls",
        "https://a.example/\nhttps://a.example/private/\nhttp://b.example/\nhttp://b.example/private/\n\
         https://c.example/\nhttps://c.example/private/\nhttps://cut.example/\n",
    );
    for source in ["sites", "sites.tar"] {
        let line = format!("robots filter -a ExampleBot -r {source} < urls");
        let (status, out, error) = folder.run(&line);
        let kept = "https://a.example/\nhttp://b.example/\nhttps://c.example/\n";
        assert_eq!((status, out.as_str()), (0, kept), "{source}: {error}");
        assert!(
            error.contains("3 disallowed, 1 of unreachable sites"),
            "{error}"
        );
    }
}

/// Crawlers obey the valid lines of a page in place of a robots.txt (SPEC 4.3), which usually has none; the command says so.
#[test]
fn files_that_are_no_robots_txt_are_counted() {
    let folder = Folder::new("foreign");
    folder.write("a.csv", "host,status,body\npage.example,200,<!DOCTYPE html><html>\njoined.example,200,User-agent: * Disallow: /\ncut.example,404,Disal\njson.example,200,\"{\"\"a\"\": 1}\"\nmissing.example,404,<html>\n");
    let (status, ..) = folder.run(
        "mkdir sites && printf '<html><p>Hello' > sites/page.example && printf '%%PDF-1.7\\n' > sites/pdf.example && \
         printf '\\xff\\xfeU\\0s\\0' > sites/wide.example && printf 'User-agent: *\\nDisallow: /' > sites/text.example && \
         printf '\\xff\\xfeU\\0s\\0' | gzip > sites/zipped.example.gz && tar -cf sites.tar -C sites page.example && \
         mkdir wide && cp sites/wide.example wide",
    );
    assert_eq!(status, 0);
    for (source, wanted) in [("a.csv", 3), ("sites", 4), ("sites.tar", 1), ("wide", 1)] {
        let line = format!("robots filter -a ExampleBot -r {source} <<< https://page.example/open");
        let (status, out, error) = folder.run(&line);
        assert_eq!(status, 0, "{error}");
        assert_eq!(out.is_empty(), source == "wide", "{source}: {out}");
        let wanted = format!(
            "files that are no robots.txt, or damaged: {wanted}; their valid lines count, so most allow more than the site does; the first: "
        );
        assert!(error.contains(&wanted), "{source}: {error}");
    }
    let (_, _, error) = folder.run("robots filter -a ExampleBot -r wide <<< https://page.example/");
    assert!(
        error.contains("the first: wide/wide.example is text in UTF-16\n"),
        "{error}"
    );
    let (_, _, error) = folder.run("robots filter -a ExampleBot -r a.csv <<< https://a.example/");
    assert!(error.contains("the first: http"), "{error}");
    let (_, _, error) =
        folder.run("robots filter -a ExampleBot -q -r sites <<< https://a.example/");
    assert_eq!(error, "");
}

/// SPEC 4.3: every valid line counts, also in an HTML page. The command says what the file is, and obeys, as the library does.
#[test]
fn commands_warn_of_what_is_no_robots_txt_and_obey_its_lines() {
    let folder = Folder::new("foreign-file");
    let rules = "User-agent: *\\nDisallow: /private\\n";
    for (start, what) in [
        ("<!DOCTYPE html><html>", "an HTML page"),
        ("{\"error\": 404}", "a JSON document"),
        ("%%PDF-1.4", "a PDF document"),
    ] {
        let file = format!("printf '{start}\\n{rules}'");
        for (command, status, wanted) in [
            (
                "check -a ExampleBot - /private/x",
                1,
                "disallowed     3  /private/x",
            ),
            ("explain -a ExampleBot - /private/x", 1, "disallowed"),
            ("policy -", 0, "partly"),
            ("groups -", 0, "Disallow: /private"),
            ("diff - /dev/null", 1, "disallowed -> allowed"),
            ("diff /dev/null -", 1, "allowed -> disallowed"),
            (
                "image make -a ExampleBot - -o image && robots image check image /private/x",
                1,
                "disallowed     3",
            ),
        ] {
            let line = format!("{file} | robots {command}");
            let (found, out, error) = folder.run(&line);
            assert_eq!(found, status, "{line}: {error}");
            assert!(out.contains(wanted), "{line}: {out}");
            let warning = format!(
                "robots: (standard input) is {what}, not a robots.txt: its valid lines count; check what the server sent\n"
            );
            assert_eq!(error, warning, "{line}");
        }
    }
}

/// SPEC 4.4: no line of a UTF-16 file is understood.
#[test]
fn commands_warn_of_utf_16() {
    let folder = Folder::new("utf-16");
    let file =
        "(printf '\\xff\\xfe'; printf 'User-agent: *\\nDisallow: /\\n' | sed 's/./&\\x00/g')";
    for command in [
        "check -a ExampleBot - /private/x",
        "explain -a ExampleBot - /private/x",
        "policy -",
        "groups -",
        "diff - /dev/null",
    ] {
        let line = format!("{file} | robots {command}");
        let (status, _, error) = folder.run(&line);
        assert_eq!(status, 0, "{line}: {error}");
        let warning = "robots: (standard input) is text in UTF-16, not a robots.txt: no line is understood, so it allows everything; write it in UTF-8\n";
        assert_eq!(error, warning, "{line}");
    }
}

/// The rules of a compressed file are those of an unreachable site (SPEC 4.4): the command says what to do instead.
#[test]
fn commands_refuse_compressed_files() {
    let folder = Folder::new("refused");
    for command in [
        "check -a ExampleBot - /",
        "explain -a ExampleBot - /",
        "policy -",
        "groups -",
        "diff - /dev/null",
        "diff /dev/null -",
        "image make -a ExampleBot - -o image",
    ] {
        let line = format!(
            "printf '\\x1f\\x8b\\x08\\x00' | robots {command}; s=$?; [ ! -e image ] && exit $s"
        );
        let (status, out, error) = folder.run(&line);
        assert_eq!((status, out.as_str()), (2, ""), "{line}");
        let wanted = "robots: (standard input) is a file compressed by gzip, not a robots.txt: unpack it first\n";
        assert_eq!(error, wanted, "{line}");
    }
}

/// The help of `filter` says what it does with a page that holds rules.
#[test]
fn filter_obeys_the_lines_of_a_page() {
    let folder = Folder::new("page-with-rules");
    let (status, ..) = folder.run(
        "mkdir sites && printf '<html>\\nUser-agent: *\\nDisallow: /private\\n' > sites/page.example",
    );
    assert_eq!(status, 0);
    folder.write(
        "urls",
        "https://page.example/private\nhttps://page.example/open\n",
    );
    let (status, out, error) = folder.run("robots filter -a ExampleBot -r sites < urls");
    assert_eq!(
        (status, out.as_str()),
        (0, "https://page.example/open\n"),
        "{error}"
    );
    let (_, help, _) = folder.run("robots filter --help | tr -s ' \\n' ' '");
    let sentence = "The valid lines of such a file count, as for crawlers: most have none, and allow all URLs of their sites.";
    assert!(help.contains(sentence), "{help}");
}

/// An outage is neither a ban nor a mistake of the caller: each command that fetches has the same status for it, and says so.
#[test]
fn an_outage_has_one_exit_status() {
    let folder = Folder::new("outage");
    let live = "--any-address --live http://127.0.0.1:1/open";
    for command in [
        format!("check -a ExampleBot {live}"),
        format!("explain -a ExampleBot {live}"),
        format!("explain -a ExampleBot --page {live}"),
        format!("lint {live}"),
        format!("policy {live}"),
        "fetch --any-address http://127.0.0.1:1/".to_owned(),
    ] {
        let (status, out, error) = folder.run(&format!("robots {command}"));
        assert_eq!(status, 3, "{command}: {error}");
        assert!(!out.contains("\nallowed"), "{command}: {out}");
        let name = command.split(' ').next().unwrap();
        let (_, help, _) = folder.run(&format!("robots help {name} | tr '\\n' ' '"));
        let status = help.split("Exit status: ").nth(1).unwrap();
        let outage = status.split("; 3 ").nth(1).unwrap_or_default();
        assert!(outage.contains("unreachable"), "{name}: {status}");
    }
    let (status, ..) =
        folder.run("robots check -a ExampleBot --any-address --live http://127.0.0.1:1/ 'no url'");
    assert_eq!(status, 2, "a mistake of the caller has priority");
    let (_, help, _) = folder.run("robots help");
    assert!(help.contains("3 the site is unreachable"), "{help}");
}
