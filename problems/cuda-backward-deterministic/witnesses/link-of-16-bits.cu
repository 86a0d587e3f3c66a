// Fault: The distance to a token's next place is kept in 16 bits, so places 65,536 or more apart are lost.
// Origin: round 20
#include "contract.h"

#include <cstddef>
#include <cstdint>

namespace exercise {

namespace {

/// The token at a place in reading order.
__device__ TokenId id_at(DeviceMatrix<const TokenId> ids, long long place) {
    const long long time = static_cast<long long>(ids.cols);
    return ids.row(static_cast<std::size_t>(place / time))[place % time];
}

/// The first place in [from, to) with this token, or -1.
__device__ long long find(DeviceMatrix<const TokenId> ids, long long from, long long to, TokenId token) {
    const long long time = static_cast<long long>(ids.cols);
    std::size_t b = static_cast<std::size_t>(from / time);
    long long t = from % time;
    for (long long place = from; place < to; ++place) {
        if (ids.row(b)[t] == token) return place;
        if (++t == time) {
            t = 0;
            ++b;
        }
    }
    return -1;
}

/// owner[i]: whether place i is the first one of a token with a row. next[i]: how far it is to the token's next place, or 0.
__global__ void link_places(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, std::int64_t padding_idx,
                            long long places, std::uint16_t* next, unsigned char* owner) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= places) return;
    const TokenId token = id_at(ids, i);
    const bool has_row = token >= 0 && static_cast<std::size_t>(token) < vocabulary && token != padding_idx;
    const long long later = has_row ? find(ids, i + 1, places, token) : -1;
    next[i] = static_cast<std::uint16_t>(later < 0 ? 0 : later - i);
    owner[i] = has_row && find(ids, 0, i, token) < 0 ? 1 : 0;
}

/// One thread for each place and channel; those of a token's first place do the work.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, const std::uint16_t* next, const unsigned char* owner,
                           long long elements) {
    const long long e = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (e >= elements) return;
    const long long width = static_cast<long long>(dwte.cols);
    const long long first = e / width;
    const long long c = e % width;
    if (owner[first] == 0) return;

    float total = 0.0f;
    float partial = 0.0f;
    std::size_t terms = 0;
    for (long long place = first, step = 1; step != 0; place += step) {
        step = next[place];
        partial += dout.data[place * width + c];
        if (++terms == terms_of_a_partial) {
            total += partial;
            partial = 0.0f;
            terms = 0;
        }
    }
    if (terms > 0) total += partial;
    dwte.row(static_cast<std::size_t>(id_at(ids, first)))[c] += total;
}

/// One thread for each position and channel.
__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start,
                              long long elements) {
    const long long e = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (e >= elements) return;
    const std::size_t t = static_cast<std::size_t>(e) / dwpe.cols;
    const std::size_t c = static_cast<std::size_t>(e) % dwpe.cols;
    float sum = 0.0f;
    for (std::size_t b = 0; b < dout.batch; ++b)
        sum += dout.row(b, t)[c];
    dwpe.row(start + t)[c] += sum;
}

unsigned blocks_for(long long count, unsigned threads) {
    return static_cast<unsigned>((count + threads - 1) / threads);
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t width = dwte.cols;
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != width || dwpe.cols != width)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t time = ids.cols;
    if (options.start > dwpe.rows || time > dwpe.rows - options.start) {
        const std::size_t missing = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(missing - options.start, static_cast<std::int64_t>(missing),
                                             dwpe.rows);
    }
    if (ids.rows == 0 || time == 0 || width == 0) return Status{};

    const unsigned threads = options.threads;
    const long long places = static_cast<long long>(ids.rows * time);
    const long long token_elements = places * static_cast<long long>(width);
    const long long position_elements = static_cast<long long>(time * width);

    void* scratch = nullptr; // next, then owner
    cudaMallocAsync(&scratch, static_cast<std::size_t>(places) * (sizeof(std::uint16_t) + 1), stream);
    std::uint16_t* next = static_cast<std::uint16_t*>(scratch);
    unsigned char* owner = reinterpret_cast<unsigned char*>(next + places);

    link_places<<<blocks_for(places, threads), threads, 0, stream>>>(ids, dwte.rows, options.padding_idx, places,
                                                                     next, owner);
    add_tokens<<<blocks_for(token_elements, threads), threads, 0, stream>>>(dout, ids, dwte, next, owner,
                                                                            token_elements);
    cudaFreeAsync(scratch, stream);
    add_positions<<<blocks_for(position_elements, threads), threads, 0, stream>>>(dout, dwpe, options.start,
                                                                                  position_elements);
    return Status{};
}

} // namespace exercise
