# The command `robots`, a crate of its own: `make cli` builds it, with its completions and manual pages.

# Built apart from the libraries, which have none of its dependencies.
CLI_BUILT  ?= $(CARGO_TARGET_DIR)/cli
BINDIR     ?= $(PREFIX)/bin
SUITES     += test-cli test-audit
PACKAGES   += script:bsdutils python3:python3 openssl:openssl

.PHONY: cli cli-tested bench-filter

# Without names of folders of this machine.
## cli: the command `robots`, its completions and manual pages (in target/cli; then `make install` takes them along).
cli: need-cargo
	@RUSTFLAGS="$$(bindings/c/rustflags)" $(CARGO) build --release --quiet -p librobots-cli --target-dir $(CLI_BUILT)/build
	@bindings/cli/install build $(CLI_BUILT)/build/release/robots $(CLI_BUILT)
	@echo "built: $(CLI_BUILT)/robots; more for your shell and for man in completions/ and man/ beside it"

# The command and the crate as the tests of cargo build them, in target/debug: suites that only use them need no second, slow build.
cli-tested: need-cargo
	@$(CARGO) build --profile test --quiet -p librobots-cli -p librobots --bin robots --lib

## bench-filter: `robots filter` compared with protego and urllib.robotparser, with ROBOTS_CORPUS or generated files.
bench-filter: export ROBOTS_CORPUS := $(BENCH_CORPUS)
bench-filter: cli python-installed bench-corpus
	@$(PYTHON_VENV)/bin/python benches/filter $(CLI_BUILT)/robots

# `make install` takes the command along if it was built. It is built anew first: what was built once may be old.
ifeq ($(TARGET),)
install: $(if $(wildcard $(CLI_BUILT)/robots),cli)
endif

# bindings/cli/tests/sessions shows what people see; UPDATE_SESSIONS=1 writes it anew.
test-cli: need-cargo
	@$(CARGO) test -p librobots-cli --test cli
	@tests/install/command
	@bindings/cli/tests/live

## test-audit: `robots audit` and a naive judge on a generated log; ROBOTS_AUDIT=1000000 is the large run.
.PHONY: test-audit
test-audit: cli-tested
	@tests/audit/judge $(CARGO_TARGET_DIR)/debug/robots $(ROBOTS_AUDIT)
