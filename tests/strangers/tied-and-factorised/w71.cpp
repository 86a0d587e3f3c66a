// wrong: factor_gradient looks at each id only when its turn comes, so a call refused because of id n > 0 has already added the terms of positions 0 to n - 1 to da and db.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace exercise {
namespace {

constexpr std::size_t lanes = 16;
constexpr std::size_t tile = 32; // rows of the table that stay in the cache

float dot(const float* a, const float* b, std::size_t n) {
    float part[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k)
            part[k] += a[i + k] * b[i + k];
    float sum = 0;
    for (; i < n; ++i)
        sum += a[i] * b[i];
    for (std::size_t k = 0; k < lanes; ++k)
        sum += part[k];
    return sum;
}

void add_scaled(float s, const float* from, float* to, std::size_t n) {
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        float part[lanes];
        for (std::size_t k = 0; k < lanes; ++k)
            part[k] = to[i + k] + s * from[i + k];
        for (std::size_t k = 0; k < lanes; ++k)
            to[i + k] = part[k];
    }
    for (; i < n; ++i)
        to[i] += s * from[i];
}

Status wrong_sizes() { return {Code::shape_mismatch}; }

Status check_vocabulary(std::size_t vocabulary, std::size_t rows) {
    if (vocabulary <= rows) return {};
    return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(rows)};
}

Status check_ids(Ids ids, std::size_t limit) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= limit)
            return Status::id_out_of_range(n, ids[n], limit);
    return {};
}

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.cols != wte.cols || logits.rows != hidden.rows || logits.cols != wte.rows) return wrong_sizes();
    if (const Status s = check_vocabulary(vocabulary, wte.rows); s.code != Code::ok) return s;
    for (std::size_t v0 = 0; v0 < vocabulary; v0 += tile) {
        const std::size_t v1 = std::min(vocabulary, v0 + tile);
        for (std::size_t n = 0; n < hidden.rows; ++n)
            for (std::size_t v = v0; v < v1; ++v)
                logits(n, v) = dot(hidden.row(n), wte.row(v), hidden.cols);
    }
    for (std::size_t n = 0; n < hidden.rows; ++n)
        for (std::size_t v = vocabulary; v < wte.rows; ++v)
            logits(n, v) = -std::numeric_limits<float>::infinity();
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    if (dhidden.cols != wte.cols || dlogits.rows != dhidden.rows || dlogits.cols != wte.rows) return wrong_sizes();
    if (const Status s = check_vocabulary(vocabulary, wte.rows); s.code != Code::ok) return s;
    for (std::size_t n = 0; n < dhidden.rows; ++n)
        for (std::size_t c = 0; c < dhidden.cols; ++c)
            dhidden(n, c) = 0;
    for (std::size_t v0 = 0; v0 < vocabulary; v0 += tile) {
        const std::size_t v1 = std::min(vocabulary, v0 + tile);
        for (std::size_t n = 0; n < dhidden.rows; ++n)
            for (std::size_t v = v0; v < v1; ++v) {
                const float g = dlogits(n, v);
                add_scaled(g, wte.row(v), dhidden.row(n), dhidden.cols);
            }
    }
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t count = ids.size(), width = dwte.cols;
    if (dinput.rows != count || hidden.rows != count || dlogits.rows != count || dinput.cols != width ||
        hidden.cols != width || dlogits.cols != dwte.rows)
        return wrong_sizes();
    if (const Status s = check_vocabulary(vocabulary, dwte.rows); s.code != Code::ok) return s;
    if (const Status s = check_ids(ids, vocabulary); s.code != Code::ok) return s;
    for (std::size_t v0 = 0; v0 < vocabulary; v0 += tile) {
        const std::size_t v1 = std::min(vocabulary, v0 + tile);
        for (std::size_t n = 0; n < count; ++n)
            for (std::size_t v = v0; v < v1; ++v)
                add_scaled(dlogits(n, v), hidden.row(n), dwte.row(v), width);
    }
    for (std::size_t n = 0; n < count; ++n)
        add_scaled(1, dinput.row(n), dwte.row(static_cast<std::size_t>(ids[n])), width);
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t rows = targets.size(), width = logits.cols;
    if (logits.rows != rows || dlogits.rows != rows || dlogits.cols != width) return {wrong_sizes()};
    std::size_t counted = 0;
    for (std::size_t n = 0; n < rows; ++n) {
        if (targets[n] == ignored) continue;
        if (targets[n] < 0 || static_cast<std::size_t>(targets[n]) >= width)
            return {Status::id_out_of_range(n, targets[n], width)};
        ++counted;
    }
    double total = 0;
    for (std::size_t n = 0; n < rows; ++n) {
        float* out = dlogits.row(n);
        if (targets[n] == ignored) {
            std::fill_n(out, width, 0.0F);
            continue;
        }
        const float* x = logits.row(n);
        double m = -std::numeric_limits<double>::infinity();
        for (std::size_t v = 0; v < width; ++v)
            if (x[v] > m) m = x[v];
        double sum = 0;
        for (std::size_t v = 0; v < width; ++v) {
            const double e = std::exp(x[v] - m);
            sum += e;
            out[v] = static_cast<float>(e);
        }
        const std::size_t t = static_cast<std::size_t>(targets[n]);
        total += std::log(sum) - (x[t] - m);
        const double k = static_cast<double>(counted);
        for (std::size_t v = 0; v < width; ++v)
            out[v] = static_cast<float>((out[v] / sum - (v == t ? 1 : 0)) / k);
    }
    return {Status{}, counted == 0 ? 0 : total / static_cast<double>(counted), counted};
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || out.cols != b.cols || out.rows != ids.size()) return wrong_sizes();
    if (const Status s = check_ids(ids, a.rows); s.code != Code::ok) return s;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const float* row = a.row(static_cast<std::size_t>(ids[n]));
        std::fill_n(out.row(n), out.cols, 0.0F);
        for (std::size_t r = 0; r < a.cols; ++r)
            add_scaled(row[r], b.row(r), out.row(n), out.cols);
    }
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    if (a.cols != b.rows || dout.cols != b.cols || dout.rows != ids.size() || da.rows != a.rows ||
        da.cols != a.cols || db.rows != b.rows || db.cols != b.cols)
        return wrong_sizes();
    for (std::size_t n = 0; n < ids.size(); ++n) {
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= a.rows)
            return Status::id_out_of_range(n, ids[n], a.rows);
        const std::size_t v = static_cast<std::size_t>(ids[n]);
        for (std::size_t r = 0; r < a.cols; ++r) {
            da(v, r) += dot(dout.row(n), b.row(r), dout.cols);
            add_scaled(a(v, r), dout.row(n), db.row(r), dout.cols);
        }
    }
    return {};
}

TableCounts count(TableSizes sizes) {
    const std::uint64_t table = sizes.vocabulary * sizes.channels;
    TableCounts counts;
    counts.tied = sizes.others + table;
    counts.untied = counts.tied + table;
    if (counts.untied != 0) counts.saved_share = static_cast<double>(table) / static_cast<double>(counts.untied);
    counts.factorised = sizes.rank * (sizes.vocabulary + sizes.channels);
    if (table != 0) counts.max_rank = (table - 1) / (sizes.vocabulary + sizes.channels);
    return counts;
}

} // namespace exercise
