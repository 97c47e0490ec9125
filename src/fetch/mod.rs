//! One retrieval of a robots.txt, from URL to outcome (SPEC 2 and 3), without any I/O.
//!
//! `header` reads what strangers' headers say; `judge` is the table of what a result means and how long it
//! lives; `outcome` is what comes of it; `machine` asks for what is needed next; `record` stores outcomes.

mod header;
mod outcome;
mod record;
mod redirect;
mod state_machine;
mod status_policy;

pub(crate) use outcome::fingerprint;
pub use outcome::{Cause, Outcome};
pub use state_machine::{Failure, Fetch, Step};
