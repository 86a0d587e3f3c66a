// right: the second half runs on a stream of the call's own, which waits for the caller's by an event and which the caller's stream waits for by another one; both are given back in the call
#include "contract.h"

namespace exercise {
namespace {

__global__ void add_range(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                          DeviceSpan<float> out, std::size_t first, std::size_t last) {
    const std::size_t i = first + static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < last) out[i] = tokens[i] + positions[i];
}

unsigned blocks_for(std::size_t count) { return static_cast<unsigned>((count + 127) / 128); }

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    const std::size_t middle = n / 2 / 128 * 128; // keeps warps on sector borders
    if (middle == 0) {
        add_range<<<blocks_for(n), 128, 0, stream>>>(tokens, positions, out, 0, n);
        return;
    }
    cudaStream_t other{};
    cudaEvent_t ready{}, done{};
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaEventRecord(ready, stream);
    cudaStreamWaitEvent(other, ready, 0);
    add_range<<<blocks_for(middle), 128, 0, stream>>>(tokens, positions, out, 0, middle);
    add_range<<<blocks_for(n - middle), 128, 0, other>>>(tokens, positions, out, middle, n);
    cudaEventRecord(done, other);
    cudaStreamWaitEvent(stream, done, 0);
    cudaEventDestroy(ready);
    cudaEventDestroy(done);
    cudaStreamDestroy(other);
}

} // namespace exercise
