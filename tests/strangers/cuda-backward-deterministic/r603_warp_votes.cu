// right: no scratch memory and one launch; a warp owns (first place of a token, 32 channels), finds the places by votes over 32 ids at a time, and the last blocks of the grid do the positions
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned all_lanes = 0xFFFFFFFFU;

struct Task {
    DeviceTensor3<const float> dout;
    DeviceMatrix<const TokenId> ids;
    DeviceMatrix<float> dwte, dwpe;
    std::size_t start;
    std::int64_t padding;

    __device__ TokenId id(std::size_t place) const { return ids.row(place / ids.cols)[place % ids.cols]; }
};

__device__ void token_sum(const Task& task, std::size_t place, std::size_t c, unsigned lane) {
    const std::size_t count = task.ids.rows * task.ids.cols, C = task.dout.channels;
    const TokenId token = task.id(place); // the same for the whole warp, and so are all branches but those on c
    if (token < 0 || static_cast<std::size_t>(token) >= task.dwte.rows || token == task.padding) return;

    for (std::size_t end = place; end > 0; end -= end < 32 ? end : 32)
        if (__any_sync(all_lanes, lane < end && task.id(end - 1 - lane) == token)) return;

    float total = 0.0F, partial = 0.0F;
    std::size_t terms = 0;
    for (std::size_t base = place; base < count; base += 32) {
        const std::size_t mine = base + lane;
        unsigned hits = __ballot_sync(all_lanes, mine < count && task.id(mine) == token);
        for (; hits != 0; hits &= hits - 1) {
            const std::size_t at = base + static_cast<std::size_t>(__ffs(static_cast<int>(hits)) - 1);
            if (c < C) partial += task.dout.data[at * C + c];
            if (++terms == terms_of_a_partial) {
                total += partial;
                partial = 0.0F;
                terms = 0;
            }
        }
    }
    if (terms > 0) total += partial;
    if (c < C) task.dwte.row(static_cast<std::size_t>(token))[c] += total;
}

__global__ void backward(Task task, std::size_t token_blocks, std::size_t position_blocks) {
    const std::size_t C = task.dout.channels, groups = (C + 31) / 32;
    if (blockIdx.x < token_blocks) {
        const unsigned lane = threadIdx.x % 32, warps = blockDim.x / 32;
        const std::size_t jobs = task.ids.rows * task.ids.cols * groups;
        for (std::size_t job = blockIdx.x * static_cast<std::size_t>(warps) + threadIdx.x / 32; job < jobs;
             job += token_blocks * warps)
            token_sum(task, job / groups, job % groups * 32 + lane, lane);
        return;
    }
    const std::size_t block = blockIdx.x - token_blocks;
    for (std::size_t i = block * blockDim.x + threadIdx.x; i < task.dout.time * C;
         i += position_blocks * blockDim.x) {
        const std::size_t t = i / C, c = i - t * C;
        float sum = 0.0F;
        for (std::size_t b = 0; b < task.dout.batch; ++b)
            sum += task.dout.row(b, t)[c];
        float* held = task.dwpe.row(task.start + t) + c;
        *held = *held + sum;
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
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels;
    if (B == 0 || T == 0 || C == 0) return status;

    constexpr unsigned threads = 64;
    const auto blocks = [](std::size_t work, std::size_t each) {
        const std::size_t needed = work / each + 1;
        return needed < 1'000'000 ? needed : std::size_t{1'000'000};
    };
    const std::size_t token_blocks = blocks(B * T * ((C + 31) / 32), threads / 32);
    const std::size_t position_blocks = blocks(T * C, threads);
    const Task task{dout, ids, dwte, dwpe, options.start, options.padding_idx};
    backward<<<static_cast<unsigned>(token_blocks + position_blocks), threads, 0, stream>>>(task, token_blocks,
                                                                                         position_blocks);
    return status;
}

} // namespace exercise
