// wrong: a partial sum is also closed at the end of each sequence, so pieces of 16 are counted anew in every row of ids; shows in the bits where a token has places in two sequences, its terms have to round, and 16 places or a sequence end split them differently; a right one cuts the places of the token over the whole batch
#include "contract.h"

namespace exercise {
namespace {

__device__ TokenId id_at(const DeviceMatrix<const TokenId>& ids, std::size_t place) {
    return ids(place / ids.cols, place % ids.cols);
}

__global__ void __launch_bounds__(1024) token_sums(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding) {
    const std::size_t places = ids.rows * ids.cols, C = dout.channels;
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < places * C; i += step) {
        const std::size_t place = i / C, c = i % C;
        const TokenId id = id_at(ids, place);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding) continue;
        bool first = true;
        for (std::size_t q = place; first && q > 0; --q)
            first = id_at(ids, q - 1) != id;
        if (!first) continue;

        float total = 0.0F, partial = 0.0F;
        std::size_t terms = 0;
        for (std::size_t b = place / ids.cols; b < ids.rows; ++b) {
            for (std::size_t t = 0; t < ids.cols; ++t) {
                if (ids(b, t) != id) continue;
                partial += dout(b, t, c);
                if (++terms == terms_of_a_partial) {
                    total += partial;
                    partial = 0.0F;
                    terms = 0;
                }
            }
            if (terms > 0) total += partial; // what is left of this sequence
            partial = 0.0F;
            terms = 0;
        }
        dwte(static_cast<std::size_t>(id), c) += total;
    }
}

__global__ void __launch_bounds__(1024) position_sums(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t C = dout.channels, step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < dout.time * C; i += step) {
        const std::size_t t = i / C, c = i % C;
        float sum = 0.0F;
        for (std::size_t b = 0; b < dout.batch; ++b)
            sum += dout(b, t, c);
        dwpe(start + t, c) += sum;
    }
}

Status refusal(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
               const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe,
               const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t start = options.start, P = dwpe.rows;
    if (start > P || dout.time > P - start) {
        const std::size_t p = start > P ? start : P;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    return Status{};
}

unsigned grid(std::size_t work, unsigned threads) {
    const std::size_t blocks = (work + threads - 1) / threads;
    return static_cast<unsigned>(blocks < 1'000'000 ? blocks : 1'000'000);
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = refusal(dout, ids, dwte, dwpe, options);
    if (status.code != Code::ok) return status;
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels;
    if (B == 0 || T == 0 || C == 0) return status;

    const unsigned threads = options.threads;
    token_sums<<<grid(B * T * C, threads), threads, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    position_sums<<<grid(T * C, threads), threads, 0, stream>>>(dout, dwpe, options.start);
    return status;
}

} // namespace exercise
