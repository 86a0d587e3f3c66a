// mistake: plain-plus
// says: Every place adds to its token's row with a plain +=. Where tokens are equal, threads read the same
//   old value, and additions are lost.
// hint: Who else writes to the row of your token?
// symptom: Gradients of frequent tokens are too small, by another amount in each run.
// fails: each row collects the gradients of its token; sixteen terms make a partial sum; positions are
//   summed over the batch; a second call adds to the first; padding and unknown ids add nothing; random
//   shapes agree to the last bit; every size of a block gives the same bits; fifty runs give the same bits;
//   sizes that fill no block are summed whole; rows may begin at any multiple of four bytes; padding
//   between rows is skipped; the work goes to the caller's stream; equal, frequent and rare ids keep their
//   order; gradients of more than two billion elements
// finds: race_between_blocks; race_in_block
#include "contract.h"

namespace exercise {
namespace {

unsigned int blocks_for(std::size_t work, unsigned int threads) {
    return static_cast<unsigned int>((work + threads - 1) / threads);
}

__device__ TokenId id_at(DeviceMatrix<const TokenId> ids, std::size_t place) {
    return ids(place / ids.cols, place % ids.cols);
}

/// One thread an element of dout, added to its token's row.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (element >= ids.rows * ids.cols * dout.channels) return;
    const TokenId id = id_at(ids, element / dout.channels);
    if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding_idx) return;
    dwte(static_cast<std::size_t>(id), element % dout.channels) += dout.data[element];
}

/// One thread an element of the window.
__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (element >= dout.time * dout.channels) return;
    const std::size_t t = element / dout.channels, c = element % dout.channels;
    float sum = 0;
    for (std::size_t b = 0; b < dout.batch; ++b)
        sum += dout(b, t, c);
    dwpe(start + t, c) += sum;
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dout.channels;
    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C) return {Code::shape_mismatch};
    const auto V = static_cast<std::int64_t>(dwte.rows);
    if (options.padding_idx >= V) return {Code::invalid_argument, 0, options.padding_idx, V};
    if (options.start > dwpe.rows || T > dwpe.rows - options.start) {
        const std::size_t position = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(position - options.start, static_cast<std::int64_t>(position),
                                             dwpe.rows);
    }
    if (B * T * C == 0) return {};
    const unsigned int threads = options.threads;
    add_tokens<<<blocks_for(B * T * C, threads), threads, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    add_positions<<<blocks_for(T * C, threads), threads, 0, stream>>>(dout, dwpe, options.start);
    return {};
}

} // namespace exercise
