// mistake: padding-skips-the-position
// says: You leave out the position of a padding token as well. Its row of dwte is excepted, the position it
//   stood on is not.
// hint: Which term of out[b, t] is no parameter, and which is?
// symptom: Late positions learn too little in batches of unequal lengths.
// fails: padding and unknown ids add nothing; seventy thousand tokens
#include "contract.h"

namespace exercise {
namespace {

/// What a place knows of the others with its token.
struct Link {
    bool first;       ///< no earlier place has the token, and the token has a row in dwte
    std::size_t next; ///< the next place that has it, in reading order, or B * T
};

unsigned int blocks_for(std::size_t work, unsigned int threads) {
    return static_cast<unsigned int>((work + threads - 1) / threads);
}

__device__ TokenId id_at(DeviceMatrix<const TokenId> ids, std::size_t place) {
    return ids(place / ids.cols, place % ids.cols);
}

/// One thread a place. Looking at all others costs (B * T)^2 steps in all; sorting would be faster.
__global__ void link_places(DeviceMatrix<const TokenId> ids, std::size_t V, std::int64_t padding_idx,
                            Link* links) {
    const std::size_t place = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t places = ids.rows * ids.cols;
    if (place >= places) return;
    const TokenId id = id_at(ids, place);
    bool first = id >= 0 && static_cast<std::size_t>(id) < V && id != padding_idx;
    for (std::size_t earlier = place; first && earlier-- > 0;)
        first = id_at(ids, earlier) != id;
    std::size_t next = place + 1;
    while (next < places && id_at(ids, next) != id)
        ++next;
    links[place] = {first, next};
}

/// One thread an element of dout. That of a token's first place makes the whole sum: it follows the links,
/// and nobody else writes to its element of dwte.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, const Link* links) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t places = ids.rows * ids.cols;
    if (element >= places * dout.channels) return;
    const std::size_t first = element / dout.channels, c = element % dout.channels;
    if (!links[first].first) return;
    float total = 0;
    std::size_t place = first;
    while (place < places) {
        float partial = 0;
        for (std::size_t term = 0; term < terms_of_a_partial && place < places; ++term) {
            partial += dout.data[place * dout.channels + c];
            place = links[place].next;
        }
        total += partial;
    }
    dwte(static_cast<std::size_t>(id_at(ids, first)), c) += total;
}

/// One thread an element of the window.
__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                              DeviceMatrix<float> dwpe, BackwardOptions options) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (element >= dout.time * dout.channels) return;
    const std::size_t t = element / dout.channels, c = element % dout.channels;
    float sum = 0;
    for (std::size_t b = 0; b < dout.batch; ++b)
        if (ids(b, t) != options.padding_idx) sum += dout(b, t, c);
    dwpe(options.start + t, c) += sum;
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
    Link* links = nullptr;
    cudaMallocAsync(&links, B * T * sizeof(Link), stream);
    link_places<<<blocks_for(B * T, threads), threads, 0, stream>>>(ids, dwte.rows, options.padding_idx,
                                                                    links);
    add_tokens<<<blocks_for(B * T * C, threads), threads, 0, stream>>>(dout, ids, dwte, links);
    cudaFreeAsync(links, stream);
    add_positions<<<blocks_for(T * C, threads), threads, 0, stream>>>(dout, ids, dwpe, options);
    return {};
}

} // namespace exercise
