// wrong: the last C % 32 columns are copied by a second kernel that is launched on the default stream instead of the given one, so on another stream they run at any time (out is wrong where C is no multiple of 32)
#include "contract.h"

namespace exercise {

// Whole warps only: columns [0, whole), whole % 32 == 0. No lane idles.
__global__ void body(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
                     std::size_t whole) {
    const std::size_t n = blockIdx.x;
    const TokenId id = ids[n];
    const bool bad = id < 0 || static_cast<std::size_t>(id) >= table.rows;
    for (std::size_t c = threadIdx.x; c < whole; c += blockDim.x)
        out(n, c) = bad ? __int_as_float(0x7fc00000) : table(static_cast<std::size_t>(id), c);
}

// The rest of each row.
__global__ void rest(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
                     std::size_t whole) {
    const std::size_t n = blockIdx.x;
    const std::size_t c = whole + threadIdx.x;
    if (c >= out.cols) return;
    const TokenId id = ids[n];
    const bool bad = id < 0 || static_cast<std::size_t>(id) >= table.rows;
    out(n, c) = bad ? __int_as_float(0x7fc00000) : table(static_cast<std::size_t>(id), c);
}

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    const unsigned rows = static_cast<unsigned>(out.rows);
    if (rows == 0) return Status{};
    const std::size_t whole = out.cols / 32 * 32;
    if (whole != 0) body<<<rows, 128, 0, stream>>>(table, ids, out, whole);
    if (whole != out.cols) rest<<<rows, 32>>>(table, ids, out, whole);
    return Status{};
}

} // namespace exercise
