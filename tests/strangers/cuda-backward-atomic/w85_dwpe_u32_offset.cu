// wrong: the offset of a row of dwpe is formed in 32 unsigned bits, so rows that begin 2^32 or more elements after row 0 are added to at offset modulo 2^32
#include "contract.h"

typedef unsigned int u32;
typedef unsigned long long u64;

namespace exercise {

__global__ void k_wte(const float* dout, const int* ids, u64 ids_stride, float* dwte, u64 stride, u64 V,
                      long long pad, u64 T, u64 C, u64 N) {
    u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    u64 n = i / C, c = i % C;
    int id = ids[(n / T) * ids_stride + n % T];
    if (id < 0) return;
    if ((u64)id >= V) return;
    if (id == pad) return;
    atomicAdd(&dwte[(u64)id * stride + c], dout[i]);
}

__global__ void k_wpe(const float* dout, float* dwpe, u32 stride, u32 start, u64 B, u64 T, u64 C) {
    u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= T * C) return;
    u32 t = (u32)(i / C), c = (u32)(i % C);
    float acc = 0.0f;
    for (u64 b = 0; b < B; b++) acc += dout[b * T * C + i];
    u32 at = (start + t) * stride + c;
    dwpe[at] += acc;
}

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    u64 B = ids.rows, T = ids.cols, C = dout.channels, V = dwte.rows, P = dwpe.rows, s = options.start;
    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C) {
        Status st;
        st.code = Code::shape_mismatch;
        return st;
    }
    if (options.padding_idx >= 0 && (u64)options.padding_idx >= V) {
        Status st;
        st.code = Code::invalid_argument;
        st.value = options.padding_idx;
        st.limit = (long long)V;
        return st;
    }
    if (s > P || T > P - s) {
        u64 p = s > P ? s : P;
        return Status::position_out_of_range(p - s, (long long)p, P);
    }
    u64 N = B * T * C;
    if (N == 0) return Status{};
    k_wte<<<(u32)((N + 255) / 256), 256, 0, stream>>>(dout.data, ids.data, ids.stride, dwte.data, dwte.stride, V,
                                                      options.padding_idx, T, C, N);
    k_wpe<<<(u32)((T * C + 255) / 256), 256, 0, stream>>>(dout.data, dwpe.data, (u32)dwpe.stride, (u32)s, B, T,
                                                          C);
    return Status{};
}

} // namespace exercise
