//! One retrieval of a robots.txt, from URL to outcome (SPEC 2 and 3), without any I/O.
//!
//! - `state_machine`: the steps of a retrieval. The caller reports each event, and the machine names the next step.
//! - `header`: the headers of a response; `gzip`: the body that one of them describes.
//! - `redirect`: the target of a redirect, and whether it may be followed.
//! - `status_policy`: what a result means, and its times: one table.
//! - `outcome`: the result; `record`: the result as bytes.

mod gzip;
mod header;
mod outcome;
mod record;
mod redirect;
mod state_machine;
mod status_policy;

pub(crate) use gzip::inflated;
pub(crate) use header::retry_after;
pub(crate) use outcome::fingerprint;
pub use outcome::{Cause, Outcome, OutcomeParts};
pub(crate) use redirect::target as redirect_target;
pub use state_machine::{Failure, Fetch, Step};
