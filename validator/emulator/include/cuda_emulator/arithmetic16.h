// Arithmetic of one 16-bit type and its pair, for cuda_fp16.h and cuda_bf16.h, which name them first:
// CUDA_EMULATOR_NUMBER, CUDA_EMULATOR_PAIR and CUDA_EMULATOR_RAW (the bits).

// Each operation rounds once: a float holds more than twice the bits (plus two) of the operands, so rounding
// the float result again gives the correctly rounded 16-bit result.
#define CUDA_EMULATOR_OPERATOR(op, name)                                                                     \
    CUDA_EMULATOR_INLINE CUDA_EMULATOR_NUMBER operator op(const CUDA_EMULATOR_NUMBER& a,                     \
                                                          const CUDA_EMULATOR_NUMBER& b) {                   \
        return CUDA_EMULATOR_NUMBER(static_cast<float>(a) op static_cast<float>(b));                         \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE CUDA_EMULATOR_NUMBER& operator op##=(CUDA_EMULATOR_NUMBER& a,                       \
                                                              const CUDA_EMULATOR_NUMBER& b) {               \
        return a = a op b;                                                                                   \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE CUDA_EMULATOR_NUMBER name(CUDA_EMULATOR_NUMBER a, CUDA_EMULATOR_NUMBER b) {         \
        return a op b;                                                                                       \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE CUDA_EMULATOR_NUMBER name##_rn(CUDA_EMULATOR_NUMBER a, CUDA_EMULATOR_NUMBER b) {    \
        return a op b;                                                                                       \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE CUDA_EMULATOR_PAIR name##2(CUDA_EMULATOR_PAIR a, CUDA_EMULATOR_PAIR b) {            \
        return {a.x op b.x, a.y op b.y};                                                                     \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE CUDA_EMULATOR_PAIR operator op(const CUDA_EMULATOR_PAIR& a,                         \
                                                        const CUDA_EMULATOR_PAIR& b) {                       \
        return {a.x op b.x, a.y op b.y};                                                                     \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE CUDA_EMULATOR_PAIR& operator op##=(CUDA_EMULATOR_PAIR& a,                           \
                                                            const CUDA_EMULATOR_PAIR& b) {                   \
        return a = a op b;                                                                                   \
    }
CUDA_EMULATOR_OPERATOR(+, __hadd)
CUDA_EMULATOR_OPERATOR(-, __hsub)
CUDA_EMULATOR_OPERATOR(*, __hmul)
#undef CUDA_EMULATOR_OPERATOR
CUDA_EMULATOR_INLINE CUDA_EMULATOR_NUMBER operator/(const CUDA_EMULATOR_NUMBER& a,
                                                    const CUDA_EMULATOR_NUMBER& b) {
    return CUDA_EMULATOR_NUMBER(static_cast<float>(a) / static_cast<float>(b));
}
CUDA_EMULATOR_INLINE CUDA_EMULATOR_NUMBER& operator/=(CUDA_EMULATOR_NUMBER& a,
                                                      const CUDA_EMULATOR_NUMBER& b) {
    return a = a / b;
}
CUDA_EMULATOR_INLINE CUDA_EMULATOR_NUMBER __hdiv(CUDA_EMULATOR_NUMBER a, CUDA_EMULATOR_NUMBER b) {
    return a / b;
}
CUDA_EMULATOR_INLINE CUDA_EMULATOR_PAIR __h2div(CUDA_EMULATOR_PAIR a, CUDA_EMULATOR_PAIR b) {
    return {a.x / b.x, a.y / b.y};
}
CUDA_EMULATOR_INLINE CUDA_EMULATOR_NUMBER operator-(const CUDA_EMULATOR_NUMBER& a) {
    return CUDA_EMULATOR_NUMBER(
        CUDA_EMULATOR_RAW{static_cast<unsigned short>(static_cast<CUDA_EMULATOR_RAW>(a).x ^ 0x8000u)});
}
CUDA_EMULATOR_INLINE CUDA_EMULATOR_NUMBER operator+(const CUDA_EMULATOR_NUMBER& a) {
    return a;
}
CUDA_EMULATOR_INLINE CUDA_EMULATOR_NUMBER __hneg(CUDA_EMULATOR_NUMBER a) {
    return -a;
}
CUDA_EMULATOR_INLINE CUDA_EMULATOR_PAIR __hneg2(CUDA_EMULATOR_PAIR a) {
    return {-a.x, -a.y};
}
CUDA_EMULATOR_INLINE CUDA_EMULATOR_NUMBER __habs(CUDA_EMULATOR_NUMBER a) {
    return CUDA_EMULATOR_NUMBER(
        CUDA_EMULATOR_RAW{static_cast<unsigned short>(static_cast<CUDA_EMULATOR_RAW>(a).x & 0x7fffu)});
}
/// The product of two 16-bit numbers is exact in double, and so is all of the sum that can decide the
/// rounding.
CUDA_EMULATOR_INLINE CUDA_EMULATOR_NUMBER __hfma(CUDA_EMULATOR_NUMBER a, CUDA_EMULATOR_NUMBER b,
                                                 CUDA_EMULATOR_NUMBER c) {
    return CUDA_EMULATOR_NUMBER(static_cast<double>(static_cast<float>(a)) *
                                    static_cast<double>(static_cast<float>(b)) +
                                static_cast<double>(static_cast<float>(c)));
}
CUDA_EMULATOR_INLINE CUDA_EMULATOR_PAIR __hfma2(CUDA_EMULATOR_PAIR a, CUDA_EMULATOR_PAIR b,
                                                CUDA_EMULATOR_PAIR c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

#define CUDA_EMULATOR_COMPARISON(op, name)                                                                   \
    CUDA_EMULATOR_INLINE bool operator op(const CUDA_EMULATOR_NUMBER& a, const CUDA_EMULATOR_NUMBER& b) {    \
        return static_cast<float>(a) op static_cast<float>(b);                                               \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE bool name(CUDA_EMULATOR_NUMBER a, CUDA_EMULATOR_NUMBER b) {                         \
        return a op b;                                                                                       \
    }
CUDA_EMULATOR_COMPARISON(==, __heq)
CUDA_EMULATOR_COMPARISON(!=, __hne)
CUDA_EMULATOR_COMPARISON(<, __hlt)
CUDA_EMULATOR_COMPARISON(<=, __hle)
CUDA_EMULATOR_COMPARISON(>, __hgt)
CUDA_EMULATOR_COMPARISON(>=, __hge)
#undef CUDA_EMULATOR_COMPARISON
CUDA_EMULATOR_INLINE bool __hisnan(CUDA_EMULATOR_NUMBER v) {
    return static_cast<float>(v) != static_cast<float>(v);
}
CUDA_EMULATOR_INLINE CUDA_EMULATOR_NUMBER __hmax(CUDA_EMULATOR_NUMBER a, CUDA_EMULATOR_NUMBER b) {
    return CUDA_EMULATOR_NUMBER(std::fmax(static_cast<float>(a), static_cast<float>(b)));
}
CUDA_EMULATOR_INLINE CUDA_EMULATOR_NUMBER __hmin(CUDA_EMULATOR_NUMBER a, CUDA_EMULATOR_NUMBER b) {
    return CUDA_EMULATOR_NUMBER(std::fmin(static_cast<float>(a), static_cast<float>(b)));
}
/// A function of one number, `h` and its name, and of both of a pair, `h2` and its name.
#define CUDA_EMULATOR_FUNCTION(name, expression)                                                             \
    CUDA_EMULATOR_INLINE CUDA_EMULATOR_NUMBER h##name(CUDA_EMULATOR_NUMBER number) {                         \
        const double v = static_cast<double>(static_cast<float>(number));                                    \
        return CUDA_EMULATOR_NUMBER(expression);                                                             \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE CUDA_EMULATOR_PAIR h2##name(CUDA_EMULATOR_PAIR a) {                                 \
        return {h##name(a.x), h##name(a.y)};                                                                 \
    }
CUDA_EMULATOR_FUNCTION(sqrt, std::sqrt(v))
CUDA_EMULATOR_FUNCTION(rsqrt, 1.0 / std::sqrt(v))
CUDA_EMULATOR_FUNCTION(rcp, 1.0 / v)
CUDA_EMULATOR_FUNCTION(exp, std::exp(v))
CUDA_EMULATOR_FUNCTION(exp2, std::exp2(v))
CUDA_EMULATOR_FUNCTION(exp10, std::pow(10.0, v))
CUDA_EMULATOR_FUNCTION(log, std::log(v))
CUDA_EMULATOR_FUNCTION(log2, std::log2(v))
CUDA_EMULATOR_FUNCTION(log10, std::log10(v))
CUDA_EMULATOR_FUNCTION(sin, std::sin(v))
CUDA_EMULATOR_FUNCTION(cos, std::cos(v))
CUDA_EMULATOR_FUNCTION(ceil, std::ceil(v))
CUDA_EMULATOR_FUNCTION(floor, std::floor(v))
CUDA_EMULATOR_FUNCTION(trunc, std::trunc(v))
CUDA_EMULATOR_FUNCTION(rint, std::nearbyint(v))
#undef CUDA_EMULATOR_FUNCTION

CUDA_EMULATOR_SHUFFLES(CUDA_EMULATOR_NUMBER)
CUDA_EMULATOR_SHUFFLES(CUDA_EMULATOR_PAIR)
CUDA_EMULATOR_ATOMIC(atomicAdd, CUDA_EMULATOR_NUMBER, old + value)
CUDA_EMULATOR_ATOMIC(atomicAdd, CUDA_EMULATOR_PAIR, old + value)

#undef CUDA_EMULATOR_NUMBER
#undef CUDA_EMULATOR_PAIR
#undef CUDA_EMULATOR_RAW
