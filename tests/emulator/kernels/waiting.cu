#include "kernels/waiting.h"

#include "kernels/device_vector.h"
#include "kernels/zeros.h"

#include <cooperative_groups.h>
#include <cuda/atomic>

namespace waiting {

namespace {

__global__ void flag_between_warps(int* x, int* flag, int* out) {
    if (threadIdx.x == 0) {
        *x = 7;
        __threadfence_block();
        atomicExch(flag, 1);
    }
    if (threadIdx.x == 64) {
        while (atomicAdd(flag, 0) == 0) {
        }
        __threadfence_block();
        *out = *x;
    }
}

template <bool ordered>
__global__ void message(int* x, int* flag, int* out) {
    const cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *x = 7;
        ready.store(1, ordered ? cuda::memory_order_release : cuda::memory_order_relaxed);
    } else {
        while (ready.load(ordered ? cuda::memory_order_acquire : cuda::memory_order_relaxed) == 0) {
        }
        *out = *x;
    }
}

__global__ void block_count(int* x) {
    atomicAdd_block(x, 1);
}

__global__ void exchange(int* x, int* out) {
    out[threadIdx.x] = atomicExch(x + threadIdx.x, 1) != -5;
}

__global__ void poll(int* flag, int* out) {
    if (threadIdx.x == 0) atomicExch(flag, 1);
    if (threadIdx.x == 32) {
        while (*flag == 0)
            ;
        *out = 1;
    }
}

__global__ void wait_for_later(int* flags, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x + 1 < gridDim.x)
        while (atomicAdd(&flags[blockIdx.x + 1], 0) == 0) {
        }
    out[blockIdx.x] = blockIdx.x;
    __threadfence();
    atomicExch(&flags[blockIdx.x], 1);
}

__global__ void wait_for_nothing(int* flag) {
    while (atomicAdd(flag, 0) == 0) {
    }
}

__global__ void wait_for_all(int* arrived) {
    if (threadIdx.x == 0) atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < static_cast<int>(gridDim.x)) {
    }
}

__global__ void some_sync(int* out) {
    if (blockIdx.x == 0 && threadIdx.x == 0) return;
    cooperative_groups::this_grid().sync();
    *out = 1;
}

__global__ void take_slots(int* next, int* out) {
    out[atomicAdd(next, 1)] = blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void add_in_eight_tries(int* sum) {
    int seen = *sum;
    for (int tries = 0; tries < 8; ++tries) {
        const int before = seen;
        seen = atomicCAS(sum, before, before + 1);
        if (seen == before) return;
    }
}

__global__ void swap_once(int* best) {
    const int mine = threadIdx.x;
    const int old = atomicAdd(&best[blockIdx.x], 0);
    if (old < mine) atomicCAS(&best[blockIdx.x], old, mine);
}

__global__ void write_thread(int* out) {
    atomicExch(out, threadIdx.x);
}

__global__ void write_block(int* out) {
    if (threadIdx.x == 0) atomicExch(out, blockIdx.x);
}

__global__ void note_beginning(int* next, int* blocks, int* threads) {
    if (blockIdx.x == 0) threads[threadIdx.x] = atomicAdd(&next[1], 1);
    if (threadIdx.x == 0) blocks[blockIdx.x] = atomicAdd(&next[0], 1);
}

} // namespace

int flag_in_block() {
    Zeros x, flag, out;
    flag_between_warps<<<1, 128>>>(x.data, flag.data, out.data);
    return waited();
}
int release_and_acquire() {
    Zeros x, flag, out;
    message<true><<<2, 32>>>(x.data, flag.data, out.data);
    return waited();
}
int block_counter_in_one_block() {
    Zeros x;
    block_count<<<1, 128>>>(x.data);
    return waited();
}
int first_exchange() {
    int* fresh = nullptr;
    cudaMalloc(&fresh, 32 * sizeof(int));
    Zeros out;
    exchange<<<1, 32>>>(fresh, out.data);
    const int error = waited();
    cudaFree(fresh);
    return error;
}
int block_counter_between_blocks() {
    Zeros x;
    block_count<<<2, 128>>>(x.data);
    return waited();
}
int relaxed_flag() {
    Zeros x, flag, out;
    message<false><<<2, 32>>>(x.data, flag.data, out.data);
    return waited();
}
int plain_polling() {
    Zeros flag, out;
    poll<<<1, 64>>>(flag.data, out.data);
    return waited();
}
int flag_of_a_later_block() {
    Zeros flags, out;
    wait_for_later<<<20, 32>>>(flags.data, out.data);
    return waited();
}
int flag_that_nobody_sets() {
    Zeros flag;
    wait_for_nothing<<<2, 64>>>(flag.data);
    return waited();
}
int more_blocks_than_the_device_holds() {
    Zeros arrived;
    wait_for_all<<<20, 1024>>>(arrived.data);
    return waited();
}
int grid_barrier_that_some_miss() {
    Zeros out;
    void* arguments[] = {&out.data};
    cudaLaunchCooperativeKernel(some_sync, dim3(2), dim3(32), arguments, 0, nullptr);
    return waited();
}
int slots_by_atomic_order(int* out, int count) {
    Zeros next, slots(count);
    take_slots<<<count / 32, 32>>>(next.data, slots.data);
    slots.read(out, count);
    return waited();
}
int maximum_without_retry(int* out) {
    Zeros best;
    swap_once<<<16, 64>>>(best.data);
    best.read(out, 16);
    return waited();
}
int sum_that_gives_up(int* out) {
    Zeros sum;
    for (int threads = 32; threads <= 512; threads += 32)
        add_in_eight_tries<<<1, threads>>>(sum.data);
    sum.read(out, 1);
    return waited();
}
int last_writer(int* out) {
    Zeros x;
    write_thread<<<1, 64>>>(x.data);
    x.read(out, 1);
    return waited();
}
int last_block(int* out) {
    Zeros x;
    write_block<<<8, 32>>>(x.data);
    x.read(out, 1);
    return waited();
}
void begun(int* blocks, int block_count, int* threads, int thread_count) {
    Zeros next, b(block_count), t(thread_count);
    note_beginning<<<block_count, thread_count>>>(next.data, b.data, t.data);
    b.read(blocks, block_count);
    t.read(threads, thread_count);
}

} // namespace waiting
