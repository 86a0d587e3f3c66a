// wrong: takes float4 where both matrices begin on multiples of 16 and C % 4 == 0, but does not look at the strides: misaligned accesses where a stride is no multiple of 4; a right one checks each row (or the strides, too)
#include "contract.h"

namespace exercise {
namespace {

__global__ void rows_by_fours(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                              DeviceMatrix<float> out, bool wide) {
    const std::size_t row = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y;
    if (row >= ids.size()) return;
    const TokenId id = ids[row];
    const bool good = id >= 0 && static_cast<std::size_t>(id) < table.rows;
    const float nan = __int_as_float(0x7fc00000);
    const float* from = good ? table.row(static_cast<std::size_t>(id)) : nullptr;
    float* to = out.row(row);
    if (wide) {
        const float4* from4 = reinterpret_cast<const float4*>(from);
        float4* to4 = reinterpret_cast<float4*>(to);
        for (std::size_t q = threadIdx.x; q < out.cols / 4; q += 32)
            to4[q] = good ? from4[q] : make_float4(nan, nan, nan, nan);
    } else {
        for (std::size_t c = threadIdx.x; c < out.cols; c += 32)
            to[c] = good ? from[c] : nan;
    }
}

bool on_sixteen(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; }

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};
    const bool wide = out.cols % 4 == 0 && on_sixteen(table.data) && on_sixteen(out.data);
    rows_by_fours<<<static_cast<unsigned>((out.rows + 7) / 8), dim3(32, 8), 0, stream>>>(table, ids, out, wide);
    return Status{};
}

} // namespace exercise
