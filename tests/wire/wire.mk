# What each client sends of a URL that was checked, and its outcome for servers that misbehave (tests/wire).

WIRE_C   := $(OUT)/wire
WIRE_GO  := $(GO_OUT)/wire
WIRE_JAR := $(JAVA_DIR)/librobots/target/librobots-0.1.0.jar
SUITES   += test-wire

export WIRE_C WIRE_GO WIRE_JAR

$(WIRE_C): tests/wire/client.c $(RELEASE)/librobots.so $(HEADERS) | need-cc need-curl
	$(BUILD_TEST) $$(curl-config --cflags) $(LINK_SHARED) $$(curl-config --libs) -o $@

## test-wire: hostile URLs and servers through each client (ROBOTS_URLS=100000 ROBOTS_SEED=1 WIRE="Go, net/http" WAYS="chunk-*").
test-wire: go java-jar js python-installed $(WIRE_C)
	@cd $(GO_DIR) && $(GO) build -o $(WIRE_GO) ./tests/wire
	@$(PYTHON_VENV)/bin/python tests/wire/run
