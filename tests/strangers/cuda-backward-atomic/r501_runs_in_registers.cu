// right: one fused kernel of a fixed grid, in which the owner of (t, c) walks over the batch, makes the sum of its position, and collects runs of equal tokens in a register, so that only the end of a run is an atomic addition.
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned block_size = 256;
constexpr std::size_t most_blocks = 16384;

/// What neighbours in the batch have in common: the row that is being collected for, and the sum so far.
class Run {
  public:
    __device__ __forceinline__ void add(DeviceMatrix<float> dwte, std::size_t c, TokenId id, bool counts, float g) {
        if (open_ && counts && id == id_) {
            sum_ += g;
            return;
        }
        close(dwte, c);
        open_ = counts;
        id_ = id;
        sum_ = g;
    }
    __device__ __forceinline__ void close(DeviceMatrix<float> dwte, std::size_t c) {
        if (open_) atomicAdd(dwte.row(static_cast<std::size_t>(id_)) + c, sum_);
        open_ = false;
    }

  private:
    bool open_ = false;
    TokenId id_ = 0;
    float sum_ = 0.0f;
};

__global__ void fused(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
                      DeviceMatrix<float> dwpe, std::size_t start, std::int64_t padding_idx) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels;
    const std::size_t sequence = T * C;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * block_size;
    std::size_t i = static_cast<std::size_t>(blockIdx.x) * block_size + threadIdx.x;

    for (; i < sequence; i += step) {
        const std::size_t t = i / C;
        const std::size_t c = i - t * C;
        const float* gradient = dout.data + i;
        const TokenId* token = ids.data + t;
        Run run;
        float position = 0.0f;
        for (std::size_t b = 0; b < B; ++b) {
            const float g = gradient[b * sequence];
            const TokenId id = token[b * ids.stride];
            const bool counts = id >= 0 && static_cast<std::size_t>(id) < dwte.rows &&
                                static_cast<std::int64_t>(id) != padding_idx;
            position += g;
            run.add(dwte, c, id, counts, g);
        }
        run.close(dwte, c);
        dwpe.row(start + t)[c] += position; // nobody else has this element
    }
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols, V = dwte.rows, P = dwpe.rows;
    if (dwpe.cols != C || dout.batch != B || dout.time != T || dout.channels != C)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= V)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    const std::size_t start = options.start;
    if (start > P) return Status::position_out_of_range(0, static_cast<std::int64_t>(start), P);
    if (P - start < T) return Status::position_out_of_range(P - start, static_cast<std::int64_t>(P), P);
    if (B == 0 || T == 0 || C == 0) return Status{};

    std::size_t blocks = (T * C - 1) / block_size + 1;
    if (blocks > most_blocks) blocks = most_blocks;
    fused<<<static_cast<unsigned>(blocks), block_size, 0, stream>>>(dout, ids, dwte, dwpe, start,
                                                                   options.padding_idx);
    return Status{};
}

} // namespace exercise
