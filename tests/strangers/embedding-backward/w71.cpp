// wrong: padding_idx is kept as a 32-bit token once it was checked, so a negative one below -2^31 whose lower 32 bits are a token, such as -2^32 + 3, excepts that token's row of dwte (row 3) instead of none.
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
    const TokenId padding = static_cast<TokenId>(options.padding_idx);
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const float* g = dout.row(b, t);
            const TokenId id = ids(b, t);
            if (id != padding) {
                float* token = dwte.row(static_cast<std::size_t>(id));
                for (std::size_t c = 0; c < dwte.cols; ++c)
                    token[c] += options.scale * g[c];
            }
            float* place = dwpe.row(options.start + t);
            for (std::size_t c = 0; c < dwpe.cols; ++c)
                place[c] += g[c];
        }
    return {};
}

} // namespace exercise
