//! `robots_ticket`: the exclusive right to fetch an origin's robots.txt.

use super::convert::*;
use super::fetch::{OUTCOME, robots_fetch};
use super::outcome::robots_outcome;
use crate::site::cache::Ticket;

/// The exclusive right to fetch the robots.txt of one origin. A cache has at most one valid ticket per origin.
///
/// Owner: created by `robots_cache_check` and `robots_cache_request`, freed by `robots_ticket_free`.
/// Threads: one thread at a time; another thread may take it over.
/// Allocates: functions as noted. They may abort when out of memory.
// `None` after `robots_ticket_finish`.
pub struct robots_ticket(pub(super) Option<Ticket>);

/// Returns a caller's ticket, unless it was finished.
///
/// # Safety
/// As for [`handle_at`].
unsafe fn ticket_of<'a>(ticket: *const robots_ticket) -> Result<&'a Ticket, Error> {
    // SAFETY: the caller's promise.
    let robots_ticket(ticket) = unsafe { borrowed!(ticket)? };
    ticket.as_ref().ok_or(Error::InvalidState)
}

/// Returns the key of the origin to fetch, such as "https://example.com".
///
/// Returns: the key; empty for NULL, and after `robots_ticket_finish`.
/// Owner: the ticket; valid until `robots_ticket_finish` or `robots_ticket_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_ticket_origin(ticket: *const robots_ticket) -> robots_str {
    exported!(value_or(robots_str::EMPTY, || {
        Ok(robots_str::new(ticket_of(ticket)?.origin()))
    }))
}

/// Starts the retrieval for all crawlers of the cache. A cached outcome is revalidated, and serves in an outage (SPEC 2.11).
///
/// Parameters: `out`: receives the fetch, which does not need the ticket.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` after `robots_ticket_finish`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_ticket_fetch(
    ticket: *const robots_ticket,
    now_ms: u64,
    out: *mut *mut robots_fetch,
) -> robots_status {
    exported!(handle_into(out, || at_time(now_ms, |now| {
        ticket_of(ticket)?.fetch(now).map(robots_fetch::from)
    })))
}

/// Submits the outcome for all threads that use the cache. The outcome of an expired ticket counts only if the cache has no
/// newer outcome. If the times of the outcome are more than a minute after `now_ms`, the next caller gets a ticket
/// immediately (SPEC 2.18).
///
/// Parameters: `outcome`: of `robots_fetch_outcome`, or another outcome of the same origin and crawlers.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, another origin or other crawlers; `ROBOTS_E_MEMORY` if the outcome
/// does not fit into the cache; `ROBOTS_E_STATE` if the ticket was finished before. The call consumes the ticket even
/// on error, except for NULL. After an error the cache behaves as if no fetch had happened.
/// Owner: the caller keeps `ticket` and `outcome`, and frees both.
/// Allocates: the origin's entry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_ticket_finish(
    ticket: *mut robots_ticket,
    outcome: *const robots_outcome,
    now_ms: u64,
) -> robots_status {
    exported!(status_of(|| {
        let outcome = &borrowed!(outcome)?.outcome;
        let ticket = changeable!(ticket)?.0.take().ok_or(Error::InvalidState)?;
        at_time(now_ms, |now| {
            ticket.finish(outcome.clone(), now).blame(OUTCOME)
        })
    }))
}

/// Frees a ticket. If the ticket was not finished, the cache gives a ticket to the next caller.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_ticket_free(ticket: *mut robots_ticket) {
    exported!(free(ticket))
}
