#pragma once

/// Device functions of integers, and of the bytes and halves packed into one.

#define CUDA_EMULATOR_FUNCTION(type, name, parameters, expression)                                           \
    CUDA_EMULATOR_DEVICE type name parameters {                                                              \
        return expression;                                                                                   \
    }

namespace cuda_emulator {

CUDA_EMULATOR_INLINE unsigned int permuted_bytes(unsigned int low, unsigned int high, unsigned int selector) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    unsigned int out = 0;
    for (unsigned int i = 0; i < 4; ++i) {
        const unsigned int nibble = selector >> 4 * i & 0xfu;
        unsigned int byte = static_cast<unsigned int>(both >> 8 * (nibble & 7u)) & 0xffu;
        if (nibble & 8u) byte = byte & 0x80u ? 0xffu : 0u; // the sign, in all bits
        out |= byte << 8 * i;
    }
    return out;
}

/// Applies `change` to the bytes or halves of two words, one by one.
template <class Part, class Change>
CUDA_EMULATOR_INLINE unsigned int each_part(unsigned int a, unsigned int b, Change change) {
    constexpr unsigned int width = 8 * sizeof(Part), mask = (1u << width) - 1;
    unsigned int out = 0;
    for (unsigned int at = 0; at < 32; at += width)
        out |=
            (static_cast<unsigned int>(change(static_cast<Part>(a >> at), static_cast<Part>(b >> at))) & mask)
            << at;
    return out;
}

template <class Part, class A, class B, class Sum>
CUDA_EMULATOR_INLINE Sum dot(A a, B b, Sum sum) {
    for (int at = 0; at < 32; at += 8)
        sum += static_cast<Sum>(static_cast<Part>(a >> at)) * static_cast<Sum>(static_cast<Part>(b >> at));
    return sum;
}

/// The place of the `offset`-th set bit at or above (below, if negative) `base`; all bits set if there is
/// none.
CUDA_EMULATOR_INLINE unsigned int nth_set_bit(unsigned int mask, unsigned int base, int offset) {
    if (offset == 0) return mask >> base & 1u ? base : ~0u;
    const int step = offset > 0 ? 1 : -1;
    int left = offset > 0 ? offset : -offset;
    for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step)
        if ((mask >> at & 1u) && --left == 0) return static_cast<unsigned int>(at);
    return ~0u;
}

} // namespace cuda_emulator

CUDA_EMULATOR_FUNCTION(unsigned int, __byte_perm,
                       (unsigned int low, unsigned int high, unsigned int selector),
                       cuda_emulator::permuted_bytes(low, high, selector))
CUDA_EMULATOR_FUNCTION(unsigned int, __fns, (unsigned int mask, unsigned int base, int offset),
                       cuda_emulator::nth_set_bit(mask, base, offset))
CUDA_EMULATOR_FUNCTION(int, __dp4a, (int a, int b, int sum), (cuda_emulator::dot<signed char>(a, b, sum)))
CUDA_EMULATOR_FUNCTION(unsigned int, __dp4a, (unsigned int a, unsigned int b, unsigned int sum),
                       (cuda_emulator::dot<unsigned char>(a, b, sum)))
CUDA_EMULATOR_FUNCTION(unsigned int, __sad, (int a, int b, unsigned int sum),
                       sum + static_cast<unsigned int>(a < b ? static_cast<long long>(b) - a
                                                             : static_cast<long long>(a) - b))
CUDA_EMULATOR_FUNCTION(unsigned int, __usad, (unsigned int a, unsigned int b, unsigned int sum),
                       sum + (a < b ? b - a : a - b))
CUDA_EMULATOR_FUNCTION(int, __hadd, (int a, int b), static_cast<int>((static_cast<long long>(a) + b) >> 1))
CUDA_EMULATOR_FUNCTION(int, __rhadd, (int a, int b),
                       static_cast<int>((static_cast<long long>(a) + b + 1) >> 1))
CUDA_EMULATOR_FUNCTION(unsigned int, __uhadd, (unsigned int a, unsigned int b), (a & b) + ((a ^ b) >> 1))
CUDA_EMULATOR_FUNCTION(unsigned int, __urhadd, (unsigned int a, unsigned int b), (a | b) - ((a ^ b) >> 1))
CUDA_EMULATOR_FUNCTION(int, __mul24, (int a, int b),
                       static_cast<int>(static_cast<unsigned int>((a << 8) >> 8) *
                                        static_cast<unsigned int>((b << 8) >> 8)))
CUDA_EMULATOR_FUNCTION(unsigned int, __umul24, (unsigned int a, unsigned int b),
                       (a & 0xffffffu) * (b & 0xffffffu))
CUDA_EMULATOR_FUNCTION(long long, __mul64hi, (long long a, long long b),
                       static_cast<long long>(static_cast<__int128>(a) * b >> 64))
CUDA_EMULATOR_FUNCTION(unsigned int, __funnelshift_lc,
                       (unsigned int low, unsigned int high, unsigned int shift),
                       shift >= 32 ? low : __funnelshift_l(low, high, shift))
CUDA_EMULATOR_FUNCTION(unsigned int, __funnelshift_rc,
                       (unsigned int low, unsigned int high, unsigned int shift),
                       shift >= 32 ? high : __funnelshift_r(low, high, shift))

// A row for the bytes and one for the halves of two words.
#define CUDA_EMULATOR_PACKED(name, sign, expression)                                                         \
    CUDA_EMULATOR_FUNCTION(                                                                                  \
        unsigned int, name##4, (unsigned int x, unsigned int y),                                             \
        cuda_emulator::each_part<sign char>(x, y, [](int a, int b) { return expression; }))                  \
    CUDA_EMULATOR_FUNCTION(                                                                                  \
        unsigned int, name##2, (unsigned int x, unsigned int y),                                             \
        cuda_emulator::each_part<sign short>(x, y, [](int a, int b) { return expression; }))
CUDA_EMULATOR_PACKED(__vadd, unsigned, a + b)
CUDA_EMULATOR_PACKED(__vsub, unsigned, a - b)
CUDA_EMULATOR_PACKED(__vmaxu, unsigned, a > b ? a : b)
CUDA_EMULATOR_PACKED(__vminu, unsigned, a < b ? a : b)
CUDA_EMULATOR_PACKED(__vmaxs, signed, a > b ? a : b)
CUDA_EMULATOR_PACKED(__vmins, signed, a < b ? a : b)
CUDA_EMULATOR_PACKED(__vabsdiffu, unsigned, a > b ? a - b : b - a)
CUDA_EMULATOR_PACKED(__vavgu, unsigned, (a + b + 1) / 2)
CUDA_EMULATOR_PACKED(__vcmpeq, unsigned, a == b ? -1 : 0)
CUDA_EMULATOR_PACKED(__vcmpne, unsigned, a != b ? -1 : 0)
CUDA_EMULATOR_PACKED(__vcmpgtu, unsigned, a > b ? -1 : 0)
CUDA_EMULATOR_PACKED(__vcmpltu, unsigned, a < b ? -1 : 0)
CUDA_EMULATOR_PACKED(__vseteq, unsigned, a == b)
#undef CUDA_EMULATOR_PACKED
CUDA_EMULATOR_FUNCTION(unsigned int, __vsadu4, (unsigned int a, unsigned int b),
                       __dp4a(__vabsdiffu4(a, b), 0x01010101u, 0u))

#undef CUDA_EMULATOR_FUNCTION
