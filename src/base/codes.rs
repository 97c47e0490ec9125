//! Enums whose values have numbers, those of the C API among them.

/// An enum of the C API: the one source of the headers and of `tests/data/api.json`, from which the other languages have it.
pub struct Enum {
    /// The name in C.
    pub name: &'static str,
    /// What the names of its values begin with; the rest is the name in other languages.
    pub prefix: &'static str,
    /// What the values are.
    pub about: &'static str,
    /// The module of `ffi` that uses it: the last part names the file.
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

    /// For the macros that declare enums.
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

/// What the value of an option is.
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
    /// How many.
    Count,
    /// Seconds.
    Seconds,
}

/// An option: its number, its values, its default in each dialect.
pub struct OptionRow {
    /// The name in C.
    pub name: &'static str,
    /// The number.
    pub number: u32,
    /// What its value is.
    pub unit: Unit,
    /// The lowest value.
    pub least: u64,
    /// The highest value.
    pub most: u64,
    /// The default of each dialect, by number.
    pub default: [u64; 3],
    /// The lines of its comment.
    pub(crate) lines: &'static [&'static str],
}

/// Returns the options of tables as the values of an enum.
#[allow(clippy::indexing_slicing, reason = "by the compiler, of as many rows")]
pub(crate) const fn values_of<const N: usize, const T: usize>(
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

/// Declares an enum, its list `ALL` and `from_code`. What follows the enum is their visibility and the type of a number.
///
/// An enum of the C API has its name there, the prefix of its values, the file of `ffi` that uses it, and what the values are. Its
/// rows have the names in C; in brackets stands a value 0 that is none of the enum. `C` is the [`Enum`].
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
            /// The enum of the C API.
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
            /// Every value, by number.
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
