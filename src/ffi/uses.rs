//! `robots_uses`: what the pages of a site may be used for.

use core::mem::MaybeUninit;

use super::convert::*;
use super::crawler::robots_crawler;
use super::origin::text_into;
use super::page_controls::robots_page_controls;
use crate::crawler::preset::Purpose;
use crate::page::usage::{UseSignal, Uses};
use crate::url::origin::Origin;

/// What a site states to one crawler about the use of its pages (SPEC 13), in robots.txt and tdmrep.json. Immutable.
///
/// Owner: created by `robots_uses_new`, freed by `robots_uses_free`.
/// Threads: any number of threads may use it at the same time.
/// Allocates: the function that creates it, and work space of the others.
pub struct robots_uses(Uses);

/// What one statement says about a URL and a purpose. Later versions add no fields.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct robots_use_signal {
    /// Text as it is written, such as `ai-train=no` or `Disallow: /a`. If `says` is `ROBOTS_USE_LICENSED`, the text is the
    /// address of the terms; in a `Link` header, it may be relative to the page. Any bytes.
    pub text: robots_str,
    /// Policy token or control token of a `ROBOTS_USE_SOURCE_TOKEN_RULE`, such as `Google-Extended`; empty for other sources.
    pub token: robots_str,
    /// Number of the line of the robots.txt, from 1; 0 for other sources.
    pub line: u32,
    /// Source, one of `enum robots_use_source`. Later versions may add values.
    pub source: u32,
    /// What the signal says, one of `enum robots_use`: `ROBOTS_USE_UNSTATED` for an unknown label or value, and for a
    /// source that was not read; `ROBOTS_USE_DENIED` for a page that was not read because memory was short.
    pub says: u32,
    /// Always 0.
    pub reserved: u32,
}

impl From<&UseSignal<'_>> for robots_use_signal {
    fn from(signal: &UseSignal<'_>) -> robots_use_signal {
        robots_use_signal {
            text: robots_str::new(signal.text),
            token: robots_str::new(signal.token.as_bytes()),
            line: signal.line,
            source: signal.source as u32,
            says: signal.says as u32,
            reserved: 0,
        }
    }
}

/// The answer for a URL and a purpose.
#[repr(C)]
pub struct robots_use_answer {
    /// `sizeof(robots_use_answer)`.
    pub size: usize,
    /// Number of all signals about the purpose, including signals for which the caller's array has no room.
    pub signals: usize,
    /// Answer, one of `enum robots_use`.
    pub says: u32,
    /// 1 if the first signal decides; 0 if nothing is stated and every source was read.
    pub decided: u32,
}

/// Reads what a site states about the use of its pages (SPEC 13).
///
/// Parameters: `site`, `site_len`: a URL of the site; if `site_len` is 0, every URL counts as a URL of the site. `body`,
/// `body_len`: the robots.txt; empty if the site has none (404); NULL if the file is unknown, as in an outage: then no use
/// is `ROBOTS_USE_ALLOWED`. `tdm_file`, `tdm_file_len`: the file `/.well-known/tdmrep.json` of the site; NULL if the site
/// has none; empty if the file is unknown. `out`: receives the uses, which stay valid without `crawler`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` for a `site` without a robots.txt. The content of the files is
/// never an error.
/// Allocates: the statements of the files; may abort when out of memory if `site_len` is not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_uses_new(
    crawler: *const robots_crawler,
    site: *const c_char,
    site_len: usize,
    body: *const c_char,
    body_len: usize,
    tdm_file: *const c_char,
    tdm_file_len: usize,
    out: *mut *mut robots_uses,
) -> robots_status {
    exported!(handle_into(out, || {
        let robots_crawler(crawler) = borrowed!(crawler)?;
        let (site, text) = (bytes!(site, site_len)?, bytes!(body, body_len)?);
        let tdm_text = bytes!(tdm_file, tdm_file_len)?;
        let site = match site {
            [] => None,
            _ => Some(Origin::from_url(site)?),
        };
        let text = (!body.is_null()).then_some(text);
        let uses = Uses::new(crawler, site.as_ref(), text)?;
        let uses = match tdm_file.is_null() {
            true => uses,
            false => uses.with_tdm_file(tdm_text)?,
        };
        Ok::<_, Error>(robots_uses(uses))
    }))
}

const PURPOSE: &core::ffi::CStr = why!("purpose is not one of enum robots_purpose");
const PAGE: &core::ffi::CStr =
    why!("page is that of a crawler with other product tokens: make it with the crawler of uses");
const SIGNALS: &core::ffi::CStr = why!(
    "signals is NULL or not aligned, but capacity is not 0: pass the address of an array of capacity elements"
);

/// Returns whether a page may be used for a purpose (SPEC 13.1), and each statement about that purpose. The crawler decides
/// what to do if a use is unstated. An error means that the page must not be used.
///
/// Parameters: `url`, `url_len`: as for `robots_rules_check`, of the site of `uses`. `purpose`: one of `enum
/// robots_purpose`. `page`: the controls of the response, for the same crawler; NULL if they are unknown: then the answer
/// is never `ROBOTS_USE_ALLOWED`. `signals`, `capacity`: an array that receives the first signals; the deciding signal is
/// first, and unknown labels are last; NULL if `capacity` is 0. `out`: receives the answer.
/// Returns: `ROBOTS_OK`, also if `capacity` is too small; `ROBOTS_E_URL` if `url` is no URL of the site; `ROBOTS_E_SCHEME`;
/// `ROBOTS_E_ARG`, also if `page` was created for a crawler with other product tokens. After an error the answer is
/// `ROBOTS_USE_DENIED`, and no signal is written.
/// Owner: the strings belong to `uses` and `page`; they are valid until one of them is freed or a value is added to `page`.
/// Allocates: work space that is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_use_for(
    uses: *const robots_uses,
    url: *const c_char,
    url_len: usize,
    purpose: u32,
    page: *const robots_page_controls,
    signals: *mut robots_use_signal,
    capacity: usize,
    out: *mut robots_use_answer,
) -> robots_status {
    exported!(struct_into(out, || {
        let robots_uses(uses) = borrowed!(uses)?;
        let purpose = Purpose::from_code(purpose).ok_or_else(|| refuse(PURPOSE))?;
        // This call refuses an array that cannot be written to, before the answer is computed.
        elements::<MaybeUninit<robots_use_signal>>(signals.cast(), capacity, SIGNALS)?;
        let page = page.as_ref().map(|page| &page.0);
        let url = bytes!(url, url_len)?;
        let answer = uses.use_for(url, purpose, page).blame(PAGE)?;
        for (number, signal) in answer.signals().iter().take(capacity).enumerate() {
            signals.add(number).write(signal.into());
        }
        Ok(robots_use_answer {
            size: 0,
            signals: answer.signals().len(),
            says: answer.says() as u32,
            decided: answer.decided_by().is_some().into(),
        })
    }))
}

/// Writes the receipt of an answer (SPEC 13.7): one line of JSON in ASCII, without a line end. `robots replay` checks it.
///
/// Parameters: `uses`, `url`, `url_len`, `purpose`, `page`: as for `robots_use_for`, but `url` is absolute.
/// `fetched_at_ms`: when the page was fetched, in milliseconds since 1970-01-01 UTC; the receipt has whole seconds.
/// `buffer`, `capacity`: receives the receipt, without a NUL. `len`: receives the length of the receipt; 0 after an error
/// other than `ROBOTS_E_SPACE`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_SPACE` if the buffer is too small, which then stays unchanged; the errors of
/// `robots_use_for`; `ROBOTS_E_URL` also if `url` is not UTF-8; `ROBOTS_E_TIME`; `ROBOTS_E_MEMORY` also if an allocation
/// failed while `page` was read.
/// Allocates: the text, which is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_use_receipt(
    uses: *const robots_uses,
    url: *const c_char,
    url_len: usize,
    purpose: u32,
    page: *const robots_page_controls,
    fetched_at_ms: u64,
    buffer: *mut c_char,
    capacity: usize,
    len: *mut usize,
) -> robots_status {
    exported!(text_into(buffer, capacity, len, || {
        let robots_uses(uses) = borrowed!(uses)?;
        let purpose = Purpose::from_code(purpose).ok_or_else(|| refuse(PURPOSE))?;
        let page = page.as_ref().map(|page| &page.0);
        at_time(fetched_at_ms, |now| {
            let url = bytes!(url, url_len)?;
            let receipt = uses.receipt(url, purpose, page, now).blame(PAGE)?;
            Ok(receipt.into())
        })
    }))
}

/// Frees uses and everything borrowed from them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_uses_free(uses: *mut robots_uses) {
    exported!(free(uses))
}
