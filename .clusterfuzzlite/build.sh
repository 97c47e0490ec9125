#!/usr/bin/env bash
# Builds each fuzz target into $OUT, with its seeds and dictionary, for ClusterFuzzLite and OSS-Fuzz. Their image sets SRC, OUT,
# WORK, SANITIZER, CC, CFLAGS and RUSTFLAGS; `make test-fuzzlite` does so elsewhere.
set -euo pipefail
cd "$SRC/librobots"
programs=$(CARGO_TARGET_DIR=$WORK fuzz/build)
"$programs/seeds" "$WORK/seeds"
for folder in "$WORK"/seeds/*/; do
    target=$(basename "$folder")
    # The fuzzer runs the target whose name it has.
    cp "$programs/fuzzer" "$OUT/$target"
    cp "$WORK/seeds/words.dict" "$OUT/$target.dict"
    printf '[libfuzzer]\nmax_len = 4200\ntimeout = 25\n' >"$OUT/$target.options"
    seeds=("$folder")
    [[ ! -d fuzz/regressions/$target ]] || seeds+=("fuzz/regressions/$target")
    rm -f "$OUT/${target}_seed_corpus.zip"
    zip -qrj "$OUT/${target}_seed_corpus.zip" "${seeds[@]}"
done
