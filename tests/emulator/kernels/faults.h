#pragma once

/// Kernels that do one thing wrong, or nothing. Each launches, waits and gives the error of waiting as an
/// int.
namespace faults {

int racy_reduction();
int missing_syncwarp();
int out_of_bounds_tail();
int out_of_bounds_shared();
int out_of_bounds_in_helper();
// Arrays of four elements, and an index, or how many are written.
int out_of_bounds_device_array(int index);
int out_of_bounds_constant_array(int index);
int out_of_bounds_local_array(int index);
int uncoalesced_copy();
int coalesced_copy();
int vector_copy();
int vector_braces();
int vector_function();
int column_reads();
int padded_column_reads();
int divergent_barrier();
int two_barriers();
int missing_lane();
int early_return_shuffle();
int unwritten_read();
int unwritten_shared_read();
int lost_updates();
int atomic_updates();
int blocks_overlap();
int misaligned_vector();
int null_pointer();
/// Memory that a file is mapped to, beyond the end of the file.
int beyond_mapped_file();
int endless_recursion();
int device_assertion();
int trapping();
int division_by_zero();
int too_much_shared();
int too_many_for_bounds();
int host_pointer();
int freed_memory();
int copy_too_far();
int fill_too_far();
int half_words();
int uneven_loops();
int skipped_reads();
int branched_writes();
int branched_write();
int branches_apart();
/// Reads device memory from the host: an error on a GPU, so only to be called emulated.
int host_reads_device();

} // namespace faults
