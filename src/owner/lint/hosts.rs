//! Finds the hosts of URLs in the file, and the host of the site.

use super::lines::{File, LineKind, starts_with};
use crate::url::origin;

/// Returns the rest of an absolute URL after its scheme.
pub(super) fn after_scheme(url: &[u8]) -> Option<&[u8]> {
    origin::split(url).ok().map(|(_, rest)| rest)
}

/// Returns the host of an absolute URL, without user and port.
pub(super) fn host_of(url: &[u8]) -> Option<&[u8]> {
    let (_, host) = origin::authority(after_scheme(url)?);
    let host = host.split(|byte| *byte == b':').next()?;
    Some(host).filter(|host| !host.is_empty())
}

/// Returns whether two hosts are equal except for case and `www.` at the start.
pub(super) fn is_related(a: &[u8], b: &[u8]) -> bool {
    let bare = |host| match <[u8]>::get(host, 4..) {
        Some(rest) if starts_with(host, b"www.") => rest,
        _ => host,
    };
    bare(a).eq_ignore_ascii_case(bare(b))
}

impl File {
    /// Returns the host of the site, if the caller of lint gave it, or else the single host of all sitemaps.
    pub(super) fn host(&self) -> Option<&[u8]> {
        if let Some(host) = host_of(self.site.as_bytes()) {
            return Some(host);
        }
        let number = self.host_line.get_or_init(|| {
            let hosts = self.lines_of(LineKind::Sitemap);
            let mut hosts = hosts.filter_map(|line| Some((line.number, host_of(line.value)?)));
            let (number, first) = hosts.next()?;
            let is_only = hosts.all(|(_, host)| host.eq_ignore_ascii_case(first));
            is_only.then_some(number)
        });
        host_of(self.line((*number)?)?.value)
    }
}
