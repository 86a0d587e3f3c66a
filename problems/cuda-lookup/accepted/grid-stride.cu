// accepted: a fixed grid whose threads stride over all elements
#include "contract.h"

namespace exercise {
namespace {

/// Neighbouring threads read and write neighbouring channels of one row.
__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                          DeviceMatrix<float> out) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
         element < out.rows * out.cols; element += threads) {
        const std::size_t row = element / out.cols, c = element % out.cols;
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
    copy_rows<<<32, 192, 0, stream>>>(table, ids, out);
    return {};
}

} // namespace exercise
