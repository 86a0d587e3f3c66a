// mistake: barrier-behind-the-guard
// says: Threads without an element leave before __syncthreads(), and the rest of the block waits for them:
//   every thread of a block must reach the barrier.
// hint: Move the barrier out of the branch, or the early return behind it.
// symptom: The kernel hangs on some devices, and works by luck on others.
// fails: four ids pick four rows; the last block is only partly needed; random shapes agree with the reference;
//   rows of any width are copied whole; padded rows keep their padding; rows may begin at any multiple of four
//   bytes; an id outside the vocabulary gives a row of nan; the work goes to the caller's stream; nan payloads
//   and signed zeros survive; a second call does not remember the first; a table of more than two billion
//   elements; seventy thousand rows
// finds: divergent_barrier
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned int threads = 256;

__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    __shared__ float value[threads];
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (element >= out.rows * out.cols) return;
    const std::size_t row = element / out.cols, c = element % out.cols;
    const TokenId id = ids[row];
    const bool known = id >= 0 && static_cast<std::size_t>(id) < table.rows;
    value[threadIdx.x] = known ? table(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
    __syncthreads();
    out(row, c) = value[threadIdx.x];
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    if (ids.empty() || out.cols == 0) return {};
    constexpr unsigned int block = 256;
    const std::size_t elements = out.rows * out.cols;
    const auto grid = static_cast<unsigned int>((elements + block - 1) / block);
    copy_rows<<<grid, block, 0, stream>>>(table, ids, out);
    return {};
}

} // namespace exercise
