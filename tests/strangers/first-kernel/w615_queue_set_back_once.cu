// wrong: blocks take chunks from a counter in device memory that the last block sets back, but the count of finished blocks is never set back, so the counter stays used up after a second call of the same grid and the third writes nothing (or only what lies behind); a right one depends on nothing called before
#include "contract.h"

namespace exercise {

namespace {

constexpr unsigned chunk = 1024, workers = 64;

__device__ unsigned next_chunk = 0;
__device__ unsigned finished = 0;

__global__ void work(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
                     unsigned chunks) {
    __shared__ unsigned taken;
    while (true) {
        if (threadIdx.x == 0) taken = atomicAdd(&next_chunk, 1U);
        __syncthreads();
        const unsigned mine = taken;
        __syncthreads();
        if (mine >= chunks) break;
        const std::size_t begin = static_cast<std::size_t>(mine) * chunk;
        for (std::size_t i = begin + threadIdx.x; i < begin + chunk && i < out.size(); i += blockDim.x)
            out[i] = tokens[i] + positions[i];
    }
    if (threadIdx.x == 0 && atomicAdd(&finished, 1U) == gridDim.x - 1) atomicExch(&next_chunk, 0U);
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (out.empty()) return;
    const unsigned chunks = static_cast<unsigned>((out.size() + chunk - 1) / chunk);
    work<<<chunks < workers ? chunks : workers, 256, 0, stream>>>(tokens, positions, out, chunks);
}

} // namespace exercise
