#include "kernels/waiting.h"

#include "kernels/device_vector.h"

#include <cooperative_groups.h>
#include <cuda/atomic>

namespace waiting {

namespace {

/// Words of device memory, all 0.
struct Zeros {
    int* data = nullptr;

    explicit Zeros(int count = 64) {
        cudaMalloc(&data, count * sizeof(int));
        cudaMemset(data, 0, count * sizeof(int));
    }
    Zeros(const Zeros&) = delete;
    Zeros& operator=(const Zeros&) = delete;
    ~Zeros() { cudaFree(data); }
    void read(int* to, int count) const { cudaMemcpy(to, data, count * sizeof(int), cudaMemcpyDeviceToHost); }
};

__global__ void fenced_lock(int* x, int* lock) {
    if (threadIdx.x % 32 != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *x += 1;
    __threadfence();
    atomicExch(lock, 0);
}

__global__ void bare_lock(int* x, int* lock) {
    if (threadIdx.x % 32 != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *x += 1;
    atomicExch(lock, 0);
}

__global__ void block_lock(int* x, int* lock) {
    if (threadIdx.x % 32 != 0) return;
    while (atomicCAS_block(lock, 0, 1) != 0) {
    }
    __threadfence_block();
    *x += 1;
    __threadfence_block();
    atomicExch_block(lock, 0);
}

/// The threads of one block, or of one warp, make no fence after they have taken the lock.
__global__ void half_fenced_lock(int* x, int* lock, unsigned int careless_block, unsigned int careless_warp) {
    if (threadIdx.x % 32 != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    if (blockIdx.x != careless_block && threadIdx.x / 32 != careless_warp) __threadfence();
    *x += 1;
    __threadfence();
    atomicExch(lock, 0);
}

__global__ void lock_by_exchange(int* x, int* lock) {
    if (threadIdx.x % 32 != 0) return;
    while (atomicExch(lock, 1) != 0) {
    }
    __threadfence();
    *x += 1;
    __threadfence();
    atomicExch(lock, 0);
}

__global__ void lock_of_a_block(int* x, int* lock) {
    if (threadIdx.x == 0)
        while (atomicCAS(lock, 0, 1) != 0) {
        }
    __syncthreads();
    if (threadIdx.x == 32) *x += 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(lock, 0);
}

__global__ void lock_that_acquires(int* x, int* lock) {
    if (threadIdx.x % 32 != 0) return;
    const cuda::atomic_ref<int, cuda::thread_scope_device> held(*lock);
    int free = 0;
    while (!held.compare_exchange_strong(free, 1, cuda::memory_order_acquire))
        free = 0;
    *x += 1;
    held.store(0, cuda::memory_order_release);
}

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

int waited() {
    return cudaDeviceSynchronize();
}

constexpr unsigned int nobody = ~0u;

/// Twice, so that either half runs first once.
int half_fenced(unsigned int blocks, unsigned int threads, unsigned int careless_block,
                unsigned int careless_warp) {
    Zeros x, lock;
    for (int i = 0; i < 2; ++i)
        half_fenced_lock<<<blocks, threads>>>(x.data, lock.data, careless_block, careless_warp);
    return waited();
}

/// A correct kernel, in both orders as well.
int locked(void (*kernel)(int*, int*), unsigned int blocks, unsigned int threads) {
    Zeros x, lock;
    for (int i = 0; i < 2; ++i)
        kernel<<<blocks, threads>>>(x.data, lock.data);
    return waited();
}

} // namespace

int fenced_lock_in_block() {
    Zeros x, lock;
    fenced_lock<<<1, 128>>>(x.data, lock.data);
    return waited();
}
int fenced_lock_between_blocks() {
    Zeros x, lock;
    fenced_lock<<<3, 32>>>(x.data, lock.data);
    return waited();
}
int block_lock_in_one_block() {
    Zeros x, lock;
    block_lock<<<1, 128>>>(x.data, lock.data);
    return waited();
}
int exchange_lock() {
    return locked(lock_by_exchange, 3, 128);
}
int lock_before_a_barrier() {
    return locked(lock_of_a_block, 3, 64);
}
int acquiring_lock() {
    return locked(lock_that_acquires, 3, 128);
}
int all_halves_fenced() {
    return half_fenced(3, 128, nobody, nobody);
}
int first_block_acquires_nothing() {
    return half_fenced(2, 32, 0, nobody);
}
int second_block_acquires_nothing() {
    return half_fenced(2, 32, 1, nobody);
}
int first_warp_acquires_nothing() {
    return half_fenced(1, 64, nobody, 0);
}
int second_warp_acquires_nothing() {
    return half_fenced(1, 64, nobody, 1);
}
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
int lock_without_fence() {
    Zeros x, lock;
    bare_lock<<<1, 128>>>(x.data, lock.data);
    return waited();
}
int lock_without_fence_between_blocks() {
    Zeros x, lock;
    bare_lock<<<3, 32>>>(x.data, lock.data);
    return waited();
}
int block_lock_between_blocks() {
    Zeros x, lock;
    block_lock<<<3, 32>>>(x.data, lock.data);
    return waited();
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
