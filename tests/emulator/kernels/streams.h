#pragma once

/// Work on two streams, and on a stream and the host. Each waits for all of it and gives the last error as an
/// int.
namespace streams {

// What nothing orders.
int no_fork();
int no_fork_other_order();
int no_join();
int event_before_the_work();
int destroyed_too_early();
int made_after_another_stream();
int made_after_one_destroyed_too_early();
int freed_too_early();
int allocated_elsewhere();
int host_reads_too_early();
int host_writes_too_early();
int two_writers();
int copy_without_fork();

// What is ordered, or is not the same memory.
int fork_and_join();
int fork_by_the_host();
int default_stream();
int halves();
int readers();
int atomics();
int host_waits();
int destroyed_after_join();
int freed_in_order();
int chain_of_three();

} // namespace streams
