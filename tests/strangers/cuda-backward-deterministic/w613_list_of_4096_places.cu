// wrong: collects the places of a token in a list of 4,096 in shared memory and leaves out what does not fit; shows where a token has more than 4,096 places; a right one has no such limit
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned capacity = 4096; // 32 KiB of the 48 that a block can have
constexpr unsigned threads = 64;

// One block for each place; that of a token's first place collects the others and adds.
__global__ void collect_and_add(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                                DeviceMatrix<float> dwte, std::int64_t padding) {
    __shared__ std::size_t list[capacity];
    __shared__ unsigned length;

    for (std::size_t place = blockIdx.x; place < ids.rows * ids.cols; place += gridDim.x) {
        const std::size_t b0 = place / ids.cols, t0 = place % ids.cols;
        const TokenId token = ids(b0, t0);
        if (token < 0 || static_cast<std::size_t>(token) >= dwte.rows || token == padding) continue;

        __syncthreads();
        if (threadIdx.x == 0) {
            length = 0;
            bool first = true;
            for (std::size_t b = b0 + 1; first && b-- > 0;)
                for (std::size_t t = b == b0 ? t0 : ids.cols; first && t-- > 0;)
                    first = ids(b, t) != token;
            for (std::size_t b = b0; first && b < ids.rows; ++b)
                for (std::size_t t = b == b0 ? t0 : 0; t < ids.cols; ++t)
                    if (ids(b, t) == token && length < capacity) list[length++] = b * ids.cols + t;
        }
        __syncthreads();
        if (length == 0) continue;

        for (std::size_t c = threadIdx.x; c < dout.channels; c += threads) {
            float total = 0.0F;
            for (unsigned begin = 0; begin < length; begin += terms_of_a_partial) {
                const unsigned left = length - begin;
                const unsigned end = begin + (left < terms_of_a_partial ? left : terms_of_a_partial);
                float partial = 0.0F;
                for (unsigned k = begin; k < end; ++k)
                    partial += dout.data[list[k] * dout.channels + c];
                total += partial;
            }
            dwte(static_cast<std::size_t>(token), c) += total;
        }
    }
}

__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    for (std::size_t t = blockIdx.x; t < dout.time; t += gridDim.x)
        for (std::size_t c = threadIdx.x; c < dout.channels; c += threads) {
            float sum = 0.0F;
            for (std::size_t b = 0; b < dout.batch; ++b)
                sum += dout(b, t, c);
            dwpe(start + t, c) += sum;
        }
}

Status refusal(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
               const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe,
               const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t start = options.start, P = dwpe.rows;
    if (start > P || dout.time > P - start) {
        const std::size_t p = start > P ? start : P;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    return Status{};
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = refusal(dout, ids, dwte, dwpe, options);
    if (status.code != Code::ok) return status;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return status;
    const std::size_t places = dout.batch * dout.time;
    collect_and_add<<<static_cast<unsigned>(places < 1024 ? places : 1024), threads, 0, stream>>>(
        dout, ids, dwte, options.padding_idx);
    add_positions<<<static_cast<unsigned>(dout.time < 1024 ? dout.time : 1024), threads, 0, stream>>>(
        dout, dwpe, options.start);
    return status;
}

} // namespace exercise
