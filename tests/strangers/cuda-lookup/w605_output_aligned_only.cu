// wrong: takes the float4 path where C, both strides and the address of OUT allow it, without a look at the address of the table: a table that begins 4, 8 or 12 bytes beyond a multiple of 16 is read misaligned; a right one uses float4 only where both addresses are multiples of 16
#include "contract.h"

#include <cstddef>
#include <cstdint>

namespace exercise {
namespace {

__global__ void copy_float(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                           DeviceMatrix<float> out) {
    const std::size_t k = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (k >= out.rows * out.cols) return;
    const std::size_t row = k / out.cols;
    const std::size_t c = k % out.cols;
    const TokenId id = ids[row];
    const bool known = id >= 0 && static_cast<std::size_t>(id) < table.rows;
    out(row, c) = known ? table(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
}

__global__ void copy_float4(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                            DeviceMatrix<float> out) {
    const std::size_t quads = out.cols / 4;
    const std::size_t k = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (k >= out.rows * quads) return;
    const std::size_t row = k / quads;
    const std::size_t c = k % quads * 4;
    const TokenId id = ids[row];
    const float nan = __int_as_float(0x7fc00000);
    float4 four = make_float4(nan, nan, nan, nan);
    if (id >= 0 && static_cast<std::size_t>(id) < table.rows)
        four = *reinterpret_cast<const float4*>(table.row(static_cast<std::size_t>(id)) + c);
    *reinterpret_cast<float4*>(out.row(row) + c) = four;
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};

    const bool quads = out.cols % 4 == 0 && table.stride % 4 == 0 && out.stride % 4 == 0 &&
                       reinterpret_cast<std::uintptr_t>(out.data) % 16 == 0;
    const std::size_t work = out.rows * (quads ? out.cols / 4 : out.cols);
    const auto blocks = static_cast<unsigned>((work + 255) / 256);
    if (quads)
        copy_float4<<<blocks, 256, 0, stream>>>(table, ids, out);
    else
        copy_float<<<blocks, 256, 0, stream>>>(table, ids, out);
    return Status{};
}

} // namespace exercise
