//! Java: `FetchOption.java`, `BuilderOptions.java`, `Reason.java` and `Dialect.java`; and the enums inside of classes, which are
//! written by hand and compared.

use std::path::Path;

use robots::api::{FETCH_OPTIONS, OptionRow, READ_OPTIONS, Unit, Value, crawler_options};

use super::words;

/// The folder of the classes.
pub const FOLDER: &str = "bindings/java/librobots/src/main/java/io/github/librobots";

/// The enums inside of classes: the name in C, the file, the name, and the number of the first value.
const ENUMS: [(&str, &str, &str, u32); 17] = [
    ("robots_status_code", "Status", "Status", 0),
    ("robots_step", "Fetch", "Step", 0),
    ("robots_failure", "Fetch", "Failure", 1),
    ("robots_outcome_kind", "Outcome", "Kind", 0),
    ("robots_cause", "Outcome", "Cause", 1),
    ("robots_cache_action", "CacheDecision", "Action", 0),
    ("robots_extension_field", "Extensions", "Field", 0),
    ("robots_control", "PageControls", "Control", 0),
    ("robots_page_source", "PageControls", "Source", 0),
    ("robots_zone", "PageControls", "Zone", 0),
    ("robots_purpose", "Uses", "Purpose", 0),
    ("robots_use", "Uses", "Use", 0),
    ("robots_use_source", "Uses", "Source", 1),
    ("robots_match_result", "Explanation", "MatchResult", 0),
    ("robots_lint_severity", "Diagnostic", "Severity", 1),
    ("robots_line_kind", "LintReport", "Kind", 0),
    ("robots_difference_code", "Difference", "Result", 0),
];

/// Values that Java reports in another way.
const ABSENT: [&str; 4] = [
    "ROBOTS_END",
    "ROBOTS_E_SPACE",
    "ROBOTS_E_FILE",
    "ROBOTS_FAILURE_NONE",
];

/// Returns what differs between Java's enums, whose numbers are those of their order, and the source.
pub fn faults() -> Vec<String> {
    let mut faults = Vec::new();
    for (c, class, name, first) in ENUMS {
        let path = format!("{FOLDER}/{class}.java");
        let text =
            std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path)).unwrap();
        let (_, body) = text.split_once(&format!("enum {name} {{")).unwrap();
        let mut names = Vec::new();
        for line in body.lines().map(str::trim) {
            let word = line.trim_end_matches([',', ';']);
            if word == "}" {
                break;
            }
            if !word.is_empty()
                && word
                    .bytes()
                    .all(|b| b.is_ascii_uppercase() || b == b'_' || b.is_ascii_digit())
            {
                names.push(word.to_owned());
                if line.ends_with(';') {
                    break;
                }
            }
        }
        let one = words::enum_of(c);
        let values = one
            .values
            .iter()
            .filter(|value| !ABSENT.contains(&value.name));
        let wanted: Vec<(u32, String)> = values
            .map(|value| (value.number, words::name(one, value).to_uppercase()))
            .collect();
        for (number, wanted) in &wanted {
            match (first..).zip(&names).find(|(_, name)| *name == wanted) {
                Some((place, _)) if place == *number => {}
                Some(_) if wanted == "TIME" => {} // 67 in C: `Status` maps it
                Some((place, _)) => faults.push(format!(
                    "{path}: enum {name}: {wanted} is {number} in src, {place} in Java"
                )),
                None => faults.push(format!("{path}: enum {name} lacks {wanted} ({number})")),
            }
        }
        // The number of a later version has a value of its own: `OTHER`.
        let is_known =
            |name: &String| name == "OTHER" || wanted.iter().any(|(_, wanted)| wanted == name);
        for unknown in names.iter().filter(|name| !is_known(name)) {
            faults.push(format!("{path}: enum {name}: src has no {unknown}"));
        }
    }
    faults
}

/// Returns a text with the names of Java.
fn sentence(text: &str) -> String {
    words::translated(text, |c| {
        Some(match words::constant(c) {
            Some((one, value)) => {
                let name = words::name(one, value).to_uppercase();
                match one.name {
                    "robots_fetch_option" => format!("{{@link FetchOption#{name}}}"),
                    _ => format!("{{@code {name}}}"),
                }
            }
            None => format!("{{@code {c}}}"),
        })
    })
}

/// Returns a comment in `indent`: one line, or as many as it needs.
fn comment(indent: &str, text: &str) -> String {
    let short = format!("{indent}/** {text} */\n");
    if short.len() <= 121 {
        return short;
    }
    format!(
        "{indent}/**\n{}{indent} */\n",
        words::wrapped(&format!("{indent} *"), text)
    )
}

/// Returns an enum of its own: the name in C, the name, what it is, and what follows the values.
fn one(c: &str, name: &str, about: &str, rest: &str) -> String {
    let one = words::enum_of(c);
    let mut text = words::header("//") + "package io.github.librobots;\n\n";
    text += &format!("/** {about} */\npublic enum {name} {{\n");
    let mut values: Vec<&Value> = one.values.iter().collect();
    values.sort_by_key(|value| value.number);
    for (place, value) in values.into_iter().enumerate() {
        assert_eq!(
            value.number as usize, place,
            "{c}: a number of Java is its place"
        );
        text += &comment("    ", &sentence(&value.sentence()));
        let end = match place + 1 == one.values.len() {
            true if rest.is_empty() => "",
            true => ";",
            false => ",",
        };
        text += &format!("    {}{end}\n", words::name(one, value).to_uppercase());
    }
    format!("{text}{rest}}}\n")
}

/// Returns `Dialect.java`.
pub fn dialect() -> String {
    one(
        "robots_dialect",
        "Dialect",
        "A reading of the Robots Exclusion Protocol.",
        "",
    )
}

/// Returns `Reason.java`.
pub fn reason() -> String {
    const REST: &str = "
    private static final Reason[] ALL = values();

    static Reason of(int number) {
        return number < ALL.length ? ALL[number] : NONE;
    }
";
    one(
        "robots_reason",
        "Reason",
        "The reason of a verdict. For {@link #NONE} see {@link Verdict#status()}.",
        REST,
    )
}

/// Returns `FetchOption.java`.
pub fn fetch_option() -> String {
    let mut text = words::header("//") + "package io.github.librobots;\n\n";
    text += "/** The options of a fetch: what failures mean and how long results are used (SPEC 2, 3). Times are in seconds. */\n";
    text += "public enum FetchOption {\n";
    for (place, row) in FETCH_OPTIONS.iter().enumerate() {
        let (one, value) = words::constant(row.name).unwrap();
        assert_eq!(
            row.number as usize,
            place + 16,
            "a number of Java is its place after the first"
        );
        let values = match row.unit {
            Unit::OutcomeKind => String::new(),
            _ => format!(
                "({}, {})",
                words::digits(row.least),
                words::digits(row.most)
            ),
        };
        let end = if place + 1 == FETCH_OPTIONS.len() {
            ";"
        } else {
            ","
        };
        text += &comment("    ", &meaning(row, value));
        text += &format!(
            "    {}{values}{end}\n",
            words::name(one, value).to_uppercase()
        );
    }
    text + include_str!("java_fetch_option.txt")
}

fn meaning(row: &OptionRow, value: &Value) -> String {
    let text = sentence(&value.sentence());
    let default = words::default(row, str::to_owned);
    match row.unit {
        Unit::Switch => format!("1: {}. Default: {default}.", words::inside(&text)),
        Unit::Seconds => format!(
            "{text} {} to {}. Default: {}.",
            row.least,
            row.most,
            seconds(row)
        ),
        _ => match words::range(row) {
            Some(range) => format!("{text} {range}. Default: {default}."),
            None => format!("{text} Default: {default}."),
        },
    }
}

fn seconds(row: &OptionRow) -> String {
    super::defaults::defaults(
        row,
        |dialect| format!("{dialect:?}").to_lowercase(),
        |value| match value {
            0..=599 => value.to_string(),
            4_294_967_295 => "never".to_owned(),
            _ => format!("{value} ({})", words::time(value)),
        },
    )
}

/// Returns `BuilderOptions.java`.
pub fn builder() -> String {
    let mut text = words::header("//") + "package io.github.librobots;\n\n";
    text += "/** The options of a builder of crawlers that are no options for fetches. */\nabstract class BuilderOptions {\n";
    let names = crawler_options().map(|row| format!("\"{}\"", lower(row)));
    text += "    /** The names by number. */\n";
    text += &format!(
        "    static final String[] NAMES = {{null, {}}};\n\n",
        names.collect::<Vec<_>>().join(", ")
    );
    text += "    /** Sets an option and returns the builder. */\n    abstract Crawler.Builder set(int option, long value);\n";
    for row in crawler_options() {
        text += &format!("\n{}", setter(row));
    }
    text + "}\n"
}

fn lower(row: &OptionRow) -> String {
    let camel = words::camel(&words::option(row), &[]);
    camel[..1].to_lowercase() + &camel[1..]
}

/// Returns the cases of `Crawlers.java` of Spark: each sets an option of the builder from a text.
pub fn cases() -> String {
    let mut text = String::new();
    for row in READ_OPTIONS {
        let value = match row.unit {
            Unit::Switch => "isTrue(name, value)".to_owned(),
            Unit::Dialect => "pick(Dialect.class, name, value)".to_owned(),
            _ => format!(
                "Options.integer(\"the option \" + name, value, {}, {})",
                words::digits(row.least),
                words::digits(row.most)
            ),
        };
        text += &format!(
            "            case {:?}:\n                builder.{}({value});\n                break;\n",
            words::option(row),
            lower(row)
        );
    }
    text
}

fn setter(row: &OptionRow) -> String {
    let (name, number) = (lower(row), row.number);
    let about = format!("Sets {}.", sentence(&words::setting(row)));
    let default = words::default(row, str::to_owned);
    let (parameter, explained, check, code) = match row.unit {
        Unit::Switch => (
            "boolean on",
            "default: false".to_owned(),
            String::new(),
            "on ? 1 : 0",
        ),
        Unit::Dialect => (
            "Dialect dialect",
            format!("default: {{@link Dialect#{}}}", default.to_uppercase()),
            String::new(),
            "dialect.ordinal()",
        ),
        _ => (
            "int value",
            format!("{}; default: {default}", words::range(row).unwrap()),
            format!(
                "        Status.demandRange(\"{name}\", value, {}, {});\n",
                words::digits(row.least),
                words::digits(row.most)
            ),
            "value",
        ),
    };
    let throws = match check.is_empty() {
        true => "",
        false => "     * @throws IllegalArgumentException for another number\n",
    };
    let argument = parameter.split(' ').next_back().unwrap();
    format!(
        "    /**\n{}     *\n     * @param {argument} {explained}\n     * @return this\n{throws}     */\n    \
         public Crawler.Builder {name}({parameter}) {{\n{check}        return set({number}, {code});\n    }}\n",
        words::wrapped("     *", &about),
    )
}
