//! `robots test`: recorded expectations hold for their file, and a changed file fails exactly where a verdict changes.

use std::fs;
use std::path::Path;

use robots::{Crawler, Dialect, DifferenceResult, LineKind, Preset, Purpose};
use serde_json::Value;

use crate::filter::Folder;

/// The most bytes of a file: each mutation is one run.
const MOST_BYTES: usize = 20_000;

/// How many files, and how many mutations of each.
const COUNT: usize = 20;

type Source = (String, String, Vec<String>);

/// Returns some of the files, evenly chosen, each with twenty mutations.
fn sources(files: Vec<(String, Vec<u8>)>, count: usize) -> impl Iterator<Item = Source> {
    let read = |(name, body): (String, Vec<u8>)| {
        if body.len() > MOST_BYTES {
            return None;
        }
        let body = String::from_utf8(body).ok()?;
        let mutations = mutations(&body);
        (mutations.len() == COUNT).then_some((name, body, mutations))
    };
    let all: Vec<_> = files.into_iter().filter_map(read).collect();
    assert!(all.len() >= count, "{} files with rules", all.len());
    (0..count).map(move |index| all[index * all.len() / count].clone())
}

/// How a line is changed; `None`: this line is not. Of the ten ways two change no verdict.
fn changed(way: usize, line: &str) -> Option<String> {
    let (field, value) = line.split_once(':')?;
    let (field, value) = (field.trim().to_ascii_lowercase(), value.trim());
    let is_rule = matches!(&*field, "allow" | "disallow") && !value.is_empty();
    let is_agent = field == "user-agent";
    let other = if field == "allow" {
        "Disallow"
    } else {
        "Allow"
    };
    Some(match way {
        0 if is_rule => String::new(),
        1 if is_rule => format!("{other}: {value}"),
        2 if is_rule => "Disallow: /".to_owned(),
        3 if is_agent => "User-agent: SomeoneElse".to_owned(),
        4 if is_agent => format!("{line}\nDisallow: /"),
        5 => format!("# {line}"),
        6 if is_rule => format!("{field}: {value}x"),
        7 if is_rule && value.is_ascii() && value.len() > 1 => format!("{field}: {}", &value[..1]),
        // The same to every reader.
        8 if is_rule => format!("{}:\t{value}  # the same", field.to_uppercase()),
        9 if is_rule => format!("{line}\n{line}"),
        _ => return None,
    })
}

/// Returns twenty mutations of a file, of each way about as many, or fewer if the file has too few lines.
fn mutations(body: &str) -> Vec<String> {
    let lines: Vec<&str> = body.lines().collect();
    let of_way = |way| {
        let at = |index: usize| Some((index, changed(way, lines[index])?));
        (0..lines.len()).filter_map(at).collect::<Vec<_>>()
    };
    let ways: Vec<Vec<(usize, String)>> = (0..10).map(of_way).collect();
    let mut all = Vec::new();
    for round in 0..COUNT.min(lines.len()) {
        for places in &ways {
            // From both ends, so that each group is met.
            let place = match round % 2 {
                0 => Some(round / 2),
                _ => places.len().checked_sub(1 + round / 2),
            };
            let Some((index, line)) = place.and_then(|place| places.get(place)) else {
                continue;
            };
            let mut lines = lines.clone();
            lines[*index] = line;
            let mutation = lines.join("\n") + "\n";
            if all.len() < COUNT && mutation != body && !all.contains(&mutation) {
                all.push(mutation);
            }
        }
    }
    all
}

/// Returns what `-a NAME` is.
fn crawler(name: &str) -> Crawler {
    match name {
        "*" => Crawler::without_token(),
        name => Preset::find(name).map_or_else(
            || Crawler::new(name).unwrap(),
            |preset| preset.crawler().unwrap(),
        ),
    }
}

/// Returns the crawlers of an expectation.
fn crawlers(who: &str) -> Vec<Crawler> {
    let purpose = match who {
        "search" => Purpose::Search,
        "ai-search" => Purpose::AiSearch,
        "training" => Purpose::Training,
        "user-request" => Purpose::UserRequest,
        "ads" => Purpose::Commerce,
        "archive" => Purpose::Archive,
        "seo" => Purpose::Seo,
        "other" => Purpose::Other,
        name => return vec![crawler(name)],
    };
    let of_it = Preset::all().filter(|preset| preset.purpose() == purpose);
    let of_it = of_it.filter(|preset| !preset.ignores_robots_txt());
    of_it.map(|preset| preset.crawler().unwrap()).collect()
}

/// Returns the crawlers of `*` that a file names, and no expectation.
fn newly_named(who: &str, claims: &[&str], new: &str) -> Vec<Crawler> {
    let report = robots::outline(&Crawler::without_token(), new).unwrap();
    let lines = report
        .lines()
        .filter(|line| line.kind == LineKind::UserAgent && who == "*");
    let values = lines.map(|line| report.body()[line.value].to_vec());
    let name = |value: Vec<u8>| {
        let name = Dialect::Rfc9309.agent_name(&value)?.to_vec();
        let name = String::from_utf8(name).ok()?;
        let mut claims = claims.iter().filter_map(|claim| claim.split(' ').next());
        let is_said = claims.any(|claim| claim.eq_ignore_ascii_case(&name));
        let is_new = !is_said && name != "*" && Preset::find(&name).is_none();
        is_new.then(|| Crawler::new(&name).ok())?
    };
    values.filter_map(name).collect()
}

/// Returns whether the library says that an expectation of a record is met by a changed file.
fn is_met(claim: &str, claims: &[&str], old: &str, new: &str) -> bool {
    let words: Vec<&str> = claim.split_whitespace().collect();
    match *words {
        [who, "unchanged"] => crawlers(who)
            .iter()
            .chain(&newly_named(who, claims, new))
            .all(|crawler| {
                let difference = crawler.parse(old).difference(&crawler.parse(new)).unwrap();
                difference.result() == DifferenceResult::None
            }),
        ["sitemap", url] => {
            let rules = Crawler::without_token().parse(new);
            rules.sitemaps().any(|found| found == url.as_bytes())
        }
        ["no", "new", "warnings"] => {
            let faults = |body: &str| {
                let report = robots::lint(&Crawler::without_token(), body).unwrap();
                let lines: Vec<&str> = body.lines().collect();
                let all = report.diagnostics().iter();
                let all = all.filter(|found| found.severity() > robots::Severity::Note);
                let line = |line: u32| {
                    line.checked_sub(1)
                        .map_or("", |at| lines[at as usize].trim())
                };
                all.map(|found| (found.code, line(found.line).to_owned()))
                    .collect::<Vec<_>>()
            };
            let mut known = faults(old);
            let mut new = faults(new).into_iter();
            new.all(|fault| {
                known
                    .iter()
                    .position(|it| *it == fault)
                    .map(|at| known.remove(at))
                    .is_some()
            })
        }
        ["no", "warnings"] => {
            let report = robots::lint(&Crawler::without_token(), new).unwrap();
            report.total(robots::Severity::Error) + report.total(robots::Severity::Warning) == 0
        }
        _ => panic!("{claim}"),
    }
}

/// The library, not the command, says which verdicts a mutation changes: an expectation fails if and only if a crawler that it
/// speaks of loses or gains a URL. Half of the files are ours, the others real ones, or generated ones of their shape.
#[test]
fn recorded_expectations_fail_where_an_answer_changes() {
    let work = Folder::new("expect-recorded");
    let (mut runs, mut failing, mut expectations) = (0, 0, 0);
    let files = sources(crate::gallery::bodies(), COUNT / 2)
        .chain(sources(crate::corpus::files(200), COUNT / 2));
    for (name, body, mutations) in files {
        work.write("robots.txt", &body);
        let (status, record, _) =
            work.run("robots test --record robots.txt 2>/dev/null | tee expect");
        assert_eq!(status, 0, "{name}");
        let (status, out, _) = work.run("robots test expect robots.txt 2>/dev/null");
        assert_eq!(status, 0, "{name}: {out}");
        let claims = record.lines().filter(|line| !line.starts_with(['#', '|']));
        let claims: Vec<&str> = claims.collect();
        for changed in &mutations {
            work.write("changed.txt", changed);
            let (status, out, _) = work.run("robots test --json expect changed.txt 2>/dev/null");
            let rows: Vec<Value> = out
                .lines()
                .map(|row| serde_json::from_str(row).unwrap())
                .collect();
            assert_eq!(rows.len(), claims.len(), "{name}");
            let mut failures = 0;
            for (claim, row) in claims.iter().zip(&rows) {
                let is_met = is_met(claim, &claims, &body, changed);
                assert_eq!(row["passed"], is_met, "{name}: {row}\n{changed}");
                failures += u32::from(!is_met);
                expectations += 1;
            }
            assert_eq!(status, i32::from(failures > 0), "{name}");
            failing += u32::from(failures > 0);
            runs += 1;
        }
    }
    println!("{runs} mutations, {failing} of them fail; {expectations} expectations");
    assert_eq!(runs, COUNT * COUNT);
    // The others change no verdict: an expectation that always fails would pass the test above if all changed one.
    assert!((100..380).contains(&failing), "{failing}");
}

/// Returns changes of a file that owners make and regret.
fn regretted(body: &str) -> Vec<String> {
    let lines: Vec<&str> = body.lines().collect();
    let mut all = vec![
        format!("{body}\n\nUser-agent: Googlebot\nDisallow: /\n"),
        format!("User-agent: *\nDisallow: /\n\n{body}"),
    ];
    for (index, line) in lines.iter().enumerate() {
        let mut with = |text: String| {
            let mut lines = lines.clone();
            lines[index] = &text;
            all.push(lines.join("\n") + "\n");
        };
        let Some((field, value)) = line.split_once(':') else {
            continue;
        };
        let (field, value) = (field.trim().to_ascii_lowercase(), value.trim());
        match &*field {
            "user-agent" => with(format!("{line}\nUser-agent: Googlebot")),
            "allow" => {
                with(String::new());
                with(format!("Disallow: {value}"));
            }
            "disallow" => {
                for path in ["/", "/products/", "/*.css$", "/*?", "/*.js"] {
                    with(format!("{line}\nDisallow: {path}"));
                }
                if let Some((start, _)) = value.trim_end_matches('/').rsplit_once('/') {
                    with(format!("Disallow: {start}/"));
                    with(format!("Disallow: {start}/x*"));
                }
                if value.len() > 2 && value.is_ascii() {
                    with(format!("Disallow: {}", &value[..value.len() - 1]));
                }
            }
            _ => {}
        }
    }
    all
}

/// 200 changes of 20 files that take a page from Googlebot: each fails, by the expectation of search.
#[test]
fn a_lost_googlebot_is_seen() {
    let work = Folder::new("expect-lost");
    let googlebot = crawler("Googlebot");
    let probes = |body: &str| -> Vec<String> {
        let paths = body.lines().filter_map(|line| line.split_once(':'));
        let paths = paths.map(|(_, path)| path.trim().replace(['*', '$'], ""));
        let paths = paths.filter(|path| path.starts_with('/'));
        let fixed = ["/", "/products/1", "/a.css", "/x?y", "/a.js", "/x"].map(str::to_owned);
        paths
            .flat_map(|path| [format!("{path}x"), path])
            .chain(fixed)
            .collect()
    };
    let (mut files, mut runs, mut accepted) = (0, 0, 0);
    for (name, body) in crate::corpus::files(400) {
        // Each line has several changes.
        let body = String::from_utf8(body)
            .ok()
            .filter(|body| body.len() < MOST_BYTES / 8);
        let Some(body) = body.filter(|_| files < COUNT) else {
            continue;
        };
        let old = googlebot.parse(&body);
        let takes_a_page = |new: &String| {
            let rules = googlebot.parse(new);
            let lost = |url: &String| {
                old.is_allowed(url) && rules.check(url).error().is_none() && !rules.is_allowed(url)
            };
            [probes(&body), probes(new)].concat().iter().any(lost)
        };
        let mutations: Vec<String> = regretted(&body).into_iter().filter(takes_a_page).collect();
        if mutations.len() < COUNT / 2 {
            continue;
        }
        files += 1;
        work.write("robots.txt", &body);
        work.run("robots test --record robots.txt 2>/dev/null >expect");
        // Evenly chosen: each way of change is met.
        for index in 0..COUNT / 2 {
            let changed = &mutations[index * mutations.len() / (COUNT / 2)];
            work.write("changed.txt", changed);
            let (status, out, _) = work.run("robots test expect changed.txt 2>/dev/null");
            assert_eq!(status, 1, "{name}: {out}\n{changed}");
            let failed = out
                .lines()
                .skip_while(|line| !line.contains(": search unchanged"));
            let why = failed.take(2).collect::<Vec<_>>().join("\n");
            assert!(
                why.contains("Googlebot") && why.contains("may no longer fetch"),
                "{name}: {out}\n{changed}"
            );
            runs += 1;
            // The lines that it shows accept the change.
            let lines = out.lines().filter_map(|line| line.strip_prefix("  "));
            let lines: Vec<&str> = lines.filter(|line| line.contains("changed ")).collect();
            let hint = match lines.is_empty() {
                true => "meant, record again\n",
                false => "meant, record again, or add to expect:\n",
            };
            assert!(out.contains(hint), "{name}: {out}");
            accepted += usize::from(!lines.is_empty());
            if !lines.is_empty() {
                work.write("lines", &(lines.join("\n") + "\n"));
                let (_, out, err) =
                    work.run("cat lines expect >more; robots test more changed.txt 2>&1");
                assert!(
                    !out.contains("unchanged\n") && out.contains("passed"),
                    "{name}: {out}{err}\n{lines:?}\n{changed}"
                );
            }
        }
    }
    println!("{accepted} of {runs} changes have lines that accept them");
    assert!(accepted * 10 > runs * 6, "{accepted} of {runs}");
    assert_eq!((files, runs), (COUNT, COUNT * COUNT / 2));
}

/// A change that is meant is accepted by a line, and no other change with it.
#[test]
fn a_change_that_is_meant_is_accepted_by_a_line() {
    let work = Folder::new("expect-accepted");
    work.write("old.txt", "User-agent: *\nDisallow: /cart/\n");
    work.write("new.txt", "User-agent: *\nDisallow: /cart/\nDisallow: /archive/\n\nUser-agent: bingbot\nDisallow: /\n");
    work.run("robots test --record old.txt >expect");
    let failed = |lines: &str| {
        let line = format!("(printf '{lines}'; cat expect) >more; robots test more new.txt");
        let (status, out, _) = work.run(&line);
        let mut failed: Vec<String> = Vec::new();
        for line in out.lines() {
            if line.starts_with("failed") {
                failed.push(line.split(": ").nth(1).unwrap().to_owned());
            }
            let same = line.trim_start().strip_prefix("the same for ");
            let same = same.into_iter().flat_map(|names| names.split(", "));
            failed.extend(same.map(|name| format!("{name} unchanged")));
        }
        assert_eq!(status, i32::from(!failed.is_empty()), "{out}");
        (failed.join(", "), out)
    };
    let others = [
        "ai-search",
        "training",
        "user-request",
        "ads",
        "archive",
        "seo",
        "other",
    ];
    let others = others.map(|name| format!("{name} unchanged")).join(", ");
    let is = |lines: &str, wanted: &str| {
        let (failed, out) = failed(lines);
        assert_eq!(failed, wanted, "{lines}: {out}");
        out
    };
    is(
        "",
        &format!("search unchanged, {others}, * unchanged, no warnings"),
    );
    is("changed /archive/\n", "search unchanged, no warnings");
    is("changed /archive/\nbingbot changed /\n", "no warnings");
    // For others the change is not accepted.
    is(
        "bingbot changed /\n* changed /archive/\nsearch changed /archive\n",
        &format!("{others}, no warnings"),
    );
    is(
        "changed /archive/$\nbingbot changed /\n",
        &format!("search unchanged, {others}, * unchanged, no warnings"),
    );
    let out = is(
        "changed /archive/\nbingbot changed /\nGooglebot changed /tea/\n",
        "no warnings",
    );
    assert!(
        out.contains("no change needs this line: remove it"),
        "{out}"
    );
    let out = is(
        "changed /archive/\nbingbot changed /\nchanged /archive/\n",
        "no warnings",
    );
    assert_eq!(out.matches("remove it").count(), 1, "{out}");
    // A list is each of its crawlers, except the tokens of one.
    is(
        "changed /archive/\nGPTBot,bingbot changed /\n",
        "no warnings",
    );
    work.write("two.txt", "User-agent: GPTBot\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /a\n\nUser-agent: Googlebot-Image\nDisallow: /a\n");
    for (line, wanted) in [
        ("bingbot,GPTBot allow /", "GPTBot is disallowed: line 2"),
        ("bingbot,training allow /", "GPTBot is disallowed: line 2"),
        (
            "*,Googlebot-Image allow /a",
            "Googlebot-Image is disallowed: line 8",
        ),
        (
            "Googlebot-Image,Googlebot allow /a",
            "Googlebot-Image is disallowed: line 8",
        ),
        ("Googlebot-Image,Googlebot deny /a", "1 passed"),
        (
            "Googlebot,Googlebot-Image deny /a",
            "Googlebot is allowed: line 5",
        ),
        (
            "GPTBot,gptbot,training allow /",
            "        two.txt: GPTBot is",
        ),
    ] {
        let (_, out, err) = work.run(&format!("echo '{line}' | robots test - two.txt"));
        assert!(out.contains(wanted), "{line}: {out}{err}");
    }
    for lines in ["Changed x", "changed deny /a", "no deny /a"] {
        let (status, _, err) = work.run(&format!(
            "(echo '{lines}'; cat expect) >more; robots test more new.txt"
        ));
        assert_eq!(status, 2, "{lines}: {err}");
    }
    // A crawler that is named anew was part of everyone else.
    work.write(
        "named.txt",
        "User-agent: *\nDisallow: /cart/\n\nUser-agent: NewBot\nDisallow: /\n",
    );
    let (status, out, _) = work
        .run("printf '\\357\\273\\277' >mark; cat mark expect >more; robots test more named.txt");
    assert!(
        status == 1 && out.contains("NewBot may no longer fetch / (line 5)"),
        "{out}"
    );
    // A strict reader skips a line that has lost its colon; all that is compared reads it.
    work.write("old.txt", "User-agent: *\nDisallow: /cart\nDisallow: /cart\n\nUser-agent: bingbot\nDisallow: /cart\n\nUser-agent: GPTBot\nDisallow: /\n");
    let line = "sed 's/^User-agent: GPT/User-agent GPT/' old.txt >new.txt; robots test --record old.txt >faulty 2>/dev/null; robots test faulty old.txt && robots test faulty new.txt";
    let (status, out, _) = work.run(line);
    assert!(
        status == 1 && out.contains("no new warnings\n") && out.contains("R024"),
        "{out}"
    );
    // No verdict changes, and search is lost all the same.
    let line = "sed 's/^Disallow/Content-Signal: search=no\\nDisallow/' old.txt >signal.txt; robots test --record old.txt >faulty 2>/dev/null; robots test faulty signal.txt";
    let (status, out, _) = work.run(line);
    assert!(status == 1 && out.contains("R088"), "{out}");
    for path in ["/", "*", "/**", "/*$", "*$"] {
        let (status, ..) = work.run(&format!(
            "(echo 'changed {path}'; cat expect) >more; robots test more new.txt"
        ));
        assert_eq!(status, 2, "{path}");
    }
    // What is not compared is not called proved.
    for (count, wanted) in [(200, 0), (201, 1)] {
        let names = (0..count).map(|number| format!("User-agent: Bot{number}\n"));
        let names: String = names.collect();
        let file = format!("{names}User-agent: *\nDisallow: /cart/\n");
        work.write("named.txt", &file);
        let (status, out, _) = work.run("robots test expect named.txt");
        assert_eq!(
            (status, out.contains("not decided for Bot200")),
            (wanted, wanted == 1),
            "{out}"
        );
    }
    // However many crawlers it names, a file is as it was recorded.
    let (status, out, _) =
        work.run("robots test --record named.txt >many 2>/dev/null; robots test many named.txt");
    assert!(status == 0 && out.contains("proved for all URLs"), "{out}");
    let (status, _, err) =
        work.run("(echo 'changed /*'; cat expect) >more; robots test more new.txt");
    assert!(
        status == 2 && err.contains("record the file again instead"),
        "{err}"
    );
}

/// A name that no well-known crawler and no group has is the word for a purpose, or an own crawler.
#[test]
fn a_name_that_nobody_has_is_said() {
    let work = Folder::new("expect-names");
    work.write("robots.txt", "User-agent: *\nDisallow: /cart/\n");
    work.write(
        "named.txt",
        "User-agent: *\nDisallow: /cart/\n\nUser-agent: archiver\nUser-agent: Acme\nDisallow: /\n",
    );
    for (word, purpose) in [
        ("serch", "`search`"),
        ("Saerch", "`search`"),
        ("searches", "`search`"),
        ("engines", "`search`"),
        ("ai-serach", "`ai-search`"),
        ("ai", "`ai-search` or `training`"),
        ("train", "`training`"),
        ("trainings", "`training`"),
        ("ai-training", "`training`"),
        ("user", "`user-request`"),
        ("user_request", "`user-request`"),
        ("shops", "`ads`"),
        ("archve", "`archive`"),
        ("archiver", "`archive`"),
    ] {
        for claim in ["deny /cart/", "unchanged", "changed /cart/"] {
            let line = format!(
                "(robots test --record robots.txt; echo 'Googlebot,{word} {claim}') >expect; robots test expect robots.txt"
            );
            let (status, out, err) = work.run(&line);
            let wanted = format!(
                "expect:14: {word} is no well-known crawler and no group of the file: write {purpose}, or `*` for everyone whom the file does not name"
            );
            assert!(status == 2 && err.contains(&wanted), "{word}: {out}{err}");
        }
    }
    for (word, wanted) in [
        ("bots", "bots names no crawler: everyone is `*`"),
        ("crawlers", "crawlers names no crawler: everyone is `*`"),
        ("Google", "Google names an operator, not a crawler"),
        ("Googlbot", "write `Googlebot`, if that crawler is meant"),
    ] {
        for claim in ["deny /cart/", "unchanged", "changed /cart/"] {
            let line = format!(
                "(robots test --record robots.txt; echo '{word} {claim}') | robots test - robots.txt"
            );
            let (status, out, err) = work.run(&line);
            assert!(status == 2 && err.contains(wanted), "{word}: {out}{err}");
        }
    }
    // An own crawler is said once, in each format; one that a file names, or the one that was recorded, is not.
    let note = "Acme is no well-known crawler (`robots crawlers`) and no group of the file: what holds for `*` holds for it";
    for (line, times) in [
        ("robots test - robots.txt", 1),
        ("robots test --json - robots.txt", 1),
        ("robots test --format github - robots.txt", 1),
        ("robots test - named.txt robots.txt", 0),
        (
            "(cat; echo '| User-agent: Acme') | robots test - robots.txt",
            0,
        ),
    ] {
        let lines = format!("printf 'Acme deny /cart/\\nacme deny /cart/2\\n' | {line}");
        let (status, out, err) = work.run(&lines);
        assert_eq!(
            (status, out.matches(note).count()),
            (0, times),
            "{line}: {out}{err}"
        );
    }
    for line in [
        "archiver deny /",
        "SEARCH deny /cart/",
        "seob deny /cart/",
        "Researchbot deny /cart/",
    ] {
        let (status, out, err) = work.run(&format!("echo '{line}' | robots test - named.txt"));
        assert_eq!(status, 0, "{line}: {out}{err}");
    }
    let (_, _, err) = work.run("robots check -a search robots.txt /");
    assert!(
        err.contains("search names a purpose, not a crawler: write a name such as Googlebot"),
        "{err}"
    );
}

/// On a terminal `robots new` asks for recipes, and before it writes over a file.
#[test]
fn new_asks_on_a_terminal() {
    let folder = Folder::new("new-asks");
    let ask = |answers: &str| {
        let line = format!(
            "printf '{answers}' | script -qec 'robots new --from robots.txt -o robots.txt; echo status $?' /dev/null | tr -d '\\r'"
        );
        let (_, out, _) = folder.run(&line);
        let file = folder.run("cat robots.txt").1;
        (out, file)
    };
    let before = "User-agent: *\nDisallow: /a/\n";
    folder.write("robots.txt", before);
    let (out, file) = ask("99\\n3\\ncart\\n3\\n/cart/, /checkout/\\n\\n\\nn\\n");
    assert_eq!(file, before, "{out}");
    for said in [
        "give a number from 1 to 15",
        "a path starts with `/`",
        "folder: /cart/, /checkout/ for everyone",
        "+Disallow: /checkout/",
        "- crawlers may not fetch URLs that start with /cart/, /checkout/",
        "Write over",
        "status 1",
    ] {
        assert!(out.contains(said), "{said}: {out}");
    }
    let (out, file) = ask("3\\n/cart/\\n\\n\\ny\\n");
    assert_eq!(file, format!("{before}Disallow: /cart/\n"), "{out}");
    assert!(out.contains("status 0"), "{out}");
    // A wildcard, and characters; an operator, and chosen crawlers.
    folder.write("robots.txt", before);
    let (out, file) = ask(
        "4\\n/*?sort= /a*b\\n\\nn\\n\\n11\\nopenai\\n5\\npdf\\nbing, GTPBot\\n5\\npdf\\nbing, AcmeBot\\n\\ny\\n",
    );
    for said in [
        "/*?sort=: does `*` stand for any text",
        "file: /*?sort=, /a%2Ab for everyone",
        "all-but: openai (OAI-SearchBot, GPTBot, ChatGPT-User)",
        "GTPBot is nearly GPTBot: write GPTBot",
        "type: pdf for bing (bingbot), AcmeBot",
        "status 0",
    ] {
        assert!(out.contains(said), "{said}: {out}");
    }
    for line in [
        "Disallow: /*?sort=",
        "Disallow: /a%2Ab",
        "User-agent: GPTBot",
        "User-agent: bingbot",
        "Disallow: /*.PDF$",
    ] {
        assert!(file.lines().any(|other| other == line), "{line}: {file}");
    }
}

/// Without `--output` and with questions the command asks where to write.
#[test]
fn new_asks_for_the_file() {
    let folder = Folder::new("new-asks-file");
    let run = |answers: &str| {
        let line =
            format!("printf '{answers}' | script -qec 'robots new; echo status $?' /dev/null");
        folder.run(&line).1
    };
    let out = run("1\\n\\n\\nnew.txt\\n").replace('\r', "");
    assert!(
        out.contains("keep-all-out for everyone") && out.contains("status 0"),
        "{out}"
    );
    assert_eq!(
        folder.run("cat new.txt").1,
        "User-agent: *\nDisallow: /\n",
        "{out}"
    );
    // It is not lost.
    let out = run("2\\n\\n\\nnew.txt\\nn\\n");
    assert!(
        out.contains("Write over new.txt?") && out.contains("status 1"),
        "{out}"
    );
    assert_eq!(
        folder.run("cat new.txt").1,
        "User-agent: *\nDisallow: /\n",
        "{out}"
    );
}

/// The action lints and tests, and fails if one of them does; the hooks name commands that exist.
#[test]
fn the_action_and_the_hooks() {
    let action = concat!(env!("CARGO_MANIFEST_DIR"), "/action/check");
    for (file, expectations, status) in [
        ("shop-new.txt", "", 0),
        ("shop-new.txt", "shop.expect", 1),
        ("shop.txt", "shop.expect", 0),
        ("faulty.txt", "", 1),
        ("no-such-file.txt", "", 2),
    ] {
        let line = format!("ROBOTS_TXT={file} EXPECTATIONS={expectations} {action}");
        let output = crate::shell(&line);
        assert_eq!(output.status.code(), Some(status), "{line}: {output:?}");
    }
    // By default the action fails for a file that no search engine may read.
    let settings = include_str!("../../action/action.yml").lines();
    let mut settings = settings.skip_while(|line| line.trim() != "deny:");
    let deny = settings.find_map(|line| line.trim().strip_prefix("default: "));
    let line = format!(
        "cd $TMPDIR; printf 'User-agent: *\\nDisallow: /\\n' >shut.txt; ROBOTS_TXT=shut.txt DENY={} {action}",
        deny.unwrap()
    );
    let output = crate::shell(&line);
    assert_eq!(output.status.code(), Some(1), "{line}: {output:?}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let hooks = fs::read_to_string(root.join(".pre-commit-hooks.yaml")).unwrap();
    let entries = hooks
        .lines()
        .filter_map(|line| line.trim().strip_prefix("entry: "));
    let entries: Vec<&str> = entries.collect();
    assert_eq!(entries, ["robots lint --deny warnings", "robots test"]);
    for entry in entries {
        assert_eq!(
            crate::shell(&format!("{entry} --help")).status.code(),
            Some(0)
        );
    }
}
