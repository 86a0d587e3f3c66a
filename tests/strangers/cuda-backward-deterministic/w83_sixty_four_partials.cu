// wrong: there is room for 64 partial sums; a token at more than 1,024 places adds all the rest to the last one, so its bits in dwte differ
#include "contract.h"

#define MAX_PARTIALS 64

namespace exercise {

typedef unsigned long long u64;

__global__ void wte_grad(const float* dout, const int* ids, u64 ids_stride, float* dwte, u64 dwte_stride, u64 V,
                         long long pad, u64 B, u64 T, u64 C) {
    u64 n = blockIdx.x;
    u64 N = B * T;
    int id = ids[n / T * ids_stride + n % T];
    int bad = id < 0 || (u64)id >= V || id == pad;
    __shared__ int owner;
    if (threadIdx.x == 0) {
        owner = !bad;
        u64 m = n;
        while (owner && m-- > 0)
            if (ids[m / T * ids_stride + m % T] == id) owner = 0;
    }
    __syncthreads();
    if (!owner) return;
    float partials[MAX_PARTIALS];
    for (u64 c = threadIdx.x; c < C; c += blockDim.x) {
        int i;
        u64 count = 0;
        for (i = 0; i < MAX_PARTIALS; i++) partials[i] = 0.0f;
        for (u64 m = n; m < N; m++) {
            if (ids[m / T * ids_stride + m % T] != id) continue;
            u64 k = count++ / terms_of_a_partial;
            if (k >= MAX_PARTIALS) k = MAX_PARTIALS - 1;
            partials[k] += dout[m * C + c];
        }
        u64 used = (count + terms_of_a_partial - 1) / terms_of_a_partial;
        if (used > MAX_PARTIALS) used = MAX_PARTIALS;
        float total = 0.0f;
        for (i = 0; i < (int)used; i++) total += partials[i];
        dwte[(u64)id * dwte_stride + c] += total;
    }
}

__global__ void wpe_grad(const float* dout, float* dwpe, u64 dwpe_stride, u64 start, u64 B, u64 T, u64 C) {
    u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= T * C) return;
    float s = 0.0f;
    for (u64 b = 0; b < B; b++) s += dout[b * T * C + i];
    dwpe[(start + i / C) * dwpe_stride + i % C] += s;
}

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    u64 B = ids.rows, T = ids.cols, C = dout.channels, V = dwte.rows, P = dwpe.rows, s = options.start;
    Status st;
    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C) {
        st.code = Code::shape_mismatch;
        return st;
    }
    if (options.padding_idx >= 0 && (u64)options.padding_idx >= V) {
        st.code = Code::invalid_argument;
        st.value = options.padding_idx;
        st.limit = (long long)V;
        return st;
    }
    if (s > P || T > P - s) {
        u64 p = s > P ? s : P;
        st.code = Code::position_out_of_range;
        st.where = p - s;
        st.value = (long long)p;
        st.limit = (long long)P;
        return st;
    }
    if (!B || !T || !C) return st;
    wte_grad<<<(unsigned)(B * T), options.threads, 0, stream>>>(dout.data, ids.data, ids.stride, dwte.data,
                                                               dwte.stride, V, options.padding_idx, B, T, C);
    wpe_grad<<<(unsigned)((T * C + options.threads - 1) / options.threads), options.threads, 0, stream>>>(
        dout.data, dwpe.data, dwpe.stride, s, B, T, C);
    return st;
}

} // namespace exercise
