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
    for architecture in sm_75 sm_80 sm_90; do
        if [ "$architecture" = sm_75 ] && grep -q '^// requires: sm_80' "$source"; then continue; fi
        "$nvcc" -std=c++20 -arch="$architecture" -Werror all-warnings -I"$folder" -c "$source" -o "$scratch/kernel.o"
        echo "ok $architecture $(basename "$source")"
    done
done
