// wrong: the position kernel runs on a second stream that waits for the caller's, but the caller's stream does not wait for it, so dwpe may lack its gradient when the caller's stream has done its work
#include "contract.h"

namespace exercise {
namespace {

struct SideStream {
    cudaStream_t stream{};
    cudaEvent_t ready{};
    SideStream() {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    }
};

__global__ void tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                       DeviceMatrix<float> dwte, std::int64_t pad) {
    std::size_t const i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= dout.batch * dout.time * dout.channels) return;
    std::size_t const row = i / dout.channels;
    TokenId const id = ids(row / dout.time, row % dout.time);
    if (id >= 0 && std::size_t(id) < dwte.rows && id != pad)
        atomicAdd(&dwte(std::size_t(id), i % dout.channels), dout.data[i]);
}

__global__ void places(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    std::size_t const i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    std::size_t const one = dout.time * dout.channels;
    if (i >= one) return;
    float sum = 0.0f;
    float const* g = dout.data + i;
    for (std::size_t b = dout.batch; b != 0; --b, g += one) sum += *g;
    dwpe(start + i / dout.channels, i % dout.channels) += sum;
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    std::size_t const C = dwte.cols, T = ids.cols, B = ids.rows;
    if (dwpe.cols != C || dout.batch != B || dout.time != T || dout.channels != C)
        return {Code::shape_mismatch};
    if (options.padding_idx >= 0 && std::size_t(options.padding_idx) >= dwte.rows)
        return {Code::invalid_argument, 0, options.padding_idx, std::int64_t(dwte.rows)};
    if (options.start > dwpe.rows || dwpe.rows - options.start < T) {
        std::size_t const p = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(p - options.start, std::int64_t(p), dwpe.rows);
    }
    if (B == 0 || T == 0 || C == 0) return {};

    static SideStream side;
    cudaEventRecord(side.ready, stream);
    cudaStreamWaitEvent(side.stream, side.ready, 0);
    tokens<<<unsigned((B * T * C + 255) / 256), 256, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    places<<<unsigned((T * C + 255) / 256), 256, 0, side.stream>>>(dout, dwpe, options.start);
    return {};
}

} // namespace exercise
