// What threads do with each other.
#include "features/feature.h"

#include <cuda/atomic>

namespace {

__global__ void who_is_here(unsigned int* x) {
    if (threadIdx.x % 2 == 1) x[threadIdx.x] = __activemask();
}
bool active_mask() {
    Buffer<unsigned int> x(32);
    who_is_here<<<1, 32>>>(x.data());
    const auto v = x.values();
    return v.size() == 32 && v[0] == 0 && v[1] == 0xaaaaaaaau;
}

__global__ void scoped_atomics(int* x, float* f, unsigned long long* u) {
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    atomicAdd_block(&s, 1);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd_system(&x[0], s);
    if (threadIdx.x == 0) atomicExch_block(&x[1], 5);
    if (threadIdx.x == 0) atomicCAS_system(&x[2], 0, 7);
    atomicMax_block(&x[3], static_cast<int>(threadIdx.x));
    atomicAdd(f, 0.5f);
    atomicMax(u, 1ull << threadIdx.x);
}
bool atomics_by_scope() {
    Buffer<int> x(4);
    Buffer<float> f(1);
    Buffer<unsigned long long> u(1);
    scoped_atomics<<<1, 32>>>(x.data(), f.data(), u.data());
    return x.values() == std::vector<int>{32, 5, 7, 31} && f.values()[0] == 16 && u.values()[0] == 1ull << 31;
}

__global__ void vector_atomics(float2* x, float4* y) {
    atomicAdd(x, make_float2(1.0f, 2.0f));
    atomicAdd(y, make_float4(1.0f, 2.0f, 3.0f, 4.0f));
}
bool atomics_of_vectors() {
    Buffer<float2> x(1);
    Buffer<float4> y(1);
    vector_atomics<<<2, 32>>>(x.data(), y.data());
    return x.values()[0].y == 128 && y.values()[0].w == 256;
}

__device__ float atomic_max(float* address, float value) {
    int* bits = reinterpret_cast<int*>(address);
    int old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}
__global__ void maximum(float* x) {
    atomic_max(x, static_cast<float>((threadIdx.x * 7 + blockIdx.x) % 61));
}
bool compare_and_swap_loop() {
    Buffer<float> x(1);
    maximum<<<4, 64>>>(x.data());
    return x.values() == std::vector<float>{60};
}

__global__ void counted_by_reference(int* x) {
    cuda::atomic_ref<int, cuda::thread_scope_device> counter(x[0]);
    counter.fetch_add(1, cuda::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_block> highest(x[1]);
    highest.fetch_max(static_cast<int>(threadIdx.x));
}
bool atomic_reference() {
    Buffer<int> x(2);
    counted_by_reference<<<1, 64>>>(x.data());
    return x.values() == std::vector<int>{64, 63};
}

__device__ int lock_of_grid = 0;
__global__ void locked_count(int* x) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&lock_of_grid, 0, 1) != 0) {
    }
    __threadfence();
    *x = *x + 1;
    __threadfence();
    atomicExch(&lock_of_grid, 0);
}
bool lock_between_blocks() {
    Buffer<int> x(1);
    locked_count<<<40, 32>>>(x.data());
    return x.values() == std::vector<int>{40};
}

__device__ unsigned int arrivals = 0;
__global__ void wait_for_all(int* parts, int* out) {
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = 1;
        __threadfence();
        atomicAdd(&arrivals, 1u);
        while (atomicAdd(&arrivals, 0u) < gridDim.x) {
        }
        __threadfence();
        int sum = 0;
        for (int i = 0; i < gridDim.x; ++i)
            sum += parts[i];
        out[blockIdx.x] = sum;
    }
}
bool barrier_of_atomics() {
    Buffer<int> parts(6), out(6);
    const unsigned int none = 0;
    cudaMemcpyToSymbol(arrivals, &none, sizeof none);
    wait_for_all<<<6, 32>>>(parts.data(), out.data());
    return out.values() == std::vector<int>(6, 6);
}

__global__ void clocks(long long* x) {
    const long long begin = clock64();
    while (clock64() - begin < 100000) {
    }
    *x = clock64() > begin;
}
bool clock() {
    Buffer<long long> x(1);
    clocks<<<1, 1>>>(x.data());
    return x.values() == std::vector<long long>{1};
}

__global__ void where_it_leads(unsigned int* x) {
    __shared__ int s;
    int local = 0;
    x[0] = __isGlobal(x);
    x[1] = __isShared(&s);
    x[2] = __isLocal(&local);
    x[3] = __isShared(x);
}
bool address_spaces() {
    Buffer<unsigned int> x(4);
    where_it_leads<<<1, 1>>>(x.data());
    return x.values() == std::vector<unsigned int>{1, 1, 1, 0};
}

} // namespace

FEATURES({"active-mask", active_mask}, {"atomics-by-scope", atomics_by_scope},
         {"atomics-of-vectors", atomics_of_vectors}, {"compare-and-swap-loop", compare_and_swap_loop},
         {"atomic-reference", atomic_reference}, {"lock-between-blocks", lock_between_blocks},
         {"barrier-of-atomics", barrier_of_atomics}, {"clock", clock}, {"address-spaces", address_spaces})
