// wrong: waits for the stream with cudaStreamSynchronize after the launch, in every call that launches; a right one launches and returns
#include "contract.h"

#include <cstddef>

namespace exercise {
namespace {

__global__ void embed(const float* table, const int* ids, float* out, std::size_t V, std::size_t C, std::size_t N,
                      std::size_t table_stride, std::size_t out_stride) {
    const std::size_t idx = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (idx < N * C) {
        const std::size_t i = idx / C;
        const std::size_t c = idx % C;
        const int id = ids[i];
        float value = __int_as_float(0x7fc00000);
        if (id >= 0 && static_cast<std::size_t>(id) < V) value = table[id * table_stride + c];
        out[i * out_stride + c] = value;
    }
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};

    const std::size_t blocks = (out.rows * out.cols + 255) / 256;
    embed<<<static_cast<unsigned>(blocks), 256, 0, stream>>>(table.data, ids.data(), out.data, table.rows,
                                                             table.cols, ids.size(), table.stride, out.stride);
    cudaStreamSynchronize(stream);
    return Status{};
}

} // namespace exercise
