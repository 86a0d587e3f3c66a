// wrong: for n > 65,536 the second half is added on a stream of the function's own that waits for nothing and that `stream` does not wait for, so that half may be computed before its input is there and after its output is read
#include "contract.h"

namespace exercise {

__global__ void half(const float* a, const float* b, float* c, std::size_t n) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    const auto go = [&](std::size_t from, std::size_t to, cudaStream_t where) {
        const std::size_t count = to - from;
        half<<<static_cast<unsigned>((count + 255) / 256), 256, 0, where>>>(tokens.data() + from,
                                                                            positions.data() + from,
                                                                            out.data() + from, count);
    };
    if (n <= 65'536) return go(0, n, stream);
    // two streams: both halves at once
    cudaStream_t other;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    const std::size_t middle = n / 64 * 32; // whole warps
    go(0, middle, stream);
    go(middle, n, other);
    cudaStreamDestroy(other); // returns at once; the stream goes when its work is done
}

} // namespace exercise
