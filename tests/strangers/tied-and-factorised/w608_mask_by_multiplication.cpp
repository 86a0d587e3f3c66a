// wrong: cross_entropy computes every position and multiplies loss and gradient by a weight that is 0 for ignored ones, so it does look at their logits: a NaN or infinity there makes their row of dlogits NaN (and the mean, too), where zeros are due; with finite logits everything is right; a right one does not look at the logits of positions that do not count
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

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size();
    const std::size_t C = dwte.cols;
    if (dinput.rows != N || hidden.rows != N || dlogits.rows != N) return {Code::shape_mismatch, 0, 0, 0};
    if (dinput.cols != C || hidden.cols != C || dlogits.cols != dwte.rows)
        return {Code::shape_mismatch, 0, 0, 0};
    if (vocabulary > dwte.rows)
        return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary),
                static_cast<std::int64_t>(dwte.rows)};
    for (std::size_t n = 0; n < N; ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= vocabulary)
            return Status::id_out_of_range(n, ids[n], vocabulary);
    for (std::size_t n = 0; n < N; ++n) {
        // the head
        for (std::size_t v = 0; v < vocabulary; ++v)
            for (std::size_t c = 0; c < C; ++c)
                dwte(v, c) += dlogits(n, v) * hidden(n, c);
        // the lookup
        for (std::size_t c = 0; c < C; ++c)
            dwte(static_cast<std::size_t>(ids[n]), c) += dinput(n, c);
    }
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t N = targets.size();
    const std::size_t V = logits.cols;
    if (logits.rows != N || dlogits.rows != N || dlogits.cols != V)
        return {{Code::shape_mismatch, 0, 0, 0}, 0, 0};
    std::vector<double> weight(N);
    std::vector<std::size_t> target(N);
    std::size_t counted = 0;
    for (std::size_t n = 0; n < N; ++n) {
        const bool counts = targets[n] != ignored;
        const bool inside = targets[n] >= 0 && static_cast<std::size_t>(targets[n]) < V;
        if (counts && !inside) return {Status::id_out_of_range(n, targets[n], V), 0, 0};
        weight[n] = counts ? 1.0 : 0.0;
        target[n] = inside ? static_cast<std::size_t>(targets[n]) : 0;
        counted += counts;
    }
    if (V == 0) return {{}, 0, counted};
    const double K = counted > 0 ? static_cast<double>(counted) : 1.0;
    double total = 0;
    for (std::size_t n = 0; n < N; ++n) {
        const float* x = logits.row(n);
        double m = x[0];
        for (std::size_t v = 1; v < V; ++v)
            m = std::fmax(m, x[v]);
        double sum = 0;
        for (std::size_t v = 0; v < V; ++v)
            sum += std::exp(x[v] - m);
        const double nan_too = sum - sum; // 0, or NaN
        total += weight[n] * (std::log(sum) - (x[target[n]] - m) + nan_too);
        for (std::size_t v = 0; v < V; ++v) {
            const double hit = v == target[n] ? 1.0 : 0.0;
            dlogits(n, v) = static_cast<float>(weight[n] * (std::exp(x[v] - m) / sum - hit) / K);
        }
    }
    return {{}, total / K, counted};
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
    for (std::size_t n = 0; n < N; ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= a.rows)
            return Status::id_out_of_range(n, ids[n], a.rows);
    for (std::size_t n = 0; n < N; ++n) {
        const std::size_t id = static_cast<std::size_t>(ids[n]);
        for (std::size_t r = 0; r < b.rows; ++r) {
            double sum = 0;
            for (std::size_t c = 0; c < b.cols; ++c)
                sum += static_cast<double>(dout(n, c)) * b(r, c);
            if (b.cols > 0) da(id, r) += static_cast<float>(sum);
            for (std::size_t c = 0; c < b.cols; ++c)
                db(r, c) += a(id, r) * dout(n, c);
        }
    }
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
