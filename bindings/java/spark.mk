# The package for Apache Spark: `make spark` builds its jars in bindings/java/librobots-spark/target.
#
# `make test` runs its tests on one Spark. Large downloads and long runs are targets of their own.

SPARK_DIR     := $(JAVA_DIR)/librobots-spark
SPARK_MAVEN    = $(MVN) -B -q -ntp -Pspark -f $(JAVA_DIR)/pom.xml -pl librobots,librobots-spark
SPARK_SUITES  := test-spark-local
SUITES        += $(SPARK_SUITES)

.PHONY: spark bench-spark test-spark test-spark-matrix test-spark-cluster $(SPARK_SUITES)

## spark: the jars for Apache Spark (bindings/java/librobots-spark/target), one of them with everything inside.
spark: java-native
	@$(SPARK_MAVEN) -DskipTests package
	@ls $(SPARK_DIR)/target/librobots-spark-*.jar

# The tests on Spark 3.5 in one process: about a minute.
test-spark-local: java-native
	@$(SPARK_DIR)/tests/run $(SPARK_TEST)

## test-spark: the long tests of the Spark package: each version of Spark, a cluster on this machine, PySpark.
test-spark: test-spark-local test-spark-matrix test-spark-cluster
test-spark-matrix: spark
	@$(SPARK_DIR)/tests/matrix -Dsites=2000 -Durls=500000
test-spark-cluster: spark python
	@$(SPARK_DIR)/tests/cluster

## bench-spark: robots.allowed compared with the same join without it, and with a UDF of crawler-commons; BENCH_SPARK="ROWS SITES ROUNDS".
bench-spark: spark
	@$(SPARK_DIR)/bench/run $(BENCH_SPARK)
