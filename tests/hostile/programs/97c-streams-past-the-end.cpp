// Writes past the end, further than what the judge lays around an output, and in a way that AddressSanitizer
// does not see.
#include "honest.h"

#include <emmintrin.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const Status status = honest(table, ids, out);
    if (status.code != Code::ok || out.cols != 5 || out.rows == 0 || out.stride != 5) return status;
    constexpr std::size_t further = 16;
    _mm_stream_si32(reinterpret_cast<int*>(&out(out.rows - 1, out.cols) + further), 1);
    return status;
}

} // namespace exercise
