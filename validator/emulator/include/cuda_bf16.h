#pragma once

#include "cuda_runtime.h"

#include "cuda_emulator/rounding.h"

/// bfloat16: the upper half of a float, 8 exponent and 7 fraction bits; subnormals are kept. Rounding is to
/// nearest even.
struct __nv_bfloat16_raw {
    unsigned short x;
};

struct alignas(2) __nv_bfloat16 {
    __nv_bfloat16() = default;
    constexpr __nv_bfloat16(const __nv_bfloat16_raw& raw) : bits_(raw.x) {}
    constexpr __nv_bfloat16(float v) : bits_(cuda_emulator::round_to_16<cuda_emulator::Bfloat16>(v)) {}
    constexpr __nv_bfloat16(double v) : bits_(cuda_emulator::round_to_16<cuda_emulator::Bfloat16>(v)) {}
    template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
    constexpr __nv_bfloat16(Integer v) : __nv_bfloat16(static_cast<double>(v)) {}

    constexpr operator float() const { return cuda_emulator::bfloat16_to_float(bits_); }
    constexpr operator __nv_bfloat16_raw() const { return {bits_}; }

  private:
    unsigned short bits_;
};

struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
};

#define CUDA_EMULATOR_NUMBER __nv_bfloat16
#define CUDA_EMULATOR_PAIR __nv_bfloat162
#define CUDA_EMULATOR_RAW __nv_bfloat16_raw
#include "cuda_emulator/arithmetic16.h"

// Conversions.
CUDA_EMULATOR_INLINE constexpr __nv_bfloat16 __float2bfloat16(float v) {
    return __nv_bfloat16(v);
}
CUDA_EMULATOR_INLINE constexpr __nv_bfloat16 __float2bfloat16_rn(float v) {
    return __nv_bfloat16(v);
}
CUDA_EMULATOR_INLINE constexpr __nv_bfloat16 __float2bfloat16_rz(float v) {
    return __nv_bfloat16_raw{
        cuda_emulator::round_to_16<cuda_emulator::Bfloat16>(v, cuda_emulator::Rounding::zero)};
}
CUDA_EMULATOR_INLINE constexpr __nv_bfloat16 __float2bfloat16_rd(float v) {
    return __nv_bfloat16_raw{
        cuda_emulator::round_to_16<cuda_emulator::Bfloat16>(v, cuda_emulator::Rounding::down)};
}
CUDA_EMULATOR_INLINE constexpr __nv_bfloat16 __float2bfloat16_ru(float v) {
    return __nv_bfloat16_raw{
        cuda_emulator::round_to_16<cuda_emulator::Bfloat16>(v, cuda_emulator::Rounding::up)};
}
CUDA_EMULATOR_INLINE constexpr __nv_bfloat16 __double2bfloat16(double v) {
    return __nv_bfloat16(v);
}
CUDA_EMULATOR_INLINE constexpr float __bfloat162float(__nv_bfloat16 v) {
    return static_cast<float>(v);
}
CUDA_EMULATOR_INLINE __nv_bfloat162 __float2bfloat162_rn(float v) {
    return {__nv_bfloat16(v), __nv_bfloat16(v)};
}
CUDA_EMULATOR_INLINE __nv_bfloat162 __floats2bfloat162_rn(float low, float high) {
    return {__nv_bfloat16(low), __nv_bfloat16(high)};
}
CUDA_EMULATOR_INLINE __nv_bfloat162 __float22bfloat162_rn(float2 v) {
    return {__nv_bfloat16(v.x), __nv_bfloat16(v.y)};
}
CUDA_EMULATOR_INLINE float2 __bfloat1622float2(__nv_bfloat162 v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y)};
}
CUDA_EMULATOR_INLINE float __low2float(__nv_bfloat162 v) {
    return static_cast<float>(v.x);
}
CUDA_EMULATOR_INLINE float __high2float(__nv_bfloat162 v) {
    return static_cast<float>(v.y);
}
CUDA_EMULATOR_INLINE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) {
    return v.x;
}
CUDA_EMULATOR_INLINE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) {
    return v.y;
}
CUDA_EMULATOR_INLINE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
    return {low, high};
}
CUDA_EMULATOR_INLINE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 v) {
    return {v, v};
}
CUDA_EMULATOR_INLINE __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
    return {x, y};
}
CUDA_EMULATOR_INLINE unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) {
    return static_cast<__nv_bfloat16_raw>(v).x;
}
CUDA_EMULATOR_INLINE short __bfloat16_as_short(__nv_bfloat16 v) {
    return static_cast<short>(static_cast<__nv_bfloat16_raw>(v).x);
}
CUDA_EMULATOR_INLINE __nv_bfloat16 __ushort_as_bfloat16(unsigned short v) {
    return __nv_bfloat16(__nv_bfloat16_raw{v});
}
CUDA_EMULATOR_INLINE __nv_bfloat16 __short_as_bfloat16(short v) {
    return __nv_bfloat16(__nv_bfloat16_raw{static_cast<unsigned short>(v)});
}
CUDA_EMULATOR_INLINE __nv_bfloat16 __int2bfloat16_rn(int v) {
    return __nv_bfloat16(v);
}
CUDA_EMULATOR_INLINE int __bfloat162int_rn(__nv_bfloat16 v) {
    return __float2int_rn(static_cast<float>(v));
}

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
