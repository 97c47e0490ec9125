//! A rule as all stages refer to it: line, allow or disallow, priority (SPEC 8.7).

/// The line of a rule and whether it allows, in 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RuleRef(pub(crate) u32);

impl RuleRef {
    /// No rule. Lines start at 1.
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

/// The priority of a rule: of two that match, the one with the higher priority wins (SPEC 8.7).
///
/// Ordered by length, then allow before disallow, then the earlier line; koster1996: by line alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Priority(u64);

impl Priority {
    /// Lower than the priority of every rule.
    pub(crate) const NONE: Priority = Priority(0);

    /// Returns the priority of a rule. `length`: bytes of its canonical path, below 2^31.
    #[inline]
    pub(crate) const fn new(length: u32, allow: bool, line: u32) -> Priority {
        Priority((length as u64) << 33 | (allow as u64) << 32 | !line as u64)
    }

    /// Returns the priority of a rule in koster1996: the earlier line wins (SPEC 8.7).
    #[inline]
    pub(crate) const fn from_line(line: u32) -> Priority {
        Priority(!line as u64)
    }
}
