//! Controls one retrieval of a robots.txt, from URL to outcome (SPEC 2 and 3), without any I/O.
//!
//! - `state_machine`: the steps of a retrieval. The caller reports each event, and the machine names the next step.
//! - `header`: the headers of a response; `gzip`: a compressed body.
//! - `redirect`: the target of a redirect, and whether it may be followed.
//! - `status_policy`: what a status or a failure means, and the times of the outcome.
//! - `outcome`: the result; `facts`, `record`: the result as bytes.

mod facts;
mod gzip;
mod header;
mod outcome;
mod record;
mod redirect;
mod state_machine;
mod status_policy;

pub(crate) use facts::Facts;
pub(crate) use gzip::inflated;
pub(crate) use header::retry_after;
pub(crate) use outcome::fingerprint;
pub use outcome::{Cause, Outcome, OutcomeParts};
pub(crate) use redirect::target as redirect_target;
pub use state_machine::{Failure, Fetch, Step};
