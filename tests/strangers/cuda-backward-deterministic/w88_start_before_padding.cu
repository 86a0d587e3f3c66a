// wrong: start + T > P is checked before padding_idx >= V, so a call that has both is refused with position_out_of_range in place of invalid_argument
#include "contract.h"

#include <initializer_list>

namespace exercise {
namespace {

using std::size_t;

template <unsigned Width>
__global__ void token_rows(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding) {
    static_assert(Width % 32 == 0);
    const size_t N = dout.batch * dout.time;
    const auto at = [&](size_t n) { return ids(n / dout.time, n % dout.time); };
    __shared__ int lead;
    for (size_t n = blockIdx.x; n < N; n += gridDim.x) {
        const TokenId id = at(n);
        const bool counts = id >= 0 && static_cast<size_t>(id) < dwte.rows && id != padding;
        if (threadIdx.x == 0) {
            size_t m = n;
            while (counts && m > 0 && at(m - 1) != id) --m;
            lead = counts && m == 0;
        }
        __syncthreads();
        const bool mine = lead;
        __syncthreads();
        if (!mine) continue;
        for (size_t c = threadIdx.x; c < dout.channels; c += Width) {
            float sums[2] = {}; // partial, total
            unsigned terms = 0;
            for (size_t m = n; m < N; ++m)
                if (at(m) == id) {
                    sums[0] += dout.data[m * dout.channels + c];
                    if (++terms % terms_of_a_partial == 0) {
                        sums[1] += sums[0];
                        sums[0] = 0.0F;
                    }
                }
            sums[1] += sums[0];
            dwte(static_cast<size_t>(id), c) += sums[1];
        }
    }
}

template <unsigned Width>
__global__ void position_rows(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, size_t start) {
    const size_t plane = dout.time * dout.channels;
    for (size_t i = size_t{blockIdx.x} * Width + threadIdx.x; i < plane; i += size_t{gridDim.x} * Width) {
        float sum = 0.0F;
        for (size_t at = i; at < plane * dout.batch; at += plane) sum += dout.data[at];
        dwpe(start + i / dout.channels, i % dout.channels) += sum;
    }
}

template <unsigned Width>
void launch(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
            DeviceMatrix<float> dwpe, const BackwardOptions& o, cudaStream_t stream) {
    const size_t N = dout.batch * dout.time;
    token_rows<Width><<<static_cast<unsigned>(N < 5000 ? N : 5000), Width, 0, stream>>>(dout, ids, dwte,
                                                                                       o.padding_idx);
    const size_t blocks = (dout.time * dout.channels + Width - 1) / Width;
    position_rows<Width><<<static_cast<unsigned>(blocks < 5000 ? blocks : 5000), Width, 0, stream>>>(dout, dwpe,
                                                                                                    o.start);
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    for (const size_t cols : {dwte.cols, dwpe.cols})
        if (cols != dout.channels) return Status{Code::shape_mismatch};
    if (dout.batch != ids.rows || dout.time != ids.cols) return Status{Code::shape_mismatch};
    const size_t P = dwpe.rows, p = options.start > P ? options.start : P;
    if (options.start > P || ids.cols > P - options.start)
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    if (options.padding_idx >= 0 && static_cast<size_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return Status{};
    if (dout.channels > 64)
        launch<128>(dout, ids, dwte, dwpe, options, stream);
    else
        launch<32>(dout, ids, dwte, dwpe, options, stream);
    return Status{};
}

} // namespace exercise
