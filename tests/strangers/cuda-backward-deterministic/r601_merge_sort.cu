// right: sorts the places by a stable merge sort, one launch a level, in which every place finds its new position by binary search in the neighbouring run; then the first place of each segment adds
#include "contract.h"

namespace exercise {
namespace {

__device__ TokenId id_at(const DeviceMatrix<const TokenId>& ids, std::size_t place) {
    return ids(place / ids.cols, place % ids.cols);
}

__device__ std::size_t thread_number() {
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ std::size_t thread_count() {
    return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

__global__ void __launch_bounds__(1024) number_places(std::size_t* order, std::size_t count) {
    for (std::size_t i = thread_number(); i < count; i += thread_count())
        order[i] = i;
}

// Runs of `run` places are sorted; makes them twice as long. Of equal ids those of the left run come first.
__global__ void __launch_bounds__(1024) merge_runs(DeviceMatrix<const TokenId> ids, const std::size_t* from, std::size_t* to,
                           std::size_t count, std::size_t run) {
    for (std::size_t i = thread_number(); i < count; i += thread_count()) {
        const std::size_t begin = i / run / 2 * 2 * run;
        const std::size_t middle = count - begin < run ? count : begin + run;
        const std::size_t end = count - middle < run ? count : middle + run;
        const TokenId mine = id_at(ids, from[i]);
        const bool left = i < middle;
        std::size_t low = left ? middle : begin, high = left ? end : middle;
        const std::size_t other = low;
        while (low < high) { // how many of the other run come before mine?
            const std::size_t probe = low + (high - low) / 2;
            const TokenId theirs = id_at(ids, from[probe]);
            if (theirs < mine || (!left && theirs == mine))
                low = probe + 1;
            else
                high = probe;
        }
        to[begin + (i - (left ? begin : middle)) + (low - other)] = from[i];
    }
}

__global__ void __launch_bounds__(1024) add_segments(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                             const std::size_t* order, DeviceMatrix<float> dwte, std::int64_t padding) {
    const std::size_t count = ids.rows * ids.cols, C = dout.channels;
    for (std::size_t k = thread_number(); k < count * C; k += thread_count()) {
        const std::size_t i = k / C, c = k % C;
        const TokenId id = id_at(ids, order[i]);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding) continue;
        if (i > 0 && id_at(ids, order[i - 1]) == id) continue;
        float total = 0.0F;
        for (std::size_t j = i; j < count && id_at(ids, order[j]) == id;) {
            float partial = 0.0F;
            for (std::size_t n = 0; n < terms_of_a_partial && j < count && id_at(ids, order[j]) == id; ++n, ++j)
                partial += dout.data[order[j] * C + c];
            total += partial;
        }
        dwte(static_cast<std::size_t>(id), c) += total;
    }
}

__global__ void __launch_bounds__(1024) add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t C = dout.channels;
    for (std::size_t k = thread_number(); k < dout.time * C; k += thread_count()) {
        float sum = 0.0F;
        for (std::size_t b = 0; b < dout.batch; ++b)
            sum += dout(b, k / C, k % C);
        dwpe(start + k / C, k % C) += sum;
    }
}

Status refusal(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
               const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe,
               const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t start = options.start, P = dwpe.rows;
    if (start > P || dout.time > P - start) {
        const std::size_t p = start > P ? start : P;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    return Status{};
}

unsigned grid(std::size_t work, unsigned threads) {
    const std::size_t blocks = work / threads + (work % threads != 0);
    return static_cast<unsigned>(blocks < 1u << 20 ? blocks : 1u << 20);
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = refusal(dout, ids, dwte, dwpe, options);
    const std::size_t count = ids.rows * ids.cols, C = dout.channels;
    if (status.code != Code::ok || count == 0 || C == 0) return status;

    const unsigned threads = options.threads;
    add_positions<<<grid(dout.time * C, threads), threads, 0, stream>>>(dout, dwpe, options.start);

    std::size_t* scratch = nullptr;
    cudaMallocAsync(reinterpret_cast<void**>(&scratch), 2 * count * sizeof(std::size_t), stream);
    std::size_t *order = scratch, *spare = scratch + count;
    number_places<<<grid(count, threads), threads, 0, stream>>>(order, count);
    for (std::size_t run = 1; run < count; run *= 2) {
        merge_runs<<<grid(count, threads), threads, 0, stream>>>(ids, order, spare, count, run);
        std::size_t* const sorted = spare;
        spare = order;
        order = sorted;
    }
    add_segments<<<grid(count * C, threads), threads, 0, stream>>>(dout, ids, order, dwte, options.padding_idx);
    cudaFreeAsync(scratch, stream);
    return status;
}

} // namespace exercise
