// wrong: table_gradient and factor_gradient collect their sums in buffers that begin with +0 and add all of them at the end, also where N = 0: a -0 in dwte (rows below vocabulary), da or db then becomes +0; in da the same happens to the rows of tokens that do not occur, for any N; shows only where such an element is -0 (or a signalling NaN); a right one keeps every bit there
#include "contract.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace exercise {

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.cols != wte.cols || hidden.rows != logits.rows || wte.rows != logits.cols)
        return {Code::shape_mismatch, 0, 0, 0};
    if (vocabulary > wte.rows)
        return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary),
                static_cast<std::int64_t>(wte.rows)};
    for (std::size_t n = 0; n < hidden.rows; ++n) {
        for (std::size_t v = 0; v < vocabulary; ++v) {
            double sum = 0;
            for (std::size_t c = 0; c < hidden.cols; ++c)
                sum += static_cast<double>(hidden(n, c)) * wte(v, c);
            logits(n, v) = static_cast<float>(sum);
        }
        for (std::size_t v = vocabulary; v < wte.rows; ++v)
            logits(n, v) = -std::numeric_limits<float>::infinity();
    }
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    if (dlogits.cols != wte.rows || dhidden.rows != dlogits.rows || dhidden.cols != wte.cols)
        return {Code::shape_mismatch, 0, 0, 0};
    if (vocabulary > wte.rows)
        return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary),
                static_cast<std::int64_t>(wte.rows)};
    std::vector<double> sum(wte.cols);
    for (std::size_t n = 0; n < dhidden.rows; ++n) {
        for (std::size_t c = 0; c < wte.cols; ++c)
            sum[c] = 0;
        for (std::size_t v = 0; v < vocabulary; ++v)
            for (std::size_t c = 0; c < wte.cols; ++c)
                sum[c] += static_cast<double>(dlogits(n, v)) * wte(v, c);
        for (std::size_t c = 0; c < wte.cols; ++c)
            dhidden(n, c) = static_cast<float>(sum[c]);
    }
    return {};
}

namespace {

/// A gradient on its way: summed in double, added to the caller's matrix at the end.
class Collected {
  public:
    Collected(std::size_t rows, std::size_t cols) : cols_(cols), sums_(rows * cols, 0.0) {}
    double& at(std::size_t r, std::size_t c) { return sums_[r * cols_ + c]; }
    void add_to(Matrix<float> matrix) const {
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            float& there = matrix(i / cols_, i % cols_);
            there = static_cast<float>(there + sums_[i]);
        }
    }

  private:
    std::size_t cols_;
    std::vector<double> sums_;
};

Status check(Ids ids, std::size_t limit) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= limit)
            return Status::id_out_of_range(n, ids[n], limit);
    return {};
}

} // namespace

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size();
    const std::size_t C = dwte.cols;
    if (dinput.rows != N || hidden.rows != N || dlogits.rows != N || dinput.cols != C || hidden.cols != C ||
        dlogits.cols != dwte.rows)
        return {Code::shape_mismatch, 0, 0, 0};
    if (vocabulary > dwte.rows)
        return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary),
                static_cast<std::int64_t>(dwte.rows)};
    if (const Status bad = check(ids, vocabulary); bad != Status{}) return bad;
    Collected sums(vocabulary, C);
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t c = 0; c < C; ++c) {
            for (std::size_t v = 0; v < vocabulary; ++v)
                sums.at(v, c) += static_cast<double>(dlogits(n, v)) * hidden(n, c);
            sums.at(static_cast<std::size_t>(ids[n]), c) += dinput(n, c);
        }
    sums.add_to(dwte);
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t N = targets.size();
    const std::size_t V = logits.cols;
    if (logits.rows != N || dlogits.rows != N || dlogits.cols != V)
        return {{Code::shape_mismatch, 0, 0, 0}, 0, 0};
    std::size_t counted = 0;
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) continue;
        if (targets[n] < 0 || static_cast<std::size_t>(targets[n]) >= V)
            return {Status::id_out_of_range(n, targets[n], V), 0, 0};
        ++counted;
    }
    double total = 0;
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) {
            for (std::size_t v = 0; v < V; ++v)
                dlogits(n, v) = 0;
            continue;
        }
        double m = -std::numeric_limits<double>::infinity();
        for (std::size_t v = 0; v < V; ++v)
            if (logits(n, v) > m) m = logits(n, v);
        double sum = 0;
        for (std::size_t v = 0; v < V; ++v)
            sum += std::exp(logits(n, v) - m);
        const std::size_t target = static_cast<std::size_t>(targets[n]);
        const double loss = std::log(sum) - (logits(n, target) - m);
        total += std::isnan(sum) ? sum : loss;
        for (std::size_t v = 0; v < V; ++v) {
            const double p = std::exp(logits(n, v) - m) / sum;
            dlogits(n, v) = static_cast<float>((p - (v == target ? 1 : 0)) / static_cast<double>(counted));
        }
    }
    return {{}, counted > 0 ? total / static_cast<double>(counted) : 0, counted};
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || out.rows != ids.size() || out.cols != b.cols)
        return {Code::shape_mismatch, 0, 0, 0};
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= a.rows)
            return Status::id_out_of_range(n, ids[n], a.rows);
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t c = 0; c < out.cols; ++c) {
            double sum = 0;
            for (std::size_t r = 0; r < b.rows; ++r)
                sum += static_cast<double>(a(static_cast<std::size_t>(ids[n]), r)) * b(r, c);
            out(n, c) = static_cast<float>(sum);
        }
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t N = ids.size();
    if (a.cols != b.rows || dout.rows != N || dout.cols != b.cols || da.rows != a.rows || da.cols != a.cols ||
        db.rows != b.rows || db.cols != b.cols)
        return {Code::shape_mismatch, 0, 0, 0};
    if (const Status bad = check(ids, a.rows); bad != Status{}) return bad;
    Collected for_a(a.rows, a.cols), for_b(b.rows, b.cols);
    for (std::size_t n = 0; n < N; ++n) {
        const std::size_t id = static_cast<std::size_t>(ids[n]);
        for (std::size_t r = 0; r < b.rows; ++r)
            for (std::size_t c = 0; c < b.cols; ++c) {
                for_a.at(id, r) += static_cast<double>(dout(n, c)) * b(r, c);
                for_b.at(r, c) += static_cast<double>(a(id, r)) * dout(n, c);
            }
    }
    for_a.add_to(da);
    for_b.add_to(db);
    return {};
}

TableCounts count(TableSizes sizes) {
    const std::uint64_t table = sizes.vocabulary * sizes.channels;
    const std::uint64_t sum = sizes.vocabulary + sizes.channels;
    TableCounts counts;
    counts.tied = table + sizes.others;
    counts.untied = 2 * table + sizes.others;
    counts.saved_share =
        counts.untied == 0 ? 0 : static_cast<double>(table) / static_cast<double>(counts.untied);
    counts.factorised = sizes.rank * sum;
    counts.max_rank = table == 0 ? 0 : (table - 1) / sum;
    return counts;
}

} // namespace exercise
