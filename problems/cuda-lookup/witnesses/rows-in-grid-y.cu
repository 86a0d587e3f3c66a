// Fault: Rows lie along the grid's y axis without a loop, so more than 262,140 ids are refused by the device.
// Origin: round 11
#include "contract.h"

#include <cstddef>

namespace exercise {
namespace {

__global__ void copy(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    const std::size_t c = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t row = static_cast<std::size_t>(blockIdx.y) * blockDim.y + threadIdx.y;
    if (row >= out.rows || c >= out.cols) return;
    const TokenId id = ids[row];
    const bool known = id >= 0 && static_cast<std::size_t>(id) < table.rows;
    out(row, c) = known ? table(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};

    const dim3 block(64, 4);
    const dim3 grid(static_cast<unsigned>((out.cols + 63) / 64), static_cast<unsigned>((out.rows + 3) / 4));
    copy<<<grid, block, 0, stream>>>(table, ids, out);
    return Status{};
}

} // namespace exercise
