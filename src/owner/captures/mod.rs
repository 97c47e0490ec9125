//! Captures of robots.txt files: the responses that archives and tables hold (SPEC 11).
//!
//! - `date`: when a response was captured.
//! - `stored`: an HTTP response as an archive stores it.
//! - `meaning`: the outcome of one capture for a crawler.
//! - `choice`: selects the capture that decides for each site.

mod choice;
mod date;
mod meaning;
mod stored;

pub use choice::{CaptureCounts, Captures, Chosen, Ending, InMemory, Shelf};
pub use date::{When, parse_date};
pub use meaning::{Capture, Captured};
