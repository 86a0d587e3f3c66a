// wrong: places without a row get the key 2^31 - 1, and places with this key are skipped, so token 2^31 - 1, which has a row where V > 2^31 - 1, gets no gradient
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace exercise {
namespace {

constexpr std::size_t most_blocks = std::size_t{1} << 20;

unsigned blocks_for(std::size_t work, unsigned threads) {
    return static_cast<unsigned>(std::min((work + threads - 1) / threads, most_blocks));
}

__device__ bool usable(TokenId id, std::size_t vocabulary, std::int64_t padding) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding;
}

constexpr TokenId no_token = 0x7fffffff; // greater than any id

// The ids in reading order, without stride; those that have no row become no_token.
__global__ void make_keys(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, std::int64_t padding,
                          TokenId* keys) {
    const std::size_t places = ids.rows * ids.cols;
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < places; i += step) {
        const TokenId id = ids(i / ids.cols, i % ids.cols);
        keys[i] = usable(id, vocabulary, padding) ? id : no_token;
    }
}

// next[i]: the next place with the token of place i, `places` where there is none. leads[i]: whether place i is
// the first of a token that has a row.
__global__ void link_places(const TokenId* keys, std::size_t places, std::size_t* next, unsigned char* leads) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < places; i += step) {
        const TokenId key = keys[i];
        std::size_t after = places;
        bool leading = key != no_token;
        if (leading) {
            for (std::size_t j = 0; leading && j < i; ++j) leading = keys[j] != key;
            for (std::size_t j = i + 1; j < places; ++j)
                if (keys[j] == key) {
                    after = j;
                    break;
                }
        }
        next[i] = after;
        leads[i] = leading ? 1 : 0;
    }
}

// The first place of a token has a thread for each channel, which follows the links.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, const std::size_t* next, const unsigned char* leads) {
    const std::size_t places = dout.batch * dout.time;
    const std::size_t total_work = places * dout.channels;
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < total_work; i += step) {
        const std::size_t place = i / dout.channels;
        const std::size_t c = i - place * dout.channels;
        if (leads[place] == 0) continue;
        const TokenId id = ids(place / dout.time, place % dout.time);
        float total = 0.0f;
        for (std::size_t at = place; at < places;) {
            float partial = 0.0f;
            for (std::size_t k = 0; k < terms_of_a_partial && at < places; ++k) {
                partial += dout.data[at * dout.channels + c];
                at = next[at];
            }
            total += partial;
        }
        dwte(static_cast<std::size_t>(id), c) += total;
    }
}

// A thread for each element of the window of dwpe.
__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t window = dout.time * dout.channels;
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < window; i += step) {
        const std::size_t t = i / dout.channels;
        const std::size_t c = i - t * dout.channels;
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b) sum += dout(b, t, c);
        dwpe(start + t, c) += sum;
    }
}

Status check(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
             const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe, const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t p = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    return Status{};
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = check(dout, ids, dwte, dwpe, options);
    if (status.code != Code::ok) return status;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return Status{};
    const std::size_t places = dout.batch * dout.time;
    const unsigned threads = options.threads;
    void* links = nullptr;
    void* flags = nullptr;
    cudaMallocAsync(&links, places * sizeof(std::size_t), stream);
    cudaMallocAsync(&flags, places, stream);
    std::size_t* const next = static_cast<std::size_t*>(links);
    unsigned char* const leads = static_cast<unsigned char*>(flags);
    void* numbers = nullptr;
    cudaMallocAsync(&numbers, places * sizeof(TokenId), stream);
    TokenId* const keys = static_cast<TokenId*>(numbers);
    make_keys<<<blocks_for(places, threads), threads, 0, stream>>>(ids, dwte.rows, options.padding_idx, keys);
    link_places<<<blocks_for(places, threads), threads, 0, stream>>>(keys, places, next, leads);
    cudaFreeAsync(numbers, stream);
    add_tokens<<<blocks_for(places * dout.channels, threads), threads, 0, stream>>>(dout, ids, dwte, next, leads);
    cudaFreeAsync(links, stream);
    cudaFreeAsync(flags, stream);
    add_positions<<<blocks_for(dout.time * dout.channels, threads), threads, 0, stream>>>(dout, dwpe,
                                                                                         options.start);
    return Status{};
}

} // namespace exercise
