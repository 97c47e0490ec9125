//! The dialects, and the one table of how they differ.

/// Which reading of the protocol decides where its documents disagree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Dialect {
    /// RFC 9309, the standard.
    #[default]
    Rfc9309 = 0,
    /// What Google's open-source matcher answers, bit for bit.
    Google = 1,
    /// The first draft, by Martijn Koster, of 1996.
    Koster1996 = 2,
}

impl Dialect {
    /// Every dialect, in the order of its number.
    pub const ALL: [Dialect; 3] = [Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996];

    /// The dialect with this number, if there is one.
    #[inline]
    pub const fn from_code(code: u64) -> Option<Dialect> {
        match code {
            0 => Some(Dialect::Rfc9309),
            1 => Some(Dialect::Google),
            2 => Some(Dialect::Koster1996),
            _ => None,
        }
    }

    /// SPEC 5.1: what is ignored around field, colon and value.
    #[inline]
    pub(crate) const fn is_space(self, byte: u8) -> bool {
        match self {
            Dialect::Google => matches!(byte, b' ' | b'\t' | b'\n' | 0x0B | 0x0C | b'\r'),
            _ => matches!(byte, b' ' | b'\t'),
        }
    }

    /// SPEC 5.6: a field that only starts with a known name counts as that name.
    #[inline]
    pub(crate) const fn fields_by_prefix(self) -> bool {
        matches!(self, Dialect::Google)
    }

    /// SPEC 4.4: what follows a NUL on a line or in a URL's path is unseen.
    #[inline]
    pub(crate) const fn nul_ends(self) -> bool {
        matches!(self, Dialect::Google)
    }

    /// SPEC 4.5: a line cut by the size limit is used as cut; elsewhere it is ignored.
    #[inline]
    pub(crate) const fn keeps_cut_line(self) -> bool {
        matches!(self, Dialect::Google)
    }

    /// SPEC 4.6: the bytes of a line that are looked at.
    #[inline]
    pub(crate) const fn line_limit(self) -> usize {
        match self {
            Dialect::Google => crate::limits::GOOGLE_LINE,
            _ => usize::MAX,
        }
    }

    /// SPEC 7.3, 7.6: the bytes of a product token.
    #[inline]
    pub(crate) const fn is_token_byte(self, byte: u8) -> bool {
        match self {
            Dialect::Google => byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-'),
            _ => byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'),
        }
    }

    /// SPEC 7.8: the whole value of a user-agent line is the name.
    #[inline]
    pub(crate) const fn whole_value_is_name(self) -> bool {
        matches!(self, Dialect::Koster1996)
    }

    /// SPEC 6.6: a blank line ends a record.
    #[inline]
    pub(crate) const fn blank_line_ends_record(self) -> bool {
        matches!(self, Dialect::Koster1996)
    }

    /// SPEC 6.4, 7.8: groups that name the same agent are one group; in koster1996 the first counts.
    #[inline]
    pub(crate) const fn merges_groups(self) -> bool {
        !matches!(self, Dialect::Koster1996)
    }

    /// SPEC 8.3, 8.4, 8.6: `*` and a final `$` of a rule are special.
    #[inline]
    pub(crate) const fn has_wildcards(self) -> bool {
        !matches!(self, Dialect::Koster1996)
    }

    /// SPEC 8.7: the first rule in file order wins instead of the longest.
    #[inline]
    pub(crate) const fn first_match_wins(self) -> bool {
        matches!(self, Dialect::Koster1996)
    }

    /// SPEC 8.8: the line of a rule with an empty path is reported where nothing longer matches.
    #[inline]
    pub(crate) const fn reports_empty_rules(self) -> bool {
        matches!(self, Dialect::Google)
    }

    /// SPEC 8.9: `/robots.txt` itself is always allowed.
    #[inline]
    pub(crate) const fn frees_robots_txt(self) -> bool {
        !matches!(self, Dialect::Google)
    }

    /// SPEC 8.10: `Allow: /x/index.html` also stands for `/x/$`.
    #[inline]
    pub(crate) const fn index_stands_for_directory(self) -> bool {
        matches!(self, Dialect::Google)
    }
}
