// Fault: start reaches the kernel as an unsigned int, so a start of 2^32 + k adds to the rows from k on.
// Origin: round 14
#include "contract.h"

#include <cstddef>

namespace exercise {
namespace {

__device__ bool has_row(TokenId id, std::size_t V, std::int64_t padding_idx) {
    return id >= 0 && static_cast<std::size_t>(id) < V && id != padding_idx;
}

// Each place looks for the next one with its token. A place that was found is not the first of its token.
__global__ void link_places(DeviceMatrix<const TokenId> ids, std::size_t V, std::int64_t padding_idx,
                            std::size_t* next, unsigned* found) {
    const std::size_t T = ids.cols;
    const std::size_t places = ids.rows * T;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= places) return;
    const TokenId id = ids(i / T, i % T);
    std::size_t j = places;
    if (has_row(id, V, padding_idx)) {
        std::size_t b = i / T;
        std::size_t t = i % T;
        for (j = i + 1; j < places; ++j) {
            if (++t == T) {
                t = 0;
                ++b;
            }
            if (ids(b, t) == id) break;
        }
        if (j < places) found[j] = 1;
    }
    next[i] = j;
}

// The first place of a token follows the links, one thread a channel.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding_idx, const std::size_t* next,
                           const unsigned* found) {
    const std::size_t C = dout.channels;
    const std::size_t places = dout.batch * dout.time;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= places * C) return;
    std::size_t place = i / C;
    const std::size_t c = i % C;
    const TokenId id = ids(place / dout.time, place % dout.time);
    if (!has_row(id, dwte.rows, padding_idx) || found[place] != 0) return;
    float total = 0.0f;
    while (place < places) {
        float partial = 0.0f;
        for (std::size_t k = 0; k < terms_of_a_partial && place < places; ++k) {
            partial += dout.data[place * C + c];
            place = next[place];
        }
        total += partial;
    }
    dwte(static_cast<std::size_t>(id), c) += total;
}

__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, unsigned start) {
    const std::size_t C = dout.channels;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= dout.time * C) return;
    const std::size_t t = i / C;
    const std::size_t c = i % C;
    float sum = 0.0f;
    for (std::size_t b = 0; b < dout.batch; ++b)
        sum += dout(b, t, c);
    dwpe(start + t, c) += sum;
}

unsigned blocks_for(std::size_t work, unsigned threads) {
    return static_cast<unsigned>((work + threads - 1) / threads);
}

Status check(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
             const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe, const BackwardOptions& options) {
    const std::size_t C = dout.channels;
    if (dout.batch != ids.rows || dout.time != ids.cols || dwte.cols != C || dwpe.cols != C)
        return {Code::shape_mismatch, 0, 0, 0};
    const std::size_t V = dwte.rows;
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= V)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    const std::size_t P = dwpe.rows;
    if (options.start > P || ids.cols > P - options.start) {
        const std::size_t p = options.start > P ? options.start : P;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    return {};
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = check(dout, ids, dwte, dwpe, options);
    if (status.code != Code::ok) return status;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return {};

    const unsigned threads = options.threads;
    const std::size_t places = dout.batch * dout.time;

    void* scratch = nullptr;
    cudaMallocAsync(&scratch, places * (sizeof(std::size_t) + sizeof(unsigned)), stream);
    std::size_t* const next = static_cast<std::size_t*>(scratch);
    unsigned* const found = reinterpret_cast<unsigned*>(next + places);
    cudaMemsetAsync(found, 0, places * sizeof(unsigned), stream);

    link_places<<<blocks_for(places, threads), threads, 0, stream>>>(ids, dwte.rows, options.padding_idx, next,
                                                                     found);
    add_tokens<<<blocks_for(places * dout.channels, threads), threads, 0, stream>>>(
        dout, ids, dwte, options.padding_idx, next, found);
    add_positions<<<blocks_for(dout.time * dout.channels, threads), threads, 0, stream>>>(
        dout, dwpe, static_cast<unsigned>(options.start));
    cudaFreeAsync(scratch, stream);
    return {};
}

} // namespace exercise
