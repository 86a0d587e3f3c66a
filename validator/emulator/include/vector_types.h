#pragma once

/// The built-in vector types with CUDA's names, members, sizes and alignments; plain aggregates without
/// operators, as on a device.

#define CUDA_EMULATOR_VECTORS(name, element, align2, align4)                                                 \
    struct name##1 {                                                                                         \
        element x;                                                                                           \
    };                                                                                                       \
    struct alignas(align2) name##2 {                                                                         \
        element x, y;                                                                                        \
    };                                                                                                       \
    struct name##3 {                                                                                         \
        element x, y, z;                                                                                     \
    };                                                                                                       \
    struct alignas(align4) name##4 {                                                                         \
        element x, y, z, w;                                                                                  \
    };                                                                                                       \
    constexpr name##1 make_##name##1(element x) {                                                            \
        return {x};                                                                                          \
    }                                                                                                        \
    constexpr name##2 make_##name##2(element x, element y) {                                                 \
        return {x, y};                                                                                       \
    }                                                                                                        \
    constexpr name##3 make_##name##3(element x, element y, element z) {                                      \
        return {x, y, z};                                                                                    \
    }                                                                                                        \
    constexpr name##4 make_##name##4(element x, element y, element z, element w) {                           \
        return {x, y, z, w};                                                                                 \
    }

CUDA_EMULATOR_VECTORS(char, signed char, 2, 4)
CUDA_EMULATOR_VECTORS(uchar, unsigned char, 2, 4)
CUDA_EMULATOR_VECTORS(short, short, 4, 8)
CUDA_EMULATOR_VECTORS(ushort, unsigned short, 4, 8)
CUDA_EMULATOR_VECTORS(int, int, 8, 16)
CUDA_EMULATOR_VECTORS(uint, unsigned int, 8, 16)
CUDA_EMULATOR_VECTORS(long, long, 16, 16)
CUDA_EMULATOR_VECTORS(ulong, unsigned long, 16, 16)
CUDA_EMULATOR_VECTORS(longlong, long long, 16, 16)
CUDA_EMULATOR_VECTORS(ulonglong, unsigned long long, 16, 16)
CUDA_EMULATOR_VECTORS(float, float, 8, 16)
CUDA_EMULATOR_VECTORS(double, double, 16, 16)
#undef CUDA_EMULATOR_VECTORS

/// Extents of a grid or a block; what is not given is 1.
struct dim3 {
    unsigned int x = 1, y = 1, z = 1;

    constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
