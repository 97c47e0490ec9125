//! The recipes of Google's guide "Create and submit a robots.txt file": each with its section, and what the guide writes.

use robots::{
    AddedRecipes, Crawler, Dialect, DifferenceResult, Preset, Purpose, add_recipes,
    operator_tokens, recipes,
};

fn added(body: &str, requests: &str) -> AddedRecipes {
    let added = add_recipes(body.as_bytes(), requests, false);
    added.unwrap_or_else(|why| panic!("{requests}: {why}"))
}

fn file(body: &str, requests: &str) -> String {
    String::from_utf8(added(body, requests).text).unwrap()
}

/// The sentences about recipes, one on a line: first the warnings.
fn effects(body: &str, requests: &str) -> String {
    let added = added(body, requests);
    [added.warnings, added.effects].concat().join("\n")
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

/// A section of the guide, the recipe, and the file that the guide shows: with a line for upper case, and all crawlers of
/// advertisements.
#[rustfmt::skip]
pub const GUIDE: &[(&str, &str, &str)] = &[
    ("Disallow crawling of the entire site", "keep-all-out", "User-agent: *\nDisallow: /\n"),
    ("Disallow crawling of the entire site", "keep-all-out\nads-out", "User-agent: *\nUser-agent: AdsBot-Google\nUser-agent: AdsBot-Google-Mobile\nUser-agent: AdsBot-Google-Mobile-Apps\nUser-agent: Mediapartners-Google\nDisallow: /\n"),
    ("Create rules in the robots.txt file", "let-all-in", "User-agent: *\nAllow: /\n"),
    ("Disallow crawling of a directory and its contents", "folder /calendar/ /junk/ /books/fiction/contemporary/", "User-agent: *\nDisallow: /calendar/\nDisallow: /junk/\nDisallow: /books/fiction/contemporary/\n"),
    ("Allow access to a single crawler", "only Googlebot-news", "User-agent: Googlebot-news\nAllow: /\n\nUser-agent: *\nDisallow: /\n"),
    ("Allow access to all but a single crawler", "all-but Unnecessarybot", "User-agent: Unnecessarybot\nDisallow: /\n\nUser-agent: *\nAllow: /\n"),
    ("Disallow crawling of a single web page", "file /private_file.html /junk/other_useless_file.html", "User-agent: *\nDisallow: /private_file.html\nDisallow: /junk/other_useless_file.html\n"),
    ("Disallow crawling of the whole site except a subdirectory", "only-folder /public/", "User-agent: *\nDisallow: /\nAllow: /public/\n"),
    ("Block a specific image from Google Images", "image /images/dogs.jpg", "User-agent: Googlebot-Image\nDisallow: /images/dogs.jpg\n"),
    ("Block all images on your site from Google Images", "images", "User-agent: Googlebot-Image\nDisallow: /\n"),
    ("Disallow crawling of files of a specific file type", "for Googlebot\ntype gif", "User-agent: Googlebot\nDisallow: /*.gif$\nDisallow: /*.GIF$\n"),
    ("Disallow crawling of an entire site, but allow Mediapartners-Google", "only Mediapartners-Google", "User-agent: Mediapartners-Google\nAllow: /\n\nUser-agent: *\nDisallow: /\n"),
    ("Use the * and $ wildcards to match URLs that end with a specific string", "for Googlebot\ntype xls", "User-agent: Googlebot\nDisallow: /*.xls$\nDisallow: /*.XLS$\n"),
    ("Sitemap", "sitemap https://example.com/sitemap.xml https://cdn.example.com/other-sitemap.xml", "Sitemap: https://example.com/sitemap.xml\nSitemap: https://cdn.example.com/other-sitemap.xml\n"),
];

/// Every recipe that has a section makes the guide's file, which has no fault that lint reports as an error or warning,
/// except that it keeps search out.
#[test]
fn recipes_of_the_guide() {
    for (section, request, expected) in GUIDE {
        assert_eq!(file("", request), *expected, "{section}");
        let report = super::linted(expected.as_bytes());
        let worse = |found: &&robots::Diagnostic| {
            let is_meant = found.code == robots::Code::SearchKeptOut;
            found.severity() > robots::Severity::Note && !is_meant
        };
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
    let two = "User-agent: *\nDisallow: /x/\n\nUser-agent: Googlebot\nDisallow: /y/\n";
    let text = file(two, "image /me.jpg");
    assert!(may(&text, "Googlebot-Image", "/x/") && !may(&text, "Googlebot-Image", "/y/"));
    assert!(!may(&text, "Googlebot-Image", "/me.jpg") && may(&text, "Googlebot", "/me.jpg"));
    let said = effects(two, "for Googlebot-Image\nlet-all-in");
    assert!(
        said.contains("/y/ stays shut for Googlebot-Image: line 8"),
        "{said}"
    );
    file(two, "only google");
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
    let text = add_recipes(b"", "folder /b/\nsitemap https://h.example/s", true)
        .unwrap()
        .text;
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
    assert!(said.contains("line 2, `Disallow: /a/b*c`"), "{said}");
}

/// A file is never written that would be read differently than meant.
#[test]
fn refusals() {
    let open = "User-agent: *\nAllow: /*.html$\nDisallow: /x\n";
    #[rustfmt::skip]
    let rows = [
        (open, "folder /cart/", "everyone else may still fetch /cart/page.html, for example: line 2, `Allow: /*.html$`, decides it: change that line first"),
        (open, "keep-all-out", "everyone else may still fetch /page.html"),
        (open, "let-all-in", "everyone else still may not fetch /x, for example: line 3"),
        // The number is that of the file, whatever is added above.
        ("User-agent: Foo\nDisallow: /a\n\nUser-agent: Googlebot\nAllow: /\n", "keep-all-out\nallow /b", "Googlebot may still fetch /, for example: line 5, `Allow: /`, decides it"),
        ("User-agent: *\nAllow: /b/*\n", "folder /b/", "line 2, `Allow: /b/*`"),
        // Each crawler is refused at once.
        (
            "User-agent: Googlebot\nDisallow: /*\n\nUser-agent: bingbot\nUser-agent: GoogleOther\nDisallow: /**\n\nUser-agent: Storebot-Google\nDisallow: /*\n\nUser-agent: AdsBot-Google\nDisallow: /*\n\nUser-agent: GPTBot\nDisallow: /*\n",
            "only google",
            "Googlebot still may not fetch /, for example: line 2, `Disallow: /*`, decides it: change that line first; GoogleOther still may not fetch /, for example: line 6, `Disallow: /**`, decides it: change that line first; Storebot-Google still may not fetch /, for example: line 9, `Disallow: /*`, decides it: change that line first; and 1 more",
        ),
        (
            "User-agent: Foo\nDisallow: /a\n\nUser-agent: Bar\nDisallow: /b\n\nUser-agent: c\nDisallow: /c\n\nUser-agent: d\nDisallow: /d\n\nUser-agent: e\nDisallow: /e\n\nUser-agent: f\nDisallow: /f\n",
            "let-all-in",
            "c still may not fetch /c, for example: line 8, `Disallow: /c`, decides it: change that line first; and 3 more",
        ),
        // Those of one group have one reason.
        (
            "User-agent: bingbot\nUser-agent: GPTBot\nUser-agent: FooBot\nAllow: /a\n",
            "keep-all-out",
            "bingbot, GPTBot, FooBot may still fetch /a, for example: line 4, `Allow: /a`, decides it: change that line first",
        ),
        ("\u{1f}\u{8b}", "", "there is no recipe"),
        ("", "folder cart/", "a path starts with `/`"),
        ("", "folder https://tea.example/cart/", "/cart/ is the path of that URL"),
        ("", "file /a#b", "starts a comment"),
        ("", "folder /", "use keep-all-out"),
        ("", "folder", "give /PATH/..."),
        ("", "images /a", "takes no argument"),
        ("", "type g*f", "give the end of a file name"),
        ("", "only *", "* is everyone: use keep-all-out or let-all-in"),
        ("", "all-but everybody", "* is everyone"),
        ("", "only search", "search is no name of a crawler"),
        ("", "for training\nfolder /a/", "training is no name of a crawler"),
        ("", "for google all\nfolder /a/", "`*` is everyone: leave it out"),
        ("", "only Goo!gle", "Goo!gle is not the name of a crawler"),
        // A misspelt name would keep everyone out, or let one in whom it means.
        ("", "only Googlbot", "Googlbot is nearly Googlebot: write Googlebot"),
        ("", "only googel", "googel is nearly google: write google"),
        ("", "all-but Goggle", "Goggle is nearly google: write google"),
        ("", "all-but Copilot", "Copilot has no crawler of its own: bingbot fetches for it and for a search engine; write bingbot if both are meant"),
        ("", "all-but mj12", "mj12 is nearly MJ12bot: write MJ12bot"),
        ("", "all-but MJ12bot bot", "`*` is everyone: leave it out"),
        ("", "for 3\nfolder /a/", "3 is not the name of a crawler"),
        ("{\\rtf1\\ansi\nUser-agent: *\\par\n", "folder /a/", "this is an RTF document, not a robots.txt"),
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
        ("", "for Foo\ntraining-out", "for Foo: no recipe after it is for chosen crawlers: name one of keep-all-out, let-all-in, folder, file, type, parameter, only-folder, allow"),
        ("", "for Foo\nsitemap https://h.example/s", "for Foo: no recipe after it"),
        ("", "file /", "/ is the whole site: use keep-all-out or let-all-in; `/$` is the home page alone"),
        ("", "allow /*", "/* is the whole site"),
        ("", "folder /cart*", "/cart* is no folder: use file"),
        ("", "folder /cart$", "/cart$ is no folder: use file"),
        ("", "file cart", "write /cart"),
        ("", "type Word documents", "Word: file names end otherwise: write doc docx"),
        ("", "type Documents", "write pdf doc docx odt rtf"),
        ("", "parameter /search", "/search is a path: use file or folder"),
        ("", "parameter sort=price", "sort=price: give the name of a parameter"),
        ("", "parameter *", "*: give the name of a parameter"),
        ("", "parameter ?ver=", "style sheets and scripts have this parameter"),
        ("", "\n \n", "there is no recipe"),
    ];
    for (body, request, why) in rows {
        let said = refusal(body, request);
        assert!(said.contains(why), "{request}: {said}");
    }
    // What is no robots.txt does not become one by rules at its end.
    for (body, what) in [
        (&b"\xFF\xFEU\0"[..], "text in UTF-16"),
        (b"\x1F\x8B\x08", "a file compressed by gzip"),
        (b"<!doctype html>\n<html>User-agent: *\n", "an HTML page"),
        (b"{\"error\": 404}\n", "a JSON document"),
        (b"User-agent: *\nDisallow: /a\0\n", "text with NUL bytes"),
        (b"\nNot found\n", "text that crawlers do not understand"),
    ] {
        let why = add_recipes(body, "images", false).unwrap_err().to_string();
        let wanted = format!("this is {what}, not a robots.txt: give the robots.txt itself");
        assert!(why.contains(&wanted), "{why}");
    }
    for body in [
        "\n# a comment\n",
        "Content-Signal: search=yes\n",
        "Not found\nUser-agent: *\n",
    ] {
        assert!(add_recipes(body.as_bytes(), "images", false).is_ok());
    }
    let long = "#".repeat(512_000);
    assert!(refusal(&(long + "\n"), "images").contains("longer than crawlers read"));
    // Ten thousand groups are counted, and three are explained.
    let body: String = (0..10_000)
        .map(|at| format!("User-agent: b{at}\nAllow: /\n"))
        .collect();
    let why = add_recipes(body.as_bytes(), "keep-all-out", false)
        .unwrap_err()
        .to_string();
    assert!(why.ends_with("; and 9998 more"), "{why}");
}

/// The name of each well-known crawler is taken as it is, however near it is to another name.
#[test]
fn every_crawler_can_be_named() {
    for preset in Preset::all().filter(|preset| !preset.ignores_robots_txt()) {
        let text = file("", &format!("for {}\nfolder /a/", preset.name()));
        let expected = format!("User-agent: {}\nDisallow: /a/\n", preset.name());
        assert_eq!(text, expected);
    }
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
    let text = add_recipes(shop, "for ExampleBot\nfile /x", false)
        .unwrap()
        .text;
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
        said.starts_with("ExampleBot may not fetch /b, for example, which no recipe asks for"),
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
        said.starts_with(
            "a may not fetch /, for example, as Google reads the file, which no recipe asks for"
        ),
        "{said}"
    );
}

/// In a path, `*` is any text and a last `$` the end of the URL, as in the file itself; an escape is the character (SPEC 8.3,
/// 8.4, 8.6 f).
#[test]
fn paths_have_wildcards() {
    let text = file("", "file /a*b$\nfolder /*/cart /shop/*");
    let expected = "User-agent: *\nDisallow: /a*b$\nDisallow: /*/cart/\nDisallow: /shop/\n";
    assert_eq!(text, expected);
    assert!(!may(&text, "B", "/axb") && may(&text, "B", "/axbc"));
    let said = effects("", "file /a*b$");
    assert!(
        said.ends_with("crawlers may not fetch URLs such as /a*b$ (`*`: any text, `$`: the end)"),
        "{said}"
    );
    let text = file("", "file /a%2Ab%24");
    assert!(!may(&text, "B", "/a*b$") && may(&text, "B", "/axb"));
    let text = file("", "folder /caf\u{e9}");
    assert!(!may(&text, "B", "/caf%C3%A9/x") && !may(&text, "Googlebot", "/caf%C3%A9/x"));
    // An exception with a wildcard is one.
    let text = file("", "folder /cart/\nallow /cart/*.css$");
    assert!(may(&text, "B", "/cart/a.css") && !may(&text, "B", "/cart/a.html"));
}

/// Parameters by name, wherever they are in the query. Style sheets and scripts with a version stay open.
#[test]
fn searches_and_filters() {
    let text = file("", "parameter q ?sort=");
    let expected =
        "User-agent: *\nDisallow: /*?q=\nDisallow: /*&q=\nDisallow: /*?sort=\nDisallow: /*&sort=\n";
    assert_eq!(text, expected);
    for url in [
        "/?q=1",
        "/search?q=tea",
        "/a/b?page=2&q=",
        "/tea?a=1&sort=up&b=2",
    ] {
        assert!(!may(&text, "Googlebot", url), "{url}");
    }
    for url in [
        "/",
        "/search",
        "/tea?faq=1",
        "/tea?resort=1",
        "/tea?page=2",
        "/q=1",
        "/style.css?v=1",
        "/app.js?ver=6.4&t=9",
        "/style.css",
    ] {
        assert!(may(&text, "Googlebot", url), "{url}");
    }
    let said = effects("", "parameter q");
    assert!(
        said.ends_with("URLs without them stay as they are"),
        "{said}"
    );
}

/// The name of an operator means its crawlers, in every recipe that takes names.
#[test]
fn operators_are_named() {
    let google: Vec<&str> = operator_tokens(b"Google").collect();
    assert!(google.contains(&"Googlebot") && google.contains(&"Mediapartners-Google"));
    assert!(!google.contains(&"Google-Safety"), "it ignores the file");
    let text = file("", "only google bing");
    for name in google.iter().chain(&["bingbot"]) {
        // A token for training is no crawler that comes in.
        assert_eq!(may(&text, name, "/a"), *name != "Google-Extended", "{name}");
    }
    assert!(!may(&text, "GPTBot", "/a") && !may(&text, "DuckDuckBot", "/a"));
    let said = effects("", "all-but Bingo");
    assert!(
        said.starts_with("`Bingo` is nearly `bingbot`: write"),
        "{said}"
    );
    let groups = "User-agent: ShopBot\nDisallow: /x\n";
    let said = effects(groups, "all-but Shopbt");
    assert!(
        said.starts_with("`Shopbt` is nearly `ShopBot`: write"),
        "{said}"
    );
    let said = effects(groups, "all-but shopbot");
    assert!(!said.contains("nearly"), "{said}");
    let said = effects("", "only google");
    assert!(
        said.contains("the rules for Googlebot also govern Applebot"),
        "{said}"
    );
    let text = file("", "all-but OpenAI");
    assert!(
        ["GPTBot", "OAI-SearchBot", "ChatGPT-User"]
            .iter()
            .all(|name| !may(&text, name, "/"))
    );
    assert!(may(&text, "Googlebot", "/"));
    let text = file("", "for anthropic\nfolder /a/");
    assert!(!may(&text, "Claude-SearchBot", "/a/b") && may(&text, "Googlebot", "/a/b"));
    assert_eq!(file("", "for all\nfolder /a/"), file("", "folder /a/"));
    // Another recipe keeps some of them out.
    let text = file("", "only google\ntraining-out\nads-out");
    assert!(may(&text, "Googlebot", "/") && !may(&text, "Google-Extended", "/"));
    assert!(!may(&text, "AdsBot-Google", "/"));
    // Each name is known, and is not the name of a crawler.
    for name in [
        "google",
        "bing",
        "openai",
        "chatgpt",
        "anthropic",
        "claude",
        "perplexity",
        "apple",
        "meta",
        "amazon",
        "gemini",
        "yahoo",
    ] {
        let tokens: Vec<&str> = operator_tokens(name.as_bytes()).collect();
        assert!(!tokens.is_empty(), "{name}");
        assert!(
            tokens.iter().all(|token| Crawler::new(token).is_ok()),
            "{name}: {tokens:?}"
        );
        assert!(Preset::all().all(|preset| {
            !preset
                .tokens()
                .iter()
                .any(|token| token.eq_ignore_ascii_case(name))
        }));
    }
    assert_eq!(operator_tokens(b"Googlebot").count(), 0);
    // What the file cannot do.
    let said = effects("", "all-but perplexity");
    assert!(
        said.contains("no robots.txt keeps Perplexity-User out"),
        "{said}"
    );
}

#[test]
fn types_have_upper_case_and_no_names() {
    let text = file("", "type PDF .gif 7z");
    let expected = "User-agent: *\nDisallow: /*.pdf$\nDisallow: /*.PDF$\nDisallow: /*.gif$\nDisallow: /*.GIF$\nDisallow: /*.7z$\nDisallow: /*.7Z$\n";
    assert_eq!(text, expected);
    let said = effects("", "type pdf");
    assert!(
        said.contains("still open: another case, such as .Pdf, and URLs with a query"),
        "{said}"
    );
    assert!(may(&text, "B", "/a.Pdf") && may(&text, "B", "/a.pdf?v=1"));
    assert_eq!(file("", "type 3").matches("Disallow").count(), 1);
    let said = effects("", "type 7z");
    assert!(
        said.ends_with("still open: URLs with a query, such as /a.7z?v=1"),
        "{said}"
    );
}

/// `for` is for each recipe that names no crawlers itself.
#[test]
fn chosen_crawlers() {
    let text = file("", "for Bingbot\nkeep-all-out");
    assert_eq!(text, "User-agent: Bingbot\nDisallow: /\n");
    let shop = "User-agent: *\nDisallow: /\nDisallow: /cart/\n";
    let text = file(shop, "for Bingbot\nlet-all-in");
    assert!(may(&text, "Bingbot", "/tea") && !may(&text, "Bingbot", "/cart/1"));
    assert!(!may(&text, "Googlebot", "/tea"));
    let text = add_recipes(b"", "for Bingbot\nkeep-all-out", true)
        .unwrap()
        .text;
    assert_eq!(
        text,
        b"User-agent: Bingbot\n# These crawlers stay out.\nDisallow: /\n"
    );
    // Each recipe that takes them writes nothing for others.
    for recipe in recipes() {
        let arguments = match recipe.arguments {
            "/PATH/..." | "/PATH..." => "/a/",
            "EXTENSION..." => "pdf",
            "NAME..." => "q",
            _ => "",
        };
        let request = format!("for Bingbot\n{} {arguments}", recipe.name);
        let Ok(added) = add_recipes(b"", &request, false) else {
            continue;
        };
        let text = String::from_utf8(added.text).unwrap();
        assert!(
            text.starts_with("User-agent: Bingbot\n"),
            "{request}: {text}"
        );
        assert_eq!(text.matches("User-agent").count(), 1, "{request}: {text}");
    }
}

/// An older rule that is longer decides in spite of a recipe: the shortest path and the line are said, for whom it is so.
#[test]
fn older_rules_are_exceptions() {
    let shop = "User-agent: *\nAllow: /*.css$\nDisallow: /x\n";
    let said = effects(shop, "folder /cart/");
    let first = said.lines().next().unwrap();
    assert_eq!(
        first,
        "/cart/.css stays open for everyone else: line 2, `Allow: /*.css$`, decides it"
    );
    let two = format!("{shop}\nUser-agent: Googlebot\nAllow: /c*t/help # for all\n");
    let said = effects(&two, "folder /cart/");
    assert!(
        said.contains("/cart/.css stays open for everyone else: line 2"),
        "{said}"
    );
    assert!(
        said.contains(
            "/cart/help stays open for Googlebot: line 7, `Allow: /c*t/help # for all`, decides it"
        ),
        "{said}"
    );
    // An allow that a longer disallow takes back.
    let said = effects(
        "User-agent: *\nDisallow: /a/b/secret\n",
        "folder /a/\nallow /a/b/",
    );
    assert!(
        said.contains("/a/b/secret stays shut for everyone else: line 2"),
        "{said}"
    );
    // Each crawler of a group is named.
    let said = effects(
        "User-agent: Bingbot\nUser-agent: Slurp\nAllow: /c*t/help\n",
        "folder /cart/",
    );
    assert!(
        said.contains("/cart/help stays open for Bingbot, Slurp: line 3"),
        "{said}"
    );
    // Each older rule is said, up to three.
    let said = effects(
        "User-agent: *\nAllow: /cart/help\nAllow: /cart/help/more\nAllow: /cart/terms\n",
        "folder /cart/",
    );
    for line in [2, 3, 4] {
        assert!(
            said.contains(&format!("line {line}, `Allow: /cart/")),
            "{said}"
        );
    }
    let rules = "abdefghi".chars();
    let rules: String = rules.map(|at| format!("Allow: /cart/{at}\n")).collect();
    let said = effects(&format!("User-agent: *\n{rules}"), "folder /cart/");
    assert_eq!(said.matches("stays open").count(), 3, "{said}");
    assert!(
        said.contains("more older rules decide in spite of the recipes"),
        "{said}"
    );
    // An exception that ends in `$` hides no older rule.
    let said = effects(
        "User-agent: bingbot\nAllow: /cart/help/\n",
        "folder /cart/\nallow /cart/x$",
    );
    let stays = "/cart/help/ stays open for bingbot: line 2";
    assert!(said.contains(stays), "{said}");
    // One behind another, on the same path.
    let said = effects(
        "User-agent: *\nAllow: /cart$\nAllow: /cart\n",
        "only-folder /pub/",
    );
    assert!(said.contains("more older rules decide"), "{said}");
    // A rule that recipes write is no older one: it decides as they do, also behind an older rule.
    let said = effects(
        "User-agent: GPTBot\nAllow: /cart/h\nDisallow: /*?\nAllow: /*?\n",
        "only-folder /cart/\nallow /cart$ /c",
    );
    assert!(said.contains("/?x stays open for GPTBot: line 4"), "{said}");
    assert!(!said.contains("/c?"), "{said}");
    // What opens a part of a site that is shut opens nothing that another recipe shuts.
    let shop = "User-agent: *\nDisallow: /img/a\nDisallow: /cart/h\nDisallow: /\n\nUser-agent: GPTBot\nAllow: /cart/h\nDisallow: /img/a\n";
    let said = effects(shop, "parameter q\nallow /c");
    assert!(!said.contains("`Allow: /c`"), "{said}");
    let text = file(shop, "parameter q\nallow /c");
    assert!(may(&text, "Foo", "/c?x") && !may(&text, "Foo", "/c?q=x"));
    // A well-known crawler reads the path as its operator does; what only Google reads so is said of it.
    let escape = "Allow: /cart/%61\n";
    let shop = format!("User-agent: *\n{escape}\nUser-agent: Googlebot\n{escape}");
    let said = effects(&shop, "folder /cart/");
    let lines: Vec<&str> = said.lines().take(3).collect();
    assert_eq!(
        lines[0],
        "/cart/a stays open for everyone else: line 2, `Allow: /cart/%61`, decides it"
    );
    assert_eq!(
        lines[1],
        "/cart/%61 stays open for everyone else, as Google reads the path: line 2, `Allow: /cart/%61`, decides it"
    );
    assert_eq!(
        lines[2],
        "/cart/%61 stays open for Googlebot: line 6, `Allow: /cart/%61`, decides it"
    );
    // A crawler that is let in keeps older rules.
    let said = effects("User-agent: Bingbot\nDisallow: /cart/\n", "only Bingbot");
    assert!(
        said.contains("/cart/ stays shut for Bingbot: line 2"),
        "{said}"
    );
    let said = effects("User-agent: *\nDisallow: /cart/\n", "only Bingbot");
    assert!(
        said.contains("/cart/ stays shut for Bingbot: line 6"),
        "{said}"
    );
    // Who stays out of the site is not let into a part of it.
    let shop = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: Bingbot\nDisallow: /a/\n";
    let said = effects(shop, "allow /a/b");
    assert!(
        said.contains("GPTBot stays out of the whole site: the same recipe for GPTBot lets it in"),
        "{said}"
    );
    let said = effects(&format!("User-agent: CCBot\n{shop}"), "allow /a/b");
    assert!(
        said.contains("CCBot, GPTBot stay out of the whole site: the same recipe for CCBot, GPTBot lets them in"),
        "{said}"
    );
    // A recipe that is longer than another, in another folder.
    let said = effects("", "folder /stylesheets/\nallow /*.css");
    assert!(
        said.contains("/stylesheets/.css stays shut: the recipe for /stylesheets/ is longer"),
        "{said}"
    );
    let said = effects("", "folder /cart/ /checkout/ /in/\nallow /*.js");
    assert!(
        said.contains("/cart/.js stays shut: the recipes for /cart/, /checkout/ are longer"),
        "{said}"
    );
    let said = effects("", "only OwnBot");
    assert!(
        said.contains("no search engine comes in: add a name such as Googlebot, if one should"),
        "{said}"
    );
    assert!(!effects("", "only bing").contains("no search engine"));
    let said = effects("", "training-out");
    assert!(
        said.contains("Google-Extended keeps the pages out of the answers of Gemini, too"),
        "{said}"
    );
    // The exception that a recipe asks for is none, and neither is a rule of the same meaning.
    let shop = "User-agent: *\nAllow: /*.css$\nDisallow: /x\n";
    for (body, request) in [
        (
            "User-agent: *\nDisallow: /cart/\n",
            "let-all-in\nfolder /cart/",
        ),
        (
            "User-agent: GPTBot\nDisallow: /\n",
            "for Bingbot\nallow /a/b",
        ),
        ("", "folder /a/\nallow /a/b/ /a/c$"),
        (
            "User-agent: *\nAllow: /b\nDisallow: /a/long\n",
            "folder /a/",
        ),
        ("User-agent: *\nAllow: /a\n", "folder /a/"),
        (shop, "for Googlebot\ntype pdf"),
    ] {
        let said = effects(body, request);
        assert!(!said.contains("stays"), "{request}: {said}");
    }
}

/// No sentence calls a line older that the recipes of the run wrote: each has its text in the file before.
#[test]
fn each_older_rule_was_there() {
    const RULES: [&str; 8] = [
        "Allow: /cart/h",
        "Disallow: /*?",
        "Allow: /*?",
        "Disallow: /img/a",
        "Disallow: /cart/h",
        "Disallow: /",
        "Allow: /c*t",
        "Allow: /img/a$",
    ];
    const RECIPES: [&str; 7] = [
        "only-folder /cart/",
        "allow /cart$",
        "allow /c",
        "parameter q",
        "folder /img/",
        "type a",
        "let-all-in",
    ];
    let chosen = |all: &[&'static str], bits: usize| -> Vec<&'static str> {
        let is_in = |at: &usize| bits >> at & 1 == 1;
        (0..all.len()).filter(is_in).map(|at| all[at]).collect()
    };
    let (mut seed, mut sentences) = (1_u64, 0);
    for _ in 0..600 {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let bits = (seed >> 32) as usize;
        let [star, own] = [bits, bits >> 8].map(|bits| chosen(&RULES, bits).join("\n"));
        let body = format!("User-agent: *\n{star}\n\nUser-agent: GPTBot\n{own}\n");
        let request = chosen(&RECIPES, bits >> 16).join("\n");
        let Ok(added) = add_recipes(body.as_bytes(), &request, false) else {
            continue;
        };
        for said in &added.warnings {
            let Some((_, rest)) = said.split_once(": line ") else {
                continue;
            };
            let rule = rest.split('`').nth(1).unwrap();
            assert!(
                body.lines().any(|line| line == rule),
                "{body}\n{request}\n{said}"
            );
            sentences += 1;
        }
    }
    assert!(sentences > 100, "{sentences}");
}

/// Without a rule that does the opposite there is nothing to prove, however many crawlers the file names.
#[test]
fn many_groups_are_decided() {
    use std::fmt::Write as _;
    let mut shop = String::new();
    for number in 0..250_u8 {
        let name: String = [number / 17, number % 17]
            .map(|at| char::from(b'a' + at))
            .iter()
            .collect();
        let _ = write!(shop, "User-agent: bot-{name}\nDisallow: /a/{number}\n\n");
    }
    let said = effects(&shop, "folder /cart/");
    assert!(!said.contains("older rules"), "{said}");
    // With one there is, and what is not proved is said.
    let open = shop.replace("/a/", "/a/\nAllow: /ca*t/x");
    let said = effects(&open, "folder /cart/");
    assert!(said.contains("/cart/x"), "{said}");
    assert!(
        said.contains("older rules may decide in spite of the recipes"),
        "{said}"
    );
}

/// A recipe that opens shuts nothing, and one that shuts opens nothing: nothing is written then.
#[test]
fn no_verdict_changes_the_other_way() {
    for (body, request, wanted) in [
        (
            "User-agent: *\nDisallow: /a\nAllow: /*\n",
            "for Foo\nlet-all-in",
            "Foo may not fetch /a, for example, which no recipe asks for: write the group by hand",
        ),
        // Google reads these groups, others do not.
        (
            "User-agents: *\nDisallow: /\n",
            "for Googlebot\nfolder /q/",
            "Googlebot may fetch /, for example, as Google reads the file, which no recipe asks for",
        ),
        (
            "User-agents: *\nDisallow: /\n",
            "image /x.png",
            "Googlebot-Image may fetch /, for example, as Google reads the file, which no recipe asks for",
        ),
    ] {
        let refused = add_recipes(body.as_bytes(), request, false).map(|added| added.text);
        let refused = refused.unwrap_err().to_string();
        assert!(refused.starts_with(wanted), "{body}: {refused}");
    }
    // It does not obey `*`, so nothing opens.
    let cart = "User-agent: *\nDisallow: /cart/\nDisallow: /checkout/\n";
    let text = file(cart, "for AdsBot-Google\nfolder /cart/");
    assert!(!may(&text, "AdsBot-Google", "/cart/") && may(&text, "AdsBot-Google", "/checkout/"));
}

/// What people do not expect of recipes is said.
#[test]
fn surprises_are_said() {
    let said = effects("", "only-folder /public/");
    assert!(
        said.contains("style sheets and scripts, such as /style.css, are shut"),
        "{said}"
    );
    assert!(
        said.contains("the recipe allow /*.css /*.js opens them"),
        "{said}"
    );
    let said = effects("", "only-folder /public/\nallow /*.css /*.js");
    assert!(!said.contains("style sheets"), "{said}");
    let said = effects("", "only google");
    assert!(!said.contains("still open"), "{said}");
    assert!(
        said.contains("Google-Extended only says what may be done with pages: it stays out"),
        "{said}"
    );
    for (body, others) in [
        ("User-agent: *\nDisallow: /a\n", "obey the group of `*`"),
        ("", "may fetch everything: the file has no group of `*`"),
    ] {
        let said = effects(body, "training-out");
        let others = format!("; other crawlers that train models {others}");
        assert!(said.contains(&others), "{said}");
    }
    // What holds for everyone holds not for those that another recipe names.
    for (request, sentence) in [
        (
            "allow /a/b\nall-but GPTBot",
            "every crawler except GPTBot may fetch",
        ),
        (
            "keep-all-out\nonly Yandex",
            "crawlers except Yandex may not fetch anything",
        ),
        (
            "let-all-in\nfor GPTBot CCBot\nkeep-all-out",
            "every crawler except GPTBot, CCBot may come in",
        ),
        (
            "let-all-in\nfolder /a/\nfor GPTBot\nfolder /b/",
            "every crawler may come in",
        ),
    ] {
        let said = effects("", request);
        assert!(said.contains(sentence), "{said}");
    }
    let said = effects("", "ads-out");
    assert!(
        said.contains("ads that lead to the site, and ads on it, may end"),
        "{said}"
    );
    let said = effects("", "folder /cart/");
    assert!(
        said.starts_with("search engines may still list the address"),
        "{said}"
    );
    assert!(said.contains("\nstill open for AdsBot-Google"), "{said}");
    let said = effects("", "all-but Googlebot");
    assert!(
        said.starts_with(
            "other crawlers of search obey the rules for Googlebot, and stay out, too: Applebot"
        ),
        "{said}"
    );
    let said = effects("", "all-but ChatGPT-User");
    assert!(said.contains("ChatGPT-User may ignore that"), "{said}");
    // A rule of the file shuts it.
    let said = effects("User-agent: *\nDisallow: /cart\n", "folder /cart");
    assert!(!said.contains("itself"), "{said}");
    let text = file("", "only-folder /public/\nallow /*.css /*.js");
    assert!(may(&text, "Googlebot", "/a.css?v=1") && may(&text, "Googlebot", "/a/b.js"));
    assert!(!may(&text, "Googlebot", "/") && may(&text, "Googlebot", "/public/a"));
    let said = effects("", "folder /search");
    assert!(
        said.contains(
            "/search itself stays open, and /search?q=1: the recipe file /search shuts these, too"
        ),
        "{said}"
    );
    // A page that is shut out may be found all the same.
    for (request, count) in [
        ("file /old.html /older.html", 1),
        ("for bingbot\nfolder /old/\nfor Googlebot\ntype pdf", 1),
        ("folder /cart/", 1),
        ("for Googlebot-Image\nfolder /img/\nimages", 0),
        ("for GPTBot\nfile /old.html", 0),
    ] {
        let said = effects("", request);
        let found = said
            .matches("the address, without the text of the page")
            .count();
        assert_eq!(found, count, "{request}\n{said}");
    }
    let said = effects("", "file /*?");
    assert!(
        said.starts_with("style sheets and scripts, such as /style.css?v=1, are shut"),
        "{said}"
    );
    let said = effects("", "keep-all-out");
    assert!(said.ends_with("a password hides a site"), "{said}");
    assert!(said.starts_with("still open for AdsBot-Google, AdsBot-Google-Mobile, AdsBot-Google-Mobile-Apps and 1 more"), "{said}");
    let said = effects("", "keep-all-out\nads-out");
    assert!(!said.contains("still open"), "{said}");
    for preset in Preset::all().filter(|it| it.ignores_star() && !it.ignores_robots_txt()) {
        assert!(!may(&file("", "ads-out"), preset.name(), "/"), "{preset:?}");
    }
}

/// On generated files: all of a file's lines stay, and each crawler gets what the recipe means or nothing is written.
#[test]
fn any_file_keeps_its_lines() {
    use crate::oracle::Setup;
    use crate::support::{files, runner::run};
    let setup = Setup::new(crate::oracle::Dialect::Rfc9309, &[b"ExampleBot"]);
    let (written, refused) = (std::cell::Cell::new(0_u32), std::cell::Cell::new(0_u32));
    run(&(files::file(),), |(file,)| {
        let mut body = file.bytes(setup.max_bytes);
        // A file with NUL bytes is refused.
        body.retain(|byte| *byte != 0);
        let Ok(AddedRecipes { text, .. }) =
            add_recipes(&body, "folder /new-folder/\nall-but NewBot", true)
        else {
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
        let text = add_recipes(&body, "all-but NewBot", false).map(|added| added.text);
        let text = text.unwrap_or(body.clone());
        for dialect in Dialect::ALL {
            for name in ["ExampleBot", "ExampleBot2", "NobodyNamesThis"] {
                let crawler = Crawler::new(name).and_then(|it| it.with_dialect(dialect));
                let Ok(crawler) = crawler else { continue };
                let [old, new] = [&body, &text].map(|body| crawler.parse(body));
                let result = old.difference(&new).unwrap().result();
                assert_eq!(result, DifferenceResult::None, "{name} {dialect:?}");
            }
        }
        Ok(())
    });
    assert!(written.get() > refused.get(), "{written:?} {refused:?}");
}
