// wrong: if C is no multiple of 4 and the strides leave room, up to 3 padding elements behind each output row but the last are overwritten
#include "contract.h"
#include <algorithm>
#include <xmmintrin.h>
namespace exercise {
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || (std::size_t)ids[i] >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    const std::size_t up = (table.cols + 3) / 4 * 4;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const float* s = table.row(ids[i]);
        float* d = out.row(i);
        const bool room = up <= table.stride && up <= out.stride && i + 1 < ids.size() &&
                          (std::size_t)ids[i] + 1 < table.rows;
        if (room)
            for (std::size_t c = 0; c < up; c += 4) _mm_storeu_ps(d + c, _mm_loadu_ps(s + c));
        else
            std::copy(s, s + table.cols, d);
    }
    return {};
}
} // namespace exercise
