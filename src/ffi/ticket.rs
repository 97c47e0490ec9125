//! `robots_ticket`: the one permission to fetch an origin's robots.txt.

use super::fetch::{self, robots_fetch};
use super::outcome::{outcome_of, robots_outcome};
use super::rules::robots_str;
use super::status::robots_status;
use super::{borrowed, guarded, handle_into, status_of};
use crate::cache::Ticket;
use crate::error::Error;

/// The holder fetches the robots.txt of one origin, and nobody else who asks the cache does meanwhile. Given by
/// `robots_cache_check`, ended by `robots_ticket_free`. It belongs to one thread at a time, and may be handed on.
pub struct robots_ticket {
    /// None once its outcome was handed in.
    ticket: Option<Ticket>,
}

/// A ticket of the caller's own.
pub(super) fn hand_out(ticket: Ticket) -> Result<*mut robots_ticket, Error> {
    super::hand_out(robots_ticket {
        ticket: Some(ticket),
    })
}

/// A caller's ticket that is still out.
///
/// # Safety
/// As for [`borrowed`].
unsafe fn ticket_of<'a>(ticket: *const robots_ticket) -> Result<&'a Ticket, Error> {
    // SAFETY: passed on.
    unsafe { borrowed(ticket) }?
        .ticket
        .as_ref()
        .ok_or(Error::InvalidState)
}

/// Gives the key of the origin whose robots.txt is to be fetched, such as "https://example.com".
///
/// Parameters: `ticket`.
/// Returns: the key; empty for NULL, or after `robots_ticket_finish`.
/// Owner: the ticket; valid until `robots_ticket_finish` or `robots_ticket_free`.
/// Threads: one; no other may use the ticket meanwhile.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `ticket` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_ticket_origin(ticket: *const robots_ticket) -> robots_str {
    guarded(|| {
        // SAFETY: the caller's promise, passed on.
        let ticket = unsafe { ticket_of(ticket)? };
        Ok(robots_str::of(ticket.origin().as_bytes()))
    })
    .unwrap_or(robots_str::EMPTY)
}

/// Begins the retrieval, for all crawlers of the cache. It is told of the outcome that the cache has: it asks the
/// server whether the file changed, and goes on using it where the server cannot be reached (SPEC 2.11).
///
/// Parameters: `ticket`; `now`: seconds since 1970-01-01 UTC; `out`: receives the fetch.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL; `ROBOTS_E_STATE` after `robots_ticket_finish`; `ROBOTS_E_MEMORY`.
/// `*out` is NULL after an error.
/// Owner: the caller, who ends it with `robots_fetch_free`. The ticket stays good and is not needed for the fetch.
/// Threads: one; no other may use the ticket meanwhile.
/// Allocates: the fetch.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `ticket` is NULL or was not freed; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_ticket_fetch(
    ticket: *const robots_ticket,
    now: u64,
    out: *mut *mut robots_fetch,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promise, passed on.
        let ticket = unsafe { ticket_of(ticket)? };
        fetch::hand_out(ticket.fetch(now)?)
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Hands the outcome in, for all who ask. Of a ticket whose life was over it counts only if nothing newer is kept.
///
/// Parameters: `ticket`; `outcome`: from `robots_fetch_outcome`, or made otherwise for the same origin and crawlers;
/// `now`: seconds since 1970-01-01 UTC.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, or the outcome of another origin or other crawlers; `ROBOTS_E_MEMORY`
/// for one that does not fit into the cache; `ROBOTS_E_STATE` for a ticket that was finished before. Unless an argument
/// is NULL the ticket is given back in any case, and with an error it is as if nobody had fetched.
/// Owner: `ticket` and `outcome` stay the caller's, who frees both.
/// Threads: one; no other may use the ticket meanwhile.
/// Allocates: the origin's entry.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `ticket` and `outcome` are NULL or were not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_ticket_finish(
    ticket: *mut robots_ticket,
    outcome: *const robots_outcome,
    now: u64,
) -> robots_status {
    status_of(|| {
        // SAFETY: the caller's promise, passed on.
        let outcome = unsafe { outcome_of(outcome)? };
        // SAFETY: null becomes `None`; the caller promises that it is ours, and used by this thread alone.
        let ticket = unsafe { ticket.as_mut() }.ok_or(Error::Argument)?;
        let ticket = ticket.ticket.take().ok_or(Error::InvalidState)?;
        ticket.finish(outcome.clone(), now)
    })
}

/// Ends a ticket. One that was not finished is given back: the next who asks the cache gets one.
///
/// Parameters: `ticket`: NULL does nothing.
/// Returns: nothing.
/// Owner: the ticket is handed back.
/// Threads: one; no other may use the ticket meanwhile.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `ticket` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_ticket_free(ticket: *mut robots_ticket) {
    // SAFETY: the caller's promise, passed on.
    unsafe { super::free(ticket) };
}
