// wrong: the loop around atomicCAS compares the old values as floats, so it never ends where an element of dwte is NaN or becomes NaN between two tries; a right one compares bits or uses atomicAdd
#include "contract.h"

namespace exercise {

namespace {

__device__ void atomic_add_float(float* address, float value) {
    float old = *reinterpret_cast<volatile float*>(address);
    float assumed;
    do {
        assumed = old;
        old = __int_as_float(atomicCAS(reinterpret_cast<int*>(address), __float_as_int(assumed),
                                       __float_as_int(assumed + value)));
    } while (old != assumed);
}

__global__ void token_rows(const float* dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
                           long long padding) {
    const std::size_t warp = (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * blockDim.x / 32;
    for (std::size_t place = warp; place < ids.rows * ids.cols; place += warps) {
        const TokenId id = ids(place / ids.cols, place % ids.cols);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding) continue;
        for (std::size_t c = threadIdx.x % 32; c < dwte.cols; c += 32)
            atomic_add_float(dwte.row(static_cast<std::size_t>(id)) + c, dout[place * dwte.cols + c]);
    }
}

__global__ void position_rows(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    for (std::size_t t = blockIdx.x; t < dout.time; t += gridDim.x)
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            float sum = 0.0f;
            for (std::size_t b = 0; b < dout.batch; ++b) sum += dout(b, t, c);
            dwpe(start + t, c) += sum;
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
    const std::size_t blocks = (B * T + 3) / 4;
    token_rows<<<static_cast<unsigned>(blocks < 16384 ? blocks : 16384), 128, 0, stream>>>(
        dout.data, ids, dwte, options.padding_idx);
    position_rows<<<static_cast<unsigned>(T < 16384 ? T : 16384), 128, 0, stream>>>(dout, dwpe,
                                                                                   options.start);
    return Status{};
}

} // namespace exercise
