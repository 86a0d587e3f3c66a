// mistake: no-barrier-after-the-id
// says: Thread 0 puts the id into shared memory, and the others read it without waiting: a __syncthreads() is
//   missing between the two.
// hint: Who writes the shared variable, who reads it, and what makes the reader wait?
// symptom: Right in a quiet test; on a busy GPU some rows belong to the block before.
// fails: four ids pick four rows; the last block is only partly needed; random shapes agree with the reference;
//   rows of any width are copied whole; padded rows keep their padding; rows may begin at any multiple of four
//   bytes; an id outside the vocabulary gives a row of nan; the work goes to the caller's stream; a warp moves
//   whole sectors; nan payloads and signed zeros survive; a second call does not remember the first; a table of
//   more than two billion elements; seventy thousand rows; narrow rows waste little
// finds: race_in_block
#include "contract.h"

namespace exercise {
namespace {

__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    __shared__ TokenId id;
    const std::size_t row = blockIdx.x;
    if (threadIdx.x == 0) id = ids[row];
    const bool known = id >= 0 && static_cast<std::size_t>(id) < table.rows;
    for (std::size_t c = threadIdx.x; c < out.cols; c += blockDim.x)
        out(row, c) = known ? table(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    if (ids.empty() || out.cols == 0) return {};
    copy_rows<<<static_cast<unsigned int>(out.rows), 64, 0, stream>>>(table, ids, out);
    return {};
}

} // namespace exercise
