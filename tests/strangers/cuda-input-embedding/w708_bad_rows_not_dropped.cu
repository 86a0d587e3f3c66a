// wrong: the row of a bad id is filled with NaN at once and passes by the dropout, so its dropped elements are NaN instead of +0 in training; a right one drops them like any other
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {
namespace {

__device__ void store(float* to, float x) { *to = x; }
__device__ void store(std::uint16_t* to, float x) { *to = __bfloat16_as_ushort(__float2bfloat16_rn(x)); }

__device__ double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

template <class Out>
struct Job {
    DeviceMatrix<const float> wte;
    DeviceMatrix<const float> wpe;
    DeviceMatrix<const TokenId> ids;
    std::size_t start;
    Dropout dropout;
    DeviceTensor3<Out> out;

    __device__ void fill_nan(Out* to) const {
        for (std::size_t c = threadIdx.x; c < out.channels; c += 32)
            store(to + c, __int_as_float(0x7fc00000));
    }

    __device__ void evaluate(const float* token, const float* position, Out* to) const {
        for (std::size_t c = threadIdx.x; c < out.channels; c += 32)
            store(to + c, token[c] + position[c]);
    }

    __device__ void train(const float* token, const float* position, Out* to, std::uint64_t number) const {
        const float factor = 1.0F / (1.0F - dropout.p);
        for (std::size_t c = threadIdx.x; c < out.channels; c += 32) {
            const float s = token[c] + position[c];
            if (uniform(dropout.seed, number + c) < dropout.p)
                store(to + c, 0.0F);
            else
                store(to + c, s * factor);
        }
    }

    __device__ void row(std::size_t r) const {
        const std::size_t b = r / out.time, t = r % out.time;
        Out* to = out.row(b, t);
        const long long id = ids(b, t);
        if (id < 0 || static_cast<unsigned long long>(id) >= wte.rows) {
            fill_nan(to);
            return;
        }
        const float* token = wte.row(static_cast<std::size_t>(id));
        const float* position = wpe.row(start + t);
        if (dropout.train && dropout.p > 0)
            train(token, position, to, dropout.offset + static_cast<std::uint64_t>(r) * out.channels);
        else
            evaluate(token, position, to);
    }
};

template <class Out>
__global__ void work_on(Job<Out> job) {
    const std::size_t rows = job.out.batch * job.out.time;
    for (std::size_t r = blockIdx.x * std::size_t{4} + threadIdx.y; r < rows; r += gridDim.x * std::size_t{4})
        job.row(r);
}

Status check(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, const Dropout& dropout, std::size_t B, std::size_t T, std::size_t C) {
    if (wpe.cols != wte.cols || B != ids.rows || T != ids.cols || C != wte.cols) return {Code::shape_mismatch};
    const std::size_t P = wpe.rows;
    if (start > P || ids.cols > P - start) {
        const std::size_t p = start > P ? start : P;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (!(dropout.p >= 0.0F && dropout.p <= 1.0F)) return {Code::invalid_argument};
    return {};
}

template <class Out>
Status run(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
           std::size_t start, const Dropout& dropout, DeviceTensor3<Out> out, cudaStream_t stream) {
    const Status status = check(wte, wpe, ids, start, dropout, out.batch, out.time, out.channels);
    if (status.code != Code::ok || out.batch == 0 || out.time == 0 || out.channels == 0) return status;
    const std::size_t blocks = (out.batch * out.time + 3) / 4;
    const Job<Out> job{wte, wpe, ids, start, dropout, out};
    work_on<<<static_cast<unsigned>(blocks < 65536 ? blocks : 65536), dim3(32, 4), 0, stream>>>(job);
    return status;
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return run(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return run(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise
