// mistake: assigns-to-the-tokens
// says: You store the gradient instead of adding it: of a repeated token the last one is left, and what was
//   there before is gone.
// hint: Two places read the row of a token; how many terms has its gradient?
// symptom: Frequent tokens learn as slowly as rare ones.
// finds: race_in_block; race_between_blocks
// fails: each row collects the gradients of its token; a repeated token collects once for each time;
//   positions are summed over the batch; a second call adds to the first; the padding token gets no
//   gradient; an id outside the vocabulary adds nothing; random shapes agree with the reference; sizes that
//   fill no block are summed whole; rows may begin at any multiple of four bytes; padding between rows is
//   skipped; the work goes to the caller's stream; a warp moves whole sectors; eight thousand equal ids
//   give exactly eight thousand; frequent tokens stay within their rounding; gradients of more than two
//   billion elements; seventy thousand tokens
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned int block = 256;

unsigned int blocks_for(std::size_t threads) {
    return static_cast<unsigned int>((threads + block - 1) / block);
}

__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (element >= dout.batch * dout.time * dout.channels) return;
    const std::size_t place = element / dout.channels, c = element % dout.channels;
    const std::size_t b = place / dout.time, t = place % dout.time;
    const TokenId id = ids(b, t);
    if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding_idx) return;
    dwte(static_cast<std::size_t>(id), c) = dout(b, t, c);
}

/// One thread an element of the window. Nobody else has it, so a plain += will do.
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
    add_tokens<<<blocks_for(B * T * C), block, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    add_positions<<<blocks_for(T * C), block, 0, stream>>>(dout, dwpe, options.start);
    return {};
}

} // namespace exercise
