// right: places are linked, cut into pieces of 16 by a thread for each token, the partial sums of all pieces are made at the same time into scratch memory (B * T * C floats), and a last kernel adds them in order; a warp for each row of numbers
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

// next_piece[i]: for a place that begins a piece, the place that begins the token's next one. No entry is made
// for other places; begins[i] says which ones do.
__global__ void cut_kernel(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, std::int64_t padding_idx,
                           const std::size_t* next, const unsigned* follows, std::size_t* next_piece,
                           unsigned* begins) {
    const std::size_t places = ids.rows * ids.cols;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < places;
         i += step) {
        if (follows[i] != 0 || !has_row(ids(i / ids.cols, i % ids.cols), vocabulary, padding_idx)) continue;
        for (std::size_t piece = i; piece != nowhere;) {
            std::size_t behind = piece;
            for (std::size_t k = 0; k < terms_of_a_partial && behind != nowhere; ++k)
                behind = next[behind];
            begins[piece] = 1;
            next_piece[piece] = behind;
            piece = behind;
        }
    }
}

// The partial sum of the piece that begins at place i goes to row i of `partials`.
__global__ void partial_kernel(DeviceTensor3<const float> dout, const std::size_t* next, const unsigned* begins,
                               float* partials) {
    const std::size_t channels = dout.channels;
    const std::size_t places = dout.batch * dout.time;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * blockDim.y;
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y; place < places;
         place += warps) {
        if (begins[place] == 0) continue;
        for (std::size_t c = threadIdx.x; c < channels; c += 32) {
            float partial = 0.0f;
            std::size_t i = place;
            for (std::size_t k = 0; k < terms_of_a_partial && i != nowhere; ++k) {
                partial += dout.data[i * channels + c];
                i = next[i];
            }
            partials[place * channels + c] = partial;
        }
    }
}

__global__ void total_kernel(DeviceMatrix<const TokenId> ids, const unsigned* follows, const unsigned* begins,
                             const std::size_t* next_piece, const float* partials, DeviceMatrix<float> dwte) {
    const std::size_t channels = dwte.cols;
    const std::size_t places = ids.rows * ids.cols;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * blockDim.y;
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y; place < places;
         place += warps) {
        if (begins[place] == 0 || follows[place] != 0) continue; // not the first piece of a token
        const std::size_t v = static_cast<std::size_t>(ids(place / ids.cols, place % ids.cols));
        for (std::size_t c = threadIdx.x; c < channels; c += 32) {
            float total = 0.0f;
            for (std::size_t piece = place; piece != nowhere; piece = next_piece[piece])
                total += partials[piece * channels + c];
            dwte(v, c) += total;
        }
    }
}

template <class T>
T* scratch(std::size_t count, cudaStream_t stream) {
    void* memory = nullptr;
    cudaMallocAsync(&memory, count * sizeof(T), stream);
    return static_cast<T*>(memory);
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
    std::size_t* next = scratch<std::size_t>(places, stream);
    std::size_t* next_piece = scratch<std::size_t>(places, stream);
    unsigned* follows = scratch<unsigned>(places, stream);
    unsigned* begins = scratch<unsigned>(places, stream);
    float* partials = scratch<float>(places * dout.channels, stream);
    cudaMemsetAsync(follows, 0, places * sizeof(unsigned), stream);
    cudaMemsetAsync(begins, 0, places * sizeof(unsigned), stream);

    const unsigned one_a_thread = blocks_for(places, 128);
    const unsigned one_a_warp = blocks_for(places, 4);
    const dim3 warps(32, 4);
    link_kernel<<<one_a_thread, 128, 0, stream>>>(ids, dwte.rows, options.padding_idx, next, follows);
    cut_kernel<<<one_a_thread, 128, 0, stream>>>(ids, dwte.rows, options.padding_idx, next, follows, next_piece,
                                                 begins);
    partial_kernel<<<one_a_warp, warps, 0, stream>>>(dout, next, begins, partials);
    total_kernel<<<one_a_warp, warps, 0, stream>>>(ids, follows, begins, next_piece, partials, dwte);

    cudaFreeAsync(partials, stream);
    cudaFreeAsync(begins, stream);
    cudaFreeAsync(follows, stream);
    cudaFreeAsync(next_piece, stream);
    cudaFreeAsync(next, stream);
    positions_kernel<<<blocks_for(dout.time * dout.channels, 256), 256, 0, stream>>>(dout, dwpe, options.start);
    return status;
}

} // namespace exercise
