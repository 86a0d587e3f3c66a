// wrong: the number of blocks is computed in the first call that launches and kept in a static variable; a later call with more elements than those blocks have threads leaves its last elements unwritten; a right one computes the grid in each call
#include "contract.h"

#include <cstddef>

namespace exercise {
namespace {

constexpr unsigned threads = 256;

__global__ void copy(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    const std::size_t k = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (k >= out.rows * out.cols) return;
    const std::size_t row = k / out.cols;
    const std::size_t c = k % out.cols;
    const TokenId id = ids[row];
    const bool known = id >= 0 && static_cast<std::size_t>(id) < table.rows;
    out(row, c) = known ? table(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};

    static const std::size_t blocks = (out.rows * out.cols + threads - 1) / threads;
    copy<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(table, ids, out);
    return Status{};
}

} // namespace exercise
