//! The defaults of an option in words, for the generators of headers and bindings.

use robots::Dialect;
use robots::api::OptionRow;

/// Returns the defaults of an option in words: the one of rfc9309, then the dialects that differ. An example is
/// `5; koster1996: 20`.
pub fn defaults(
    row: &OptionRow,
    dialect: impl Fn(Dialect) -> String,
    value: impl Fn(u64) -> String,
) -> String {
    let [first, google, koster] = row.default;
    let mut text = value(first);
    let mut add = |names: String, other| {
        if other != first {
            text += &format!("; {names}: {}", value(other));
        }
    };
    match google == koster {
        true => {
            let names = [Dialect::Google, Dialect::Koster1996].map(&dialect);
            add(names.join(" and "), google);
        }
        false => {
            add(dialect(Dialect::Google), google);
            add(dialect(Dialect::Koster1996), koster);
        }
    }
    text
}
