// wrong: the scratch flags, one unsigned for each of V tokens, are cleared with cudaMemsetAsync(used, 0, V): V bytes instead of V * 4; the flags of tokens that the text has are set, but of those that it has not, all from V / 4 on are read uninitialised (any call with work and such a token), and where one happens not to be 0, a row that no token has gets +0.0f added (-0.0f becomes +0.0f); a right one clears V * sizeof(unsigned) bytes
#include "contract.h"

namespace exercise {

namespace {

__device__ bool has_row(TokenId id, std::size_t vocabulary, std::int64_t padding_idx) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding_idx;
}

__global__ void mark_kernel(DeviceMatrix<const TokenId> ids, unsigned* used, std::size_t vocabulary,
                            std::int64_t padding_idx) {
    const std::size_t places = ids.rows * ids.cols;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < places;
         i += step) {
        const TokenId id = ids(i / ids.cols, i % ids.cols);
        if (has_row(id, vocabulary, padding_idx)) atomicExch(&used[id], 1u);
    }
}

// A block for each row of the table that the text has; its threads own the channels.
__global__ void rows_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                            const unsigned* used, DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    for (std::size_t v = blockIdx.x; v < dwte.rows; v += gridDim.x) {
        if (used[v] == 0 || static_cast<std::int64_t>(v) == padding_idx) continue;
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            float total = 0.0f;
            float partial = 0.0f;
            unsigned terms = 0;
            for (std::size_t b = 0; b < dout.batch; ++b) {
                for (std::size_t t = 0; t < dout.time; ++t) {
                    const TokenId id = ids(b, t);
                    if (id < 0 || static_cast<std::size_t>(id) != v) continue;
                    partial += dout(b, t, c);
                    if (++terms % terms_of_a_partial == 0) {
                        total += partial;
                        partial = 0.0f;
                    }
                }
            }
            if (terms % terms_of_a_partial != 0) total += partial;
            dwte(v, c) += total;
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
    const std::size_t vocabulary = dwte.rows;
    if (vocabulary > 0) {
        unsigned* used = nullptr;
        cudaMallocAsync(reinterpret_cast<void**>(&used), vocabulary * sizeof(unsigned), stream);
        cudaMemsetAsync(used, 0, vocabulary, stream);
        mark_kernel<<<blocks_for(places, 256), 256, 0, stream>>>(ids, used, vocabulary, options.padding_idx);
        rows_kernel<<<blocks_for(vocabulary, 1), 128, 0, stream>>>(dout, ids, used, dwte,
                                                                      options.padding_idx);
        cudaFreeAsync(used, stream);
    }
    positions_kernel<<<blocks_for(dout.time * dout.channels, 256), 256, 0, stream>>>(dout, dwpe, options.start);
    return status;
}

} // namespace exercise
