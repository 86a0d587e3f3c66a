#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

/// The 16-bit formats, against hand values and against nearest neighbours found by search in double
/// arithmetic.
namespace {

unsigned short half_bits(float v) {
    return __half_as_ushort(__float2half(v));
}
unsigned short bfloat_bits(float v) {
    return __bfloat16_as_ushort(__float2bfloat16(v));
}
float half_value(unsigned int bits) {
    return __half2float(__ushort_as_half(static_cast<unsigned short>(bits)));
}
float bfloat_value(unsigned int bits) {
    return __bfloat162float(__ushort_as_bfloat16(static_cast<unsigned short>(bits)));
}

/// Value of a positive 16-bit number by its definition.
double defined_value(unsigned int bits, int exponent_bits) {
    const int fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = static_cast<int>(bits >> fraction_bits),
              fraction = static_cast<int>(bits) & ((1 << fraction_bits) - 1);
    if (exponent == 0) return std::ldexp(fraction, 1 - bias - fraction_bits);
    return std::ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
}

} // namespace

TEST_CASE("half conversions match hand values") {
    CHECK(half_bits(1.0f) == 0x3c00);
    CHECK(half_bits(-2.0f) == 0xc000);
    CHECK(half_bits(65504.0f) == 0x7bff);
    CHECK(half_bits(65519.996f) == 0x7bff);
    CHECK(half_bits(65520.0f) == 0x7c00);
    CHECK(half_bits(0x1p-24f) == 0x0001);
    CHECK(half_bits(0x1p-25f) == 0x0000); // tie between 0 and the least subnormal: even
    CHECK(half_bits(0x1.8p-24f) == 0x0002);
    CHECK(half_bits(-0.0f) == 0x8000);
    CHECK(half_bits(std::numeric_limits<float>::infinity()) == 0x7c00);
    CHECK(half_bits(std::nanf("")) == 0x7fff);
    CHECK(half_bits(0.1f) == 0x2e66);
}

TEST_CASE("bfloat16 conversions match hand values") {
    CHECK(bfloat_bits(1.0f) == 0x3f80);
    CHECK(bfloat_bits(1.00390625f) == 0x3f80); // 1 + 2^-8: tie to even
    CHECK(bfloat_bits(1.01171875f) == 0x3f82); // 1 + 3 * 2^-8: tie to even
    CHECK(bfloat_bits(3.4e38f) == 0x7f80);
    CHECK(bfloat_bits(0.1f) == 0x3dcd);
    CHECK(bfloat_bits(0x1p-133f) == 0x0001);
    CHECK(bfloat_bits(0x1p-134f) == 0x0000);
    CHECK(bfloat_bits(std::nanf("")) == 0x7fff);
}

TEST_CASE("every finite 16-bit number has its defined value and converts back to itself") {
    bool right = true;
    for (unsigned int bits = 0; bits < 0x7c00; ++bits)
        right = right && half_value(bits) == defined_value(bits, 5) && half_bits(half_value(bits)) == bits &&
                half_bits(-half_value(bits)) == (bits | 0x8000u);
    CHECK(right);
    right = true;
    for (unsigned int bits = 0; bits < 0x7f80; ++bits)
        right =
            right && bfloat_value(bits) == defined_value(bits, 8) && bfloat_bits(bfloat_value(bits)) == bits;
    CHECK(right);
}

TEST_CASE("between neighbours, the nearer one is taken, and the even one in the middle") {
    bool right = true;
    for (unsigned int bits = 0; bits + 1 < 0x7c00; ++bits) {
        const float middle = static_cast<float>((defined_value(bits, 5) + defined_value(bits + 1, 5)) / 2);
        right = right && half_bits(middle) == (bits % 2 == 0 ? bits : bits + 1) &&
                half_bits(std::nextafterf(middle, 0)) == bits &&
                half_bits(std::nextafterf(middle, std::numeric_limits<float>::infinity())) == bits + 1;
    }
    CHECK(right);
    right = true;
    for (unsigned int bits = 0; bits + 1 < 0x7f80; ++bits) {
        const float middle = static_cast<float>((defined_value(bits, 8) + defined_value(bits + 1, 8)) / 2);
        right = right && bfloat_bits(middle) == (bits % 2 == 0 ? bits : bits + 1) &&
                bfloat_bits(std::nextafterf(middle, 0)) == bits &&
                bfloat_bits(std::nextafterf(middle, std::numeric_limits<float>::infinity())) == bits + 1;
    }
    CHECK(right);
}

TEST_CASE("a double is rounded once") {
    // In the middle of 1 and the next half but for 2^-40: by way of float it would become a tie.
    CHECK(__half_as_ushort(__double2half(1 + 0x1p-11 + 0x1p-40)) == 0x3c01);
    CHECK(__bfloat16_as_ushort(__double2bfloat16(1 + 0x1p-8 + 0x1p-40)) == 0x3f81);
}

TEST_CASE("arithmetic rounds each result once") {
    const __half a = 1.0f, b = 0x1p-11f;
    CHECK(static_cast<float>(a + b) == 1.0f);
    CHECK(static_cast<float>(a + b + b) == 1.0f);
    CHECK(static_cast<float>(a / __half(3.0f)) == 0.333251953125f);
    // (1 + 3 * 2^-10)^2 - 1 = 6 * 2^-10 + 9 * 2^-20. The fused form rounds this to a multiple of 2^-18, the
    // separate one has lost the last term.
    const __half c = 1.0029296875f, minus_one = -1.0f;
    CHECK(static_cast<float>(__hfma(c, c, minus_one)) == 0x1.8p-8f + 0x1p-17f);
    CHECK(static_cast<float>(c * c + minus_one) == 0x1.8p-8f);
    const __nv_bfloat16 d = 256.0f, e = 1.0f;
    CHECK(static_cast<float>(d + e) == 256.0f);
    CHECK(static_cast<float>(__hneg(d)) == -256.0f);
}

TEST_CASE("pairs hold their low number first") {
    const __half2 pair = __floats2half2_rn(1.0f, 2.0f);
    CHECK(__low2float(pair) == 1.0f);
    CHECK(__high2float(pair) == 2.0f);
    CHECK(sizeof(__half2) == 4);
    CHECK(alignof(__nv_bfloat162) == 4);
    const float2 sum = __half22float2(__hadd2(pair, pair));
    CHECK(sum.x == 2.0f);
    CHECK(sum.y == 4.0f);
}

TEST_CASE("vector types have the sizes and alignments of CUDA") {
    CHECK((sizeof(float3) == 12 && alignof(float3) == 4));
    CHECK((sizeof(float4) == 16 && alignof(float4) == 16));
    CHECK((sizeof(short2) == 4 && alignof(short2) == 4));
    CHECK((sizeof(uchar4) == 4 && alignof(uchar4) == 4));
    CHECK((sizeof(double2) == 16 && alignof(double2) == 16));
    CHECK((sizeof(longlong4) == 32 && alignof(longlong4) == 16));
}

TEST_CASE("bit intrinsics match hand values") {
    CHECK(__clz(1) == 31);
    CHECK(__clz(0) == 32);
    CHECK(__ffs(8) == 4);
    CHECK(__popc(0xf0f0u) == 8);
    CHECK(__brev(1u) == 0x80000000u);
    CHECK(__brev(0x12345678u) == 0x1e6a2c48u);
    CHECK(__umulhi(0x80000000u, 4u) == 2);
    CHECK(__float2int_rn(2.5f) == 2);
    CHECK(__float2int_rn(1e20f) == 2147483647);
    CHECK(__float2int_rz(-2.9f) == -2);
    CHECK(__float2int_rn(std::nanf("")) == 0);
    CHECK(__float2uint_rn(-1.0f) == 0);
    CHECK(__funnelshift_l(0x80000000u, 1u, 1) == 3);
}
