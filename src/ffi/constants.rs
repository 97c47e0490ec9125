//! The macro for enums that only C has.

macro_rules! constants {
    ($name:ident($prefix:literal): $type:ty, $about:literal; $($(#[doc = $line:literal])* $value:ident = $number:expr,)*) => {
        $($(#[doc = $line])* pub const $value: $type = $number as $type;)*

        #[doc = $about]
        #[allow(non_upper_case_globals, reason = "these are the names of C")]
        pub const $name: crate::base::codes::Enum = crate::base::codes::Enum {
            name: stringify!($name),
            prefix: $prefix,
            about: $about,
            module: module_path!(),
            values: &[$(crate::base::codes::Value::new(stringify!($value), $value as u32, &[$($line),*])),*],
        };
    };
}
