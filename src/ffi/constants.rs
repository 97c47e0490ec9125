//! The constants of the C API. [`constants`] declares the values of an enum and describes them: the one source of the headers
//! and of `tests/data/api.json`, from which the other languages have them.

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
pub struct Value {
    /// The name in C.
    pub name: &'static str,
    /// The number.
    pub number: u32,
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
            lines,
        }
    }
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
