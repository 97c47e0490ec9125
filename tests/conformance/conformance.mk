# The cases that every robots.txt parser should pass (tests/conformance): files of JSON Lines, a runner, adapters.

CONFORMANCE := $(CARGO_TARGET_DIR)/conformance
SUITES      += test-conformance

export CONFORMANCE
export ROBOTS_VERSION = $(shell sed -n '/^\[workspace.package\]/,/^version/s/^version = "\(.*\)"/\1/p' Cargo.toml)
.PHONY: conformance conformance-cases conformance-own test-conformance

## conformance-cases: writes tests/conformance/*.jsonl anew from tests/data and the tables of tests/fetch and tests/extensions.
conformance-cases: need-cargo
	@UPDATE_CONFORMANCE=1 $(CARGO) test --quiet --test conformance --test fetch --test extensions conformance

conformance-own: library go java-native js python-installed need-cc cli-tested

## conformance: all cases on librobots and on the parsers of others that registries and ROBOTS_PEERS offer; writes tests/conformance/RESULTS.md.
conformance: conformance-own
	@tests/conformance/adapters/build own peers
	@tests/conformance/results

# Short: librobots in each language, which must pass all; the pure Python ones, which must run.
test-conformance: conformance-own
	@$(PYTHON) tests/conformance/run.py --self-test
	@tests/conformance/adapters/build own
	@tests/conformance/run --lines --level reading --quiet
	@tests/conformance/adapters/build short
	@tests/conformance/run --level none --quiet --chapters rfc9309,encodings,groups
