// mistake: rows-in-grid-y
// says: You count rows in the y direction of the grid, which holds 65,535 blocks and no more.
// hint: Only the x direction of a grid goes up to 2^31 - 1; or let each block take several rows.
// symptom: Batches of more than 65,535 tokens are refused.
// fails: seventy thousand rows
// finds: launch_refused
#include "contract.h"

namespace exercise {
namespace {

__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    const std::size_t row = blockIdx.y, c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (c >= out.cols) return;
    const TokenId id = ids[row];
    const bool known = id >= 0 && static_cast<std::size_t>(id) < table.rows;
    out(row, c) = known ? table(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    if (ids.empty() || out.cols == 0) return {};
    constexpr unsigned int block = 64;
    const dim3 grid(static_cast<unsigned int>((out.cols + block - 1) / block), static_cast<unsigned int>(out.rows));
    copy_rows<<<grid, block, 0, stream>>>(table, ids, out);
    return {};
}

} // namespace exercise
