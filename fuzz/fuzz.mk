# Fuzzing: `make fuzz` runs every target of fuzz/ for a while. Nothing else builds its crate.

FUZZ_TARGETS := abi cache canonical check explain extensions fetch format image lint page_controls
# Seconds for each target; TARGETS="lint fetch" runs those alone.
TIME         ?= 60
TARGETS      ?= $(FUZZ_TARGETS)
PACKAGES     += c++:g++
export FUZZ_TARGETS

SUITES       += test-fuzz-build
.PHONY: fuzz test-fuzz-build

# The fuzzer compiles; the tests run its targets without it (fuzz/replay.rs).
test-fuzz-build: need-cargo need-cxx
	@$(CARGO) check --quiet --locked -p librobots-fuzz --bins
	@echo "fuzz-build: 1 passed, 0 failed"

## fuzz: looks for inputs that the library does not stand, TIME seconds for each target (TIME=60 TARGETS="lint fetch").
fuzz: need-cargo
	$(call need,clang,make packages installs it on Debian)
	$(call need,c++,make packages installs it on Debian: g++)
	@fuzz/run $(TIME) $(TARGETS)
