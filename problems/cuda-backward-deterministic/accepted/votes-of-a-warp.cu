// accepted: a warp a place, 32 ids compared by one vote
#include "contract.h"

namespace exercise {
namespace {

unsigned int blocks_for(std::size_t work, unsigned int threads) {
    return static_cast<unsigned int>((work + threads - 1) / threads);
}

__device__ TokenId id_at(DeviceMatrix<const TokenId> ids, std::size_t place) {
    return ids(place / ids.cols, place % ids.cols);
}

/// A warp a place. It compares 32 ids at a time and lets them vote; the first place of a token adds up the
/// rows of all, lanes along the channels.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    constexpr unsigned int everybody = 0xffffffffu;
    const std::size_t first = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32,
                      lane = threadIdx.x % 32;
    const std::size_t places = ids.rows * ids.cols;
    if (first >= places) return;
    const TokenId id = id_at(ids, first);
    if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding_idx) return;
    for (std::size_t tile = first / 32 + 1; tile-- > 0;) {
        const std::size_t place = tile * 32 + lane;
        if (__ballot_sync(everybody, place < first && id_at(ids, place) == id) != 0) return;
    }
    // All lanes take the same votes, so the barriers in them are reached by all, with and without a channel.
    for (std::size_t base = 0; base < dout.channels; base += 32) {
        const std::size_t c = base + lane;
        float total = 0, partial = 0;
        unsigned int terms = 0;
        for (std::size_t tile = first / 32; tile * 32 < places; ++tile) {
            const std::size_t place = tile * 32 + lane;
            unsigned int equal =
                __ballot_sync(everybody, place >= first && place < places && id_at(ids, place) == id);
            for (; equal != 0; equal &= equal - 1) {
                const std::size_t next =
                    tile * 32 + static_cast<std::size_t>(__ffs(static_cast<int>(equal)) - 1);
                if (c < dout.channels) partial += dout.data[next * dout.channels + c];
                if (++terms < terms_of_a_partial) continue;
                total += partial;
                partial = 0;
                terms = 0;
            }
        }
        if (terms > 0) total += partial;
        if (c < dout.channels) dwte(static_cast<std::size_t>(id), c) += total;
    }
}

/// One thread an element of the window.
__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (element >= dout.time * dout.channels) return;
    const std::size_t t = element / dout.channels, c = element % dout.channels;
    float sum = 0;
    for (std::size_t b = 0; b < dout.batch; ++b)
        sum += dout(b, t, c);
    dwpe(start + t, c) += sum;
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dout.channels;
    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C) return {Code::shape_mismatch};
    const auto V = static_cast<std::int64_t>(dwte.rows);
    if (options.padding_idx >= V) return {Code::invalid_argument, 0, options.padding_idx, V};
    if (options.start > dwpe.rows || T > dwpe.rows - options.start) {
        const std::size_t position = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(position - options.start, static_cast<std::int64_t>(position),
                                             dwpe.rows);
    }
    if (B * T * C == 0) return {};
    const unsigned int threads = options.threads;
    add_tokens<<<blocks_for(B * T * 32, threads), threads, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    add_positions<<<blocks_for(T * C, threads), threads, 0, stream>>>(dout, dwpe, options.start);
    return {};
}

} // namespace exercise
