// wrong: checks each table just before its own launch, so a call that is refused because start + T > P has already launched the token kernel and changed dwte; a right one checks all and then launches
#include "contract.h"

namespace exercise {

namespace {

__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding) {
    for (std::size_t place = blockIdx.x; place < ids.rows * ids.cols; place += gridDim.x) {
        const std::size_t b = place / ids.cols, t = place % ids.cols;
        const TokenId id = ids(b, t);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding) continue;
        for (std::size_t c = threadIdx.x; c < dwte.cols; c += blockDim.x)
            atomicAdd(&dwte(static_cast<std::size_t>(id), c), dout(b, t, c));
    }
}

__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    for (std::size_t t = blockIdx.x; t < dout.time; t += gridDim.x)
        for (std::size_t c = threadIdx.x; c < dwpe.cols; c += blockDim.x) {
            float sum = 0.0f;
            for (std::size_t b = 0; b < dout.batch; ++b) sum += dout(b, t, c);
            dwpe(start + t, c) += sum;
        }
}

Status tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
              std::int64_t padding, cudaStream_t stream) {
    if (padding >= 0 && static_cast<std::uint64_t>(padding) >= dwte.rows)
        return Status{Code::invalid_argument, 0, padding, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t places = ids.rows * ids.cols;
    if (ids.rows != 0 && ids.cols != 0 && dwte.cols != 0)
        add_tokens<<<static_cast<unsigned>(places < 16384 ? places : 16384), 128, 0, stream>>>(dout, ids, dwte,
                                                                                             padding);
    return Status{};
}

Status positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start,
                 cudaStream_t stream) {
    const std::size_t T = dout.time;
    if (T > dwpe.rows || start > dwpe.rows - T) {
        const std::size_t p = start > dwpe.rows ? start : dwpe.rows;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    if (dout.batch != 0 && T != 0 && dwpe.cols != 0)
        add_positions<<<static_cast<unsigned>(T < 16384 ? T : 16384), 128, 0, stream>>>(dout, dwpe, start);
    return Status{};
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (const Status s = tokens(dout, ids, dwte, options.padding_idx, stream); s.code != Code::ok) return s;
    return positions(dout, dwpe, options.start, stream);
}

} // namespace exercise
