# Crawlers that people run, on one test site, each with its own parser and with librobots (tests/crawlers).

CRAWLERS_SHORT    := curl colly colly-transport crawlee
CRAWLERS_PACKAGES := curl:curl pkg-config:pkg-config dpkg-source:dpkg-dev patch:patch httrack:httrack \
                     /usr/include/httrack/httrack-library.h:libhttrack-dev
SUITES            += test-crawlers-short
PACKAGES          += curl:curl pkg-config:pkg-config

.PHONY: test-crawlers test-crawlers-short nutch
## test-crawlers: the crawlers of tests/crawlers on one site; CRAWLER="wget nutch-1.20" runs those alone. 15 to 40 minutes the first time.
test-crawlers: library go need-cc java-native python-installed js-or-skip cli-tested
	@tests/scripts/packages $(CRAWLERS_PACKAGES)
	@ROBOTS=$(CARGO_TARGET_DIR)/debug/robots tests/crawlers/run $(CRAWLER)
# Those that need few build tools, in less than a minute. crawlee is skipped without npm.
test-crawlers-short: library go need-cc js-or-skip cli-tested
	@ROBOTS=$(CARGO_TARGET_DIR)/debug/robots tests/crawlers/run $(CRAWLERS_SHORT)

## nutch: the plugin for Apache Nutch (bindings/java/librobots-nutch/target/librobots-nutch).
nutch: java-native
	@$(MAVEN) -P crawlers -pl librobots-nutch -am -DskipTests package
	@ls -d $(JAVA_DIR)/librobots-nutch/target/librobots-nutch
