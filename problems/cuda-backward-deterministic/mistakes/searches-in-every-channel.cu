// mistake: searches-in-every-channel
// says: Each of the C threads of a place searches the ids by itself. The sums are right, but the search,
//   which does not depend on the channel, is done C times, and the ids are read more often than dout.
// hint: What does the search have to do with the channel? Who could do it once, and how would the others
//   know?
// symptom: Right, and slower the wider the rows are.
// fails: a warp moves whole sectors
// finds: too_much_traffic
#include "contract.h"

namespace exercise {
namespace {

unsigned int blocks_for(std::size_t work, unsigned int threads) {
    return static_cast<unsigned int>((work + threads - 1) / threads);
}

__device__ TokenId id_at(DeviceMatrix<const TokenId> ids, std::size_t place) {
    return ids(place / ids.cols, place % ids.cols);
}

/// One thread an element of dout. That of a token's first place looks for the others and makes the whole sum.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t places = ids.rows * ids.cols;
    if (element >= places * dout.channels) return;
    const std::size_t first = element / dout.channels, c = element % dout.channels;
    const TokenId id = id_at(ids, first);
    if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding_idx) return;
    for (std::size_t earlier = first; earlier-- > 0;)
        if (id_at(ids, earlier) == id) return;
    float total = 0, partial = 0;
    std::size_t terms = 0;
    for (std::size_t place = first; place < places; ++place) {
        if (id_at(ids, place) != id) continue;
        partial += dout.data[place * dout.channels + c];
        if (++terms % terms_of_a_partial != 0) continue;
        total += partial;
        partial = 0;
    }
    if (terms % terms_of_a_partial != 0) total += partial;
    dwte(static_cast<std::size_t>(id), c) += total;
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
