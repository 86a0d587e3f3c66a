// wrong: the uniform number is rounded to float before it is compared with p; where the double lies below p but within half a float step of it (say p = 0.5 and the 52 bits 2^51 - 1, or p = 1 and a number above 1 - 2^-25) the rounded number is p and the element survives, with p = 1 as s * infinity; about 1 in 10^8 elements, and a seed can be chosen for it; a right one compares in double
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

// A float is plenty for a comparison with a float.
__device__ float uniform(std::uint64_t seed, std::uint64_t index) {
    return static_cast<float>((static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52);
}

__device__ void store(float* to, float value) { *to = value; }
__device__ void store(std::uint16_t* to, float value) {
    *to = __bfloat16_as_ushort(__float2bfloat16_rn(value));
}

// A warp for each token.
template <bool Drop, class T>
__global__ void embed_rows(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                           DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                           DeviceTensor3<T> out) {
    const unsigned lane = threadIdx.x;
    const float factor = 1.0F / (1.0F - dropout.p);
    const std::size_t rows = out.batch * out.time;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.y;
    for (std::size_t r = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y; r < rows;
         r += step) {
        const std::size_t b = r / out.time;
        const std::size_t t = r - b * out.time;
        const TokenId id = ids(b, t);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        const float* position = wpe.row(start + t);
        for (std::size_t c = lane; c < out.channels; c += 32) {
            const float token = known ? wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
            float value = token + position[c];
            const std::size_t e = r * out.channels + c;
            if (Drop) value = uniform(dropout.seed, dropout.offset + e) >= dropout.p ? value * factor : 0.0F;
            store(out.data + e, value);
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
    const std::size_t rows = out.batch * out.time;
    if (status.code != Code::ok || rows == 0 || out.channels == 0) return status;
    const dim3 block(32, 8);
    const std::size_t blocks = (rows + 7) / 8;
    const unsigned grid = static_cast<unsigned>(blocks < 16384 ? blocks : 16384);
    if (dropout.train && dropout.p > 0)
        embed_rows<true><<<grid, block, 0, stream>>>(wte, wpe, ids, start, dropout, out);
    else
        embed_rows<false><<<grid, block, 0, stream>>>(wte, wpe, ids, start, dropout, out);
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
