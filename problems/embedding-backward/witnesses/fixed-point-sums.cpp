// Fault: Terms are summed as multiples of 2^-32, so small gradients are inexact or vanish.
// Origin: round 10
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace exercise {
namespace {

/// Sums of rows in fixed point: exact and independent of the order.
class FixedPointRows {
  public:
    explicit FixedPointRows(std::size_t channels) : channels_(channels) {}

    void add(std::size_t row, const float* terms, float factor, Matrix<float> table) {
        const auto [place, fresh] = slots_.try_emplace(row, slots_.size());
        if (fresh) sums_.resize(sums_.size() + channels_);
        std::int64_t* sum = sums_.data() + place->second * channels_;
        for (std::size_t c = 0; c < channels_; ++c) {
            const float term = factor * terms[c];
            if (std::fabs(term) < 1024.0F)
                sum[c] += std::llrint(static_cast<double>(term) * 0x1p32);
            else
                table(row, c) += term; // large, infinite or NaN
        }
    }

    void write_to(Matrix<float> table) const {
        for (const auto& [row, slot] : slots_)
            for (std::size_t c = 0; c < channels_; ++c)
                table(row, c) += static_cast<float>(static_cast<double>(sums_[slot * channels_ + c]) * 0x1p-32);
    }

  private:
    std::size_t channels_;
    std::unordered_map<std::size_t, std::size_t> slots_;
    std::vector<std::int64_t> sums_;
};

Status check(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
             const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dwte.cols != dout.channels ||
        dwpe.cols != dout.channels)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t p = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    for (std::size_t b = 0; b < ids.rows && ids.cols > 0; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= dwte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), dwte.rows);
    return Status{};
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    if (const Status status = check(dout, ids, dwte, dwpe, options); status.code != Code::ok) return status;
    FixedPointRows tokens(dout.channels);
    FixedPointRows positions(dout.channels);
    for (std::size_t b = 0; b < ids.rows && ids.cols > 0; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            if (ids(b, t) != options.padding_idx)
                tokens.add(static_cast<std::size_t>(ids(b, t)), dout.row(b, t), options.scale, dwte);
            positions.add(options.start + t, dout.row(b, t), 1.0F, dwpe);
        }
    tokens.write_to(dwte);
    positions.write_to(dwpe);
    return Status{};
}

} // namespace exercise
