#pragma once

/// Kernels whose threads look at memory until it changes, without atomic operations. Each launches, waits and
/// gives the error of waiting as an int, or -1 where the result is wrong.
namespace polling {

/// Two blocks hand a turn to and fro so often.
int handing_over(int rounds);
/// Gives up after so many looks at a flag that nobody sets.
int bounded(int looks);
/// Threads that add 0 to the same sum so often.
int adding_nothing(int times);
/// Threads that only meet in a shuffle.
int shuffled();

} // namespace polling
