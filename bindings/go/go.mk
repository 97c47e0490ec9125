# The Go package: `make go` builds the native part of bindings/go. The folder then needs no Rust.

GO          ?= go
GO_DIR      := bindings/go
GO_OUT      := $(CARGO_TARGET_DIR)/go
GO_SUITES   := test-go test-go-nocgo test-go-temoto test-go-race test-go-fuzz test-go-lint test-go-outside test-go-examples
STATICCHECK ?= honnef.co/go/tools/cmd/staticcheck@v0.7.0
SUITES      += $(GO_SUITES)
PACKAGES    += $(GO):golang-go ld:binutils pkg-config:pkg-config redis-server:redis-server

export GO STATICCHECK

.PHONY: go go-cgo go-module-or-skip bench-go need-go

## go: the library that the Go package links, for each platform this machine can build for, and the module for CGO_ENABLED=0.
# Without Rust's target for WebAssembly, the package is built for cgo only.
go: need-go c-library go-module-or-skip
	$(GO_BUILD)
## go-cgo: the library alone.
go-cgo: need-go c-library
	$(GO_BUILD)
define GO_BUILD
	$(call need,ld,install binutils)
	$(call need,objcopy,install binutils)
	@$(GO_DIR)/build
endef
go-module-or-skip:
	+@$(MAKE) --no-print-directory $(WASM_OUT)/.go >/dev/null || echo "make go: programs with CGO_ENABLED=0 will not build" >&2

need-go:
	$(call need,$(GO),install Go 1.24 or newer from https://go.dev/dl and try again,1.24)

## test-go-checked: the Go tests with cgocheck2, and with ASan and LSan; Go rebuilds its own library for each.
# For ASan, Go accepts a C compiler named gcc or clang, not make's cc.
.PHONY: test-go-checked
test-go-checked: go-cgo
	@GOEXPERIMENT=cgocheck2 $(GO_DIR)/tests/run go-cgocheck2 $(GO_DIR) -- ./...
	@$(if $(filter cc,$(CC)),env -u CC) $(GO_DIR)/tests/run go-asan $(GO_DIR) -- -asan -skip 'TestNothing(Leaks|IsAllocated|IsPermitted)' ./...
	@cd $(GO_DIR) && $(if $(filter cc,$(CC)),env -u CC) $(GO) build -asan -o $(DRIVERS)/go-asan ../../tests/drivers/*.go
	@ASAN_OPTIONS=detect_leaks=0 tests/drivers/run cases scripts -- go-asan $(DRIVERS)/go-asan

test-go: go-cgo
	@$(GO_DIR)/tests/run go $(GO_DIR) -- ./...
	@$(GO_DIR)/tests/run go-robotstxt $(GO_DIR)/robotstxt -- ./...
	@$(GO_DIR)/tests/run go-drop-in $(GO_DIR)/bench -- .
# The same tests, and the shared cases, on the engine as WebAssembly, and a static program.
test-go-nocgo: go need-cargo
	@CGO_ENABLED=0 $(GO_DIR)/tests/run go-nocgo $(GO_DIR) -- ./...
	@CGO_ENABLED=0 $(GO_DIR)/tests/run go-nocgo-robotstxt $(GO_DIR)/robotstxt -- ./...
	@cd $(GO_DIR) && CGO_ENABLED=0 $(GO) build -o $(DRIVERS)/go-nocgo ../../tests/drivers/*.go
	@tests/drivers/run cases scripts -- go-nocgo $(DRIVERS)/go-nocgo
	@$(GO_DIR)/tests/static
## go-test: the Go tests whose names match T, as T=TestBatch.
.PHONY: go-test
go-test: go-cgo
	@$(GO_DIR)/tests/run go $(GO_DIR) -- -run '$(T)' .
# The test files of temoto/robotstxt, from the Go module proxy, with the package that replaces it.
test-go-temoto: go-cgo
	@$(GO_DIR)/tests/temoto/run
test-go-race: go-cgo
	@$(GO_DIR)/tests/run go-race $(GO_DIR) -- -race ./...
	@$(GO_DIR)/tests/run go-race-robotstxt $(GO_DIR)/robotstxt -- -race ./...
test-go-fuzz: go-cgo
	@cd $(GO_DIR) && $(GO) test -run '^$$' -fuzz FuzzCheck -fuzztime 40000x -parallel 2 .
	@echo "go-fuzz: 1 passed, 0 failed"
test-go-lint: go
	@$(GO_DIR)/tests/lint
test-go-outside: go library
	@tests/install/outside go
test-go-examples: go
	@$(GO_DIR)/tests/run go-examples examples/go -- ./...
	@$(GO_DIR)/tests/run go-examples-fleet examples/go/fleet -- ./...

## bench-go: the Go package compared with other Go packages, with ROBOTS_CORPUS or generated files, and with itself without cgo.
bench-go: export ROBOTS_CORPUS := $(BENCH_CORPUS)
bench-go: go bench-corpus
	@cd $(GO_DIR)/bench && $(GO) run . && $(GO) run ./layers
