//! `robots policy`: what well-known crawlers may fetch, by purpose, and what the file says about use.

mod purposes;

use std::collections::HashMap;
use std::fmt::Write as _;

use robots::{Dialect, DifferenceResult, ExtensionField, Preset, Rules};
use serde::Serialize;

use crate::crawler::How;
use crate::crawler_names::{EVERYONE, EVERYONE_ELSE};
use crate::explain::page_controls::Page;
use crate::fault::{Exit, Fault, complain};
use crate::file_groups::{FileGroups, JsonSitemap, json_sitemaps, sitemaps};
use crate::screen::{self, Shown, lossy, safe};
use crate::subject::{self, Subject, Where};
use crate::uses::TdmFile;
use purposes::Readers;

/// Show what well-known crawlers may fetch: search, training, requests of users
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots policy robots.txt
  robots policy robots.txt /shop/tea.html
  robots policy robots.txt /tea.html --header 'X-Robots-Tag: noai' --meta 'robots: noindex'
  robots policy --live example.com
  robots policy --json robots.txt | jq -r 'select(.purpose == \"training\").verdict'

Each row is a crawler: blocked, if no URL but /robots.txt is allowed; partly, if its rules forbid
some; allowed, if they forbid none; or ignores, if its operator says that it ignores the file. All
URLs of a site are searched; a crawler is undecided if the file is too large for that. Without
--dialect each crawler reads the file in the dialect of its operator. A crawler `(*)` has no group
of its own and obeys that of `*`. A control token fetches nothing: it controls what may be done with
pages that other crawlers of its operator fetch. `may ignore` marks those whose operators say that
requests of users may ignore the file. `robots crawlers` has the date of the purposes and names, and
the pages of the operators.

The row `*` is everyone else: crawlers that the file does not name and that are not well known.

A policy token stands for a purpose of many crawlers, and is shown if the file names it.

The lines Content-Signal, Content-Usage and License follow, each with the names of its group. A line
before the first group concerns every crawler.

With URLs it answers for each of them and for each purpose (search, AI search, training, user
request, archive) whether a page may be used: denied, licensed (there are terms at an address),
allowed, or unstated; for whom; and by which line. A rule forbids the fetch; Content-Signal, noai
and other statements ask not to use what is fetched. Unstated is no fault: where nobody says
anything the crawler decides. What else speaks of it follows as `also`: the most restrictive counts.
An allow rule says nothing of use. Without --header and --meta the page
itself is taken to say nothing, and without --tdmrep the site has no tdmrep.json.

Exit status: 0 done; 2 the file cannot be read, or bad usage; 3 the site is unreachable.")]
pub(crate) struct Args {
    #[command(flatten)]
    place: Where,
    /// Answer for these URLs, or paths that start with `/`, by purpose
    #[arg(value_name = "URL")]
    urls: Vec<String>,
    #[command(flatten)]
    page: Page,
    #[command(flatten)]
    tdm_file: TdmFile,
    #[command(flatten)]
    shown: Shown,
    #[command(flatten)]
    how: How,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Access {
    Allowed,
    Partly,
    Blocked,
    /// There is no verdict: it ignores the file.
    Ignores,
    /// The file is too large to search all URLs.
    Undecided,
}

impl Access {
    fn word(self) -> &'static str {
        match self {
            Access::Allowed => "allowed",
            Access::Partly => "partly",
            Access::Blocked => "blocked",
            Access::Ignores => "ignores",
            Access::Undecided => "undecided",
        }
    }
}

/// A crawler and what it may fetch.
struct Row {
    purpose: &'static str,
    name: &'static str,
    /// `None` for everyone else.
    preset: Option<Preset>,
    access: Access,
    has_own_group: bool,
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    // The fetch does not depend on the token.
    let crawler = args.how.crawler(&["robots"])?;
    let subject = args.place.load(&crawler, args.how.worth_reading())?;
    if let Some(why) = subject.outage() {
        return Err(Fault::Outage(why));
    }
    let outline = FileGroups::of(&args.how, args.how.dialect(), &subject.body)?;
    if subject.has_file() {
        outline.warn_of_doubtful(args.how.all()?.iter(), &args.urls);
    }
    if !args.urls.is_empty() {
        return answer(&args, &subject);
    }
    if !args.page.is_empty() || args.tdm_file.is_given() {
        return Err(Fault::new(
            "--header, --meta and --tdmrep say something of a page: add its URL after the robots.txt",
        ));
    }
    let (rows, tokens) = access_of(&args.how, &subject, &outline)?;
    let (uses, use_count) = uses(&outline);
    let mut text = String::new();
    if args.shown.json {
        for row in &rows {
            screen::push_json_line(&mut text, &JsonRow::of(&subject.name, row))?;
        }
        for (token, access) in &tokens {
            screen::push_json_line(&mut text, &JsonRow::of_token(&subject.name, token, *access))?;
        }
        let file = JsonFile {
            file: &subject.name,
            line_count: use_count,
            lines: uses.iter().map(Use::json).collect(),
            sitemaps: json_sitemaps(&outline),
        };
        screen::push_json_line(&mut text, &file)?;
    } else {
        table(&rows, &tokens, args.shown.is_coloured(), &mut text);
        for line in &uses {
            let name = line.field.name();
            let agents = match line.agent_count {
                0 => String::new(),
                count => format!(" ({})", screen::names(&line.agents, count)),
            };
            let value = safe(&line.value);
            let _ = writeln!(text, "{name:14}  line {}{agents}: {value}", line.number);
        }
        if use_count > uses.len() {
            let _ = writeln!(text, "{} more such lines", use_count - uses.len());
        }
        if uses.is_empty() {
            text.push_str("no Content-Signal, Content-Usage or License\n");
        }
        text.push_str(&sitemaps(&outline));
    }
    args.shown.print(text)?;
    Ok(Exit::Yes)
}

/// Answers for each URL, by purpose.
fn answer(args: &Args, subject: &Subject) -> Result<Exit, Fault> {
    let tdm_file = args.tdm_file.read()?;
    let page = |crawler: &_| args.page.read(crawler);
    let readers = Readers::of(&args.how, subject, page, tdm_file.as_deref())?;
    let site = subject.site();
    let mut exit = Exit::Yes;
    let mut text = String::new();
    for url in &args.urls {
        let site = site.as_ref();
        let other = site.filter(|site| subject::other_site(site, url.as_bytes()).is_some());
        let answers = match other {
            Some(site) => Err(format!("not a URL of {}", site.key())),
            None => readers
                .answers(&subject.name, url)
                .map_err(|error| error.to_string()),
        };
        let answers = match answers {
            Ok(answers) => answers,
            Err(why) => {
                complain(&format!("{}: {why}", safe(url.as_bytes())));
                exit = Exit::BadInput;
                continue;
            }
        };
        if !args.shown.json {
            let gap = if text.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{gap}{}", safe(url.as_bytes()));
        }
        for answer in &answers {
            match args.shown.json {
                true => screen::push_json_line(&mut text, answer)?,
                false => text.push_str(&answer.text()),
            }
        }
    }
    args.shown.print(text)?;
    Ok(exit)
}

/// A policy token, and what may be used for its purpose.
type TokenAccess = (String, Access);

/// Returns the table of a file.
pub(crate) fn table_of(how: &How, body: &[u8]) -> Result<String, Fault> {
    let subject = Subject {
        name: String::new(),
        body: body.to_vec(),
        outcome: None,
    };
    let outline = FileGroups::of(how, how.dialect(), body)?;
    let (rows, tokens) = access_of(how, &subject, &outline)?;
    let mut text = String::new();
    table(&rows, &tokens, false, &mut text);
    Ok(text + &sitemaps(&outline))
}

/// Returns what well-known crawlers may fetch, by purpose, and what may be used for the purposes of policy tokens.
fn access_of(
    how: &How,
    subject: &Subject,
    outline: &FileGroups,
) -> Result<(Vec<Row>, Vec<TokenAccess>), Fault> {
    let mut known = HashMap::new();
    let mut rows = Vec::new();
    // The rules for everyone, by dialect.
    let mut shared = HashMap::new();
    for preset in Preset::all() {
        rows.push(row(preset, subject, &mut known, &mut shared, how)?);
    }
    rows.sort_by_key(|row| row.preset.map(|preset| preset.purpose()));
    let everyone = subject.rules(&how.crawler::<&str>(&[])?);
    rows.push(Row {
        purpose: EVERYONE_ELSE,
        name: EVERYONE,
        preset: None,
        access: access(how, &mut known, &everyone)?,
        has_own_group: subject.has_file() && everyone.about().has_group,
    });
    let tokens = tokens(outline, subject, &mut known, how)?;
    Ok((rows, tokens))
}

/// The purpose of a row for a policy token.
const POLICY_TOKEN: &str = "policy token";

/// Returns the policy tokens that the file names (SPEC 9.8), and what may be used for their purpose.
fn tokens(
    outline: &FileGroups,
    subject: &Subject,
    known: &mut Known,
    how: &How,
) -> Result<Vec<TokenAccess>, Fault> {
    let named = outline.agents.iter();
    let named = named.filter(|agent| robots::is_policy_token(&agent.name));
    let mut tokens = Vec::new();
    for agent in named.take(MOST_NAMES) {
        // Some names of koster1996 are not valid tokens; nobody asks for them.
        if let Ok(crawler) = how.crawler(&[&agent.name]) {
            let rules = crawler.parse(&subject.body);
            tokens.push((safe(&agent.name).into_owned(), access(how, known, &rules)?));
        }
    }
    Ok(tokens)
}

/// A line about the use of what is fetched.
struct Use {
    number: u32,
    field: ExtensionField,
    value: Vec<u8>,
    /// How many names its group has; 0: it is in no group and concerns every crawler.
    agent_count: usize,
    /// The first of them.
    agents: Vec<String>,
}

impl Use {
    fn json(&self) -> JsonLine<'_> {
        JsonLine {
            line: self.number,
            field: self.field.name(),
            value: lossy(&self.value),
            agent_count: self.agent_count,
            agents: &self.agents,
        }
    }
}

/// The most lines about use, and the most names of each: a hostile file has ten thousands of both.
const MOST_USES: usize = 1_000;
const MOST_NAMES: usize = 20;

/// Returns the lines of a file about use (SPEC 9.4, 9.5, 9.7), and how many it has.
fn uses(outline: &FileGroups) -> (Vec<Use>, usize) {
    let is_use = |field| {
        use ExtensionField::{ContentSignal, ContentUsage, License};
        matches!(field, ContentSignal | ContentUsage | License)
    };
    let all: Vec<_> = outline
        .extensions()
        .filter(|(_, field)| is_use(*field))
        .collect();
    let shown = all.iter().take(MOST_USES).map(|(line, field)| {
        let agents: Vec<_> = outline.agents_of(line.group).collect();
        let names = agents.iter().take(MOST_NAMES);
        Use {
            number: line.number,
            field: *field,
            value: outline.value(line).to_vec(),
            agent_count: agents.len(),
            agents: names.map(|agent| lossy(&agent.name)).collect(),
        }
    });
    (shown.collect(), all.len())
}

fn row(
    preset: Preset,
    subject: &Subject,
    known: &mut Known,
    shared: &mut HashMap<Dialect, Rules>,
    how: &How,
) -> Result<Row, Fault> {
    let crawler = how.known(preset)?;
    let own = crawler.clone().with_ignore_star(true);
    let has_own_group = own.parse(&subject.body).about().has_group;
    // A crawler without a group of its own obeys the rules that all such crawlers of its dialect obey.
    let rules = match has_own_group || preset.ignores_star() {
        true => subject.rules(&crawler),
        false => shared
            .entry(how.dialect_of(preset))
            .or_insert_with(|| subject.rules(&crawler))
            .clone(),
    };
    Ok(Row {
        purpose: preset.purpose().name(),
        name: preset.name(),
        preset: Some(preset),
        access: match preset.ignores_robots_txt() {
            true => Access::Ignores,
            false => access(how, known, &rules)?,
        },
        has_own_group: has_own_group && subject.has_file(),
    })
}

/// What rules allow, by their image: many crawlers have the same.
type Known = HashMap<Vec<u8>, Access>;

/// Returns what rules allow.
fn access(how: &How, known: &mut Known, rules: &Rules) -> Result<Access, Fault> {
    if let Some(access) = known.get(rules.image()) {
        return Ok(*access);
    }
    // The rules can be equal to one of these only.
    let (all, of_all) = match rules.is_allowed("/") {
        true => (Rules::allow_all(), Access::Allowed),
        false => {
            let crawler = how.crawler_in::<&str>(rules.about().dialect, &[])?;
            let none = crawler.parse("User-agent: *\nDisallow: /\n");
            (none, Access::Blocked)
        }
    };
    let difference = all.difference(rules);
    let difference = difference.map_err(|error| Fault::new(error.to_string()))?;
    let access = match difference.result() {
        DifferenceResult::NotDecided => Access::Undecided,
        DifferenceResult::None => of_all,
        DifferenceResult::Found => Access::Partly,
    };
    known.insert(rules.image().to_vec(), access);
    Ok(access)
}

fn table(rows: &[Row], tokens: &[TokenAccess], is_coloured: bool, text: &mut String) {
    let word = |access: Access| {
        let escape = match access {
            Access::Allowed => "32",
            Access::Partly | Access::Ignores | Access::Undecided => "33",
            Access::Blocked => "31",
        };
        screen::coloured(is_coloured, escape, access.word())
    };
    let mut last = None;
    for row in rows {
        let purpose = row.purpose;
        let shown = if last == Some(purpose) { "" } else { purpose };
        last = Some(purpose);
        let is_it = |test: fn(&Preset) -> bool| row.preset.as_ref().is_some_and(test);
        let mut notes = Vec::new();
        if row.preset.is_some()
            && !row.has_own_group
            && matches!(row.access, Access::Partly | Access::Blocked)
        {
            notes.push("(*)");
        }
        if is_it(Preset::is_control_token) {
            notes.push("control token");
        }
        if is_it(Preset::may_ignore) && row.access != Access::Ignores {
            notes.push("may ignore");
        }
        let _ = write!(text, "{shown:14}  {:25}  {}", row.name, word(row.access));
        if !notes.is_empty() {
            let width = 8_usize.saturating_sub(row.access.word().len());
            let _ = write!(text, "{:width$}  {}", "", notes.join(", "));
        }
        text.push('\n');
    }
    for (token, access) in tokens {
        let _ = writeln!(text, "{POLICY_TOKEN:14}  {token:22}  {}", word(*access));
    }
    for (word, meaning) in LEGEND {
        if text.contains(word) {
            let _ = writeln!(text, "{word}: {meaning}");
        }
    }
    text.push('\n');
}

/// What the words of the table mean.
const LEGEND: [(&str, &str); 4] = [
    (
        "partly",
        "some URLs are disallowed; `robots check FILE URL` decides one",
    ),
    (
        "(*)",
        "the file does not name this crawler, so the rules of `*` count, which are for everyone else",
    ),
    (
        "control token",
        "no crawler: it says what may be done with the pages that other crawlers of its operator fetch",
    ),
    (
        "may ignore",
        "it fetches what a user asks for, and its operator says that it may ignore the file",
    ),
];

#[derive(Serialize)]
struct JsonRow<'r> {
    file: &'r str,
    purpose: &'static str,
    crawler: &'r str,
    verdict: Access,
    own_group: bool,
    control_token: bool,
    may_ignore: bool,
    documentation: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonFile<'r> {
    file: &'r str,
    line_count: usize,
    lines: Vec<JsonLine<'r>>,
    sitemaps: Vec<JsonSitemap>,
}

#[derive(Serialize)]
struct JsonLine<'r> {
    line: u32,
    field: &'r str,
    value: String,
    agent_count: usize,
    agents: &'r [String],
}

impl<'r> JsonRow<'r> {
    fn of(file: &'r str, row: &Row) -> JsonRow<'r> {
        JsonRow {
            file,
            purpose: row.purpose,
            crawler: row.name,
            verdict: row.access,
            own_group: row.has_own_group,
            control_token: row.preset.as_ref().is_some_and(Preset::is_control_token),
            may_ignore: row.preset.as_ref().is_some_and(Preset::may_ignore),
            documentation: row.preset.and_then(|preset| preset.documentation()),
        }
    }

    /// A policy token fetches nothing itself, and is shown only if a group names it.
    fn of_token(file: &'r str, token: &'r str, verdict: Access) -> JsonRow<'r> {
        JsonRow {
            file,
            purpose: POLICY_TOKEN,
            crawler: token,
            verdict,
            own_group: true,
            control_token: true,
            may_ignore: false,
            documentation: None,
        }
    }
}
