//! Reads the paths of a difference (SPEC 12.1) byte by byte.

use crate::base::dialect::Dialect;
use crate::url::canonical::{Form, Side, Symbol, hex};

/// The bytes of a path of a difference: all bytes of a request line except `#` and `\`. A `#` starts a fragment, and browsers
/// change `\`. Of the bytes that no rule waits for, the search tries only the first byte in this list.
pub(super) const ALPHABET: &[u8; 92] =
    b"xabcdefghijklmnopqrstuvwyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_~=&,;:+!@'()[]*$\"<>^`{|}./?%";

/// The state of a path: the facts that affect later verdicts, in addition to the state of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathState {
    segment: Segment,
    pub(super) in_query: bool,
    pub(super) escape: Escape,
    /// If the path ends with the `?` of its query, whether each side allows the path without the `?`. `None` for any other
    /// path, and if both sides allow the path without the `?`.
    pub(super) bare: Option<[bool; 2]>,
}

/// The last segment of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Segment {
    Empty,
    Dot,
    Dots,
    Other,
}

/// The start of an escape at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    None,
    Percent,
    /// `%` and this hexadecimal digit.
    Digit(u8),
}

impl PathState {
    /// The path `/`.
    pub(super) const ROOT: PathState = PathState {
        segment: Segment::Empty,
        in_query: false,
        escape: Escape::None,
        bare: None,
    };

    /// Returns the state after one more byte; `None` if a dot segment gives the path several readings. `allowed`: whether each
    /// side allows the path before the byte.
    pub(super) fn next(self, byte: u8, allowed: [bool; 2]) -> Option<PathState> {
        let before = self.without_bare();
        let other = PathState {
            segment: Segment::Other,
            escape: Escape::None,
            ..before
        };
        match (self.escape, hex(byte)) {
            (Escape::Percent, Some(_)) => {
                let escape = Escape::Digit(byte);
                return Some(PathState { escape, ..before });
            }
            (Escape::Digit(first), Some(low)) => {
                let value = hex(first).map_or(0, |high| high << 4 | low);
                let ended = PathState {
                    escape: Escape::None,
                    ..before
                };
                return Some(if value == b'.' { ended.dot() } else { other });
            }
            _ => {}
        }
        let whole = match self.escape {
            Escape::None => before,
            _ => other,
        };
        let is_dots = !self.in_query && matches!(whole.segment, Segment::Dot | Segment::Dots);
        Some(match byte {
            b'%' => PathState {
                escape: Escape::Percent,
                ..whole
            },
            b'/' | b'?' if is_dots => return None,
            b'/' => PathState {
                segment: Segment::Empty,
                ..whole
            },
            b'?' if !self.in_query => PathState {
                in_query: true,
                bare: (allowed != [true; 2]).then_some(allowed),
                ..other
            },
            b'.' => whole.dot(),
            _ => other,
        })
    }

    /// Returns whether this byte may be the next byte of a path that is shown: a byte or escape that rfc9309 leaves as it is.
    /// Escapes of controls are excluded, and so are `%2A` and `%24`: no rule can name both `*` and `%2A`.
    pub(super) fn is_common(self, byte: u8) -> bool {
        let is_same = |symbol: &[u8], same| {
            let form = Form::new(Dialect::Rfc9309, Side::Url);
            let symbol = form.symbol(symbol, self.in_query);
            symbol.is_some_and(|(symbol, _)| symbol == same)
        };
        let is_digit = byte.is_ascii_digit() || matches!(byte, b'A'..=b'F');
        match (self.escape, hex(byte)) {
            (Escape::None, _) => byte == b'%' || is_same(&[byte], Symbol::Byte(byte)),
            (Escape::Percent, _) => is_digit,
            (Escape::Digit(first), Some(low)) => {
                let value = hex(first).map_or(0, |high| high << 4 | low);
                let is_kept = is_same(&[b'%', first, byte], Symbol::Escape(value));
                is_digit && is_kept && !matches!(value, 0..b' ' | b'*' | b'$' | 0x7F)
            }
            (Escape::Digit(_), None) => false,
        }
    }

    pub(super) fn without_bare(self) -> PathState {
        PathState { bare: None, ..self }
    }

    fn dot(self) -> PathState {
        let segment = match self.segment {
            _ if self.in_query => Segment::Other,
            Segment::Empty => Segment::Dot,
            Segment::Dot => Segment::Dots,
            _ => Segment::Other,
        };
        PathState { segment, ..self }
    }

    /// Returns whether a path may end here.
    pub(super) fn may_end(self) -> bool {
        let is_dots = matches!(self.segment, Segment::Dot | Segment::Dots);
        !is_dots || self.in_query || self.escape != Escape::None
    }

    /// Returns a number that is unique to this state.
    pub(super) fn number(self) -> u32 {
        let escape = match self.escape {
            Escape::None => 0,
            Escape::Percent => 1,
            Escape::Digit(digit) => u32::from(digit),
        };
        let bare = match self.bare {
            None => 0,
            Some([first, second]) => 4 | u32::from(first) << 1 | u32::from(second),
        };
        // A query has no segments.
        let segment = match self.in_query {
            true => 4,
            false => self.segment as u32,
        };
        escape << 8 | bare << 4 | segment
    }
}
