//! A rule as the stages pass it on: its line, its verdict, its priority (SPEC 8.7).

/// A rule's line, and whether it allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RuleRef(pub(crate) u32);

impl RuleRef {
    /// No rule's: lines are counted from 1.
    pub(crate) const NONE: RuleRef = RuleRef(0);

    #[inline]
    pub(crate) const fn new(line: u32, allow: bool) -> RuleRef {
        RuleRef(line << 1 | allow as u32)
    }
    #[inline]
    pub(crate) const fn line(self) -> u32 {
        self.0 >> 1
    }
    #[inline]
    pub(crate) const fn allow(self) -> bool {
        self.0 & 1 != 0
    }
}

/// How strong a rule is: of two that match, the one with the greater strength wins (SPEC 8.7).
///
/// Length, then allow before disallow, then the earlier line; in koster1996 the line alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Priority(u64);

impl Priority {
    /// Weaker than every rule.
    pub(crate) const NONE: Priority = Priority(0);

    /// `length` is that of the canonical path, below 2^31.
    #[inline]
    pub(crate) const fn new(length: u32, allow: bool, line: u32) -> Priority {
        Priority((length as u64) << 33 | (allow as u64) << 32 | !line as u64)
    }

    /// SPEC 8.7, koster1996: the line alone.
    #[inline]
    pub(crate) const fn from_line(line: u32) -> Priority {
        Priority(!line as u64)
    }
}
