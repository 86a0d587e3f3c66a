// Locks between threads, right ones and those that lack a fence.
#include "kernels/waiting.h"
#include "kernels/zeros.h"

#include <cuda/atomic>

namespace waiting {

namespace {

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

} // namespace waiting
