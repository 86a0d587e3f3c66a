#pragma once

/// Kernels whose threads wait for each other by atomics, fences and flags. Each launches, waits and gives the
/// error of waiting as an int.
namespace waiting {

// What CUDA orders.
int fenced_lock_in_block();
int fenced_lock_between_blocks();
int block_lock_in_one_block();
int exchange_lock();
int lock_before_a_barrier();
int acquiring_lock();
int all_halves_fenced();
int flag_in_block();
int release_and_acquire();
int block_counter_in_one_block();
int first_exchange();

// What it does not.
int lock_without_fence();
int lock_without_fence_between_blocks();
int block_lock_between_blocks();
// Of two that take a lock, the first makes no fence after it; then the second.
int first_block_acquires_nothing();
int second_block_acquires_nothing();
int first_warp_acquires_nothing();
int second_warp_acquires_nothing();
int block_counter_between_blocks();
int relaxed_flag();
int plain_polling();

// What ends, and what never does.
int flag_of_a_later_block();
int flag_that_nobody_sets();
int more_blocks_than_the_device_holds();
int grid_barrier_that_some_miss();

// What depends on the order of threads: outputs that any order should leave alike.
int slots_by_atomic_order(int* out, int count);
int maximum_without_retry(int* out);
int sum_that_gives_up(int* out);
int last_writer(int* out);
int last_block(int* out);

/// The order in which blocks, and the threads of block 0, began.
void begun(int* blocks, int block_count, int* threads, int thread_count);

} // namespace waiting
