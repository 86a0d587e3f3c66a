// wrong: dwpe gets dout[0,t], dout[1,t], ... added one after another onto what was there, not their sum added once, so its last bits differ where additions round
#include "contract.h"

namespace exercise {

// one thread an element of a position row
__global__ void backward_pos(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, size_t start) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t C = dout.channels;
    size_t T = dout.time;
    if (i < T * C) {
        size_t t = i / C;
        size_t c = i % C;
        for (size_t b = 0; b < dout.batch; b++) {
            dwpe(start + t, c) += dout(b, t, c);
        }
    }
}

// one thread an element of dout
__global__ void backward_tok(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                             DeviceMatrix<float> dwte, int64_t padding_idx) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t C = dout.channels;
    size_t T = dout.time;
    if (i < dout.batch * T * C) {
        size_t b = i / (T * C);
        size_t t = i / C % T;
        size_t c = i % C;
        int64_t id = ids(b, t);
        bool ok = id >= 0 && id < (int64_t)dwte.rows && id != padding_idx;
        if (ok) {
            atomicAdd(&dwte((size_t)id, c), dout(b, t, c));
        }
    }
}

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    size_t B = ids.rows;
    size_t T = ids.cols;
    size_t C = dwte.cols;
    if (dwpe.cols != C || dout.batch != B || dout.time != T || dout.channels != C) {
        return Status{Code::shape_mismatch};
    }
    if (options.padding_idx >= 0 && (size_t)options.padding_idx >= dwte.rows) {
        return Status{Code::invalid_argument, 0, options.padding_idx, (int64_t)dwte.rows};
    }
    size_t P = dwpe.rows;
    size_t start = options.start;
    if (start > P || P - start < T) {
        size_t p = P;
        if (start > P) p = start;
        return Status::position_out_of_range(p - start, (int64_t)p, P);
    }
    if (B == 0 || T == 0 || C == 0) {
        return Status{};
    }
    int threads = 256;
    unsigned blocks = (unsigned)((B * T * C + threads - 1) / threads);
    backward_tok<<<blocks, threads, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    blocks = (unsigned)((T * C + threads - 1) / threads);
    backward_pos<<<blocks, threads, 0, stream>>>(dout, dwpe, start);
    return Status{};
}

} // namespace exercise
