// Two kernels for the row `trace`: nothing but accesses, and accesses between barriers. Compiled once as the
// engine compiles a submission to be judged, and once as it compiles the traced build; each prints its times
// as JSON.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int threads = 256;
constexpr int elements = 1 << 18;

__global__ void copy(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

__global__ void sum(const float* in, float* out, int n) {
    __shared__ float part[threads];
    const int t = threadIdx.x, i = blockIdx.x * threads + t;
    part[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "bench: %s\n", cudaGetErrorString(error));
    std::exit(1);
}

/// Of a launch on memory that no kernel has seen before, as a suite's calls have it.
template <class Kernel>
double milliseconds(Kernel kernel) {
    const std::vector<float> values(elements, 1.0f);
    float *in = nullptr, *out = nullptr;
    check(cudaMalloc(&in, elements * sizeof(float)));
    check(cudaMalloc(&out, elements * sizeof(float)));
    check(cudaMemcpy(in, values.data(), elements * sizeof(float), cudaMemcpyHostToDevice));
    const auto begin = std::chrono::steady_clock::now();
    kernel<<<elements / threads, threads>>>(in, out, elements);
    check(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    check(cudaFree(in));
    check(cudaFree(out));
    return taken.count();
}

} // namespace

int main() {
    std::printf("{\"copy\": %.4f, \"sum\": %.4f}\n", milliseconds(copy), milliseconds(sum));
    return 0;
}
