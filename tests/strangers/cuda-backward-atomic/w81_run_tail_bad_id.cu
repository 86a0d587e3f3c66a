// wrong: an id >= V that is the last of a chunk of 32 places (or of the whole text) is not left alone: its gradient is added behind the table, at row id of dwte
#include "contract.h"

namespace exercise {

namespace {

constexpr unsigned CHUNK = 32;

// Neighbouring equal ids are summed in a register and flushed together: fewer atomics.
__global__ void tokens_by_runs(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                               DeviceMatrix<float> dwte, long long pad, unsigned long long work) {
    const unsigned long long me = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (me >= work) return;
    const unsigned long long C = dout.channels, T = dout.time, N = dout.batch * T;
    const unsigned long long chunk = me / C, c = me % C;
    const unsigned long long first = chunk * CHUNK;
    const unsigned long long last = first + CHUNK < N ? first + CHUNK : N;

    long long run = -1;
    float sum = 0.0f;
    for (unsigned long long n = first; n < last; ++n) {
        const long long id = ids(n / T, n % T);
        const float g = dout.data[n * C + c];
        if (id == run) {
            sum += g;
            continue;
        }
        if (run >= 0 && run < (long long)dwte.rows && run != pad) atomicAdd(&dwte(run, c), sum);
        run = id;
        sum = g;
    }
    if (run >= 0 && run != pad) atomicAdd(&dwte(run, c), sum);
}

__global__ void positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, unsigned long long start,
                          unsigned long long work) {
    const unsigned long long me = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (me >= work) return;
    const unsigned long long t = me / dout.channels, c = me % dout.channels;
    float s = 0.0f;
    for (unsigned long long b = 0; b < dout.batch; ++b) s += dout(b, t, c);
    dwpe(start + t, c) += s;
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dout.channels, V = dwte.rows, P = dwpe.rows;
    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && (std::size_t)options.padding_idx >= V)
        return Status{Code::invalid_argument, 0, options.padding_idx, (std::int64_t)V};
    if (options.start > P || T > P - options.start) {
        const std::size_t p = options.start > P ? options.start : P;
        return Status::position_out_of_range(p - options.start, (std::int64_t)p, P);
    }
    if (B == 0 || T == 0 || C == 0) return Status{};
    const unsigned long long work = (B * T + CHUNK - 1) / CHUNK * C;
    tokens_by_runs<<<(unsigned)((work + 127) / 128), 128, 0, stream>>>(dout, ids, dwte, options.padding_idx,
                                                                       work);
    const unsigned long long work2 = T * C;
    positions<<<(unsigned)((work2 + 127) / 128), 128, 0, stream>>>(dout, dwpe, options.start, work2);
    return Status{};
}

} // namespace exercise
