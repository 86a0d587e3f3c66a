// wrong: partial sums are pieces of 16 places of the text (place / 16), not 16 places of the token, so bits of dwte differ where a token of more than one text piece rounds
#include "contract.h"

namespace exercise {

// One block for each place. The first place of a token adds for all the others.
__global__ void tokens_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                              DeviceMatrix<float> dwte, int64_t padding_idx) {
    size_t T = dout.time;
    size_t C = dout.channels;
    size_t N = dout.batch * T;
    size_t n = blockIdx.x;
    int64_t id = ids(n / T, n % T);
    if (id < 0 || id >= (int64_t)dwte.rows || id == padding_idx) return;

    __shared__ int first;
    if (threadIdx.x == 0) {
        first = 1;
        for (size_t k = n; k > 0; k--) {
            size_t m = k - 1;
            if (ids(m / T, m % T) == id) {
                first = 0;
                break;
            }
        }
    }
    __syncthreads();
    if (!first) return;

    for (size_t c = threadIdx.x; c < C; c += blockDim.x) {
        float total = 0.0f;
        float partial = 0.0f;
        size_t piece = n / terms_of_a_partial;
        for (size_t m = n; m < N; m++) {
            if (ids(m / T, m % T) != id) continue;
            if (m / terms_of_a_partial != piece) {
                total += partial;
                partial = 0.0f;
                piece = m / terms_of_a_partial;
            }
            partial += dout.data[m * C + c];
        }
        total += partial;
        dwte((size_t)id, c) += total;
    }
}

__global__ void positions_kernel(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, size_t start) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= dout.time * dout.channels) return;
    size_t t = i / dout.channels;
    size_t c = i % dout.channels;
    float sum = 0.0f;
    for (size_t b = 0; b < dout.batch; b++) sum += dout(b, t, c);
    dwpe(start + t, c) += sum;
}

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    size_t B = ids.rows, T = ids.cols, C = dwte.cols, V = dwte.rows, P = dwpe.rows, start = options.start;
    if (dwpe.cols != C || dout.batch != B || dout.time != T || dout.channels != C)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && (size_t)options.padding_idx >= V)
        return Status{Code::invalid_argument, 0, options.padding_idx, (int64_t)V};
    if (start > P || T > P - start) {
        size_t p = start > P ? start : P;
        return Status::position_out_of_range(p - start, (int64_t)p, P);
    }
    if (B == 0 || T == 0 || C == 0) return Status{};
    tokens_kernel<<<(unsigned)(B * T), 64, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    positions_kernel<<<(unsigned)((T * C + 255) / 256), 256, 0, stream>>>(dout, dwpe, start);
    return Status{};
}

} // namespace exercise
