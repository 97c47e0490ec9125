//! Gives advice on how to turn a verdict into its opposite: a line to add, or lines to change or remove.

use core::fmt::Write as _;
use std::collections::HashSet;

use super::explain::Explanation;
use super::lint::{LineKind, Report, outline};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::verdict::{Reason, Verdict};
use crate::bytes::display::listed;
use crate::core::parse::file_kind::FileKind;
use crate::crawler::Crawler;
use crate::crawler::options::ReadOptions;
use crate::crawler::preset::Preset;

/// The name for all crawlers without a group of their own.
const EVERYONE: &str = "*";

/// Upper bound on the names of groups that are tried: a hostile file has tens of thousands of names.
const MOST_NAMED: usize = 200;

const MOST_LINES: usize = 5;

/// Returns advice in lines of text: which line of `body` to add, change or remove so that the explained verdict becomes the
/// opposite. The advice names the other crawlers for which the change has the same effect. `name`: the name of the crawler, or
/// `*`. `dialect`: the dialect of the other crawlers; if it is `None`, each crawler reads the file in its own dialect.
///
/// ```
/// let crawler = robots::Crawler::new("ExampleBot")?;
/// let body = "User-agent: *\nDisallow: /shop\n";
/// let why = robots::explain(&crawler, body, "/shop/tea")?;
/// assert_eq!(
///     robots::verdict_advice(&why, body.as_bytes(), "ExampleBot", None)?,
///     "To let ExampleBot fetch /shop/tea, add \"Allow: /shop/tea\" after line 2; that holds for all crawlers without a group of their own.\n"
/// );
/// # Ok::<(), robots::Error>(())
/// ```
///
/// # Errors
/// [`Error::Memory`] on allocation failure.
pub fn verdict_advice(
    why: &Explanation,
    body: &[u8],
    name: &str,
    dialect: Option<Dialect>,
) -> Result<String, Error> {
    let advice = Advice {
        why,
        body,
        name,
        dialect,
        file: Names::of(&why.crawler, body)?,
    };
    Ok(advice.sentence())
}

/// A search for a change that turns a verdict into its opposite. Each change is tried before it is suggested.
struct Advice<'a> {
    why: &'a Explanation,
    body: &'a [u8],
    name: &'a str,
    dialect: Option<Dialect>,
    file: Names,
}

impl Advice<'_> {
    /// Returns a line that turns the verdict around, or lines to remove, as a sentence.
    fn sentence(&self) -> String {
        let why = self.why;
        let is_allowed = why.verdict.allowed();
        let (page, name) = (self.page(), self.name);
        let name = if name == EVERYONE {
            "everyone else"
        } else {
            name
        };
        let (to, field) = match is_allowed {
            true => (format!("To keep {name} out of {page}"), "Disallow"),
            false => (format!("To let {name} fetch {page}"), "Allow"),
        };
        if why.verdict.reason() == Reason::RobotsTxt {
            return "No rule changes that: every crawler may fetch the robots.txt.\n".to_owned();
        }
        let kind = FileKind::detect(self.body);
        if !kind.may_hold_rules() {
            return format!(
                "The file is {}, not a robots.txt: serve the rules as plain text in UTF-8 at /robots.txt, or answer 404 if there are none.\n",
                kind.description()
            );
        }
        let rules = self.paths().into_iter();
        let rules: Vec<String> = rules.map(|path| format!("{field}: {path}")).collect();
        if why.agents.is_empty() {
            return self.new_group(&to, &rules);
        }
        // If several rules match, the first rule wins in koster1996, and the longest rule in the other dialects.
        let is_before = why.dialect() == Dialect::Koster1996;
        let (line, after, place) = match (deciding_line(why.verdict), why.agents.last()) {
            // The group has no rule for the URL, so the place within the group does not matter.
            (None, Some(agent)) => {
                let line = agent.line;
                let place = format!("to the rules of the group of line {line}");
                (line, self.file.end_of(line).max(line), place)
            }
            (None, None) => return String::new(),
            (Some(line), _) => {
                let word = if is_before { "before" } else { "after" };
                let after = line - u32::from(is_before);
                (line, after, format!("{word} line {line}"))
            }
        };
        let mut first = None;
        let with = |rule: &str| {
            let tried = insert(self.body, after as usize, rule);
            self.turns(&why.crawler, &tried).then_some(tried)
        };
        for rule in &rules {
            let Some(tried) = with(rule) else { continue };
            let opened = self.opened(&tried);
            // For a page, open only this page. For a folder, open the files in it, too.
            let exact = format!("{rule}$");
            let is_page = opened.is_some() && !rule.ends_with('/') && rules.contains(&exact);
            let is_folder = !is_allowed && rule.ends_with('/') && rules.contains(&exact);
            let alone = with(&exact).filter(|_| is_page);
            let (rule, tried, also) = match alone {
                Some(alone) => (&exact, alone, "Without its \"$\" the line would also open"),
                None => (rule, tried, "The line also opens"),
            };
            let (others, is_for_all) = self.others(&[line], &tried);
            let mut said = format!("{to}, add \"{rule}\" {place}{others}.\n");
            if let Some((url, line)) = opened {
                let _ = writeln!(said, "{also} {url}, which line {line} forbids.");
            }
            if is_folder && with(&format!("{rule}$")).is_some() {
                let _ = writeln!(
                    said,
                    "To open {page} alone, and nothing below it, write \"{rule}$\"."
                );
            }
            if is_for_all {
                return said;
            }
            first = first.or(Some(said));
        }
        if let Some(said) = first {
            return said;
        }
        match self.deciding_lines() {
            Some((lines, tried)) => {
                let (others, _) = self.others(&lines, &tried);
                format!("{to}, change or remove {}{others}.\n", shown(&lines))
            }
            None => self.no_line(),
        }
    }

    /// Returns the path of the URL, for use in a sentence.
    fn page(&self) -> String {
        sent_path(&self.why.url).replace(char::is_whitespace, "%20")
    }

    /// Returns the advice if no rule with the path turns the verdict around.
    fn no_line(&self) -> String {
        let page = self.page();
        format!(
            "No rule with the path {page} changes that: change or remove the rules that match {page}.\n"
        )
    }

    /// Returns a URL that a file opens in addition to the page, and the line that now forbids this URL. This line does not
    /// forbid the page.
    fn opened(&self, tried: &[u8]) -> Option<(String, u32)> {
        let (lines, _) = self.deciding_lines()?;
        let mut body = self.body.to_vec();
        for line in lines.iter().filter(|_| !self.why.verdict.allowed()) {
            // A rule without a path decides nothing, and ends the user-agent lines before it.
            let start = start_of(&body, *line as usize - 1);
            body.splice(start..start, *b"Disallow:#");
        }
        let crawler = &self.why.crawler;
        let found = crawler
            .parse(&*body)
            .difference(&crawler.parse(tried))
            .ok()?;
        found.paths().find_map(|path| {
            let [old, new] = path.verdicts();
            let line = deciding_line(old).filter(|_| new.allowed() && !old.allowed())?;
            Some((path.path().to_owned(), line))
        })
    }

    /// Returns the lines to remove so that the verdict changes, and the file without these lines. Removes the deciding line
    /// until the verdict changes.
    fn deciding_lines(&self) -> Option<(Vec<u32>, Vec<u8>)> {
        let why = self.why;
        let mut lines: Vec<u32> = Vec::new();
        let mut body = self.body.to_vec();
        loop {
            let verdict = why.crawler.parse(&*body).check(&why.url);
            if verdict.allowed() != why.verdict.allowed() {
                break;
            }
            let line = deciding_line(verdict).filter(|_| lines.len() < MOST_LINES)?;
            // The line becomes a comment. If the line were removed, two groups might become one.
            let start = start_of(&body, line as usize - 1);
            body.insert(start, b'#');
            lines.push(line);
        }
        Some((lines, body))
    }

    /// Returns paths of rules for the URL, the narrowest first. The dialect and other rules determine which of these paths
    /// decides.
    fn paths(&self) -> Vec<String> {
        let path = String::from_utf8_lossy(&self.why.path);
        let has_blank = path.contains(char::is_whitespace);
        let escaped = path.replace(char::is_whitespace, "%20");
        if self.why.dialect() == Dialect::Koster1996 {
            return vec![escaped];
        }
        // In a rule, `*` is a wildcard and a last `$` is the end of the URL (SPEC 8.3, 8.4).
        let literal = |path: &str| path.replace('*', "%2A").replace('$', "%24");
        let escaped = literal(&escaped);
        // A rule with this path would be for the whole site.
        if escaped == "/" {
            return vec!["/$".to_owned()];
        }
        // The longest rule wins; if two rules have the same length, the allow rule wins.
        let mut paths = ["", "$"].map(|end| format!("{escaped}{end}")).to_vec();
        if has_blank {
            paths.push(literal(&path).replace(char::is_whitespace, "*"));
            return paths;
        }
        // Some crawlers compare escapes and an empty query differently from RFC 9309.
        let sent = sent_path(&self.why.url);
        // A path with a wildcard matches more than this URL.
        if !sent.contains('*') || self.why.dialect() == Dialect::Google {
            paths.extend(["", "$"].map(|end| format!("{sent}{end}")));
        }
        paths.extend(sent.strip_suffix('?').map(str::to_owned));
        paths
    }

    /// Returns the lines of a first group for the crawler, as a sentence.
    fn new_group(&self, to: &str, rules: &[String]) -> String {
        let name = self.name;
        let with = |rule: &str| {
            let lines = format!("\nUser-agent: {name}\n{rule}\n");
            [self.body, lines.as_bytes()].concat()
        };
        let mut rules = rules.iter();
        let Some(rule) = rules.find(|rule| self.turns(&self.why.crawler, &with(rule))) else {
            return self.no_line();
        };
        let tried = with(rule);
        let is_it = |other: &&str| other.eq_ignore_ascii_case(name);
        let is_follower = |it: &Preset| it.tokens().iter().skip(1).any(is_it);
        let mut followers: Vec<Preset> = Preset::all().filter(is_follower).collect();
        // People do not expect that crawlers of other operators obey the group.
        let operator = Preset::find(name).and_then(|preset| preset.documentation());
        followers.sort_by_key(|preset| preset.documentation() == operator);
        let followers: Vec<String> = followers.iter().map(|it| it.name().to_owned()).collect();
        let followers = self.turned(&followers, &tried);
        let others = match followers.len() {
            0 => String::new(),
            _ => format!("; that holds for {}, too", listed(&followers)),
        };
        // If the last group has no rules, a new user-agent line would join it.
        let mut names = self.file.of_groups(&[self.file.report.group_count()]);
        names.truncate(MOST_NAMED);
        match self.turned(&names, &tried).is_empty() {
            true => format!(
                "{to}, add the lines \"User-agent: {name}\" and \"{rule}\" at the end of the file{others}.\n"
            ),
            false => format!(
                "{to}, add the lines \"Disallow:\", \"User-agent: {name}\" and \"{rule}\" at the end of the file: the first ends the group of {}{others}.\n",
                listed(&names)
            ),
        }
    }

    /// Returns whether a file turns the verdict of a crawler around.
    fn turns(&self, crawler: &Crawler, tried: &[u8]) -> bool {
        let is_allowed = |body| crawler.parse(body).is_allowed(&self.why.url);
        is_allowed(tried) != is_allowed(self.body)
    }

    /// Returns the names of crawlers whose verdict a file turns around.
    fn turned(&self, names: &[String], tried: &[u8]) -> Vec<String> {
        // A name that is no valid token has no crawler.
        let is_turned = |name: &&String| {
            let crawler = self.named(name);
            crawler.is_some_and(|crawler| self.turns(&crawler, tried))
        };
        names.iter().filter(is_turned).cloned().collect()
    }

    /// Returns another crawler by its name; `None` if this crawler ignores every robots.txt, or if its dialect does not permit
    /// the name.
    fn named(&self, name: &str) -> Option<Crawler> {
        let preset = Preset::find(name);
        if preset.is_some_and(|preset| preset.ignores_robots_txt()) {
            return None;
        }
        let tokens: &[&str] = match &preset {
            Some(preset) => preset.tokens(),
            None if name == EVERYONE => &[],
            None => &[name],
        };
        let is_token = |dialect: Dialect| tokens.iter().all(|it| dialect.token_fault(it).is_none());
        let own = preset.map(|preset| preset.dialect());
        let given = self.dialect.filter(|it| own.is_none() || is_token(*it));
        let mut crawler = Crawler::without_token();
        crawler.reading = ReadOptions {
            dialect: given.or(own).unwrap_or_default(),
            ignore_star: preset.is_some_and(|preset| preset.ignores_star()),
            merge_tokens: false,
            ..self.why.crawler.reading
        };
        tokens.iter().try_fold(crawler, Crawler::with_token).ok()
    }

    /// Returns, as a part of a sentence, the crawlers for which a file turns the verdict around. Only crawlers that obey the
    /// groups of some `lines` count. The `bool` is false if one of the groups is for `*`, and the verdict of some crawler that
    /// obeys `*` stays.
    fn others(&self, lines: &[u32], tried: &[u8]) -> (String, bool) {
        let groups = lines.iter().filter_map(|line| self.file.report.line(*line));
        let groups: Vec<u32> = groups.map(|line| line.group).collect();
        let agents = self.file.of_groups(&groups).into_iter().take(MOST_NAMED);
        let well_known = Preset::all().filter(|preset| self.file.has_any(preset.tokens()));
        let well_known = well_known.map(|preset| preset.name().to_owned());
        let mut names: Vec<String> = Vec::new();
        for name in agents.chain(well_known) {
            let is_it = |other: &str| other.eq_ignore_ascii_case(&name);
            if !is_it(self.name) && !names.iter().any(|other| is_it(other)) {
                names.push(name);
            }
        }
        let has_star = self.name == EVERYONE || names.iter().any(|name| name == EVERYONE);
        names.retain(|name| name != EVERYONE);
        let names = self.turned(&names, tried);
        let is_turned = |dialect| {
            let crawler = Crawler::without_token().with_dialect(dialect);
            crawler.is_ok_and(|crawler| self.turns(&crawler, tried))
        };
        let own = match self.dialect.unwrap_or_default() {
            Dialect::Google => Dialect::Rfc9309,
            own => own,
        };
        let [standard, google] = [own, Dialect::Google].map(|it| has_star && is_turned(it));
        let everyone = match (standard, google) {
            (true, true) => "all crawlers without a group of their own",
            (true, false) => "all crawlers without a group of their own, except those of Google",
            (false, true) => "the crawlers of Google without a group of their own",
            (false, false) => "",
        };
        let shown = listed(&names);
        let others = match (names.is_empty(), everyone) {
            (true, "") => String::new(),
            (true, everyone) => format!("; that holds for {everyone}"),
            (false, "") => format!("; that holds for {shown}, too"),
            (false, everyone) => format!("; that holds for {shown}, and {everyone}"),
        };
        (others, !has_star || standard && google)
    }
}
/// The names on the user-agent lines of a file, as RFC 9309 reads them.
struct Names {
    report: Report,
    /// Each name with its group, in file order. Some names have a shorter form. Crawlers whose token has no digit and no dot
    /// read that form (SPEC 7.3).
    list: Vec<(u32, String, Option<String>)>,
}

impl Names {
    fn of(crawler: &Crawler, body: &[u8]) -> Result<Names, Error> {
        let mut reader = Crawler::without_token();
        reader.reading = ReadOptions {
            dialect: Dialect::Rfc9309,
            ..crawler.reading
        };
        let report = outline(&reader, body)?;
        let named = |group: u32, value: &[u8]| {
            let read = |dialect: Dialect| dialect.agent_name(value).map(String::from_utf8_lossy);
            let name = read(Dialect::Rfc9309)?;
            let short = read(Dialect::Google).filter(|short| *short != name);
            Some((group, name.into_owned(), short.map(|it| it.into_owned())))
        };
        let lines = report.lines();
        let lines = lines.filter(|line| line.kind == LineKind::UserAgent && line.group > 0);
        let list = lines.filter_map(|line| named(line.group, report.body().get(line.value)?));
        Ok(Names {
            list: list.collect(),
            report,
        })
    }

    /// Returns the names of crawlers that obey some groups, each name once.
    fn of_groups(&self, groups: &[u32]) -> Vec<String> {
        let own = self.list.iter().filter(|(it, ..)| groups.contains(it));
        let forms = own.flat_map(|(_, name, short)| [Some(name), short.as_ref()]);
        let lower = |name: &String| name.to_ascii_lowercase();
        let mut left: HashSet<String> = forms.flatten().map(lower).collect();
        let names = self.list.iter().map(|(_, name, _)| name);
        names
            .filter(|it| left.remove(&lower(it)))
            .cloned()
            .collect()
    }

    /// Returns whether a group names a crawler with these tokens.
    fn has_any(&self, tokens: &[&str]) -> bool {
        let is_one = |name: &String| tokens.iter().any(|it| it.eq_ignore_ascii_case(name));
        let mut list = self.list.iter();
        list.any(|(_, name, short)| is_one(name) || short.as_ref().is_some_and(is_one))
    }

    /// Returns the last line of the group that a line is in; 0 if the line is in no group.
    fn end_of(&self, line: u32) -> u32 {
        let group = self.report.line(line).map_or(0, |line| line.group);
        let is_of_group = |kind| {
            matches!(
                kind,
                LineKind::UserAgent | LineKind::Allow | LineKind::Disallow | LineKind::CrawlDelay
            )
        };
        let lines = self.report.lines();
        let own = lines.filter(|it| group > 0 && it.group == group && is_of_group(it.kind));
        own.last().map_or(0, |line| line.number)
    }
}

/// Returns line numbers in a sentence.
fn shown(lines: &[u32]) -> String {
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    match &*numbers {
        [line] => format!("line {line}"),
        lines => format!("lines {}", lines.join(", ")),
    }
}

/// Returns the line that decides; `None` if no rule decides. In google, a verdict may have the line of an empty rule, which
/// does not decide.
fn deciding_line(verdict: Verdict) -> Option<u32> {
    let is_decided = verdict.line() > 0 && verdict.reason() != Reason::NoRule;
    is_decided.then(|| verdict.line())
}

/// Returns the raw path and query of a URL, without fragment.
fn sent_path(url: &[u8]) -> String {
    let url = String::from_utf8_lossy(url);
    let start = url.find("://").map_or(Some(0), |at| {
        let host = at + 3;
        url.get(host..)?.find('/').map(|path| host + path)
    });
    let path = start.and_then(|start| url.get(start..)).unwrap_or("/");
    path.split('#').next().unwrap_or(path).to_owned()
}
/// Returns the body with a line added after line `number`.
fn insert(body: &[u8], number: usize, line: &str) -> Vec<u8> {
    let (before, after) = body.split_at(start_of(body, number));
    // A blank line would end a record of koster1996.
    let end: &[u8] = match before.last() {
        Some(b'\n' | b'\r') => b"",
        _ => b"\n",
    };
    [before, end, line.as_bytes(), b"\n", after].concat()
}

/// Returns the offset after the first lines.
fn start_of(body: &[u8], lines: usize) -> usize {
    let mut rest = body;
    let mut taken = 0;
    for _ in 0..lines {
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let len = match end {
            Some(at) if rest.get(at..at + 2) == Some(b"\r\n") => at + 2,
            Some(at) => at + 1,
            None => rest.len(),
        };
        taken += len;
        rest = rest.get(len..).unwrap_or_default();
    }
    taken
}
