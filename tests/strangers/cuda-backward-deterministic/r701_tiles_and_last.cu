// right: one block walks the text in tiles of 256 places and links each place to the previous one of its token through a table of V entries; then chains are followed from their first place
#include "contract.h"

namespace exercise {

namespace {

unsigned at_most(std::size_t n, unsigned limit) { return n < limit ? static_cast<unsigned>(n) : limit; }

constexpr unsigned tile_size = 256;
constexpr unsigned long long none = ~0ull;

// One block. next[p]: the following place of the same token; first[p]: whether p has none before it.
__global__ void chain(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, std::int64_t padding,
                      unsigned long long* last, unsigned long long* next, unsigned char* first) {
    __shared__ TokenId tile[tile_size];
    const std::size_t places = ids.rows * ids.cols;
    for (std::size_t begin = 0; begin < places; begin += tile_size) {
        const std::size_t place = begin + threadIdx.x;
        TokenId id = -1;
        if (place < places) {
            id = ids(place / ids.cols, place % ids.cols);
            if (id < 0 || static_cast<std::size_t>(id) >= vocabulary || id == padding) id = -1;
            next[place] = none;
            first[place] = 0;
        }
        tile[threadIdx.x] = id;
        __syncthreads();
        bool ends = id >= 0; // the last of its token within the tile
        if (id >= 0) {
            int before = static_cast<int>(threadIdx.x) - 1;
            while (before >= 0 && tile[before] != id) --before;
            if (before >= 0)
                next[begin + static_cast<unsigned>(before)] = place;
            else if (last[id] != none)
                next[last[id]] = place;
            else
                first[place] = 1;
            for (unsigned after = threadIdx.x + 1; after < tile_size && ends; ++after)
                if (tile[after] == id) ends = false;
        }
        __syncthreads(); // nobody looks into last or the tile any more
        if (ends) last[id] = place;
        __syncthreads();
    }
}

__global__ void follow(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
                       const unsigned long long* next, const unsigned char* first) {
    const std::size_t places = ids.rows * ids.cols;
    for (std::size_t head = blockIdx.x; head < places; head += gridDim.x) {
        if (first[head] == 0) continue;
        float* const target = dwte.row(static_cast<std::size_t>(ids(head / ids.cols, head % ids.cols)));
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            float total = 0.0f;
            unsigned long long place = head;
            while (place != none) {
                float partial = 0.0f;
                for (std::size_t k = 0; k < terms_of_a_partial && place != none; ++k, place = next[place])
                    partial += dout.data[place * dout.channels + c];
                total += partial;
            }
            target[c] += total;
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
    if (dwte.rows != 0) {
        unsigned long long* last = nullptr;
        unsigned long long* next = nullptr;
        unsigned char* first = nullptr;
        cudaMallocAsync(&last, dwte.rows * sizeof *last, stream);
        cudaMallocAsync(&next, places * sizeof *next, stream);
        cudaMallocAsync(&first, places, stream);
        cudaMemsetAsync(last, 0xff, dwte.rows * sizeof *last, stream);
        chain<<<1, tile_size, 0, stream>>>(ids, dwte.rows, options.padding_idx, last, next, first);
        follow<<<at_most(places, 65536), options.threads, 0, stream>>>(dout, ids, dwte, next, first);
        cudaFreeAsync(first, stream);
        cudaFreeAsync(next, stream);
        cudaFreeAsync(last, stream);
    }
    position_sums<<<at_most((T * C + 255) / 256, 8192), 256, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise
