// accepted: a warp for each row, 16 bytes at a time where the addresses allow it
#include "contract.h"

namespace exercise {
namespace {

__device__ bool aligned(const float* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % sizeof(float4) == 0;
}

__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                          DeviceMatrix<float> out) {
    const std::size_t row = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / warpSize;
    const std::size_t lane = threadIdx.x % warpSize;
    if (row >= out.rows) return;
    TokenId id = lane == 0 ? ids[row] : 0;
    id = __shfl_sync(0xffffffffu, id, 0);
    float* to = out.row(row);
    if (id < 0 || static_cast<std::size_t>(id) >= table.rows) {
        for (std::size_t c = lane; c < out.cols; c += warpSize)
            to[c] = __int_as_float(0x7fc00000);
        return;
    }
    const float* from = table.row(static_cast<std::size_t>(id));
    std::size_t done = 0;
    if (aligned(from) && aligned(to)) {
        done = out.cols / 4 * 4;
        for (std::size_t c = lane; c < done / 4; c += warpSize)
            reinterpret_cast<float4*>(to)[c] = reinterpret_cast<const float4*>(from)[c];
    }
    for (std::size_t c = done + lane; c < out.cols; c += warpSize)
        to[c] = from[c];
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    if (ids.empty() || out.cols == 0) return {};
    constexpr unsigned int rows_of_a_block = 4;
    const auto grid = static_cast<unsigned int>((out.rows + rows_of_a_block - 1) / rows_of_a_block);
    copy_rows<<<grid, rows_of_a_block * 32, 0, stream>>>(table, ids, out);
    return {};
}

} // namespace exercise
