//! What the fuzzer and the writer of seeds share with `replay.rs`, which `make test` runs without a fuzzer.

#[path = "../tests/invariants/mod.rs"]
pub mod invariants;
#[path = "../tests/oracle/mod.rs"]
pub mod oracle;
pub mod seeds;
#[path = "../tests/support/mod.rs"]
pub mod support;
pub mod targets;
