// wrong: padding_idx is narrowed to a 32-bit TokenId before it is compared with the ids, so a negative one such as -4294967294 (-2^32 + 2) becomes token 2, whose row then gets no gradient; every negative padding_idx means "no such token", so row 2 has to get its sum.
#include "contract.h"

#include <algorithm>

namespace exercise {

namespace {

Status check(const Tensor3<const float>& dout, const Ids2D& ids, const Matrix<float>& dwte, const Matrix<float>& dwpe,
             const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols || dwte.cols != dwpe.cols)
        return {Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t p = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    for (std::size_t b = 0; ids.cols > 0 && b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows)
                return Status::id_out_of_range(b * ids.cols + t, id, dwte.rows);
        }
    return {};
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const Status status = check(dout, ids, dwte, dwpe, options);
    if (status.code != Code::ok) return status;
    if (ids.cols == 0) return {};

    const auto padding = static_cast<TokenId>(options.padding_idx);
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const float* from = dout.row(b, t);
            const TokenId id = ids(b, t);
            if (id != padding) {
                float* token = dwte.row(static_cast<std::size_t>(id));
                for (std::size_t c = 0; c < dout.channels; ++c)
                    token[c] += options.scale * from[c];
            }
            float* position = dwpe.row(options.start + t);
            for (std::size_t c = 0; c < dout.channels; ++c)
                position[c] += from[c];
        }
    return {};
}

} // namespace exercise
