//! The constants of the C API. [`constants`] declares the values of an enum and describes them: the one source of the headers
//! and of `tests/data/api.json`, from which the other languages have them.

use crate::crawler::options::OptionRow;

/// An enum of the C API.
pub struct Enum {
    /// The name in C.
    pub name: &'static str,
    /// What the names of its values begin with; the rest is the name in other languages.
    pub prefix: &'static str,
    /// What the values are.
    pub about: &'static str,
    /// The module that declares it: the last part names the file.
    pub module: &'static str,
    /// The values, in the order of the header.
    pub values: &'static [Value],
}

/// A value of an [`Enum`].
#[derive(Clone, Copy)]
pub struct Value {
    /// The name in C.
    pub name: &'static str,
    /// The number.
    pub number: u32,
    /// The row of an option.
    pub option: Option<&'static OptionRow>,
    /// The lines of its comment.
    lines: &'static [&'static str],
}

impl Value {
    /// Returns what it means.
    pub fn sentence(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|line| line.trim()).collect();
        lines.join(" ")
    }

    /// For [`constants`] alone.
    pub(super) const fn new(
        name: &'static str,
        number: u32,
        lines: &'static [&'static str],
    ) -> Value {
        Value {
            name,
            number,
            option: None,
            lines,
        }
    }
}

/// Returns the options of tables as the values of an enum.
#[allow(clippy::indexing_slicing, reason = "by the compiler, of as many rows")]
pub(super) const fn values_of<const N: usize, const T: usize>(
    tables: [&'static [OptionRow]; T],
) -> [Value; N] {
    let mut values = [Value::new("", 0, &[]); N];
    let (mut index, mut table, mut place) = (0, 0, 0);
    while index < N {
        if place == tables[table].len() {
            (table, place) = (table + 1, 0);
        }
        let row = &tables[table][place];
        values[index] = Value::new(row.name, row.number, row.lines);
        values[index].option = Some(row);
        (index, place) = (index + 1, place + 1);
    }
    values
}

macro_rules! constants {
    ($name:ident($prefix:literal): $type:ty, $about:literal; $($(#[doc = $line:literal])* $value:ident = $number:expr,)*) => {
        $($(#[doc = $line])* pub const $value: $type = $number as $type;)*

        #[doc = $about]
        #[allow(non_upper_case_globals, reason = "these are the names of C")]
        pub const $name: crate::ffi::constants::Enum = crate::ffi::constants::Enum {
            name: stringify!($name),
            prefix: $prefix,
            about: $about,
            module: module_path!(),
            values: &[$(crate::ffi::constants::Value::new(stringify!($value), $value as u32, &[$($line),*])),*],
        };
    };
}
