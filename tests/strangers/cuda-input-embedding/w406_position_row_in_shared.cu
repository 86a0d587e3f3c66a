// wrong: a block keeps a whole position row, C floats, in dynamic shared memory, of which a launch gets at most 48 KiB unless it asks for more; for C > 12,288 the launch is refused and `out` is never written; a right one goes through the channels in pieces or does without
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {

namespace {

__device__ std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

__device__ double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

__device__ void store(float* to, float value) { *to = value; }
__device__ void store(std::uint16_t* to, float value) {
    *to = __bfloat16_as_ushort(__float2bfloat16_rn(value));
}

// A block owns a position: it reads the row of wpe once, for all sequences.
template <class T>
__global__ void embed_position(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                               DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout, float factor,
                               DeviceTensor3<T> out) {
    extern __shared__ float position[];
    const std::size_t t = blockIdx.x;
    const std::size_t channels = out.channels;
    for (std::size_t c = threadIdx.x; c < channels; c += blockDim.x)
        position[c] = wpe(start + t, c);
    __syncthreads();

    const unsigned lane = threadIdx.x % 32;
    const unsigned warps = blockDim.x / 32;
    const bool drops = dropout.train && dropout.p > 0;
    for (std::size_t b = threadIdx.x / 32; b < out.batch; b += warps) {
        const TokenId id = ids(b, t);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        const std::size_t first = (b * out.time + t) * channels;
        for (std::size_t c = lane; c < channels; c += 32) {
            const float token = known ? wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
            float value = token + position[c];
            if (drops) {
                const double u = uniform(dropout.seed, dropout.offset + first + c);
                value = u >= static_cast<double>(dropout.p) ? value * factor : 0.0F;
            }
            store(out.data + first + c, value);
        }
    }
}

template <class T>
Status check(const DeviceMatrix<const float>& wte, const DeviceMatrix<const float>& wpe,
             const DeviceMatrix<const TokenId>& ids, std::size_t start, const Dropout& dropout,
             const DeviceTensor3<T>& out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = start > wpe.rows ? start : wpe.rows;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (!(dropout.p >= 0.0F && dropout.p <= 1.0F)) return Status{Code::invalid_argument};
    return Status{};
}

template <class T>
Status run(const DeviceMatrix<const float>& wte, const DeviceMatrix<const float>& wpe,
           const DeviceMatrix<const TokenId>& ids, std::size_t start, const Dropout& dropout,
           const DeviceTensor3<T>& out, cudaStream_t stream) {
    const Status status = check(wte, wpe, ids, start, dropout, out);
    if (status.code != Code::ok) return status;
    if (out.batch == 0 || out.time == 0 || out.channels == 0) return status;
    embed_position<<<static_cast<unsigned>(out.time), 256, out.channels * sizeof(float), stream>>>(
        wte, wpe, ids, start, dropout, 1.0F / (1.0F - dropout.p), out);
    return status;
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return run(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return run(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise
