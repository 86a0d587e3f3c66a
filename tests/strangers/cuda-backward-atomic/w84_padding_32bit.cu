// wrong: padding_idx is cut to 32 bits for the kernel, so a negative one whose low half is a valid id (-4294967296 + 5) takes the gradient of token 5 away
#include "contract.h"

namespace exercise {
namespace {

struct Args {
    const float* __restrict__ dout;
    const TokenId* __restrict__ ids;
    float* dwte;
    float* dwpe;
    std::size_t B, T, C, V, start, ids_stride, wte_stride, wpe_stride;
    TokenId pad;
};

__global__ void tok(Args a) {
    for (std::size_t n = blockIdx.x; n < a.B * a.T; n += gridDim.x) {
        const TokenId id = a.ids[n / a.T * a.ids_stride + n % a.T];
        if (id < 0 || static_cast<std::size_t>(id) >= a.V || id == a.pad) continue;
        for (std::size_t c = threadIdx.x; c < a.C; c += blockDim.x)
            atomicAdd(a.dwte + static_cast<std::size_t>(id) * a.wte_stride + c, a.dout[n * a.C + c]);
    }
}

__global__ void pos(Args a) {
    for (std::size_t t = blockIdx.x; t < a.T; t += gridDim.x)
        for (std::size_t c = threadIdx.x; c < a.C; c += blockDim.x) {
            float s = 0;
            for (std::size_t b = 0; b != a.B; ++b) s += a.dout[(b * a.T + t) * a.C + c];
            a.dwpe[(a.start + t) * a.wpe_stride + c] += s;
        }
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& o,
                      cudaStream_t stream) {
    const auto V = dwte.rows, P = dwpe.rows, B = ids.rows, T = ids.cols, C = dwte.cols;
    if (dout.batch != B || dout.time != T || dout.channels != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (o.padding_idx >= 0 && static_cast<std::size_t>(o.padding_idx) >= V)
        return Status{Code::invalid_argument, 0, o.padding_idx, static_cast<std::int64_t>(V)};
    if (o.start > P || T > P - o.start) {
        const auto p = o.start > P ? o.start : P;
        return Status::position_out_of_range(p - o.start, static_cast<std::int64_t>(p), P);
    }
    if (!B || !T || !C) return {};
    const Args a{dout.data, ids.data,   dwte.data,   dwpe.data,   B, T, C, V, o.start,
                 ids.stride, dwte.stride, dwpe.stride, static_cast<TokenId>(o.padding_idx)};
    const auto cap = [](std::size_t n) { return static_cast<unsigned>(n < 8192 ? n : 8192); };
    tok<<<cap(B * T), 128, 0, stream>>>(a);
    pos<<<cap(T), 128, 0, stream>>>(a);
    return {};
}

} // namespace exercise
