// wrong: the owner of an element of dwpe loads what was there and adds the batch to it, one after another, which rounds differently once numbers are not whole; the sum is to be made from 0.0f on and then added, once.
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned threads_per_block = 128;

__global__ void backward_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                                DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, std::size_t start,
                                std::int64_t padding_idx) {
    const std::size_t width = dout.channels;
    const std::size_t owner = blockIdx.x * static_cast<std::size_t>(threads_per_block) + threadIdx.x;
    if (owner >= dout.time * width) return;
    const std::size_t t = owner / width;
    const std::size_t c = owner - t * width;

    float* mine = dwpe.row(start + t) + c;
    float sum = *mine;
    for (std::size_t b = 0; b < dout.batch; ++b) {
        const float g = dout(b, t, c);
        sum += g;
        const std::int64_t id = ids(b, t);
        if (id >= 0 && id < static_cast<std::int64_t>(dwte.rows) && id != padding_idx)
            atomicAdd(dwte.row(static_cast<std::size_t>(id)) + c, g);
    }
    *mine = sum;
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const bool fits = dout.batch == ids.rows && dout.time == ids.cols && dout.channels == dwte.cols &&
                      dout.channels == dwpe.cols;
    if (!fits) return Status{Code::shape_mismatch};

    const auto vocabulary = static_cast<std::int64_t>(dwte.rows);
    if (options.padding_idx >= vocabulary) return {Code::invalid_argument, 0, options.padding_idx, vocabulary};

    const std::size_t positions = dwpe.rows;
    if (options.start > positions) return Status::position_out_of_range(0, static_cast<std::int64_t>(options.start), positions);
    if (positions - options.start < dout.time)
        return Status::position_out_of_range(positions - options.start, static_cast<std::int64_t>(positions), positions);

    const std::size_t owners = dout.time * dout.channels;
    if (owners == 0 || dout.batch == 0) return {};
    const auto blocks = static_cast<unsigned>((owners - 1) / threads_per_block + 1);
    backward_kernel<<<blocks, threads_per_block, 0, stream>>>(dout, ids, dwte, dwpe, options.start,
                                                              options.padding_idx);
    return {};
}

} // namespace exercise
