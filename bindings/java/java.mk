# The Java packages: `make java` builds the jars, with the native library inside, in bindings/java/*/target.

MVN         ?= mvn
JAVA_DIR    := bindings/java
JAVA_NATIVE := $(JAVA_DIR)/target/native
MAVEN        = $(MVN) -B -q -ntp -f $(JAVA_DIR)/pom.xml
JAVA_SUITES := test-java test-java-nullness test-java-outside test-java-examples
SUITES      += $(JAVA_SUITES)
PACKAGES    += javac:openjdk-17-jdk-headless $(MVN):maven ld:binutils unzip:unzip

# Maven and its compilers run for seconds: the second compiler of the JVM would take more time than it saves. Tests have JVMs of their own.
MAVEN_OPTS  ?= -XX:TieredStopAtLevel=1 -XX:+UseSerialGC

export MVN MAVEN_OPTS
.PHONY: java java-jar java-native bench-java need-java

need-java:
	$(call need,javac,install a JDK of version 11 or newer (make packages does so on Debian),11)
	$(call need,$(MVN),install Maven 3.6.3 or newer (make packages does so on Debian),3.6.3)

## java-native: librobots_jni.so for each platform that this machine can build for (bindings/java/target/native).
java-native: need-java need-cc c-library
	$(call need,objcopy,install GNU binutils)
	@$(JAVA_DIR)/native $(JAVA_NATIVE)

## java: the Java jars, with sources and documentation (bindings/java/*/target).
java: java-native
	@$(MAVEN) -DskipTests package
	@ls $(JAVA_DIR)/*/target/librobots*.jar

# The jars alone: sources and documentation take most of the time, and test-java makes them.
java-jar: java-native
	@$(MAVEN) -DskipTests -Dmaven.javadoc.skip=true -Dmaven.source.skip=true package

# JAVA_TEST="-Dstress.seconds=30 -Dstress.parses=10000000": the long tests in full size.
test-java: java-native
	@$(JAVA_DIR)/tests/run $(JAVA_TEST)
# Error Prone, which runs NullAway, needs version 17.
test-java-nullness: need-java
	$(call need,javac,install a JDK of version 17 or newer,17)
	@$(JAVA_DIR)/tests/nullness $(CARGO_TARGET_DIR)/java-nullness
## java-test: one test class of Java, as T=CacheTest, or one method, as T='CacheTest#tickets'.
.PHONY: java-test
java-test: java-native
	@$(MAVEN) -pl librobots -Dtest='$(T)' test && echo "java $(T): passed"
test-java-outside: java-jar
	@tests/install/outside java
test-java-examples: java-jar
	@$(JAVA_DIR)/tests/examples

## bench-java: JMH, compared with crawler-commons, over ROBOTS_CORPUS or generated files (bindings/java/bench).
bench-java: export ROBOTS_CORPUS := $(BENCH_CORPUS)
bench-java: java-native bench-corpus
	@$(JAVA_DIR)/bench/run
