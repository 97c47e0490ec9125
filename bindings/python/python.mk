# The Python package: `make python` builds its wheel, in target/python/dist, for CPython 3.9 and newer.

PYTHON        ?= python3
PYTHON_DIR    := bindings/python
PYTHON_OUT    := $(CARGO_TARGET_DIR)/python
PYTHON_VENV   := $(PYTHON_OUT)/venv
PYTHON_SOURCES := src Cargo.toml Cargo.lock LICENSE-APACHE LICENSE-MIT $(addprefix $(PYTHON_DIR)/,build.rs src python Cargo.toml \
                  pyproject.toml README.md LICENSE-APACHE LICENSE-MIT)
PYTHON_SUITES := test-python test-python-stubs test-python-suites test-python-leaks test-python-outside test-captures
SUITES        += $(PYTHON_SUITES)
PACKAGES      += $(PYTHON):python3

export PYTHON
.PHONY: python python-venv python-installed bench-python $(PYTHON_SUITES)

python-venv:
	$(call need,$(PYTHON),install Python 3.10 or newer,3.10)
	@$(PYTHON_DIR)/venv $(PYTHON_VENV)

## python: the Python wheel, for CPython 3.9 and newer (target/python/dist).
python: need-cargo $(PYTHON_OUT)/dist/.built
	@ls $(PYTHON_OUT)/dist/librobots-*.whl

# As in a release: without names of folders. Built anew when a source is newer, or a folder in which a file came or went. One suite builds it while others wait.
# In a folder of its own: cargo locks target/release while it builds, and the suites of C ask it whether the library is new.
$(PYTHON_OUT)/dist/.built: $(shell find $(PYTHON_SOURCES) -not -path '*/__pycache__*' -not -name LICENSE-THIRD-PARTY) | python-venv
	@exec 9>$(PYTHON_OUT)/lock; flock 9; \
	if [ -e $@ ] && [ -z "$$(find $? -newer $@)" ]; then exit 0; fi; \
	rm -rf $(PYTHON_OUT)/dist; \
	PACKAGE=librobots-python bindings/c/third-party >$(PYTHON_DIR)/LICENSE-THIRD-PARTY || exit 1; \
	RUSTFLAGS="$$(bindings/c/rustflags)" $(PYTHON_VENV)/bin/maturin build --quiet --release --strip --manifest-path $(PYTHON_DIR)/Cargo.toml --target-dir $(PYTHON_OUT)/build \
	    --interpreter $(PYTHON_VENV)/bin/python --out $(PYTHON_OUT)/dist >$(PYTHON_OUT)/build.log 2>&1 || \
	    { cat $(PYTHON_OUT)/build.log >&2; exit 1; }; \
	touch $@

python-installed: python $(PYTHON_VENV)/wheel
$(PYTHON_VENV)/wheel: $(PYTHON_OUT)/dist/.built | python-venv
	@flock $(PYTHON_OUT)/lock $(PYTHON_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps $(PYTHON_OUT)/dist/librobots-*.whl
	@touch $@

test-python: python-installed
	@$(PYTHON_DIR)/tests/run $(PYTHON_VENV)/bin
## python-test: one file of Python tests, as T=cache or T=bindings/python/tests/test_cache.py.
.PHONY: python-test
python-test: python-installed
	@$(PYTHON_DIR)/tests/run $(PYTHON_VENV)/bin test_$(patsubst test_%,%,$(basename $(notdir $(T)))).py
# The stubs describe the module, the source is as ruff wants it, and mypy accepts a caller.
test-python-stubs: python-installed
	@$(PYTHON_DIR)/tests/stubs $(PYTHON_VENV)/bin
# The tests of protego, Scrapy and urllib.robotparser, from their sources.
test-python-suites: python-installed
	@$(PYTHON_VENV)/bin/python $(PYTHON_DIR)/tests/suites/run.py $(PYTHON_OUT)/suites
## test-captures: the command, Python and a naive model on random captures of robots.txt; ROBOTS_CAPTURES=5000000 is the large run.
# Spark reads the rounds that `tests/captures/compare PROGRAM FOLDER` leaves: make test-spark-local SPARK_TEST="-Dtest=CapturesRounds -Dcaptures=FOLDER".
.PHONY: test-captures
test-captures: python-installed cli-tested
	@$(PYTHON_VENV)/bin/python tests/captures/compare $(CARGO_TARGET_DIR)/debug/robots
# LEAK_PARSES=1000000: as many files are parsed; default: all of them.
test-python-leaks: python-installed
	@$(PYTHON_VENV)/bin/python $(PYTHON_DIR)/tests/leaks.py $(or $(LEAK_PARSES),1000000)
# The wheel in an empty environment of each Python on this machine, with what README.md shows.
test-python-outside: python
	@tests/install/outside python

## test-python-spark: librobots.spark and the examples, on Spark 3.5 and 4.0 and on a Connect server of this machine. Needs a Java.
# PySpark comes from PyPI (500 MB each, in target/python). Each way runs without a jar and with that of spark.jars.packages.
# SPARK_REPOSITORY: the Maven repository of `make dist`; default: one of the jars of `make spark`.
# SPARK_ROWS and SPARK_SITES: how many URLs of how many sites filter_table and RobotsFilter answer, row by row.
SPARK_ROWS  ?= 50000
SPARK_SITES ?= 500
SPARK_JAR   ?= $(JAVA_DIR)/librobots-spark/target/librobots-spark-[0-9]*-all.jar
.PHONY: test-python-spark spark-venvs
# PySpark 3.5 needs NumPy 1, which newer releases of pyarrow and pandas refuse.
spark-venvs: python
	@set -e; for run in "3.5 pyarrow<19 pandas<2.3" "4.0 pyarrow pandas"; do \
	    set -- $$run; version=$$1; shift; venv=$(PYTHON_OUT)/spark$$version; \
	    [ -x $$venv/bin/pytest ] || { $(PYTHON) -m venv $$venv; $$venv/bin/python -m pip install --quiet --disable-pip-version-check \
	        "pyspark[connect]==$$version.*" "$$@" setuptools warcio pytest; }; \
	    $$venv/bin/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps $(PYTHON_OUT)/dist/librobots-*.whl; \
	done
test-python-spark: spark-venvs spark
	@set -e; repository=$(or $(SPARK_REPOSITORY),$(PYTHON_OUT)/maven); \
	[ -n "$(SPARK_REPOSITORY)" ] || $(JAVA_DIR)/librobots-spark/tests/repository $$repository; \
	for run in 3.5:classic 4.0:classic 4.0:connect; do \
	    for jar in "" $$repository; do \
	        $(PYTHON_OUT)/spark$${run%:*}/bin/python $(PYTHON_DIR)/tests/spark.py $${run#*:} $$jar; \
	    done; \
	done; \
	for version in 3.5 4.0; do \
	    $(PYTHON_OUT)/spark$$version/bin/python $(PYTHON_DIR)/tests/spark_rows.py $(SPARK_JAR) $(SPARK_ROWS) $(SPARK_SITES); \
	done

## bench-python: the Python package compared with protego and urllib.robotparser, with ROBOTS_CORPUS or generated files.
bench-python: export ROBOTS_CORPUS := $(BENCH_CORPUS)
bench-python: python-installed bench-corpus
	@$(PYTHON_VENV)/bin/python $(PYTHON_DIR)/bench/bench.py

## bench-tables: filter_table on 1,000,000 URLs of 2,000 sites, alone and compared with both ways of Spark, row by row.
.PHONY: bench-tables
bench-tables: python-installed spark-venvs spark
	@$(PYTHON_VENV)/bin/python $(PYTHON_DIR)/bench/tables.py
	@$(PYTHON_OUT)/spark4.0/bin/python $(PYTHON_DIR)/tests/spark_rows.py $(SPARK_JAR) 1000000 2000
