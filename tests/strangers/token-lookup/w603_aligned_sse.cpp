// wrong: where C and both strides are multiples of 4, copies with aligned 16-byte loads and stores without looking at the two base pointers: faults where table.data or out.data is not a multiple of 16 (only 4 is promised); a right one copies from and to any address of a float
#include "contract.h"

#include <cstring>
#include <xmmintrin.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (table.cols == 0) return {};

    const bool by_four = ((table.cols | table.stride | out.stride) & 3) == 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const float* from = table.row(static_cast<std::size_t>(ids[i]));
        float* to = out.row(i);
        if (by_four) {
            for (std::size_t c = 0; c < table.cols; c += 4)
                _mm_stream_ps(to + c, _mm_load_ps(from + c));
        } else {
            std::memcpy(to, from, table.cols * sizeof(float));
        }
    }
    _mm_sfence();
    return {};
}

} // namespace exercise
