# The cases that every robots.txt parser should pass (tests/conformance): files of JSON Lines, a runner, adapters.

CONFORMANCE := $(CARGO_TARGET_DIR)/conformance
SUITES      += test-conformance

export CONFORMANCE
.PHONY: conformance conformance-cases test-conformance

## conformance-cases: writes tests/conformance/*.jsonl anew from tests/data and the tables of tests/fetch and tests/extensions.
conformance-cases: need-cargo
	@UPDATE_CONFORMANCE=1 $(CARGO) test --quiet --test conformance --test fetch --test extensions conformance
