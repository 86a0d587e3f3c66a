// wrong: where C is a multiple of 4 it reads dout as float4 without a look at the address, which aborts the kernel where dout.data is not a multiple of 16 (only 4 is promised); a right one checks the pointer or reads floats
#include "contract.h"

namespace exercise {

namespace {

template <int width>
struct Pack;
template <>
struct Pack<1> {
    float value[1];
};
template <>
struct alignas(16) Pack<4> {
    float value[4];
};

template <int width>
__global__ void tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
                       std::int64_t padding) {
    const std::size_t packs = dout.channels / width;
    const std::size_t all = dout.batch * dout.time * packs;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        const std::size_t place = i / packs;
        const std::size_t c = i % packs * width;
        const TokenId id = ids(place / dout.time, place % dout.time);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding) continue;
        const Pack<width> g = reinterpret_cast<const Pack<width>*>(dout.data)[i];
        float* const target = dwte.row(static_cast<std::size_t>(id)) + c;
        for (int k = 0; k < width; ++k) atomicAdd(target + k, g.value[k]);
    }
}

template <int width>
__global__ void positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t packs = dout.channels / width;
    const std::size_t all = dout.time * packs;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        float sum[width] = {};
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const Pack<width> g = reinterpret_cast<const Pack<width>*>(dout.data)[b * all + i];
            for (int k = 0; k < width; ++k) sum[k] += g.value[k];
        }
        float* const target = dwpe.row(start + i / packs) + i % packs * width;
        for (int k = 0; k < width; ++k) target[k] += sum[k];
    }
}

unsigned grid(std::size_t work) { return static_cast<unsigned>(work < 1048576 ? (work + 255) / 256 : 4096); }

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dout.channels;
    if (dout.batch != B || dout.time != T || C != dwte.cols || C != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (T > dwpe.rows || options.start > dwpe.rows - T) {
        const std::size_t p = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    if (B == 0 || T == 0 || C == 0) return Status{};
    if (C % 4 == 0) {
        tokens<4><<<grid(B * T * C / 4), 256, 0, stream>>>(dout, ids, dwte, options.padding_idx);
        positions<4><<<grid(T * C / 4), 256, 0, stream>>>(dout, dwpe, options.start);
    } else {
        tokens<1><<<grid(B * T * C), 256, 0, stream>>>(dout, ids, dwte, options.padding_idx);
        positions<1><<<grid(T * C), 256, 0, stream>>>(dout, dwpe, options.start);
    }
    return Status{};
}

} // namespace exercise
