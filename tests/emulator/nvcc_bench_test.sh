#!/bin/sh
# nvcc_bench_test.sh NVCC ROOT: bench/gpu/run makes its program for the GPUs of three generations, and says so where none answers.
set -eu
if [ ! -x "${1:-}" ]; then
    echo "skipped: there is no nvcc"
    exit 77
fi
if ! command -v python3 >/dev/null; then
    echo "skipped: python3 is not installed"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$2/bench/gpu/run" --nvcc "$1" --arch 75 --arch 80 --arch 90 --compile "$scratch/new/folder"
if "$scratch/new/folder/embedding" --check --date 2000-01-01 >"$scratch/out" 2>"$scratch/said"; then
    echo "checked on this machine's GPU"
    exit 0
fi
cat "$scratch/said"
nvidia-smi --list-gpus >/dev/null 2>&1 && exit 1
[ ! -s "$scratch/out" ] && [ "$(wc -l <"$scratch/said")" -eq 1 ] &&
    grep -q '^embedding: cannot find a CUDA device: ' "$scratch/said"
