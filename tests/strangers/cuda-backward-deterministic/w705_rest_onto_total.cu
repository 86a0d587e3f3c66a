// wrong: the last piece, where it has fewer than 16 places, is added to the total term by term and not as a partial sum; bits differ where sums round, for tokens of 18 or more places whose number leaves 2 or more over a multiple of 16; a right one makes a partial sum of it
#include "contract.h"

namespace exercise {

namespace {

unsigned at_most(std::size_t n, unsigned limit) { return n < limit ? static_cast<unsigned>(n) : limit; }

__device__ TokenId at(DeviceMatrix<const TokenId> ids, std::size_t place) {
    return ids(place / ids.cols, place % ids.cols);
}

// length[p]: how many places the token of p has, if p is the first of them, and 0 otherwise.
__global__ void collect(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, std::int64_t padding,
                        unsigned* length) {
    const std::size_t places = ids.rows * ids.cols;
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; place < places;
         place += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        const TokenId token = at(ids, place);
        length[place] = 0;
        if (token < 0 || static_cast<std::size_t>(token) >= vocabulary || token == padding) continue;
        bool first = true;
        for (std::size_t other = place; other > 0 && first; --other) first = at(ids, other - 1) != token;
        if (!first) continue;
        unsigned n = 0;
        for (std::size_t other = place; other < places; ++other) n += at(ids, other) == token;
        length[place] = n;
    }
}

__global__ void token_sums(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, const unsigned* length) {
    const std::size_t places = ids.rows * ids.cols, C = dout.channels;
    for (std::size_t first = blockIdx.x; first < places; first += gridDim.x) {
        if (length[first] == 0) continue;
        const TokenId token = at(ids, first);
        for (std::size_t c = threadIdx.x; c < C; c += blockDim.x) {
            unsigned left = length[first];
            std::size_t place = first;
            float total = 0.0f;
            for (; left >= terms_of_a_partial; left -= terms_of_a_partial) {
                float partial = 0.0f;
                for (std::size_t k = 0; k < terms_of_a_partial; ++place)
                    if (at(ids, place) == token) {
                        partial += dout.data[place * C + c];
                        ++k;
                    }
                total += partial;
            }
            for (; left > 0; ++place)
                if (at(ids, place) == token) {
                    total += dout.data[place * C + c];
                    --left;
                }
            dwte(static_cast<std::size_t>(token), c) += total;
        }
    }
}

__global__ void position_sums(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t all = dout.time * dout.channels;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b) sum += dout.data[b * all + i];
        dwpe(start + i / dout.channels, i % dout.channels) += sum;
    }
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dout.channels;
    if (dout.batch != B || dout.time != T || C != dwte.cols || C != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (T > dwpe.rows || options.start > dwpe.rows - T) {
        const std::size_t p = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    if (B == 0 || T == 0 || C == 0) return Status{};
    const std::size_t places = B * T;
    unsigned* length = nullptr;
    cudaMallocAsync(&length, places * sizeof(unsigned), stream);
    collect<<<at_most((places + 255) / 256, 8192), 256, 0, stream>>>(ids, dwte.rows, options.padding_idx, length);
    token_sums<<<at_most(places, 65536), options.threads, 0, stream>>>(dout, ids, dwte, length);
    cudaFreeAsync(length, stream);
    position_sums<<<at_most((T * C + 255) / 256, 8192), 256, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise
