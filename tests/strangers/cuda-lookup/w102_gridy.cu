// wrong: one grid row in y per id, so every call with more than 65,535 ids is refused by the device and leaves out unwritten
#include "contract.h"

namespace exercise {

__global__ void copy2d(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    std::size_t c = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    std::size_t n = blockIdx.y;
    if (c >= out.cols) return;
    long long id = ids[n];
    if (id < 0 || id >= static_cast<long long>(table.rows))
        out(n, c) = __int_as_float(0x7fc00000);
    else
        out(n, c) = table(static_cast<std::size_t>(id), c);
}

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (ids.empty() || table.cols == 0) return Status{};
    dim3 block(256);
    dim3 grid(static_cast<unsigned>((table.cols + 255) / 256), static_cast<unsigned>(ids.size()));
    copy2d<<<grid, block, 0, stream>>>(table, ids, out);
    return Status{};
}

} // namespace exercise
