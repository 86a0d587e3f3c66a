#include "kernels/primitives.h"

#include "kernels/device_vector.h"

namespace primitives {

namespace {

constexpr unsigned int all = 0xffffffffu;

__global__ void shuffle_kernel(Shuffle kind, int argument, int width, int* out) {
    const int lane = threadIdx.x, v = 100 + lane;
    int got = 0;
    switch (kind) {
    case Shuffle::index: got = __shfl_sync(all, v, argument, width); break;
    case Shuffle::up: got = __shfl_up_sync(all, v, argument, width); break;
    case Shuffle::down: got = __shfl_down_sync(all, v, argument, width); break;
    case Shuffle::exclusive_or: got = __shfl_xor_sync(all, v, argument, width); break;
    }
    out[lane] = got;
}

__global__ void shuffle_double_kernel(int argument, double* out) {
    out[threadIdx.x] = __shfl_down_sync(all, threadIdx.x + 0.5, argument);
}

__global__ void shuffle_masked_kernel(unsigned int mask, int* out) {
    const int lane = threadIdx.x;
    out[lane] = -1;
    if (mask >> lane & 1) out[lane] = __shfl_sync(mask, lane * 7, 5);
}

__global__ void vote_kernel(unsigned int votes, unsigned int* out) {
    const int lane = threadIdx.x, mine = votes >> lane & 1;
    unsigned int* row = out + lane * 5;
    row[0] = __ballot_sync(all, mine);
    row[1] = __all_sync(all, mine);
    row[2] = __any_sync(all, mine);
    row[3] = __match_any_sync(all, lane % 3);
    int agreed = 0;
    row[4] = __match_all_sync(all, 5, &agreed) + (agreed ? 0u : 1000u);
}

__global__ void block_vote_kernel(int trues, int* out) {
    const int mine = static_cast<int>(threadIdx.x) < trues;
    const int count = __syncthreads_count(mine), every = __syncthreads_and(mine),
              some = __syncthreads_or(mine);
    if (threadIdx.x == 95) {
        out[0] = count;
        out[1] = every;
        out[2] = some;
    }
}

__global__ void atomic_kernel(unsigned int* cells, int* signed_cells, unsigned long long* wide, float* real) {
    const unsigned int t = threadIdx.x;
    atomicAdd(&cells[0], t);
    atomicSub(&cells[1], 1u);
    atomicMin(&cells[2], 100u - t);
    atomicMax(&cells[3], t * 3);
    atomicInc(&cells[4], 9u);
    atomicDec(&cells[5], 9u);
    atomicAnd(&cells[6], ~(1u << t % 32));
    atomicOr(&cells[7], 1u << t % 16);
    atomicXor(&cells[8], t);
    atomicExch(&cells[9], 7u);
    atomicCAS(&cells[10], t, t + 1);
    atomicMin(signed_cells, -static_cast<int>(t));
    atomicAdd(wide, 1ull << 33);
    atomicAdd(real, 0.5f);
}

__global__ void double_kernel(double* out) {
    atomicAdd(out, 0.25);
}

/// Every thread's first guess is wrong but the first one's.
__global__ void exchange_kernel(int* sum) {
    int old = 0, guess;
    do {
        guess = old;
        old = atomicCAS(sum, guess, guess + 1);
    } while (old != guess);
}

__global__ void lock_kernel(int* lock, int* sum) {
    if (threadIdx.x % 32 != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    const int before = atomicAdd(sum, 0);
    __threadfence();
    atomicExch(sum, before + static_cast<int>(threadIdx.x));
    atomicExch(lock, 0);
}

__global__ void ping_pong_kernel(int* out) {
    __shared__ volatile int token[64];
    const int t = threadIdx.x;
    token[t] = t;
    __syncwarp();
    for (int turn = 0; turn < 1000; ++turn) {
        const int next = token[t ^ 1];
        __syncwarp();
        token[t] = next + 1;
        __syncwarp();
    }
    out[t] = token[t];
}

__global__ void index_kernel(int* out) {
    const int linear = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    atomicAdd(&out[3], 1);
    if (linear == static_cast<int>(blockDim.x * blockDim.y * blockDim.z) - 1 &&
        block == static_cast<int>(gridDim.x * gridDim.y * gridDim.z) - 1) {
        out[0] = threadIdx.x + 10 * blockIdx.x;
        out[1] = threadIdx.y + 10 * blockIdx.y;
        out[2] = threadIdx.z + 10 * blockIdx.z;
    }
}

__constant__ int constants[2];
__device__ int variable;

__global__ void symbol_kernel(int* out) {
    out[threadIdx.x] = constants[1] + variable + static_cast<int>(threadIdx.x);
}

} // namespace

std::vector<int> shuffle(Shuffle kind, int argument, int width) {
    const DeviceVector<int> out(32);
    shuffle_kernel<<<1, 32>>>(kind, argument, width, out.data());
    return out.host();
}

std::vector<double> shuffle_doubles(int argument) {
    const DeviceVector<double> out(32);
    shuffle_double_kernel<<<1, 32>>>(argument, out.data());
    return out.host();
}

std::vector<int> shuffle_masked(unsigned int mask) {
    const DeviceVector<int> out(32);
    shuffle_masked_kernel<<<1, 32>>>(mask, out.data());
    return out.host();
}

std::vector<unsigned int> votes(unsigned int votes) {
    const DeviceVector<unsigned int> out(32 * 5);
    vote_kernel<<<1, 32>>>(votes, out.data());
    return out.host();
}

std::vector<int> block_votes(int trues) {
    const DeviceVector<int> out(3);
    block_vote_kernel<<<1, 96>>>(trues, out.data());
    return out.host();
}

std::vector<unsigned int> atomics() {
    const DeviceVector<unsigned int> cells(std::vector<unsigned int>{0, 100, 90, 0, 0, 3, ~0u, 0, 0, 0, 0});
    const DeviceVector<int> signed_cell(std::vector<int>{5});
    const DeviceVector<unsigned long long> wide(std::vector<unsigned long long>{0});
    const DeviceVector<float> real(std::vector<float>{0});
    atomic_kernel<<<1, 64>>>(cells.data(), signed_cell.data(), wide.data(), real.data());
    auto out = cells.host();
    out.push_back(static_cast<unsigned int>(signed_cell.host()[0]));
    out.push_back(static_cast<unsigned int>(wide.host()[0] >> 33));
    out.push_back(static_cast<unsigned int>(real.host()[0]));
    return out;
}

double atomic_double() {
    const DeviceVector<double> out(std::vector<double>{1.0});
    double_kernel<<<3, 40>>>(out.data());
    return out.host()[0];
}

int exchanged_sum() {
    const DeviceVector<int> sum(std::vector<int>{0});
    exchange_kernel<<<1, 1024>>>(sum.data());
    return sum.host()[0];
}

int locked_sum() {
    const DeviceVector<int> lock(std::vector<int>{0}), sum(std::vector<int>{0});
    lock_kernel<<<1, 256>>>(lock.data(), sum.data());
    return sum.host()[0];
}

std::vector<int> ping_pong() {
    const DeviceVector<int> out(64);
    ping_pong_kernel<<<1, 64>>>(out.data());
    return out.host();
}

std::vector<int> indices() {
    DeviceVector<int> out(4);
    out.clear();
    index_kernel<<<dim3(2, 3, 4), dim3(5, 6, 7)>>>(out.data());
    return out.host();
}

std::vector<int> symbols(int constant, int value) {
    const int both[2] = {-1, constant};
    check(cudaMemcpyToSymbol(constants, both, sizeof both));
    check(cudaMemcpyToSymbol(variable, &value, sizeof value));
    const DeviceVector<int> out(3);
    symbol_kernel<<<1, 3>>>(out.data());
    return out.host();
}

} // namespace primitives
