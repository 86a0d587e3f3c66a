// wrong: an id is compared with V as an unsigned 32-bit number, so where V is more than 2^31 (possible with C = 0) negative ids whose value plus 2^32 is less than V, such as -1 with V = 2^32, are taken as valid instead of id_out_of_range.
#include "contract.h"

#include <algorithm>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return {Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (static_cast<std::uint32_t>(ids(b, t)) >= wte.rows) // negative ones are huge
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), wte.rows);
    if (wte.cols == 0) return {};
    for (std::size_t b = 0; b < ids.rows; ++b) {
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const float* x = wte.data + static_cast<std::size_t>(ids(b, t)) * wte.stride;
            const float* y = wpe.data + (start + t) * wpe.stride;
            float* z = out.data + (b * out.time + t) * out.channels;
            for (std::size_t c = 0; c != wte.cols; ++c)
                z[c] = x[c] + y[c];
        }
    }
    return {};
}

} // namespace exercise
