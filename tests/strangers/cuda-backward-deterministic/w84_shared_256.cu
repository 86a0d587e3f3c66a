// wrong: the votes of a block lie in a shared array of 256 entries, one for each thread, so options.threads of 512 or 1,024 write it out of bounds
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

__device__ __forceinline__ TokenId id_at(const DeviceMatrix<const TokenId>& ids, std::size_t n) {
    return ids(n / ids.cols, n % ids.cols);
}

__global__ void gather_token(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                             DeviceMatrix<float> dwte, std::int64_t padding) {
    __shared__ bool vote[256];
    const std::size_t N = dout.batch * dout.time, C = dout.channels;
    for (std::size_t n = blockIdx.x; n < N; n += gridDim.x) {
        const TokenId id = id_at(ids, n);
        bool before = false;
        for (std::size_t m = threadIdx.x; m < n && !before; m += blockDim.x) before = id_at(ids, m) == id;
        vote[threadIdx.x] = before;
        __syncthreads();
        bool first = id >= 0 && static_cast<std::size_t>(id) < dwte.rows && id != padding;
        for (unsigned i = 0; i < blockDim.x && first; ++i) first = !vote[i];
        __syncthreads(); // the array is used again
        if (!first) continue;
        for (std::size_t c = threadIdx.x; c < C; c += blockDim.x) {
            float total = 0.0f, partial = 0.0f;
            std::size_t terms = 0;
            for (std::size_t m = n; m < N; ++m) {
                if (id_at(ids, m) != id) continue;
                partial += dout.data[m * C + c];
                if (++terms == terms_of_a_partial) {
                    total += partial;
                    partial = 0.0f;
                    terms = 0;
                }
            }
            if (terms != 0) total += partial;
            dwte(static_cast<std::size_t>(id), c) += total;
        }
    }
}

__global__ void gather_position(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    for (std::size_t t = blockIdx.x; t < dout.time; t += gridDim.x)
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            float sum = 0.0f;
            for (std::size_t b = 0; b < dout.batch; ++b) sum += dout(b, t, c);
            dwpe(start + t, c) += sum;
        }
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t T = ids.cols, P = dwpe.rows, V = dwte.rows;
    if (dout.batch != ids.rows || dout.time != T || dout.channels != dwte.cols || dout.channels != dwpe.cols)
        return Status{.code = Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= V)
        return Status{.code = Code::invalid_argument,
                      .value = options.padding_idx,
                      .limit = static_cast<std::int64_t>(V)};
    if (const std::size_t p = std::max(options.start, P); p != P || T > P - options.start)
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    if (dout.batch == 0 || T == 0 || dout.channels == 0) return Status{};
    const auto blocks = [](std::size_t n) { return static_cast<unsigned>(std::min<std::size_t>(n, 16'384)); };
    gather_token<<<blocks(dout.batch * T), options.threads, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    gather_position<<<blocks(T), options.threads, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise
