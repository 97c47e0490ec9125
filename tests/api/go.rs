//! Go: `constants.go` and `options.go`.

use robots::api::{FETCH_OPTIONS, OptionRow, Unit, Value, crawler_options};

use super::words;

const INITIALS: &[&str] = &["DNS", "HTML", "TLS", "TTL", "URL", "RFC9309"];

/// The enums: the name in C, the type, and what the names of its values begin with.
const ENUMS: [(&str, &str, &str); 19] = [
    ("robots_status_code", "Error", "Err"),
    ("robots_dialect", "Dialect", ""),
    ("robots_reason", "Reason", "Reason"),
    ("robots_step", "Step", "Step"),
    ("robots_failure", "Failure", "Failure"),
    ("robots_outcome_kind", "OutcomeKind", "Kind"),
    ("robots_cause", "Cause", "Cause"),
    ("robots_cache_action", "Action", "Action"),
    ("robots_extension_field", "ExtensionField", "Extension"),
    ("robots_control", "Control", "Control"),
    ("robots_page_source", "PageSource", "Source"),
    ("robots_zone", "Zone", "Zone"),
    ("robots_purpose", "Purpose", "Purpose"),
    ("robots_use", "Use", "Use"),
    ("robots_use_source", "UseSource", "UseSource"),
    ("robots_match_result", "MatchResult", "Match"),
    ("robots_lint_severity", "Severity", "Severity"),
    ("robots_line_kind", "LineKind", "Line"),
    ("robots_difference_code", "DifferenceResult", "Difference"),
];

/// Values that Go does not have: it reports them in another way.
const ABSENT: [&str; 6] = [
    "ROBOTS_OK",
    "ROBOTS_END",
    "ROBOTS_E_SPACE",
    "ROBOTS_E_FILE",
    "ROBOTS_E_TIME",
    "ROBOTS_FAILURE_NONE",
];

/// Names that differ from those of C, and sentences about functions that Go has not.
const NAMES: [(&str, &str); 1] = [("ROBOTS_EXTENSION_NOINDEX", "ExtensionNoIndex")];
#[rustfmt::skip]
const SENTENCES: [(&str, &str); 6] = [
    ("ROBOTS_STEP_GET", "send a GET for [Fetch.URL] with the headers of [Fetch.Header], follow no redirect, then call [Fetch.Status] (ftp: [Fetch.FTPReply])"),
    ("ROBOTS_STEP_HEADERS", "call [Fetch.Headers]"),
    ("ROBOTS_STEP_BODY", "call [Fetch.Body] with decoded pieces of any size, then [Fetch.End]"),
    ("ROBOTS_STEP_DONE", "call [Fetch.Outcome]; the rest of the response is not needed"),
    ("ROBOTS_E_ARG", "an option out of its range, or a Crawler that NewCrawler did not return"),
    ("ROBOTS_E_STATE", "an event that the [Fetch] does not expect now, or a [Ticket] that was released"),
];

/// Returns the name of a value, if Go has it.
fn name(value: &Value) -> Option<String> {
    let (one, _) = words::constant(value.name)?;
    if let Some((_, name)) = NAMES.iter().find(|(c, _)| *c == value.name) {
        return Some((*name).to_owned());
    }
    let camel = words::camel(&words::name(one, value), INITIALS);
    if value.option.is_some() {
        return Some(format!("With{camel}"));
    }
    let (.., prefix) = ENUMS.iter().find(|(c, ..)| *c == one.name)?;
    (!ABSENT.contains(&value.name)).then(|| format!("{prefix}{camel}"))
}

/// Returns a sentence with the names of Go.
fn sentence(text: &str) -> String {
    let text = words::translated(text, |c| match c {
        "until" => Some("Until".to_owned()),
        c => Some(format!("[{}]", name(words::constant(c)?.1)?)),
    });
    text.replace("koster1996", "[Koster1996]")
}

/// Returns `constants.go`.
pub fn constants() -> String {
    let mut text = words::header("//") + "\npackage robots\n";
    for (c, kind, _) in ENUMS {
        text += "\nconst (\n";
        for value in words::enum_of(c).values {
            let Some(name) = name(value) else { continue };
            let own = SENTENCES.iter().find(|(c, _)| *c == value.name);
            let meaning = own.map_or_else(
                || words::inside(&sentence(&value.sentence())),
                |(_, own)| (*own).to_owned(),
            );
            text += &words::wrapped("\t//", &format!("{name}: {meaning}."));
            text += &format!("\t{name} {kind} = {}\n", value.number);
        }
        text += ")\n";
    }
    text
}

/// Returns `options.go`.
pub fn options() -> String {
    let mut text = words::header("//") + "\npackage robots\n\nimport \"time\"\n";
    for row in crawler_options().chain(FETCH_OPTIONS) {
        text += &format!("\n{}", option(row));
    }
    text
}

fn option(row: &OptionRow) -> String {
    let (one, value) = words::constant(row.name).unwrap();
    let name = name(value).unwrap();
    let meaning = words::inside(&sentence(&value.sentence()));
    let default = words::default(row, |dialect| {
        format!("[{}]", words::camel(dialect, INITIALS))
    });
    let verb = if row.unit == Unit::Switch {
        ""
    } else {
        " sets"
    };
    let stop = if meaning.contains(". ") { "." } else { ";" };
    let default = match row.unit {
        Unit::Switch => String::new(),
        _ => format!("default: {default}"),
    };
    let values = match (words::range(row), row.unit) {
        (Some(range), _) => format!("{} {range}; {default}", if stop == "." { "." } else { ":" }),
        (None, Unit::Switch) => String::new(),
        (None, Unit::OutcomeKind) => format!(
            "{stop} {} [KindAllowAll], [KindDisallowAll], [KindDefer] or [KindUnreachable]; {default}",
            if stop == "." { "Pass" } else { "pass" }
        ),
        (None, _) => format!("{stop} default: [RFC9309]"),
    };
    let more = match row.name {
        "ROBOTS_OPT_NON_GLOBAL_REDIRECTS" => {
            " Do so in net.Dialer.ControlContext, as the example shows."
        }
        _ => "",
    };
    let shown = words::name(one, value)
        .replace('_', " ")
        .replace(" ttl", " TTL");
    let shown = [
        ("retry after", "retry-after"),
        ("non global", "non-global"),
        ("crawl delay", "crawl-delay"),
    ]
    .iter()
    .fold(shown, |shown, (from, to)| shown.replace(from, to));
    let number = row.number;
    let comment = words::wrapped("//", &format!("{name}{verb} {meaning}{values}.{more}"));
    let (parameter, code) = match row.unit {
        Unit::Switch => ("", format!("number({shown:?}, {number}, 1, \"1\")")),
        Unit::Bytes | Unit::Count => (
            "value uint64",
            format!(
                "number({shown:?}, {number}, value, \"{} to {}\")",
                row.least, row.most
            ),
        ),
        Unit::Seconds => (
            "ttl time.Duration",
            format!("duration({shown:?}, {number}, ttl, \"{}s\")", row.least),
        ),
        Unit::OutcomeKind => (
            "kind OutcomeKind",
            format!("meaning({shown:?}, {number}, kind)"),
        ),
        Unit::Dialect => (
            "dialect Dialect",
            format!(
                "set(setting{{{shown:?}, {number}, uint64(dialect), dialect, \"RFC9309, Google or Koster1996\"}})"
            ),
        ),
    };
    format!("{comment}func {name}({parameter}) Option {{\n\treturn {code}\n}}\n")
}

/// The enumerations whose words the driver needs.
#[rustfmt::skip]
const WORDS: [&str; 11] = [
    "robots_status_code", "robots_reason", "robots_step", "robots_failure", "robots_outcome_kind", "robots_cause",
    "robots_cache_action", "robots_control", "robots_page_source", "robots_zone", "robots_difference_code",
];

/// Returns `tests/drivers/names.go`: the setters of the options, and the words of enumerations by their numbers.
pub fn driver() -> String {
    let mut text = words::header("//")
        + "package main\n\nimport robots \"github.com/librobots/librobots/bindings/go\"\n\n"
        + "var setters = map[string]func(uint64) robots.Option{\n";
    let rows: Vec<&OptionRow> = crawler_options().chain(FETCH_OPTIONS).collect();
    let named = |row: &OptionRow| {
        let (one, value) = words::constant(row.name).unwrap();
        (
            format!("{:?}:", words::name(one, value)),
            name(value).unwrap(),
        )
    };
    let width = rows.iter().map(|row| named(row).0.len()).max().unwrap();
    for row in rows {
        let (word, setter) = named(row);
        let setter = match row.unit {
            Unit::Switch => format!("on(robots.{setter})"),
            Unit::Dialect | Unit::OutcomeKind => format!("of(robots.{setter})"),
            Unit::Seconds => format!("seconds(robots.{setter})"),
            _ => format!("robots.{setter}"),
        };
        text += &format!("\t{word:width$} {setter},\n");
    }
    text += "}\n\nvar words = map[string][]string{\n";
    let width = WORDS.iter().map(|c| c.len()).max().unwrap() - "robots_".len() + 3;
    for c in WORDS {
        let (mut next, mut line) = (0, format!("{:?}:", c.trim_start_matches("robots_")));
        let one = words::enum_of(c);
        line = format!("\t{line:width$} {{");
        for value in one.values {
            if !line.ends_with('{') {
                line += ", ";
            }
            if value.number != next {
                line += &format!("{}: ", value.number);
            }
            line += &format!("{:?}", words::name(one, value));
            next = value.number + 1;
        }
        text += &(line + "},\n");
    }
    text + "}\n"
}
