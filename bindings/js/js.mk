# The npm package: `make wasm` builds the engine as WebAssembly, `make js` the package around it, in target/js.

NODE        ?= node
JS_DIR      := bindings/js
JS_OUT      := $(CARGO_TARGET_DIR)/js
WASM_OUT    := $(CARGO_TARGET_DIR)/wasm
JS_PACKAGE  := $(JS_OUT)/package
JS_SUITES   := test-js test-js-outside test-js-leaks test-js-robots-parser test-js-browser
SUITES      += $(JS_SUITES)
PACKAGES    += $(NODE):nodejs npm:npm

export NODE
.PHONY: wasm js js-runtimes js-or-skip need-node bench-js js-test test-js-without-simd $(JS_SUITES)

need-node:
	$(call need,$(NODE),install Node 18 or newer from https://nodejs.org,18)
	$(call need,npm,install npm: it comes with Node; Debian has a package of its own)

## wasm: the engine as WebAssembly: target/wasm/crawl.wasm, whole.wasm and others (WASM_SIMD=0: without vector instructions).
WASM := $(addprefix $(WASM_OUT)/.,package page go)
wasm: need-cargo $(WASM)
	@cat $(WASM)

# Built anew when a source is newer, or a folder in which a file came or went. npm has wasm-opt.
$(WASM): $(WASM_OUT)/.%: $(shell find src $(JS_DIR)/audit bindings/cli/src/audit) bindings/cli/src/clock.rs bindings/cli/src/escapes.rs Cargo.toml Cargo.lock $(JS_DIR)/wasm $(shell find $(JS_DIR)/idna -type f) | need-cargo
	@[ ! -x "$$(command -v npm)" ] || $(JS_DIR)/tools $(JS_PACKAGE)
	@mkdir -p $(WASM_OUT)
	@PATH="$(JS_PACKAGE)/node_modules/.bin:$$PATH" $(JS_DIR)/wasm $(WASM_OUT) $* >$@.new && mv $@.new $@

## js: the npm package, in target/js/package.
js: need-node $(JS_PACKAGE)/.built
$(JS_PACKAGE)/.built: $(WASM_OUT)/.package tests/data/api.json $(shell find $(JS_DIR) -type f -not -path '*/tests/*' -not -path '*/bench/*' -not -path '*/tester/*') | need-node
	@$(JS_DIR)/tools $(JS_PACKAGE)
	@$(JS_DIR)/build $(WASM_OUT) $(JS_PACKAGE)
	@touch $@

## js-runtimes: Deno, Bun and workerd from npm, 350 MB, in target/js/runtimes: test-js-outside then runs its programs with them, too.
js-runtimes: need-node
	@mkdir -p $(JS_OUT)/runtimes
	@npm install --prefix $(JS_OUT)/runtimes --ignore-scripts --no-save --no-audit --no-fund --loglevel=error deno@2.9.6 bun@1.4.5 workerd@1.20261117.1
	@# What the scripts of the packages would do, which do not run.
	@cd $(JS_OUT)/runtimes/node_modules/.bin && ln -sf ../@oven/*/bin/bun bun && ln -sf ../@cloudflare/workerd-*/bin/workerd workerd

# Both lanes of `make test` use the package, so it is built before.
js-or-skip:
	+@$(MAKE) --no-print-directory js || echo "make test: the suites of JavaScript will say the same" >&2

test-js: js
	@$(JS_DIR)/tests/run $(JS_PACKAGE)
## js-test: one file of the JavaScript tests, as T=misuse.
js-test: js
	@$(JS_DIR)/tests/run $(JS_PACKAGE) $(T)
# The package by its name, from a registry of this machine: what README.md shows, as ES module, CommonJS and TypeScript.
test-js-outside: js
	@tests/install/outside js
# LEAK_PARSES=1000000: as many files are parsed; default: all of them.
test-js-leaks: js
	@$(NODE) --expose-gc $(JS_DIR)/tests/leaks.mjs $(JS_PACKAGE) $(or $(LEAK_PARSES),1000000)
# The tests of robots-parser, from npm, with the module that replaces it; those that fail are listed with the reason.
test-js-robots-parser: js
	@$(JS_DIR)/tests/robots-parser/run $(JS_PACKAGE)

# Skipped without Chromium, which is too large to be installed for it.
test-js-browser: js
	@$(NODE) $(JS_DIR)/tests/browser.mjs $(JS_PACKAGE)
## test-js-without-simd: builds the modules without vector instructions, and runs the JavaScript tests with them.
test-js-without-simd: js need-cargo
	@PATH="$(JS_PACKAGE)/node_modules/.bin:$$PATH" WASM_SIMD=0 CARGO_TARGET_DIR=$(WASM_OUT)/without-simd/build $(JS_DIR)/wasm $(WASM_OUT)/without-simd package
	@! $(JS_PACKAGE)/node_modules/.bin/wasm-dis $(WASM_OUT)/without-simd/whole.wasm | grep -m 1 v128
	@ROBOTS_WASM=$(WASM_OUT)/without-simd $(JS_DIR)/tests/run $(JS_PACKAGE)
	@ROBOTS_WASM=$(WASM_OUT)/without-simd tests/drivers/run cases generated -- js-without-simd $(NODE) tests/drivers/driver.mjs $(JS_PACKAGE)

## bench-js: the npm package compared with robots-parser, with ROBOTS_CORPUS or generated files; its sizes and the time of a start.
bench-js: export ROBOTS_CORPUS := $(BENCH_CORPUS)
bench-js: js bench-corpus
	@$(NODE) $(JS_DIR)/bench/start.mjs $(JS_PACKAGE) $(JS_OUT)/runtimes
	@$(NODE) $(JS_DIR)/bench/bench.mjs $(JS_PACKAGE)
