// right: float4 wherever the source and the target row are congruent modulo 16, decided for each row, with head and tail element by element; a row of NaN is stored by fours whatever the table's alignment is
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned rows_per_block = 4;

__device__ unsigned slot(const float* p) {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(p) / 4 % 4);
}

struct FromTable {
    const float* row;
    __device__ bool wide_at(unsigned s) const { return slot(row) == s; }
    __device__ float one(std::size_t c) const { return row[c]; }
    __device__ float4 four(std::size_t c) const { return *reinterpret_cast<const float4*>(row + c); }
};

struct AllNan {
    __device__ bool wide_at(unsigned) const { return true; }
    __device__ float one(std::size_t) const { return __int_as_float(0x7fc00000); }
    __device__ float4 four(std::size_t c) const {
        const float x = one(c);
        return make_float4(x, x, x, x);
    }
};

template <class Source>
__device__ void write_row(Source source, float* to, std::size_t count) {
    const std::size_t lane = threadIdx.x;
    const unsigned s = slot(to);
    if (!source.wide_at(s)) {
        for (std::size_t c = lane; c < count; c += 32)
            to[c] = source.one(c);
        return;
    }
    std::size_t head = (4 - s) % 4;
    if (head > count) head = count;
    const std::size_t body = (count - head) / 4 * 4;
    if (lane < head) to[lane] = source.one(lane);
    for (std::size_t c = head + 4 * lane; c < head + body; c += 128)
        *reinterpret_cast<float4*>(to + c) = source.four(c);
    const std::size_t c = head + body + lane;
    if (c < count) to[c] = source.one(c);
}

__global__ void lookup_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    for (std::size_t r = static_cast<std::size_t>(blockIdx.x) * rows_per_block + threadIdx.y; r < out.rows;
         r += static_cast<std::size_t>(gridDim.x) * rows_per_block) {
        const long long id = ids[r];
        if (id >= 0 && static_cast<unsigned long long>(id) < table.rows)
            write_row(FromTable{table.row(static_cast<std::size_t>(id))}, out.row(r), out.cols);
        else
            write_row(AllNan{}, out.row(r), out.cols);
    }
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.cols != table.cols) return {Code::shape_mismatch};
    if (out.rows != ids.size()) return {Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return {};
    std::size_t blocks = (out.rows + rows_per_block - 1) / rows_per_block;
    if (blocks > 1000000) blocks = 1000000;
    lookup_rows<<<static_cast<unsigned>(blocks), dim3(32, rows_per_block), 0, stream>>>(table, ids, out);
    return {};
}

} // namespace exercise
