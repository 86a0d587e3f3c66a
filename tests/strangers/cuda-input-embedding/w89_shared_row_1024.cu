// wrong: the position's row is staged in a shared array of 1,024 floats, so with C > 1,024 it is written and read out of bounds
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {

__device__ inline bool keep(const Dropout& d, std::uint64_t e) {
    std::uint64_t z = d.seed + (d.offset + e + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return ((double)((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52 >= (double)d.p;
}

__device__ inline void save(float& to, float x) { to = x; }
__device__ inline void save(std::uint16_t& to, float x) { to = __bfloat16_as_ushort(__float2bfloat16_rn(x)); }

// A block has one position and goes through the batch, so wpe is read once.
template <class Out>
__global__ void by_position(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                            DeviceMatrix<const TokenId> ids, std::size_t start, Dropout d, float scale,
                            DeviceTensor3<Out> out) {
    __shared__ float position[1024];
    const std::size_t C = out.channels;
    for (std::size_t t = blockIdx.x; t < out.time; t += gridDim.x) {
        for (std::size_t c = threadIdx.x; c < C; c += blockDim.x) position[c] = wpe(start + t, c);
        __syncthreads();
        for (std::size_t b = 0; b < out.batch; ++b) {
            const TokenId id = ids(b, t);
            const bool ok = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
            for (std::size_t c = threadIdx.x; c < C; c += blockDim.x) {
                float s = (ok ? wte(id, c) : __int_as_float(0x7fc00000)) + position[c];
                if (d.train && d.p != 0.0F) s = keep(d, (b * out.time + t) * C + c) ? s * scale : 0.0F;
                save(out(b, t, c), s);
            }
        }
        __syncthreads();
    }
}

template <class Out>
Status common(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
              std::size_t start, Dropout d, DeviceTensor3<Out> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || wpe.rows - start < ids.cols) {
        const std::size_t p = start > wpe.rows ? start : wpe.rows;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (!(0.0F <= d.p && d.p <= 1.0F)) return Status{Code::invalid_argument};
    if (out.batch == 0 || out.time == 0 || out.channels == 0) return Status{};
    const unsigned blocks = out.time < 65535 ? static_cast<unsigned>(out.time) : 65535u;
    by_position<<<blocks, 128, 0, stream>>>(wte, wpe, ids, start, d, 1.0F / (1.0F - d.p), out);
    return Status{};
}

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return common(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return common(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise
