// wrong: a dropped element is the sum times 0: NaN where the sum is NaN or infinite (a bad id, say), -0 where it is negative, in place of +0
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {

__device__ float dropout_scale(Dropout d, unsigned long long e) {
    if (!d.train || d.p == 0.0f) return 1.0f;
    unsigned long long z = d.seed + (d.offset + e + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z = z ^ (z >> 31);
    double u = ((double)(z >> 12) + 0.5) * (1.0 / 4503599627370496.0);
    float mask = u >= (double)d.p ? 1.0f : 0.0f;
    if (mask == 0.0f) return 0.0f;
    return mask * (1.0f / (1.0f - d.p));
}

__device__ float value(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                       DeviceMatrix<const TokenId> ids, size_t start, Dropout d, size_t T, size_t C, size_t e) {
    size_t c = e % C;
    size_t t = (e / C) % T;
    size_t b = e / (C * T);
    TokenId id = ids(b, t);
    float x;
    if (id < 0 || (size_t)id >= wte.rows)
        x = nanf("");
    else
        x = wte(id, c);
    return (x + wpe(start + t, c)) * dropout_scale(d, e);
}

__global__ void kernel_f32(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                           DeviceMatrix<const TokenId> ids, size_t start, Dropout d, DeviceTensor3<float> out) {
    size_t e = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (e < out.batch * out.time * out.channels)
        out.data[e] = value(wte, wpe, ids, start, d, out.time, out.channels, e);
}

__global__ void kernel_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                            DeviceMatrix<const TokenId> ids, size_t start, Dropout d,
                            DeviceTensor3<std::uint16_t> out) {
    size_t e = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (e < out.batch * out.time * out.channels)
        out.data[e] =
            __bfloat16_as_ushort(__float2bfloat16_rn(value(wte, wpe, ids, start, d, out.time, out.channels, e)));
}

static Status check(size_t wte_cols, size_t wpe_cols, size_t P, size_t B, size_t T, size_t ob, size_t ot,
                    size_t oc, size_t start, float p) {
    if (wte_cols != wpe_cols || ob != B || ot != T || oc != wte_cols) return Status{Code::shape_mismatch};
    if (start > P) return Status::position_out_of_range(0, (std::int64_t)start, P);
    if (T > P - start) return Status::position_out_of_range(P - start, (std::int64_t)P, P);
    if (p >= 0.0f && p <= 1.0f) return Status{};
    return Status{Code::invalid_argument};
}

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    Status s = check(wte.cols, wpe.cols, wpe.rows, ids.rows, ids.cols, out.batch, out.time, out.channels, start,
                     dropout.p);
    size_t n = out.batch * out.time * out.channels;
    if (s.code != Code::ok || n == 0) return s;
    kernel_f32<<<(unsigned)((n + 127) / 128), 128, 0, stream>>>(wte, wpe, ids, start, dropout, out);
    return s;
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    Status s = check(wte.cols, wpe.cols, wpe.rows, ids.rows, ids.cols, out.batch, out.time, out.channels, start,
                     dropout.p);
    size_t n = out.batch * out.time * out.channels;
    if (s.code != Code::ok || n == 0) return s;
    kernel_bf16<<<(unsigned)((n + 127) / 128), 128, 0, stream>>>(wte, wpe, ids, start, dropout, out);
    return s;
}

} // namespace exercise
