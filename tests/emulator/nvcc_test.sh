#!/bin/sh
# nvcc_test.sh NVCC TEST_FOLDER: the test kernels are CUDA that nvcc accepts. Exit code 77 means skipped.
set -eu
nvcc=$1
folder=$2
if [ ! -x "$nvcc" ]; then
    echo "skipped: no nvcc on this machine"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for source in "$folder"/kernels/*.cu; do
    targets="75 80 90"
    if grep -q '^// requires: sm_80' "$source"; then targets="80 90"; fi
    set --
    for target in $targets; do set -- "$@" -gencode "arch=compute_$target,code=sm_$target"; done
    "$nvcc" -std=c++20 "$@" --threads 2 -Werror all-warnings -I"$folder" -c "$source" -o "$scratch/kernel.o"
    echo "ok $(basename "$source") for sm $targets"
done
