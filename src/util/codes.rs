//! Numbers of the C API to enums.

/// Defines `from_code` for an enum. All variants are listed: a missing one does not compile.
macro_rules! from_code {
    ($type:ident, $code:ty: $($variant:ident)*) => {
        impl $type {
            /// Returns the value with this number, if any.
            pub const fn from_code(code: $code) -> Option<$type> {
                const _: fn($type) = |value| match value {
                    $($type::$variant)|* => (),
                };
                $(if code == $type::$variant as $code {
                    return Some($type::$variant);
                })*
                None
            }
        }
    };
}

pub(crate) use from_code;
