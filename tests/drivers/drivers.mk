# One program for each language answers the questions of the shared tests (tests/drivers): cases, scripts, outcomes, generated cases.

DRIVERS   := $(CARGO_TARGET_DIR)/drivers
# Those that are built and asked.
LANGUAGES ?= c cpp go java js python
SUITES    += test-drivers

export DRIVERS PYTHON_VENV JS_PACKAGE
.PHONY: differential drivers test-drivers $(LANGUAGES:%=driver-%)

DRIVER_HEADERS := tests/drivers/names.h tests/drivers/script.h tests/c/options.h include/librobots.h include/librobots_tools.h
BUILD_DRIVER = @mkdir -p $(@D) && $(CC) -std=c11 $(CFLAGS) $(WARNINGS) -Iinclude -Itests/c $<
$(DRIVERS)/c: tests/drivers/driver.c $(DRIVER_HEADERS) $(C_SHARED) | need-cc
	$(BUILD_DRIVER) $(LINK_INSTALLED) -lm -o $@
$(DRIVERS)/c-sanitized: tests/drivers/driver.c $(DRIVER_HEADERS) $(RELEASE)/librobots.a | need-cc
	$(BUILD_DRIVER) $(SANITIZE) $(LINK_STATIC) -o $@
$(DRIVERS)/cpp: tests/drivers/driver.cpp $(DRIVER_HEADERS) $(CXX_HEADERS) $(C_SHARED) | need-cxx
	@mkdir -p $(@D) && $(CXX) -std=c++17 $(CXXFLAGS) $(CXX_WARNINGS) -Iinclude -Itests/c $< $(LINK_INSTALLED) -o $@

# What a driver needs.
driver-c: $(DRIVERS)/c
driver-cpp: $(DRIVERS)/cpp
driver-go: go-cgo
driver-java: java-native
driver-js: js
driver-python: python-installed
# The drivers, and the file $(DRIVERS)/commands with a line "NAME COMMAND..." for each.
drivers: need-cargo
	+@MAKE='$(MAKE)' tests/drivers/build $(LANGUAGES)

## test-drivers: the shared cases, scripts, outcomes and generated cases in all languages (LANGUAGES="c python": in these).
test-drivers: drivers
	@tests/drivers/run cases scripts outcomes generated
## differential: generated cases in all languages (CASES=1000000 SEED=1 LANGUAGES=; FILE=12 asks about one file alone).
differential: drivers
	@ROBOTS_CASES='$(if $(filter command,$(origin CASES)),$(CASES),1000000)' ROBOTS_SEED='$(SEED)' ROBOTS_FILE='$(FILE)' \
	    tests/drivers/run generated
