// wrong: the kernel that links equal tokens has a shared tile of 256 ids, but is launched with blocks of options.threads; with options.threads 512 or 1,024 and B * T > 256 (C > 0) the threads from 256 on write behind the tile and all threads read there, out of bounds of shared memory; a right one makes the tile as long as the largest block or launches with 256
#include "contract.h"

namespace exercise {

namespace {

__device__ bool has_row(TokenId id, std::size_t vocabulary, std::int64_t padding_idx) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding_idx;
}

constexpr std::size_t nowhere = ~std::size_t{0};

// next[i]: the next place with the token of place i; first[i]: whether there is none before it. All threads of a
// block walk through the ids together, a tile at a time.
__global__ void link_kernel(DeviceMatrix<const TokenId> ids, std::size_t* next, unsigned* first) {
    __shared__ TokenId tile[256];
    const std::size_t places = ids.rows * ids.cols;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const TokenId id = i < places ? ids(i / ids.cols, i % ids.cols) : -1;
    std::size_t found = nowhere;
    bool alone = true;
    for (std::size_t base = 0; base < places; base += blockDim.x) {
        const std::size_t mine = base + threadIdx.x;
        if (mine < places) tile[threadIdx.x] = ids(mine / ids.cols, mine % ids.cols);
        __syncthreads();
        for (unsigned k = 0; k < blockDim.x && base + k < places; ++k) {
            if (tile[k] != id) continue;
            if (base + k < i) alone = false;
            if (base + k > i && found == nowhere) found = base + k;
        }
        __syncthreads();
    }
    if (i < places) {
        next[i] = found;
        first[i] = alone ? 1 : 0;
    }
}

__global__ void tokens_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                              const std::size_t* next, const unsigned* first, DeviceMatrix<float> dwte,
                              std::int64_t padding_idx) {
    const std::size_t channels = dout.channels;
    const std::size_t places = dout.batch * dout.time;
    for (std::size_t place = blockIdx.x; place < places; place += gridDim.x) {
        const TokenId id = ids(place / dout.time, place % dout.time);
        if (first[place] == 0 || !has_row(id, dwte.rows, padding_idx)) continue;
        for (std::size_t c = threadIdx.x; c < channels; c += blockDim.x) {
            float total = 0.0f;
            for (std::size_t i = place; i != nowhere;) {
                float partial = 0.0f;
                for (std::size_t k = 0; k < terms_of_a_partial && i != nowhere; ++k, i = next[i])
                    partial += dout.data[i * channels + c];
                total += partial;
            }
            dwte(static_cast<std::size_t>(id), c) += total;
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
    std::size_t* next = nullptr;
    unsigned* first = nullptr;
    cudaMallocAsync(reinterpret_cast<void**>(&next), places * sizeof(std::size_t), stream);
    cudaMallocAsync(reinterpret_cast<void**>(&first), places * sizeof(unsigned), stream);
    const unsigned threads = options.threads;
    link_kernel<<<static_cast<unsigned>((places + threads - 1) / threads), threads, 0, stream>>>(ids, next, first);
    tokens_kernel<<<blocks_for(places, 1), threads, 0, stream>>>(dout, ids, next, first, dwte,
                                                                 options.padding_idx);
    cudaFreeAsync(next, stream);
    cudaFreeAsync(first, stream);
    positions_kernel<<<blocks_for(dout.time * dout.channels, 256), 256, 0, stream>>>(dout, dwpe, options.start);
    return status;
}

} // namespace exercise
