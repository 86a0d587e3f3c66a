// wrong: the partial sums of a token are added in four independent sums (partial k goes to sum k % 4), which are added at the end as (s0 + s1) + (s2 + s3); the same as one after another up to 3 partial sums, but from 49 places of one token on (4 partial sums) the bits can differ; a right one adds the partial sums to one total in their order
#include "contract.h"

namespace exercise {

namespace {

__device__ bool has_row(TokenId id, std::size_t vocabulary, std::int64_t padding_idx) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding_idx;
}

constexpr std::size_t nowhere = ~std::size_t{0};

// next[i]: the next place with the token of place i. One thread a place; a place has one place before it at
// most, so one thread at most writes follows[j].
__global__ void link_kernel(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, std::int64_t padding_idx,
                            std::size_t* next, unsigned* follows) {
    const std::size_t places = ids.rows * ids.cols;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < places;
         i += step) {
        std::size_t b = i / ids.cols;
        std::size_t t = i % ids.cols;
        const TokenId id = ids(b, t);
        std::size_t found = nowhere;
        if (has_row(id, vocabulary, padding_idx)) {
            for (std::size_t j = i + 1; j < places && found == nowhere; ++j) {
                if (++t == ids.cols) {
                    t = 0;
                    ++b;
                }
                if (ids(b, t) == id) found = j;
            }
        }
        next[i] = found;
        if (found != nowhere) follows[found] = 1;
    }
}

// A warp for the first place of each token follows the links. Partial sums are independent of each other, so
// four totals hide the latency of the additions.
__global__ void tokens_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                              const std::size_t* next, const unsigned* follows, DeviceMatrix<float> dwte,
                              std::int64_t padding_idx) {
    const std::size_t channels = dout.channels;
    const std::size_t places = dout.batch * dout.time;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * blockDim.y;
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y; place < places;
         place += warps) {
        const TokenId id = ids(place / dout.time, place % dout.time);
        if (follows[place] != 0 || !has_row(id, dwte.rows, padding_idx)) continue;
        for (std::size_t c = threadIdx.x; c < channels; c += 32) {
            float sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
            std::size_t i = place;
            while (i != nowhere) {
#pragma unroll
                for (unsigned k = 0; k < 4; ++k) {
                    float partial = 0.0f;
                    for (unsigned terms = 0; terms < terms_of_a_partial && i != nowhere; ++terms) {
                        partial += dout.data[i * channels + c];
                        i = next[i];
                    }
                    sums[k] += partial;
                }
            }
            dwte(static_cast<std::size_t>(id), c) += (sums[0] + sums[1]) + (sums[2] + sums[3]);
        }
    }
}

// The thread of (t, c) owns the sum over the batch.
__global__ void positions_kernel(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe,
                                 std::size_t start) {
    const std::size_t total = dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < total;
         i += step) {
        const std::size_t t = i / dout.channels;
        const std::size_t c = i % dout.channels;
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b)
            sum += dout(b, t, c);
        dwpe(start + t, c) += sum;
    }
}

unsigned blocks_for(std::size_t items, std::size_t of_block) {
    const std::size_t blocks = (items + of_block - 1) / of_block;
    return static_cast<unsigned>(blocks < 32768 ? blocks : 32768);
}

Status check(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
             const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe, const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t start = options.start;
    if (start > dwpe.rows || ids.cols > dwpe.rows - start) {
        const std::size_t p = start > dwpe.rows ? start : dwpe.rows;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    return Status{};
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = check(dout, ids, dwte, dwpe, options);
    if (!(status == Status{})) return status;
    const std::size_t places = dout.batch * dout.time;
    if (places == 0 || dout.channels == 0) return status;
    void* next = nullptr;
    void* follows = nullptr;
    cudaMallocAsync(&next, places * sizeof(std::size_t), stream);
    cudaMallocAsync(&follows, places * sizeof(unsigned), stream);
    cudaMemsetAsync(follows, 0, places * sizeof(unsigned), stream);
    link_kernel<<<blocks_for(places, 128), 128, 0, stream>>>(ids, dwte.rows, options.padding_idx,
                                                             static_cast<std::size_t*>(next),
                                                             static_cast<unsigned*>(follows));
    tokens_kernel<<<blocks_for(places, 4), dim3(32, 4), 0, stream>>>(
        dout, ids, static_cast<const std::size_t*>(next), static_cast<const unsigned*>(follows), dwte,
        options.padding_idx);
    cudaFreeAsync(follows, stream);
    cudaFreeAsync(next, stream);
    positions_kernel<<<blocks_for(dout.time * dout.channels, 256), 256, 0, stream>>>(dout, dwpe, options.start);
    return status;
}

} // namespace exercise
