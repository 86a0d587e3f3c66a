// right: a first kernel turns each id into a row pointer (null for a bad one) in scratch memory of the call, a second one copies by warps from these pointers and never sees an id
#include "contract.h"

namespace exercise {
namespace {

using Row = const float*;

__global__ void resolve(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, Row* rows) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < ids.size(); i += step) {
        // as an unsigned number a negative id is larger than any int, so ask for the sign first
        const TokenId id = ids[i];
        const bool good = id >= 0 && static_cast<std::size_t>(id) < table.rows;
        rows[i] = good ? table.row(static_cast<std::size_t>(id)) : nullptr;
    }
}

__global__ void fill(const Row* rows, DeviceMatrix<float> out) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * (blockDim.x / 32);
    for (std::size_t r = (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32; r < out.rows;
         r += step) {
        const Row row = rows[r];
        for (std::size_t c = threadIdx.x % 32; c < out.cols; c += 32)
            out(r, c) = row != nullptr ? row[c] : __int_as_float(0x7fc00000);
    }
}

unsigned grid_for(std::size_t threads) {
    const std::size_t blocks = (threads - 1) / 256 + 1;
    return static_cast<unsigned>(blocks < 1u << 20 ? blocks : 1u << 20);
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    const std::size_t n = ids.size();
    const bool fits = out.rows == n && out.cols == table.cols;
    if (!fits) return Status{Code::shape_mismatch};
    if (n != 0 && out.cols != 0) {
        void* scratch = nullptr;
        cudaMallocAsync(&scratch, n * sizeof(Row), stream);
        Row* rows = static_cast<Row*>(scratch);
        resolve<<<grid_for(n), 256, 0, stream>>>(table, ids, rows);
        fill<<<grid_for(32 * (n < 1u << 25 ? n : 1u << 25)), 256, 0, stream>>>(rows, out);
        cudaFreeAsync(scratch, stream);
    }
    return Status{};
}

} // namespace exercise
