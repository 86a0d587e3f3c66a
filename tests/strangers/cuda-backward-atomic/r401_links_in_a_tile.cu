// right: a block takes 64 places at a time, links those with the same token in shared memory, and adds one sum for each different token and channel with a single atomic; positions are owned by a thread for each (t, c)
#include "contract.h"

namespace exercise {

namespace {

constexpr unsigned places_of_tile = 64;
constexpr unsigned threads = 128;

__global__ void tokens_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                              DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    __shared__ TokenId token[places_of_tile];
    __shared__ unsigned next[places_of_tile]; // the next place of the tile with this token, or its end
    __shared__ bool leads[places_of_tile];    // the first of its token in the tile, and the token has a row

    const std::size_t channels = dout.channels;
    const std::size_t places = dout.batch * dout.time;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * places_of_tile;
    for (std::size_t base = static_cast<std::size_t>(blockIdx.x) * places_of_tile; base < places;
         base += step) {
        const unsigned count =
            places - base < places_of_tile ? static_cast<unsigned>(places - base) : places_of_tile;
        const unsigned k = threadIdx.x;
        if (k < count) {
            const std::size_t place = base + k;
            token[k] = ids(place / dout.time, place % dout.time);
        }
        __syncthreads();
        if (k < count) {
            const TokenId id = token[k];
            bool first = id >= 0 && static_cast<std::size_t>(id) < dwte.rows && id != padding_idx;
            for (unsigned j = 0; j < k && first; ++j)
                first = token[j] != id;
            leads[k] = first;
            unsigned j = k + 1;
            while (j < count && token[j] != id)
                ++j;
            next[k] = j;
        }
        __syncthreads();

        const float* rows = dout.data + base * channels;
        for (std::size_t c = threadIdx.x; c < channels; c += threads) {
            for (unsigned i = 0; i < count; ++i) {
                if (!leads[i]) continue;
                float sum = rows[i * channels + c];
                for (unsigned j = next[i]; j < count; j = next[j])
                    sum += rows[j * channels + c];
                atomicAdd(&dwte(static_cast<std::size_t>(token[i]), c), sum);
            }
        }
        __syncthreads(); // before the next turn writes the tile
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
    tokens_kernel<<<blocks_for(places, places_of_tile), threads, 0, stream>>>(dout, ids, dwte,
                                                                              options.padding_idx);
    positions_kernel<<<blocks_for(dout.time * dout.channels, 256), 256, 0, stream>>>(dout, dwpe, options.start);
    return status;
}

} // namespace exercise
