// wrong: sorts 32-bit pairs of 16 bits of the token and 16 bits of the place, so tokens from 65,536 on share rows with others and texts of more than 65,536 places mix their places; a right one gives each its full width
#include "contract.h"

namespace exercise {

namespace {

unsigned at_most(std::size_t n, unsigned limit) { return n < limit ? static_cast<unsigned>(n) : limit; }

using Pair = unsigned; // token in the upper half, place in the lower
constexpr Pair nothing = ~0u;

__global__ void make_pairs(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, std::int64_t padding,
                           Pair* pairs, std::size_t size) {
    const std::size_t places = ids.rows * ids.cols;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < size;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        Pair pair = nothing;
        if (i < places) {
            const TokenId id = ids(i / ids.cols, i % ids.cols);
            if (id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding)
                pair = static_cast<Pair>(id) << 16 | static_cast<Pair>(i);
        }
        pairs[i] = pair;
    }
}

__global__ void exchange(Pair* pairs, std::size_t size, std::size_t block, std::size_t distance) {
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < size / 2;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        const std::size_t low = (i / distance * 2) * distance + i % distance;
        const std::size_t high = low + distance;
        const Pair a = pairs[low], b = pairs[high];
        const bool ascending = (low & block) == 0;
        if ((a > b) == ascending) {
            pairs[low] = b;
            pairs[high] = a;
        }
    }
}

__device__ std::size_t begin_of(const Pair* pairs, std::size_t i) {
    const Pair wanted = pairs[i] >> 16 << 16;
    std::size_t low = 0, high = i; // the first pair that is not below wanted
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (pairs[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void make_partials(DeviceTensor3<const float> dout, const Pair* pairs, std::size_t places,
                              float* partials) {
    const std::size_t C = dout.channels;
    for (std::size_t i = blockIdx.x; i < places; i += gridDim.x) {
        if (pairs[i] == nothing || (i - begin_of(pairs, i)) % terms_of_a_partial != 0) continue;
        for (std::size_t c = threadIdx.x; c < C; c += blockDim.x) {
            float partial = 0.0f;
            for (std::size_t k = i; k < places && k < i + terms_of_a_partial && pairs[k] >> 16 == pairs[i] >> 16; ++k)
                partial += dout.data[static_cast<std::size_t>(pairs[k] & 0xffffu) * C + c];
            partials[i * C + c] = partial;
        }
    }
}

__global__ void add_partials(const Pair* pairs, std::size_t places, const float* partials,
                             DeviceMatrix<float> dwte) {
    const std::size_t C = dwte.cols;
    for (std::size_t i = blockIdx.x; i < places; i += gridDim.x) {
        if (pairs[i] == nothing || (i != 0 && pairs[i - 1] >> 16 == pairs[i] >> 16)) continue;
        for (std::size_t c = threadIdx.x; c < C; c += blockDim.x) {
            float total = 0.0f;
            for (std::size_t k = i; k < places && pairs[k] >> 16 == pairs[i] >> 16; k += terms_of_a_partial)
                total += partials[k * C + c];
            dwte(pairs[i] >> 16, c) += total;
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
    std::size_t size = 2;
    while (size < places) size *= 2;
    Pair* pairs = nullptr;
    float* partials = nullptr;
    cudaMallocAsync(&pairs, size * sizeof(Pair), stream);
    cudaMallocAsync(&partials, places * C * sizeof(float), stream);
    make_pairs<<<at_most((size + 255) / 256, 4096), 256, 0, stream>>>(ids, dwte.rows, options.padding_idx, pairs,
                                                                      size);
    for (std::size_t block = 2; block <= size; block *= 2)
        for (std::size_t distance = block / 2; distance != 0; distance /= 2)
            exchange<<<at_most((size / 2 + 255) / 256, 4096), 256, 0, stream>>>(pairs, size, block, distance);
    make_partials<<<at_most(places, 65536), options.threads, 0, stream>>>(dout, pairs, places, partials);
    add_partials<<<at_most(places, 65536), options.threads, 0, stream>>>(pairs, places, partials, dwte);
    cudaFreeAsync(partials, stream);
    cudaFreeAsync(pairs, stream);
    position_sums<<<at_most((T * C + 255) / 256, 8192), 256, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise
