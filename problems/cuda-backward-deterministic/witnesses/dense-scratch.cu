// Fault: The gradient is first made as a dense V * C matrix, although scratch memory must not grow with V * C.
// Origin: round 25
#include "contract.h"

#include <cooperative_groups.h>

namespace exercise {
namespace {

namespace cg = cooperative_groups;

constexpr std::size_t none = ~static_cast<std::size_t>(0);
constexpr std::size_t most_blocks = 2048;

/// One warp goes through the text, 32 places at a time. next[n]: the next place with the token of place n, or
/// none. head[n]: whether place n is the first one of a token that has a row. last[v]: the last place of v so
/// far, none at first.
__global__ void link_places(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, std::int64_t padding_idx,
                            std::size_t* last, std::size_t* next, unsigned char* head) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const std::size_t places = ids.rows * ids.cols;
    const unsigned lane = warp.thread_rank();
    for (std::size_t base = 0; base < places; base += 32) {
        const std::size_t n = base + lane;
        TokenId id = -1;
        if (n < places) {
            id = ids(n / ids.cols, n % ids.cols);
            if (id < 0 || static_cast<std::size_t>(id) >= vocabulary || id == padding_idx) id = -1;
        }
        const unsigned same = warp.match_any(id);
        const unsigned before = same & ((1u << lane) - 1);
        const unsigned after = same & ~((1u << lane) - 1) & ~(1u << lane);
        if (n < places) {
            const std::size_t previous = id >= 0 && before == 0 ? last[id] : none;
            head[n] = id >= 0 && before == 0 && previous == none;
            next[n] = after != 0 ? base + (__ffs(after) - 1) : none;
            if (previous != none) next[previous] = n;
        }
        warp.sync();
        if (id >= 0 && after == 0) last[id] = n;
        warp.sync();
    }
}

/// Row v of `sums` becomes the total of token v, for each token of the text.
__global__ void sum_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           const std::size_t* next, const unsigned char* head, float* sums) {
    const std::size_t places = ids.rows * ids.cols;
    const std::size_t channels = dout.channels;
    for (std::size_t n = blockIdx.x; n < places; n += gridDim.x) {
        if (!head[n]) continue;
        const std::size_t v = ids(n / ids.cols, n % ids.cols);
        for (std::size_t c = threadIdx.x; c < channels; c += blockDim.x) {
            float total = 0.0f;
            for (std::size_t m = n; m != none;) {
                float partial = 0.0f;
                for (std::size_t k = 0; k < terms_of_a_partial && m != none; ++k, m = next[m])
                    partial += dout.data[m * channels + c];
                total += partial;
            }
            sums[v * channels + c] = total;
        }
    }
}

__global__ void add_tokens(DeviceMatrix<const TokenId> ids, const unsigned char* head, const float* sums,
                           DeviceMatrix<float> dwte) {
    const std::size_t places = ids.rows * ids.cols;
    for (std::size_t n = blockIdx.x; n < places; n += gridDim.x) {
        if (!head[n]) continue;
        const std::size_t v = ids(n / ids.cols, n % ids.cols);
        for (std::size_t c = threadIdx.x; c < dwte.cols; c += blockDim.x)
            dwte(v, c) += sums[v * dwte.cols + c];
    }
}

__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    for (std::size_t t = blockIdx.x; t < dout.time; t += gridDim.x)
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            float sum = 0.0f;
            for (std::size_t b = 0; b < dout.batch; ++b)
                sum += dout(b, t, c);
            dwpe(start + t, c) += sum;
        }
}

unsigned blocks_for(std::size_t items) {
    return static_cast<unsigned>(items < most_blocks ? items : most_blocks);
}

template <class T>
T* scratch(std::size_t count, cudaStream_t stream) {
    T* memory = nullptr;
    cudaMallocAsync(reinterpret_cast<void**>(&memory), count * sizeof(T), stream);
    return memory;
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    if (dwpe.cols != dwte.cols || dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (ids.cols > dwpe.rows || options.start > dwpe.rows - ids.cols) {
        const std::size_t p = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    if (ids.rows == 0 || ids.cols == 0 || dwte.cols == 0) return Status{};

    const std::size_t places = ids.rows * ids.cols;
    const unsigned threads = options.threads;
    if (dwte.rows > 0) { // else no id has a row
        std::size_t* last = scratch<std::size_t>(dwte.rows, stream);
        std::size_t* next = scratch<std::size_t>(places, stream);
        unsigned char* head = scratch<unsigned char>(places, stream);
        float* sums = scratch<float>(dwte.rows * dwte.cols, stream);
        cudaMemsetAsync(last, 0xff, dwte.rows * sizeof(std::size_t), stream);
        link_places<<<1, 32, 0, stream>>>(ids, dwte.rows, options.padding_idx, last, next, head);
        sum_tokens<<<blocks_for(places), threads, 0, stream>>>(dout, ids, next, head, sums);
        add_tokens<<<blocks_for(places), threads, 0, stream>>>(ids, head, sums, dwte);
        cudaFreeAsync(sums, stream);
        cudaFreeAsync(head, stream);
        cudaFreeAsync(next, stream);
        cudaFreeAsync(last, stream);
    }
    add_positions<<<blocks_for(ids.cols), threads, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise
