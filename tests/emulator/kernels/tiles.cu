#include "kernels/tiles.h"

#include "kernels/device_vector.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace tiles {

namespace {

constexpr int threads = 128;

template <int size, int away>
__global__ void hand_on(int* out) {
    __shared__ int values[threads];
    const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
    for (int turn = 0; turn < 2; ++turn) {
        values[threadIdx.x] = threadIdx.x + turn;
        tile.sync();
        out[threadIdx.x] = values[threadIdx.x ^ away];
        tile.sync();
    }
}

__global__ void hand_on_by_votes(int* out) {
    __shared__ int values[threads];
    const auto tile = cg::tiled_partition<threads>(cg::this_thread_block());
    values[threadIdx.x] = threadIdx.x;
    if (tile.any(threadIdx.x == 0)) out[threadIdx.x] = values[threadIdx.x ^ 64];
}

__global__ void part(int*) {
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    if (threadIdx.x % 64 < 32)
        tile.sync();
    else
        __syncthreads();
}

__global__ void too_large(int*) {
    cg::tiled_partition<256>(cg::this_thread_block()).sync();
}

int launched(void (*kernel)(int*), int away = 0) {
    int* out = nullptr;
    cudaMalloc(&out, threads * sizeof(int));
    kernel<<<1, threads>>>(out);
    const cudaError_t error = cudaDeviceSynchronize();
    std::vector<int> values(threads);
    cudaMemcpy(values.data(), out, threads * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(out);
    for (int i = 0; error == cudaSuccess && away != 0 && i < threads; ++i)
        if (values[i] != (i ^ away) + 1) return -1;
    return error;
}

} // namespace

int handed_on_in_tiles() {
    return launched(hand_on<64, 32>, 32);
}
int handed_on_in_block_wide_tile() {
    return launched(hand_on<threads, 64>, 64);
}
int handed_on_between_tiles() {
    return launched(hand_on<64, 64>);
}
int handed_on_by_votes() {
    return launched(hand_on_by_votes);
}
int half_of_a_tile() {
    return launched(part);
}
int tile_larger_than_block() {
    return launched(too_large);
}

} // namespace tiles
