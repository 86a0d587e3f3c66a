// wrong: keeps one scratch buffer of row offsets in a static variable and only makes it larger when needed: two calls at work on different streams share it, and it is not given back in the call; a right one allocates and frees scratch on the stream in each call, or needs none
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned long long no_row = ~0ull;

__global__ void find_offsets(DeviceSpan<const TokenId> ids, std::size_t V, std::size_t stride,
                             unsigned long long* offsets) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= ids.size()) return;
    const TokenId id = ids[i];
    offsets[i] = id >= 0 && static_cast<std::size_t>(id) < V ? static_cast<std::size_t>(id) * stride : no_row;
}

__global__ void copy_from_offsets(const float* table, const unsigned long long* offsets, DeviceMatrix<float> out) {
    const std::size_t row = (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
    if (row >= out.rows) return;
    const unsigned long long offset = offsets[row];
    for (std::size_t c = threadIdx.x % 32; c < out.cols; c += 32)
        out(row, c) = offset == no_row ? __int_as_float(0x7fc00000) : table[offset + c];
}

struct Buffer {
    unsigned long long* data = nullptr;
    std::size_t capacity = 0;

    void reserve(std::size_t count, cudaStream_t stream) {
        if (count <= capacity) return;
        if (data != nullptr) cudaFreeAsync(data, stream);
        cudaMallocAsync(reinterpret_cast<void**>(&data), count * sizeof *data, stream);
        capacity = count;
    }
};

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    static Buffer buffer;
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    const std::size_t N = ids.size();
    if (N == 0 || out.cols == 0) return Status{};
    buffer.reserve(N, stream);
    find_offsets<<<static_cast<unsigned>((N + 255) / 256), 256, 0, stream>>>(ids, table.rows, table.stride, buffer.data);
    copy_from_offsets<<<static_cast<unsigned>((N + 7) / 8), 256, 0, stream>>>(table.data, buffer.data, out);
    return Status{};
}

} // namespace exercise
