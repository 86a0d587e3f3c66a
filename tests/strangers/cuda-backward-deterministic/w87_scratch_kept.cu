// wrong: the scratch memory is kept in a static pointer for the next call and freed only when a larger one is wanted, so a call does not give back what it took, and a later call may use it on another stream
#include "contract.h"

namespace exercise {
namespace {

class Scratch {
  public:
    int* get(std::size_t count, cudaStream_t stream) {
        if (count > capacity_) {
            if (pointer_) cudaFreeAsync(pointer_, stream);
            cudaMallocAsync(reinterpret_cast<void**>(&pointer_), count * sizeof(int), stream);
            capacity_ = count;
        }
        return pointer_;
    }

  private:
    int* pointer_ = nullptr;
    std::size_t capacity_ = 0;
};

Scratch scratch;

// owner[n]: the token that place n works for, -1: none
__global__ void elect(DeviceMatrix<const TokenId> ids, std::size_t V, std::int64_t pad, int* owner) {
    const std::size_t N = ids.rows * ids.cols, n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (n >= N) return;
    const TokenId id = ids(n / ids.cols, n % ids.cols);
    owner[n] = -1;
    if (id < 0 || static_cast<std::size_t>(id) >= V || id == pad) return;
    for (std::size_t m = n; m-- > 0;)
        if (ids(m / ids.cols, m % ids.cols) == id) return;
    owner[n] = id;
}

__global__ void work(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
                     const int* owner) {
    const std::size_t n = blockIdx.x, N = dout.batch * dout.time, C = dout.channels;
    const int id = owner[n];
    if (id < 0) return;
    for (std::size_t c = threadIdx.x; c < C; c += blockDim.x) {
        float total = 0.0f, partial = 0.0f;
        int room = terms_of_a_partial;
        for (std::size_t m = n; m < N; ++m) {
            if (ids(m / ids.cols, m % ids.cols) != id) continue;
            if (room == 0) {
                total += partial;
                partial = 0.0f;
                room = terms_of_a_partial;
            }
            partial += dout.data[m * C + c];
            --room;
        }
        dwte(static_cast<std::size_t>(id), c) += total + partial;
    }
}

__global__ void place(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t t = blockIdx.x;
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
    const auto B = ids.rows, T = ids.cols, C = dout.channels;
    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C) return {Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || T > dwpe.rows - options.start) {
        const auto p = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    if (B == 0 || T == 0 || C == 0) return {};
    int* const owner = scratch.get(B * T, stream);
    elect<<<static_cast<unsigned>((B * T + 127) / 128), 128, 0, stream>>>(ids, dwte.rows, options.padding_idx,
                                                                         owner);
    work<<<static_cast<unsigned>(B * T), 128, 0, stream>>>(dout, ids, dwte, owner);
    place<<<static_cast<unsigned>(T), 128, 0, stream>>>(dout, dwpe, options.start);
    return {};
}

} // namespace exercise
