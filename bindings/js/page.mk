# The page that tests a robots.txt in the browser: `make page` builds it in target/page, for any static host.

PAGE_DIR    := $(JS_DIR)/tester
PAGE_BUILD  := $(CARGO_TARGET_DIR)/page-build
PAGE_OUT    := $(CARGO_TARGET_DIR)/page
SUITES      += test-page-short

.PHONY: page test-page test-page-short serve-page

## page: the tester of robots.txt files, a folder of static files: target/page.
page: js $(PAGE_OUT)/.built
	@cat $(PAGE_OUT)/.built
$(PAGE_OUT)/.built: $(JS_PACKAGE)/.built $(WASM_OUT)/.page $(shell find $(PAGE_DIR) -type f -not -path '*/tests/*')
	@$(JS_DIR)/tools $(PAGE_BUILD) tester
	@rm -rf $(PAGE_BUILD)/src && cp -r $(PAGE_DIR)/src $(PAGE_DIR)/tsconfig.json $(PAGE_BUILD)
	@PACKAGE=librobots-audit bindings/c/third-party >$(PAGE_BUILD)/THIRD-PARTY
	@$(NODE) $(PAGE_DIR)/build.mjs $(PAGE_BUILD) $(JS_PACKAGE) $(WASM_OUT) tests/data/api.json $(PAGE_OUT) >$(PAGE_BUILD)/.size
	@$(PAGE_BUILD)/node_modules/.bin/tsc -p $(PAGE_BUILD)
	@mv $(PAGE_BUILD)/.size $@

## serve-page: serves target/page on localhost.
serve-page: page
	@$(NODE) $(PAGE_DIR)/tests/serve.mjs $(PAGE_OUT) 8080

# Skipped without Chromium, which is too large to be installed for it.
## test-page: the page in headless Chromium: each feature, 10,000 verdicts, axe; screenshots go to target/page-shots.
test-page: page cli-tested
	@$(NODE) $(PAGE_DIR)/tests/page.mjs $(PAGE_BUILD) $(PAGE_OUT) $(JS_PACKAGE) $(CARGO_TARGET_DIR)/debug/robots $(CARGO_TARGET_DIR)/page-shots
# Without screenshots.
test-page-short: page cli-tested
	@$(NODE) $(PAGE_DIR)/tests/page.mjs $(PAGE_BUILD) $(PAGE_OUT) $(JS_PACKAGE) $(CARGO_TARGET_DIR)/debug/robots
