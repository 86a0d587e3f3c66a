// wrong: fills everything from the first to the last element of out with NaN, the padding between the rows included, and then copies the rows of good ids: with out.stride > C and N >= 2 the padding changes; a right one leaves padding as it was
#include "contract.h"

#include <cstddef>

namespace exercise {
namespace {

constexpr unsigned threads = 256;

__global__ void fill(float* first, std::size_t count) {
    const std::size_t k = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (k < count) first[k] = __int_as_float(0x7fc00000);
}

__global__ void copy_good(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                          DeviceMatrix<float> out) {
    const std::size_t k = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (k >= out.rows * out.cols) return;
    const std::size_t row = k / out.cols;
    const std::size_t c = k % out.cols;
    const TokenId id = ids[row];
    if (id >= 0 && static_cast<std::size_t>(id) < table.rows)
        out(row, c) = table(static_cast<std::size_t>(id), c);
}

unsigned blocks_for(std::size_t work) {
    return static_cast<unsigned>((work + threads - 1) / threads);
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};

    const std::size_t reach = (out.rows - 1) * out.stride + out.cols;
    fill<<<blocks_for(reach), threads, 0, stream>>>(out.data, reach);
    copy_good<<<blocks_for(out.rows * out.cols), threads, 0, stream>>>(table, ids, out);
    return Status{};
}

} // namespace exercise
