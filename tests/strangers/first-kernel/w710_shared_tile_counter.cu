// wrong: the blocks draw their tiles from a __device__ counter that the last block sets back to 0, so two calls at work at the same time on different streams take tiles from each other and leave elements unwritten (and any call writes a __device__ variable); a right one derives the tile from blockIdx
#include "contract.h"

namespace exercise {
namespace {

__device__ unsigned next_tile = 0;
__device__ unsigned finished_blocks = 0;

__global__ void add_tiles(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                          DeviceSpan<float> out, unsigned tiles) {
    __shared__ unsigned tile;
    for (;;) {
        if (threadIdx.x == 0) tile = atomicAdd(&next_tile, 1u);
        __syncthreads();
        const unsigned mine = tile;
        __syncthreads();
        if (mine >= tiles) break;
        const std::size_t i = static_cast<std::size_t>(mine) * blockDim.x + threadIdx.x;
        if (i < out.size()) out[i] = tokens[i] + positions[i];
    }
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(&finished_blocks, 1u) == gridDim.x - 1) {
            next_tile = 0;
            finished_blocks = 0;
        }
    }
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const unsigned tiles = static_cast<unsigned>((out.size() + 255) / 256);
    if (tiles == 0) return;
    add_tiles<<<tiles < 64 ? tiles : 64, 256, 0, stream>>>(tokens, positions, out, tiles);
}

} // namespace exercise
