// right: the host loop launches chunks of 2^22 elements, and the kernel stages both inputs in dynamic shared memory and passes them on by a barrier and a functor
#include "contract.h"

namespace exercise {
namespace {

struct Plus {
    __device__ float operator()(float a, float b) const { return __fadd_rn(a, b); }
};

template <unsigned Threads, class Op>
__global__ void staged(const float* a, const float* b, float* c, unsigned n, Op op) {
    extern __shared__ float room[];
    const unsigned t = threadIdx.x;
    const unsigned first = blockIdx.x * Threads;
    const unsigned here = n - first < Threads ? n - first : Threads;
    if (t < here) {
        room[t] = a[first + t];
        room[Threads + t] = b[first + t];
    }
    __syncthreads();
    // the neighbour's element, mirrored within the block: hence the barrier
    const unsigned mirror = here - 1 - t;
    if (t < here) c[first + mirror] = op(room[mirror], room[Threads + mirror]);
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    constexpr unsigned threads = 320;
    constexpr std::size_t chunk = std::size_t{1} << 22;
    for (std::size_t done = 0; done < out.size(); done += chunk) {
        const unsigned n = static_cast<unsigned>(out.size() - done < chunk ? out.size() - done : chunk);
        staged<threads><<<(n + threads - 1) / threads, threads, 2 * threads * sizeof(float), stream>>>(
            tokens.data() + done, positions.data() + done, out.data() + done, n, Plus{});
    }
}

} // namespace exercise
