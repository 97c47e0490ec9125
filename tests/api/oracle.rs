//! The oracle: `tests/oracle/setup.rs`, the settings of its crawler. What it does with them is written by hand.

use robots::api::{OptionRow, READ_OPTIONS, Unit};

use super::words;

/// Returns `setup.rs`.
pub fn setup() -> String {
    let rows = READ_OPTIONS.iter().filter(|row| row.unit != Unit::Dialect);
    let rows: Vec<(String, &OptionRow)> = rows.map(|row| (words::option(row), row)).collect();
    let each = |line: &dyn Fn(&str, &OptionRow) -> String| -> String {
        rows.iter().map(|(name, row)| line(name, row)).collect()
    };
    let fields = each(&|name, row| {
        let kind = match row.unit {
            Unit::Switch => "bool",
            _ => "usize",
        };
        let about = words::wrapped("    ///", &words::sentence(row));
        format!("{about}    pub {name}: {kind},\n")
    });
    let defaults = each(&|name, row| match row.unit {
        Unit::Switch => format!("            {name}: {},\n", row.default[0] != 0),
        _ => format!("            {name}: {},\n", words::digits(row.default[0])),
    });
    let ranges = each(&|name, row| {
        let (least, most) = (words::digits(row.least), words::digits(row.most));
        format!("    ({name:?}, {least}, {most}),\n")
    });
    let values = each(&|name, _| format!("            self.{name} as u64,\n"));
    let setters = each(&|name, row| match row.unit {
        Unit::Switch => format!("            {name:?} => self.{name} = value != 0,\n"),
        _ => format!("            {name:?} => self.{name} = usize::try_from(value).unwrap(),\n"),
    });
    let count = rows.len();
    words::header("//")
        + &format!(
            "//! The settings of a crawler.

use super::Dialect;

/// The settings of a crawler.
#[derive(Clone, Debug)]
pub struct Setup {{
    /// Product tokens in order of preference (7.1).
    pub tokens: Vec<Vec<u8>>,
    pub dialect: Dialect,
{fields}}}

/// Each option but the dialect: the name that the case files give it, its least and its highest value.
pub const OPTIONS: [(&str, u64, u64); {count}] = [
{ranges}];

impl Setup {{
    pub fn new(dialect: Dialect, tokens: &[&[u8]]) -> Setup {{
        Setup {{
            tokens: tokens.iter().map(|token| token.to_vec()).collect(),
            dialect,
{defaults}        }}
    }}

    /// Returns each option with its value.
    pub fn options(&self) -> [(&'static str, u64); {count}] {{
        let values = [
{values}        ];
        std::array::from_fn(|place| (OPTIONS[place].0, values[place]))
    }}

    /// Sets an option by its name. Panics if there is no such option.
    pub fn set(&mut self, name: &str, value: u64) {{
        match name {{
{setters}            other => panic!(\"no option {{other}}: run `make api`\"),
        }}
    }}
}}
"
        )
}
