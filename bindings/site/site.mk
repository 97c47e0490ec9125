# The site: `make site` builds it in target/site, of all pages of the repository, the tester, and the API documentation.

SITE_DIR := bindings/site
# Sphinx, with Markdown and a theme.
SITE_TOOLS := sphinx==9.0.4 myst-parser==5.2.0 furo==2025.12.19
SITE_OUT := $(CARGO_TARGET_DIR)/site
SITE_NODE := $(CARGO_TARGET_DIR)/tools/typedoc
BUILD_SITE = @$(JS_DIR)/tools $(SITE_NODE) ../site && tools=$$(tests/scripts/from-pypi site $(SITE_TOOLS)) && \
    $(SITE_DIR)/build $$tools $(SITE_NODE)/node_modules/.bin $(SITE_OUT)-build $(SITE_OUT) $(JS_PACKAGE) $(PAGE_OUT)
SUITES   += test-site
PACKAGES += mandoc:mandoc

.PHONY: site site-pages test-site

## site: the static site of all pages, the tester and the API documentation: target/site; works from files.
# The documentation of Python is made if its package was built before: make python-installed site.
site: page need-cargo
	$(BUILD_SITE)
# Without the API documentation of Rust, Java, Python and C, and without what must be compiled for it.
site-pages: export SITE_API := 0
site-pages: page
	$(BUILD_SITE)
# Skipped without Chromium, as test-page is.
test-site: site-pages
	@$(NODE) $(SITE_DIR)/check.mjs $(PAGE_BUILD) $(SITE_OUT)
