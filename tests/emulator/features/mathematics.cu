// What the mathematics and the intrinsics of a device give.
#include "features/feature.h"

#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

namespace {

template <class Result, class Compute>
__global__ void compute(Result* out, Compute function) {
    *out = function();
}

__global__ void classes(int* x, float nan, float infinite) {
    x[0] = isnan(nan) && !isnan(infinite);
    x[1] = isinf(infinite) && !isinf(1.0f);
    x[2] = isfinite(1.0f) && !isfinite(nan);
    x[3] = signbit(-infinite) != 0;
    x[4] = std::isnan(nan);
}
bool classification() {
    Buffer<int> x(5);
    classes<<<1, 1>>>(x.data(), NAN, INFINITY);
    return x.values() == std::vector<int>(5, 1);
}

__global__ void extremes(float* x) {
    x[0] = min(3, 4);
    x[1] = max(2.5f, 1.0f);
    x[2] = fminf(1.0f, NAN);
    x[3] = max(3u, 7u);
    x[4] = min(2.0, 1.0);
    x[5] = static_cast<float>(umin(2u, 3u));
    x[6] = static_cast<float>(ullmax(8ull, 3ull));
}
bool minimum_maximum() {
    Buffer<float> x(7);
    extremes<<<1, 1>>>(x.data());
    return x.values() == std::vector<float>{3, 2.5f, 1, 7, 1, 2, 8};
}

/// Pairs of a result and what it should be.
__global__ void functions(double* x) {
    int i = 0;
    const auto row = [&](double got, double want) {
        x[i++] = got;
        x[i++] = want;
    };
    row(rsqrtf(4.0f), 0.5);
    row(rsqrt(16.0), 0.25);
    row(rcbrtf(8.0f), 0.5);
    row(rhypotf(3.0f, 4.0f), 0.2);
    row(norm3df(2.0f, 3.0f, 6.0f), 7.0);
    row(rnorm3df(2.0f, 3.0f, 6.0f), 1.0 / 7);
    row(norm4df(1.0f, 1.0f, 1.0f, 1.0f), 2.0);
    row(erfinvf(0.5f), 0.4769362762);
    row(erfcinvf(0.5f), 0.4769362762);
    row(normcdff(0.0f), 0.5);
    row(normcdfinvf(0.975f), 1.9599639845);
    row(sinpif(0.5f), 1.0);
    row(cospif(1.0f), -1.0);
    row(exp10f(2.0f), 100.0);
    row(erfcxf(1.0f), 0.4275835762);
    row(cyl_bessel_i0f(1.0f), 1.2660658778);
    row(fdividef(1.0f, 4.0f), 0.25);
    row(__tanf(0.5f), 0.5463024898);
    row(__expf(1.0f), 2.7182818285);
    row(__saturatef(1.5f), 1.0);
    row(fdimf(5.0f, 3.0f), 2.0);
    row(lgammaf(3.0f), 0.6931471806);
    row(tgammaf(5.0f), 24.0);
    row(std::fma(2.0f, 3.0f, 1.0f), 7.0);
    float s, c;
    sincosf(0.0f, &s, &c);
    row(s + 2 * c, 2.0);
    sincospif(0.5f, &s, &c);
    row(s + 2 * c, 1.0);
    __sincosf(0.0f, &s, &c);
    row(s + 2 * c, 2.0);
    const float v[3] = {2.0f, 3.0f, 6.0f};
    row(normf(3, v), 7.0);
}
bool mathematics() {
    constexpr int rows = 28;
    Buffer<double> x(2 * rows);
    functions<<<1, 1>>>(x.data());
    const auto v = x.values();
    bool good = v.size() == 2 * rows;
    for (int i = 0; good && i < 2 * rows; i += 2)
        good = std::fabs(v[i] - v[i + 1]) <= 1e-5 * (1 + std::fabs(v[i + 1]));
    return good;
}

__global__ void roundings(float* x) {
    x[0] = __fadd_ru(1.0f, 1e-20f);
    x[1] = __fadd_rd(1.0f, -1e-20f);
    x[2] = __fadd_rz(1.0f, 1e-20f);
    x[3] = __fdiv_rn(1.0f, 3.0f);
    x[4] = __fmul_ru(0.1f, 0.1f) > __fmul_rd(0.1f, 0.1f);
    x[5] = __fsqrt_ru(2.0f) > __fsqrt_rd(2.0f);
    x[6] = __frcp_rn(4.0f);
    x[7] = __fmaf_rz(1.0f, 1.0f, 1e-20f);
    x[8] = static_cast<float>(__dadd_rn(0.5, 0.25));
    x[9] = __float2int_rz(-1.5f) + 10 * __float2int_ru(1.2f) + 100 * __double2int_rn(2.5);
}
bool directed_rounding() {
    Buffer<float> x(10);
    roundings<<<1, 1>>>(x.data());
    return x.values() == std::vector<float>{std::nextafter(1.0f, 2.0f),
                                            std::nextafter(1.0f, 0.0f),
                                            1.0f,
                                            1.0f / 3.0f,
                                            1,
                                            1,
                                            0.25f,
                                            1.0f,
                                            0.75f,
                                            219};
}

/// 2^24 + 1 lies between two floats, 2^53 + 1 between two doubles, and 1 + 2^-30 between two of each format.
__global__ void conversions_to_floats(double* x) {
    constexpr int odd = (1 << 24) + 1;
    constexpr long long large = (1LL << 53) + 1;
    x[0] = __int2float_rn(odd);
    x[1] = __int2float_ru(odd);
    x[2] = __int2float_rd(-odd);
    x[3] = __int2float_rz(-odd);
    x[4] = __uint2float_rz(~0u);
    x[5] = __ll2float_ru(large);
    x[6] = __ull2double_ru(large);
    x[7] = __ll2double_rd(-large);
    x[8] = __double2float_ru(1 + 0x1p-30);
    x[9] = __double2float_rz(1e300);
    x[10] = __half2float(__float2half_ru(1 + 0x1p-20f));
    x[11] = __half2float(__float2half_rz(70000.0f));
    x[12] = __bfloat162float(__float2bfloat16_rz(-1.00390625f * 1.5f));
    x[13] = __bfloat162float(__float2bfloat16_rd(-0x1p-140f));
    x[14] = CUDART_MAX_NORMAL_F;
    x[15] = isinf(CUDART_INF_F) && isnan(CUDART_NAN) ? CUDART_PI_F : 0;
}
bool conversions() {
    Buffer<double> x(16);
    conversions_to_floats<<<1, 1>>>(x.data());
    return x.values() ==
           std::vector<double>{0x1p24,        0x1p24 + 2,     -0x1p24 - 2,    -0x1p24,
                               0x1.fffffep31, 0x1.000002p53,  0x1p53 + 2,     -0x1p53 - 2,
                               1 + 0x1p-23,   0x1.fffffep127, 1 + 0x1p-10,    65504,
                               -1.5,          -0x1p-133,      0x1.fffffep127, 3.1415927410125732};
}

__global__ void integers(unsigned int* x) {
    x[0] = __byte_perm(0x33221100u, 0x77665544u, 0x7531u);
    x[1] = __dp4a(0x01020304, 0x01010101, 5);
    x[2] = __sad(-3, 4, 1u);
    x[3] = __usad(3u, 7u, 1u);
    x[4] = __hadd(5, 8);
    x[5] = __rhadd(5, 8);
    x[6] = __mul24(3, 4);
    x[7] = __umulhi(0x80000000u, 4u);
    x[8] = __fns(0x50u, 0u, 2);
    x[9] = __funnelshift_lc(1u, 2u, 40u);
    x[10] = __brev(1u);
    x[11] = __clz(1) + __ffs(8) + __popc(255u);
}
bool integer_intrinsics() {
    Buffer<unsigned int> x(12);
    integers<<<1, 1>>>(x.data());
    return x.values() == std::vector<unsigned int>{0x77553311u, 15, 8, 5, 6, 7, 12, 2, 6, 1, 0x80000000u, 43};
}

__global__ void packed(unsigned int* x) {
    x[0] = __vadd4(0x01fe0203u, 0x01020304u);
    x[1] = __vsub4(0x05060708u, 0x01020304u);
    x[2] = __vmaxu4(0x01090308u, 0x02010709u);
    x[3] = __vcmpeq4(0x01020304u, 0x01050307u);
    x[4] = __vabsdiffu4(0x05010803u, 0x01050308u);
    x[5] = __vadd2(0x0001ffffu, 0x00020001u);
    x[6] = __vsadu4(0x05010803u, 0x01050308u);
}
bool packed_integers() {
    Buffer<unsigned int> x(7);
    packed<<<1, 1>>>(x.data());
    return x.values() == std::vector<unsigned int>{0x02000507u, 0x04040404u, 0x02090709u, 0xff00ff00u,
                                                   0x04040505u, 0x00030000u, 18};
}

__global__ void halves(__half2* x, __nv_bfloat162* y) {
    x[0] = h2exp(h2log(x[0]));
    x[1] = h2rcp(x[1]);
    x[2] = h2floor(h2exp2(h2log2(x[2])));
    x[3] = h2rint(x[3]);
    y[0] = h2sqrt(h2ceil(y[0]));
}
bool half_functions() {
    const auto pair = [](float a, float b) { return __floats2half2_rn(a, b); };
    Buffer<__half2> x({pair(1, 4), pair(2, -4), pair(8.5f, 2), pair(2.5f, 3.5f)});
    Buffer<__nv_bfloat162> y({__floats2bfloat162_rn(3.5f, 9)});
    halves<<<1, 1>>>(x.data(), y.data());
    const auto is = [](auto got, float a, float b) {
        return static_cast<float>(got.x) == a && static_cast<float>(got.y) == b;
    };
    const auto v = x.values();
    return v.size() == 4 && is(v[0], 1, 4) && is(v[1], 0.5f, -0.25f) && is(v[2], 8, 2) && is(v[3], 2, 4) &&
           is(y.values()[0], 2, 3);
}

} // namespace

FEATURES({"classification", classification}, {"minimum-maximum", minimum_maximum},
         {"half-functions", half_functions}, {"mathematics", mathematics},
         {"directed-rounding", directed_rounding}, {"conversions", conversions},
         {"integer-intrinsics", integer_intrinsics}, {"packed-integers", packed_integers})
