// wrong: on a bad id the gradients added so far are subtracted again, so a refused call may change bits of the tables (x + g - g rounds; an Inf or NaN in dout stays behind)
#include "contract.h"

namespace exercise {

// One pass over the ids: add as we go, and roll back when an id turns out to be bad.
Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols, V = dwte.rows, P = dwpe.rows;
    if (dout.batch != B || dout.time != T || dout.channels != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= static_cast<std::int64_t>(V))
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (options.start > P || P - options.start < T) {
        const std::size_t p = options.start > P ? options.start : P;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    auto add = [&](std::size_t n, float sign) {
        const std::size_t b = n / T, t = n % T;
        const TokenId id = ids(b, t);
        for (std::size_t c = 0; c < C; ++c) dwpe(options.start + t, c) += sign * dout(b, t, c);
        if (id != options.padding_idx)
            for (std::size_t c = 0; c < C; ++c)
                dwte(static_cast<std::size_t>(id), c) += sign * (options.scale * dout(b, t, c));
    };
    for (std::size_t n = 0; n < B * T; ++n) {
        const TokenId id = ids(n / T, n % T);
        if (id < 0 || static_cast<std::size_t>(id) >= V) {
            for (std::size_t k = n; k-- > 0;) add(k, -1.0F);
            return Status::id_out_of_range(n, id, V);
        }
        add(n, 1.0F);
    }
    return Status{};
}

} // namespace exercise
