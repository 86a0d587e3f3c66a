// wrong: the table offset id * stride is formed in unsigned 32 bits, so rows that begin 2^32 or more elements after row 0 are read from id * stride modulo 2^32; all smaller tables are right
#include "contract.h"

namespace exercise {

__global__ void rows_kernel(const float* table, unsigned table_stride, int vocabulary, const TokenId* ids, float* out,
                            std::size_t out_stride, unsigned channels) {
    const unsigned row = blockIdx.x;
    const TokenId id = ids[row];
    const bool good = id >= 0 && id < vocabulary;
    // unsigned: twice the range of int, so that 38 million elements are no problem at all
    const unsigned begin = good ? static_cast<unsigned>(id) * table_stride : 0u;
    float* to = out + row * out_stride;
    for (unsigned c = threadIdx.x; c < channels; c += blockDim.x)
        to[c] = good ? table[begin + c] : __int_as_float(0x7fc00000);
}

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};
    rows_kernel<<<static_cast<unsigned>(ids.size()), 128, 0, stream>>>(
        table.data, static_cast<unsigned>(table.stride), static_cast<int>(table.rows), ids.data(), out.data,
        out.stride, static_cast<unsigned>(table.cols));
    return Status{};
}

} // namespace exercise
