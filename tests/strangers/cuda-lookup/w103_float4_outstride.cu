// wrong: takes the float4 path when both pointers are 16-byte aligned, C % 4 == 0 and table.stride % 4 == 0 but never looks at out.stride, so with C % 4 == 0 and an out.stride that is no multiple of 4 the stores to rows 1, 2, 3, ... are misaligned
#include "contract.h"

#include <cstdint>

namespace exercise {
namespace {

template <class Word>
struct Nan;
template <>
struct Nan<float> {
    static __device__ float make() { return __int_as_float(0x7fc00000); }
};
template <>
struct Nan<float4> {
    static __device__ float4 make() {
        const float q = Nan<float>::make();
        return make_float4(q, q, q, q);
    }
};

// One warp copies one row, Word by Word.
template <class Word>
__global__ void warp_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    constexpr std::size_t width = sizeof(Word) / sizeof(float);
    const std::size_t n = static_cast<std::size_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
    if (n >= ids.size()) return;
    const TokenId id = ids[n];
    const bool bad = id < 0 || static_cast<std::size_t>(id) >= table.rows;
    const Word* from = reinterpret_cast<const Word*>(table.row(bad ? 0 : static_cast<std::size_t>(id)));
    Word* to = reinterpret_cast<Word*>(out.row(n));
    for (std::size_t w = threadIdx.x % 32; w < out.cols / width; w += 32) {
        if (bad)
            to[w] = Nan<Word>::make();
        else
            to[w] = from[w];
    }
}

bool sixteen(const void* p) {
    return reinterpret_cast<std::uintptr_t>(p) % 16 == 0;
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};
    const unsigned blocks = static_cast<unsigned>((ids.size() + 7) / 8);
    const bool wide = sixteen(table.data) && sixteen(out.data) && out.cols % 4 == 0 && table.stride % 4 == 0;
    if (wide)
        warp_rows<float4><<<blocks, 256, 0, stream>>>(table, ids, out);
    else
        warp_rows<float><<<blocks, 256, 0, stream>>>(table, ids, out);
    return Status{};
}

} // namespace exercise
