// Fault: factor_gradient converts rows without an occurrence to double and back, which quietens a signalling NaN.
// Origin: round 24
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace exercise {

namespace {

/// A dot product in eight lanes.
float dot(const float* x, const float* y, std::size_t count) {
    float lanes[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (std::size_t k = 0; k < 8; ++k)
            lanes[k] += x[i + k] * y[i + k];
    for (std::size_t k = 0; i < count; ++i, ++k)
        lanes[k] += x[i] * y[i];
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/// y += scale * x
void add_scaled(float scale, const float* x, float* y, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        y[i] += scale * x[i];
}

Status mismatch() {
    return Status{Code::shape_mismatch};
}

bool is_token(TokenId id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary;
}

Status check_ids(Ids ids, std::size_t vocabulary) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (!is_token(ids[n], vocabulary)) return Status::id_out_of_range(n, ids[n], vocabulary);
    return {};
}

Status check_vocabulary(std::size_t vocabulary, std::size_t rows) {
    if (vocabulary <= rows) return {};
    return Status{Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary),
                  static_cast<std::int64_t>(rows)};
}

constexpr std::size_t block = 32; ///< rows of the table that are used while they are in the cache

/// The sum of a row, in four lanes.
double sum_of(const float* x, std::size_t count) {
    double lanes[4] = {};
    for (std::size_t i = 0; i < count; ++i)
        lanes[i % 4] += static_cast<double>(x[i]);
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.cols != wte.cols || logits.rows != hidden.rows || logits.cols != wte.rows) return mismatch();
    if (const Status bad = check_vocabulary(vocabulary, wte.rows); bad.code != Code::ok) return bad;
    if (hidden.rows == 0) return {};
    for (std::size_t first = 0; first < vocabulary; first += std::min(block, vocabulary - first)) {
        const std::size_t last = first + std::min(block, vocabulary - first);
        for (std::size_t n = 0; n < hidden.rows; ++n)
            for (std::size_t v = first; v < last; ++v)
                logits(n, v) = dot(hidden.row(n), wte.row(v), wte.cols);
    }
    for (std::size_t n = 0; n < hidden.rows; ++n)
        for (std::size_t v = vocabulary; v < wte.rows; ++v)
            logits(n, v) = -std::numeric_limits<float>::infinity();
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    if (dlogits.cols != wte.rows || dhidden.rows != dlogits.rows || dhidden.cols != wte.cols)
        return mismatch();
    if (const Status bad = check_vocabulary(vocabulary, wte.rows); bad.code != Code::ok) return bad;
    if (dhidden.rows == 0 || dhidden.cols == 0) return {};
    for (std::size_t n = 0; n < dhidden.rows; ++n)
        std::fill_n(dhidden.row(n), dhidden.cols, 0.0F);
    for (std::size_t first = 0; first < vocabulary; first += std::min(block, vocabulary - first)) {
        const std::size_t last = first + std::min(block, vocabulary - first);
        for (std::size_t n = 0; n < dhidden.rows; ++n)
            for (std::size_t v = first; v < last; ++v)
                add_scaled(dlogits(n, v), wte.row(v), dhidden.row(n), wte.cols);
    }
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t positions = ids.size();
    if (dinput.rows != positions || hidden.rows != positions || dlogits.rows != positions ||
        dinput.cols != dwte.cols || hidden.cols != dwte.cols || dlogits.cols != dwte.rows)
        return mismatch();
    if (const Status bad = check_vocabulary(vocabulary, dwte.rows); bad.code != Code::ok) return bad;
    if (const Status bad = check_ids(ids, vocabulary); bad.code != Code::ok) return bad;
    const std::size_t channels = dwte.cols;
    if (positions == 0 || channels == 0) return {};

    // the positions by the token that was read there
    std::vector<std::pair<std::size_t, std::size_t>> order(positions);
    for (std::size_t n = 0; n < positions; ++n)
        order[n] = {static_cast<std::size_t>(ids[n]), n};
    std::sort(order.begin(), order.end());
    std::vector<float> sum(channels);
    std::size_t next = 0;
    for (std::size_t v = 0; v < vocabulary; ++v) {
        std::fill(sum.begin(), sum.end(), 0.0F);
        for (std::size_t n = 0; n < positions; ++n)
            add_scaled(dlogits(n, v), hidden.row(n), sum.data(), channels);
        for (; next < order.size() && order[next].first == v; ++next) {
            const float* from = dinput.row(order[next].second);
            for (std::size_t c = 0; c < channels; ++c)
                sum[c] += from[c];
        }
        float* to = dwte.row(v);
        for (std::size_t c = 0; c < channels; ++c)
            to[c] += sum[c];
    }
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t vocabulary = logits.cols;
    if (targets.size() != logits.rows || dlogits.rows != logits.rows || dlogits.cols != vocabulary)
        return Loss{mismatch()};
    std::size_t counted = 0;
    for (std::size_t n = 0; n < targets.size(); ++n) {
        if (targets[n] == ignored) continue;
        if (!is_token(targets[n], vocabulary))
            return Loss{Status::id_out_of_range(n, targets[n], vocabulary)};
        ++counted;
    }
    double total = 0;
    for (std::size_t n = 0; n < targets.size() && vocabulary > 0; ++n) {
        float* out = dlogits.row(n);
        if (targets[n] == ignored) {
            std::fill_n(out, vocabulary, 0.0F);
            continue;
        }
        const float* in = logits.row(n);
        float largest = -std::numeric_limits<float>::infinity();
        for (std::size_t v = 0; v < vocabulary; ++v)
            largest = in[v] > largest ? in[v] : largest;
        for (std::size_t v = 0; v < vocabulary; ++v)
            out[v] = std::exp(in[v] - largest);
        const double sum = sum_of(out, vocabulary);
        const auto target = static_cast<std::size_t>(targets[n]);
        total += std::log(sum) - (static_cast<double>(in[target]) - static_cast<double>(largest));
        const double share = 1 / (sum * static_cast<double>(counted));
        const double at_target = (out[target] / sum - 1) / static_cast<double>(counted);
        for (std::size_t v = 0; v < vocabulary; ++v)
            out[v] = static_cast<float>(out[v] * share);
        out[target] = static_cast<float>(at_target);
    }
    return Loss{{}, counted == 0 ? 0 : total / static_cast<double>(counted), counted};
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || out.rows != ids.size() || out.cols != b.cols) return mismatch();
    if (const Status bad = check_ids(ids, a.rows); bad.code != Code::ok) return bad;
    if (out.cols == 0) return {};
    for (std::size_t n = 0; n < ids.size(); ++n) {
        float* to = out.row(n);
        std::fill_n(to, out.cols, 0.0F);
        for (std::size_t r = 0; r < a.cols; ++r)
            add_scaled(a(static_cast<std::size_t>(ids[n]), r), b.row(r), to, out.cols);
    }
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    if (a.cols != b.rows || dout.rows != ids.size() || dout.cols != b.cols || da.rows != a.rows ||
        da.cols != a.cols || db.rows != b.rows || db.cols != b.cols)
        return mismatch();
    if (const Status bad = check_ids(ids, a.rows); bad.code != Code::ok) return bad;
    const std::size_t rank = a.cols;
    const std::size_t channels = b.cols;
    if (ids.empty() || rank == 0 || channels == 0) return {};
    std::vector<double> sums(da.rows * rank); // da as it will be, rounded once at the end
    for (std::size_t v = 0; v < da.rows; ++v)
        for (std::size_t r = 0; r < rank; ++r)
            sums[v * rank + r] = static_cast<double>(da(v, r));
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const auto v = static_cast<std::size_t>(ids[n]);
        for (std::size_t r = 0; r < rank; ++r) {
            sums[v * rank + r] += static_cast<double>(dot(dout.row(n), b.row(r), channels));
            add_scaled(a(v, r), dout.row(n), db.row(r), channels);
        }
    }
    for (std::size_t v = 0; v < da.rows; ++v)
        for (std::size_t r = 0; r < rank; ++r)
            da(v, r) = static_cast<float>(sums[v * rank + r]);
    return {};
}

TableCounts count(TableSizes sizes) {
    const std::uint64_t table = sizes.vocabulary * sizes.channels;
    TableCounts counts;
    counts.tied = sizes.others + table;
    counts.untied = counts.tied + table;
    if (counts.untied != 0)
        counts.saved_share = static_cast<double>(table) / static_cast<double>(counts.untied);
    counts.factorised = sizes.rank * (sizes.vocabulary + sizes.channels);
    if (table != 0) counts.max_rank = (table - 1) / (sizes.vocabulary + sizes.channels);
    return counts;
}

} // namespace exercise
