//! `robots explain --plain`: a verdict in three sentences for the owner of a site, with the digest of the file.

use std::fmt::Write as _;

use robots::{Crawler, Dialect, Explanation, Preset, Reason, Severity};

use crate::crawler::{How, named_in};
use crate::crawler_names::EVERYONE;
use crate::fault::Fault;
use crate::file_groups::FileGroups;
use crate::input::digest;
use crate::screen::{self, lossy, safe};
use crate::subject::Subject;
use crate::verdict::deciding_line;

/// Returns the sentences: what holds, why, and what changes it; then the evidence.
pub(crate) fn sentences(
    how: &How,
    why: &Explanation,
    subject: &Subject,
    crawler: &Crawler,
    token: &str,
) -> Result<String, Fault> {
    let advice = Advice {
        how,
        why,
        subject,
        crawler,
        token,
        file: FileGroups::of(how, Dialect::Rfc9309, &subject.body)?,
    };
    let (url, token) = (safe(&why.url), safe(token.as_bytes()));
    let may = if why.verdict.allowed() {
        "may"
    } else {
        "may not"
    };
    let line = deciding_line(why.verdict);
    let mut matched = why.matched.iter();
    let deciding = matched.find(|rule| Some(rule.quote.line) == line);
    let mut text = match deciding {
        Some(rule) => format!(
            "{token} {may} fetch {url}: line {} decides, \"{}\".\n",
            rule.quote.line,
            safe(&rule.quote.text)
        ),
        None => format!("{token} {may} fetch {url}: {}.\n", no_rule(why)),
    };
    text.push_str(&group(why, &token));
    let preset = Preset::find(&*token);
    if preset.as_ref().is_some_and(Preset::is_control_token) {
        let _ = writeln!(
            text,
            "{token} fetches nothing: it is a name for what its operator may do with pages that others of its crawlers fetch."
        );
    } else if preset.as_ref().is_some_and(Preset::may_ignore) {
        let _ = writeln!(
            text,
            "Its operator says that {token} may ignore the file: it fetches what a user asks for."
        );
    }
    text.push_str(&advice.sentence()?);
    let report = robots::lint(crawler, &subject.body);
    let report = report.map_err(|error| Fault::new(error.to_string()))?;
    match report.total(Severity::Error) {
        0 => {}
        count => {
            let errors = if count == 1 { "error" } else { "errors" };
            let _ = writeln!(
                text,
                "`robots lint` reports {count} {errors} in the file: it may mean something else than it says."
            );
        }
    }
    let _ = writeln!(
        text,
        "Evidence: {}, {} bytes, sha256 {}.",
        safe(subject.name.as_bytes()),
        subject.body.len(),
        digest(&subject.body)
    );
    Ok(text)
}

fn no_rule(why: &Explanation) -> &'static str {
    match why.verdict.reason() {
        Reason::RobotsTxt => "every crawler may fetch the robots.txt itself",
        Reason::NoGroup => "the file has no rules for it",
        _ => "no rule of its group matches",
    }
}

fn shown(lines: &[u32]) -> String {
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    match &*numbers {
        [line] => format!("line {line}"),
        lines => format!("lines {}", lines.join(", ")),
    }
}

fn group(why: &Explanation, token: &str) -> String {
    let lines: Vec<u32> = why.agents.iter().map(|agent| agent.line).collect();
    let lines = shown(&lines);
    match &why.token {
        _ if why.agents.is_empty() => {
            format!("No group names {token}, and there is no group of `*` that it obeys.\n")
        }
        Some(name) if name == b"*" => format!(
            "{token} obeys the group of `*` ({lines}), because it has no group of its own.\n"
        ),
        None => format!(
            "{token} obeys the group of `*` ({lines}), because it has no group of its own.\n"
        ),
        Some(name) => format!(
            "{token} obeys the group of {} ({lines}) and no other.\n",
            safe(name)
        ),
    }
}

/// What turns a verdict around. It is tried first: what does not work is not suggested.
struct Advice<'a> {
    how: &'a How,
    why: &'a Explanation,
    subject: &'a Subject,
    crawler: &'a Crawler,
    /// The name of the crawler.
    token: &'a str,
    /// As RFC 9309 reads the file: the longest names.
    file: FileGroups,
}

impl Advice<'_> {
    /// Returns a line that turns the verdict around, or lines to remove, as a sentence.
    fn sentence(&self) -> Result<String, Fault> {
        let why = self.why;
        let is_allowed = why.verdict.allowed();
        let (to, field) = match is_allowed {
            true => ("To keep it out", "Disallow"),
            false => ("To let it in", "Allow"),
        };
        if why.verdict.reason() == Reason::RobotsTxt {
            return Ok("No rule changes that.\n".to_owned());
        }
        let rules = self.paths().into_iter();
        let rules: Vec<String> = rules.map(|path| format!("{field}: {path}")).collect();
        if why.agents.is_empty() {
            return self.new_group(to, &rules);
        }
        // Of several rules the draft of 1996 takes the first, the standard the longest.
        let is_before = why.dialect() == Dialect::Koster1996;
        let (line, after, place) = match (deciding_line(why.verdict), why.agents.last()) {
            // The group has no rule for the URL, so any place in it is as good.
            (None, Some(agent)) => {
                let line = agent.line;
                let place = format!("to the rules of the group of line {line}");
                (line, self.file.end_of(line).max(line), place)
            }
            (None, None) => return Ok(String::new()),
            (Some(line), _) => {
                let word = if is_before { "before" } else { "after" };
                let after = line - u32::from(is_before);
                (line, after, format!("{word} line {line}"))
            }
        };
        let mut first = None;
        let with = |rule: &str| {
            let tried = insert(&self.subject.body, after as usize, rule);
            self.turns(self.crawler, &tried).then_some(tried)
        };
        for rule in &rules {
            let Some(tried) = with(rule) else { continue };
            let opened = self.opened(&tried);
            // A page is opened alone; of a folder, what is in it is wanted.
            let exact = format!("{rule}$");
            let is_page = opened.is_some() && !rule.ends_with('/') && rules.contains(&exact);
            let alone = with(&exact).filter(|_| is_page);
            let (rule, tried, also) = match alone {
                Some(alone) => (&exact, alone, "Without its \"$\" the line would also open"),
                None => (rule, tried, "The line also opens"),
            };
            let (others, is_for_all) = self.others(&[line], &tried)?;
            let mut said = format!("{to}, add \"{rule}\" {place}{others}.\n");
            if let Some((url, line)) = opened {
                let _ = writeln!(said, "{also} {url}, which line {line} forbids.");
            }
            if is_for_all {
                return Ok(said);
            }
            first = first.or(Some(said));
        }
        if let Some(said) = first {
            return Ok(said);
        }
        Ok(match deciding_lines(why, self.subject, self.crawler) {
            Some((lines, tried)) => {
                let (others, _) = self.others(&lines, &tried)?;
                format!("{to}, change or remove {}{others}.\n", shown(&lines))
            }
            None => NO_LINE.to_owned(),
        })
    }

    /// Returns a URL that a file opens together with the page, and the line that forbids this URL, but not the page.
    fn opened(&self, tried: &[u8]) -> Option<(String, u32)> {
        let (lines, _) = deciding_lines(self.why, self.subject, self.crawler)?;
        let mut body = self.subject.body.clone();
        for line in lines.iter().filter(|_| !self.why.verdict.allowed()) {
            // A rule without a path decides nothing, and ends the user-agent lines before it.
            let start = start_of(&body, *line as usize - 1);
            body.splice(start..start, *b"Disallow:#");
        }
        let others = self.crawler.parse(body);
        let found = others.difference(&self.crawler.parse(tried)).ok()?;
        found.paths().find_map(|path| {
            let [old, new] = path.verdicts();
            let line = deciding_line(old).filter(|_| new.allowed() && !old.allowed())?;
            Some((safe(path.path().as_bytes()).into_owned(), line))
        })
    }

    /// Returns paths of rules for the URL, the narrowest first. Which of them decides depends on the dialect and on other rules.
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
        // The longest rule wins, and of two as long the one that allows.
        let mut paths = ["", "$"].map(|end| format!("{escaped}{end}")).to_vec();
        if has_blank {
            paths.push(literal(&path).replace(char::is_whitespace, "*"));
            return paths;
        }
        // Not each crawler compares escapes, and an empty query, as the standard does.
        let sent = sent_path(&self.why.url);
        // A wildcard takes more than the URL.
        if !sent.contains('*') || self.why.dialect() == Dialect::Google {
            paths.extend(["", "$"].map(|end| format!("{sent}{end}")));
        }
        paths.extend(sent.strip_suffix('?').map(str::to_owned));
        paths
    }

    /// Returns the lines of a first group for the crawler, as a sentence.
    fn new_group(&self, to: &str, rules: &[String]) -> Result<String, Fault> {
        let token = safe(self.token.as_bytes());
        let with = |rule: &str| {
            let lines = format!("\nUser-agent: {token}\n{rule}\n");
            [&*self.subject.body, lines.as_bytes()].concat()
        };
        let mut rules = rules.iter();
        let Some(rule) = rules.find(|rule| self.turns(self.crawler, &with(rule))) else {
            return Ok(NO_LINE.to_owned());
        };
        let tried = with(rule);
        let is_it = |other: &&str| other.eq_ignore_ascii_case(self.token);
        let is_follower = |it: &Preset| it.tokens().iter().skip(1).any(is_it);
        let mut followers: Vec<Preset> = Preset::all().filter(is_follower).collect();
        // People do not expect those of other operators.
        let operator = Preset::find(self.token).and_then(|preset| preset.documentation());
        followers.sort_by_key(|preset| preset.documentation() == operator);
        let followers: Vec<String> = followers.iter().map(|it| it.name().to_owned()).collect();
        let followers = self.turned(&followers, &tried)?;
        let others = match followers.len() {
            0 => String::new(),
            count => format!("; that holds for {}, too", screen::names(&followers, count)),
        };
        // A last group without rules goes on in the next user-agent line.
        let last = u32::try_from(self.file.groups.len()).unwrap_or(u32::MAX);
        let names = self.file.agents_of(last).map(|agent| lossy(&agent.name));
        let names: Vec<String> = names.take(MOST_NAMED).collect();
        Ok(match self.turned(&names, &tried)?.is_empty() {
            true => format!(
                "{to}, add the lines \"User-agent: {token}\" and \"{rule}\" at the end of the file{others}.\n"
            ),
            false => format!(
                "{to}, add the lines \"Disallow:\", \"User-agent: {token}\" and \"{rule}\" at the end of the file: the first ends the group of {}{others}.\n",
                screen::names(&names, names.len())
            ),
        })
    }

    /// Returns whether a file turns the verdict of a crawler around.
    fn turns(&self, crawler: &Crawler, tried: &[u8]) -> bool {
        let is_allowed = |body| crawler.parse(body).is_allowed(&self.why.url);
        is_allowed(tried) != is_allowed(&*self.subject.body)
    }

    /// Returns the names of crawlers whose verdict a file turns around.
    fn turned(&self, names: &[String], tried: &[u8]) -> Result<Vec<String>, Fault> {
        let mut turned = Vec::new();
        for name in names {
            // Not each name is a token, and who ignores the file has no verdict.
            match named_in(self.how, name) {
                Ok(crawler) if self.turns(&crawler, tried) => turned.push(name.clone()),
                _ => {}
            }
        }
        Ok(turned)
    }

    /// Returns for whom else a file turns the verdict around, of those that obey the groups of some lines, as a part of a
    /// sentence, and whether it does so for Google's crawlers and for others.
    fn others(&self, lines: &[u32], tried: &[u8]) -> Result<(String, bool), Fault> {
        let agents = lines.iter().flat_map(|line| self.file.agents_at(*line));
        let mut names: Vec<String> = Vec::new();
        let well_known = Preset::all().filter(|preset| {
            let tokens = preset.tokens().iter();
            let tokens: Vec<Vec<u8>> = tokens.map(|token| token.as_bytes().to_vec()).collect();
            !self.file.obeyed_by(&tokens, false).is_empty()
        });
        let well_known = well_known.map(|preset| preset.name().to_owned());
        let agents = agents.map(|agent| lossy(&agent.name)).take(MOST_NAMED);
        for name in agents.chain(well_known) {
            let is_it = |other: &str| other.eq_ignore_ascii_case(&name);
            if !is_it(self.token) && !names.iter().any(|other| is_it(other)) {
                names.push(name);
            }
        }
        let has_star = self.token == EVERYONE || names.iter().any(|name| name == EVERYONE);
        names.retain(|name| name != EVERYONE);
        let names = self.turned(&names, tried)?;
        let is_turned = |dialect| {
            let crawler = Crawler::without_token().with_dialect(dialect);
            crawler.is_ok_and(|crawler| self.turns(&crawler, tried))
        };
        let own = match self.how.dialect() {
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
        let shown = screen::names(&names, names.len());
        let others = match (names.is_empty(), everyone) {
            (true, "") => String::new(),
            (true, everyone) => format!("; that holds for {everyone}"),
            (false, "") => format!("; that holds for {shown}, too"),
            (false, everyone) => format!("; that holds for {shown}, and {everyone}"),
        };
        Ok((others, !has_star || standard && google))
    }
}

/// Returns the path and query of a URL as it is sent.
fn sent_path(url: &[u8]) -> String {
    let url = String::from_utf8_lossy(url);
    let start = url.find("://").map_or(Some(0), |at| {
        let host = at + 3;
        url.get(host..)?.find('/').map(|path| host + path)
    });
    let path = start.and_then(|start| url.get(start..)).unwrap_or("/");
    path.split('#').next().unwrap_or(path).to_owned()
}

/// What is said if the path as a rule does not turn the verdict around.
const NO_LINE: &str = "No line with this path alone changes that.\n";

/// The most names of groups that are tried: a hostile file has ten thousands.
const MOST_NAMED: usize = 200;

/// The most lines to change or remove.
const MOST_LINES: usize = 5;

/// Returns the lines without which the verdict is another, and the file without them: one after the other decides.
fn deciding_lines(
    why: &Explanation,
    subject: &Subject,
    crawler: &Crawler,
) -> Option<(Vec<u32>, Vec<u8>)> {
    let mut lines: Vec<u32> = Vec::new();
    let mut body = subject.body.clone();
    loop {
        let verdict = crawler.parse(&body).check(&why.url);
        if verdict.allowed() != why.verdict.allowed() {
            break;
        }
        let line = deciding_line(verdict).filter(|_| lines.len() < MOST_LINES)?;
        // A comment has no line end, and joins no groups.
        let start = start_of(&body, line as usize - 1);
        body.insert(start, b'#');
        lines.push(line);
    }
    Some((lines, body))
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
