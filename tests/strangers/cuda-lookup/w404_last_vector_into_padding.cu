// wrong: where both pointers are multiples of 16 bytes and both strides multiples of 4, it copies ceil(C / 4) float4 a row; with C % 4 != 0 the last one writes up to 3 elements of `out`'s padding (and, in the last row, touches memory behind the matrix, which need not be there); a right one copies the last C % 4 elements one by one and leaves padding as it was
#include "contract.h"

#include <cstdint>

namespace exercise {

namespace {

__device__ float quiet_nan() { return __int_as_float(0x7fc00000); }

__global__ void lookup_vectors(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                               DeviceMatrix<float> out, std::size_t quads) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y;
    if (i >= ids.size()) return;
    const TokenId id = ids[i];
    float4* to = reinterpret_cast<float4*>(out.row(i));
    if (id < 0 || static_cast<std::size_t>(id) >= table.rows) {
        const float nan = quiet_nan();
        for (std::size_t q = threadIdx.x; q < quads; q += blockDim.x)
            to[q] = make_float4(nan, nan, nan, nan);
        return;
    }
    const float4* from = reinterpret_cast<const float4*>(table.row(static_cast<std::size_t>(id)));
    for (std::size_t q = threadIdx.x; q < quads; q += blockDim.x)
        to[q] = from[q];
}

__global__ void lookup_scalars(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                               DeviceMatrix<float> out) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y;
    if (i >= ids.size()) return;
    const TokenId id = ids[i];
    const bool good = id >= 0 && static_cast<std::size_t>(id) < table.rows;
    for (std::size_t c = threadIdx.x; c < out.cols; c += blockDim.x)
        out(i, c) = good ? table(static_cast<std::size_t>(id), c) : quiet_nan();
}

template <class T>
bool rows_of_vectors(const DeviceMatrix<T>& m) {
    return reinterpret_cast<std::uintptr_t>(m.data) % 16 == 0 && m.stride % 4 == 0;
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};
    const dim3 block(32, 4);
    const unsigned grid = static_cast<unsigned>((out.rows + block.y - 1) / block.y);
    if (rows_of_vectors(table) && rows_of_vectors(out))
        lookup_vectors<<<grid, block, 0, stream>>>(table, ids, out, (out.cols + 3) / 4);
    else
        lookup_scalars<<<grid, block, 0, stream>>>(table, ids, out);
    return Status{};
}

} // namespace exercise
