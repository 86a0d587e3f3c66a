#include "kernels/faults.h"

#include "kernels/device_vector.h"

#include <cassert>
#include <cstdint>
#include <cuda_fp16.h>
#include <sys/mman.h>
#include <unistd.h>

namespace faults {

namespace {

constexpr int n = 1000; // no multiple of any block size

int waited() {
    return cudaDeviceSynchronize();
}

std::vector<float> ones(int count) {
    return std::vector<float>(count, 1.0f);
}

__global__ void racy(const float* in, float* out) {
    __shared__ float part[64];
    const int t = threadIdx.x;
    part[t] = in[t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2)
        if (t < half) part[t] += part[t + half]; // line: racy sum
    if (t == 0) *out = part[0];
}

__global__ void no_syncwarp(int* out) {
    __shared__ volatile int token[32];
    token[threadIdx.x] = threadIdx.x;          // line: token write
    out[threadIdx.x] = token[threadIdx.x ^ 1]; // line: token read
}

__global__ void no_guard(float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 1.0f; // line: tail write
}

__global__ void counted(int* out) {
    for (int i = 0; i < 3; ++i)
        out[i] += i; // line: beyond the file
}

__global__ void past_shared(float* out) {
    __shared__ float part[32], rest[32];
    part[threadIdx.x] = 0.0f;
    rest[threadIdx.x] = 1.0f;
    __syncthreads();
    out[threadIdx.x] = rest[threadIdx.x];
    out[threadIdx.x] = part[threadIdx.x + 1]; // line: shared overrun
}

__device__ void put(float* to, int i) {
    to[i] = 1.0f; // line: helper
}
__global__ void calls_helper(float* out) {
    put(out, threadIdx.x);      // line: right call
    put(out + 32, threadIdx.x); // line: wrong call
}

__device__ float device_array[4];
__constant__ float constant_array[4] = {1, 2, 3, 4};

__global__ void past_device_array(int index) {
    device_array[index] = 1.0f; // line: device array
}
__global__ void past_constant_array(float* out, int index) {
    *out = constant_array[index]; // line: constant array
}
__global__ void past_local_array(float* out, int index) {
    float local[4] = {};
    for (int i = 0; i < index; ++i)
        local[i] = out[0]; // line: local array
    *out = local[index / 2];
}

__global__ void copy(float* out, const float* in, int count, int stride) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = in[i * stride]; // line: copy
}

__global__ void copy4(float4* out, const float4* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = in[i]; // line: vector load
    v.x += 1.0f;
    out[i] = v; // line: vector store
}

__global__ void braces(float4* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = {1.0f, 2.0f, 3.0f, 4.0f}; // line: braces
}

__device__ float4 sum_of(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void by_function(float4* out, const float4* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = sum_of(in[i], in[i]); // line: vector function
}

template <int pitch>
__global__ void columns(float* out) {
    __shared__ float tile[32][pitch];
    for (int row = 0; row < 32; ++row)
        tile[row][threadIdx.x] = 1.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int col = 0; col < 32; ++col)
        sum += tile[threadIdx.x][col]; // line: column read
    out[threadIdx.x] = sum;
}

__global__ void part_waits(float* out) {
    if (threadIdx.x < 40) __syncthreads(); // line: lonely barrier
    out[threadIdx.x] = 0.0f;
}

__global__ void here_or_there(float* out) {
    if (threadIdx.x % 2 == 0)
        __syncthreads(); // line: even barrier
    else
        __syncthreads(); // line: odd barrier
    out[threadIdx.x] = 0.0f;
}

__global__ void lane_stays_away(int* out) {
    if (threadIdx.x != 7) out[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0); // line: lonely shuffle
    __syncthreads();                                                         // line: where lane 7 waits
}

__global__ void return_then_shuffle(int* out, int count) {
    if (static_cast<int>(threadIdx.x) >= count) return;
    out[threadIdx.x] = __shfl_down_sync(0xffffffffu, 1, 16); // line: shuffle from returned
}

__global__ void read_fresh(float* out, const float* fresh) {
    out[threadIdx.x] = fresh[threadIdx.x]; // line: fresh read
}

__global__ void read_fresh_shared(float* out) {
    __shared__ float part[32];
    if (threadIdx.x < 31) part[threadIdx.x] = 0.0f;
    __syncthreads();
    out[threadIdx.x] = part[threadIdx.x]; // line: fresh shared read
}

__global__ void add_plainly(float* sum) {
    *sum += 1.0f; // line: lost update
}

__global__ void add_atomically(float* sum) {
    atomicAdd(sum, 1.0f);
}

__global__ void overlap(float* out) {
    out[blockIdx.x * 31 + threadIdx.x] = 1.0f; // line: overlapping write
}

__global__ void recurse(int* depth);
__device__ __noinline__ int deeper(int* depth, int level) {
    *depth = level;
    return level < 0 ? 0 : deeper(depth, level + 1) + *depth;
}
__global__ void recurse(int* depth) {
    *depth = deeper(depth, 0);
}

__global__ void asserting(const float* in) {
    assert(in[threadIdx.x] < 1.0f); // line: assertion
}

__global__ void traps() {
    if (threadIdx.x == 5) __trap(); // line: trap
}

__global__ void divide(int* out, int by) {
    out[threadIdx.x] = static_cast<int>(threadIdx.x) / by;
}

#if defined(CUDA_EMULATOR) // nvcc refuses it when it compiles
__global__ void shared_hungry(float* out) {
    __shared__ float first[8192];
    __shared__ float second[8192]; // line: second shared
    first[threadIdx.x] = second[threadIdx.x] = 0.0f;
    out[threadIdx.x] = first[0] + second[0];
}
#endif

__global__ void __launch_bounds__(64) bounded(float* out) {
    out[threadIdx.x] = 0.0f;
}

__global__ void pairwise(__half* out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = __float2half(1.0f);
}

__global__ void uneven(float* out, const float* in) {
    float sum = 0.0f;
    for (int i = 0; i <= static_cast<int>(threadIdx.x); ++i)
        sum += in[i * 32 + threadIdx.x]; // line: uneven read
    out[threadIdx.x] = sum;
}

__global__ void skipping(float* out, const float* in, const float* all) {
    float sum = 0.0f;
    for (unsigned i = 0; i < 32; ++i) // as often, and before the other loop
        sum += all[i * 32 + threadIdx.x];
    for (unsigned i = 0; i < 32; ++i) {
        float value = sum;
        if ((i + threadIdx.x) % 3 != 0) value = in[i * 32 + threadIdx.x]; // line: skipped read
        out[i * 32 + threadIdx.x] = value;                                // line: write of all
    }
}

__global__ void branching(float* out, const float* in) {
    for (unsigned i = 0; i < 32; ++i) {
        const unsigned at = i * 32 + threadIdx.x;
        if ((i + threadIdx.x) % 3 == 0)
            out[at] = 0.0f;
        else
            out[at] = in[at]; // line: read of some
    }
}

__global__ void branching_once(float* out) {
    if (threadIdx.x % 3 == 0)
        out[threadIdx.x] = 0.0f;
    else
        out[threadIdx.x] = 1.0f;
}

__global__ void parting(float* one, float* other) {
    for (unsigned i = 0; i < 32; ++i) {
        const unsigned at = i * 32 + threadIdx.x;
        if ((i + threadIdx.x) % 3 == 0)
            one[at] = 1.0f; // line: write to the one
        else
            other[at] = 2.0f; // line: write to the other
    }
}

} // namespace

int racy_reduction() {
    const DeviceVector<float> in(ones(64)), out(1);
    racy<<<1, 64>>>(in.data(), out.data());
    return waited();
}

int missing_syncwarp() {
    const DeviceVector<int> out(32);
    no_syncwarp<<<1, 32>>>(out.data());
    return waited();
}

int out_of_bounds_tail() {
    const DeviceVector<float> out(n);
    no_guard<<<(n + 127) / 128, 128>>>(out.data());
    return waited();
}

int out_of_bounds_device_array(int index) {
    past_device_array<<<1, 1>>>(index);
    return waited();
}
int out_of_bounds_constant_array(int index) {
    const DeviceVector<float> out(1);
    past_constant_array<<<1, 1>>>(out.data(), index);
    return waited();
}
int out_of_bounds_local_array(int index) {
    const DeviceVector<float> out(std::vector<float>{1.0f});
    past_local_array<<<1, 1>>>(out.data(), index);
    return waited();
}

int out_of_bounds_in_helper() {
    const DeviceVector<float> out(32);
    calls_helper<<<1, 32>>>(out.data());
    return waited();
}

int out_of_bounds_shared() {
    const DeviceVector<float> out(32);
    past_shared<<<1, 32>>>(out.data());
    return waited();
}

int uncoalesced_copy() {
    const DeviceVector<float> in(ones(n * 32)), out(n);
    copy<<<(n + 127) / 128, 128>>>(out.data(), in.data(), n, 32);
    return waited();
}

int coalesced_copy() {
    const DeviceVector<float> in(ones(n)), out(n);
    copy<<<(n + 127) / 128, 128>>>(out.data(), in.data(), n, 1);
    return waited();
}

int vector_copy() {
    const DeviceVector<float> in(ones(256)), out(256);
    copy4<<<1, 64>>>(reinterpret_cast<float4*>(out.data()), reinterpret_cast<const float4*>(in.data()));
    return waited();
}

int vector_braces() {
    const DeviceVector<float> out(256);
    braces<<<1, 64>>>(reinterpret_cast<float4*>(out.data()));
    return waited();
}

int vector_function() {
    const DeviceVector<float> in(ones(256)), out(256);
    by_function<<<1, 64>>>(reinterpret_cast<float4*>(out.data()), reinterpret_cast<const float4*>(in.data()));
    return waited();
}

int column_reads() {
    const DeviceVector<float> out(32);
    columns<32><<<1, 32>>>(out.data());
    return waited();
}

int padded_column_reads() {
    const DeviceVector<float> out(32);
    columns<33><<<1, 32>>>(out.data());
    return waited();
}

int divergent_barrier() {
    const DeviceVector<float> out(64);
    part_waits<<<1, 64>>>(out.data());
    return waited();
}

int two_barriers() {
    const DeviceVector<float> out(64);
    here_or_there<<<1, 64>>>(out.data());
    return waited();
}

int missing_lane() {
    const DeviceVector<int> out(32);
    lane_stays_away<<<1, 32>>>(out.data());
    return waited();
}

int early_return_shuffle() {
    const DeviceVector<int> out(32);
    return_then_shuffle<<<1, 32>>>(out.data(), 10);
    return waited();
}

int unwritten_read() {
    const DeviceVector<float> out(32), fresh(32);
    read_fresh<<<1, 32>>>(out.data(), fresh.data());
    return waited();
}

int unwritten_shared_read() {
    const DeviceVector<float> out(32);
    read_fresh_shared<<<1, 32>>>(out.data());
    return waited();
}

int lost_updates() {
    const DeviceVector<float> sum(ones(1));
    add_plainly<<<2, 1>>>(sum.data());
    return waited();
}

int atomic_updates() {
    const DeviceVector<float> sum(ones(1));
    add_atomically<<<4, 64>>>(sum.data());
    return waited();
}

int blocks_overlap() {
    const DeviceVector<float> out(64);
    overlap<<<2, 32>>>(out.data());
    return waited();
}

int misaligned_vector() {
    const DeviceVector<float> in(ones(260)), out(256);
    copy4<<<1, 64>>>(reinterpret_cast<float4*>(out.data()), reinterpret_cast<const float4*>(in.data() + 1));
    return waited();
}

int null_pointer() {
    no_guard<<<1, 1>>>(nullptr);
    return waited();
}

int beyond_mapped_file() {
    constexpr std::size_t page = 4096;
    const int file = memfd_create("short", 0);
    if (file < 0 || ftruncate(file, page) != 0) return -1;
    void* memory = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    counted<<<1, 1>>>(reinterpret_cast<int*>(static_cast<char*>(memory) + page));
    const int error = waited();
    munmap(memory, 2 * page);
    return error;
}

int endless_recursion() {
    const DeviceVector<int> depth(1);
    recurse<<<1, 1>>>(depth.data());
    return waited();
}

int device_assertion() {
    const DeviceVector<float> in(ones(32));
    asserting<<<1, 32>>>(in.data());
    return waited();
}

int trapping() {
    traps<<<1, 32>>>();
    return waited();
}

int division_by_zero() {
    const DeviceVector<int> out(32);
    divide<<<1, 32>>>(out.data(), 0);
    return waited();
}

int too_much_shared() {
#if defined(CUDA_EMULATOR)
    const DeviceVector<float> out(32);
    shared_hungry<<<1, 32>>>(out.data());
#endif
    return waited();
}

int too_many_for_bounds() {
    const DeviceVector<float> out(128);
    bounded<<<1, 128>>>(out.data());
    return waited();
}

int host_pointer() {
    std::vector<float> host(32);
    no_guard<<<1, 32>>>(host.data());
    return waited();
}

int freed_memory() {
    float* memory = nullptr;
    check(cudaMalloc(&memory, 128));
    check(cudaFree(memory));
    no_guard<<<1, 32>>>(memory);
    return waited();
}

int copy_too_far() {
    const DeviceVector<float> in(ones(32));
    std::vector<float> host(64);
    return cudaMemcpy(host.data(), in.data() + 8, 128, cudaMemcpyDeviceToHost); // line: copy too far
}

int fill_too_far() {
    const DeviceVector<float> in(ones(32));
    return cudaMemset(in.data(), 0, 129); // line: fill too far
}

int half_words() {
    const DeviceVector<std::uint16_t> out(32 * 3);
    pairwise<<<32, 3>>>(reinterpret_cast<__half*>(out.data()));
    return waited();
}

int uneven_loops() {
    const DeviceVector<float> in(ones(32 * 32)), out(32);
    uneven<<<1, 32>>>(out.data(), in.data());
    return waited();
}

int skipped_reads() {
    const DeviceVector<float> in(ones(32 * 32)), out(32 * 32);
    skipping<<<1, 32>>>(out.data(), in.data(), in.data());
    return waited();
}

int branched_writes() {
    const DeviceVector<float> in(ones(32 * 32)), out(32 * 32);
    branching<<<1, 32>>>(out.data(), in.data());
    return waited();
}

int branched_write() {
    const DeviceVector<float> out(32);
    branching_once<<<1, 32>>>(out.data());
    return waited();
}

int branches_apart() {
    const DeviceVector<float> one(32 * 32), other(32 * 32);
    parting<<<1, 32>>>(one.data(), other.data());
    return waited();
}

int host_reads_device() {
    const DeviceVector<float> in(ones(4));
    const volatile float* inside = in.data();
    return inside[2] == 1.0f ? waited() : -1; // line: host read
}

} // namespace faults
