// wrong: the offset of a row of `out` is computed in int (row * stride of out, both int; the table's is computed in 64 bits); where i * out.stride >= 2^31 for a row i (two rows with out.stride = 2^31, or 32,769 rows that are 65,536 elements apart) it writes to the wrong place, out of bounds; a right one computes this offset in 64 bits, too
#include "contract.h"

namespace exercise {

namespace {

// A warp for each row: threadIdx.x is the lane, threadIdx.y the warp.
__global__ void gather_rows(const float* __restrict__ table, std::size_t table_rows, std::size_t table_stride,
                            const TokenId* __restrict__ ids, int count, float* __restrict__ out,
                            int out_stride, std::size_t cols) {
    const int row = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
    if (row >= count) return;
    const TokenId id = ids[row];
    float* to = out + row * out_stride;
    if (id < 0 || static_cast<std::size_t>(id) >= table_rows) {
        for (std::size_t c = threadIdx.x; c < cols; c += 32)
            to[c] = __int_as_float(0x7fc00000);
        return;
    }
    const float* from = table + static_cast<std::size_t>(id) * table_stride;
    for (std::size_t c = threadIdx.x; c < cols; c += 32)
        to[c] = from[c];
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};
    const dim3 block(32, 8);
    const unsigned grid = static_cast<unsigned>((out.rows + block.y - 1) / block.y);
    gather_rows<<<grid, block, 0, stream>>>(table.data, table.rows, table.stride, ids.data(),
                                            static_cast<int>(out.rows), out.data,
                                            static_cast<int>(out.stride), out.cols);
    return Status{};
}

} // namespace exercise
