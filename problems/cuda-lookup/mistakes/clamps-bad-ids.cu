// mistake: clamps-bad-ids
// says: You move an id that is out of range to the nearest valid one, which hides that it was bad.
// hint: What does the contract put into the row of a bad id?
// symptom: Bad ids come back as the first or the last row of the table.
// fails: an id outside the vocabulary gives a row of nan
#include "contract.h"

namespace exercise {
namespace {

__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (element >= out.rows * out.cols) return;
    const std::size_t row = element / out.cols, c = element % out.cols;
    const TokenId id = ids[row];
    const auto last = static_cast<TokenId>(table.rows) - 1;
    const TokenId valid = id < 0 ? 0 : id > last ? last : id;
    out(row, c) = table(static_cast<std::size_t>(valid), c);
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
