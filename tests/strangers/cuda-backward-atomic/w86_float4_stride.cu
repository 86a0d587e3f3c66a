// wrong: dwpe is added to by float4 where C % 4 == 0 and both base pointers are multiples of 16, whatever the stride: with a dwpe.stride that is not a multiple of 4 the second row is a misaligned access
#include "contract.h"

namespace exercise {

namespace {

__global__ void scatter_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                               DeviceMatrix<float> dwte, std::int64_t padding) {
    const std::size_t places = dout.batch * dout.time;
    const std::size_t warp = (std::size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
    const std::size_t warps = std::size_t(gridDim.x) * blockDim.x / 32;
    const unsigned lane = threadIdx.x % 32;
    for (std::size_t n = warp; n < places; n += warps) {
        const std::int64_t id = ids(n / dout.time, n % dout.time);
        if (id < 0 || std::size_t(id) >= dwte.rows || id == padding) continue;
        const float* from = dout.data + n * dout.channels;
        float* to = dwte.row(std::size_t(id));
        for (std::size_t c = lane; c < dout.channels; c += 32) atomicAdd(to + c, from[c]);
    }
}

__global__ void positions_wide(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t quads = dout.channels / 4;
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= dout.time * quads) return;
    const std::size_t t = i / quads, q = i % quads;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (std::size_t b = 0; b < dout.batch; ++b) {
        const float4 g = reinterpret_cast<const float4*>(dout.row(b, t))[q];
        sum.x += g.x, sum.y += g.y, sum.z += g.z, sum.w += g.w;
    }
    float4* to = reinterpret_cast<float4*>(dwpe.row(start + t)) + q;
    float4 old = *to;
    old.x += sum.x, old.y += sum.y, old.z += sum.z, old.w += sum.w;
    *to = old;
}

__global__ void positions_narrow(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= dout.time * dout.channels) return;
    const std::size_t t = i / dout.channels, c = i % dout.channels;
    float sum = 0.0f;
    for (std::size_t b = 0; b < dout.batch; ++b) sum += dout(b, t, c);
    dwpe(start + t, c) += sum;
}

bool by_16(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; }

unsigned blocks_for(std::size_t items) { return static_cast<unsigned>((items + 255) / 256); }

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t V = dwte.rows, P = dwpe.rows, T = ids.cols, C = dout.channels, start = options.start;
    if (dout.batch != ids.rows || dout.time != T || dwte.cols != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && std::size_t(options.padding_idx) >= V)
        return Status{Code::invalid_argument, 0, options.padding_idx, std::int64_t(V)};
    if (start > P || T > P - start) {
        const std::size_t p = start > P ? start : P;
        return Status::position_out_of_range(p - start, std::int64_t(p), P);
    }
    if (ids.rows == 0 || T == 0 || C == 0) return Status{};

    const std::size_t places = ids.rows * T;
    scatter_tokens<<<places < 16384 ? blocks_for(places * 32) : 2048, 256, 0, stream>>>(dout, ids, dwte,
                                                                                       options.padding_idx);
    if (C % 4 == 0 && by_16(dout.data) && by_16(dwpe.data))
        positions_wide<<<blocks_for(T * (C / 4)), 256, 0, stream>>>(dout, dwpe, start);
    else
        positions_narrow<<<blocks_for(T * C), 256, 0, stream>>>(dout, dwpe, start);
    return Status{};
}

} // namespace exercise
