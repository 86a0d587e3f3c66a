// Fault: The scalar head before the first aligned float4 is not limited to C, so rows of fewer than 3 columns write
//  padding.
// Origin: round 16
#include "contract.h"

#include <cstddef>

namespace exercise {

namespace {

constexpr unsigned threads = 256;

__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                          DeviceMatrix<float> out) {
    const std::size_t at = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= out.rows * out.cols) return;
    const std::size_t row = at / out.cols;
    const std::size_t col = at % out.cols;
    const TokenId id = ids[row];
    float value = __int_as_float(0x7fc00000);
    if (id >= 0 && static_cast<std::size_t>(id) < table.rows)
        value = table.data[static_cast<std::size_t>(id) * table.stride + col];
    out.data[row * out.stride + col] = value;
}

/// One thread for the head, each four channels, and the tail of a row. Rows of table and output lie at the
/// same distance from a multiple of 16 bytes.
__global__ void copy_quads(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                           DeviceMatrix<float> out, unsigned head, std::size_t pieces) {
    const std::size_t at = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= out.rows * pieces) return;
    const std::size_t row = at / pieces;
    const std::size_t piece = at % pieces;
    const TokenId id = ids[row];
    const bool good = id >= 0 && static_cast<std::size_t>(id) < table.rows;
    const float nan = __int_as_float(0x7fc00000);
    const float* from = good ? table.data + static_cast<std::size_t>(id) * table.stride : nullptr;
    float* to = out.data + row * out.stride;
    if (piece == 0) {
        for (unsigned c = 0; c < head; ++c)
            to[c] = good ? from[c] : nan;
        return;
    }
    const std::size_t col = head + (piece - 1) * 4;
    if (col + 4 <= out.cols) {
        float4 four = make_float4(nan, nan, nan, nan);
        if (good) four = *reinterpret_cast<const float4*>(from + col);
        *reinterpret_cast<float4*>(to + col) = four;
    } else {
        for (std::size_t c = col; c < out.cols; ++c)
            to[c] = good ? from[c] : nan;
    }
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return {};
    const std::size_t source = reinterpret_cast<std::size_t>(table.data);
    const std::size_t target = reinterpret_cast<std::size_t>(out.data);
    if (source % 16 == target % 16 && table.stride % 4 == 0 && out.stride % 4 == 0) {
        const unsigned head = static_cast<unsigned>((16 - target % 16) % 16 / 4);
        const std::size_t pieces = 2 + out.cols / 4;
        const std::size_t needed = (out.rows * pieces + threads - 1) / threads;
        copy_quads<<<static_cast<unsigned>(needed), threads, 0, stream>>>(table, ids, out, head, pieces);
        return {};
    }
    const std::size_t elements = out.rows * out.cols;
    const std::size_t blocks = (elements + threads - 1) / threads;
    copy_rows<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(table, ids, out);
    return {};
}

} // namespace exercise
