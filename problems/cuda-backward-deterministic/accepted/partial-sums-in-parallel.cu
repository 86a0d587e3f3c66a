// accepted: places linked and numbered, a thread for each partial sum and channel
#include "contract.h"

namespace exercise {
namespace {

/// What a place knows of the others with its token.
struct Link {
    std::size_t before; ///< the place before it, itself for the first, or B * T where the token has no row
    std::size_t next;   ///< the next place that has the token, in reading order, or B * T
};

unsigned int blocks_for(std::size_t work, unsigned int threads) {
    return static_cast<unsigned int>((work + threads - 1) / threads);
}

__device__ TokenId id_at(DeviceMatrix<const TokenId> ids, std::size_t place) {
    return ids(place / ids.cols, place % ids.cols);
}

__global__ void link_places(DeviceMatrix<const TokenId> ids, std::size_t V, std::int64_t padding_idx,
                            Link* links) {
    const std::size_t place = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t places = ids.rows * ids.cols;
    if (place >= places) return;
    const TokenId id = id_at(ids, place);
    Link link{places, places};
    if (id >= 0 && static_cast<std::size_t>(id) < V && id != padding_idx) {
        std::size_t earlier = place;
        while (earlier > 0 && id_at(ids, earlier - 1) != id)
            --earlier;
        link.before = earlier > 0 ? earlier - 1 : place;
        for (link.next = place + 1; link.next < places && id_at(ids, link.next) != id;)
            ++link.next;
    }
    links[place] = link;
}

/// The first place of a token walks along the others and numbers them.
__global__ void number_places(std::size_t places, const Link* links, unsigned int* ranks) {
    const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (first >= places || links[first].before != first) return;
    unsigned int rank = 0;
    for (std::size_t place = first; place < places; place = links[place].next)
        ranks[place] = rank++;
}

/// Every sixteenth place of a token makes a partial sum of its row and the next fifteen.
__global__ void make_partials(DeviceTensor3<const float> dout, const Link* links, const unsigned int* ranks,
                              float* partials) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t places = dout.batch * dout.time;
    if (element >= places * dout.channels) return;
    std::size_t place = element / dout.channels;
    const std::size_t c = element % dout.channels;
    if (links[place].before == places || ranks[place] % terms_of_a_partial != 0) return;
    float partial = 0;
    for (std::size_t term = 0; term < terms_of_a_partial && place < places; ++term) {
        partial += dout.data[place * dout.channels + c];
        place = links[place].next;
    }
    partials[element] = partial;
}

/// The first place of a token adds the partial sums in order.
__global__ void add_partials(DeviceMatrix<const TokenId> ids, const Link* links, const unsigned int* ranks,
                             const float* partials, DeviceMatrix<float> dwte) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t places = ids.rows * ids.cols;
    if (element >= places * dwte.cols) return;
    const std::size_t first = element / dwte.cols, c = element % dwte.cols;
    if (links[first].before != first) return;
    float total = 0;
    for (std::size_t place = first; place < places; place = links[place].next)
        if (ranks[place] % terms_of_a_partial == 0) total += partials[place * dwte.cols + c];
    dwte(static_cast<std::size_t>(id_at(ids, first)), c) += total;
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
    Link* links = nullptr;
    unsigned int* ranks = nullptr;
    float* partials = nullptr;
    cudaMallocAsync(&links, B * T * sizeof(Link), stream);
    cudaMallocAsync(&ranks, B * T * sizeof(unsigned int), stream);
    cudaMallocAsync(&partials, B * T * C * sizeof(float), stream);
    const unsigned int for_places = blocks_for(B * T, threads), for_elements = blocks_for(B * T * C, threads);
    link_places<<<for_places, threads, 0, stream>>>(ids, dwte.rows, options.padding_idx, links);
    number_places<<<for_places, threads, 0, stream>>>(B * T, links, ranks);
    make_partials<<<for_elements, threads, 0, stream>>>(dout, links, ranks, partials);
    add_partials<<<for_elements, threads, 0, stream>>>(ids, links, ranks, partials, dwte);
    cudaFreeAsync(partials, stream);
    cudaFreeAsync(ranks, stream);
    cudaFreeAsync(links, stream);
    add_positions<<<blocks_for(T * C, threads), threads, 0, stream>>>(dout, dwpe, options.start);
    return {};
}

} // namespace exercise
