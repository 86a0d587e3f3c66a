// wrong: a call with C = 0 and shapes that fit returns Status{} even where padding_idx >= V or start + T > P, which have to be refused
#include "contract.h"

namespace exercise {

template <int Threads>
__global__ void __launch_bounds__(Threads)
    both(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
         DeviceMatrix<float> dwpe, std::size_t start, std::int64_t padding_idx) {
    const std::size_t stride = std::size_t{gridDim.x} * Threads;
    const std::size_t count = dout.time * dout.channels;
    for (std::size_t e = std::size_t{blockIdx.x} * Threads + threadIdx.x; e < count; e += stride) {
        const std::size_t t = e / dout.channels;
        const std::size_t c = e % dout.channels;
        float position = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const float g = dout(b, t, c);
            position += g;
            const TokenId id = ids(b, t);
            if (id >= 0 && static_cast<std::size_t>(id) < dwte.rows && id != padding_idx)
                atomicAdd(&dwte(static_cast<std::size_t>(id), c), g);
        }
        dwpe(start + t, c) += position;
    }
}

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t channels = dout.channels;
    if (dout.batch != ids.rows || dout.time != ids.cols || channels != dwte.cols || channels != dwpe.cols)
        return Status{.code = Code::shape_mismatch};
    if (channels == 0) return Status{}; // no floats at all

    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return Status{.code = Code::invalid_argument,
                      .value = options.padding_idx,
                      .limit = static_cast<std::int64_t>(dwte.rows)};
    const std::size_t last_start = options.start > dwpe.rows ? 0 : dwpe.rows - options.start;
    if (options.start > dwpe.rows || ids.cols > last_start) {
        const std::size_t p = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    if (ids.rows == 0 || ids.cols == 0) return Status{};

    constexpr int threads = 192;
    const std::size_t wanted = (ids.cols * channels + threads - 1) / threads;
    both<threads><<<static_cast<unsigned>(wanted < 60000 ? wanted : 60000), threads, 0, stream>>>(
        dout, ids, dwte, dwpe, options.start, options.padding_idx);
    return Status{};
}

} // namespace exercise
