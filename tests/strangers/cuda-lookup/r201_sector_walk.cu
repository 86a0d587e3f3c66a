// right: a warp begins each row of `out` at the last multiple of 32 bytes before it, so its lanes always store whole sectors; the words are copied as integers, ids are read by one lane and handed on, and the rows are taken from the last to the first
#include "contract.h"

#include <cstdint>

namespace {

using namespace contract;

constexpr unsigned threads = 128;
constexpr unsigned warps = threads / 32;

__global__ void sector_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                            DeviceMatrix<float> out) {
    const unsigned lane = threadIdx.x % 32;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps;
    std::size_t left = static_cast<std::size_t>(blockIdx.x) * warps + threadIdx.x / 32;
    for (; left < ids.size(); left += step) {
        const std::size_t i = ids.size() - 1 - left;
        TokenId id = 0;
        if (lane == 0) id = ids[i];
        id = __shfl_sync(0xffffffffu, id, 0);
        float* to = out.row(i);
        const std::size_t ahead = reinterpret_cast<std::uintptr_t>(to) / 4 % 8;
        const bool good = id >= 0 && static_cast<std::size_t>(id) < table.rows;
        const float* from = good ? table.row(static_cast<std::size_t>(id)) : nullptr;
        for (std::size_t k = lane; k < out.cols + ahead; k += 32) {
            if (k < ahead) continue; // this lane's first word would lie before the row
            const std::size_t c = k - ahead;
            const int bits = good ? __float_as_int(from[c]) : 0x7fc00000;
            to[c] = __int_as_float(bits);
        }
    }
}

} // namespace

namespace exercise {

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};
    const std::size_t blocks = (out.rows - 1) / warps + 1;
    sector_rows<<<static_cast<unsigned>(blocks < 20000 ? blocks : 20000), threads, 0, stream>>>(table, ids, out);
    return Status{};
}

} // namespace exercise
