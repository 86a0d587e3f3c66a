// Fault: Ids are checked by one unsigned comparison, so with V above 2^32 - 1 negative ids count as tokens.
// Origin: round 15
#include "contract.h"

#include <cmath>
#include <limits>

namespace exercise {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

bool bad_id(TokenId id, std::size_t limit) {
    return id < 0 || static_cast<std::size_t>(id) >= limit;
}

bool beyond(std::size_t vocabulary, std::size_t rows) {
    return vocabulary > rows;
}

Status too_many(std::size_t vocabulary, std::size_t rows) {
    return Status{Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(rows)};
}

double dot(const float* a, const float* b, std::size_t n) {
    double sum[4] = {};
    std::size_t i = 0;
    for (; n - i >= 4; i += 4)
        for (std::size_t k = 0; k < 4; ++k) sum[k] += static_cast<double>(a[i + k]) * b[i + k];
    for (; i < n; ++i) sum[0] += static_cast<double>(a[i]) * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// to += factor * from
void add_scaled(float* to, float factor, const float* from, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        to[i] = static_cast<float>(to[i] + static_cast<double>(factor) * from[i]);
}

void fill(float* to, std::size_t n, float value) {
    for (std::size_t i = 0; i < n; ++i) to[i] = value;
}

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.cols != wte.cols || logits.rows != hidden.rows || logits.cols != wte.rows)
        return Status{Code::shape_mismatch};
    if (beyond(vocabulary, wte.rows)) return too_many(vocabulary, wte.rows);
    for (std::size_t n = 0; n < hidden.rows; ++n) {
        float* to = logits.row(n);
        for (std::size_t v = 0; v < vocabulary; ++v)
            to[v] = static_cast<float>(dot(hidden.row(n), wte.row(v), wte.cols));
        for (std::size_t v = vocabulary; v < wte.rows; ++v) to[v] = -infinity;
    }
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    if (dlogits.cols != wte.rows || dhidden.rows != dlogits.rows || dhidden.cols != wte.cols)
        return Status{Code::shape_mismatch};
    if (beyond(vocabulary, wte.rows)) return too_many(vocabulary, wte.rows);
    if (wte.cols == 0) return {};
    for (std::size_t n = 0; n < dlogits.rows; ++n) {
        float* to = dhidden.row(n);
        fill(to, wte.cols, 0);
        for (std::size_t v = 0; v < vocabulary; ++v) add_scaled(to, dlogits(n, v), wte.row(v), wte.cols);
    }
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t positions = ids.size(), channels = dwte.cols;
    if (dinput.rows != positions || hidden.rows != positions || dlogits.rows != positions ||
        dinput.cols != channels || hidden.cols != channels || dlogits.cols != dwte.rows)
        return Status{Code::shape_mismatch};
    if (beyond(vocabulary, dwte.rows)) return too_many(vocabulary, dwte.rows);
    for (std::size_t n = 0; n < positions; ++n)
        if (bad_id(ids[n], vocabulary)) return Status::id_out_of_range(n, ids[n], vocabulary);
    if (channels == 0) return {};
    for (std::size_t n = 0; n < positions; ++n) {
        for (std::size_t v = 0; v < vocabulary; ++v)
            add_scaled(dwte.row(v), dlogits(n, v), hidden.row(n), channels);
        float* to = dwte.row(static_cast<std::size_t>(ids[n]));
        for (std::size_t c = 0; c < channels; ++c) to[c] += dinput(n, c);
    }
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t positions = targets.size(), vocabulary = logits.cols;
    if (logits.rows != positions || dlogits.rows != positions || dlogits.cols != vocabulary)
        return Loss{Status{Code::shape_mismatch}};
    Loss loss;
    for (std::size_t n = 0; n < positions; ++n) {
        if (targets[n] == ignored) continue;
        if (bad_id(targets[n], vocabulary))
            return Loss{Status::id_out_of_range(n, targets[n], vocabulary)};
        ++loss.counted;
    }
    if (vocabulary == 0) return loss;
    const double k = static_cast<double>(loss.counted);
    double total = 0;
    for (std::size_t n = 0; n < positions; ++n) {
        float* to = dlogits.row(n);
        if (targets[n] == ignored) {
            fill(to, vocabulary, 0);
            continue;
        }
        const float* x = logits.row(n);
        const std::size_t target = static_cast<std::size_t>(targets[n]);
        double m = -infinity;
        bool bad = false;
        for (std::size_t v = 0; v < vocabulary; ++v) {
            if (std::isnan(x[v])) bad = true;
            if (x[v] > m) m = x[v];
        }
        if (bad || std::isinf(m)) {
            total = nan;
            fill(to, vocabulary, nan);
            continue;
        }
        double sum = 0;
        for (std::size_t v = 0; v < vocabulary; ++v) sum += std::exp(x[v] - m);
        total += std::log(sum) - (x[target] - m);
        for (std::size_t v = 0; v < vocabulary; ++v) {
            const double p = std::exp(x[v] - m) / sum;
            to[v] = static_cast<float>((v == target ? p - 1 : p) / k);
        }
    }
    loss.mean = loss.counted == 0 ? 0 : total / k;
    return loss;
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || out.rows != ids.size() || out.cols != b.cols)
        return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < ids.size(); ++n) // negative ids become very large ones
        if (static_cast<std::uint32_t>(ids[n]) >= a.rows) return Status::id_out_of_range(n, ids[n], a.rows);
    if (b.cols == 0) return {};
    for (std::size_t n = 0; n < ids.size(); ++n) {
        float* to = out.row(n);
        fill(to, b.cols, 0);
        for (std::size_t r = 0; r < b.rows; ++r)
            add_scaled(to, a(static_cast<std::size_t>(ids[n]), r), b.row(r), b.cols);
    }
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    if (a.cols != b.rows || dout.rows != ids.size() || dout.cols != b.cols || da.rows != a.rows ||
        da.cols != a.cols || db.rows != b.rows || db.cols != b.cols)
        return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (bad_id(ids[n], a.rows)) return Status::id_out_of_range(n, ids[n], a.rows);
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const std::size_t v = static_cast<std::size_t>(ids[n]);
        for (std::size_t r = 0; r < b.rows; ++r) {
            da(v, r) = static_cast<float>(da(v, r) + dot(dout.row(n), b.row(r), b.cols));
            add_scaled(db.row(r), a(v, r), dout.row(n), b.cols);
        }
    }
    return {};
}

TableCounts count(TableSizes sizes) {
    TableCounts counts;
    const std::uint64_t table = sizes.vocabulary * sizes.channels;
    counts.tied = sizes.others + table;
    counts.untied = counts.tied + table;
    if (counts.untied != 0)
        counts.saved_share = static_cast<double>(table) / static_cast<double>(counts.untied);
    counts.factorised = sizes.rank * (sizes.vocabulary + sizes.channels);
    if (table != 0) counts.max_rank = (table - 1) / (sizes.vocabulary + sizes.channels);
    return counts;
}

} // namespace exercise
