// accepted: blocks over channels and rows, striding over the rows that the grid has no room for
#include "contract.h"

namespace exercise {
namespace {

__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                          DeviceMatrix<float> out) {
    const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (c >= out.cols) return;
    for (std::size_t row = std::size_t{blockIdx.y} * blockDim.y + threadIdx.y; row < out.rows;
         row += std::size_t{gridDim.y} * blockDim.y) {
        const TokenId id = ids[row];
        const bool known = id >= 0 && static_cast<std::size_t>(id) < table.rows;
        out(row, c) = known ? table(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
    }
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    if (ids.empty() || out.cols == 0) return {};
    const dim3 block(32, 4);
    const std::size_t across = (out.cols + block.x - 1) / block.x, down = (out.rows + block.y - 1) / block.y;
    const dim3 grid(static_cast<unsigned int>(across), static_cast<unsigned int>(down < 1024 ? down : 1024));
    copy_rows<<<grid, block, 0, stream>>>(table, ids, out);
    return {};
}

} // namespace exercise
