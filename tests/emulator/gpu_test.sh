#!/bin/sh
# gpu_test.sh NVCC TEST_FOLDER: the conformance tests and every feature of docs/cuda.md with nvcc, on a GPU. Exit code 77
# means skipped.
set -eu
nvcc=$1
folder=$2
if [ ! -x "$nvcc" ]; then
    echo "skipped: no nvcc on this machine"
    exit 77
fi
if ! nvidia-smi --list-gpus >/dev/null 2>&1; then
    echo "skipped: no GPU on this machine"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$nvcc" -std=c++20 -arch=native -fmad=false -I"$folder" "$folder/conformance_test.cpp" "$folder/primitives_test.cpp" \
    "$folder/../unit/main.cpp" "$folder/kernels/textbook.cu" "$folder/kernels/primitives.cu" \
    "$folder/kernels/warp_reduce.cu" -o "$scratch/conformance"
"$scratch/conformance"
for name in language mathematics runtime threads groups; do
    "$nvcc" -std=c++20 -arch=native -fmad=false -I"$folder" "$folder/features/$name.cu" "$folder/features/on_gpu.cpp" \
        -o "$scratch/$name"
    "$scratch/$name"
done
