// right: the owner of a position's sum walks the batch by a recursive template and on its way keeps runs of equal tokens of its column in a register before it adds them to dwte
#include "contract.h"

namespace exercise {
namespace detail {

struct Column {
    DeviceTensor3<const float> dout;
    DeviceMatrix<const TokenId> ids;
    DeviceMatrix<float> dwte;
    std::int64_t padding;
    std::size_t t, c;
    float total;
    float pending;
    std::int64_t owner; // token that `pending` belongs to, -1: none

    __device__ void flush() {
        if (owner >= 0) atomicAdd(dwte.row(static_cast<std::size_t>(owner)) + c, pending);
        owner = -1;
        pending = 0.0f;
    }
    __device__ void visit(std::size_t b) {
        const float g = dout(b, t, c);
        total += g;
        const std::int64_t id = ids(b, t);
        if (id == padding || id < 0 || static_cast<std::uint64_t>(id) >= dwte.rows) return;
        if (id != owner) {
            flush();
            owner = id;
            pending = g;
        } else {
            pending += g;
        }
    }
};

template <int N>
__device__ __forceinline__ void walk(Column& column, std::size_t b) {
    if constexpr (N == 1) {
        column.visit(b);
    } else {
        walk<N / 2>(column, b);
        walk<N - N / 2>(column, b + N / 2);
    }
}

__global__ void columns(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                        DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, std::size_t start,
                        std::int64_t padding) {
    const std::size_t count = dout.time * dout.channels;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
         i += std::size_t{gridDim.x} * blockDim.x) {
        Column column{dout, ids, dwte, padding, i / dout.channels, i % dout.channels, 0.0f, 0.0f, -1};
        std::size_t b = 0;
        for (; dout.batch - b >= 7; b += 7) walk<7>(column, b);
        for (; b < dout.batch; ++b) walk<1>(column, b);
        column.flush();
        dwpe(start + column.t, column.c) += column.total;
    }
}

} // namespace detail

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const auto [start, padding] = options;
    if (!(dout.batch == ids.rows && dout.time == ids.cols && dout.channels == dwte.cols &&
          dout.channels == dwpe.cols))
        return Status{Code::shape_mismatch};
    if (!(padding < 0 || static_cast<std::uint64_t>(padding) < dwte.rows))
        return Status{Code::invalid_argument, 0, padding, static_cast<std::int64_t>(dwte.rows)};
    if (!(start <= dwpe.rows && ids.cols <= dwpe.rows - start)) {
        const std::size_t p = start > dwpe.rows ? start : dwpe.rows;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    const std::size_t count = dout.time * dout.channels;
    if (count != 0 && dout.batch != 0) {
        const std::size_t blocks = (count + 63) / 64;
        detail::columns<<<static_cast<unsigned>(blocks < 1'000'000 ? blocks : 1'000'000), 64, 0, stream>>>(
            dout, ids, dwte, dwpe, start, padding);
    }
    return Status{};
}

} // namespace exercise
