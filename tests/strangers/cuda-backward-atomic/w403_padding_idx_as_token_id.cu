// wrong: padding_idx is cut to 32 bits to compare it with the ids; a negative one whose low 32 bits are a token, such as -2^32 = -4294967296 (low bits 0), means no token, but here row 0 gets no gradient; a right one compares in 64 bits
#include "contract.h"

namespace exercise {

namespace {

struct Job {
    DeviceTensor3<const float> dout;
    DeviceMatrix<const TokenId> ids;
    DeviceMatrix<float> dwte;
    DeviceMatrix<float> dwpe;
    std::size_t start;
    TokenId padding;
};

__global__ void add_tokens(Job job) {
    const std::size_t places = job.dout.batch * job.dout.time;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * (blockDim.x / 32);
    for (std::size_t place = (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
         place < places; place += warps) {
        const TokenId id = job.ids(place / job.dout.time, place % job.dout.time);
        if (id < 0 || static_cast<std::size_t>(id) >= job.dwte.rows || id == job.padding) continue;
        const float* from = job.dout.data + place * job.dout.channels;
        float* to = job.dwte.row(static_cast<std::size_t>(id));
        for (std::size_t c = threadIdx.x % 32; c < job.dout.channels; c += 32)
            atomicAdd(to + c, from[c]);
    }
}

__global__ void add_positions(Job job) {
    const std::size_t total = job.dout.time * job.dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < total;
         i += step) {
        float sum = 0.0f;
        for (std::size_t b = 0; b < job.dout.batch; ++b)
            sum += job.dout.data[b * total + i];
        job.dwpe(job.start + i / job.dout.channels, i % job.dout.channels) += sum;
    }
}

unsigned blocks_for(std::size_t items, std::size_t of_block) {
    const std::size_t blocks = (items + of_block - 1) / of_block;
    return static_cast<unsigned>(blocks < 32768 ? blocks : 32768);
}

Status check(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
             const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe, const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t start = options.start;
    if (start > dwpe.rows || ids.cols > dwpe.rows - start) {
        const std::size_t p = start > dwpe.rows ? start : dwpe.rows;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    return Status{};
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = check(dout, ids, dwte, dwpe, options);
    if (!(status == Status{})) return status;
    const std::size_t places = dout.batch * dout.time;
    if (places == 0 || dout.channels == 0) return status;
    const Job job{dout, ids, dwte, dwpe, options.start, static_cast<TokenId>(options.padding_idx)};
    add_tokens<<<blocks_for(places, 4), 128, 0, stream>>>(job);
    add_positions<<<blocks_for(dout.time * dout.channels, 128), 128, 0, stream>>>(job);
    return status;
}

} // namespace exercise
