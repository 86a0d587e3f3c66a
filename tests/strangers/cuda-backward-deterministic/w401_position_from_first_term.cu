// wrong: the sum of a position begins with the term of b = 0 instead of 0.0f + it; the same except where dout[b, t, c] is -0.0f for all b and dwpe holds -0.0f: the contract gives -0.0f + (0.0f + -0.0f + ...) = +0.0f there, this one -0.0f, and every bit counts; a right one begins with 0.0f
#include "contract.h"

namespace exercise {

namespace {

__device__ bool has_row(TokenId id, std::size_t vocabulary, std::int64_t padding_idx) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding_idx;
}

// The obvious way: a block for each place. If an earlier place has its token, that one does the work.
__global__ void tokens_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                              DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const std::size_t places = dout.batch * dout.time;
    for (std::size_t place = blockIdx.x; place < places; place += gridDim.x) {
        const TokenId id = ids(place / dout.time, place % dout.time);
        bool mine = has_row(id, dwte.rows, padding_idx);
        for (std::size_t b = 0, seen = 0; mine && seen < place; ++b)
            for (std::size_t t = 0; mine && t < dout.time && seen < place; ++t, ++seen)
                mine = ids(b, t) != id;
        if (!mine) continue;
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            float total = 0.0f;
            float partial = 0.0f;
            std::size_t terms = 0;
            std::size_t b = place / dout.time;
            std::size_t t = place % dout.time;
            for (; b < dout.batch; ++b, t = 0) {
                for (; t < dout.time; ++t) {
                    if (ids(b, t) != id) continue;
                    partial += dout(b, t, c);
                    if (++terms == terms_of_a_partial) {
                        total += partial;
                        partial = 0.0f;
                        terms = 0;
                    }
                }
            }
            if (terms != 0) total += partial;
            dwte(static_cast<std::size_t>(id), c) += total;
        }
    }
}

__global__ void positions_kernel(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe,
                                 std::size_t start) {
    const std::size_t owned = dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < owned;
         i += step) {
        float sum = dout.data[i];
        for (std::size_t b = 1; b < dout.batch; ++b)
            sum += dout.data[b * owned + i];
        dwpe(start + i / dout.channels, i % dout.channels) += sum;
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
    tokens_kernel<<<blocks_for(places, 1), options.threads, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    positions_kernel<<<blocks_for(dout.time * dout.channels, options.threads), options.threads, 0, stream>>>(
        dout, dwpe, options.start);
    return status;
}

} // namespace exercise
