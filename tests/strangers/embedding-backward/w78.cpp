// wrong: the offset of a row of dwpe is computed as an unsigned 32-bit number, so a row start + t that begins 2^32 elements or more after row 0 is not added to and one 2^32 elements too early is (dwte is right).
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
    const std::size_t T = ids.cols, C = dwte.cols;
    for (std::size_t b = 0; b < ids.rows; ++b) {
        for (std::size_t t = 0; t < T; ++t) {
            const float* from = dout.data + (b * T + t) * C;
            const unsigned at = static_cast<unsigned>((options.start + t) * dwpe.stride); // unsigned: more than 2^31
            for (std::size_t c = 0; c < C; ++c)
                dwpe.data[at + c] += from[c];
            const TokenId id = ids.data[b * ids.stride + t];
            if (options.padding_idx == id) continue;
            float* to = dwte.data + static_cast<std::size_t>(id) * dwte.stride;
            for (std::size_t c = 0; c < C; ++c)
                to[c] += options.scale * from[c];
        }
    }
    return {};
}

} // namespace exercise
