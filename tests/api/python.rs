//! Python: `_enums.py`, the options of `Crawler` in its native part and its stubs; the exceptions, which are compared.

use std::fs;
use std::path::Path;

use robots::api::{OptionRow, Unit, Value, crawler_options};

use super::words;

/// The enums: the name in C, the class, and what it is.
#[rustfmt::skip]
const ENUMS: [(&str, &str, &str); 17] = [
    ("robots_reason", "Reason", "The reason of a verdict."),
    ("robots_outcome_kind", "OutcomeKind", "The result of a fetch: rules, or one rule for the whole site. Also the value of the options ``ON_...``."),
    ("robots_cause", "Cause", "Why an outcome is what it is."),
    ("robots_fetch_option", "FetchOption", "An option for fetches of a robots.txt. Times are in seconds; ``ON_...`` take an :class:`OutcomeKind`."),
    ("robots_step", "Step", "The event that a fetch expects."),
    ("robots_failure", "Failure", "Why a response is missing or incomplete."),
    ("robots_cache_action", "Action", "What to do next, as a cache decides."),
    ("robots_control", "Control", "What a page can restrict. A lower value is more restrictive, except that -1 is no limit."),
    ("robots_page_source", "PageSource", "Where a rule of a page is."),
    ("robots_zone", "Zone", "What a date says about its time zone."),
    ("robots_purpose", "Purpose", "What a crawler fetches pages for, or somebody uses them for."),
    ("robots_use", "Use", "Whether a page may be used for a purpose, the most restrictive first."),
    ("robots_use_source", "UseSource", "Where a signal about a use is."),
    ("robots_lint_severity", "Severity", "The severity of a diagnostic."),
    ("robots_line_kind", "LineKind", "What a line of a robots.txt is."),
    ("robots_match_result", "MatchResult", "Why a matching rule won or lost."),
    ("robots_difference_code", "DifferenceResult", "The result of a search for a difference."),
];

/// Values that Python reports in another way.
const ABSENT: [&str; 2] = ["ROBOTS_FAILURE_NONE", "ROBOTS_PAGE_NONE"];

/// Sentences about functions that Python has not.
const SENTENCES: [(&str, &str); 4] = [
    (
        "ROBOTS_STEP_GET",
        "Send a GET for ``url`` with ``request_headers``, and report the status.",
    ),
    ("ROBOTS_STEP_HEADERS", "Report each header, then their end."),
    ("ROBOTS_STEP_BODY", "Pass the body, then report its end."),
    ("ROBOTS_STEP_DONE", "There is an outcome."),
];

/// The exception of each status.
const EXCEPTIONS: [(&str, &str); 9] = [
    ("argument", "ArgumentError"),
    ("token", "TokenError"),
    ("url", "UrlError"),
    ("memory", "OutOfMemoryError"),
    ("panic", "InternalError"),
    ("image", "ImageError"),
    ("image_format", "ImageFormatError"),
    ("scheme", "SchemeError"),
    ("state", "StateError"),
];

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Returns a text with the names of Python.
fn sentence(text: &str) -> String {
    words::translated(text, |c| {
        Some(match words::constant(c) {
            Some((one, value)) => {
                let class = ENUMS.iter().find(|(c, ..)| *c == one.name)?.1;
                format!("``{class}.{}``", words::name(one, value).to_uppercase())
            }
            None => format!("``{c}``"),
        })
    })
}

/// Returns `_enums.py`.
pub fn enums() -> String {
    let mut text = words::header("#")
        + "\"\"\"The enumerations of the C API. The numbers never change.\"\"\"\n\n\
           from enum import Enum, IntEnum\n\n\n\
           class _Number(IntEnum):\n    \
           \"\"\"A member is a number of the C API. As text it is its name, in every version of Python.\"\"\"\n\n    \
           def __str__(self) -> str:\n        return self.name\n\n    \
           def __format__(self, spec: str) -> str:\n        \
           # A specification for numbers, such as `d` or `04x`, formats the number.\n        \
           is_number = spec[-1:] in tuple(\"bcdoxXneEfFgG%\")\n        \
           return format(int(self), spec) if is_number else format(self.name, spec)\n\n\n\
           class Dialect(str, Enum):\n    \"\"\"The interpretation of the protocol.\"\"\"\n\n";
    let dialects = words::enum_of("robots_dialect");
    for value in dialects.values {
        let name = words::name(dialects, value);
        text += &words::wrapped("    #:", &sentence(&value.sentence()));
        text += &format!("    {} = {name:?}\n", name.to_uppercase());
    }
    text += "\n    __str__ = str.__str__\n";
    for (c, class, about) in ENUMS {
        text += &format!("\n\nclass {class}(_Number):\n    \"\"\"{about}\"\"\"\n\n");
        let one = words::enum_of(c);
        for value in one
            .values
            .iter()
            .filter(|value| !ABSENT.contains(&value.name))
        {
            text += &words::wrapped("    #:", &meaning(value));
            text += &format!(
                "    {} = {}\n",
                words::name(one, value).to_uppercase(),
                value.number
            );
        }
    }
    text
}

fn meaning(value: &Value) -> String {
    if let Some((_, own)) = SENTENCES.iter().find(|(c, _)| *c == value.name) {
        return (*own).to_owned();
    }
    let text = sentence(&value.sentence());
    match value.option {
        None => text,
        Some(row) => of_option(row, &text),
    }
}

fn of_option(row: &OptionRow, text: &str) -> String {
    let default = words::default(row, str::to_owned);
    match row.unit {
        Unit::Switch => format!("1: {}. Default: {default}.", words::inside(text)),
        Unit::Seconds => format!("{text} {} to {}; default: {default}.", row.least, row.most),
        _ => match words::range(row) {
            Some(range) => format!("{text} {range}; default: {default}."),
            None => format!("{text} Default: {default}."),
        },
    }
}

/// Returns the constructor and the properties of `Crawler` in `crawler.rs`.
pub fn options() -> String {
    let mut signature = vec!["*tokens".to_owned()];
    // The error for no token at all is this package's, which says more than Python's.
    let mut shown = vec!["token, /, *tokens".to_owned()];
    let (mut parameters, mut values, mut properties) =
        (String::new(), String::new(), String::new());
    for row in crawler_options() {
        let name = words::option(row);
        let about = words::wrapped("    ///", &property(row));
        let default = row.default[0];
        let (kind, in_rust, in_python) = match row.unit {
            Unit::Dialect => {
                let word = words::name_of("robots_dialect", default);
                let kind = "robots::Dialect";
                (kind, format!("{kind}::default()"), format!("'{word}'"))
            }
            Unit::Switch => ("Number", "Number::from(0)".to_owned(), "False".to_owned()),
            _ => {
                let number = format!("Number::from({})", words::digits(default));
                ("Number", number, default.to_string())
            }
        };
        signature.push(format!("{name} = {in_rust}"));
        shown.push(format!("{name}={in_python}"));
        let reader = match row.unit {
            Unit::Dialect => "#[pyo3(from_py_with = dialect_from)] ",
            _ => "",
        };
        parameters += &format!("        {reader}{name}: {kind},\n");
        properties += &match row.unit {
            // The tokens depend on it, so it comes first.
            Unit::Dialect => String::new(),
            Unit::Switch => {
                values += &format!("            ({}, {name}, \"True or False\"),\n", row.number);
                format!(
                    "\n{about}    #[getter]\n    fn {name}(&self) -> bool {{\n        self.option_named({name:?}) != 0\n    }}\n"
                )
            }
            _ => {
                let range = words::range(row).unwrap();
                values += &format!("            ({}, {name}, {range:?}),\n", row.number);
                format!(
                    "\n{about}    #[getter]\n    fn {name}(&self) -> u64 {{\n        self.option_named({name:?})\n    }}\n"
                )
            }
        };
    }
    signature.push("fetch_options = None".to_owned());
    shown.push("fetch_options=None".to_owned());
    let shown = words::wrapped("", &format!("({})", shown.join(", ")))
        .trim()
        .replace('\n', " \\\n       ");
    format!(
        "    #[new]\n    #[pyo3(signature = ({}),\n        text_signature = \"{shown}\")]\n    \
         #[allow(clippy::too_many_arguments, reason = \"keyword arguments\")]\n    fn new(\n        \
         tokens: &Bound<'_, PyTuple>,\n{parameters}        fetch_options: Option<&Bound<'_, PyAny>>,\n    \
         ) -> PyResult<Crawler> {{\n        let options = [\n{values}        ];\n        \
         Crawler::create(tokens, dialect, options, fetch_options)\n    }}\n{properties}",
        words::wrapped("       ", &signature.join(", ")).trim()
    )
}

/// Returns the comment of a property.
fn property(row: &OptionRow) -> String {
    let text = words::setting(row);
    text[..1].to_uppercase() + &text[1..] + "."
}

/// Returns the arguments of the constructor in the stubs.
pub fn arguments() -> String {
    let mut text = String::new();
    for row in crawler_options() {
        let (kind, default) = match row.unit {
            Unit::Switch => ("bool", "False".to_owned()),
            Unit::Dialect => (
                "str",
                format!("{:?}", words::name_of("robots_dialect", row.default[0])),
            ),
            _ => ("int", words::digits(row.default[0])),
        };
        text += &format!("        {}: {kind} = {default},\n", words::option(row));
    }
    text
}

/// Returns the properties of `Crawler` in the stubs, but that of the dialect.
pub fn properties() -> String {
    let mut text = String::new();
    for row in crawler_options().filter(|row| row.unit != Unit::Dialect) {
        let kind = match row.unit {
            Unit::Switch => "bool",
            _ => "int",
        };
        // The native module has the same lines.
        let about = words::wrapped("    ///", &property(row)).replace("    /// ", "        ");
        let about = match about.trim().contains('\n') {
            true => format!("{}\n        ", about.trim()),
            false => about.trim().to_owned(),
        };
        let name = words::option(row);
        text += &format!(
            "    @property\n    def {name}(self) -> {kind}:\n        \"\"\"{about}\"\"\"\n"
        );
    }
    text
}

/// Returns which exceptions are not those of the statuses.
pub fn faults() -> Vec<String> {
    let mut faults = Vec::new();
    const ERRORS: &str = "bindings/python/src/error.rs";
    let errors = read(ERRORS);
    let (_, classes) = errors.split_once("] = [").unwrap();
    let classes = classes.split_once("];").unwrap().0;
    let classes: Vec<&str> = classes.split('"').skip(1).step_by(2).collect();
    let one = words::enum_of("robots_status_code");
    for value in one
        .values
        .iter()
        .filter(|value| (1..64).contains(&value.number))
    {
        let name = words::name(one, value);
        let wanted = EXCEPTIONS.iter().find(|(status, _)| *status == name);
        let found = classes.get(value.number as usize - 1);
        if wanted.map(|(_, class)| class) != found {
            faults.push(format!(
                "{ERRORS}: the exception of {name} ({}) is {found:?}, not {wanted:?}",
                value.number
            ));
        }
    }
    faults
}
