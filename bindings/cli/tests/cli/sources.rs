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
