// right: single precision throughout except for the two sums of cross_entropy, no memory of its own: sums grow in the outputs themselves, dot products in eight float lanes
#include "contract.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace exercise {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

float dot(const float* x, const float* y, std::size_t n) {
    float lane[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    std::size_t i = 0;
    for (; n - i >= 8; i += 8)
        for (std::size_t j = 0; j < 8; ++j)
            lane[j] += x[i + j] * y[i + j];
    for (std::size_t j = 0; i + j < n; ++j)
        lane[j] += x[i + j] * y[i + j];
    for (std::size_t half = 4; half > 0; half /= 2)
        for (std::size_t j = 0; j < half; ++j)
            lane[j] += lane[j + half];
    return lane[0];
}

void axpy(float factor, const float* x, float* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        y[i] += factor * x[i];
}

void zero(float* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        y[i] = 0.0f;
}

/// The place of the first id that is not in [0, limit), or where the ids end.
std::size_t bad_place(Ids ids, std::size_t limit) {
    std::size_t n = 0;
    while (n < ids.size() && ids[n] >= 0 && static_cast<std::uint64_t>(ids[n]) < limit)
        ++n;
    return n;
}

Status mismatch() {
    Status status;
    status.code = Code::shape_mismatch;
    return status;
}

Status check_vocabulary(std::size_t vocabulary, std::size_t rows) {
    Status status;
    if (vocabulary > rows) {
        status.code = Code::invalid_argument;
        status.value = static_cast<std::int64_t>(vocabulary);
        status.limit = static_cast<std::int64_t>(rows);
    }
    return status;
}

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    const bool fits = hidden.cols == wte.cols && hidden.rows == logits.rows && wte.rows == logits.cols;
    if (!fits) return mismatch();
    const Status status = check_vocabulary(vocabulary, wte.rows);
    if (status.code != Code::ok) return status;
    // A row of the table serves all positions while it is in the cache.
    for (std::size_t v = 0; v < vocabulary; ++v)
        for (std::size_t n = 0; n < hidden.rows; ++n)
            logits(n, v) = hidden.cols == 0 ? 0.0f : dot(wte.row(v), hidden.row(n), hidden.cols);
    for (std::size_t n = 0; n < hidden.rows; ++n)
        for (std::size_t v = vocabulary; v < wte.rows; ++v)
            logits(n, v) = -infinity;
    return status;
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    const bool fits = dhidden.cols == wte.cols && dhidden.rows == dlogits.rows && wte.rows == dlogits.cols;
    if (!fits) return mismatch();
    const Status status = check_vocabulary(vocabulary, wte.rows);
    if (status.code != Code::ok || wte.cols == 0) return status;
    for (std::size_t n = 0; n < dhidden.rows; ++n)
        zero(dhidden.row(n), dhidden.cols);
    for (std::size_t v = 0; v < vocabulary; ++v)
        for (std::size_t n = 0; n < dhidden.rows; ++n)
            axpy(dlogits(n, v), wte.row(v), dhidden.row(n), wte.cols);
    return status;
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size(), C = dwte.cols;
    const bool fits = dinput.rows == N && dinput.cols == C && hidden.rows == N && hidden.cols == C &&
                      dlogits.rows == N && dlogits.cols == dwte.rows;
    if (!fits) return mismatch();
    const Status status = check_vocabulary(vocabulary, dwte.rows);
    if (status.code != Code::ok) return status;
    if (const std::size_t n = bad_place(ids, vocabulary); n < N)
        return Status::id_out_of_range(n, ids[n], vocabulary);
    if (C == 0) return status;
    for (std::size_t n = 0; n < N; ++n) {
        float* read = dwte.row(static_cast<std::size_t>(ids[n]));
        for (std::size_t c = 0; c < C; ++c)
            read[c] += dinput(n, c);
        for (std::size_t v = 0; v < vocabulary; ++v)
            axpy(dlogits(n, v), hidden.row(n), dwte.row(v), C);
    }
    return status;
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t N = targets.size(), V = logits.cols;
    if (logits.rows != N || dlogits.rows != N || dlogits.cols != V) return {mismatch(), 0, 0};
    std::size_t counted = 0;
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) continue;
        if (bad_place(targets.subspan(n, 1), V) == 0) return {Status::id_out_of_range(n, targets[n], V), 0, 0};
        ++counted;
    }
    double losses = 0;
    for (std::size_t n = 0; n < N; ++n) {
        if (V == 0) break;
        float* d = dlogits.row(n);
        zero(d, V);
        if (targets[n] == ignored) continue;
        const float* x = logits.row(n);
        float m = -infinity;
        bool sound = true;
        for (std::size_t v = 0; v < V; ++v) {
            sound = sound && x[v] < infinity; // false for NaN
            m = x[v] > m ? x[v] : m;
        }
        if (!sound || m == -infinity) {
            for (std::size_t v = 0; v < V; ++v)
                d[v] = std::numeric_limits<float>::quiet_NaN();
            losses += std::numeric_limits<double>::quiet_NaN();
            continue;
        }
        double sum = 0;
        for (std::size_t v = 0; v < V; ++v) {
            d[v] = std::exp(x[v] - m);
            sum += static_cast<double>(d[v]);
        }
        const std::size_t target = static_cast<std::size_t>(targets[n]);
        losses += std::log(sum) + static_cast<double>(m - x[target]);
        const double scale = sum * static_cast<double>(counted);
        const double p_less_one = (static_cast<double>(d[target]) - sum) / scale;
        for (std::size_t v = 0; v < V; ++v)
            d[v] = static_cast<float>(static_cast<double>(d[v]) / scale);
        d[target] = static_cast<float>(p_less_one);
    }
    return {{}, counted == 0 ? 0.0 : losses / static_cast<double>(counted), counted};
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    const bool fits = a.cols == b.rows && out.rows == ids.size() && out.cols == b.cols;
    if (!fits) return mismatch();
    if (const std::size_t n = bad_place(ids, a.rows); n < ids.size())
        return Status::id_out_of_range(n, ids[n], a.rows);
    if (out.cols == 0) return {};
    for (std::size_t n = 0; n < out.rows; ++n) {
        zero(out.row(n), out.cols);
        for (std::size_t r = 0; r < b.rows; ++r)
            axpy(a(static_cast<std::size_t>(ids[n]), r), b.row(r), out.row(n), out.cols);
    }
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t N = ids.size(), V = a.rows, R = a.cols, C = b.cols;
    const bool fits = b.rows == R && da.rows == V && da.cols == R && db.rows == R && db.cols == C &&
                      dout.rows == N && dout.cols == C;
    if (!fits) return mismatch();
    if (const std::size_t n = bad_place(ids, V); n < N) return Status::id_out_of_range(n, ids[n], V);
    if (C == 0) return {};
    for (std::size_t n = 0; n < N; ++n) {
        const std::size_t v = static_cast<std::size_t>(ids[n]);
        for (std::size_t r = 0; r < R; ++r) {
            da(v, r) += dot(dout.row(n), b.row(r), C);
            axpy(a(v, r), dout.row(n), db.row(r), C);
        }
    }
    return {};
}

TableCounts count(TableSizes sizes) {
    const auto [V, C, R, others] = sizes;
    TableCounts counts;
    counts.tied = V * C + others;
    counts.untied = 2 * (V * C) + others;
    counts.saved_share = counts.untied == 0 ? 0.0
                                            : static_cast<double>(V * C) / static_cast<double>(counts.untied);
    counts.factorised = R * (V + C);
    if (V > 0 && C > 0) {
        counts.max_rank = V * C / (V + C);
        if (counts.max_rank * (V + C) == V * C) --counts.max_rank; // equal is not fewer
    }
    return counts;
}

} // namespace exercise
