// wrong: the kernel for dwpe is launched without a stream and runs on the default one, unordered with the caller's own stream, so dout may not be there yet and the results are not complete when the stream is; a right one launches all work on `stream`.
#include "contract.h"

namespace exercise {
namespace {

__device__ std::size_t my_index() {
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ TokenId token_at(const DeviceMatrix<const TokenId>& ids, std::size_t place) {
    return ids(place / ids.cols, place % ids.cols);
}

/// next[n]: the next place with the token of place n, or `places`. first[n]: whether there is none before it,
/// and the token has a row.
__global__ void link(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, std::int64_t padding,
                     std::size_t places, std::size_t* next, unsigned char* first) {
    const std::size_t n = my_index();
    if (n >= places) return;
    const TokenId token = token_at(ids, n);
    const bool has_row =
        token >= 0 && static_cast<std::size_t>(token) < vocabulary && static_cast<std::int64_t>(token) != padding;
    bool found = false;
    if (has_row)
        for (std::size_t m = n; m-- > 0 && !found;)
            found = token_at(ids, m) == token;
    first[n] = has_row && !found;
    std::size_t m = n + 1;
    if (has_row)
        while (m < places && token_at(ids, m) != token)
            ++m;
    else
        m = places;
    next[n] = m;
}

/// One thread a place and a channel; the first place of each token follows the links.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t places,
                           const std::size_t* next, const unsigned char* first, DeviceMatrix<float> dwte) {
    const std::size_t e = my_index();
    if (e >= places * dout.channels) return;
    const std::size_t n = e / dout.channels, c = e % dout.channels;
    if (!first[n]) return;
    float total = 0.0f;
    for (std::size_t m = n; m < places;) {
        float partial = 0.0f;
        for (std::size_t k = 0; k < terms_of_a_partial && m < places; ++k, m = next[m])
            partial += dout.data[m * dout.channels + c];
        total += partial;
    }
    dwte(static_cast<std::size_t>(token_at(ids, n)), c) += total;
}

/// One thread an element of the window.
__global__ void add_positions(DeviceTensor3<const float> dout, std::size_t start, DeviceMatrix<float> dwpe) {
    const std::size_t e = my_index();
    if (e >= dout.time * dout.channels) return;
    const std::size_t t = e / dout.channels, c = e % dout.channels;
    float sum = 0.0f;
    for (std::size_t b = 0; b < dout.batch; ++b)
        sum += dout(b, t, c);
    dwpe(start + t, c) += sum;
}

unsigned blocks_for(std::size_t work, unsigned threads) {
    return static_cast<unsigned>((work + threads - 1) / threads);
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

    const std::size_t places = B * T;
    const unsigned threads = options.threads;
    std::size_t* next = nullptr;
    unsigned char* first = nullptr;
    cudaMallocAsync(reinterpret_cast<void**>(&next), places * sizeof(std::size_t), stream);
    cudaMallocAsync(reinterpret_cast<void**>(&first), places, stream);
    link<<<blocks_for(places, threads), threads, 0, stream>>>(ids, V, options.padding_idx, places, next, first);
    add_tokens<<<blocks_for(places * C, threads), threads, 0, stream>>>(dout, ids, places, next, first, dwte);
    cudaFreeAsync(next, stream);
    cudaFreeAsync(first, stream);
    add_positions<<<blocks_for(T * C, threads), threads>>>(dout, options.start, dwpe);
    return {};
}

} // namespace exercise
