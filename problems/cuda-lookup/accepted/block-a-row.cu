// accepted: a block for each row, whose threads walk along the channels
#include "contract.h"

namespace exercise {
namespace {

__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                          DeviceMatrix<float> out) {
    const std::size_t row = blockIdx.x;
    const TokenId id = ids[row];
    const bool known = id >= 0 && static_cast<std::size_t>(id) < table.rows;
    for (std::size_t c = threadIdx.x; c < out.cols; c += blockDim.x)
        out(row, c) = known ? table(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    if (ids.empty() || out.cols == 0) return {};
    copy_rows<<<static_cast<unsigned int>(out.rows), 128, 0, stream>>>(table, ids, out);
    return {};
}

} // namespace exercise
