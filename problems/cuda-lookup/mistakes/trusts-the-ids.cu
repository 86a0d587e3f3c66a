// mistake: trusts-the-ids
// says: You use each id as it comes: an id outside [0, V) reads memory that is not the table.
// hint: Compare the id with 0 and V before it becomes an address.
// symptom: A bad id gives a row of somebody else's numbers, or ends the program.
// fails: an id outside the vocabulary gives a row of nan
// finds: out_of_bounds
#include "contract.h"

namespace exercise {
namespace {

__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (element >= out.rows * out.cols) return;
    const std::size_t row = element / out.cols, c = element % out.cols;
    const TokenId id = ids[row];
    out(row, c) = table(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(id)), c);
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
