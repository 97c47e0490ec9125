# librobots. `make` builds the library, `make demo` shows it at work, `make test` tests it, `make test-all` runs the long tests.
# Everything that is built goes to target/ (or CARGO_TARGET_DIR); only `make header` and `make api` write elsewhere.

CARGO    ?= cargo
CFLAGS   ?= -O2 -g
VALGRIND ?= valgrind
WARNINGS := -Wall -Wextra -Wpedantic -Wstrict-prototypes -Wshadow -Werror

export CARGO_TARGET_DIR := $(abspath $(or $(CARGO_TARGET_DIR),target))
# Names of files in make, and RUSTFLAGS, end at a blank.
$(foreach folder,CURDIR CARGO_TARGET_DIR CARGO_HOME,$(if $(word 2,$($(folder))),\
    $(error the path in $(folder) has a blank, which make and rustc cannot take: '$($(folder))'; use another folder)))
export CC CFLAGS CARGO WARNINGS
export RELEASE := $(CARGO_TARGET_DIR)/release
OUT     := $(CARGO_TARGET_DIR)/c
# The files of the other languages' benchmarks: those of ROBOTS_CORPUS, or those that benches/ generates.
GENERATED    := $(CARGO_TARGET_DIR)/bench-corpus
BENCH_CORPUS := $(or $(ROBOTS_CORPUS),$(GENERATED))
HEADERS := $(wildcard include/*.h tests/c/*.h) $(OUT)/functions.h

# $(call need,COMMAND,HOW TO GET IT,OLDEST VERSION): stops with one clear sentence when a tool is missing or too old.
need = @tests/scripts/need '$(firstword $(1))' "$(2)" '$(3)'

.PHONY: all library header demo demo-check test bench packages clean need-cargo need-cc need-cxx need-curl need-valgrind FORCE

## all: what plain `make` does; builds the library and sees that the header compiles.
all: library need-cc
	@printf '#include <librobots.h>\n' | $(CC) -x c -std=c99 $(WARNINGS) -Iinclude -fsyntax-only -
	@echo "built: $(RELEASE)/librobots.so and librobots.a; the header: include/librobots.h"

## library: target/release/librobots.so and librobots.a; include/librobots.h is in the repository.
library: $(RELEASE)/librobots.so

# Cargo knows what is out of date, so it is always asked; it leaves the files alone when nothing changed.
$(RELEASE)/librobots.so: FORCE | need-cargo
	@RUSTFLAGS="$$(bindings/c/rustflags)" $(CARGO) rustc --release --lib --crate-type cdylib,staticlib --quiet -- -C link-arg=-Wl,-soname,librobots.so.$(ABI)
	@ln -sfn librobots.so $(RELEASE)/librobots.so.$(ABI) # by this name, its SONAME, programs find it
$(RELEASE)/librobots.a: $(RELEASE)/librobots.so
	@:
FORCE:

need-cargo:
	$(call need,$(CARGO),install Rust 1.85 or newer from https://rustup.rs and try again,1.85)
need-cc:
	$(call need,$(CC),install a C compiler (make packages does so on Debian) or set CC)

# With the package of the library, so that its crates have the features that its own tests built.
TEST_HEADER = $(CARGO) test --quiet -p librobots -p librobots-header --test header

## header: writes include/librobots.h anew from src/ffi (the tests say when that is due).
header: need-cargo
	@UPDATE_HEADER=1 $(TEST_HEADER)

## api: writes tests/data/api.json, and what is made of it, anew from src (the tests say when that is due).
.PHONY: api
api: need-cargo
	@UPDATE_API=1 $(CARGO) test --quiet --test engine api::

## demo: a crawler in C visits a small site, whose server reports what was requested; then demo-check.
demo: need-cargo
	@tests/scripts/packages $(CRAWL_PACKAGES)
	+@$(MAKE) --no-print-directory --silent $(OUT)/crawl $(OUT)/check
	@examples/site/demo $(OUT)/crawl
	@echo
	+@$(MAKE) --no-print-directory demo-check

## demo-check: 20 URLs of an example shop, decided by a C program.
demo-check: $(OUT)/check
	@echo "check examples/data/robots.txt ExampleBot < examples/data/urls.txt"; echo
	@$(OUT)/check examples/data/robots.txt ExampleBot < examples/data/urls.txt || [ $$? -eq 1 ] # 1: some are not allowed

$(OUT)/check: examples/c/check.c $(RELEASE)/librobots.so $(HEADERS) | need-cc
	@mkdir -p $(@D)
	@$(CC) -std=c99 $(CFLAGS) $(WARNINGS) -Iinclude $< $(LINK_SHARED) -o $@

# The crawler needs libcurl and a server, nothing else does: COMMAND:PACKAGE or PATH:PACKAGE of Debian.
CRAWL_PACKAGES := cc:gcc /usr/include/stdio.h:libc6-dev curl-config:libcurl4-openssl-dev python3:python3

$(OUT)/crawl: $(patsubst %,examples/c/%,crawl.c frontier.c request.c frontier.h request.h) $(RELEASE)/librobots.so $(HEADERS) | need-cc need-curl
	@mkdir -p $(@D)
	@$(CC) -std=c99 $(CFLAGS) $(WARNINGS) -Iinclude $$(curl-config --cflags) $(filter %.c,$^) $(LINK_SHARED) \
	    $$(curl-config --libs) -lm -o $@
$(OUT)/crawl_loop: examples/c/crawl_loop.c $(RELEASE)/librobots.so $(HEADERS) | need-cc need-curl
	@mkdir -p $(@D)
	@$(CC) -std=c99 $(CFLAGS) $(WARNINGS) -Iinclude $$(curl-config --cflags) $< $(LINK_SHARED) $$(curl-config --libs) -o $@
$(OUT)/paced: tests/c/paced.c $(RELEASE)/librobots.so $(HEADERS) | need-cc need-curl
	$(BUILD_TEST) $$(curl-config --cflags) $(LINK_SHARED) $$(curl-config --libs) -lpthread -o $@
need-cxx:
	$(call need,$(CXX),install a C++ compiler (make packages does so on Debian) or set CXX)
need-valgrind:
	$(call need,$(VALGRIND),make packages installs it on Debian)
need-curl:
	$(call need,curl-config,install libcurl's headers (make packages does so on Debian: libcurl4-openssl-dev))

# --- C programs: against the shared library, or the static one -------------------------------------------------------

LINK_SHARED = -L$(RELEASE) -lrobots -Wl,-rpath,$(RELEASE)
LINK_STATIC = $(RELEASE)/librobots.a -lpthread -lm -ldl
WRAP        = $(foreach f,malloc calloc realloc aligned_alloc posix_memalign free,-Wl,--wrap=$(f))
SANITIZE    = -fsanitize=address,undefined -fno-sanitize-recover=all

# Each tests/c/test_*.c is a program; those that count allocations, or let them fail, need the library inside them.
C_TESTS   := $(patsubst tests/c/%.c,%,$(wildcard tests/c/test_*.c))
BUILD_TEST = @mkdir -p $(@D) && $(CC) -std=c11 $(CFLAGS) $(WARNINGS) -Iinclude -Itests/c -I$(OUT) $< 

# The table of the C functions, with their parameters, that the tests of misuse, failing allocations and panics run over.
$(OUT)/functions.h: tests/c/functions bindings/c/prototypes include/librobots.h include/librobots_tools.h
	@mkdir -p $(@D) && tests/c/functions >$@.new && mv $@.new $@

WRAPPED   := test_memory test_faults test_soak
$(WRAPPED:%=$(OUT)/plain/%): $(OUT)/plain/%: tests/c/%.c $(RELEASE)/librobots.a $(HEADERS) | need-cc
	$(BUILD_TEST) $(LINK_STATIC) $(WRAP) -o $@
$(OUT)/plain/%: tests/c/%.c $(RELEASE)/librobots.so $(HEADERS) | need-cc
	$(BUILD_TEST) $(LINK_SHARED) -lpthread -o $@
$(WRAPPED:%=$(OUT)/sanitized/%): $(OUT)/sanitized/%: tests/c/%.c $(RELEASE)/librobots.a $(HEADERS) | need-cc
	$(BUILD_TEST) $(SANITIZE) $(LINK_STATIC) $(WRAP) -o $@
$(OUT)/sanitized/%: tests/c/%.c $(RELEASE)/librobots.a $(HEADERS) | need-cc
	$(BUILD_TEST) $(SANITIZE) $(LINK_STATIC) -o $@

# The same source once more, with a panic to be had in each function: never a release build.
PANICS := $(OUT)/panics
$(PANICS)/librobots.a: FORCE | need-cargo
	@$(CARGO) rustc --quiet --lib --crate-type staticlib --features inject-panics
	@mkdir -p $(@D) && cp $(CARGO_TARGET_DIR)/debug/librobots.a $@
$(PANICS)/panics: tests/c/panics.c $(PANICS)/librobots.a $(HEADERS) | need-cc
	$(BUILD_TEST) $(PANICS)/librobots.a -lpthread -lm -ldl -o $@

# --- tests: each suite is a target of its own; `make test` runs all and sums up ---------------------------------------

SUITES := test-format test-clippy test-rust test-properties test-lint-bounds test-header test-symbols test-c test-c-sanitized \
          test-c-valgrind test-panics test-panics-valgrind test-example test-crawl test-crawl-valgrind test-readme \
          test-supply test-workflows test-miri test-msrv test-words test-figures test-run test-doc test-package
# Those of `make test-all`: lints, other builds and versions of what `make test` tests, packages outside the repository, and long
# searches.
REST   := test-clippy test-properties test-lint-bounds test-c-valgrind test-panics-valgrind test-crawl-valgrind test-readme test-supply test-workflows \
          test-miri test-msrv test-doc test-package test-c-layout test-c-documentation test-install test-neighbours test-abi test-manual \
          test-map-image test-dist-host test-go-nocgo test-go-temoto test-go-race test-go-fuzz test-go-lint test-go-outside \
          test-go-examples test-java-nullness test-java-outside test-java-examples test-spark-local test-js-outside test-js-leaks \
          test-js-robots-parser test-js-browser test-page-short test-site test-python-stubs test-python-suites test-python-leaks \
          test-python-outside test-conformance test-causes test-crawlers-short test-wire-long test-fuzz-build
# What the tests need: COMMAND:PACKAGE or PATH:PACKAGE of Debian.
PACKAGES := $(CRAWL_PACKAGES) g++:g++ $(VALGRIND):valgrind nm:binutils

# Each binding, the command and whatever has many suites adds its own targets, suites and packages.
include $(sort $(wildcard bindings/*/*.mk)) tests/c/soak.mk tests/drivers/drivers.mk fuzz/fuzz.mk \
    tests/crawlers/crawlers.mk tests/conformance/conformance.mk tests/wire/wire.mk tests/woken/woken.mk
# The last of its lane, because it waits for the packages of the other lane.
SUITES += test-readme-short
.PHONY: $(SUITES)

# These run beside the others. Both lanes use the libraries, which are built before.
BESIDE := test-lint-bounds test-conformance test-causes test-readme test-wire% test-woken test-go% test-java% test-js% test-page% test-site test-spark% test-python% test-crawlers% test-drivers test-hpp test-filter

# No test runs the libraries of other machines; `make dist` builds them.
test test-all: export HOST_ONLY := 1
# What is built here is built once: incremental builds take a sixth more time, and several units of a crate are optimized
# together in a second step, which takes another sixth.
test test-all: export CARGO_INCREMENTAL := 0
test test-all: export CARGO_PROFILE_TEST_CODEGEN_UNITS := 1
.PHONY: test-all

# The libraries of both lanes. The last step of each build has one thread, so two builds run at the same time.
BUILD_BOTH = +@$(MAKE) --no-print-directory c-library & library=$$!; $(MAKE) --no-print-directory js-or-skip && wait $$library

# $(call run,SUITES): in two lanes, one line for each; the last line is "N passed, N failed, N skipped; N comparisons".
run = +@MAKE="$(MAKE)" tests/scripts/run $(filter-out $(BESIDE),$(1)) -- $(filter $(BESIDE),$(1))

## test: the tests in all languages, in thirteen minutes; the last line is "N passed, N failed, N skipped; N comparisons".
test: packages-or-skip need-cargo
	$(BUILD_BOTH)
	$(call run,$(filter-out $(REST),$(SUITES)))

## test-all: the suites that `make test` leaves out.
test-all: packages-or-skip need-cargo
	$(BUILD_BOTH)
	$(call run,$(filter $(REST),$(SUITES)))

# --- a loop of half a minute: what a contributor runs after each edit ---------------------------------------------------

CHECKS := test-format test-clippy check-rust check-c test-words check-figures
.PHONY: check c-test check-rust check-c check-figures

## check: after each edit: format, clippy, unit tests, cases, properties, layers, header, C tests, words, figures.
check: need-cargo need-cc
	+@MAKE="$(MAKE)" tests/scripts/run $(CHECKS)

check-rust: export ROBOTS_CASES ?= 2000
check-rust: need-cargo
	@$(CARGO) test --quiet --lib
	@$(CARGO) test --quiet --test engine -- api:: cases:: properties:: repository::
	@$(TEST_HEADER)

# The library without optimization, built in seconds. The tests of failing allocations and the long ones run in test-c only.
CHECK_LIB     := $(CARGO_TARGET_DIR)/debug
CHECK_C_TESTS := $(filter-out test_faults test_soak test_memory,$(C_TESTS))
$(CHECK_LIB)/librobots.so: FORCE | need-cargo
	@$(CARGO) rustc --quiet --lib --crate-type cdylib
$(OUT)/unoptimized/%: tests/c/%.c $(HEADERS) | $(CHECK_LIB)/librobots.so need-cc
	$(BUILD_TEST) -L$(CHECK_LIB) -lrobots -Wl,-rpath,$(CHECK_LIB) -lpthread -o $@
$(DRIVERS)/c-unoptimized: tests/drivers/driver.c $(DRIVER_HEADERS) | $(CHECK_LIB)/librobots.so need-cc
	$(BUILD_DRIVER) -L$(CHECK_LIB) -lrobots -Wl,-rpath,$(CHECK_LIB) -lm -o $@
check-c: $(CHECK_C_TESTS:%=$(OUT)/unoptimized/%) $(DRIVERS)/c-unoptimized
	@tests/c/run $(filter-out $(DRIVERS)/%,$^)
	@tests/drivers/run cases scripts -- c-unoptimized $(DRIVERS)/c-unoptimized

## c-test: one C test, as T=cache or T=tests/c/test_cache.c; go-test, java-test and python-test are its like.
# It needs the library inside it where allocations are counted, so it is built as test-c does.
C_TEST := test_$(patsubst test_%,%,$(basename $(notdir $(T))))
c-test: $(if $(filter $(C_TEST),$(C_TESTS)),$(OUT)/plain/$(C_TEST),c-test-unknown)
	@tests/c/run $<
.PHONY: c-test-unknown
c-test-unknown:
	@echo "make c-test: no test '$(T)': T is one of $(C_TESTS:test_%=%)" >&2; exit 1

# A suite whose tool is still missing is skipped.
.PHONY: packages-or-skip
packages-or-skip:
	@tests/scripts/packages $(PACKAGES) || echo "make test: skips the suites that need them" >&2

## packages: installs what the tests need and this machine lacks (Debian's apt-get; elsewhere says what is missing).
packages:
	@tests/scripts/packages $(PACKAGES)

test-format: need-cargo
	@$(CARGO) fmt --all --check -- --color never
	@echo "format: 1 passed, 0 failed"
# `make test-all` asks for all crates.
CLIPPY ?= librobots librobots-header
test-all: export CLIPPY := librobots librobots-header librobots-cli librobots-audit librobots-python
test-clippy: need-cargo
	@$(CARGO) clippy --quiet --all-targets $(CLIPPY:%=-p %) -- -D warnings
	@echo "clippy: $(words $(CLIPPY)) passed, 0 failed"
# Environment: ROBOTS_VECTORS and ROBOTS_CORPUS name folders with further data, where there are any.
# ROBOTS_CASES: the generated cases of each property in a dialect.
test-rust: export ROBOTS_CASES ?= 15000
# The unit tests of the library run in `make check`, and all in test-properties: they need builds for themselves.
test-rust: need-cargo
	@$(CARGO) test --no-fail-fast --test engine --test cache --test cache_soak
	@$(CARGO) test --no-fail-fast --doc
test-properties: export ROBOTS_CASES ?= 100000
test-properties: need-cargo
	@$(CARGO) test --no-fail-fast --lib
	@$(CARGO) test --no-fail-fast -p librobots-cli --bins
	@$(CARGO) test --no-fail-fast --test cache
	@$(CARGO) test --no-fail-fast --test engine -- analysis:: extensions:: fetch:: properties::
test-lint-bounds: need-cargo
	@$(CARGO) test --test lint_bounds
test-header: need-cargo need-cc
	@$(TEST_HEADER)
	@tests/scripts/header-standards
test-symbols: library
	@tests/scripts/symbols $(RELEASE)/librobots.so
test-c: $(C_TESTS:%=$(OUT)/plain/%)
	@tests/c/run $^
test-c-sanitized: $(C_TESTS:%=$(OUT)/sanitized/%) $(DRIVERS)/c-sanitized
	@tests/c/run $(filter-out $(DRIVERS)/%,$^)
	@tests/drivers/run cases scripts -- c-sanitized $(DRIVERS)/c-sanitized
# Each try of test_faults.c is a process. Here a sample of them runs, without their output.
test-c-valgrind: export RUNNER = $(VALGRINDED) --child-silent-after-fork=yes
test-c-valgrind: export FAULTS_SAMPLE = 8
test-c-valgrind: need-valgrind $(C_TESTS:%=$(OUT)/plain/%) $(DRIVERS)/c $(OUT)/check
	@tests/c/run $(filter-out need-% %/check $(DRIVERS)/%,$^)
	@tests/drivers/run cases scripts -- c-valgrind $(VALGRINDED) $(DRIVERS)/c
	@tests/scripts/example $(OUT)/check
# A table of hashbrown points into its block, which is "possibly lost" where a process ends with it.
VALGRINDED := $(VALGRIND) --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite
test-panics: $(PANICS)/panics
	@tests/scripts/panics $(PANICS)/panics
test-panics-valgrind: need-valgrind $(PANICS)/panics
	@RUNNER='$(VALGRINDED)' tests/scripts/panics $(PANICS)/panics
test-example: $(OUT)/check
	@tests/scripts/example $(OUT)/check
CRAWLERS_IN_C := $(OUT)/crawl $(OUT)/get $(OUT)/crawl_loop $(OUT)/paced $(OUT)/paced_cpp
test-crawl: need-python $(CRAWLERS_IN_C)
	@tests/scripts/crawl $(CRAWLERS_IN_C)
test-crawl-valgrind: need-python need-valgrind $(CRAWLERS_IN_C)
	@RUNNER='$(VALGRINDED)' tests/scripts/crawl $(CRAWLERS_IN_C)
.PHONY: need-python
need-python:
	$(call need,python3,make packages installs it on Debian,3.9)
# The programs of the first page; test-readme has those of all pages.
test-readme-short: library need-cc cli-tested go-cgo java-jar js python-installed
	@tests/scripts/readme README.md
test-readme: library need-cc cli-tested go-cgo java-jar js python-installed
	@tests/scripts/readme
test-supply: need-cargo
	@tests/scripts/supply
test-workflows:
	@tests/scripts/workflows
test-doc: need-cargo
	@RUSTDOCFLAGS="-D warnings" $(CARGO) doc --quiet --no-deps
	@echo "doc: 1 passed, 0 failed"
# What crates.io would get builds by itself, and holds nothing else.
test-package: need-cargo
	@tests/scripts/package
# The words of CONTRIBUTING.md, in all tracked text.
test-words:
	@tests/scripts/words
# The script that runs the suites counts them right, help and tests/README.md have each; the mutants' table names files that exist.
test-run:
	@SUITES='$(SUITES)' tests/scripts/run-test
	@tests/scripts/mutants files >/dev/null
# Environment: MIRI_SEEDS, the number of interleavings of the threads.
test-miri: need-cargo
	@tests/scripts/miri $(CARGO_TARGET_DIR)/miri-suite
test-msrv: need-cargo
	@tests/scripts/msrv $(CARGO_TARGET_DIR)/msrv

## test-portability: the core on 32 bits and on the other byte order, in a Debian of its own (4 GB in target/portability).
.PHONY: test-portability
test-portability: need-cargo
	@tests/scripts/portability $(CARGO_TARGET_DIR)/portability

## mutants: changes the code that decides and sees that a test fails; a sample by seed, or all of it with MUTANTS=all.
.PHONY: mutants
mutants: need-cargo
	@tests/scripts/mutants $(or $(MUTANTS),sample)

# ROBOTS_PEERS names a folder with the C++ peers: they are built and measured, too.
PEERS := $(if $(ROBOTS_PEERS),$(CARGO_TARGET_DIR)/peers)
$(if $(PEERS),$(eval export ROBOTS_PEER_LIBRARIES := $(PEERS)))
.PHONY: build-peers figures figures-check figures-write test-figures
build-peers: need-cargo
	@$(if $(PEERS),benches/peers/build "$(ROBOTS_PEERS)" $(PEERS))

## bench: one table, beside other libraries (see benches/README.md).
bench: build-peers
	@$(CARGO) run --release --quiet -p librobots-bench

## figures: measures, and writes all figures of the pages; only at a load up to 1.5 (ANYWAY=1: prints, and writes nothing).
# RECORDS="go java js python spark filter": those of the other languages, by make bench-go and its like; RECORDS=all: each record.
figures: build-peers need-python
	@MAKE="$(MAKE)" benches/figures --record $(RECORDS) $(if $(ANYWAY),--anyway)
## figures-check: measures the figures of README, and says whether each lies in its interval.
figures-check: build-peers need-python
	@benches/figures --compare
## figures-write: writes the pages from benches/figures.json, without measuring.
figures-write: need-python
	@benches/figures
# Each figure of a page is that of benches/figures.json; the program finds each kind of fault.
check-figures: need-python
	@benches/figures --check
test-figures: check-figures
	@tests/scripts/figures

.PHONY: bench-corpus
bench-corpus: need-cargo
	@$(if $(filter $(GENERATED),$(BENCH_CORPUS)),$(CARGO) run --release --quiet -p librobots-bench --bin corpus $(GENERATED))

## clean: removes target/.
clean: need-cargo
	@$(CARGO) clean --quiet

## help: this list.
.PHONY: help
help:
	@SUITES='$(filter-out $(REST),$(SUITES))' REST='$(filter $(REST),$(SUITES))' tests/scripts/help $(MAKEFILE_LIST)
