# What clients send, and what they make of responses, beside a server that misbehaves (tests/wire).

WIRE_C           := $(OUT)/wire
WIRE_ROBOTS_CURL := $(OUT)/wire-robots-curl
WIRE_ROBOTS      := $(CARGO_TARGET_DIR)/debug/robots
WIRE_GO          := $(GO_OUT)/wire
WIRE_JAR         := $(JAVA_DIR)/librobots/target/librobots-0.1.0.jar
WIRE_CRAWLEE     := $(JS_OUT)/crawlee
WIRE_CLIENTS     := $(WIRE_C) $(WIRE_ROBOTS_CURL) wire-go java-jar js python-installed cli-tested
SUITES           += test-wire test-wire-long

export WIRE_C WIRE_ROBOTS_CURL WIRE_ROBOTS WIRE_GO WIRE_JAR

$(WIRE_C): tests/wire/client.c $(RELEASE)/librobots.so $(HEADERS) | need-cc need-curl
	$(BUILD_TEST) $$(curl-config --cflags) $(LINK_SHARED) $$(curl-config --libs) -o $@
$(WIRE_ROBOTS_CURL): examples/c/robots-curl.c $(RELEASE)/librobots.so $(HEADERS) | need-cc need-curl
	$(BUILD_TEST) -DSECONDS=2L $$(curl-config --cflags) $(LINK_SHARED) $$(curl-config --libs) -o $@
$(WIRE_CRAWLEE)/.built: tests/crawlers/crawlee/package-lock.json | need-node
	@mkdir -p $(@D) && cp tests/crawlers/crawlee/package.json tests/crawlers/crawlee/package-lock.json tests/crawlers/crawlee/.npmrc $(@D)
	@npm ci --prefix $(@D) --ignore-scripts --no-audit --no-fund --loglevel=error && touch $@

# Debian's Go may be too old: then the clients of the other languages are tested, and `run` skips that of Go by name.
.PHONY: wire-go
wire-go:
	+@rm -f $(WIRE_GO); $(MAKE) --silent --no-print-directory need-go || exit 0; \
	    $(MAKE) --silent --no-print-directory go-cgo && cd $(GO_DIR) && $(GO) build -o $(WIRE_GO) ../../tests/wire/client.go

## test-wire: hostile URLs and servers through each client (ROBOTS_URLS=2000 ROBOTS_SEED=1 WIRE="Go, net/http;command" WAYS="chunk-*").
# A client of each language and the command; all clients run in test-wire-long.
test-wire: export ROBOTS_URLS ?= 200
test-wire: export WIRE ?= Python, httpx;JavaScript, fetch;Go, net/http;Java, java.net.http;C, libcurl;command
test-wire: $(WIRE_CLIENTS)
	@$(PYTHON_VENV)/bin/python tests/wire/run
# More URLs, through all clients, also peers from registries.
test-wire-long: export WIRE_COLLY := $(WIRE_GO)-colly
test-wire-long: export WIRE_CRAWLEE := $(WIRE_CRAWLEE)
test-wire-long: export ROBOTS_URLS ?= 2000
test-wire-long: need-go $(WIRE_CLIENTS) $(WIRE_CRAWLEE)/.built
	@cd tests/crawlers/go && $(GO) build -o $(WIRE_COLLY) ../../wire/*.go
	@$(PYTHON_VENV)/bin/python tests/wire/run
