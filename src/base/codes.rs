//! Declares enums whose values have stable numbers, including all enums of the C API.

/// The description of an enum of the C API. Tests generate the C headers, `tests/data/api.json` and the enums of other
/// languages from it.
pub struct Enum {
    /// The name in C.
    pub name: &'static str,
    /// The prefix of the values' names in C, such as `ROBOTS_REASON_`. Other languages use the rest of each name.
    pub prefix: &'static str,
    /// The comment of the enum.
    pub about: &'static str,
    /// The module of `ffi` that uses the enum.
    pub module: &'static str,
    /// The values, in the order of the header.
    pub values: &'static [Value],
}

impl Enum {
    /// Returns the name of a value without the prefix, such as `NO_RULE`.
    pub(crate) fn word(&self, number: u32) -> &'static str {
        let value = self.values.iter().find(|value| value.number == number);
        let word = value.and_then(|value| value.name.strip_prefix(self.prefix));
        word.unwrap_or_default()
    }
}

/// A value of an [`Enum`].
#[derive(Clone, Copy)]
pub struct Value {
    /// The name in C.
    pub name: &'static str,
    /// The number.
    pub number: u32,
    /// The option's row, if the value is an option.
    pub option: Option<&'static OptionRow>,
    lines: &'static [&'static str],
}

impl Value {
    /// Returns the comment as one line.
    pub fn sentence(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|line| line.trim()).collect();
        lines.join(" ")
    }

    /// Returns a value without an option row.
    pub(crate) const fn new(
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

/// The unit of the value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The number of a `Dialect`.
    Dialect,
    /// The number of an `OutcomeKind`.
    OutcomeKind,
    /// 0 or 1.
    Switch,
    /// Bytes.
    Bytes,
    /// A number of items.
    Count,
    /// Seconds.
    Seconds,
}

/// An option of a crawler: number, range, and default of each dialect.
pub struct OptionRow {
    /// The name in C.
    pub name: &'static str,
    /// The number.
    pub number: u32,
    /// The unit of its value.
    pub unit: Unit,
    /// The lowest value.
    pub least: u64,
    /// The highest value.
    pub most: u64,
    /// The default of each dialect, in the order of the dialects' numbers.
    pub default: [u64; 3],
    pub(crate) lines: &'static [&'static str],
}

/// Returns the `N` rows of all tables as the values of an enum.
#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
pub(crate) const fn values_of<const N: usize, const T: usize>(
    tables: [&'static [OptionRow]; T],
) -> [Value; N] {
    let mut values = [Value::new("", 0, &[]); N];
    let (mut index, mut table, mut row) = (0, 0, 0);
    while index < N {
        if row == tables[table].len() {
            (table, row) = (table + 1, 0);
        }
        let option = &tables[table][row];
        values[index] = Value::new(option.name, option.number, option.lines);
        values[index].option = Some(option);
        (index, row) = (index + 1, row + 1);
    }
    values
}

/// Declares an enum, its list `ALL` and its function `from_code`. The line after the enum states the visibility of `ALL` and
/// `from_code`, and the integer type of the numbers.
///
/// For an enum of the C API, `name("PREFIX_") in file, "comment"` follows the Rust name, and a C name follows each number. The
/// constant `C` of the Rust enum is the [`Enum`]. If the first row is in brackets, the row declares a value with the number 0
/// that exists only in C.
macro_rules! codes {
    (
        $(#[$about:meta])*
        pub enum $coded:ident: $c:ident($prefix:literal) in $file:ident, $what:literal {
            $([$none:ident $nothing:literal])?
            $($(#[doc = $line:literal])* $value:ident = $number:literal $name:ident $(#[$mark:meta])?,)*
        }
        $($rest:tt)*
    ) => {
        codes! {
            $(#[$about])*
            #[doc = concat!("\n\nThe discriminant is the number in `enum ", stringify!($c), "` of the C API.")]
            pub enum $coded {
                $($(#[doc = $line])* $(#[$mark])? $value = $number,)*
            }
            $($rest)*
        }

        impl $coded {
            /// The same enum in the C API.
            pub(crate) const C: crate::base::codes::Enum = crate::base::codes::Enum {
                name: stringify!($c),
                prefix: $prefix,
                about: $what,
                module: concat!("ffi::", stringify!($file)),
                values: &[
                    $(crate::base::codes::Value::new(stringify!($none), 0, &[$nothing]),)?
                    $(crate::base::codes::Value::new(stringify!($name), $number, &[$($line),*])),*
                ],
            };
        }
    };
    (
        $(#[$about:meta])*
        pub enum $coded:ident {
            $($(#[$meaning:meta])* $value:ident = $number:literal,)*
        }
        ALL: $list:vis, from_code: $visible:vis $code:ty
    ) => {
        $(#[$about])*
        pub enum $coded {
            $($(#[$meaning])* $value = $number,)*
        }

        #[allow(dead_code, reason = "not every enum needs both")]
        impl $coded {
            /// All values, in the order of their numbers.
            $list const ALL: [$coded; [$($number),*].len()] = [$($coded::$value),*];

            /// Returns the value with this number, if any.
            #[inline]
            $visible const fn from_code(code: $code) -> Option<$coded> {
                match code {
                    $($number => Some($coded::$value),)*
                    _ => None,
                }
            }
        }
    };
}
