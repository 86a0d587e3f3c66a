#pragma once

#include "cuda_runtime.h"

#include "cuda_emulator/rounding.h"

/// IEEE binary16: 1 sign, 5 exponent and 10 fraction bits; subnormals are kept. Rounding is to nearest even.
struct __half_raw {
    unsigned short x;
};

struct alignas(2) __half {
    __half() = default;
    constexpr __half(const __half_raw& raw) : bits_(raw.x) {}
    constexpr __half(float v) : bits_(cuda_emulator::round_to_16<cuda_emulator::Half>(v)) {}
    constexpr __half(double v) : bits_(cuda_emulator::round_to_16<cuda_emulator::Half>(v)) {}
    template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
    constexpr __half(Integer v) : __half(static_cast<double>(v)) {}

    constexpr operator float() const { return cuda_emulator::half_to_float(bits_); }
    constexpr operator __half_raw() const { return {bits_}; }

  private:
    unsigned short bits_;
};

struct alignas(4) __half2 {
    __half x, y;
};

#define CUDA_EMULATOR_NUMBER __half
#define CUDA_EMULATOR_PAIR __half2
#define CUDA_EMULATOR_RAW __half_raw
#include "cuda_emulator/arithmetic16.h"

// Conversions.
CUDA_EMULATOR_INLINE constexpr __half __float2half(float v) {
    return __half(v);
}
CUDA_EMULATOR_INLINE constexpr __half __float2half_rn(float v) {
    return __half(v);
}
CUDA_EMULATOR_INLINE constexpr __half __float2half_rz(float v) {
    return __half_raw{cuda_emulator::round_to_16<cuda_emulator::Half>(v, cuda_emulator::Rounding::zero)};
}
CUDA_EMULATOR_INLINE constexpr __half __float2half_rd(float v) {
    return __half_raw{cuda_emulator::round_to_16<cuda_emulator::Half>(v, cuda_emulator::Rounding::down)};
}
CUDA_EMULATOR_INLINE constexpr __half __float2half_ru(float v) {
    return __half_raw{cuda_emulator::round_to_16<cuda_emulator::Half>(v, cuda_emulator::Rounding::up)};
}
CUDA_EMULATOR_INLINE constexpr __half __double2half(double v) {
    return __half(v);
}
CUDA_EMULATOR_INLINE constexpr float __half2float(__half v) {
    return static_cast<float>(v);
}
CUDA_EMULATOR_INLINE __half2 __float2half2_rn(float v) {
    return {__half(v), __half(v)};
}
CUDA_EMULATOR_INLINE __half2 __floats2half2_rn(float low, float high) {
    return {__half(low), __half(high)};
}
CUDA_EMULATOR_INLINE __half2 __float22half2_rn(float2 v) {
    return {__half(v.x), __half(v.y)};
}
CUDA_EMULATOR_INLINE float2 __half22float2(__half2 v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y)};
}
CUDA_EMULATOR_INLINE float __low2float(__half2 v) {
    return static_cast<float>(v.x);
}
CUDA_EMULATOR_INLINE float __high2float(__half2 v) {
    return static_cast<float>(v.y);
}
CUDA_EMULATOR_INLINE __half __low2half(__half2 v) {
    return v.x;
}
CUDA_EMULATOR_INLINE __half __high2half(__half2 v) {
    return v.y;
}
CUDA_EMULATOR_INLINE __half2 __halves2half2(__half low, __half high) {
    return {low, high};
}
CUDA_EMULATOR_INLINE __half2 __half2half2(__half v) {
    return {v, v};
}
CUDA_EMULATOR_INLINE __half2 make_half2(__half x, __half y) {
    return {x, y};
}
CUDA_EMULATOR_INLINE unsigned short __half_as_ushort(__half v) {
    return static_cast<__half_raw>(v).x;
}
CUDA_EMULATOR_INLINE short __half_as_short(__half v) {
    return static_cast<short>(static_cast<__half_raw>(v).x);
}
CUDA_EMULATOR_INLINE __half __ushort_as_half(unsigned short v) {
    return __half(__half_raw{v});
}
CUDA_EMULATOR_INLINE __half __short_as_half(short v) {
    return __half(__half_raw{static_cast<unsigned short>(v)});
}
CUDA_EMULATOR_INLINE __half __int2half_rn(int v) {
    return __half(v);
}
CUDA_EMULATOR_INLINE int __half2int_rn(__half v) {
    return __float2int_rn(static_cast<float>(v));
}

using half = __half;
using half2 = __half2;
