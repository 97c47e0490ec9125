# The artefacts of a release: `make dist` makes them in target/dist, `make test-dist` installs and uses each.

SUITES   += test-dist-host

.PHONY: dist test-dist test-dist-host test-dist-reproducible

## dist: a release for every platform (PLATFORMS="linux-x86_64 ..." for some, ONLY="archive deb go java js python crates conformance source recipes").
dist: need-cargo
	$(call need,python3,make packages installs it on Debian)
	@bindings/release/all $(PLATFORMS)

## test-dist: installs each artefact of target/dist in a place without Rust, and prints a table.
test-dist: need-cc
	@tests/install/release/run $(PLATFORMS)

## test-dist-reproducible: makes a release twice, in two folders, and compares the bytes (PLATFORMS, ONLY as for dist).
test-dist-reproducible: need-cargo
	@tests/install/release/reproducible $(PLATFORMS)

# Short: this machine's archive alone.
test-dist-host: need-cargo need-cc
	@tests/install/release/host
