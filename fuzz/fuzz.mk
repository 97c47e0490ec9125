# Fuzzing: `make fuzz` runs every target of fuzz/ for a while. Nothing else builds its crate.

FUZZ_TARGETS := abi cache canonical check explain extensions fetch format image lint page_controls
# Seconds for each target; TARGETS="lint fetch" runs those alone.
TIME         ?= 60
TARGETS      ?= $(FUZZ_TARGETS)
PACKAGES     += c++:g++
export FUZZ_TARGETS

SUITES       += test-fuzz-build
.PHONY: fuzz test-fuzz-build test-fuzzlite

# The fuzzer compiles; the tests run its targets without it (fuzz/replay.rs).
test-fuzz-build: need-cargo need-cxx
	@$(CARGO) check --quiet --locked -p librobots-fuzz --bins
	@echo "fuzz-build: 1 passed, 0 failed"

## fuzz: looks for inputs that the library does not stand, TIME seconds for each target (TIME=60 TARGETS="lint fetch").
fuzz: need-cargo
	$(call need,clang,make packages installs it on Debian)
	$(call need,c++,make packages installs it on Debian: g++)
	@fuzz/run $(TIME) $(TARGETS)

# The variables that the image of ClusterFuzzLite sets for AddressSanitizer.
LITE := $(CARGO_TARGET_DIR)/fuzzlite
test-fuzzlite: export SRC := $(LITE)/src
test-fuzzlite: export OUT := $(LITE)/out
test-fuzzlite: export WORK := $(LITE)/work
test-fuzzlite: export SANITIZER := address
test-fuzzlite: export CC := clang
test-fuzzlite: export CFLAGS := -O1 -fno-omit-frame-pointer -gline-tables-only -fsanitize=address,fuzzer-no-link -fsanitize-address-use-after-scope
test-fuzzlite: export RUSTFLAGS := --cfg fuzzing -Zsanitizer=address -Cdebuginfo=1 -Cforce-frame-pointers
## test-fuzzlite: builds and runs the targets as the image of ClusterFuzzLite does, TIME seconds each.
test-fuzzlite: need-cargo
	$(call need,clang,make packages installs it on Debian)
	$(call need,zip,install zip)
	@mkdir -p $(SRC) $(OUT) $(WORK) && ln -sfn $(CURDIR) $(SRC)/librobots
	@.clusterfuzzlite/build.sh
	@fuzz/lite $(TIME) $(TARGETS)
