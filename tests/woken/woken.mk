# Eight workers on one site in each language: how soon the first page is requested after the robots.txt (tests/woken).

SUITES += test-woken
WOKEN_GO := $(GO_OUT)/woken

.PHONY: woken-go
woken-go: go-cgo
	@cd $(GO_DIR) && $(GO) build -o $(WOKEN_GO) ../../tests/woken/woken.go
test-woken: $(OUT)/paced $(OUT)/paced_cpp woken-go java-jar js python-installed
	@tests/woken/run C $(OUT)/paced -- C++ $(OUT)/paced_cpp -- Go $(WOKEN_GO) \
	    -- Java "java -cp $(WIRE_JAR) tests/woken/Woken.java" -- Python "$(PYTHON_VENV)/bin/python tests/woken/woken.py" \
	    -- JavaScript "$(NODE) tests/woken/woken.mjs $(JS_PACKAGE)"
