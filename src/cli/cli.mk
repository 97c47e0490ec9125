# The command `robots`: `make cli` builds it, with its completions and manual pages.

# Built apart from the libraries, which do not have its feature.
CLI_BUILT  ?= $(CARGO_TARGET_DIR)/cli
BINDIR     ?= $(PREFIX)/bin
SUITES     += test-cli
PACKAGES   += script:bsdutils

.PHONY: cli

## cli: the command `robots`, its completions and manual pages (in target/cli; then `make install` takes them along).
cli: need-cargo
	@$(CARGO) build --release --quiet --features cli --bin robots --target-dir $(CLI_BUILT)/build
	@src/cli/install build $(CLI_BUILT)/build/release/robots $(CLI_BUILT)
	@echo "built: $(CLI_BUILT)/robots; more for your shell and for man in completions/ and man/ beside it"

# What people see is in tests/cli/sessions; UPDATE_SESSIONS=1 writes it anew.
test-cli: need-cargo
	@$(CARGO) clippy --quiet --features cli --all-targets -- -D warnings
	@$(CARGO) test --features cli --test cli
	@tests/cli/install
