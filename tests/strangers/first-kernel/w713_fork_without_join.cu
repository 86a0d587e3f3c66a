// wrong: the second half runs on a stream of its own that waits for the caller's, but the caller's stream does not wait for it: where n >= 512, results of the second half may come after the caller has read them; a right one lets each stream wait for the other
#include "contract.h"

namespace exercise {
namespace {

__global__ void add_part(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
                         std::size_t first, std::size_t last) {
    const std::size_t i = first + static_cast<std::size_t>(blockIdx.x) * 256 + threadIdx.x;
    if (i < last) out[i] = tokens[i] + positions[i];
}

unsigned blocks(std::size_t count) { return static_cast<unsigned>((count + 255) / 256); }

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    const std::size_t half = n < 512 ? n : n / 512 * 256;
    if (half < n) {
        cudaStream_t helper{};
        cudaEvent_t ready{};
        cudaStreamCreateWithFlags(&helper, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
        cudaEventRecord(ready, stream);
        cudaStreamWaitEvent(helper, ready, 0);
        add_part<<<blocks(n - half), 256, 0, helper>>>(tokens, positions, out, half, n);
        cudaEventDestroy(ready);
        cudaStreamDestroy(helper);
    }
    add_part<<<blocks(half), 256, 0, stream>>>(tokens, positions, out, 0, half);
}

} // namespace exercise
