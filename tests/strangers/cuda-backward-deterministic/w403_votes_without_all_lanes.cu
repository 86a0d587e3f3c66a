// wrong: for C >= 32 a warp shares a place, and in the loop over its channels c = lane, lane + 32, ... it calls __ballot_sync with the full mask; where C % 32 != 0 (say C = 40) the lanes without a channel in the last turn have left the loop, so lanes that the mask names are missing, which is undefined; a right one lets all lanes vote and only guards the loads
#include "contract.h"

namespace exercise {

namespace {

__device__ bool has_row(TokenId id, std::size_t vocabulary, std::int64_t padding_idx) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding_idx;
}

constexpr unsigned full = 0xffffffffu;

// Narrow rows: a thread for each place and channel.
__global__ void narrow_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                              DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const std::size_t places = dout.batch * dout.time;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         e < places * dout.channels; e += step) {
        const std::size_t place = e / dout.channels;
        const std::size_t c = e % dout.channels;
        const TokenId id = ids(place / dout.time, place % dout.time);
        bool mine = has_row(id, dwte.rows, padding_idx);
        for (std::size_t j = 0; j < place && mine; ++j)
            mine = ids(j / dout.time, j % dout.time) != id;
        if (!mine) continue;
        float total = 0.0f;
        float partial = 0.0f;
        unsigned terms = 0;
        for (std::size_t j = place; j < places; ++j) {
            if (ids(j / dout.time, j % dout.time) != id) continue;
            partial += dout.data[j * dout.channels + c];
            if (++terms == terms_of_a_partial) {
                total += partial;
                partial = 0.0f;
                terms = 0;
            }
        }
        if (terms > 0) total += partial;
        dwte(static_cast<std::size_t>(id), c) += total;
    }
}

// Wide rows: a warp for each place compares 32 ids at once.
__global__ void wide_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                            DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const std::size_t places = dout.batch * dout.time;
    const unsigned lane = threadIdx.x % 32;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * (blockDim.x / 32);
    for (std::size_t place = (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
         place < places; place += warps) {
        const TokenId id = ids(place / dout.time, place % dout.time);
        bool mine = has_row(id, dwte.rows, padding_idx);
        for (std::size_t base = 0; base < place && mine; base += 32) {
            const std::size_t j = base + lane;
            const bool same = j < place && ids(j / dout.time, j % dout.time) == id;
            mine = __ballot_sync(full, same) == 0;
        }
        if (!mine) continue;
        for (std::size_t c = lane; c < dout.channels; c += 32) {
            float total = 0.0f;
            float partial = 0.0f;
            unsigned terms = 0;
            for (std::size_t base = place; base < places; base += 32) {
                const std::size_t j = base + lane;
                const bool same = j < places && ids(j / dout.time, j % dout.time) == id;
                unsigned votes = __ballot_sync(full, same);
                while (votes != 0) {
                    const std::size_t k = base + static_cast<unsigned>(__ffs(static_cast<int>(votes)) - 1);
                    votes &= votes - 1;
                    partial += dout.data[k * dout.channels + c];
                    if (++terms == terms_of_a_partial) {
                        total += partial;
                        partial = 0.0f;
                        terms = 0;
                    }
                }
            }
            if (terms > 0) total += partial;
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
    if (dout.channels < 32) {
        narrow_kernel<<<blocks_for(places * dout.channels, 256), 256, 0, stream>>>(dout, ids, dwte,
                                                                                   options.padding_idx);
    } else {
        wide_kernel<<<blocks_for(places, 4), 128, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    }
    positions_kernel<<<blocks_for(dout.time * dout.channels, 256), 256, 0, stream>>>(dout, dwpe, options.start);
    return status;
}

} // namespace exercise
