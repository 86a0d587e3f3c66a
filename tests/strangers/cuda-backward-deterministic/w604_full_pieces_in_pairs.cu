// wrong: adds the 16 terms of a full piece in pairs ((t0 + t1) + (t2 + t3)) + ..., for the parallelism; a short last piece is right; shows in the bits where a token has 16 or more places and the terms have to round; a right one begins with 0.0f and adds one after another
#include "contract.h"

namespace exercise {
namespace {

struct Places { // the places of one token from `at` on
    const DeviceMatrix<const TokenId>& ids;
    std::size_t at, count;
    TokenId token;

    __device__ void next() {
        do
            ++at;
        while (at < count && ids(at / ids.cols, at % ids.cols) != token);
    }
};

__device__ float add_in_pairs(const float* term) {
    float sum[8];
#pragma unroll
    for (int i = 0; i < 8; ++i)
        sum[i] = term[2 * i] + term[2 * i + 1];
#pragma unroll
    for (int width = 4; width > 0; width /= 2)
#pragma unroll
        for (int i = 0; i < width; ++i)
            sum[i] = sum[2 * i] + sum[2 * i + 1];
    return sum[0];
}

__global__ void by_place(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                         DeviceMatrix<float> dwte, std::int64_t padding) {
    const std::size_t count = ids.rows * ids.cols, C = dout.channels;
    for (std::size_t place = blockIdx.x; place < count; place += gridDim.x) {
        const TokenId token = ids(place / ids.cols, place % ids.cols);
        if (token < 0 || static_cast<std::size_t>(token) >= dwte.rows || token == padding) continue;
        std::size_t earlier = place;
        while (earlier > 0 && ids((earlier - 1) / ids.cols, (earlier - 1) % ids.cols) != token)
            --earlier;
        if (earlier > 0) continue; // not the first place of its token

        for (std::size_t c = threadIdx.x; c < C; c += blockDim.x) {
            float total = 0.0F;
            for (Places places{ids, place, count, token}; places.at < count;) {
                float term[terms_of_a_partial];
                std::size_t n = 0;
                for (; n < terms_of_a_partial && places.at < count; places.next())
                    term[n++] = dout.data[places.at * C + c];
                if (n == terms_of_a_partial) {
                    total += add_in_pairs(term);
                } else {
                    float partial = 0.0F;
                    for (std::size_t k = 0; k < n; ++k)
                        partial += term[k];
                    total += partial;
                }
            }
            dwte(static_cast<std::size_t>(token), c) += total;
        }
    }
}

__global__ void by_position(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    for (std::size_t t = blockIdx.x; t < dout.time; t += gridDim.x)
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
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
    const std::size_t count = dout.batch * dout.time;
    if (status.code != Code::ok || count == 0 || dout.channels == 0) return status;
    const auto capped = [](std::size_t blocks) { return static_cast<unsigned>(blocks < 2048 ? blocks : 2048); };
    by_place<<<capped(count), 128, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    by_position<<<capped(dout.time), 128, 0, stream>>>(dout, dwpe, options.start);
    return status;
}

} // namespace exercise
