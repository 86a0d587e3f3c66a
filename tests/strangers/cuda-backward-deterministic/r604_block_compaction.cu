// right: an integer atomicMin finds the first place of each token; its block compacts the places of one tile of ids at a time, in order, into shared memory (votes and a scan over warps), and each thread adds its channel
#include "contract.h"

namespace exercise {
namespace {

using Number = unsigned long long;

__device__ bool has_row(TokenId id, std::size_t vocabulary, std::int64_t padding) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding;
}

__global__ void __launch_bounds__(1024)
find_first(DeviceMatrix<const TokenId> ids, Number* first, std::size_t vocabulary, std::int64_t padding) {
    const std::size_t count = ids.rows * ids.cols;
    for (std::size_t place = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; place < count;
         place += std::size_t{gridDim.x} * blockDim.x) {
        const TokenId id = ids(place / ids.cols, place % ids.cols);
        if (has_row(id, vocabulary, padding)) atomicMin(&first[id], static_cast<Number>(place));
    }
}

__global__ void __launch_bounds__(1024)
add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, const Number* first,
           DeviceMatrix<float> dwte, std::int64_t padding) {
    __shared__ unsigned short list[1024]; // the places of the token in this tile
    __shared__ unsigned hits_of_warp[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const std::size_t count = ids.rows * ids.cols, C = dout.channels;

    for (std::size_t place = blockIdx.x; place < count; place += gridDim.x) {
        const TokenId token = ids(place / ids.cols, place % ids.cols);
        if (!has_row(token, dwte.rows, padding) || first[token] != place) continue; // the whole block
        for (std::size_t c0 = 0; c0 < C; c0 += blockDim.x) {
            const std::size_t c = c0 + threadIdx.x;
            float total = 0.0F, partial = 0.0F;
            unsigned terms = 0;
            for (std::size_t base = place; base < count; base += blockDim.x) {
                const std::size_t mine = base + threadIdx.x;
                const bool hit = mine < count && ids(mine / ids.cols, mine % ids.cols) == token;
                const unsigned vote = __ballot_sync(0xFFFFFFFFU, hit);
                if (lane == 0) hits_of_warp[warp] = __popc(vote);
                __syncthreads();
                unsigned slot = __popc(vote & ((1U << lane) - 1)), found = 0;
                for (unsigned w = 0; w < warps; ++w) {
                    if (w < warp) slot += hits_of_warp[w];
                    found += hits_of_warp[w];
                }
                if (hit) list[slot] = static_cast<unsigned short>(threadIdx.x);
                __syncthreads();
                if (c < C) {
                    for (unsigned k = 0; k < found; ++k) {
                        partial += dout.data[(base + list[k]) * C + c];
                        if (++terms < terms_of_a_partial) continue;
                        total += partial;
                        partial = 0.0F;
                        terms = 0;
                    }
                }
                // The list is written again only after the first barrier of the next tile.
            }
            if (c < C) dwte(static_cast<std::size_t>(token), c) += terms > 0 ? total + partial : total;
        }
    }
}

__global__ void __launch_bounds__(1024)
add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t C = dout.channels;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < dout.time * C;
         i += std::size_t{gridDim.x} * blockDim.x) {
        float sum = 0.0F;
        for (std::size_t b = 0; b < dout.batch; ++b)
            sum += dout(b, i / C, i % C);
        dwpe(start + i / C, i % C) += sum;
    }
}

Status refusal(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
               const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe,
               const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t start = options.start, P = dwpe.rows;
    if (start > P || dout.time > P - start) {
        const std::size_t p = start > P ? start : P;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    return Status{};
}

unsigned some(std::size_t blocks) { // the kernels loop over what is left
    return static_cast<unsigned>(blocks < 512 ? blocks : 512);
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = refusal(dout, ids, dwte, dwpe, options);
    const std::size_t places = ids.rows * ids.cols;
    if (status.code != Code::ok || places == 0 || dout.channels == 0) return status;

    const unsigned threads = options.threads;
    if (const std::size_t V = dwte.rows; V > 0) {
        Number* first = nullptr;
        cudaMallocAsync(reinterpret_cast<void**>(&first), V * sizeof(Number), stream);
        cudaMemsetAsync(first, 0xFF, V * sizeof(Number), stream);
        find_first<<<some((places + threads - 1) / threads), threads, 0, stream>>>(ids, first, V,
                                                                                  options.padding_idx);
        add_tokens<<<some(places), threads, 0, stream>>>(dout, ids, first, dwte, options.padding_idx);
        cudaFreeAsync(first, stream);
    }
    add_positions<<<some((dout.time * dout.channels + threads - 1) / threads), threads, 0, stream>>>(dout, dwpe, options.start);
    return status;
}

} // namespace exercise
