// wrong: elements of dout that are 0 are left out, so where scale is infinite or NaN a 0 in dout of a token that occurs once leaves its element of dwte as it was instead of making it NaN.
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

Status check(const Tensor3<const float>& dout, const Ids2D& ids, const Matrix<float>& dwte, const Matrix<float>& dwpe,
             const BackwardOptions& options) {
    if (dwte.cols != dwpe.cols || dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols)
        return {Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t p = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= dwte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), dwte.rows);
    return {};
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    if (const Status s = check(dout, ids, dwte, dwpe, options); s.code != Code::ok) return s;
    // gradients are sparse: most of dropout's zeros come back as zeros
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            for (std::size_t c = 0; c < dwte.cols; ++c) {
                const float g = dout(b, t, c);
                if (g == 0.0F) continue;
                dwpe(options.start + t, c) += g;
                if (ids(b, t) != options.padding_idx) dwte(static_cast<std::size_t>(ids(b, t)), c) += options.scale * g;
            }
    return {};
}

} // namespace exercise
