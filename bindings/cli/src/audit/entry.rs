//! A request: a line of a log, or a record of an archive.

use std::borrow::Cow;

use super::time::Time;

/// A request.
#[derive(Clone, Debug)]
pub(super) struct Entry<'l> {
    pub(super) time: Time,
    /// The host, if the log names it.
    pub(super) host: Option<Cow<'l, [u8]>>,
    /// The URL or the path; empty if the request has none.
    pub(super) target: Cow<'l, [u8]>,
    pub(super) status: Option<u16>,
    pub(super) bytes: u64,
    /// The User-Agent; `None` if the log has no such field.
    pub(super) agent: Option<Cow<'l, [u8]>>,
    /// The address of the client, as it is written.
    pub(super) address: Option<Cow<'l, [u8]>>,
}

/// Why a line cannot be read: [`UNREAD`] has the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    Form,
    Cut,
    Json,
    Columns,
    Time,
    Url,
    Long,
    Record,
}

pub(super) const UNREAD: [&str; Unread::Record as usize + 1] = [
    "in no known format",
    "cut short",
    "broken JSON",
    "another number of columns than #Fields",
    "without a time",
    "without a URL",
    "longer than 256 KiB",
    "a WARC record whose request is broken",
];

impl Entry<'_> {
    /// Returns the path and query of the target; `None` if the request has no URL.
    pub(super) fn path(&self) -> Option<&[u8]> {
        if self.target.starts_with(b"/") {
            return Some(&self.target);
        }
        let (_, rest) = split_authority(&self.target)?;
        Some(rest)
    }

    /// Returns the host as [`normal_host`] does: of the URL, else of the field.
    pub(super) fn normal_host(&self) -> Option<Cow<'_, [u8]>> {
        let of_url = || split_authority(&self.target).map(|(host, _)| host);
        let host = match self.target.first() {
            Some(b'/') => self.host.as_deref(),
            _ => of_url().or(self.host.as_deref()),
        };
        host.map(normal_host).filter(|host| !host.is_empty())
    }
}

/// Splits an absolute URL at the end of its authority.
pub(super) fn split_authority(url: &[u8]) -> Option<(&[u8], &[u8])> {
    let start = memchr::memmem::find(url.get(..12).unwrap_or(url), b"://")? + 3;
    let rest = url.get(start..)?;
    let end = rest.iter().position(|byte| b"/?#\\".contains(byte));
    Some(rest.split_at(end.unwrap_or(rest.len())))
}

/// Returns a host in lower case, without user, default port and final dot. Logs seldom name the scheme, so both 80 and 443 are
/// default ports.
pub(super) fn normal_host(host: &[u8]) -> Cow<'_, [u8]> {
    let host = match memchr::memrchr(b'@', host) {
        Some(at) => host.get(at + 1..).unwrap_or_default(),
        None => host,
    };
    let host = host.strip_suffix(b":443").unwrap_or(host);
    let host = host.strip_suffix(b":80").unwrap_or(host);
    let host = host.strip_suffix(b".").unwrap_or(host);
    match host {
        b"-" | b"_" => Cow::Borrowed(b""),
        _ if host.iter().any(u8::is_ascii_uppercase) => Cow::Owned(host.to_ascii_lowercase()),
        _ => Cow::Borrowed(host),
    }
}

/// Returns the target of the first line of a request; empty if there is none.
pub(super) fn target_of(request: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    match request {
        Cow::Borrowed(request) => Cow::Borrowed(target(request)),
        Cow::Owned(request) => Cow::Owned(target(&request).to_vec()),
    }
}

fn target(request: &[u8]) -> &[u8] {
    let Some(space) = memchr::memchr(b' ', request) else {
        return b"";
    };
    let (method, target) = request.split_at(space);
    if !method.iter().all(|byte| byte.is_ascii_alphabetic()) {
        return b"";
    }
    // A path may have blanks, and even the name of a protocol.
    let target = target.trim_ascii_start();
    match memchr::memmem::rfind(target, b" HTTP/") {
        Some(end) => target.get(..end).unwrap_or_default(),
        None => target,
    }
}
