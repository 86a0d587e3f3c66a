#pragma once

/// Prefix results over a tile or a coalesced group.

#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Operation>
CUDA_EMULATOR_INLINE T inclusive_scan(const Group& group, T value, Operation operation,
                                      int line = __builtin_LINE()) {
    const unsigned int rank = group.thread_rank();
    for (unsigned int step = 1; step < group.size(); step *= 2) {
        const T other = group.shfl(value, rank >= step ? rank - step : rank, line);
        if (rank >= step) value = operation(other, value);
    }
    return value;
}
template <class Group, class T>
CUDA_EMULATOR_INLINE T inclusive_scan(const Group& group, T value, int line = __builtin_LINE()) {
    return inclusive_scan(group, value, plus<T>{}, line);
}
/// The first thread receives T{}.
template <class Group, class T, class Operation>
CUDA_EMULATOR_INLINE T exclusive_scan(const Group& group, T value, Operation operation,
                                      int line = __builtin_LINE()) {
    const unsigned int rank = group.thread_rank();
    const T all = group.shfl(inclusive_scan(group, value, operation, line), rank == 0 ? 0 : rank - 1, line);
    return rank == 0 ? T{} : all;
}
template <class Group, class T>
CUDA_EMULATOR_INLINE T exclusive_scan(const Group& group, T value, int line = __builtin_LINE()) {
    return exclusive_scan(group, value, plus<T>{}, line);
}

} // namespace cooperative_groups
