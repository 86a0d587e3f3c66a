// right: the positions are added on a stream of the call's own, which events fork from the caller's stream and join to it again; the tokens use the caller's stream
#include "contract.h"

namespace exercise {

namespace {

struct Job {
    DeviceTensor3<const float> dout;
    DeviceMatrix<const TokenId> ids;
    DeviceMatrix<float> dwte;
    DeviceMatrix<float> dwpe;
    BackwardOptions options;
};

__global__ void token_rows(Job job) {
    const std::size_t n = job.dout.batch * job.dout.time;
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y; place < n;
         place += static_cast<std::size_t>(gridDim.x) * blockDim.y) {
        const std::size_t b = place / job.dout.time, t = place - b * job.dout.time;
        const TokenId id = job.ids(b, t);
        const bool trained = id >= 0 && static_cast<std::size_t>(id) < job.dwte.rows &&
                             (job.options.padding_idx < 0 || id != job.options.padding_idx);
        if (trained)
            for (std::size_t c = threadIdx.x; c < job.dout.channels; c += blockDim.x)
                atomicAdd(&job.dwte(static_cast<std::size_t>(id), c), job.dout(b, t, c));
    }
}

__global__ void position_rows(Job job) {
    const std::size_t n = job.dout.time * job.dout.channels;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        float sum = 0.0f;
        for (std::size_t b = 0; b < job.dout.batch; ++b) sum += job.dout.data[b * n + i];
        job.dwpe(job.options.start + i / job.dout.channels, i % job.dout.channels) += sum;
    }
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dout.channels;
    if (dout.batch != B || dout.time != T || C != dwte.cols || C != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (T > dwpe.rows || options.start > dwpe.rows - T) {
        const std::size_t p = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    if (B == 0 || T == 0 || C == 0) return Status{};
    const Job job{dout, ids, dwte, dwpe, options};
    const std::size_t row_blocks = (B * T + 7) / 8, position_blocks = (T * C + 127) / 128;

    cudaStream_t side = nullptr;
    cudaEvent_t fork = nullptr, join = nullptr;
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&join, cudaEventDisableTiming);

    cudaEventRecord(fork, stream);
    cudaStreamWaitEvent(side, fork, 0);
    position_rows<<<static_cast<unsigned>(position_blocks < 4096 ? position_blocks : 4096), 128, 0, side>>>(job);
    cudaEventRecord(join, side);
    token_rows<<<static_cast<unsigned>(row_blocks < 8192 ? row_blocks : 8192), dim3(32, 8), 0, stream>>>(job);
    cudaStreamWaitEvent(stream, join, 0);

    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    cudaStreamDestroy(side);
    return Status{};
}

} // namespace exercise
