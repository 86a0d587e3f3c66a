// wrong: with scale 0 the token part is left out, so infinities and NaN in dout do not reach dwte; a right one multiplies by 0, too, which makes NaN of them.
#include "contract.h"

#include <algorithm>
#include <cstdint>

namespace exercise {
namespace {

bool inside(std::int64_t index, std::size_t size) {
    return index >= 0 && static_cast<std::uint64_t>(index) < size;
}

/// to += factor * from
void axpy(float* to, const float* from, float factor, std::size_t count) {
    if (factor == 0.0F) return;
    if (factor == 1.0F)
        for (std::size_t c = 0; c < count; ++c)
            to[c] += from[c];
    else
        for (std::size_t c = 0; c < count; ++c)
            to[c] += factor * from[c];
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t T = ids.cols;
    const std::size_t C = dout.channels;
    if (dout.batch != ids.rows || dout.time != T || dwte.cols != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && !inside(options.padding_idx, dwte.rows))
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || T > dwpe.rows - options.start) {
        const std::size_t p = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    if (T == 0) return Status{};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (!inside(ids(b, t), dwte.rows)) return Status::id_out_of_range(b * T + t, ids(b, t), dwte.rows);

    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* gradient = dout.row(b, t);
            if (const TokenId id = ids(b, t); id != options.padding_idx)
                axpy(dwte.row(static_cast<std::size_t>(id)), gradient, options.scale, C);
            axpy(dwpe.row(options.start + t), gradient, 1.0F, C);
        }
    return Status{};
}

} // namespace exercise
