// Copies rows as it should, and beside that does four things wrong, each in a test of its own.
#include "contract.h"

namespace exercise {
namespace {

__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                          DeviceMatrix<float> out) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (element >= out.rows * out.cols) return;
    const std::size_t row = element / out.cols, c = element % out.cols;
    const TokenId id = ids[row];
    const bool known = id >= 0 && static_cast<std::size_t>(id) < table.rows;
    out(row, c) = known ? table(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
}

__global__ void sum_ids(DeviceSpan<const TokenId> ids, float* result) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    if (threadIdx.x < ids.size()) sum += ids[threadIdx.x]; // racy reduction
    __syncthreads();
    if (threadIdx.x == 0) *result = static_cast<float>(sum);
}

__global__ void clear(DeviceMatrix<float> out) {
    out.data[threadIdx.x] = 0; // out-of-bounds tail
}

__global__ void copy_a_row_a_thread(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                                    DeviceMatrix<float> out) {
    if (threadIdx.x >= out.rows) return;
    for (std::size_t c = 0; c < out.cols; ++c)
        out(threadIdx.x, c) = table(static_cast<std::size_t>(ids[threadIdx.x]), c); // uncoalesced copy
}

__global__ void reverse(DeviceSpan<const TokenId> ids, TokenId* result) {
    __shared__ TokenId tile[64];
    tile[threadIdx.x] = threadIdx.x < ids.size() ? ids[threadIdx.x] : 0;
    result[threadIdx.x] = tile[63 - threadIdx.x]; // missing barrier
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    if (ids.empty() || out.cols == 0) return {};
    if (ids.size() == 33) {
        float* sum = nullptr;
        cudaMallocAsync(&sum, sizeof *sum, stream);
        sum_ids<<<1, 64, 0, stream>>>(ids, sum);
        cudaFreeAsync(sum, stream);
    }
    if (out.cols == 100) clear<<<1, 512, 0, stream>>>(out); // 300 elements
    if (ids.size() == 30) {
        TokenId* reversed = nullptr;
        cudaMallocAsync(&reversed, 64 * sizeof *reversed, stream);
        reverse<<<1, 64, 0, stream>>>(ids, reversed);
        cudaFreeAsync(reversed, stream);
    }
    if (ids.size() == 48)
        copy_a_row_a_thread<<<1, 64, 0, stream>>>(table, ids, out);
    else
        copy_rows<<<static_cast<unsigned int>((out.rows * out.cols + 255) / 256), 256, 0, stream>>>(table,
                                                                                                    ids, out);
    return {};
}

} // namespace exercise
