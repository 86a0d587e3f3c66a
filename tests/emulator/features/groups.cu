// What groups of threads do together.
#include "features/feature.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

namespace {

std::vector<int> counted(int n) {
    std::vector<int> v(n);
    for (int i = 0; i < n; ++i)
        v[i] = i;
    return v;
}

template <class Group>
__device__ int sum_of(const Group& group, int* scratch, int value) {
    const int rank = group.thread_rank();
    for (int half = group.size() / 2; half > 0; half /= 2) {
        scratch[rank] = value;
        group.sync();
        if (rank < half) value += scratch[rank + half];
        group.sync();
    }
    return value;
}
__global__ void block_sum(int* x) {
    __shared__ int scratch[128];
    const cg::thread_group block = cg::this_thread_block();
    const int sum = sum_of(block, scratch, x[block.thread_rank()]);
    if (block.thread_rank() == 0) x[0] = sum;
}
bool group_of_block() {
    Buffer<int> x(counted(128));
    block_sum<<<1, 128>>>(x.data());
    const auto v = x.values();
    return !v.empty() && v[0] == 127 * 64;
}

template <int size>
__global__ void tile_sums(int* x) {
    const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
    int value = x[threadIdx.x];
    for (int step = tile.size() / 2; step > 0; step /= 2)
        value += tile.shfl_down(value, step);
    value = tile.shfl(value, 0);
    tile.sync();
    x[threadIdx.x] = value + 1000 * tile.meta_group_rank() * (tile.thread_rank() == 0);
}
template <int size>
bool tile_of() {
    Buffer<int> x(counted(64));
    tile_sums<size><<<1, 64>>>(x.data());
    const auto v = x.values();
    bool good = v.size() == 64;
    for (int i = 0; good && i < 64; ++i) {
        const int first = i / size * size;
        good = v[i] == size * first + size * (size - 1) / 2 + (i == first ? 1000 * (i / size) : 0);
    }
    return good;
}
bool tiles() {
    return tile_of<1>() && tile_of<2>() && tile_of<4>() && tile_of<8>() && tile_of<16>() && tile_of<32>();
}

/// Which tile of its parent it is, and how many there are.
__device__ int place_in_parent(cg::thread_block_tile<8> tile) {
    return tile.meta_group_rank() + 100 * tile.meta_group_size();
}
__global__ void tile_places(int* x) {
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    const cg::thread_block_tile<16, cg::thread_block_tile<32>> half = cg::tiled_partition<16>(warp);
    x[threadIdx.x] = place_in_parent(cg::tiled_partition<8>(block));
    x[96 + threadIdx.x] = place_in_parent(cg::tiled_partition<8>(warp));
    x[192 + threadIdx.x] = warp.meta_group_rank() + 100 * warp.meta_group_size();
    x[288 + threadIdx.x] = half.meta_group_rank() + 100 * half.meta_group_size();
}
bool tiles_of_tiles() {
    Buffer<int> x(384);
    tile_places<<<1, 96>>>(x.data());
    const auto v = x.values();
    return v.size() == 384 && v[95] == 11 + 1200 && v[96 + 95] == 3 + 400 && v[192 + 95] == 2 + 300 &&
           v[288 + 95] == 1 + 200;
}

/// Sums a tile of any size in shared memory, then by what tiles of several warps have of their own.
template <int size>
__global__ void large_tile_sums(int* x) {
    __shared__ int scratch[1024];
    __shared__ cg::block_tile_memory<1024> older_devices;
    const auto tile = cg::tiled_partition<size>(cg::this_thread_block(older_devices));
    const int rank = tile.thread_rank(), first = threadIdx.x - rank, mine = x[threadIdx.x];
    const int by_hand = sum_of(tile, scratch + first, mine);
    const int sum = cg::reduce(tile, mine, cg::plus<int>());
    const int before = cg::exclusive_scan(tile, mine);
    const bool right = tile.shfl(by_hand, 0) == sum && tile.shfl(mine, size - 1) == first + size - 1 &&
                       tile.any(rank == size - 1) && !tile.any(rank == size) && tile.all(rank < size) &&
                       !tile.all(rank > 0) && before == (first + first + rank - 1) * rank / 2 &&
                       tile.meta_group_rank() * size == first && tile.meta_group_size() == 1024 / size;
    x[threadIdx.x] = right ? sum : -1;
}
template <int size>
bool large_tile_of() {
    Buffer<int> x(counted(1024));
    large_tile_sums<size><<<1, 1024>>>(x.data());
    const auto v = x.values();
    bool good = v.size() == 1024;
    for (int i = 0; good && i < 1024; ++i)
        good = v[i] == size * (i / size * size) + size * (size - 1) / 2;
    return good;
}
bool large_tiles() {
    return large_tile_of<64>() && large_tile_of<128>() && large_tile_of<256>() && large_tile_of<512>() &&
           large_tile_of<1024>();
}

__global__ void one_of_each_group(int* x) {
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const auto tile = cg::tiled_partition<64>(block);
    cg::invoke_one(warp, [&] { atomicAdd(&x[128], 1); });
    x[threadIdx.x] = cg::invoke_one_broadcast(
        tile, [](int* count) { return 1 + atomicAdd(count, 1); }, &x[129]);
}
bool invoke_one() {
    Buffer<int> x(130);
    one_of_each_group<<<1, 128>>>(x.data());
    const auto v = x.values();
    return v.size() == 130 && v[128] == 4 && v[129] == 2 && v[0] + v[64] == 3 && v[0] == v[63] &&
           v[64] == v[127];
}

__global__ void reductions(float* x) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const float mine = x[threadIdx.x];
    x[threadIdx.x] = cg::reduce(warp, mine, cg::plus<float>());
    x[32 + threadIdx.x] = cg::reduce(warp, mine, cg::greater<float>());
    x[64 + threadIdx.x] = cg::inclusive_scan(warp, mine);
    x[96 + threadIdx.x] = cg::exclusive_scan(warp, mine);
}
bool group_reductions() {
    std::vector<float> in(128);
    for (int i = 0; i < 32; ++i)
        in[i] = i;
    Buffer<float> x(in);
    reductions<<<1, 32>>>(x.data());
    const auto v = x.values();
    return v.size() == 128 && v[5] == 496 && v[32 + 7] == 31 && v[64 + 4] == 10 && v[96 + 4] == 6 &&
           v[96] == 0;
}

__global__ void compact(int* count, int* out, const int* in) {
    if (in[threadIdx.x] % 3 != 0) return;
    const cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(count, active.size());
    first = active.shfl(first, 0);
    out[first + active.thread_rank()] = in[threadIdx.x];
}
bool coalesced_group() {
    Buffer<int> count(1), out(32), in(counted(32));
    compact<<<1, 32>>>(count.data(), out.data(), in.data());
    const auto v = out.values();
    return count.values() == std::vector<int>{11} && v[0] == 0 && v[10] == 30;
}

__global__ void grid_sums(int* parts, int* out) {
    const cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0) parts[blockIdx.x] = blockIdx.x + 1;
    grid.sync();
    if (grid.thread_rank() == 0)
        for (int i = 0; i < gridDim.x; ++i)
            *out += parts[i];
}
bool grid_sync() {
    Buffer<int> parts(8), out(1);
    int *p = parts.data(), *o = out.data();
    void* arguments[] = {&p, &o};
    if (cudaLaunchCooperativeKernel((void*)grid_sums, dim3(8), dim3(64), arguments, 0, nullptr) !=
        cudaSuccess)
        return false;
    return out.values() == std::vector<int>{36};
}

} // namespace

FEATURES({"group-of-block", group_of_block}, {"tiles", tiles}, {"tiles-of-tiles", tiles_of_tiles},
         {"large-tiles", large_tiles}, {"invoke-one", invoke_one}, {"group-reductions", group_reductions},
         {"coalesced-group", coalesced_group}, {"grid-sync", grid_sync})
