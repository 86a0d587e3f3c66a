// wrong: blocks that take several tiles of ids through shared memory lack the barrier at the end of a turn, so a fast warp overwrites ids that others still read (a race where N > 1,024); a right one has a second __syncthreads before the next tile is loaded.
#include "contract.h"

#include <cstddef>

namespace exercise {
namespace {

constexpr unsigned tile_rows = 32;
constexpr unsigned warps = 8;

__global__ void lookup_tiles(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                             DeviceMatrix<float> out, std::size_t tiles) {
    __shared__ TokenId wanted[tile_rows];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    for (std::size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const std::size_t first = tile * tile_rows;
        if (threadIdx.x < tile_rows && first + threadIdx.x < ids.size())
            wanted[threadIdx.x] = ids[first + threadIdx.x];
        __syncthreads();
        for (unsigned r = warp; r < tile_rows && first + r < ids.size(); r += warps) {
            const TokenId id = wanted[r];
            float* to = out.row(first + r);
            if (id >= 0 && static_cast<std::size_t>(id) < table.rows) {
                const float* from = table.row(static_cast<std::size_t>(id));
                for (std::size_t c = lane; c < out.cols; c += 32)
                    to[c] = from[c];
            } else {
                for (std::size_t c = lane; c < out.cols; c += 32)
                    to[c] = __int_as_float(0x7fc00000);
            }
        }
    }
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};
    const std::size_t tiles = (ids.size() + tile_rows - 1) / tile_rows;
    const unsigned blocks = tiles < 32 ? static_cast<unsigned>(tiles) : 32U;
    lookup_tiles<<<blocks, warps * 32, 0, stream>>>(table, ids, out, tiles);
    return Status{};
}

} // namespace exercise
