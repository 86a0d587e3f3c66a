// wrong: rows are added in vectors of eight channels and the last vector is moved back to end at C, so where C is above 8 and no multiple of 8 some channels are added twice; a right one adds each channel once
#include "contract.h"

#include <cstddef>
#include <cstdint>

namespace exercise {
namespace {

/// Everything that can be refused, in the order of the contract.
Status refusal(const Tensor3<const float>& dout, const Ids2D& ids, const Matrix<float>& dwte,
               const Matrix<float>& dwpe, const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dwte.cols != dout.channels ||
        dwpe.cols != dout.channels)
        return {Code::shape_mismatch};
    const std::size_t V = dwte.rows, P = dwpe.rows;
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= V)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (options.start > P || dout.time > P - options.start) {
        const std::size_t p = options.start > P ? options.start : P;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    if (ids.rows == 0 || ids.cols == 0) return {};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), V);
    return {};
}

constexpr std::size_t lanes = 8;

struct Vector {
    float lane[lanes];
};

Vector load(const float* from) {
    Vector v;
    for (std::size_t i = 0; i < lanes; ++i)
        v.lane[i] = from[i];
    return v;
}

void add(float* to, const float* from, float factor) {
    const Vector v = load(from);
    for (std::size_t i = 0; i < lanes; ++i)
        to[i] += factor * v.lane[i];
}

void add_row(float* to, const float* from, std::size_t n, float factor) {
    if (n < lanes) {
        for (std::size_t c = 0; c < n; ++c)
            to[c] += factor * from[c];
        return;
    }
    std::size_t c = 0;
    for (; c + lanes <= n; c += lanes)
        add(to + c, from + c, factor);
    if (c < n) add(to + n - lanes, from + n - lanes, factor); // no scalar tail
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    if (const Status status = refusal(dout, ids, dwte, dwpe, options); status != Status{}) return status;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return {};
    for (std::size_t b = 0; b < dout.batch; ++b)
        for (std::size_t t = 0; t < dout.time; ++t) {
            const TokenId id = ids(b, t);
            if (id != options.padding_idx)
                add_row(dwte.row(static_cast<std::size_t>(id)), dout.row(b, t), dout.channels, options.scale);
            add_row(dwpe.row(options.start + t), dout.row(b, t), dout.channels, 1.0F);
        }
    return {};
}

} // namespace exercise
