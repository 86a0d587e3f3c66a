// mistake: no-barrier-after-the-ids
// says: The first threads put the ids into shared memory, and the others read them without waiting: a
//   __syncthreads() is missing between the two.
// hint: Who writes the shared array, who reads it, and what makes the reader wait?
// symptom: Right in a quiet test; on a busy GPU some gradients go to the tokens of the block before.
// fails: each row collects the gradients of its token; a repeated token collects once for each time;
//   positions are summed over the batch; a second call adds to the first; untouched rows keep every bit;
//   the padding token gets no gradient; an id outside the vocabulary adds nothing; random shapes agree with
//   the reference; sizes that fill no block are summed whole; rows may begin at any multiple of four bytes;
//   padding between rows is skipped; the work goes to the caller's stream; a warp moves whole sectors;
//   eight thousand equal ids give exactly eight thousand; frequent tokens stay within their rounding;
//   gradients of more than two billion elements; seventy thousand tokens
// finds: race_in_block; uninitialized_read
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned int block = 256;

unsigned int blocks_for(std::size_t threads) {
    return static_cast<unsigned int>((threads + block - 1) / block);
}

/// A block takes 32 places and 32 channels. It first adds up runs of equal tokens in shared memory, so that a
/// frequent token costs fewer atomics.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    __shared__ TokenId mine[32];
    const std::size_t first = std::size_t{blockIdx.x} * 32, places = dout.batch * dout.time;
    const std::size_t count = places - first < 32 ? places - first : 32;
    if (threadIdx.x < count)
        mine[threadIdx.x] = ids((first + threadIdx.x) / dout.time, (first + threadIdx.x) % dout.time);
    for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
        float sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t place = first + i;
            sum += dout(place / dout.time, place % dout.time, c);
            if (i + 1 < count && mine[i + 1] == mine[i]) continue;
            const TokenId id = mine[i];
            if (id >= 0 && static_cast<std::size_t>(id) < dwte.rows && id != padding_idx)
                atomicAdd(&dwte(static_cast<std::size_t>(id), c), sum);
            sum = 0;
        }
    }
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
    add_tokens<<<static_cast<unsigned int>((B * T + 31) / 32), 64, 0, stream>>>(dout, ids, dwte,
                                                                                options.padding_idx);
    add_positions<<<blocks_for(T * C), block, 0, stream>>>(dout, dwpe, options.start);
    return {};
}

} // namespace exercise
