// wrong: the offset of a row of dwte or dwpe is a product of 32-bit unsigned numbers, so a row that begins 2^32 or more elements after row 0 is added to in a wrong place; a right one multiplies in 64 bits.
#include "contract.h"

namespace exercise {
namespace {

/// A block takes places in turn. The first place of a token adds up all of them, a thread a channel; the others
/// find that they are not the first.
__global__ void token_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                             DeviceMatrix<float> dwte, std::int64_t padding) {
    __shared__ int seen_before;
    const std::size_t T = ids.cols, places = ids.rows * T;
    for (std::size_t place = blockIdx.x; place < places; place += gridDim.x) {
        const TokenId token = ids(place / T, place % T);
        if (token < 0 || static_cast<std::size_t>(token) >= dwte.rows || token == padding) continue; // all of us
        if (threadIdx.x == 0) seen_before = 0;
        __syncthreads();
        bool seen = false;
        for (std::size_t other = threadIdx.x; other < place && !seen; other += blockDim.x)
            seen = ids(other / T, other % T) == token;
        if (seen) atomicExch(&seen_before, 1);
        __syncthreads();
        const bool mine = seen_before == 0;
        __syncthreads();
        if (!mine) continue;
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            float total = 0.0f, partial = 0.0f;
            unsigned terms = 0;
            for (std::size_t m = place; m < places; ++m) {
                if (ids(m / T, m % T) != token) continue;
                partial += dout.data[m * dout.channels + c];
                if (++terms % terms_of_a_partial != 0) continue;
                total += partial;
                partial = 0.0f;
            }
            if (terms % terms_of_a_partial != 0) total += partial;
            dwte.data[static_cast<unsigned>(token) * static_cast<unsigned>(dwte.stride) + c] += total;
        }
    }
}

__global__ void position_kernel(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    for (std::size_t t = blockIdx.x; t < dout.time; t += gridDim.x)
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            float sum = 0.0f;
            for (std::size_t b = 0; b < dout.batch; ++b)
                sum += dout(b, t, c);
            dwpe.data[static_cast<unsigned>(start + t) * static_cast<unsigned>(dwpe.stride) + c] += sum;
        }
}

unsigned grid(std::size_t blocks) {
    return static_cast<unsigned>(blocks < 65'535 ? blocks : 65'535);
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols, V = dwte.rows, P = dwpe.rows;
    if (dwpe.cols != C || dout.batch != B || dout.time != T || dout.channels != C)
        return {Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= V)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (options.start > P || T > P - options.start) {
        const std::size_t p = options.start > P ? options.start : P;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0 || C == 0) return {};

    token_kernel<<<grid(B * T), options.threads, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    position_kernel<<<grid(T), options.threads, 0, stream>>>(dout, dwpe, options.start);
    return {};
}

} // namespace exercise
