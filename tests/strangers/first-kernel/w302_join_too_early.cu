// wrong: from 4096 elements on, the second half goes to a side stream; the event that `stream` waits for is recorded there before the kernel is launched, so `stream` may be done before the second half is written
#include "contract.h"

#include <cstddef>

namespace {

__global__ void add_range(const float* tokens, const float* positions, float* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) out[i] = tokens[i] + positions[i];
}

void launch(const float* tokens, const float* positions, float* out, int n, cudaStream_t stream) {
    const int threads = 256;
    add_range<<<(n + threads - 1) / threads, threads, 0, stream>>>(tokens, positions, out, n);
}

} // namespace

namespace exercise {

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const int n = static_cast<int>(out.size());
    if (n == 0) return;
    if (n < 4096) {
        launch(tokens.data(), positions.data(), out.data(), n, stream);
        return;
    }
    const int half = n / 2 / 32 * 32;
    cudaStream_t side;
    cudaEvent_t ready, done;
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);

    cudaEventRecord(ready, stream);
    cudaStreamWaitEvent(side, ready, 0);
    cudaEventRecord(done, side);
    launch(tokens.data() + half, positions.data() + half, out.data() + half, n - half, side);
    launch(tokens.data(), positions.data(), out.data(), half, stream);
    cudaStreamWaitEvent(stream, done, 0);

    cudaEventDestroy(ready);
    cudaEventDestroy(done);
    cudaStreamDestroy(side);
}

} // namespace exercise
