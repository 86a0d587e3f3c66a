// mistake: divides-by-what-stays
// says: You divide by 1 - p; the contract multiplies by the float 1 / (1 - p), and the two round differently.
// hint: Write 1 / (1 - p) as one float, then multiply.
// symptom: Off by one unit in the last place, in about a third of the elements.
// fails: random shapes agree with the reference; rows of any width are whole; padding is stepped over; the
//   work goes to the caller's stream; one pass moves whole sectors; seventy thousand tokens; narrow rows in
//   sixteen bits waste little; random shapes agree in sixteen bits
#include "contract.h"

#include <cuda_bf16.h>

#include <algorithm>

namespace exercise {
namespace {

__device__ float drop(float value, Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return value;
    std::uint64_t z = dropout.seed + (dropout.offset + element + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    const double uniform = (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
    return uniform >= dropout.p ? value / (1.0F - dropout.p) : 0.0F;
}

__device__ void store(float& to, float value) {
    to = value;
}
__device__ void store(std::uint16_t& to, float value) {
    to = __bfloat16_as_ushort(__float2bfloat16_rn(value));
}

template <class T>
__global__ void embed_elements(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                               DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                               DeviceTensor3<T> out) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (element >= out.batch * out.time * out.channels) return;
    const std::size_t row = element / out.channels, c = element % out.channels;
    const std::size_t b = row / out.time, t = row % out.time;
    const TokenId id = ids(b, t);
    const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
    const float token = known ? wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
    store(out(b, t, c), drop(token + wpe(start + t, c), dropout, element));
}

template <class T>
Status embed_as(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
                std::size_t start, Dropout dropout, DeviceTensor3<T> out, cudaStream_t stream) {
    const bool fits =
        wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols && out.channels == wte.cols;
    if (!fits) return {Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (!(dropout.p >= 0 && dropout.p <= 1)) return {Code::invalid_argument};
    const std::size_t elements = out.batch * out.time * out.channels;
    if (elements == 0) return {};
    constexpr unsigned int block = 256;
    const auto grid = static_cast<unsigned int>((elements + block - 1) / block);
    embed_elements<<<grid, block, 0, stream>>>(wte, wpe, ids, start, dropout, out);
    return {};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return embed_as(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return embed_as(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise
