#pragma once

/// The documented functions of CUDA's mathematics that the C library does not have, and arithmetic and
/// conversions in a given direction of rounding. Results are rounded from double precision: a device may
/// differ in the last places.

namespace cuda_emulator {

enum class Rounding { nearest, zero, up, down };
enum class Operation { add, subtract, multiply, divide, multiply_add, square_root };
/// One operation, rounded once in the given direction.
__host__ __device__ float rounded(Operation operation, Rounding rounding, float a, float b, float c);
__host__ __device__ double rounded(Operation operation, Rounding rounding, double a, double b, double c);
__host__ __device__ double inverse_erf(double v);
__host__ __device__ double scaled_erfc(double v);
__host__ __device__ double bessel_i(double order, double v);

} // namespace cuda_emulator

/// A number of another type, in the nearest way or a directed one. A long double holds any of them exactly.
namespace cuda_emulator {
template <class To, class From>
CUDA_EMULATOR_INLINE To converted(From v, Rounding rounding) {
    const To nearest = static_cast<To>(v);
    const long double exact = static_cast<long double>(v), got = static_cast<long double>(nearest);
    constexpr To infinity = static_cast<To>(__builtin_huge_val());
    const bool to_zero = rounding == Rounding::zero;
    if (got > exact && (rounding == Rounding::down || (to_zero && exact > 0.0L)))
        return std::nextafter(nearest, -infinity);
    if (got < exact && (rounding == Rounding::up || (to_zero && exact < 0.0L)))
        return std::nextafter(nearest, infinity);
    return nearest;
}
} // namespace cuda_emulator
#define CUDA_EMULATOR_CONVERTED(letters, rounding, from, from_type, to)                                      \
    CUDA_EMULATOR_DEVICE to __##from##2##to##_##letters(from_type v) {                                       \
        return cuda_emulator::converted<to>(v, cuda_emulator::Rounding::rounding);                           \
    }
#define CUDA_EMULATOR_CONVERSION(from, from_type, to)                                                        \
    CUDA_EMULATOR_CONVERTED(rn, nearest, from, from_type, to)                                                \
    CUDA_EMULATOR_CONVERTED(rz, zero, from, from_type, to)                                                   \
    CUDA_EMULATOR_CONVERTED(ru, up, from, from_type, to)                                                     \
    CUDA_EMULATOR_CONVERTED(rd, down, from, from_type, to)
CUDA_EMULATOR_CONVERSION(int, int, float)
CUDA_EMULATOR_CONVERSION(uint, unsigned int, float)
CUDA_EMULATOR_CONVERSION(ll, long long, float)
CUDA_EMULATOR_CONVERSION(ull, unsigned long long, float)
CUDA_EMULATOR_CONVERSION(ll, long long, double)
CUDA_EMULATOR_CONVERSION(ull, unsigned long long, double)
CUDA_EMULATOR_CONVERSION(double, double, float)
#undef CUDA_EMULATOR_CONVERSION
#undef CUDA_EMULATOR_CONVERTED

#define CUDA_EMULATOR_ROUNDED(letters, rounding, type, f)                                                    \
    CUDA_EMULATOR_DEVICE type __##f##add_##letters(type a, type b) {                                         \
        return cuda_emulator::rounded(cuda_emulator::Operation::add, rounding, a, b, type{});                \
    }                                                                                                        \
    CUDA_EMULATOR_DEVICE type __##f##sub_##letters(type a, type b) {                                         \
        return cuda_emulator::rounded(cuda_emulator::Operation::subtract, rounding, a, b, type{});           \
    }                                                                                                        \
    CUDA_EMULATOR_DEVICE type __##f##mul_##letters(type a, type b) {                                         \
        return cuda_emulator::rounded(cuda_emulator::Operation::multiply, rounding, a, b, type{});           \
    }                                                                                                        \
    CUDA_EMULATOR_DEVICE type __##f##div_##letters(type a, type b) {                                         \
        return cuda_emulator::rounded(cuda_emulator::Operation::divide, rounding, a, b, type{});             \
    }                                                                                                        \
    CUDA_EMULATOR_DEVICE type __##f##rcp_##letters(type v) {                                                 \
        return cuda_emulator::rounded(cuda_emulator::Operation::divide, rounding, type{1}, v, type{});       \
    }                                                                                                        \
    CUDA_EMULATOR_DEVICE type __##f##sqrt_##letters(type v) {                                                \
        return cuda_emulator::rounded(cuda_emulator::Operation::square_root, rounding, v, type{}, type{});   \
    }
#define CUDA_EMULATOR_FUSED(letters, rounding, type, name)                                                   \
    CUDA_EMULATOR_DEVICE type name##_##letters(type a, type b, type c) {                                     \
        return cuda_emulator::rounded(cuda_emulator::Operation::multiply_add, rounding, a, b, c);            \
    }
#define CUDA_EMULATOR_DIRECTION(letters, rounding)                                                           \
    CUDA_EMULATOR_ROUNDED(letters, cuda_emulator::Rounding::rounding, float, f)                              \
    CUDA_EMULATOR_ROUNDED(letters, cuda_emulator::Rounding::rounding, double, d)                             \
    CUDA_EMULATOR_FUSED(letters, cuda_emulator::Rounding::rounding, float, __fmaf)                           \
    CUDA_EMULATOR_FUSED(letters, cuda_emulator::Rounding::rounding, double, __fma)
CUDA_EMULATOR_DIRECTION(rn, nearest)
CUDA_EMULATOR_DIRECTION(rz, zero)
CUDA_EMULATOR_DIRECTION(ru, up)
CUDA_EMULATOR_DIRECTION(rd, down)
#undef CUDA_EMULATOR_DIRECTION
#undef CUDA_EMULATOR_FUSED
#undef CUDA_EMULATOR_ROUNDED

// name(double) by an expression of `v`, and namef(float) rounded from it.
#define CUDA_EMULATOR_ONE(name, expression)                                                                  \
    CUDA_EMULATOR_INLINE double name(double v) {                                                             \
        return expression;                                                                                   \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE float name##f(float v) {                                                            \
        return static_cast<float>(name(static_cast<double>(v)));                                             \
    }
CUDA_EMULATOR_ONE(rsqrt, 1.0 / std::sqrt(v))
CUDA_EMULATOR_ONE(rcbrt, 1.0 / std::cbrt(v))
CUDA_EMULATOR_ONE(sinpi, std::sin(M_PI* std::remainder(v, 2.0)))
CUDA_EMULATOR_ONE(cospi, std::cos(M_PI* std::remainder(v, 2.0)))
CUDA_EMULATOR_ONE(normcdf, 0.5 * std::erfc(-v * M_SQRT1_2))
CUDA_EMULATOR_ONE(erfinv, cuda_emulator::inverse_erf(v))
CUDA_EMULATOR_ONE(erfcinv, cuda_emulator::inverse_erf(1.0 - v))
CUDA_EMULATOR_ONE(normcdfinv, M_SQRT2* cuda_emulator::inverse_erf(2.0 * v - 1.0))
CUDA_EMULATOR_ONE(erfcx, cuda_emulator::scaled_erfc(v))
CUDA_EMULATOR_ONE(cyl_bessel_i0, cuda_emulator::bessel_i(0.0, v))
CUDA_EMULATOR_ONE(cyl_bessel_i1, cuda_emulator::bessel_i(1.0, v))
#undef CUDA_EMULATOR_ONE

CUDA_EMULATOR_INLINE float fdividef(float a, float b) {
    return a / b;
}
CUDA_EMULATOR_INLINE void sincospi(double v, double* sine, double* cosine) {
    *sine = sinpi(v);
    *cosine = cospi(v);
}
CUDA_EMULATOR_INLINE void sincospif(float v, float* sine, float* cosine) {
    *sine = sinpif(v);
    *cosine = cospif(v);
}
#define CUDA_EMULATOR_NORMS(type, hypot_name, norm3_name, rnorm3_name, norm4_name, rnorm4_name, norm_name,   \
                            rnorm_name)                                                                      \
    CUDA_EMULATOR_INLINE type hypot_name(type a, type b) {                                                   \
        return type{1} / std::hypot(a, b);                                                                   \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE type norm3_name(type a, type b, type c) {                                           \
        return std::hypot(std::hypot(a, b), c);                                                              \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE type rnorm3_name(type a, type b, type c) {                                          \
        return type{1} / norm3_name(a, b, c);                                                                \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE type norm4_name(type a, type b, type c, type d) {                                   \
        return std::hypot(std::hypot(a, b), std::hypot(c, d));                                               \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE type rnorm4_name(type a, type b, type c, type d) {                                  \
        return type{1} / norm4_name(a, b, c, d);                                                             \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE type norm_name(int count, const type* v) {                                          \
        type sum{};                                                                                          \
        for (int i = 0; i < count; ++i)                                                                      \
            sum = std::hypot(sum, v[i]);                                                                     \
        return sum;                                                                                          \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE type rnorm_name(int count, const type* v) {                                         \
        return type{1} / norm_name(count, v);                                                                \
    }
CUDA_EMULATOR_NORMS(float, rhypotf, norm3df, rnorm3df, norm4df, rnorm4df, normf, rnormf)
CUDA_EMULATOR_NORMS(double, rhypot, norm3d, rnorm3d, norm4d, rnorm4d, norm, rnorm)
#undef CUDA_EMULATOR_NORMS
