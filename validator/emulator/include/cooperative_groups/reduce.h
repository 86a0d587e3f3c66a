#pragma once

/// Reductions over a tile or a coalesced group.

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define CUDA_EMULATOR_OPERATION(name, expression)                                                            \
    template <class T>                                                                                       \
    struct name {                                                                                            \
        CUDA_EMULATOR_INLINE T operator()(const T& a, const T& b) const { return expression; }               \
    };
CUDA_EMULATOR_OPERATION(plus, a + b)
CUDA_EMULATOR_OPERATION(less, b < a ? b : a)
CUDA_EMULATOR_OPERATION(greater, a < b ? b : a)
CUDA_EMULATOR_OPERATION(bit_and, a& b)
CUDA_EMULATOR_OPERATION(bit_or, a | b)
CUDA_EMULATOR_OPERATION(bit_xor, a ^ b)
#undef CUDA_EMULATOR_OPERATION

/// Every thread receives the result. Values are combined in pairs, in the order of a tree over the ranks.
template <class Group, class T, class Operation>
CUDA_EMULATOR_INLINE T reduce(const Group& group, T value, Operation operation, int line = __builtin_LINE()) {
    const unsigned int size = group.size(), rank = group.thread_rank();
    unsigned int width = 1;
    while (width < size)
        width *= 2;
    for (unsigned int step = width / 2; step > 0; step /= 2) {
        const bool has_other = rank + step < size;
        const T other = group.shfl(value, has_other ? rank + step : rank, line);
        if (has_other) value = operation(value, other);
    }
    return group.shfl(value, 0, line);
}

} // namespace cooperative_groups
