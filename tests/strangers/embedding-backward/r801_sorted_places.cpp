// right: places are sorted by (id, place), so each row of dwte that has readers is loaded and stored once; sums of both tables are made in double and rounded once
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace exercise {
namespace {

/// sum[c] over some rows of dout, in the order given.
class Row {
  public:
    explicit Row(std::size_t channels) : sum_(channels) {}
    void clear() { std::fill(sum_.begin(), sum_.end(), 0.0); }
    void take(const float* from) {
        for (std::size_t c = 0; c < sum_.size(); ++c) sum_[c] += from[c];
    }
    void give(float* to, double factor) const {
        for (std::size_t c = 0; c < sum_.size(); ++c) to[c] = static_cast<float>(to[c] + factor * sum_[c]);
    }

  private:
    std::vector<double> sum_;
};

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols, V = dwte.rows, P = dwpe.rows;
    const std::size_t start = options.start;
    if (dwpe.cols != C || dout.channels != C || dout.batch != B || dout.time != T)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= V)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0) return {};
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= V) return Status::id_out_of_range(b * T + t, id, V);
        }
    if (C == 0) return {};

    const auto id_at = [&](std::size_t place) { return ids(place / T, place % T); };
    std::vector<std::size_t> places(B * T);
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::sort(places.begin(), places.end(), [&](std::size_t x, std::size_t y) {
        const TokenId a = id_at(x), b = id_at(y);
        return a != b ? a < b : x < y;
    });

    Row sum(C);
    for (std::size_t i = 0; i < places.size();) {
        const TokenId id = id_at(places[i]);
        sum.clear();
        for (; i < places.size() && id_at(places[i]) == id; ++i) sum.take(dout.data + places[i] * C);
        if (id != options.padding_idx) sum.give(dwte.row(static_cast<std::size_t>(id)), options.scale);
    }
    for (std::size_t t = 0; t < T; ++t) {
        sum.clear();
        for (std::size_t b = 0; b < B; ++b) sum.take(dout.row(b, t));
        sum.give(dwpe.row(start + t), 1.0);
    }
    return {};
}

} // namespace exercise
