#!/bin/sh
# nvcc_problems_test.sh NVCC ROOT: starters and references of every CUDA problem are CUDA for the GPUs of three generations,
# accepted variants for the oldest, which has the fewest features. (All that `engine verify` judges goes through nvcc, too.)
set -u
if [ ! -x "${1:-}" ]; then
    echo "skipped: there is no nvcc"
    exit 77
fi
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
failed=0
compiled=0
for file in "$2"/exercises/*/*.cu "$2"/reference/*/*.cu "$2"/reference/*/fast/*.cu "$2"/problems/*/accepted/*.cu; do
    [ -e "$file" ] || continue
    folder=${file%/*}
    target="-gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -c"
    case $file in
    */accepted/*)
        folder=${folder%/accepted}
        target="-arch=sm_75 -cubin" # all of the file is read; code for the host is g++'s business
        ;;
    */fast/*) folder=${folder%/fast} ;;
    esac
    # shellcheck disable=SC2086 # a list of words
    if ! "$1" -std=c++20 $target -I "$2/exercises/${folder##*/}" -I "$2/exercises" "$file" -o "$out"; then
        echo "nvcc refuses $file"
        failed=1
    fi
    compiled=$((compiled + 1))
done
echo "$compiled files"
[ "$compiled" -gt 0 ] && exit $failed
