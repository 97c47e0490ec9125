//! Enums whose values have numbers, those of the C API among them.

/// Declares an enum, its list `ALL` and `from_code`. What follows the enum is their visibility and the type of a number.
macro_rules! codes {
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
