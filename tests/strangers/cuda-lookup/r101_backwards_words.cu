// right: rows from last to first, blocks of 3 warps that each walk over many rows, and the elements copied as unsigned words in descending columns
#include "contract.h"

namespace exercise {

__global__ void backwards(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    const std::size_t walkers = static_cast<std::size_t>(gridDim.x) * blockDim.y;
    std::size_t left = ids.size(); // rows [0, left) are still to be done by somebody
    std::size_t mine = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y;
again:
    if (mine >= left) return;
    {
        const std::size_t n = left - 1 - mine;
        const TokenId id = ids[n];
        unsigned* to = reinterpret_cast<unsigned*>(out.row(n));
        if (id < 0 || static_cast<std::size_t>(id) >= table.rows) {
            for (std::size_t c = threadIdx.x; c < out.cols; c += 32)
                to[out.cols - 1 - c] = 0x7fc00000u;
        } else {
            const unsigned* from = reinterpret_cast<const unsigned*>(table.row(static_cast<std::size_t>(id)));
            for (std::size_t c = threadIdx.x; c < out.cols; c += 32)
                to[out.cols - 1 - c] = from[out.cols - 1 - c];
        }
    }
    if (left <= walkers) return;
    left -= walkers;
    goto again;
}

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (!(out.rows == ids.size() && out.cols == table.cols)) return Status{Code::shape_mismatch};
    if (!out.rows || !out.cols) return Status{};
    std::size_t blocks = (ids.size() + 2) / 3;
    if (blocks > 30'000) blocks = 30'000;
    backwards<<<static_cast<unsigned>(blocks), dim3(32, 3), 0, stream>>>(table, ids, out);
    return Status{};
}

} // namespace exercise
