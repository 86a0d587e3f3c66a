// wrong: uniform(seed, offset + e) is rounded to float before it is compared with p, so an element whose number lies less than half a float step below p survives
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {

__device__ inline float random_uniform(uint64_t seed, uint64_t index) {
    uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    return (float)(((double)(z >> 12) + 0.5) * 0x1p-52);
}

__device__ inline void put(float* where, float x) { *where = x; }
__device__ inline void put(uint16_t* where, float x) { *where = __bfloat16_as_ushort(__float2bfloat16_rn(x)); }

template <class Out>
__global__ void embed_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                             DeviceMatrix<const TokenId> ids, size_t start, Dropout d, float factor,
                             DeviceTensor3<Out> out, size_t total) {
    size_t e = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= total) return;
    size_t row = e / out.channels;
    size_t c = e % out.channels;
    size_t b = row / out.time;
    size_t t = row % out.time;
    int64_t id = ids(b, t);
    float token = __int_as_float(0x7fc00000);
    if (id >= 0 && (size_t)id < wte.rows) token = wte((size_t)id, c);
    float x = token + wpe(start + t, c);
    if (d.train && d.p != 0.0f) {
        if (random_uniform(d.seed, d.offset + e) >= d.p) {
            x = x * factor;
        } else {
            x = 0.0f;
        }
    }
    put(out.data + e, x);
}

template <class Out>
Status embed_any(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
                 size_t start, Dropout dropout, DeviceTensor3<Out> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        size_t p = start > wpe.rows ? start : wpe.rows;
        return Status::position_out_of_range(p - start, (int64_t)p, wpe.rows);
    }
    if (!(dropout.p >= 0.0f && dropout.p <= 1.0f)) return Status{Code::invalid_argument};
    size_t total = out.batch * out.time * out.channels;
    if (total == 0) return Status{};
    embed_kernel<<<(unsigned)((total + 255) / 256), 256, 0, stream>>>(wte, wpe, ids, start, dropout,
                                                                      1.0F / (1.0F - dropout.p), out, total);
    return Status{};
}

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return embed_any(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return embed_any(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise
