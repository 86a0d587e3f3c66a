// mistake: no-barrier-after-the-flags
// says: The threads flag equal ids in shared memory and read all flags without waiting for each other.
// hint: Who writes equal[i], who reads it, and what makes the reader wait?
// symptom: Places are missed, others than in the run before.
// fails: each row collects the gradients of its token; sixteen terms make a partial sum; positions are
//   summed over the batch; a second call adds to the first; untouched rows keep every bit; padding and
//   unknown ids add nothing; random shapes agree to the last bit; every size of a block gives the same
//   bits; fifty runs give the same bits; sizes that fill no block are summed whole; rows may begin at any
//   multiple of four bytes; padding between rows is skipped; the work goes to the caller's stream; a warp
//   moves whole sectors; equal, frequent and rare ids keep their order; gradients of more than two billion
//   elements; seventy thousand tokens
// finds: out_of_bounds; race_in_block; uninitialized_read
#include "contract.h"

namespace exercise {
namespace {

unsigned int blocks_for(std::size_t work, unsigned int threads) {
    return static_cast<unsigned int>((work + threads - 1) / threads);
}

__device__ TokenId id_at(DeviceMatrix<const TokenId> ids, std::size_t place) {
    return ids(place / ids.cols, place % ids.cols);
}

constexpr unsigned int width = 64;

/// A block a place. The first place of a token lists the places of all, a tile at a time; the threads add them up
/// along the channels, two channels apart by the width of the block.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    __shared__ bool equal[width];
    const std::size_t first = blockIdx.x, places = ids.rows * ids.cols;
    const TokenId id = id_at(ids, first);
    if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding_idx) return;
    for (std::size_t base = 0; base < first; base += width) {
        const std::size_t place = base + threadIdx.x;
        if (__syncthreads_or(place < first && id_at(ids, place) == id)) return;
    }
    for (std::size_t start = 0; start < dout.channels; start += width) {
        const std::size_t c = start + threadIdx.x;
        float total = 0, partial = 0;
        std::size_t terms = 0;
        for (std::size_t base = first; base < places; base += width) {
            const std::size_t place = base + threadIdx.x;
            equal[threadIdx.x] = place < places && id_at(ids, place) == id;
            for (std::size_t i = 0; i < width && c < dout.channels; ++i) {
                if (!equal[i]) continue;
                partial += dout.data[(base + i) * dout.channels + c];
                if (++terms % terms_of_a_partial == 0) {
                    total += partial;
                    partial = 0;
                }
            }
            __syncthreads();
        }
        if (terms % terms_of_a_partial != 0) total += partial;
        if (c < dout.channels) dwte(static_cast<std::size_t>(id), c) += total;
    }
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
    add_tokens<<<static_cast<unsigned int>(B * T), width, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    add_positions<<<blocks_for(T * C, threads), threads, 0, stream>>>(dout, dwpe, options.start);
    return {};
}

} // namespace exercise
