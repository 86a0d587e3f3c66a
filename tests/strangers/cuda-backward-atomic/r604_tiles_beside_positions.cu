// right: tiles of 64 places join equal tokens through links in shared memory before one atomicAdd; positions run beside them on a second stream, forked and joined by events
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned tile = 64;
constexpr unsigned lanes = 32;
constexpr unsigned teams = 8;

__global__ void tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                       DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    __shared__ TokenId token[tile]; // -1: adds nothing
    __shared__ unsigned next[tile]; // the next place of the tile with this token, or `tile`
    __shared__ bool first[tile];    // no place of the tile before this one has its token
    const std::size_t places = dout.batch * dout.time;
    const unsigned me = threadIdx.y * lanes + threadIdx.x;
    for (std::size_t base = static_cast<std::size_t>(blockIdx.x) * tile; base < places;
         base += static_cast<std::size_t>(gridDim.x) * tile) {
        if (me < tile) {
            TokenId id = -1;
            if (base + me < places) id = ids((base + me) / dout.time, (base + me) % dout.time);
            if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding_idx) id = -1;
            token[me] = id;
        }
        __syncthreads();
        if (me < tile) {
            bool leads = token[me] >= 0;
            for (unsigned k = 0; k < me; ++k)
                if (token[k] == token[me]) leads = false;
            unsigned after = me + 1;
            while (after < tile && token[after] != token[me])
                ++after;
            first[me] = leads;
            next[me] = after;
        }
        __syncthreads();
        for (unsigned k = threadIdx.y; k < tile; k += teams) {
            if (!first[k]) continue;
            float* row = dwte.row(static_cast<std::size_t>(token[k]));
            for (std::size_t c = static_cast<std::size_t>(blockIdx.y) * lanes + threadIdx.x; c < dout.channels;
                 c += static_cast<std::size_t>(gridDim.y) * lanes) {
                float sum = 0.0f;
                for (unsigned at = k; at < tile; at = next[at])
                    sum += dout.data[(base + at) * dout.channels + c];
                atomicAdd(row + c, sum);
            }
        }
        __syncthreads(); // before the next tile takes the place of this one
    }
}

__global__ void positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= dout.time * dout.channels) return;
    const std::size_t t = i / dout.channels, c = i % dout.channels;
    float sum = 0.0f;
    for (std::size_t b = 0; b < dout.batch; ++b)
        sum += dout(b, t, c);
    dwpe(start + t, c) += sum;
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels;
    if (ids.rows != B || ids.cols != T || dwte.cols != C || dwpe.cols != C) return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t room = options.start < dwpe.rows ? dwpe.rows - options.start : 0;
    if (options.start > dwpe.rows || T > room)
        return Status::position_out_of_range(room, static_cast<std::int64_t>(options.start + room), dwpe.rows);
    if (B == 0 || T == 0 || C == 0) return Status{};

    cudaStream_t side;
    cudaEvent_t fork, join;
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
    cudaEventRecord(fork, stream);
    cudaStreamWaitEvent(side, fork, 0);
    positions<<<static_cast<unsigned>((T * C + 255) / 256), 256, 0, side>>>(dout, dwpe, options.start);
    cudaEventRecord(join, side);

    const std::size_t tiles = (B * T + tile - 1) / tile, columns = (C + lanes - 1) / lanes;
    const dim3 grid(static_cast<unsigned>(tiles < 128 ? tiles : 128),
                    static_cast<unsigned>(columns < 64 ? columns : 64));
    tokens<<<grid, dim3(lanes, teams), 0, stream>>>(dout, ids, dwte, options.padding_idx);
    cudaStreamWaitEvent(stream, join, 0);
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    cudaStreamDestroy(side);
    return Status{};
}

} // namespace exercise
