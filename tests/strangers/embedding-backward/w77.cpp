// wrong: the occurrences of a token are counted in 16 bits, so a token that occurs n >= 65,536 times gets the sum of its first n modulo 65,536 occurrences only.
#include "contract.h"

#include <algorithm>
#include <unordered_map>
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
    std::unordered_map<TokenId, std::vector<const float*>> readers;
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) != options.padding_idx) readers[ids(b, t)].push_back(dout.row(b, t));
    for (const auto& [id, rows] : readers) {
        const std::uint16_t times = static_cast<std::uint16_t>(rows.size());
        float* token = dwte.row(static_cast<std::size_t>(id));
        for (std::size_t c = 0; c < dwte.cols; ++c) {
            double sum = 0;
            for (std::uint16_t k = 0; k < times; ++k)
                sum += rows[k][c];
            token[c] = static_cast<float>(token[c] + options.scale * sum);
        }
    }
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            for (std::size_t c = 0; c < dwpe.cols; ++c)
                dwpe(options.start + t, c) += dout(b, t, c);
    return {};
}

} // namespace exercise
