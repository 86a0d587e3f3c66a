// right: no scratch memory and no shared memory: a warp for each place finds out by ballots of 32 ids whether it is first, and then takes the set bits one by one, its lanes being 32 channels
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned everyone = 0xffffffffu;

// Which of the 32 places from `from` on have this token; places outside [lo, hi) have not.
__device__ unsigned matches(const DeviceMatrix<const TokenId>& ids, std::size_t from, std::size_t hi, TokenId id,
                            unsigned lane) {
    const std::size_t n = from + lane;
    bool same = false;
    if (n < hi) same = ids(n / ids.cols, n % ids.cols) == id;
    return __ballot_sync(everyone, same);
}

__global__ void tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
                       std::int64_t padding) {
    const unsigned lane = threadIdx.x;
    const std::size_t N = dout.batch * dout.time, C = dout.channels;
    const std::size_t warps = std::size_t{gridDim.x} * blockDim.y;
    for (std::size_t n = std::size_t{blockIdx.x} * blockDim.y + threadIdx.y; n < N; n += warps) {
        const TokenId id = ids(n / ids.cols, n % ids.cols);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding) continue; // the whole warp

        bool first = true;
        for (std::size_t base = n / 32 * 32 + 32; first && base > 0;) {
            base -= 32;
            first = matches(ids, base, n, id, lane) == 0;
        }
        if (!first) continue; // the whole warp

        for (std::size_t c0 = 0; c0 < C; c0 += 32) {
            const std::size_t c = c0 + lane;
            float total = 0.0f, partial = 0.0f;
            unsigned terms = 0;
            for (std::size_t base = n; base < N; base += 32) {
                unsigned set = matches(ids, base, N, id, lane);
                while (set != 0) {
                    const int bit = __ffs(static_cast<int>(set)) - 1;
                    set &= set - 1;
                    if (c < C) partial += dout.data[(base + bit) * C + c];
                    if (++terms == terms_of_a_partial) {
                        total += partial;
                        partial = 0.0f;
                        terms = 0;
                    }
                }
            }
            if (terms != 0) total += partial;
            if (c < C) dwte(static_cast<std::size_t>(id), c) += total;
        }
    }
}

__global__ void positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t warps = std::size_t{gridDim.x} * blockDim.y;
    for (std::size_t t = std::size_t{blockIdx.x} * blockDim.y + threadIdx.y; t < dout.time; t += warps)
        for (std::size_t c = threadIdx.x; c < dout.channels; c += 32) {
            float sum = 0.0f;
            const float* g = dout.data + t * dout.channels + c;
            for (std::size_t left = dout.batch;;) {
                sum += *g;
                if (--left == 0) break;
                g += dout.time * dout.channels;
            }
            dwpe(start + t, c) += sum;
        }
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const auto& [start, padding, threads] = options;
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (padding >= 0 && static_cast<std::uint64_t>(padding) >= dwte.rows)
        return Status{Code::invalid_argument, 0, padding, static_cast<std::int64_t>(dwte.rows)};
    if (start > dwpe.rows || ids.cols > dwpe.rows - start) {
        const std::size_t p = start > dwpe.rows ? start : dwpe.rows;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return Status{};
    const unsigned rows = threads < 64 ? 1 : threads > 224 ? 7 : threads / 32;
    const dim3 block(32, rows);
    const auto grid = [rows = rows](std::size_t n) {
        const std::size_t blocks = (n + rows - 1) / rows;
        return static_cast<unsigned>(blocks < 40'000 ? blocks : 40'000);
    };
    tokens<<<grid(dout.batch * dout.time), block, 0, stream>>>(dout, ids, dwte, padding);
    positions<<<grid(dout.time), block, 0, stream>>>(dout, dwpe, start);
    return Status{};
}

} // namespace exercise
