#pragma once

#include <vector>

/// One warp, or one block, doing one primitive; the result is a value per lane or thread.
namespace primitives {

enum class Shuffle { index, up, down, exclusive_or };
/// Lane l offers 100 + l; lane l reads by `argument` in segments of `width`. Of 32 lanes.
std::vector<int> shuffle(Shuffle kind, int argument, int width);
/// The same with doubles offered: l + 0.5.
std::vector<double> shuffle_doubles(int argument);
/// Only the lanes of the mask take part, the others give -1: each reads lane 5's value by index.
std::vector<int> shuffle_masked(unsigned int mask);

/// ballot, all, any over the predicate bits of `votes`; then match_any of lane % 3 and match_all of a
/// constant: five results a lane.
std::vector<unsigned int> votes(unsigned int votes);

/// __syncthreads_count, _and, _or over `trues` of 96 threads: three results.
std::vector<int> block_votes(int trues);

/// 64 threads use each atomic on its own cell; the cells at the end. Order as in the kernel.
std::vector<unsigned int> atomics();
double atomic_double();
/// Counts 1,024 threads by compare and swap.
int exchanged_sum();
/// Sums under a spin lock taken by one thread of each of 8 warps.
int locked_sum();

/// Half the threads publish to a neighbour by shared memory and __syncwarp, 1000 times: the final token of
/// each.
std::vector<int> ping_pong();

/// x, y, z of the last thread, and the number of threads that saw a consistent linear index.
std::vector<int> indices();

/// Adds a __constant__ and a __device__ variable, both set by symbol copies.
std::vector<int> symbols(int constant, int variable);

} // namespace primitives
