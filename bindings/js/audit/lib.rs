//! `robots audit` as WebAssembly, for a tab of the page: the sources of the command, without its I/O.
//!
//! The page writes bytes of logs into a buffer of the module, and calls an export. A text for the page is in the same buffer.
#![allow(dead_code, reason = "the command uses the rest of its sources")]

#[path = "../../cli/src/audit/auditor.rs"]
mod auditor;
#[path = "../../cli/src/clock.rs"]
mod clock;
#[path = "../../cli/src/audit/crawlers.rs"]
mod crawlers;
#[path = "../../cli/src/audit/entry.rs"]
mod entry;
#[path = "../../cli/src/escapes.rs"]
mod escapes;
#[path = "../../cli/src/audit/evidence.rs"]
mod evidence;
mod exports;
#[path = "../../cli/src/audit/fields.rs"]
mod fields;
#[path = "../../cli/src/audit/formats.rs"]
mod formats;
#[path = "../../cli/src/audit/html.rs"]
mod html;
mod page;
#[path = "../../cli/src/audit/report.rs"]
mod report;
#[path = "../../cli/src/audit/row.rs"]
mod row;
#[path = "../../cli/src/audit/time.rs"]
mod time;
#[path = "../../cli/src/audit/versions.rs"]
mod versions;
