//! SPEC 1, 2, 3 and 7.6, row by row, with scripted servers and a clock of the tests' own.

mod around;
mod headers;
mod model;
mod properties;
mod questions;
mod record;
mod server;
mod spec_1;
mod spec_2;
mod spec_2_18;
mod spec_2_bodies;
mod spec_2_gzip;
mod spec_2_outages;
mod spec_2_redirects;
mod spec_3;
mod spec_7;
