// wrong: a p outside [0, 1] or NaN is refused only with train = true; with train = false the call is carried out and returns Status{}
#include "contract.h"

#include <algorithm>
#include <cuda_bf16.h>
#include <optional>

namespace exercise {
namespace {

using std::size_t;

struct Generator {
    std::uint64_t state;
    static __host__ __device__ constexpr std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    __device__ double operator[](std::uint64_t index) const {
        return (static_cast<double>(mix(state + (index + 1) * 0x9E3779B97F4A7C15u) >> 12) + 0.5) * 0x1p-52;
    }
};

template <class Store, class O>
__global__ void layer(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                      DeviceMatrix<const TokenId> ids, size_t start, Dropout d, float factor,
                      DeviceTensor3<O> out, Store store) {
    const Generator random{d.seed};
    const size_t count = out.batch * out.time * out.channels;
    const size_t step = size_t{gridDim.x} * blockDim.x;
    for (size_t e = size_t{blockIdx.x} * blockDim.x + threadIdx.x; e < count; e += step) {
        const size_t n = e / out.channels, c = e % out.channels, t = n % out.time;
        const TokenId id = ids(n / out.time, t);
        const bool valid = id >= 0 && static_cast<size_t>(id) < wte.rows;
        const float token = valid ? wte(static_cast<size_t>(id), c) : __int_as_float(0x7fc00000);
        const float sum = token + wpe(start + t, c);
        float result = sum;
        if (d.train && d.p != 0.0F) result = random[d.offset + e] >= d.p ? sum * factor : 0.0F;
        store(out.data + e, result);
    }
}

struct StoreFloat {
    __device__ void operator()(float* to, float x) const { *to = x; }
};
struct StoreBf16 {
    __device__ void operator()(std::uint16_t* to, float x) const {
        *to = __bfloat16_as_ushort(__float2bfloat16_rn(x));
    }
};

template <class O>
std::optional<Status> refusal(const DeviceMatrix<const float>& wte, const DeviceMatrix<const float>& wpe,
                              const DeviceMatrix<const TokenId>& ids, size_t start, const Dropout& d,
                              const DeviceTensor3<O>& out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{.code = Code::shape_mismatch};
    if (const size_t p = std::max(start, wpe.rows); start > wpe.rows || ids.cols > wpe.rows - start)
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    if (d.train && !(d.p >= 0.0F && d.p <= 1.0F)) return Status{.code = Code::invalid_argument};
    return std::nullopt;
}

template <class Store, class O>
Status run(const DeviceMatrix<const float>& wte, const DeviceMatrix<const float>& wpe,
           const DeviceMatrix<const TokenId>& ids, size_t start, const Dropout& d, const DeviceTensor3<O>& out,
           cudaStream_t stream, Store store) {
    if (const auto no = refusal(wte, wpe, ids, start, d, out)) return *no;
    const size_t count = out.batch * out.time * out.channels;
    if (count != 0)
        layer<<<static_cast<unsigned>(std::min<size_t>((count + 511) / 512, 20'000)), 512, 0, stream>>>(
            wte, wpe, ids, start, d, 1.0F / (1.0F - d.p), out, store);
    return {};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return run(wte, wpe, ids, start, dropout, out, stream, StoreFloat{});
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return run(wte, wpe, ids, start, dropout, out, stream, StoreBf16{});
}

} // namespace exercise
