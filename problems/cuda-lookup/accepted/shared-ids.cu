// accepted: a tile of ids in shared memory, behind a barrier that all threads reach
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned int tile = 8;

__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                          DeviceMatrix<float> out) {
    __shared__ TokenId mine[tile];
    const std::size_t first = std::size_t{blockIdx.x} * tile;
    const std::size_t rows = out.rows - first < tile ? out.rows - first : tile;
    if (threadIdx.x < rows) mine[threadIdx.x] = ids[first + threadIdx.x];
    __syncthreads();
    for (std::size_t r = 0; r < rows; ++r) {
        const TokenId id = mine[r];
        const bool known = id >= 0 && static_cast<std::size_t>(id) < table.rows;
        for (std::size_t c = threadIdx.x; c < out.cols; c += blockDim.x)
            out(first + r, c) = known ? table(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
    }
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    if (ids.empty() || out.cols == 0) return {};
    copy_rows<<<static_cast<unsigned int>((out.rows + tile - 1) / tile), 64, 0, stream>>>(table, ids, out);
    return {};
}

} // namespace exercise
