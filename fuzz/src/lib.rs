//! The fuzz targets. What they do lies in `tests/fuzz`, where `make test` runs it without a fuzzer.

#[path = "../../tests/invariants/mod.rs"]
pub mod invariants;
#[path = "../../tests/oracle/mod.rs"]
pub mod oracle;
#[path = "../../tests/fuzz/seeds.rs"]
pub mod seeds;
#[path = "../../tests/support/mod.rs"]
pub mod support;
#[path = "../../tests/fuzz/targets/mod.rs"]
pub mod targets;
