// Fault: Whether float4 fits is decided by the first call and kept, so later unaligned calls make misaligned
//  accesses.
// Origin: round 25
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

constexpr unsigned kRows = 8;

template <bool vectorised>
__global__ void gather(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    const std::size_t cols = out.cols;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * kRows;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * kRows + threadIdx.y; i < out.rows; i += step) {
        const TokenId id = ids[i];
        float* to = out.row(i);
        if (id < 0 || static_cast<std::size_t>(id) >= table.rows) {
            for (std::size_t c = threadIdx.x; c < cols; c += 32) to[c] = __int_as_float(0x7fc00000);
            continue;
        }
        const float* from = table.row(static_cast<std::size_t>(id));
        std::size_t done = 0;
        if constexpr (vectorised) {
            const std::size_t vectors = cols / 4;
            for (std::size_t k = threadIdx.x; k < vectors; k += 32)
                reinterpret_cast<float4*>(to)[k] = reinterpret_cast<const float4*>(from)[k];
            done = vectors * 4;
        }
        for (std::size_t c = done + threadIdx.x; c < cols; c += 32) to[c] = from[c];
    }
}

bool fits_float4(const float* data, std::size_t stride) {
    return reinterpret_cast<std::size_t>(data) % sizeof(float4) == 0 && stride % 4 == 0;
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};

    static const bool vectorised = fits_float4(table.data, table.stride) && fits_float4(out.data, out.stride);
    const unsigned blocks =
        static_cast<unsigned>(std::min<std::size_t>((out.rows - 1) / kRows + 1, 2147483647u));
    if (vectorised)
        gather<true><<<blocks, dim3(32, kRows), 0, stream>>>(table, ids, out);
    else
        gather<false><<<blocks, dim3(32, kRows), 0, stream>>>(table, ids, out);
    return Status{};
}

} // namespace exercise
