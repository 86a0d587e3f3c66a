// wrong: a thread adds runs of equal tokens in a register, with -1 for no run yet; an id of -1 at the begin of its 32 places joins that run, and its gradient is then added to the row of the next token; a right one drops it
#include "contract.h"

namespace exercise {

namespace {

constexpr std::size_t stretch = 32;

// A thread walks 32 places in one channel and writes only when the token changes.
__global__ void runs(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
                     std::int64_t padding) {
    const std::size_t places = dout.batch * dout.time;
    for (std::size_t begin = blockIdx.x * stretch; begin < places; begin += gridDim.x * stretch) {
        const std::size_t end = begin + stretch < places ? begin + stretch : places;
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            TokenId current = -1;
            float sum = 0.0f;
            for (std::size_t place = begin; place < end; ++place) {
                const TokenId id = ids(place / dout.time, place % dout.time);
                if (id != current) {
                    if (current >= 0) {
                        if (static_cast<std::size_t>(current) < dwte.rows && current != padding)
                            atomicAdd(&dwte(static_cast<std::size_t>(current), c), sum);
                        sum = 0.0f;
                    } else if (current < -1) {
                        sum = 0.0f;
                    }
                    current = id;
                }
                sum += dout.data[place * dout.channels + c];
            }
            if (current >= 0 && static_cast<std::size_t>(current) < dwte.rows && current != padding)
                atomicAdd(&dwte(static_cast<std::size_t>(current), c), sum);
        }
    }
}

__global__ void windows(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t all = dout.time * dout.channels;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b) sum += dout.data[b * all + i];
        dwpe(start + i / dout.channels, i % dout.channels) += sum;
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
    const std::size_t stretches = (B * T + stretch - 1) / stretch;
    const std::size_t blocks = (T * C + 127) / 128;
    runs<<<static_cast<unsigned>(stretches < 16384 ? stretches : 16384), 128, 0, stream>>>(dout, ids, dwte,
                                                                                         options.padding_idx);
    windows<<<static_cast<unsigned>(blocks < 16384 ? blocks : 16384), 128, 0, stream>>>(dout, dwpe,
                                                                                       options.start);
    return Status{};
}

} // namespace exercise
