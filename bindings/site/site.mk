# The site: `make site` builds it in target/site, of all pages of the repository, the tester, and the API documentation.

SITE_DIR := bindings/site
# Sphinx, with Markdown and a theme.
SITE_TOOLS := sphinx==9.0.4 myst-parser==5.2.0 furo==2025.12.19
SITE_OUT := $(CARGO_TARGET_DIR)/site
SUITES   += test-site
PACKAGES += mandoc:mandoc

.PHONY: site site-pages test-site

## site: the static site of all pages, the tester and the API documentation: target/site; works from files.
site: page need-cargo
	@tools=$$(tests/scripts/from-pypi site $(SITE_TOOLS)) && $(SITE_DIR)/build $$tools $(SITE_OUT)-build $(SITE_OUT) $(PAGE_OUT)
# Without the API documentation, and without what must be compiled for it.
site-pages: page
	@tools=$$(tests/scripts/from-pypi site $(SITE_TOOLS)) && SITE_API=0 $(SITE_DIR)/build $$tools $(SITE_OUT)-build $(SITE_OUT) $(PAGE_OUT)
# Skipped without Chromium, as test-page is.
test-site: site-pages
	@$(NODE) $(SITE_DIR)/check.mjs $(PAGE_BUILD) $(SITE_OUT)
