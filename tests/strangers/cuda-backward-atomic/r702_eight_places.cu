// right: a thread owns one channel of eight places in a row, adds equal tokens among them in a register first, and makes one atomicAdd for each different token
#include "contract.h"

namespace exercise {

namespace {

constexpr int group = 8;

__global__ void by_groups(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                          DeviceMatrix<float> dwte, std::int64_t padding) {
    const std::size_t places = dout.batch * dout.time;
    for (std::size_t g = blockIdx.x; g * group < places; g += gridDim.x) {
        const std::size_t begin = g * group;
        const int count = static_cast<int>(places - begin < group ? places - begin : group);
        TokenId token[group];
        for (int i = 0; i < group; ++i) {
            token[i] = -1;
            if (i < count) token[i] = ids((begin + i) / dout.time, (begin + i) % dout.time);
            if (token[i] < 0 || static_cast<std::size_t>(token[i]) >= dwte.rows || token[i] == padding)
                token[i] = -1;
        }
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            unsigned done = 0;
            for (int i = 0; i < count; ++i) {
                if (token[i] < 0 || (done >> i & 1u)) continue;
                float sum = dout.data[(begin + i) * dout.channels + c];
                for (int j = i + 1; j < count; ++j)
                    if (token[j] == token[i]) {
                        sum += dout.data[(begin + j) * dout.channels + c];
                        done |= 1u << j;
                    }
                atomicAdd(dwte.row(static_cast<std::size_t>(token[i])) + c, sum);
            }
        }
    }
}

__global__ void by_owner(DeviceTensor3<const float> dout, DeviceMatrix<float> window) {
    for (std::size_t t = blockIdx.x; t < dout.time; t += gridDim.x)
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            const float* g = dout.row(0, t) + c;
            float sum = 0.0f;
            for (std::size_t b = dout.batch; b > 0; --b, g += dout.time * dout.channels) sum += *g;
            window(t, c) += sum;
        }
}

unsigned at_most(std::size_t n) { return static_cast<unsigned>(n < 20000 ? n : 20000); }

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
    const unsigned threads = C >= 256 ? 256 : static_cast<unsigned>((C + 31) / 32 * 32);
    by_owner<<<at_most(T), threads, 0, stream>>>(
        dout, DeviceMatrix<float>(dwpe.row(options.start), T, C, dwpe.stride));
    by_groups<<<at_most((B * T + group - 1) / group), threads, 0, stream>>>(dout, ids, dwte,
                                                                            options.padding_idx);
    return Status{};
}

} // namespace exercise
