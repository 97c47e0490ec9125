//! Files of about 500 KiB that cost lint much time or memory. Some come from a search over random shapes, see `lint_bounds`.

/// Returns a name and the bytes of each file.
pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    let fill = |start: &str, piece: &dyn Fn(usize) -> String| -> Vec<u8> {
        let mut body = start.to_owned();
        let mut at = 0;
        while body.len() < 500_000 {
            body += &piece(at);
            at += 1;
        }
        body.into_bytes()
    };
    let star = "User-agent: *\n";
    let mut files = vec![
        ("blank lines", vec![b'\n'; 512_000]),
        ("rules", fill(star, &|n| format!("Disallow: /{n:x}\n"))),
        (
            "URLs as paths",
            fill(star, &|_| "Disallow: http://h\n".to_owned()),
        ),
        (
            "the same rule",
            fill(star, &|_| "Disallow: /a\n".to_owned()),
        ),
        (
            "allow and disallow",
            fill(star, &|n| {
                format!("{}: /{}\n", ["Allow", "Disallow"][n % 2], n / 2)
            }),
        ),
        (
            "nested rules",
            fill(star, &|n| format!("Disallow: /{}\n", "a".repeat(n % 900))),
        ),
        (
            "nested, both ways",
            fill(star, &|n| {
                format!(
                    "{}: /{}\n",
                    ["Allow", "Disallow"][n % 2],
                    "a".repeat(n % 900)
                )
            }),
        ),
        ("wildcards", fill(star, &|n| format!("Disallow: /*{n}\n"))),
        (
            "wildcards and literals",
            fill(star, &|n| {
                format!(
                    "{}: /{}{n}\n",
                    ["Allow", "Disallow"][n % 2],
                    ["*", ""][n / 2 % 2]
                )
            }),
        ),
        (
            "stars",
            fill(star, &|n| {
                format!("Disallow: /{}{n}$\n", "*a".repeat(n % 50))
            }),
        ),
        (
            "many stars",
            fill(star, &|_| format!("Disallow: /{}b$\n", "*a".repeat(45))),
        ),
        (
            "many stars, for many crawlers",
            fill(
                &(0..20)
                    .map(|n| format!("User-agent: a{n}\nCrawl-delay: 1\n"))
                    .collect::<String>(),
                &|n| {
                    let bits = (n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    let piece = |at: u32| ["*a", "*b"][usize::from(bits >> at & 1 == 1)];
                    format!("Allow: /{}b$\n", (0..45).map(piece).collect::<String>())
                },
            ),
        ),
        (
            "one long rule",
            fill(star, &|_| "Disallow: /".to_owned() + &"*a".repeat(240_000)),
        ),
        (
            "agents",
            fill("", &|n| format!("User-agent: a{n}\nDisallow: /\n")),
        ),
        (
            "agents of one group",
            fill("", &|n| format!("User-agent: a{n}\n")),
        ),
        (
            "agents, then their own",
            fill(
                &(0..5_000)
                    .map(|n| format!("User-agent: a{n}\n"))
                    .collect::<String>(),
                &|n| {
                    if n < 10_000 {
                        format!("Disallow: /{n}\n")
                    } else {
                        format!("User-agent: a{}\nAllow: /\n", n % 5_000)
                    }
                },
            ),
        ),
        (
            "delays among agents",
            fill("", &|n| format!("User-agent: a{n}\nCrawl-delay: 1\n")),
        ),
        (
            "pairs with delays",
            fill("", &|n| {
                format!("User-agent: a{n}\nCrawl-delay: 1\nUser-agent: b{n}\nDisallow: /\n")
            }),
        ),
        (
            "nameless agents with delays",
            fill("", &|_| "User-agent:\nCrawl-delay: 1\n".to_owned()),
        ),
        (
            "agents interrupted",
            fill("", &|n| format!("User-agent:a{n}\nx:\n")),
        ),
        (
            "wildcards that nearly match",
            fill(star, &|n| {
                format!("Disallow: /*{}b{}$\n", "aaaa*".repeat(30), n % 7)
            }),
        ),
        (
            "the same for many crawlers",
            fill(
                &(0..20)
                    .map(|n| format!("User-agent: a{n}\n"))
                    .collect::<String>(),
                &|n| format!("Disallow: /*{}b{n}\n", "aaaa*".repeat(10)),
            ),
        ),
        ("the same for crawlers that each have more", {
            let own = (0..200).map(|n| format!("User-agent: a{n}\nAllow: /z\n"));
            let named = (0..200).map(|n| format!("User-agent: a{n}\n"));
            let rules = (0..6_500).map(|n| format!("Disallow: /*{}b{n}\n", "aaaa*".repeat(10)));
            named
                .chain(rules)
                .chain(own)
                .collect::<String>()
                .into_bytes()
        }),
        (
            "nothing understood",
            fill("", &|n| format!("word{n} and more\n")),
        ),
        (
            "misspelt",
            fill(star, &|n| format!("Disalloww{}: /\n", n % 7)),
        ),
        ("no colon at all", vec![b'x'; 500_000]),
        (
            "escapes",
            fill(star, &|_| "Disallow: /".to_owned() + &"%61".repeat(160_000)),
        ),
        ("sitemaps", fill("", &|n| format!("Sitemap: /s{n}\n"))),
        (
            "a web page",
            fill("<html>", &|n| format!("<p>text: {n}</p>\n")),
        ),
        ("no line but ends", vec![b'\r'; 512_000]),
        ("short unknown lines", fill("", &|_| "a\n".to_owned())),
        ("short comments", fill("", &|_| "#\n".to_owned())),
        (
            "groups of one rule",
            fill("", &|_| "useragent:\nallow:\n".to_owned()),
        ),
        (
            "named groups of one rule",
            fill("", &|n| format!("useragent:{n:x}\nallow:/\n")),
        ),
        (
            "a named group with a wildcard",
            fill("", &|n| format!("useragent:{n:x}\nallow:*{n:x}\n")),
        ),
        (
            "rules without a path",
            fill(star, &|_| "allow:\n".to_owned()),
        ),
        (
            "the shortest rules",
            fill(star, &|_| "allow:/\n".to_owned()),
        ),
        ("the same wildcard", fill(star, &|_| "allow:*\n".to_owned())),
        ("the same escape", fill(star, &|_| "allow:/{\n".to_owned())),
        ("short rules", fill(star, &|n| format!("allow:/{n:x}\n"))),
        (
            "short rules of bytes to escape",
            fill(star, &|n| {
                format!("allow:/{}\n", "\u{7f}".repeat(n % 3 + 1))
            }),
        ),
        (
            "rules of bytes to escape",
            fill(star, &|n| format!("allow:/{n}{}\n", "\u{e9}".repeat(200))),
        ),
        ("empty names", fill("", &|_| "useragent:\n".to_owned())),
        ("short names", fill("", &|n| format!("useragent:{n:x}\n"))),
        ("names of one group, again in another", {
            let names = |count: usize| {
                (0..count)
                    .map(|n| format!("useragent:{n:x}\n"))
                    .collect::<String>()
            };
            format!("{}allow:/\n{}disallow:/\n", names(16_000), names(16_000)).into_bytes()
        }),
        ("crawlers with more and more groups", {
            let groups = (0..250).map(|g| {
                let names: String = (g..250).map(|n| format!("useragent:{n:x}\n")).collect();
                format!("{names}disallow:/*{g}a*b\n")
            });
            groups.collect::<String>().into_bytes()
        }),
        ("long rules for many crawlers", {
            let rules: String = (0..1_300)
                .map(|n| format!("disallow:/{n}{}\n", "ab".repeat(150)))
                .collect();
            let names: String = (0..900).map(|n| format!("useragent:{n:x}\n")).collect();
            let own: String = (0..900)
                .map(|n| format!("useragent:{n:x}\nallow:/{n}\n"))
                .collect();
            format!("{names}{rules}{own}").into_bytes()
        }),
        (
            "random letters after a star",
            fill(star, &|n| {
                let bits = (n as u64 + 1)
                    .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                    .rotate_left(17);
                let letter = |at: u32| if bits >> at & 1 == 1 { 'a' } else { 'b' };
                format!("Allow:*{}\n", (0..33).map(letter).collect::<String>())
            }),
        ),
        (
            "the same, long",
            fill(star, &|n| {
                let bits = (n as u64 + 1)
                    .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                    .rotate_left(17);
                let letter = |at: u32| if bits >> (at % 61) & 1 == 1 { 'a' } else { 'b' };
                format!("Allow:*{}\n", (0..2_000).map(letter).collect::<String>())
            }),
        ),
        (
            "braces after a star",
            fill(star, &|n| format!("Allow:*{}\n", "{".repeat(n % 5_450))),
        ),
        (
            "sitemaps that differ in one byte",
            fill("", &|n| format!("sitemap:ftp://{n:x}\n")),
        ),
        (
            "delays without an end",
            fill("", &|_| "crawl-delay:1\n".to_owned()),
        ),
        (
            "delays of one group",
            fill("useragent:a\n", &|_| "crawl-delay:1\n".to_owned()),
        ),
        ("delays among names of wildcards", {
            let names: String = (0..400)
                .map(|n| format!("useragent:{n:x}\ncrawl-delay:1\n"))
                .collect();
            let names_again: String = (0..400)
                .map(|n| format!("useragent:{n:x}\nallow:/{n}\n"))
                .collect();
            let rules: String = (0..4_000)
                .map(|n| format!("disallow:/*{}b{n}\n", "ab*".repeat(25)))
                .collect();
            format!("{names}{rules}{names_again}").into_bytes()
        }),
        (
            "fields that are nearly known",
            fill("", &|n| {
                format!("{}:\n", ["disalo", "usr-agnt", "stemap", "craw-dly"][n % 4])
            }),
        ),
        (
            "a long escape",
            [star.as_bytes(), b"Disallow: /", &b"%".repeat(499_000)].concat(),
        ),
        (
            "wildcard rules of few bytes, nearly all of them needless",
            fill(star, &|n| {
                let byte = |at: usize| char::from(b"**ab"[n >> (2 * at) & 3]);
                let bytes: String = (0..15).map(byte).collect();
                format!("Disallow: /*{bytes}\n")
            }),
        ),
        (
            "one long wildcard rule and its parts",
            [
                star.as_bytes(),
                b"Disallow: /",
                &b"a*".repeat(120_000),
                b"\nAllow: /",
                &b"a*".repeat(120_000),
                b"b\n",
            ]
            .concat(),
        ),
    ];
    for (_, body) in &mut files {
        body.truncate(512_000);
    }
    files
}
