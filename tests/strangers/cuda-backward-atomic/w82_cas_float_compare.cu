// wrong: where an element of dwte is NaN, or becomes NaN while other threads add to it, the compare-and-swap loop compares floats and never ends
#include "contract.h"

namespace exercise {

static __device__ void my_atomic_add(float* address, float value) {
    unsigned int* bits = reinterpret_cast<unsigned int*>(address);
    float seen = __uint_as_float(atomicAdd(bits, 0u));
    float assumed;
    do {
        assumed = seen;
        seen = __uint_as_float(atomicCAS(bits, __float_as_uint(assumed), __float_as_uint(assumed + value)));
    } while (seen != assumed);
}

static __global__ void wte_kernel(const float* dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
                                  std::int64_t pad, std::size_t C, std::size_t total) {
    std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (; i < total; i += step) {
        const std::size_t place = i / C, c = i - place * C;
        const std::size_t b = place / ids.cols, t = place - b * ids.cols;
        const std::int64_t id = ids(b, t);
        if (id < 0 || static_cast<std::uint64_t>(id) >= dwte.rows || id == pad) continue;
        my_atomic_add(dwte.row(static_cast<std::size_t>(id)) + c, dout[i]);
    }
}

static __global__ void wpe_kernel(const float* dout, std::size_t B, std::size_t T, std::size_t C,
                                  DeviceMatrix<float> dwpe, std::size_t start) {
    std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (; i < T * C; i += step) {
        float sum = 0.0f;
        for (std::size_t b = 0; b < B; ++b) sum += dout[b * T * C + i];
        float* where = dwpe.row(start + i / C) + i % C;
        *where = *where + sum;
    }
}

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return {Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t P = dwpe.rows, start = options.start;
    if (start > P || ids.cols > P - start) {
        const std::size_t p = start < P ? P : start;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    const std::size_t total = dout.batch * dout.time * dout.channels;
    if (total == 0) return {};
    const std::size_t want = (total + 255) / 256;
    const unsigned blocks = want < 4096 ? unsigned(want) : 4096u;
    wte_kernel<<<blocks, 256, 0, stream>>>(dout.data, ids, dwte, options.padding_idx, dout.channels, total);
    const std::size_t want2 = (dout.time * dout.channels + 255) / 256;
    wpe_kernel<<<want2 < 4096 ? unsigned(want2) : 4096u, 256, 0, stream>>>(dout.data, dout.batch, dout.time,
                                                                           dout.channels, dwpe, start);
    return {};
}

} // namespace exercise
