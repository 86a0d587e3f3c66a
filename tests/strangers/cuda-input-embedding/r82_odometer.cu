// right: no division in the loop: each thread keeps (b, t, c) as an odometer that it advances by the grid's stride, and a 3-D block of 2 x 3 x 32 threads is flattened by hand
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {
namespace {

struct Odometer {
    std::size_t b, t, c;
    __device__ void advance(std::size_t by_b, std::size_t by_t, std::size_t by_c, std::size_t T, std::size_t C) {
        c += by_c;
        std::size_t carry = 0;
        if (c >= C) c -= C, carry = 1;
        t += by_t + carry;
        carry = 0;
        if (t >= T) t -= T, carry = 1;
        b += by_b + carry;
    }
};

template <bool Train, class O>
__global__ void tick(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                     DeviceMatrix<const TokenId> ids, std::size_t start, Dropout d, DeviceTensor3<O> out) {
    const std::size_t T = out.time, C = out.channels, count = out.batch * T * C;
    const std::size_t in_block = (std::size_t{threadIdx.z} * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const std::size_t size = std::size_t{blockDim.x} * blockDim.y * blockDim.z;
    const std::size_t stride = size * gridDim.x;
    const std::size_t by_c = stride % C, by_t = stride / C % T, by_b = stride / C / T;
    std::size_t e = blockIdx.x * size + in_block;
    Odometer at{e / C / T, e / C % T, e % C};
    const float f = __fdiv_rn(1.0F, __fsub_rn(1.0F, d.p));
    while (e < count) {
        const TokenId id = ids(at.b, at.t);
        float x = wpe(start + at.t, at.c);
        x = id >= 0 && static_cast<std::size_t>(id) < wte.rows ? wte(static_cast<std::size_t>(id), at.c) + x
                                                               : __int_as_float(0x7fc00000);
        if constexpr (Train) {
            std::uint64_t z = (d.offset + e + 1) * 0x9E3779B97F4A7C15u + d.seed;
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
            z = (z ^ z >> 27) * 0x94D049BB133111EBu;
            const double u = (static_cast<double>((z ^ z >> 31) >> 12) + 0.5) / 4503599627370496.0;
            x = !(u >= static_cast<double>(d.p)) ? 0.0F : x * f;
        }
        if constexpr (sizeof(O) == 4)
            out.data[e] = x;
        else
            out.data[e] = __bfloat16_as_ushort(__float2bfloat16_rn(x));
        e += stride;
        at.advance(by_b, by_t, by_c, T, C);
    }
}

template <class O>
Status start_clock(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
                   std::size_t start, Dropout d, DeviceTensor3<O> out, cudaStream_t stream) {
    Status answer;
    const std::size_t P = wpe.rows;
    const bool fits = wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols &&
                      out.channels == wte.cols;
    if (!fits) {
        answer.code = Code::shape_mismatch;
    } else if (start > P || P - start < ids.cols) {
        const std::size_t p = start > P ? start : P;
        answer = Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    } else if (!(d.p >= 0.0F) || !(d.p <= 1.0F)) {
        answer.code = Code::invalid_argument;
    } else if (out.batch != 0 && out.time != 0 && out.channels != 0) {
        const std::size_t blocks = (out.batch * out.time * out.channels + 191) / 192;
        const unsigned grid = static_cast<unsigned>(blocks < 50'000 ? blocks : 50'000);
        const dim3 block(32, 3, 2);
        if (d.train && d.p != 0.0F)
            tick<true><<<grid, block, 0, stream>>>(wte, wpe, ids, start, d, out);
        else
            tick<false><<<grid, block, 0, stream>>>(wte, wpe, ids, start, d, out);
    }
    return answer;
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return start_clock(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return start_clock(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise
