#include "kernels/textbook.h"

#include "kernels/device_vector.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace textbook {

namespace {

constexpr int block_size = 256;

int blocks_for(std::size_t n) {
    return static_cast<int>((n + block_size - 1) / block_size);
}

template <int threads>
__global__ void reduce_tree(const float* in, int n, float* out) {
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

__device__ __forceinline__ int warp_sum(int v) {
    for (int delta = 16; delta > 0; delta /= 2)
        v += __shfl_down_sync(0xffffffffu, v, delta);
    return v;
}

__global__ void reduce_warps(const int* in, int n, int* total) {
    __shared__ int sums[block_size / 32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    const int sum = warp_sum(i < n ? in[i] : 0);
    if (lane == 0) sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        const int all = warp_sum(lane < block_size / 32 ? sums[lane] : 0);
        if (lane == 0) atomicAdd(total, all);
    }
}

__global__ void scan_block(const int* in, int n, int* out, int* totals) {
    __shared__ int buffer[2][block_size];
    const int t = threadIdx.x, i = blockIdx.x * block_size + t;
    int from = 0;
    buffer[from][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < block_size; step *= 2) {
        const int v = buffer[from][t] + (t >= step ? buffer[from][t - step] : 0);
        from = 1 - from;
        buffer[from][t] = v;
        __syncthreads();
    }
    if (i < n) out[i] = buffer[from][t];
    if (t == block_size - 1) totals[blockIdx.x] = buffer[from][t];
}

__global__ void add_before(int* out, int n, const int* totals) {
    const int i = blockIdx.x * block_size + threadIdx.x;
    int before = 0;
    for (int b = 0; b < static_cast<int>(blockIdx.x); ++b)
        before += totals[b];
    if (i < n) out[i] += before;
}

__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
    constexpr int tile_size = 32, steps = 8;
    __shared__ float tile[tile_size][tile_size + 1];
    int col = blockIdx.x * tile_size + threadIdx.x, row = blockIdx.y * tile_size + threadIdx.y;
    for (int j = 0; j < tile_size; j += steps)
        if (row + j < rows && col < cols) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * cols + col];
    __syncthreads();
    col = blockIdx.y * tile_size + threadIdx.x;
    row = blockIdx.x * tile_size + threadIdx.y;
    for (int j = 0; j < tile_size; j += steps)
        if (row + j < cols && col < rows) out[(row + j) * rows + col] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void count_bytes(const unsigned char* in, int n, unsigned int* bins) {
    __shared__ unsigned int mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[in[i]], 1u);
    __syncthreads();
    if (mine[threadIdx.x] != 0) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void multiply_tiles(const float* a, const float* b, float* c, int n, int k, int m) {
    extern __shared__ float tiles[];
    constexpr int side = 16;
    float* ta = tiles;
    float* tb = tiles + side * side;
    const int row = blockIdx.y * side + threadIdx.y, col = blockIdx.x * side + threadIdx.x;
    const int at = threadIdx.y * side + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < k; first += side) {
        const int ak = first + threadIdx.x, bk = first + threadIdx.y;
        ta[at] = row < n && ak < k ? a[row * k + ak] : 0.0f;
        tb[at] = bk < k && col < m ? b[bk * m + col] : 0.0f;
        __syncthreads();
        for (int j = 0; j < side; ++j)
            sum += ta[threadIdx.y * side + j] * tb[j * side + threadIdx.x];
        __syncthreads();
    }
    if (row < n && col < m) c[row * m + col] = sum;
}

__global__ void sort_bitonic(int* v) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int mine = v[i];
    for (int size = 2; size <= 32; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            const int other = __shfl_xor_sync(0xffffffffu, mine, step);
            const bool ascending = (lane & size) == 0, lower = (lane & step) == 0;
            mine = ascending == lower ? min(mine, other) : max(mine, other);
        }
    v[i] = mine;
}

__global__ void __launch_bounds__(block_size)
    radix_block(const std::uint32_t* in, std::uint32_t* out, int n, int shift) {
    __shared__ int starts[16], before_warp[16][block_size / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x < 16) starts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += block_size)
        atomicAdd(&starts[in[i] >> shift & 15u], 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int d = 0; d < 16; ++d) {
            const int count = starts[d];
            starts[d] = sum;
            sum += count;
        }
    }
    __syncthreads();
    for (int first = 0; first < n; first += block_size) {
        const int i = first + threadIdx.x;
        const std::uint32_t key = i < n ? in[i] : 0;
        const int digit = i < n ? static_cast<int>(key >> shift & 15u) : -1;
        const unsigned int same = __match_any_sync(0xffffffffu, digit);
        const int rank = __popc(same & ((1u << lane) - 1u));
        if (lane < 16) before_warp[lane][warp] = 0;
        __syncwarp();
        if (digit >= 0 && rank == 0) before_warp[digit][warp] = __popc(same);
        __syncthreads();
        int place = rank;
        if (digit >= 0) {
            for (int w = 0; w < warp; ++w)
                place += before_warp[digit][w];
            out[starts[digit] + place] = key;
        }
        __syncthreads();
        if (threadIdx.x < 16)
            for (int w = 0; w < block_size / 32; ++w)
                starts[threadIdx.x] += before_warp[threadIdx.x][w];
        __syncthreads();
    }
}

__device__ unsigned int finished_blocks = 0;

__global__ void reduce_to_last(const float* in, int n, float* partial, float* out) {
    __shared__ float part[block_size];
    __shared__ bool last;
    const int t = threadIdx.x, i = blockIdx.x * block_size + t;
    part[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int half = block_size / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = part[0];
        __threadfence();
        last = atomicInc(&finished_blocks, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0.0f;
        for (unsigned int b = 0; b < gridDim.x; ++b)
            sum += partial[b];
        *out = sum;
    }
}

template <class T>
__global__ void add_rounded(const float* a, const float* b, T* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = static_cast<T>(a[i] + b[i]);
}

template <class T>
std::vector<std::uint16_t> add_as(const std::vector<float>& a, const std::vector<float>& b) {
    const DeviceVector<float> left(a), right(b);
    const DeviceVector<std::uint16_t> out(a.size());
    add_rounded<T><<<blocks_for(a.size()), block_size>>>(
        left.data(), right.data(), reinterpret_cast<T*>(out.data()), static_cast<int>(a.size()));
    return out.host();
}

} // namespace

float reduce(const std::vector<float>& v) {
    const int blocks = blocks_for(v.size());
    const DeviceVector<float> in(v), partial(blocks), out(1);
    reduce_tree<block_size><<<blocks, block_size>>>(in.data(), static_cast<int>(v.size()), partial.data());
    reduce_tree<block_size><<<1, block_size>>>(partial.data(), blocks, out.data());
    return out.host()[0];
}

int reduce_shuffle(const std::vector<int>& v) {
    const DeviceVector<int> in(v);
    DeviceVector<int> out(1);
    out.clear();
    reduce_warps<<<blocks_for(v.size()), block_size>>>(in.data(), static_cast<int>(v.size()), out.data());
    return out.host()[0];
}

std::vector<int> scan(const std::vector<int>& v) {
    const int n = static_cast<int>(v.size()), blocks = blocks_for(v.size());
    const DeviceVector<int> in(v), out(v.size()), totals(blocks);
    scan_block<<<blocks, block_size>>>(in.data(), n, out.data(), totals.data());
    add_before<<<blocks, block_size>>>(out.data(), n, totals.data());
    return out.host();
}

std::vector<float> transpose(const std::vector<float>& m, int rows, int cols) {
    const DeviceVector<float> in(m), out(m.size());
    const dim3 grid((cols + 31) / 32, (rows + 31) / 32), block(32, 8);
    transpose_tile<<<grid, block>>>(in.data(), out.data(), rows, cols);
    return out.host();
}

std::vector<unsigned int> histogram(const std::vector<unsigned char>& v) {
    const DeviceVector<unsigned char> in(v);
    DeviceVector<unsigned int> bins(256);
    bins.clear();
    count_bytes<<<4, 256>>>(in.data(), static_cast<int>(v.size()), bins.data());
    return bins.host();
}

std::vector<float> matmul(const std::vector<float>& a, const std::vector<float>& b, int n, int k, int m) {
    const DeviceVector<float> left(a), right(b), out(static_cast<std::size_t>(n) * m);
    const dim3 grid((m + 15) / 16, (n + 15) / 16), block(16, 16);
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    multiply_tiles<<<grid, block, 2 * 16 * 16 * sizeof(float), stream>>>(left.data(), right.data(),
                                                                         out.data(), n, k, m);
    check(cudaStreamSynchronize(stream));
    check(cudaStreamDestroy(stream));
    return out.host();
}

std::vector<int> sort_warps(const std::vector<int>& v) {
    const DeviceVector<int> values(v);
    sort_bitonic<<<static_cast<int>(v.size() / 32), 32>>>(values.data());
    return values.host();
}

std::vector<std::uint32_t> radix_pass(const std::vector<std::uint32_t>& keys, int shift) {
    const DeviceVector<std::uint32_t> in(keys), out(keys.size());
    radix_block<<<1, block_size>>>(in.data(), out.data(), static_cast<int>(keys.size()), shift);
    return out.host();
}

float reduce_last_block(const std::vector<float>& v) {
    const int blocks = blocks_for(v.size());
    const DeviceVector<float> in(v), partial(blocks), out(1);
    reduce_to_last<<<blocks, block_size>>>(in.data(), static_cast<int>(v.size()), partial.data(), out.data());
    return out.host()[0];
}

std::vector<std::uint16_t> add_bfloat16(const std::vector<float>& a, const std::vector<float>& b) {
    return add_as<__nv_bfloat16>(a, b);
}

std::vector<std::uint16_t> add_half(const std::vector<float>& a, const std::vector<float>& b) {
    return add_as<__half>(a, b);
}

bool device_present() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

} // namespace textbook
