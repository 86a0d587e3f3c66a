#!/bin/sh
# nvcc_worker_test.sh NVCC ROOT SHIM: the worker for a GPU is made as `--device cuda` makes it, for three generations, and
# linked for real. The probe, which comes before every worker, says what it finds on this machine.
set -eu
if [ ! -x "${1:-}" ]; then
    echo "skipped: there is no nvcc"
    exit 77
fi
nvcc=$1 root=$2 shim=$3
real=$(readlink -f "$nvcc")
cudart=
for folder in "${real%/bin/*}/lib64" "${real%/bin/*}/targets/x86_64-linux/lib" /usr/lib/x86_64-linux-gnu; do
    [ ! -e "$folder/libcudart_static.a" ] || cudart=$folder/libcudart_static.a
done
if [ -z "$cudart" ]; then
    echo "skipped: there is no libcudart_static.a"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
flags="-std=c++20 -O2 -lineinfo -Xcompiler=-g1,-fPIE,-ffp-contract=off -x cu"
link() {
    g++ -pie "$@" "$cudart" -ldl -lrt -pthread
}

for capability in 75 80 90; do
    code="-gencode=arch=compute_$capability,code=sm_$capability"
    for problem in first-kernel cuda-lookup cuda-backward-atomic; do
        includes="-I $root/exercises/$problem -I $root/exercises -I $root/validator -DENGINE_ON_GPU -diag-suppress=554"
        set -- "$root/problems/$problem/accepted"/*.cu
        # shellcheck disable=SC2086 # lists of words
        "$nvcc" $flags $code $includes -c "$1" -o submission.o
        # shellcheck disable=SC2086
        "$nvcc" $flags $code $includes -c "$root/validator/subject/shim/table.cpp" -o table.o
        link submission.o table.o "$shim" -o worker
        status=0
        ./worker </dev/null || status=$?
        [ "$status" -eq 125 ] || { echo "$problem for sm_$capability: without an arena a worker ends with 125, not $status"; exit 1; }
    done
done

# shellcheck disable=SC2086
"$nvcc" $flags -c "$root/validator/subject/shim/gpu_copy.cu" -o copy.o
link copy.o -o copy
./copy >said || true
cat said
grep -q '^\(copy\|error cuda\)' said

# shellcheck disable=SC2086
"$nvcc" $flags -c "$root/validator/subject/shim/gpu_probe.cu" -o probe.o
link probe.o -o probe
./probe >said || true
cat said
if [ -e /dev/nvidiactl ]; then
    grep -q '^\(works\|error cuda\)' said
else
    grep -q '^error cudaErrorInsufficientDriver\|^error cudaErrorNoDevice' said
fi
