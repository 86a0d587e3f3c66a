// wrong: one block per id with one thread per channel: for C > 1,024 the launch is refused and nothing is written; a right one copies rows of any width
#include "contract.h"

#include <cstddef>

namespace exercise {
namespace {

__global__ void lookup_kernel(const float* table, std::size_t table_stride, std::size_t vocab, const TokenId* ids,
                              float* out, std::size_t out_stride) {
    const std::size_t i = blockIdx.x;
    const unsigned c = threadIdx.x;
    const long long id = ids[i];
    if (id < 0 || id >= static_cast<long long>(vocab)) {
        out[i * out_stride + c] = __int_as_float(0x7fc00000);
    } else {
        out[i * out_stride + c] = table[static_cast<std::size_t>(id) * table_stride + c];
    }
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};

    lookup_kernel<<<static_cast<unsigned>(out.rows), static_cast<unsigned>(out.cols), 0, stream>>>(
        table.data, table.stride, table.rows, ids.data(), out.data, out.stride);
    return Status{};
}

} // namespace exercise
