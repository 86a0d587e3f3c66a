// wrong: adds to dwte with a plain +=, a race wherever a token is at two places of the call, so additions get lost; a right one uses atomicAdd
#include "contract.h"

namespace exercise {

namespace {

unsigned blocks_for(std::size_t work, std::size_t threads) {
    const std::size_t n = (work + threads - 1) / threads;
    return static_cast<unsigned>(n < 8192 ? n : 8192);
}

__global__ void tokens_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                              DeviceMatrix<float> dwte, std::int64_t padding) {
    const std::size_t C = dout.channels;
    const std::size_t all = dout.batch * dout.time * C;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all; i += step) {
        const std::size_t place = i / C;
        const std::size_t c = i % C;
        const TokenId id = ids(place / ids.cols, place % ids.cols);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows) continue;
        if (id == padding) continue;
        dwte(static_cast<std::size_t>(id), c) += dout.data[i];
    }
}

__global__ void positions_kernel(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe,
                                 std::size_t start) {
    const std::size_t C = dout.channels;
    const std::size_t all = dout.time * C;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all; i += step) {
        const std::size_t t = i / C;
        const std::size_t c = i % C;
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b) sum += dout(b, t, c);
        dwpe(start + t, c) += sum;
    }
}

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
    constexpr unsigned threads = 256;
    tokens_kernel<<<blocks_for(B * T * C, threads), threads, 0, stream>>>(dout, ids, dwte,
                                                                          options.padding_idx);
    positions_kernel<<<blocks_for(T * C, threads), threads, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise
