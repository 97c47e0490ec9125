# The C and C++ library as a distribution ships it: `make install`, its ABI, its tests.

PREFIX     ?= /usr/local
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR     ?= $(PREFIX)/share/man
DATADIR    ?= $(PREFIX)/share
# DESTDIR is put before these paths, for packages. STRIP=: leaves symbols and debug information in.
STRIP      ?= strip
CXX        ?= c++
CXXFLAGS   ?= -O2 -g

# The number of the binary interface, which is the end of the SONAME. It changes when a program that was linked with an
# older library would not run with this one; `make abi-check` says so.
ABI        := 0
# The version, here and everywhere, is that of Cargo.toml.
VERSION    := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
# TARGET: the triple of another system (with CC, LD, OBJCOPY, AR and STRIP of a compiler for it); else this machine's.
TARGET     ?=
BUILT      := $(OUT)/lib$(TARGET:%=-%)
C_ARCHIVE  := $(if $(TARGET),$(CARGO_TARGET_DIR)/$(TARGET)/release/librobots.a,$(RELEASE)/librobots.a)
C_SHARED   := $(BUILT)/librobots.so.$(VERSION)
C_STATIC   := $(BUILT)/librobots.a
export ABI VERSION CXX CXXFLAGS BUILT TARGET
C_PLACES = PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' INCLUDEDIR='$(INCLUDEDIR)' MANDIR='$(MANDIR)' DESTDIR='$(DESTDIR)' \
           BINDIR='$(BINDIR)' DATADIR='$(DATADIR)' TARGET='$(TARGET)'

PACKAGES += ld:binutils cmake:cmake pkg-config:pkg-config clang:clang clang++:clang groff:groff-base
SUITES   += test-c-shipped test-hpp test-c-layout test-c-documentation test-version test-install test-neighbours test-abi \
            test-manual test-map-image test-filter

.PHONY: c-library install uninstall abi-check abi-update test-cinstall

# --- the library ------------------------------------------------------------------------------------------------------

## c-library: the library to be installed: small, with a SONAME and symbol versions (in target/c/lib).
c-library: $(C_SHARED) $(C_STATIC)

# What the C compiler offers of the same.
HARDENING := $(foreach f,-fstack-protector-strong -fcf-protection=full,\
               $(shell $(CC) -Werror $f -x c -c -o /dev/null - </dev/null 2>/dev/null && echo $f))

# That of this machine is the one of `make library`.
ifneq ($(TARGET),)
$(C_ARCHIVE): FORCE | need-cargo
	@RUSTFLAGS="$$(bindings/c/rustflags)" $(CARGO) rustc --release --lib --crate-type staticlib --quiet --target $(TARGET)
endif

$(BUILT)/librobots.o: $(C_ARCHIVE) bindings/c/relink | need-cc
	$(call need,objcopy,install GNU binutils)
	@mkdir -p $(@D)
	@bindings/c/relink $< robots_ $@

$(C_STATIC): $(BUILT)/librobots.o
	@cp $< $(BUILT)/stripped.o && $(STRIP) --strip-unneeded $(BUILT)/stripped.o
	@rm -f $@ && ln -f $(BUILT)/stripped.o $(BUILT)/robots.o && $(AR) rcsD $@ $(BUILT)/robots.o

$(C_SHARED): $(BUILT)/librobots.o bindings/c/librobots.map
	@$(CC) -shared $(CFLAGS) $(HARDENING) -Wl,-soname,librobots.so.$(ABI) -Wl,--version-script=bindings/c/librobots.map \
	    -Wl,--gc-sections -Wl,--as-needed -Wl,--no-undefined -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,-O1 $(LDFLAGS) $< -lm -o $@
	@$(STRIP) $@
	@ln -sfn $(@F) $(BUILT)/librobots.so.$(ABI) && ln -sfn librobots.so.$(ABI) $(BUILT)/librobots.so

## install: libraries, headers, pkg-config, CMake, manual pages, and the command if built (PREFIX=/usr/local LIBDIR= DESTDIR= STRIP= TARGET=).
install: c-library
	@$(C_PLACES) bindings/c/install install $(BUILT)
	@$(if $(TARGET),:,$(C_PLACES) bindings/cli/install install $(CLI_BUILT)) # the command is this machine's

## uninstall: takes away what install put there (with the same PREFIX, LIBDIR and DESTDIR).
uninstall:
	@$(C_PLACES) bindings/c/install uninstall $(BUILT)
	@$(C_PLACES) bindings/cli/install uninstall $(CLI_BUILT)

# --- the ABI ----------------------------------------------------------------------------------------------------------

## abi-check: whether programs that were linked with the library as it was described will still run.
abi-check: $(C_SHARED) need-cc
	@bindings/c/abi-check check $(C_SHARED)

## abi-update: describes the ABI anew, after functions were added (or with a new number in bindings/c/c.mk).
abi-update: $(C_SHARED) need-cc
	@bindings/c/abi-check update $(C_SHARED)

test-abi: $(C_SHARED) need-cc
	@tests/abi/guard $(C_SHARED)

test-c-layout: need-cc need-cargo
	@tests/abi/layout

# --- tests ------------------------------------------------------------------------------------------------------------

LINK_INSTALLED = -L$(BUILT) -lrobots -Wl,-rpath,$(BUILT)
CXX_WARNINGS   = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Werror
HPP_TESTS      = tests/cpp/test_hpp.cpp tests/cpp/test_hpp_again.cpp tests/cpp/test_hpp_around.cpp tests/cpp/test_hpp.h
CXX_HEADERS    = include/librobots.hpp include/librobots_tools.h include/librobots.h

# The C tests, with the library that is shipped in place of the one that cargo links; WRAPPED ones have it inside.
test-c-shipped: $(patsubst %,$(OUT)/shipped/%,$(filter-out $(WRAPPED),$(C_TESTS)))
	@tests/c/run $^
$(OUT)/shipped/%: tests/c/%.c $(C_SHARED) $(HEADERS) | need-cc
	$(BUILD_TEST) $(LINK_INSTALLED) -lpthread -o $@

test-hpp: $(OUT)/plain/test_hpp $(OUT)/sanitized/test_hpp $(C_SHARED)
	@tests/cpp/standards
	@tests/cpp/googlebot $(BUILT)
	@tests/c/run $(filter %/test_hpp,$^)

# The linker sees the file without exceptions first. It keeps the first of equal functions, unless a compiler has inlined them (-O0).
$(OUT)/%/test_hpp_without.o: tests/cpp/test_hpp_without.cpp tests/cpp/test_hpp.h $(CXX_HEADERS) | need-cxx
	@mkdir -p $(@D)
	@$(CXX) -std=c++17 -fno-exceptions $(CXXFLAGS) $(CXX_WARNINGS) $(if $(filter sanitized,$*),$(SANITIZE),-O0) -Iinclude -c $< -o $@
$(OUT)/plain/test_hpp: $(OUT)/plain/test_hpp_without.o $(HPP_TESTS) $(CXX_HEADERS) $(C_SHARED)
	@$(CXX) -std=c++17 $(CXXFLAGS) -O0 $(CXX_WARNINGS) -Iinclude $< $(filter %.cpp,$^) $(LINK_INSTALLED) -lpthread -o $@
$(OUT)/sanitized/test_hpp: $(OUT)/sanitized/test_hpp_without.o $(HPP_TESTS) $(CXX_HEADERS) $(C_STATIC)
	@$(CXX) -std=c++2b $(CXXFLAGS) $(CXX_WARNINGS) $(SANITIZE) -Iinclude $< $(filter %.cpp %.a,$^) -lpthread -o $@

$(OUT)/filter: examples/cpp/filter.cpp $(CXX_HEADERS) $(C_SHARED) | need-cxx
	@mkdir -p $(@D) && $(CXX) -std=c++17 $(CXXFLAGS) $(CXX_WARNINGS) -Iinclude $< $(LINK_INSTALLED) -lpthread -o $@
$(OUT)/get: examples/cpp/get.cpp $(CXX_HEADERS) $(C_SHARED) | need-cxx need-curl
	@mkdir -p $(@D) && $(CXX) -std=c++17 $(CXXFLAGS) $(CXX_WARNINGS) -Iinclude $$(curl-config --cflags) $< $(LINK_INSTALLED) \
	    $$(curl-config --libs) -o $@
$(OUT)/paced_cpp: tests/cpp/paced.cpp $(CXX_HEADERS) $(C_SHARED) | need-cxx need-curl
	@mkdir -p $(@D) && $(CXX) -std=c++17 $(CXXFLAGS) $(CXX_WARNINGS) -Iinclude $$(curl-config --cflags) $< $(LINK_INSTALLED) \
	    $$(curl-config --libs) -lpthread -o $@
$(OUT)/map_image: examples/c/map_image.c include/librobots.h $(C_SHARED) | need-cc
	@mkdir -p $(@D) && $(CC) -std=c99 $(CFLAGS) $(WARNINGS) -Iinclude $< $(LINK_INSTALLED) -o $@

test-filter: $(OUT)/filter
	@tests/cpp/filter $(OUT)/filter
test-map-image: $(OUT)/map_image
	@tests/install/map_image $(OUT)/map_image

test-c-documentation:
	@tests/install/documentation
test-version: c-library library
	@tests/install/version
test-install: c-library need-cc need-cxx need-curl
	$(call need,cmake,make packages installs it on Debian)
	$(call need,pkg-config,make packages installs it on Debian)
	+@MAKE='$(MAKE)' tests/install/stranger
test-neighbours: c-library need-cc need-cargo
	@tests/install/neighbours
## test-cinstall: `cargo cinstall` installs what `make install` does (builds cargo-c first: minutes; make test-dist runs it, too).
test-cinstall: c-library need-cc need-cargo
	+@MAKE='$(MAKE)' tests/install/cinstall
test-manual: c-library need-cc
	$(call need,groff,make packages installs it on Debian)
	@tests/install/manual
	@tests/install/spec-manual
