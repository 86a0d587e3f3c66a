// wrong: keeps m + ln(sum) in one float and subtracts it from the logits, so with logits in the thousands the loss and all p have the rounding of a number of that size (0.0005 at 10,000); logits of 10,000 are as good as others, m has to be subtracted first.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace exercise {
namespace {

Status too_many(std::size_t vocabulary, std::size_t W) {
    return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(W)};
}

Status check_ids(Ids ids, std::size_t V) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= V) return Status::id_out_of_range(n, ids[n], V);
    return {};
}

/// ln of the sum of exp(x), safe from overflow.
float log_sum_exp(const float* x, std::size_t count) {
    const float m = *std::max_element(x, x + count);
    double sum = 0;
    for (std::size_t v = 0; v < count; ++v)
        sum += std::exp(static_cast<double>(x[v]) - m);
    return m + static_cast<float>(std::log(sum));
}

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.cols != wte.cols || logits.rows != hidden.rows || logits.cols != wte.rows)
        return Status{Code::shape_mismatch};
    if (vocabulary > wte.rows) return too_many(vocabulary, wte.rows);
    for (std::size_t n = 0; n < logits.rows; ++n) {
        for (std::size_t v = 0; v < vocabulary; ++v) {
            float sum = 0;
            for (std::size_t c = 0; c < wte.cols; ++c)
                sum += hidden(n, c) * wte(v, c);
            logits(n, v) = sum;
        }
        for (std::size_t v = vocabulary; v < logits.cols; ++v)
            logits(n, v) = -std::numeric_limits<float>::infinity();
    }
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    if (dlogits.cols != wte.rows || dhidden.rows != dlogits.rows || dhidden.cols != wte.cols)
        return Status{Code::shape_mismatch};
    if (vocabulary > wte.rows) return too_many(vocabulary, wte.rows);
    if (dhidden.cols == 0) return {};
    for (std::size_t n = 0; n < dhidden.rows; ++n) {
        float* row = dhidden.row(n);
        std::fill_n(row, dhidden.cols, 0.0f);
        for (std::size_t v = 0; v < vocabulary; ++v) {
            const float d = dlogits(n, v);
            for (std::size_t c = 0; c < dhidden.cols; ++c)
                row[c] += d * wte(v, c);
        }
    }
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size(), C = dwte.cols;
    if (dinput.rows != N || dinput.cols != C || hidden.rows != N || hidden.cols != C || dlogits.rows != N ||
        dlogits.cols != dwte.rows)
        return Status{Code::shape_mismatch};
    if (vocabulary > dwte.rows) return too_many(vocabulary, dwte.rows);
    if (const Status bad = check_ids(ids, vocabulary); bad.code != Code::ok) return bad;
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t v = 0; v < vocabulary; ++v)
            for (std::size_t c = 0; c < C; ++c)
                dwte(v, c) += dlogits(n, v) * hidden(n, c);
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t c = 0; c < C; ++c)
            dwte(static_cast<std::size_t>(ids[n]), c) += dinput(n, c);
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t N = logits.rows, V = logits.cols;
    if (targets.size() != N || dlogits.rows != N || dlogits.cols != V) return {Status{Code::shape_mismatch}};
    std::size_t counted = 0;
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) continue;
        if (targets[n] < 0 || static_cast<std::size_t>(targets[n]) >= V)
            return {Status::id_out_of_range(n, targets[n], V)};
        ++counted;
    }

    double total = 0;
    const float K = static_cast<float>(counted);
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) {
            for (std::size_t v = 0; v < V; ++v)
                dlogits(n, v) = 0;
            continue;
        }
        const auto target = static_cast<std::size_t>(targets[n]);
        const float normaliser = log_sum_exp(logits.row(n), V);
        total += normaliser - logits(n, target);
        for (std::size_t v = 0; v < V; ++v) {
            const float p = std::exp(logits(n, v) - normaliser);
            dlogits(n, v) = (p - (v == target ? 1.0f : 0.0f)) / K;
        }
    }
    return {Status{}, counted == 0 ? 0 : total / static_cast<double>(counted), counted};
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || out.rows != ids.size() || out.cols != b.cols) return Status{Code::shape_mismatch};
    if (const Status bad = check_ids(ids, a.rows); bad.code != Code::ok) return bad;
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t c = 0; c < out.cols; ++c) {
            float sum = 0;
            for (std::size_t r = 0; r < b.rows; ++r)
                sum += a(static_cast<std::size_t>(ids[n]), r) * b(r, c);
            out(n, c) = sum;
        }
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    if (a.cols != b.rows || dout.rows != ids.size() || dout.cols != b.cols || da.rows != a.rows ||
        da.cols != a.cols || db.rows != b.rows || db.cols != b.cols)
        return Status{Code::shape_mismatch};
    if (const Status bad = check_ids(ids, a.rows); bad.code != Code::ok) return bad;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const auto v = static_cast<std::size_t>(ids[n]);
        for (std::size_t r = 0; r < b.rows; ++r)
            for (std::size_t c = 0; c < b.cols; ++c) {
                da(v, r) += dout(n, c) * b(r, c);
                db(r, c) += a(v, r) * dout(n, c);
            }
    }
    return {};
}

TableCounts count(TableSizes sizes) {
    const std::uint64_t table = sizes.vocabulary * sizes.channels;
    const std::uint64_t per_rank = sizes.vocabulary + sizes.channels;
    TableCounts counts;
    counts.tied = sizes.others + table;
    counts.untied = counts.tied + table;
    if (counts.untied != 0)
        counts.saved_share = static_cast<double>(table) / static_cast<double>(counts.untied);
    counts.factorised = sizes.rank * per_rank;
    if (table != 0) counts.max_rank = (table - 1) / per_rank;
    return counts;
}

} // namespace exercise
