//! The recipes of Google's guide "Create and submit a robots.txt file": each with its section, and what the guide writes.

use robots::{Crawler, Dialect, Preset, Purpose, add_recipes, recipes};

fn file(body: &str, requests: &str) -> String {
    let text = add_recipes(body.as_bytes(), requests, false);
    String::from_utf8(text.unwrap_or_else(|why| panic!("{requests}: {why}"))).unwrap()
}

fn refusal(body: &str, requests: &str) -> String {
    add_recipes(body.as_bytes(), requests, false)
        .unwrap_err()
        .to_string()
}

fn may(text: &str, name: &str, url: &str) -> bool {
    let crawler = Crawler::preset(name).or_else(|_| Crawler::new(name));
    crawler.unwrap().parse(text).is_allowed(url)
}

/// A section of the guide, the recipe, and the file that the guide shows.
#[rustfmt::skip]
pub const GUIDE: &[(&str, &str, &str)] = &[
    ("Disallow crawling of the entire site", "keep-all-out", "User-agent: *\nDisallow: /\n"),
    ("Disallow crawling of the entire site", "keep-all-out\nads-out", "User-agent: *\nUser-agent: AdsBot-Google\nUser-agent: AdsBot-Google-Mobile\nUser-agent: AdsBot-Google-Mobile-Apps\nDisallow: /\n"),
    ("Create rules in the robots.txt file", "let-all-in", "User-agent: *\nAllow: /\n"),
    ("Disallow crawling of a directory and its contents", "folder /calendar/ /junk/ /books/fiction/contemporary/", "User-agent: *\nDisallow: /calendar/\nDisallow: /junk/\nDisallow: /books/fiction/contemporary/\n"),
    ("Allow access to a single crawler", "only Googlebot-news", "User-agent: Googlebot-news\nAllow: /\n\nUser-agent: *\nDisallow: /\n"),
    ("Allow access to all but a single crawler", "all-but Unnecessarybot", "User-agent: Unnecessarybot\nDisallow: /\n\nUser-agent: *\nAllow: /\n"),
    ("Disallow crawling of a single web page", "file /private_file.html /junk/other_useless_file.html", "User-agent: *\nDisallow: /private_file.html\nDisallow: /junk/other_useless_file.html\n"),
    ("Disallow crawling of the whole site except a subdirectory", "only-folder /public/", "User-agent: *\nDisallow: /\nAllow: /public/\n"),
    ("Block a specific image from Google Images", "image /images/dogs.jpg", "User-agent: Googlebot-Image\nDisallow: /images/dogs.jpg\n"),
    ("Block all images on your site from Google Images", "images", "User-agent: Googlebot-Image\nDisallow: /\n"),
    ("Disallow crawling of files of a specific file type", "for Googlebot\ntype gif", "User-agent: Googlebot\nDisallow: /*.gif$\n"),
    ("Disallow crawling of an entire site, but allow Mediapartners-Google", "only Mediapartners-Google", "User-agent: Mediapartners-Google\nAllow: /\n\nUser-agent: *\nDisallow: /\n"),
    ("Use the * and $ wildcards to match URLs that end with a specific string", "for Googlebot\ntype xls", "User-agent: Googlebot\nDisallow: /*.xls$\n"),
    ("Sitemap", "sitemap https://example.com/sitemap.xml https://cdn.example.com/other-sitemap.xml", "Sitemap: https://example.com/sitemap.xml\nSitemap: https://cdn.example.com/other-sitemap.xml\n"),
];

/// Every recipe that has a section makes the guide's file, which has no fault that lint reports as an error or warning.
#[test]
fn recipes_of_the_guide() {
    for (section, request, expected) in GUIDE {
        assert_eq!(file("", request), *expected, "{section}");
        let report = super::linted(expected.as_bytes());
        let worse = |found: &&robots::Diagnostic| found.severity() > robots::Severity::Note;
        let found: Vec<_> = report.diagnostics().iter().filter(worse).collect();
        assert!(found.is_empty(), "{section}: {found:?}");
    }
    for recipe in recipes().filter(|recipe| !recipe.section.is_empty()) {
        let is_it = |(section, request, _): &&(&str, &str, &str)| {
            let mut names = request.lines().filter_map(|line| line.split(' ').next());
            *section == recipe.section && names.any(|name| name == recipe.name)
        };
        assert!(
            GUIDE.iter().any(|row| is_it(&row)),
            "{} has no row",
            recipe.name
        );
    }
}

/// The guide's "Note: AdsBot crawlers must be named explicitly", and its row of Mediapartners-Google.
#[test]
fn crawlers_that_ignore_the_star() {
    let all_out = file("", "keep-all-out");
    assert!(may(&all_out, "AdsBot-Google", "/") && may(&all_out, "Mediapartners-Google", "/"));
    assert!(!may(&all_out, "Googlebot", "/"));
    let ads_out = file("", "keep-all-out\nads-out");
    assert!(!may(&ads_out, "AdsBot-Google-Mobile", "/"));
    let only = file("", "only Mediapartners-Google");
    assert!(may(&only, "Mediapartners-Google", "/") && !may(&only, "Googlebot", "/"));
}

#[test]
fn crawlers_that_train_models_stay_out() {
    let text = file(
        "",
        "folder /cart/\ntraining-out\nsitemap https://tea.example/s.xml",
    );
    for preset in Preset::all().filter(|preset| !preset.ignores_robots_txt()) {
        let is_out = preset.purpose() == Purpose::Training;
        assert_eq!(may(&text, preset.name(), "/tea"), !is_out, "{preset:?}");
    }
    assert!(!may(&text, "Bingbot", "/cart/1"));
}

/// A crawler with a group of its own does not obey that of `*` (SPEC 7.1): what is for everyone is for it, too, and its first
/// group repeats what it obeyed.
#[test]
fn a_named_crawler_escapes_no_rule() {
    let shop = "User-agent: *\nDisallow: /search\n\nUser-agent: GPTBot\nDisallow: /\n\nUser-agent: Bingbot\nUser-agent: Slurp\nCrawl-delay: 2\nDisallow: /old/\n";
    let text = file(shop, "folder /cart/\nimage /me.jpg");
    let expected = "User-agent: *\nDisallow: /search\nDisallow: /cart/\n\nUser-agent: GPTBot\nDisallow: /\n\nUser-agent: Bingbot\nUser-agent: Slurp\nCrawl-delay: 2\nDisallow: /old/\nDisallow: /cart/\n\nUser-agent: Googlebot-Image\nDisallow: /search\nDisallow: /cart/\nDisallow: /me.jpg\n";
    assert_eq!(text, expected);
    // Googlebot-Image obeys the group of Googlebot before it has its own.
    let text = file("User-agent: Googlebot\nDisallow: /g\n", "image /me.jpg");
    assert!(!may(&text, "Googlebot-Image", "/g") && !may(&text, "Googlebot-Image", "/me.jpg"));
    assert!(may(&text, "Googlebot", "/me.jpg"));
    // A group of several crawlers gets no rule that is for one of them.
    let text = file(shop, "for Slurp\nfile /a.html");
    assert!(!may(&text, "Slurp", "/a.html") && may(&text, "Bingbot", "/a.html"));
    assert!(!may(&text, "Slurp", "/old/") && may(&text, "ExampleBot", "/a.html"));
    // A crawler that is let in stays out of the folders that it stayed out of, in one step or in two.
    for text in [
        file("", "folder /cart/\nonly Googlebot"),
        file("User-agent: *\nDisallow: /cart/\n", "only Googlebot"),
        file(
            "User-agent: *\nDisallow: /\nDisallow: /cart/\n",
            "only Googlebot",
        ),
    ] {
        assert!(may(&text, "Googlebot", "/tea") && !may(&text, "Googlebot", "/cart/1"));
        assert!(!may(&text, "Bingbot", "/tea") && !may(&text, "Bingbot", "/cart/1"));
    }
    // A wish for one crawler is stronger than one for all.
    let text = file("", "let-all-in\ntraining-out");
    assert!(may(&text, "Googlebot", "/") && !may(&text, "GPTBot", "/"));
}

#[test]
fn the_lines_of_a_file_stay() {
    #[rustfmt::skip]
    let rows = [
        ("User-agent: *\r\nDisallow: /a/ # mine\r\n\r\nSitemap: https://h/s\r\n", "User-agent: *\r\nDisallow: /a/ # mine\r\nDisallow: /b/\r\n\r\nSitemap: https://h/s\r\n"),
        ("User-agent: *\rDisallow: /a/", "User-agent: *\rDisallow: /a/\rDisallow: /b/\r"),
        ("\u{feff}User-agent: *\nDisallow: /a/", "\u{feff}User-agent: *\nDisallow: /a/\nDisallow: /b/\n"),
        ("# empty", "# empty\n\nUser-agent: *\nDisallow: /b/\n"),
        // It is there.
        ("User-agent: *\nDisallow: /b/\n", "User-agent: *\nDisallow: /b/\n"),
    ];
    for (body, expected) in rows {
        assert_eq!(file(body, "folder /b"), expected, "{body:?}");
    }
    let text = add_recipes(b"", "folder /b/\nsitemap https://h.example/s", true).unwrap();
    let expected = "User-agent: *\n# Crawlers stay out of these folders.\nDisallow: /b/\n\n# These files list the pages of the site.\nSitemap: https://h.example/s\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}

#[test]
fn exceptions() {
    let text = file("", "folder /account/\nallow /account/help");
    assert_eq!(
        text,
        "User-agent: *\nDisallow: /account/\nAllow: /account/help\n"
    );
    let text = file("", "images\nfor Googlebot-Image\nallow /img/teapot.jpg");
    assert!(may(&text, "Googlebot-Image", "/img/teapot.jpg"));
    assert!(!may(&text, "Googlebot-Image", "/img/cup.jpg") && may(&text, "Googlebot", "/"));
    let text = file("", "only-folder /public/ /v1.0\nfolder /public/private/");
    assert!(may(&text, "B", "/public/a") && may(&text, "B", "/v1.0/a"));
    assert!(!may(&text, "B", "/public/private/a") && !may(&text, "B", "/a"));
    // An exception for everyone lets nobody in who stays out, by a recipe or by the file.
    let text = file("", "all-but GPTBot\nfolder /a/\nallow /a/b");
    assert!(!may(&text, "GPTBot", "/a/b") && may(&text, "Bingbot", "/a/b"));
    let shop = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: Bingbot\nDisallow: /a/\n";
    let text = file(shop, "allow /a/b");
    assert!(!may(&text, "GPTBot", "/a/b") && may(&text, "Bingbot", "/a/b"));
    let text = file(shop, "for GPTBot\nallow /a/b");
    assert!(may(&text, "GPTBot", "/a/b") && !may(&text, "GPTBot", "/a/c"));
    // A rule of the file that wins against the exception.
    let said = refusal("User-agent: *\nDisallow: /a/b*c\n", "allow /a/b");
    assert!(said.contains("because of line 2"), "{said}");
}

/// A file is never written that would be read differently than meant.
#[test]
fn refusals() {
    let open = "User-agent: *\nAllow: /*.html$\nDisallow: /x\n";
    #[rustfmt::skip]
    let rows = [
        (open, "folder /cart/", "everyone else may fetch /cart/7c1f3a.html then, because of line 2"),
        (open, "keep-all-out", "everyone else may fetch /7c1.html then"),
        (open, "let-all-in", "may not fetch /x"),
        ("\u{1f}\u{8b}", "", "there is no recipe"),
        ("", "folder cart/", "a path starts with `/`"),
        ("", "folder https://tea.example/cart/", "/cart/ is the path of that URL"),
        ("", "file /a#b", "starts a comment"),
        ("", "folder /", "use keep-all-out"),
        ("", "folder", "give /PATH/..."),
        ("", "images /a", "takes no argument"),
        ("", "type g*f", "give the end of a file name"),
        ("", "only *", "not a product token"),
        ("", "all-but Perplexity-User", "Perplexity-User ignores the robots.txt"),
        ("", "sitemap /s.xml", "give an absolute URL"),
        ("", "keep-all-out\nlet-all-in", "let everyone else in, and keep it out"),
        ("", "folder /account/\nonly-folder /account/help", "let everyone else fetch /account/help/, and keep it out of /account/"),
        ("", "keep-all-out\nonly-folder /a/", "keep it out of /:"),
        ("", "all-but GPTBot\nfor GPTBot\nonly-folder /a/", "let GPTBot fetch /a/, and keep it out of /:"),
        ("", "only Googlebot\nonly-folder /a/", "keep it out of /:"),
        ("", "only-folder /img/teapot.jpg", "looks like a file: use file or allow"),
        ("", "folder /a.html", "looks like a file"),
        ("", "folder /search?q=", "has a query, which no folder has: use file"),
        ("", "disallow /a", "unknown recipe"),
        ("", "for", "name a crawler"),
        ("", "for Foo\nkeep-all-out", "for Foo: no recipe after it is for chosen crawlers"),
        ("", "\n \n", "there is no recipe"),
    ];
    for (body, request, why) in rows {
        let said = refusal(body, request);
        assert!(said.contains(why), "{request}: {said}");
    }
    assert!(add_recipes(b"\xFF\xFEU\0", "images", false).is_err());
    assert!(add_recipes(b"\x1F\x8B\x08", "images", false).is_err());
    let long = "#".repeat(512_000);
    assert!(refusal(&(long + "\n"), "images").contains("longer than crawlers read"));
}

/// A ban of the whole site by wildcards is one, so it is not repeated for a crawler that is let in.
#[test]
fn a_site_has_several_rules() {
    for path in ["/", "/*", "*", "**"] {
        let text = file(&format!("User-agent: *\nDisallow: {path}\n"), "only Foo");
        assert!(
            may(&text, "Foo", "/a") && !may(&text, "Bar", "/a"),
            "{text}"
        );
    }
}

/// A first group repeats the lines of the group that the crawler obeyed, as each dialect reads them.
#[test]
fn a_first_group_repeats_lines_of_any_kind() {
    let shop = b"User-agent: *\nDisallow: /caf\xE9/ # old\nCrawl-delay: 7\nDisallow: /tea\nAllowance: /tea/green\n";
    let text = add_recipes(shop, "for ExampleBot\nfile /x", false).unwrap();
    let expected = b"\nUser-agent: ExampleBot\nDisallow: /caf\xE9/\nCrawl-delay: 7\nDisallow: /tea\nAllowance: /tea/green\nDisallow: /x\n";
    assert_eq!(text, [&shop[..], expected].concat());
    for dialect in [Dialect::Rfc9309, Dialect::Google] {
        let crawler = |name| Crawler::new(name).unwrap().with_dialect(dialect).unwrap();
        let rules = crawler("ExampleBot").parse(&text);
        let others = crawler("OtherBot").parse(&text);
        assert_eq!(rules.crawl_delay(), others.crawl_delay());
        let difference = rules.difference(&others).unwrap();
        assert_eq!(
            difference.paths().map(|it| it.path()).collect::<Vec<_>>(),
            ["/x"]
        );
    }
}

/// `ExampleBot` reads `ExampleBot2` as its own name (SPEC 7.3).
#[test]
fn a_crawler_obeys_a_longer_name() {
    let two = "User-agent: *\nDisallow: /star\n\nUser-agent: ExampleBot2\nDisallow: /a\n";
    let text = file(two, "for ExampleBot\nfile /b");
    assert_eq!(
        text,
        format!("{two}\nUser-agent: ExampleBot\nDisallow: /b\n")
    );
    let text = file(two, "for ExampleBot2\nfile /b");
    assert_eq!(text, format!("{two}Disallow: /b\n"));
    let said = refusal(
        "User-agent: ExampleBot\nDisallow: /a\n",
        "for ExampleBot2\nfile /b",
    );
    assert!(
        said.starts_with("ExampleBot may not fetch /b then, which no recipe asks for"),
        "{said}"
    );
}

#[test]
fn a_new_group_joins_no_other() {
    let open = "User-agent: *\nDisallow: /x\n\nUser-agent: a\n# last";
    let text = file(open, "all-but b");
    assert_eq!(
        text,
        "User-agent: *\nDisallow: /x\n\nUser-agent: a\nDisallow:\n# last\n\nUser-agent: b\nDisallow: /\n"
    );
    assert!(may(&text, "a", "/x") && !may(&text, "b", "/"));
    // Only google reads the last line.
    let said = refusal(
        "User-agent: *\nDisallow: /x\n\nUser-agents: a\n",
        "all-but b",
    );
    assert!(
        said.starts_with("a may not fetch / then, which no recipe asks for"),
        "{said}"
    );
}

/// A path of a URL is matched as it is: its `*` and `$` are no wildcards (SPEC 8.6 f).
#[test]
fn paths_are_literal() {
    let text = file("", "file /a*b$");
    assert_eq!(text, "User-agent: *\nDisallow: /a%2Ab%24\n");
    assert!(!may(&text, "B", "/a*b$") && may(&text, "B", "/axb$"));
    let text = file("", "folder /caf\u{e9}");
    assert!(!may(&text, "B", "/caf%C3%A9/x") && !may(&text, "Googlebot", "/caf%C3%A9/x"));
}

/// On generated files: all of a file's lines stay, and each crawler gets what the recipe means or nothing is written.
#[test]
fn any_file_keeps_its_lines() {
    use crate::oracle::Setup;
    use crate::support::{files, runner::run};
    let setup = Setup::new(crate::oracle::Dialect::Rfc9309, &[b"ExampleBot"]);
    let (written, refused) = (std::cell::Cell::new(0_u32), std::cell::Cell::new(0_u32));
    run(&(files::file(),), |(file,)| {
        let body = file.bytes(setup.max_bytes);
        let Ok(text) = add_recipes(&body, "folder /new-folder/\nall-but NewBot", true) else {
            refused.set(refused.get() + 1);
            return Ok(());
        };
        written.set(written.get() + 1);
        let mut lines = body.split(|byte| matches!(byte, b'\r' | b'\n'));
        let mut rest = text.split(|byte| matches!(byte, b'\r' | b'\n'));
        assert!(lines.all(|line| line.is_empty() || rest.any(|other| other == line)));
        for dialect in [Dialect::Rfc9309, Dialect::Google] {
            let rules = |name| {
                let crawler = Crawler::new(name).unwrap().with_dialect(dialect);
                crawler.unwrap().parse(&text)
            };
            assert!(!rules("NobodyNamesThis").is_allowed("/new-folder/x"));
            assert!(!rules("NewBot").is_allowed("/any"));
        }
        let text = add_recipes(&body, "all-but NewBot", false).unwrap_or(body.clone());
        for dialect in Dialect::ALL {
            for name in ["ExampleBot", "ExampleBot2", "NobodyNamesThis"] {
                let crawler = Crawler::new(name).and_then(|it| it.with_dialect(dialect));
                let Ok(crawler) = crawler else { continue };
                let [old, new] = [&body, &text].map(|body| crawler.parse(body));
                let result = old.difference(&new).unwrap().result();
                assert_eq!(result, robots::DifferenceResult::None, "{name} {dialect:?}");
            }
        }
        Ok(())
    });
    assert!(written.get() > refused.get(), "{written:?} {refused:?}");
}
