#pragma once

/// Device functions of everyday use. The approximate ones (`__expf`, `__fdividef`, ...) give the accurate
/// result here: a device may differ in the last places.

#define CUDA_EMULATOR_FUNCTION(type, name, parameters, expression)                                           \
    CUDA_EMULATOR_DEVICE type name parameters {                                                              \
        return expression;                                                                                   \
    }

namespace cuda_emulator {
template <class To, class From>
CUDA_EMULATOR_INLINE To bits(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    __builtin_memcpy(&to, &from, sizeof(To));
    return to;
}
CUDA_EMULATOR_INLINE unsigned int reverse(unsigned int v) {
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(v);
}
} // namespace cuda_emulator

// Loads and stores with cache hints: the hint changes no value.
#define CUDA_EMULATOR_LOAD(name)                                                                             \
    template <class T>                                                                                       \
    CUDA_EMULATOR_INLINE T name(const T* address) {                                                          \
        return *address;                                                                                     \
    }
#define CUDA_EMULATOR_STORE(name)                                                                            \
    template <class T>                                                                                       \
    CUDA_EMULATOR_INLINE void name(T* address, T value) {                                                    \
        *address = value;                                                                                    \
    }
CUDA_EMULATOR_LOAD(__ldg)
CUDA_EMULATOR_LOAD(__ldca)
CUDA_EMULATOR_LOAD(__ldcg)
CUDA_EMULATOR_LOAD(__ldcs)
CUDA_EMULATOR_LOAD(__ldlu)
CUDA_EMULATOR_LOAD(__ldcv)
CUDA_EMULATOR_STORE(__stwb)
CUDA_EMULATOR_STORE(__stcg)
CUDA_EMULATOR_STORE(__stcs)
CUDA_EMULATOR_STORE(__stwt)
#undef CUDA_EMULATOR_LOAD
#undef CUDA_EMULATOR_STORE

// Bits of numbers.
CUDA_EMULATOR_FUNCTION(int, __float_as_int, (float v), cuda_emulator::bits<int>(v))
CUDA_EMULATOR_FUNCTION(unsigned int, __float_as_uint, (float v), cuda_emulator::bits<unsigned int>(v))
CUDA_EMULATOR_FUNCTION(float, __int_as_float, (int v), cuda_emulator::bits<float>(v))
CUDA_EMULATOR_FUNCTION(float, __uint_as_float, (unsigned int v), cuda_emulator::bits<float>(v))
CUDA_EMULATOR_FUNCTION(long long, __double_as_longlong, (double v), cuda_emulator::bits<long long>(v))
CUDA_EMULATOR_FUNCTION(double, __longlong_as_double, (long long v), cuda_emulator::bits<double>(v))
CUDA_EMULATOR_FUNCTION(int, __popc, (unsigned int v), __builtin_popcount(v))
CUDA_EMULATOR_FUNCTION(int, __popcll, (unsigned long long v), __builtin_popcountll(v))
CUDA_EMULATOR_FUNCTION(int, __clz, (int v), v == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(v)))
CUDA_EMULATOR_FUNCTION(int, __clzll, (long long v),
                       v == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(v)))
CUDA_EMULATOR_FUNCTION(int, __ffs, (int v), __builtin_ffs(v))
CUDA_EMULATOR_FUNCTION(int, __ffsll, (long long v), __builtin_ffsll(v))
CUDA_EMULATOR_FUNCTION(unsigned int, __brev, (unsigned int v), cuda_emulator::reverse(v))
CUDA_EMULATOR_FUNCTION(unsigned long long, __brevll, (unsigned long long v),
                       static_cast<unsigned long long>(cuda_emulator::reverse(static_cast<unsigned int>(v)))
                               << 32 |
                           cuda_emulator::reverse(static_cast<unsigned int>(v >> 32)))
CUDA_EMULATOR_FUNCTION(unsigned int, __umulhi, (unsigned int a, unsigned int b),
                       static_cast<unsigned int>(static_cast<unsigned long long>(a) * b >> 32))
CUDA_EMULATOR_FUNCTION(int, __mulhi, (int a, int b), static_cast<int>(static_cast<long long>(a) * b >> 32))
CUDA_EMULATOR_FUNCTION(unsigned long long, __umul64hi, (unsigned long long a, unsigned long long b),
                       static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64))
CUDA_EMULATOR_FUNCTION(
    unsigned int, __funnelshift_l, (unsigned int low, unsigned int high, unsigned int shift),
    static_cast<unsigned int>(((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31u)) >> 32))
CUDA_EMULATOR_FUNCTION(unsigned int, __funnelshift_r,
                       (unsigned int low, unsigned int high, unsigned int shift),
                       static_cast<unsigned int>((static_cast<unsigned long long>(high) << 32 | low) >>
                                                 (shift & 31u)))

// The fast forms, as accurate as the others.
CUDA_EMULATOR_FUNCTION(float, __fdividef, (float a, float b), a / b)
CUDA_EMULATOR_FUNCTION(float, __expf, (float v), std::exp(v))
CUDA_EMULATOR_FUNCTION(float, __exp10f, (float v), std::pow(10.0f, v))
CUDA_EMULATOR_FUNCTION(float, __logf, (float v), std::log(v))
CUDA_EMULATOR_FUNCTION(float, __log2f, (float v), std::log2(v))
CUDA_EMULATOR_FUNCTION(float, __log10f, (float v), std::log10(v))
CUDA_EMULATOR_FUNCTION(float, __sinf, (float v), std::sin(v))
CUDA_EMULATOR_FUNCTION(float, __cosf, (float v), std::cos(v))
CUDA_EMULATOR_FUNCTION(float, __powf, (float a, float b), std::pow(a, b))
CUDA_EMULATOR_FUNCTION(float, __saturatef, (float v), v > 0.0f ? (v < 1.0f ? v : 1.0f) : 0.0f)
CUDA_EMULATOR_FUNCTION(float, __tanf, (float v), std::tan(v))
CUDA_EMULATOR_DEVICE void __sincosf(float v, float* sine, float* cosine) {
    *sine = std::sin(v);
    *cosine = std::cos(v);
}
CUDA_EMULATOR_FUNCTION(float, __frsqrt_rn, (float v),
                       static_cast<float>(1.0 / std::sqrt(static_cast<double>(v))))

// Conversions. Rounding to an integer saturates and sends NaN to 0, as the device does.
namespace cuda_emulator {
template <class To, class From>
CUDA_EMULATOR_INLINE To saturate(From v) {
    constexpr To highest = static_cast<To>(~To{} < To{} ? ~(To{1} << (sizeof(To) * 8 - 1)) : ~To{});
    constexpr To lowest = static_cast<To>(~highest);
    constexpr bool is_signed = ~To{} < To{};
    if (v != v) return To{};
    if (v >= static_cast<From>(highest)) return highest;
    if (v <= (is_signed ? static_cast<From>(lowest) : From{})) return is_signed ? lowest : To{};
    return static_cast<To>(v);
}
} // namespace cuda_emulator
#define CUDA_EMULATOR_TO_INTEGER(from, from_type, to, to_type)                                               \
    CUDA_EMULATOR_FUNCTION(to_type, __##from##2##to##_rn, (from_type v),                                     \
                           cuda_emulator::saturate<to_type>(std::nearbyint(v)))                              \
    CUDA_EMULATOR_FUNCTION(to_type, __##from##2##to##_rz, (from_type v),                                     \
                           cuda_emulator::saturate<to_type>(std::trunc(v)))                                  \
    CUDA_EMULATOR_FUNCTION(to_type, __##from##2##to##_rd, (from_type v),                                     \
                           cuda_emulator::saturate<to_type>(std::floor(v)))                                  \
    CUDA_EMULATOR_FUNCTION(to_type, __##from##2##to##_ru, (from_type v),                                     \
                           cuda_emulator::saturate<to_type>(std::ceil(v)))
#define CUDA_EMULATOR_TO_INTEGERS(from)                                                                      \
    CUDA_EMULATOR_TO_INTEGER(from, from, int, int)                                                           \
    CUDA_EMULATOR_TO_INTEGER(from, from, uint, unsigned int)                                                 \
    CUDA_EMULATOR_TO_INTEGER(from, from, ll, long long)                                                      \
    CUDA_EMULATOR_TO_INTEGER(from, from, ull, unsigned long long)
CUDA_EMULATOR_TO_INTEGERS(float)
CUDA_EMULATOR_TO_INTEGERS(double)
#undef CUDA_EMULATOR_TO_INTEGERS
#undef CUDA_EMULATOR_TO_INTEGER
CUDA_EMULATOR_FUNCTION(double, __int2double_rn, (int v), static_cast<double>(v))
CUDA_EMULATOR_FUNCTION(double, __uint2double_rn, (unsigned int v), static_cast<double>(v))
CUDA_EMULATOR_FUNCTION(int, __double2hiint, (double v), static_cast<int>(__double_as_longlong(v) >> 32))
CUDA_EMULATOR_FUNCTION(int, __double2loint, (double v), static_cast<int>(__double_as_longlong(v)))
CUDA_EMULATOR_FUNCTION(double, __hiloint2double, (int high, int low),
                       __longlong_as_double(static_cast<long long>(high) << 32 |
                                            static_cast<unsigned int>(low)))

#undef CUDA_EMULATOR_FUNCTION

// min and max: the overloads CUDA declares at global scope, for host and device.
#define CUDA_EMULATOR_BOTH(type, name, parameters, expression)                                               \
    CUDA_EMULATOR_INLINE type name parameters {                                                              \
        return expression;                                                                                   \
    }
#define CUDA_EMULATOR_MIN_MAX(type)                                                                          \
    CUDA_EMULATOR_BOTH(constexpr type, min, (type a, type b), b < a ? b : a)                                 \
    CUDA_EMULATOR_BOTH(constexpr type, max, (type a, type b), a < b ? b : a)
CUDA_EMULATOR_MIN_MAX(int)
CUDA_EMULATOR_MIN_MAX(unsigned int)
CUDA_EMULATOR_MIN_MAX(long)
CUDA_EMULATOR_MIN_MAX(unsigned long)
CUDA_EMULATOR_MIN_MAX(long long)
CUDA_EMULATOR_MIN_MAX(unsigned long long)
#undef CUDA_EMULATOR_MIN_MAX
#define CUDA_EMULATOR_MIXED(a_type, b_type, type)                                                            \
    CUDA_EMULATOR_BOTH(constexpr type, min, (a_type a, b_type b),                                            \
                       min(static_cast<type>(a), static_cast<type>(b)))                                      \
    CUDA_EMULATOR_BOTH(constexpr type, max, (a_type a, b_type b),                                            \
                       max(static_cast<type>(a), static_cast<type>(b)))
CUDA_EMULATOR_MIXED(int, unsigned int, unsigned int)
CUDA_EMULATOR_MIXED(unsigned int, int, unsigned int)
CUDA_EMULATOR_MIXED(long, unsigned long, unsigned long)
CUDA_EMULATOR_MIXED(unsigned long, long, unsigned long)
CUDA_EMULATOR_MIXED(long long, unsigned long long, unsigned long long)
CUDA_EMULATOR_MIXED(unsigned long long, long long, unsigned long long)
#undef CUDA_EMULATOR_MIXED
CUDA_EMULATOR_BOTH(unsigned int, umin, (unsigned int a, unsigned int b), min(a, b))
CUDA_EMULATOR_BOTH(unsigned int, umax, (unsigned int a, unsigned int b), max(a, b))
CUDA_EMULATOR_BOTH(long long, llmin, (long long a, long long b), min(a, b))
CUDA_EMULATOR_BOTH(long long, llmax, (long long a, long long b), max(a, b))
CUDA_EMULATOR_BOTH(unsigned long long, ullmin, (unsigned long long a, unsigned long long b), min(a, b))
CUDA_EMULATOR_BOTH(unsigned long long, ullmax, (unsigned long long a, unsigned long long b), max(a, b))
CUDA_EMULATOR_BOTH(float, min, (float a, float b), std::fmin(a, b))
CUDA_EMULATOR_BOTH(float, max, (float a, float b), std::fmax(a, b))
CUDA_EMULATOR_BOTH(double, min, (double a, double b), std::fmin(a, b))
CUDA_EMULATOR_BOTH(double, max, (double a, double b), std::fmax(a, b))
CUDA_EMULATOR_BOTH(double, min, (float a, double b), std::fmin(static_cast<double>(a), b))
CUDA_EMULATOR_BOTH(double, max, (float a, double b), std::fmax(static_cast<double>(a), b))
CUDA_EMULATOR_BOTH(double, min, (double a, float b), std::fmin(a, static_cast<double>(b)))
CUDA_EMULATOR_BOTH(double, max, (double a, float b), std::fmax(a, static_cast<double>(b)))
#undef CUDA_EMULATOR_BOTH
