// wrong: whether a place is the first one of its token is decided by the 4,096 places before it, so a token that comes again after a longer gap gets a second owner, which adds (and races for) its later places once more
#include "contract.h"

namespace exercise {

template <class F>
__device__ void for_places(const DeviceMatrix<const TokenId>& ids, std::size_t from, std::size_t to, F&& f) {
    for (std::size_t n = from; n < to; ++n) f(n, ids(n / ids.cols, n % ids.cols));
}

constexpr std::size_t window = 4096;

__global__ void heads(DeviceMatrix<const TokenId> ids, std::size_t V, std::int64_t pad, unsigned* is_head) {
    const std::size_t N = ids.rows * ids.cols;
    const std::size_t n = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (n >= N) return;
    const TokenId mine = ids(n / ids.cols, n % ids.cols);
    unsigned yes = mine >= 0 && std::size_t(mine) < V && mine != pad;
    const std::size_t from = n > window ? n - window : 0;
    for (std::size_t m = n; yes && m > from;) {
        --m;
        if (ids(m / ids.cols, m % ids.cols) == mine) yes = 0;
    }
    is_head[n] = yes;
}

__global__ void totals(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
                       const unsigned* is_head) {
    const std::size_t N = dout.batch * dout.time, C = dout.channels;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N * C;
         i += std::size_t(gridDim.x) * blockDim.x) {
        const std::size_t n = i / C, c = i % C;
        if (!is_head[n]) continue;
        const TokenId mine = ids(n / ids.cols, n % ids.cols);
        float total = 0, partial = 0;
        std::size_t count = 0;
        for_places(ids, n, N, [&](std::size_t m, TokenId id) {
            if (id != mine) return;
            if (count != 0 && count % terms_of_a_partial == 0) {
                total += partial;
                partial = 0;
            }
            partial += dout.data[m * C + c];
            ++count;
        });
        total += partial;
        dwte(std::size_t(mine), c) += total;
    }
}

__global__ void positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= dout.time * dout.channels) return;
    float sum = 0;
    for (std::size_t b = 0; b < dout.batch; ++b) sum += dout(b, i / dout.channels, i % dout.channels);
    dwpe(start + i / dout.channels, i % dout.channels) += sum;
}

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t C = dwte.cols, N = ids.rows * ids.cols, start = options.start;
    if (dwpe.cols != C || dout.channels != C || dout.batch != ids.rows || dout.time != ids.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && std::size_t(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, std::int64_t(dwte.rows)};
    if (start > dwpe.rows || dwpe.rows - start < ids.cols) {
        const std::size_t p = start > dwpe.rows ? start : dwpe.rows;
        return Status::position_out_of_range(p - start, std::int64_t(p), dwpe.rows);
    }
    if (N == 0 || C == 0) return Status{};
    unsigned* is_head = nullptr;
    cudaMallocAsync((void**)&is_head, N * sizeof(unsigned), stream);
    const std::size_t w = options.threads;
    heads<<<unsigned((N + w - 1) / w), unsigned(w), 0, stream>>>(ids, dwte.rows, options.padding_idx, is_head);
    const std::size_t blocks = (N * C + w - 1) / w;
    totals<<<unsigned(blocks < 100000 ? blocks : 100000), unsigned(w), 0, stream>>>(dout, ids, dwte, is_head);
    cudaFreeAsync(is_head, stream);
    positions<<<unsigned((ids.cols * C + w - 1) / w), unsigned(w), 0, stream>>>(dout, dwpe, start);
    return Status{};
}

} // namespace exercise
