// wrong: a position's sum begins with dout[0, t] in place of 0.0f: where all its terms are -0 and dwpe holds -0 the result stays -0 and should be +0
#include "contract.h"

namespace exercise {
namespace {

struct PiecewiseSum {
    float total = 0.0f, partial = 0.0f;
    unsigned in_partial = 0;
    __device__ void add(float x) {
        if (in_partial == terms_of_a_partial) {
            total += partial;
            partial = 0.0f;
            in_partial = 0;
        }
        partial += x;
        ++in_partial;
    }
    __device__ float value() const { return total + partial; }
};

__device__ bool seen_before(const DeviceMatrix<const TokenId>& ids, std::size_t n, TokenId id) {
    for (std::size_t b = n / ids.cols + 1, end = n % ids.cols; b-- > 0; end = ids.cols)
        for (std::size_t t = end; t-- > 0;)
            if (ids(b, t) == id) return true;
    return false;
}

__global__ void mark_first(DeviceMatrix<const TokenId> ids, std::size_t V, std::int64_t pad, std::uint8_t* first) {
    const std::size_t N = ids.rows * ids.cols;
    const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (n >= N) return;
    const TokenId id = ids(n / ids.cols, n % ids.cols);
    first[n] = id >= 0 && static_cast<std::size_t>(id) < V && id != pad && !seen_before(ids, n, id);
}

__global__ void sum_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, const std::uint8_t* first) {
    const std::size_t N = dout.batch * dout.time;
    for (std::size_t n = blockIdx.x; n < N; n += gridDim.x) {
        if (!first[n]) continue;
        const TokenId id = ids(n / ids.cols, n % ids.cols);
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            PiecewiseSum sum;
            std::size_t t = n % ids.cols;
            for (std::size_t b = n / ids.cols; b < ids.rows; ++b, t = 0)
                for (; t < ids.cols; ++t)
                    if (ids(b, t) == id) sum.add(dout(b, t, c));
            dwte(static_cast<std::size_t>(id), c) += sum.value();
        }
    }
}

__global__ void sum_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t plane = dout.time * dout.channels;
    if (i >= plane) return;
    float sum = dout.data[i];
    for (std::size_t b = 1; b < dout.batch; ++b) sum += dout.data[b * plane + i];
    dwpe(start + i / dout.channels, i % dout.channels) += sum;
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return {Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t p = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    const std::size_t N = ids.rows * ids.cols;
    if (N == 0 || dout.channels == 0) return {};
    const unsigned threads = options.threads;
    const auto grid = [&](std::size_t items) { return static_cast<unsigned>((items + threads - 1) / threads); };
    std::uint8_t* first = nullptr;
    cudaMallocAsync(reinterpret_cast<void**>(&first), N, stream);
    mark_first<<<grid(N), threads, 0, stream>>>(ids, dwte.rows, options.padding_idx, first);
    sum_tokens<<<static_cast<unsigned>(N < 65535 ? N : 65535), threads, 0, stream>>>(dout, ids, dwte, first);
    cudaFreeAsync(first, stream);
    sum_positions<<<grid(dout.time * dout.channels), threads, 0, stream>>>(dout, dwpe, options.start);
    return {};
}

} // namespace exercise
