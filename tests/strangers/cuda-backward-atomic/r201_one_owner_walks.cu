// right: one launch does both: the owner of (t, c) walks the batch once, adds to its register for the position, and gathers runs of equal tokens along the batch before it adds them to dwte by one atomic
#include "contract.h"

#include <cstdint>

namespace {

using namespace contract;

constexpr unsigned threads = 256;

unsigned blocks_for(std::size_t items, std::size_t per_block) {
    const std::size_t blocks = (items + per_block - 1) / per_block;
    return static_cast<unsigned>(blocks < 4096 ? blocks : 4096);
}

/// What has come together for one row, not yet added to it.
struct Run {
    TokenId id = -1;
    float sum = 0.0F;
};

__device__ void flush(const Run& run, const DeviceMatrix<float>& dwte, std::size_t c) {
    if (run.id >= 0) atomicAdd(&dwte(static_cast<std::size_t>(run.id), c), run.sum);
}

__global__ void walk_batch(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, std::size_t start,
                           std::int64_t padding) {
    const std::size_t n = dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * threads;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x; i < n; i += step) {
        const std::size_t t = i / dout.channels, c = i % dout.channels;
        float all = 0.0F;
        Run run;
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const float g = dout.data[b * n + i];
            all = __fadd_rn(all, g);
            TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding) id = -1;
            if (id == run.id) {
                run.sum += g; // of no interest where the id is -1
            } else {
                flush(run, dwte, c);
                run.id = id;
                run.sum = g;
            }
        }
        flush(run, dwte, c);
        float* to = &dwpe(start + t, c);
        *to = __fadd_rn(*to, all);
    }
}

} // namespace

namespace exercise {

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols || dwpe.cols != dwte.cols)
        return Status{Code::shape_mismatch};
    const std::int64_t padding = options.padding_idx;
    if (padding >= 0 && static_cast<std::size_t>(padding) >= dwte.rows)
        return Status{Code::invalid_argument, 0, padding, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t start = options.start;
    if (start > dwpe.rows || ids.cols > dwpe.rows - start) {
        const std::size_t first = start > dwpe.rows ? start : dwpe.rows;
        return Status::position_out_of_range(first - start, static_cast<std::int64_t>(first), dwpe.rows);
    }
    const std::size_t places = dout.batch * dout.time;
    if (places == 0 || dout.channels == 0) return Status{};
    walk_batch<<<blocks_for(dout.time * dout.channels, threads), threads, 0, stream>>>(dout, ids, dwte, dwpe, start,
                                                                                      padding);
    return Status{};
}

} // namespace exercise
