// mistake: float4-without-checks
// says: You copy 16 bytes at a time without asking whether the rows begin at multiples of 16 bytes and end at
//   multiples of 4 elements.
// hint: For which C and which pointers is every row aligned to 16 bytes?
// symptom: A misaligned address ends the program, or the end of each row is missing.
// fails: four ids pick four rows; the last block is only partly needed; random shapes agree with the reference;
//   rows of any width are copied whole; padded rows keep their padding; rows may begin at any multiple of four
//   bytes; an id outside the vocabulary gives a row of nan; nan payloads and signed zeros survive; seventy
//   thousand rows; the work goes to the caller's stream
// finds: misaligned
#include "contract.h"

namespace exercise {
namespace {

__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    const std::size_t packs = out.cols / 4;
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (element >= out.rows * packs) return;
    const std::size_t row = element / packs, pack = element % packs;
    const TokenId id = ids[row];
    const bool known = id >= 0 && static_cast<std::size_t>(id) < table.rows;
    const float nan = __int_as_float(0x7fc00000);
    reinterpret_cast<float4*>(out.row(row))[pack] =
        known ? reinterpret_cast<const float4*>(table.row(static_cast<std::size_t>(id)))[pack]
              : make_float4(nan, nan, nan, nan);
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    if (ids.empty() || out.cols == 0) return {};
    constexpr unsigned int block = 256;
    const std::size_t elements = out.rows * (out.cols / 4);
    if (elements == 0) return {};
    const auto grid = static_cast<unsigned int>((elements + block - 1) / block);
    copy_rows<<<grid, block, 0, stream>>>(table, ids, out);
    return {};
}

} // namespace exercise
