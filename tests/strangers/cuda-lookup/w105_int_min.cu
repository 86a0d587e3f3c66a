// wrong: the id -2^31 passes the check for negative ids, because its negation is itself, and the kernel reads 2^31 rows before the table; every other bad id gives NaN
#include "contract.h"

namespace exercise {

/* An id is negative exactly if its opposite is positive. */
__device__ static int is_bad(TokenId id, long long v) {
    int opposite = (int)(0u - (unsigned)id);
    return opposite > 0 || (long long)id >= v;
}

__global__ void gather(const float* table, size_t ts, long long v, const TokenId* ids, size_t n, float* out, size_t os,
                       size_t channels) {
    size_t row = (size_t)blockIdx.x * blockDim.y + threadIdx.y;
    size_t c;
    TokenId id;
    int bad;
    const float* from;
    if (row >= n) return;
    id = ids[row];
    bad = is_bad(id, v);
    from = table + (long long)id * (long long)ts;
    for (c = threadIdx.x; c < channels; c += blockDim.x) {
        if (bad)
            out[row * os + c] = __int_as_float(0x7fc00000);
        else
            out[row * os + c] = from[c];
    }
}

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    size_t n = ids.size();
    if (out.rows != n) return Status{Code::shape_mismatch};
    if (out.cols != table.cols) return Status{Code::shape_mismatch};
    if (n != 0 && table.cols != 0) {
        dim3 block(32, 4);
        gather<<<(unsigned)((n + 3) / 4), block, 0, stream>>>(table.data, table.stride, (long long)table.rows,
                                                              ids.data(), n, out.data, out.stride, table.cols);
    }
    return Status{};
}

} // namespace exercise
