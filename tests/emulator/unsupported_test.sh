#!/bin/sh
# unsupported_test.sh CXX INCLUDE: what the emulator does not have does not compile, and the message says why.
set -u
cxx=$1
include=$2
failed=0

compile() { printf '%s\n' "$1" | "$cxx" -std=c++20 -fsyntax-only -isystem "$include" -include cuda_runtime.h -x c++ - 2>&1; }

refuses() { # words, source
    if message=$(compile "$2"); then
        echo "compiles, and should not: $2"
        failed=1
    elif ! printf '%s' "$message" | grep -q -- "$1"; then
        echo "no word of '$1' for: $2"
        printf '%s\n' "$message"
        failed=1
    fi
}

refuses 'no asynchronous copies' '#include <cooperative_groups/memcpy_async.h>'
refuses 'ExC: use cudaLaunchKernelEx' 'void f() { cudaLaunchKernelExC(0, 0, 0); }'
refuses 'read-only cache' 'cudaTextureObject_t texture;'
refuses 'launch the work on the stream' 'cudaGraph_t graph;'
refuses 'the default pool' 'cudaMemPool_t pool;'
refuses 'no CUB' '#include <cub/cub.cuh>'
refuses 'no Thrust' '#include <thrust/sort.h>'
refuses 'no tensor cores' '#include <mma.h>'
refuses 'no cuRAND' '#include <curand_kernel.h>'
refuses 'ends in _sync' 'int f() { return __shfl_down(1, 2); }'
refuses 'launch the work on the stream' 'void f(cudaStream_t s) { cudaStreamBeginCapture(s, 0); }'
refuses 'hidden in a macro' '#define SHARED __shared__
void f() { SHARED int x; }'
refuses 'copied to the device byte by byte' '#include <string>
void f(std::string s) { cuda_emulator::Launch("k", 1, 1).with(0, [](auto&...) {})(s); }'
refuses 'more than 48 KiB of static shared memory' 'struct S { float x[12289]; }; void f() { cuda_emulator::shared<S>("x"); }'
refuses 'cannot have a constructor' 'struct S { int x = 1; }; void f() { cuda_emulator::shared<S>("x"); }'

if ! message=$(compile '#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cassert>
void f(float* p) { assert(p); atomicAdd(p, __low2float(__float2bfloat162_rn(1.0f))); __syncwarp(); }'); then
    echo "does not compile: $message"
    failed=1
fi
exit $failed
