# The same generated cases through Rust, C, C++, Go, Java, JavaScript and Python (tests/differential).

DIFFERENTIAL := $(OUT)/differential
SUITES       += test-differential

export DIFFERENTIAL PYTHON_VENV JS_PACKAGE
.PHONY: differential differential-drivers

$(DIFFERENTIAL)/c: tests/differential/driver.c tests/c/options.h include/librobots.h $(C_SHARED) | need-cc
	@mkdir -p $(@D) && $(CC) -std=c11 $(CFLAGS) $(WARNINGS) -Iinclude $< $(LINK_INSTALLED) -o $@
$(DIFFERENTIAL)/cpp: tests/differential/driver.cpp tests/c/options.h $(CXX_HEADERS) $(C_SHARED) | need-cxx
	@mkdir -p $(@D) && $(CXX) -std=c++17 $(CXXFLAGS) $(CXX_WARNINGS) -Iinclude $< $(LINK_INSTALLED) -o $@

## differential: generated cases through all languages (CASES=1000000 SEED=1; FILE=12 asks about one file alone).
differential: differential-drivers
	@ROBOTS_CASES='$(if $(filter command,$(origin CASES)),$(CASES),1000000)' ROBOTS_SEED='$(SEED)' ROBOTS_FILE='$(FILE)' \
	    tests/differential/run
test-differential: differential-drivers
	@tests/differential/run
differential-drivers: $(DIFFERENTIAL)/c $(DIFFERENTIAL)/cpp go java-native js python-installed need-cargo
