// wrong: the call returns Status{} for N = 0 or C = 0 before it compares the shapes, so an out of 3 rows for no ids, or of 4 columns for a table of none, is accepted; a right one returns shape_mismatch there, because refusals do not depend on whether there is work.
#include "contract.h"

#include <cstddef>

namespace exercise {
namespace {

__global__ void lookup_block(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                             DeviceMatrix<float> out) {
    const std::size_t c = static_cast<std::size_t>(blockIdx.y) * blockDim.x + threadIdx.x;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.y;
    const std::size_t columns_step = static_cast<std::size_t>(gridDim.y) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y; i < ids.size();
         i += step) {
        const TokenId id = ids[i];
        const bool bad = id < 0 || static_cast<std::size_t>(id) >= table.rows;
        for (std::size_t column = c; column < out.cols; column += columns_step)
            out(i, column) = bad ? __int_as_float(0x7fc00000) : table(static_cast<std::size_t>(id), column);
    }
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (ids.empty() || table.cols == 0) return Status{}; // an empty grid would be refused
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    const dim3 block(32, 8);
    const std::size_t row_blocks = (ids.size() + block.y - 1) / block.y;
    const std::size_t column_blocks = (table.cols + block.x - 1) / block.x;
    const dim3 grid(static_cast<unsigned>(row_blocks < 65535 ? row_blocks : 65535),
                    static_cast<unsigned>(column_blocks < 64 ? column_blocks : 64));
    lookup_block<<<grid, block, 0, stream>>>(table, ids, out);
    return Status{};
}

} // namespace exercise
