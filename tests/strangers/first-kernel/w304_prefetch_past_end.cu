// wrong: the loop loads the next turn's numbers before it writes this turn's, and does so in the last turn too: reads up to one grid (16,384 elements) past the end of `tokens` and `positions`, where there may be no memory
#include "contract.h"

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 64;

__global__ void add_pipelined(const float* __restrict__ tokens, const float* __restrict__ positions,
                              float* __restrict__ out, int n) {
    int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int step = static_cast<int>(gridDim.x * blockDim.x);
    if (i >= n) return;
    float a = tokens[i];
    float b = positions[i];
    while (i < n) {
        const int next = i + step;
        // on their way while this turn is finished
        const volatile float* next_token = tokens + next;
        const volatile float* next_position = positions + next;
        const float next_a = *next_token;
        const float next_b = *next_position;
        out[i] = a + b;
        a = next_a;
        b = next_b;
        i = next;
    }
}

} // namespace

namespace exercise {

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const int n = static_cast<int>(out.size());
    if (n == 0) return;
    int blocks = (n + threads - 1) / threads;
    if (blocks > most_blocks) blocks = most_blocks;
    add_pipelined<<<blocks, threads, 0, stream>>>(tokens.data(), positions.data(), out.data(), n);
}

} // namespace exercise
