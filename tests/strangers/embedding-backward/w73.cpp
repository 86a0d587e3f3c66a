// wrong: the sum of a token is the difference of two prefix sums (in double) over the places sorted by id, so infinity or NaN at one token makes the rows of all read tokens with larger ids NaN, and a huge dout at one token ruins theirs beyond the bound.
#include "contract.h"

#include <algorithm>
#include <numeric>
#include <vector>

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
    const std::size_t count = ids.rows * ids.cols, width = dwte.cols;
    const auto id_at = [&](std::size_t i) { return ids(i / ids.cols, i % ids.cols); };
    std::vector<std::size_t> places(count);
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::stable_sort(places.begin(), places.end(), [&](std::size_t i, std::size_t j) { return id_at(i) < id_at(j); });
    // up to here: the sums of all places so far; before: the same at the end of the token before
    std::vector<double> up(width), before(width);
    for (std::size_t i = 0; i < count; ++i) {
        const float* g = dout.data + places[i] * width;
        for (std::size_t c = 0; c < width; ++c)
            up[c] += g[c];
        const TokenId id = id_at(places[i]);
        if (i + 1 < count && id_at(places[i + 1]) == id) continue;
        if (id != options.padding_idx) {
            float* row = dwte.row(static_cast<std::size_t>(id));
            for (std::size_t c = 0; c < width; ++c)
                row[c] = static_cast<float>(row[c] + options.scale * (up[c] - before[c]));
        }
        before = up;
    }
    for (std::size_t t = 0; t < ids.cols; ++t)
        for (std::size_t b = 0; b < ids.rows; ++b)
            for (std::size_t c = 0; c < width; ++c)
                dwpe(options.start + t, c) += dout(b, t, c);
    return {};
}

} // namespace exercise
