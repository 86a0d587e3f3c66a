// wrong: a partial sum ends where the place in the text reaches the next multiple of 16, not after 16 places of the token; bits differ for tokens that recur in a text of more than 16 places; a right one counts the places of the token
#include "contract.h"

namespace exercise {

namespace {

unsigned at_most(std::size_t n, unsigned limit) { return n < limit ? static_cast<unsigned>(n) : limit; }

// The token of a place, or -1 where it has no row to add to.
__device__ std::int64_t token_at(DeviceMatrix<const TokenId> ids, std::size_t place, std::size_t vocabulary,
                                 std::int64_t padding) {
    const std::int64_t id = ids(place / ids.cols, place % ids.cols);
    return id < 0 || static_cast<std::uint64_t>(id) >= vocabulary || id == padding ? -1 : id;
}

// Each place looks for the next one with its token and tells it that it is not the first.
__global__ void link(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, std::int64_t padding,
                     unsigned* next, unsigned* has_previous) {
    const std::size_t places = ids.rows * ids.cols;
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; place < places;
         place += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        const std::int64_t token = token_at(ids, place, vocabulary, padding);
        next[place] = 0;
        if (token < 0) continue;
        for (std::size_t other = place + 1; other < places; ++other)
            if (ids(other / ids.cols, other % ids.cols) == token) {
                next[place] = static_cast<unsigned>(other);
                has_previous[other] = 1;
                break;
            }
    }
}

__global__ void token_sums(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding, const unsigned* next,
                           const unsigned* has_previous) {
    const std::size_t places = ids.rows * ids.cols, C = dout.channels;
    for (std::size_t first = blockIdx.x; first < places; first += gridDim.x) {
        const std::int64_t token = token_at(ids, first, dwte.rows, padding);
        if (token < 0 || has_previous[first] != 0) continue;
        for (std::size_t c = threadIdx.x; c < C; c += blockDim.x) {
            float total = 0.0f, partial = 0.0f;
            std::size_t piece = first / terms_of_a_partial;
            std::size_t place = first;
            do {
                if (place / terms_of_a_partial != piece) {
                    total += partial;
                    partial = 0.0f;
                    piece = place / terms_of_a_partial;
                }
                partial += dout.data[place * C + c];
                place = next[place];
            } while (place != 0);
            total += partial;
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
    unsigned* scratch = nullptr;
    cudaMallocAsync(&scratch, 2 * places * sizeof(unsigned), stream);
    unsigned* const next = scratch;
    unsigned* const has_previous = scratch + places;
    cudaMemsetAsync(has_previous, 0, places * sizeof(unsigned), stream);
    link<<<at_most((places + 255) / 256, 8192), 256, 0, stream>>>(ids, dwte.rows, options.padding_idx, next,
                                                                  has_previous);
    token_sums<<<at_most(places, 65536), options.threads, 0, stream>>>(dout, ids, dwte, options.padding_idx,
                                                                       next, has_previous);
    cudaFreeAsync(scratch, stream);
    position_sums<<<at_most((T * C + 255) / 256, 8192), 256, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise
