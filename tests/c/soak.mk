# The soak of the C API at length; test_soak is part of test-c and its like, for two seconds.

.PHONY: soak soak-tsan

# With the static library that is shipped.
$(OUT)/shipped/test_soak: tests/c/test_soak.c $(C_STATIC) $(HEADERS) | need-cc
	$(BUILD_TEST) $(C_STATIC) -lpthread -lm -ldl $(WRAP) -o $@

## soak: random work over the C API in 4 threads (SECONDS=1800 SEED=1); the memory must stay level.
soak: $(OUT)/shipped/test_soak
	@ROBOTS_SOAK_SECONDS='$(or $(SECONDS),1800)' ROBOTS_SOAK_SEED='$(SEED)' $<

## soak-tsan: the same for a minute, built anew for ThreadSanitizer and with Rust's library (SECONDS=60 SEED=1).
soak-tsan: need-cargo need-cc
	@ROBOTS_SOAK_SECONDS='$(or $(SECONDS),60)' ROBOTS_SOAK_SEED='$(SEED)' WRAP='$(WRAP)' tests/c/tsan $(CARGO_TARGET_DIR)/tsan
