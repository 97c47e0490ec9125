# The cases that every robots.txt parser should pass (tests/conformance): files of JSON Lines, a runner, adapters.

CONFORMANCE := $(CARGO_TARGET_DIR)/conformance
SUITES      += test-conformance test-causes

export CONFORMANCE
export ROBOTS_VERSION = $(shell sed -n '/^\[workspace.package\]/,/^version/s/^version = "\(.*\)"/\1/p' Cargo.toml)
.PHONY: conformance conformance-cases conformance-files conformance-own test-conformance test-causes

# The tests write the cases to $(CONFORMANCE)/cases.
WRITE_CASES = $(CARGO) test --quiet --test engine the_conformance_suite >$(CONFORMANCE)/cases.log 2>&1 \
              || { cat $(CONFORMANCE)/cases.log; exit 1; }

## conformance-cases: writes the cases to target/conformance/cases; if they changed, raises tests/conformance/VERSION.
conformance-cases: need-cargo
	@mkdir -p $(CONFORMANCE)
	@export UPDATE_CONFORMANCE=$$(($$(head -n 1 tests/conformance/VERSION) + 1)) && $(WRITE_CASES)
	@cat $(CONFORMANCE)/cases/*.jsonl | wc -l | sed 's,$$, cases in $(CONFORMANCE)/cases,'

conformance-files: need-cargo
	@mkdir -p $(CONFORMANCE)
	@$(WRITE_CASES)

conformance-own: conformance-files drivers cli-tested need-python

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

## test-causes: what decides where a drop-in and its original differ, by bindings/README.md (ROBOTS_CAUSES=1200; ROBOTS_CORPUS: real files).
test-causes: go-cgo java-jar js python-installed
	@tests/causes/build $(CARGO_TARGET_DIR)/causes >$(CARGO_TARGET_DIR)/causes.tsv
	@$(PYTHON_VENV)/bin/python tests/causes/causes $(CARGO_TARGET_DIR)/causes.tsv
