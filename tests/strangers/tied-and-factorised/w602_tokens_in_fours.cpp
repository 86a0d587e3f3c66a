// wrong: hidden_gradient takes tokens four at a time and goes on to the end of the four that holds the last token, into padding rows, where the table has them; shows where vocabulary is not a multiple of 4, W is larger, and dlogits or wte of the up to three rows after the vocabulary are not 0; a right one counts nothing that padding rows hold
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
    const std::size_t C = wte.cols;
    std::vector<double> sum(C);
    for (std::size_t n = 0; n < dhidden.rows && C > 0; ++n) {
        sum.assign(C, 0.0);
        const float* g = dlogits.row(n);
        std::size_t v = 0;
        for (; v < vocabulary && v + 4 <= wte.rows; v += 4) {
            const float *w0 = wte.row(v), *w1 = wte.row(v + 1), *w2 = wte.row(v + 2), *w3 = wte.row(v + 3);
            const double g0 = g[v], g1 = g[v + 1], g2 = g[v + 2], g3 = g[v + 3];
            for (std::size_t c = 0; c < C; ++c)
                sum[c] += (g0 * w0[c] + g1 * w1[c]) + (g2 * w2[c] + g3 * w3[c]);
        }
        for (; v < vocabulary; ++v) // the table ends within a four
            for (std::size_t c = 0; c < C; ++c)
                sum[c] += static_cast<double>(g[v]) * wte(v, c);
        for (std::size_t c = 0; c < C; ++c)
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
