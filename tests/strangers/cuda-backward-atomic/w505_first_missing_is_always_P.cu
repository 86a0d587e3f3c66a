// wrong: reports P as the first position that there is not, also where start lies beyond it, so for start > P the index P - start wraps around and the value is P; p is max(start, P), and the refusal (0, start, P).
#include "contract.h"

namespace exercise {
namespace {

struct Task {
    DeviceTensor3<const float> dout;
    DeviceMatrix<const TokenId> ids;
    DeviceMatrix<float> dwte;
    DeviceMatrix<float> dwpe;
    std::size_t start;
    std::int64_t padding_idx;

    __device__ bool has_row(TokenId id) const {
        return id >= 0 && static_cast<std::size_t>(id) < dwte.rows && static_cast<std::int64_t>(id) != padding_idx;
    }
};

__global__ void embed_backward_kernel(Task task) {
    const std::size_t C = task.dout.channels;
    const std::size_t count = task.dout.time * C;
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
        const std::size_t t = i / C;
        const std::size_t c = i % C;
        float over_batch = 0.0f;
        for (std::size_t b = 0; b < task.dout.batch; ++b) {
            const float gradient = task.dout(b, t, c);
            const TokenId id = task.ids(b, t);
            over_batch += gradient;
            if (task.has_row(id)) atomicAdd(&task.dwte(static_cast<std::size_t>(id), c), gradient);
        }
        task.dwpe(task.start + t, c) += over_batch;
    }
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t V = dwte.rows, P = dwpe.rows, C = dwte.cols;
    if (dwpe.cols != C || dout.channels != C || dout.batch != ids.rows || dout.time != ids.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= static_cast<std::int64_t>(V))
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    // no sum that could wrap around
    if (options.start > P || dout.time > P - options.start)
        return Status::position_out_of_range(P - options.start, static_cast<std::int64_t>(P), P);
    if (dout.batch == 0 || dout.time == 0 || C == 0) return Status{};

    const std::size_t wanted = (dout.time * C + 191) / 192;
    const unsigned blocks = wanted < 8192 ? static_cast<unsigned>(wanted) : 8192u;
    const Task task{dout, ids, dwte, dwpe, options.start, options.padding_idx};
    embed_backward_kernel<<<blocks, 192, 0, stream>>>(task);
    return Status{};
}

} // namespace exercise
