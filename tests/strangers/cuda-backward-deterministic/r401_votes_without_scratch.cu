// right: no scratch memory; a warp for each place votes with __ballot_sync whether an earlier place has its token, and the first place of a token goes on and adds the places that the votes name, 128 channels at a time, all lanes together
#include "contract.h"

namespace exercise {

namespace {

__device__ bool has_row(TokenId id, std::size_t vocabulary, std::int64_t padding_idx) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding_idx;
}

constexpr unsigned full = 0xffffffffu;
constexpr unsigned per_lane = 4;
constexpr std::size_t piece = 32 * per_lane;
constexpr unsigned warps_of_block = 4;

// Bit k: place base + k lies before `end` and has token `id`. For all lanes of a warp, with the same arguments.
__device__ unsigned vote(const DeviceMatrix<const TokenId>& ids, TokenId id, std::size_t base, std::size_t end,
                         unsigned lane) {
    const std::size_t place = base + lane;
    const bool same = place < end && ids(place / ids.cols, place % ids.cols) == id;
    return __ballot_sync(full, same);
}

__global__ void tokens_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                              DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const unsigned lane = threadIdx.x;
    const std::size_t channels = dout.channels;
    const std::size_t places = dout.batch * dout.time;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * warps_of_block;
    // Everything but the guards of single loads and stores is decided by the warp as a whole.
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * warps_of_block + threadIdx.y;
         place < places; place += warps) {
        const TokenId id = ids(place / ids.cols, place % ids.cols);
        bool mine = has_row(id, dwte.rows, padding_idx);
        for (std::size_t base = 0; mine && base < place; base += 32)
            mine = vote(ids, id, base, place, lane) == 0;
        if (!mine) continue;

        float* row = dwte.row(static_cast<std::size_t>(id));
        for (std::size_t c0 = 0; c0 < channels; c0 += piece) {
            float total[per_lane] = {};
            float partial[per_lane] = {};
            std::size_t terms = 0;
            for (std::size_t base = place; base < places; base += 32) {
                for (unsigned votes = vote(ids, id, base, places, lane); votes != 0; votes &= votes - 1) {
                    const std::size_t k = base + static_cast<std::size_t>(__ffs(static_cast<int>(votes)) - 1);
                    const float* from = dout.data + k * channels;
                    ++terms;
                    const bool whole = terms % terms_of_a_partial == 0;
#pragma unroll
                    for (unsigned i = 0; i < per_lane; ++i) {
                        const std::size_t c = c0 + i * 32 + lane;
                        if (c < channels) partial[i] += from[c];
                        if (whole) {
                            total[i] += partial[i];
                            partial[i] = 0.0f;
                        }
                    }
                }
            }
#pragma unroll
            for (unsigned i = 0; i < per_lane; ++i) {
                const std::size_t c = c0 + i * 32 + lane;
                if (terms % terms_of_a_partial != 0) total[i] += partial[i];
                if (c < channels) row[c] += total[i];
            }
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
    tokens_kernel<<<blocks_for(places, warps_of_block), dim3(32, warps_of_block), 0, stream>>>(
        dout, ids, dwte, options.padding_idx);
    positions_kernel<<<blocks_for(dout.time * dout.channels, 256), 256, 0, stream>>>(dout, dwpe, options.start);
    return status;
}

} // namespace exercise
