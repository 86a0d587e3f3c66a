// wrong: float4 is used where C is a multiple of 4 and both first rows lie on 16 bytes, without a look at the strides, so a stride that is no multiple of 4 makes later rows misaligned accesses; a right one asks for both strides, too.
#include "contract.h"

#include <cstddef>
#include <cstdint>

namespace exercise {
namespace {

constexpr unsigned rows_per_block = 8;

__device__ __forceinline__ bool in_table(TokenId id, std::size_t rows) {
    return id >= 0 && static_cast<std::size_t>(id) < rows;
}

template <class Element>
__device__ __forceinline__ Element filled();
template <>
__device__ __forceinline__ float filled<float>() {
    return __int_as_float(0x7fc00000);
}
template <>
__device__ __forceinline__ float4 filled<float4>() {
    const float nan = __int_as_float(0x7fc00000);
    return make_float4(nan, nan, nan, nan);
}

/// A warp copies a row, as elements of one or four floats.
template <class Element>
__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                          DeviceMatrix<float> out) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * rows_per_block + threadIdx.y;
    if (i >= ids.size()) return;
    const std::size_t count = out.cols * sizeof(float) / sizeof(Element);
    Element* to = reinterpret_cast<Element*>(out.row(i));
    const TokenId id = ids[i];
    if (!in_table(id, table.rows)) {
        for (std::size_t c = threadIdx.x; c < count; c += 32)
            to[c] = filled<Element>();
        return;
    }
    const Element* from = reinterpret_cast<const Element*>(table.row(static_cast<std::size_t>(id)));
    for (std::size_t c = threadIdx.x; c < count; c += 32)
        to[c] = from[c];
}

bool on_16(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return {};
    const dim3 block(32, rows_per_block);
    const unsigned grid = static_cast<unsigned>((out.rows + rows_per_block - 1) / rows_per_block);
    if (out.cols % 4 == 0 && on_16(table.data) && on_16(out.data))
        copy_rows<float4><<<grid, block, 0, stream>>>(table, ids, out);
    else
        copy_rows<float><<<grid, block, 0, stream>>>(table, ids, out);
    return {};
}

} // namespace exercise
