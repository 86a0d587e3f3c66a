// What the language gives.
#include "features/feature.h"

#include <limits>

namespace {

__host__ __device__ inline float4 operator+(const float4& a, const float4& b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ float4& operator+=(float4& a, float4 b) {
    a = a + b;
    return a;
}
__global__ void add_vectors(float4* out, const float4* in) {
    float4 sum = in[threadIdx.x] + in[threadIdx.x];
    sum += make_float4(1.0f, 2.0f, 3.0f, 4.0f);
    out[threadIdx.x] = sum;
}
bool operators() {
    Buffer<float4> in({{1, 2, 3, 4}, {5, 6, 7, 8}}), out(2);
    add_vectors<<<1, 2>>>(out.data(), in.data());
    const auto v = out.values();
    return v.size() == 2 && v[0].x == 3 && v[1].w == 20;
}

__global__ void scale(float* x, int n, float factor) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= factor;
}
void scale(float* x, int n) {
    scale<<<(n + 31) / 32, 32>>>(x, n, 2.0f);
}
bool kernel_and_host_function() {
    Buffer<float> x({1, 2, 3});
    scale(x.data(), 3);
    return x.values() == std::vector<float>{2, 4, 6};
}

__shared__ int tile[64];
__device__ int from_tile(int i) {
    return tile[i];
}
__global__ void reverse(int* x) {
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = from_tile(blockDim.x - 1 - threadIdx.x);
}
bool shared_at_file_scope() {
    Buffer<int> x({1, 2, 3, 4});
    reverse<<<1, 4>>>(x.data());
    return x.values() == std::vector<int>{4, 3, 2, 1};
}

#define RUN(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
bool launch_in_macro() {
    Buffer<float> x({1, 2, 3});
    RUN(scale, 1, 32, x.data(), 3, 3.0f);
    return cudaGetLastError() == cudaSuccess && x.values() == std::vector<float>{3, 6, 9};
}

struct Range {
    float* first;
    int count;
};
template <int N>
__global__ void add_to(Range range, int2 step) {
    if (static_cast<int>(threadIdx.x) < range.count) range.first[threadIdx.x] += step.x * step.y * N;
}
bool braces_in_launch() {
    Buffer<float> x({1, 2, 3});
    add_to<2><<<1, 32>>>({x.data(), 2}, {3, 5});
    return cudaGetLastError() == cudaSuccess && x.values() == std::vector<float>{31, 32, 3};
}

struct Counted { // where it is copied and destroyed, it tells
    float* first;
    static int copies, destroyed;
    explicit Counted(float* first_) : first(first_) {}
    Counted(const Counted& other) : first(other.first) { ++copies; }
    ~Counted() { ++destroyed; }
};
int Counted::copies = 0, Counted::destroyed = 0;
__global__ void add_where_given(Counted to, const float* what, int count) {
    if (static_cast<int>(threadIdx.x) < count) to.first[threadIdx.x] += what == nullptr ? 1 : *what;
}
__global__ void count_up(int& counter) {
    atomicAdd(&counter, 1);
}
bool arguments_by_parameter() {
    Buffer<float> x({1, 2, 3});
    Counted::copies = Counted::destroyed = 0;
    {
        const Counted to(x.data());
        add_where_given<<<1, 32>>>(to, NULL, 3);
        add_where_given<<<1, 32>>>(to, 0, 3);
        add_where_given<<<1, 32>>>(Counted(x.data()), {}, 2);
        cudaDeviceSynchronize();
    }
    int* counter = nullptr;
    cudaMallocManaged(&counter, sizeof *counter);
    *counter = 1;
    count_up<<<1, 32>>>(*counter);
    cudaDeviceSynchronize();
    const int counted = *counter;
    cudaFree(counter);
    return x.values() == std::vector<float>{4, 5, 5} && Counted::copies == 2 && Counted::destroyed == 4 &&
           counted == 33;
}

#define ON_BOTH_SIDES __host__ __device__
ON_BOTH_SIDES int twice(int v) {
    return 2 * v;
}
__global__ void call_twice(int* x) {
    *x = twice(*x);
}
bool qualifiers_in_macro() {
    Buffer<int> x(std::vector<int>{21});
    call_twice<<<1, 1>>>(x.data());
    return x.values() == std::vector<int>{twice(21)};
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "too old"
#endif
__global__ void architecture_of_device(int* x) {
#if __CUDA_ARCH__ >= 800
    *x = __CUDA_ARCH__;
#else
    *x = -1;
#endif
}
int architecture_of_host() {
#ifdef __CUDA_ARCH__
    return __CUDA_ARCH__;
#else
    return 0;
#endif
}
bool architecture() {
    Buffer<int> x(1);
    architecture_of_device<<<1, 1>>>(x.data());
    return architecture_of_host() == 0 && x.values() == std::vector<int>{900};
}

constexpr float slope = 0.5f;
const int offset = 3;
__constant__ int table[4] = {1, 2, 3, 5};
__device__ int total;
__global__ void read_constants(float* x) {
    x[threadIdx.x] = slope * table[threadIdx.x] + offset;
    atomicAdd(&total, table[threadIdx.x]);
}
bool constants() {
    Buffer<float> x(4);
    const int none = 0;
    cudaMemcpyToSymbol(total, &none, sizeof none);
    read_constants<<<1, 4>>>(x.data());
    int sum = 0;
    cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    return x.values() == std::vector<float>{3.5f, 4, 4.5f, 5.5f} && sum == 11;
}

template <class T, int width>
struct Window {
    T values[width];
    __device__ T sum() const {
        T all{};
#pragma unroll
        for (int i = 0; i < width; ++i)
            all += values[i];
        return all;
    }
};
template <class T, int width>
__global__ void __launch_bounds__(128) sum_window(T* out, Window<T, width> window) {
    if constexpr (sizeof(T) == 4)
        if (threadIdx.x == 0) *out = window.sum();
}
bool templates() {
    Buffer<int> x(1);
    sum_window<int, 3><<<1, 128>>>(x.data(), Window<int, 3>{{1, 2, 3}});
    return x.values() == std::vector<int>{6};
}

__global__ void with_lambda(int* x) {
    const auto square = [](int v) { return v * v; };
    __builtin_assume(*x > 0);
    *x = square(*x);
}
bool lambda() {
    Buffer<int> x(std::vector<int>{7});
    with_lambda<<<1, 1>>>(x.data());
    return x.values() == std::vector<int>{49};
}

extern __shared__ float dynamic[];
__global__ void rotate(float* x) {
    dynamic[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = dynamic[(threadIdx.x + 1) % blockDim.x];
}
bool dynamic_shared() {
    Buffer<float> x({1, 2, 3});
    rotate<<<1, 3, 3 * sizeof(float)>>>(x.data());
    return x.values() == std::vector<float>{2, 3, 1};
}

__device__ int factorial(int n) {
    return n < 2 ? 1 : n * factorial(n - 1);
}
__global__ void recurse(int* x) {
    *x = factorial(*x);
}
bool recursion() {
    Buffer<int> x(std::vector<int>{6});
    recurse<<<1, 1>>>(x.data());
    return x.values() == std::vector<int>{720};
}

} // namespace

FEATURES({"operators", operators}, {"kernel-and-host-function", kernel_and_host_function},
         {"shared-at-file-scope", shared_at_file_scope}, {"launch-in-macro", launch_in_macro},
         {"braces-in-launch", braces_in_launch}, {"arguments-by-parameter", arguments_by_parameter},
         {"qualifiers-in-macro", qualifiers_in_macro}, {"architecture", architecture},
         {"constants", constants}, {"templates", templates}, {"lambda", lambda},
         {"dynamic-shared", dynamic_shared}, {"recursion", recursion})
