#pragma once

#include "../vector_types.h"

/// What the rewriter makes of `v.x`: `members(v).x`. A trace is told that the access belongs to a vector of
/// 16 bytes by an alignment less than the member's own, which has the compiler name a range of bytes instead
/// of one access. Everything else, and every other build, passes through.
namespace cuda_emulator {

#if defined(__SANITIZE_THREAD__)
#define CUDA_EMULATOR_MEMBERS(vector, element, ...)                                                          \
    typedef element vector##_member __attribute__((aligned(1)));                                             \
    struct __attribute__((may_alias)) vector##_members {                                                     \
        vector##_member __VA_ARGS__;                                                                         \
    };                                                                                                       \
    CUDA_EMULATOR_INLINE vector##_members& members(vector& v) {                                              \
        return reinterpret_cast<vector##_members&>(v);                                                       \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE const vector##_members& members(const vector& v) {                                  \
        return reinterpret_cast<const vector##_members&>(v);                                                 \
    }
#define CUDA_EMULATOR_MEMBERS_OF_8(name, element)                                                            \
    CUDA_EMULATOR_MEMBERS(name##2, element, x, y)                                                            \
    CUDA_EMULATOR_MEMBERS(name##4, element, x, y, z, w)
CUDA_EMULATOR_MEMBERS(int4, int, x, y, z, w)
CUDA_EMULATOR_MEMBERS(uint4, unsigned int, x, y, z, w)
CUDA_EMULATOR_MEMBERS(float4, float, x, y, z, w)
CUDA_EMULATOR_MEMBERS_OF_8(long, long)
CUDA_EMULATOR_MEMBERS_OF_8(ulong, unsigned long)
CUDA_EMULATOR_MEMBERS_OF_8(longlong, long long)
CUDA_EMULATOR_MEMBERS_OF_8(ulonglong, unsigned long long)
CUDA_EMULATOR_MEMBERS_OF_8(double, double)
#undef CUDA_EMULATOR_MEMBERS_OF_8
#undef CUDA_EMULATOR_MEMBERS
#endif

template <class T>
CUDA_EMULATOR_INLINE constexpr T&& members(T&& v) {
    return static_cast<T&&>(v);
}

} // namespace cuda_emulator
