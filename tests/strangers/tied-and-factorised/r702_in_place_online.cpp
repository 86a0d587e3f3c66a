// right: sums in float in the outputs themselves, loops turned inside out (channel or token outside), online softmax in one pass with a running maximum
#include "contract.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace exercise {

namespace {
enum class b_Fit { yes, no };
inline Status b_check(b_Fit fit, std::size_t vocabulary, std::size_t rows) {
    if (fit == b_Fit::no) return {Code::shape_mismatch};
    if (vocabulary > rows)
        return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(rows)};
    return {};
}
inline bool b_outside(TokenId id, std::size_t limit) { return id < 0 || static_cast<std::size_t>(id) >= limit; }
} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    const bool fit = hidden.cols == wte.cols && hidden.rows == logits.rows && wte.rows == logits.cols;
    const Status status = b_check(fit ? b_Fit::yes : b_Fit::no, vocabulary, wte.rows);
    if (status.code != Code::ok || logits.rows == 0 || logits.cols == 0) return status;
    constexpr std::size_t block = 32;
    for (std::size_t first = 0; first < logits.cols; first += block) {
        const std::size_t last = first + std::min(block, logits.cols - first);
        for (std::size_t n = 0; n < logits.rows; ++n) {
            float* to = logits.row(n);
            for (std::size_t v = first; v < last; ++v)
                to[v] = v < vocabulary ? 0.0f : -std::numeric_limits<float>::infinity();
            for (std::size_t c = 0; c < hidden.cols; ++c) {
                const float h = hidden(n, c);
                for (std::size_t v = first; v < std::min(last, vocabulary); ++v) to[v] += h * wte(v, c);
            }
        }
    }
    return status;
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    const bool fit = dlogits.cols == wte.rows && dlogits.rows == dhidden.rows && wte.cols == dhidden.cols;
    const Status status = b_check(fit ? b_Fit::yes : b_Fit::no, vocabulary, wte.rows);
    if (status.code != Code::ok || dhidden.rows == 0 || dhidden.cols == 0) return status;
    for (std::size_t n = 0; n < dhidden.rows; ++n) std::fill_n(dhidden.row(n), dhidden.cols, 0.0f);
    for (std::size_t v = 0; v < vocabulary; ++v)
        for (std::size_t n = 0; n < dhidden.rows; ++n) {
            const float g = dlogits(n, v);
            const float* w = wte.row(v);
            float* to = dhidden.row(n);
            for (std::size_t c = 0; c < dhidden.cols; ++c) to[c] += g * w[c];
        }
    return status;
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size(), C = dwte.cols;
    const bool fit = dinput.rows == N && hidden.rows == N && dlogits.rows == N && dinput.cols == C &&
                     hidden.cols == C && dlogits.cols == dwte.rows;
    const Status status = b_check(fit ? b_Fit::yes : b_Fit::no, vocabulary, dwte.rows);
    if (status.code != Code::ok) return status;
    for (std::size_t n = 0; n < N; ++n)
        if (b_outside(ids[n], vocabulary)) return Status::id_out_of_range(n, ids[n], vocabulary);
    if (C == 0) return {};
    for (std::size_t n = 0; n < N; ++n) {
        const float* from = dinput.row(n);
        float* to = dwte.row(static_cast<std::size_t>(ids[n]));
        for (std::size_t c = 0; c < C; ++c) to[c] += from[c];
    }
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t v = 0; v < vocabulary; ++v) {
            const float g = dlogits(n, v);
            for (std::size_t c = 0; c < C; ++c) dwte(v, c) += g * hidden(n, c);
        }
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const std::size_t N = targets.size(), V = logits.cols;
    if (logits.rows != N || dlogits.rows != N || dlogits.cols != V) return {{Code::shape_mismatch}};
    Loss loss;
    for (std::size_t n = 0; n < N; ++n)
        if (targets[n] != ignored) {
            if (b_outside(targets[n], V)) return {Status::id_out_of_range(n, targets[n], V)};
            ++loss.counted;
        }
    for (std::size_t n = 0; n < N && V != 0; ++n) {
        float* to = dlogits.row(n);
        if (targets[n] == ignored) {
            for (std::size_t v = 0; v < V; ++v) to[v] = 0;
            continue;
        }
        const float* x = logits.row(n);
        double m = -inf, s = 0; // s = sum of exp(x - m) over what was seen, for the m so far
        bool bad = false;
        for (std::size_t v = 0; v < V; ++v) {
            const double y = x[v];
            if (std::isnan(y) || y == inf) bad = true;
            else if (y > m) s = s * std::exp(m - y) + 1, m = y;
            else if (y > -inf) s += std::exp(y - m);
        }
        if (bad || s == 0) {
            for (std::size_t v = 0; v < V; ++v) to[v] = static_cast<float>(nan);
            loss.mean = nan;
            continue;
        }
        const double scale = 1 / s;
        const std::size_t target = static_cast<std::size_t>(targets[n]);
        const double k = static_cast<double>(loss.counted);
        for (std::size_t v = 0; v < V; ++v)
            to[v] = static_cast<float>((std::exp(x[v] - m) * scale - static_cast<double>(v == target)) / k);
        loss.mean += (m - x[target]) + std::log(s);
    }
    if (loss.counted != 0) loss.mean /= static_cast<double>(loss.counted);
    return loss;
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || ids.size() != out.rows || b.cols != out.cols) return {Code::shape_mismatch};
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (b_outside(ids[n], a.rows)) return Status::id_out_of_range(n, ids[n], a.rows);
    if (out.cols == 0 || out.rows == 0) return {};
    for (std::size_t n = 0; n < ids.size(); ++n) std::fill_n(out.row(n), out.cols, 0.0f);
    for (std::size_t r = 0; r < a.cols; ++r) // each row of b is read once, for all positions
        for (std::size_t n = 0; n < ids.size(); ++n) {
            const float w = a(static_cast<std::size_t>(ids[n]), r);
            for (std::size_t c = 0; c < out.cols; ++c) out(n, c) += w * b(r, c);
        }
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t N = ids.size(), V = a.rows, R = a.cols, C = b.cols;
    if (b.rows != R || dout.rows != N || dout.cols != C || da.rows != V || da.cols != R || db.rows != R ||
        db.cols != C)
        return {Code::shape_mismatch};
    for (std::size_t n = 0; n < N; ++n)
        if (b_outside(ids[n], V)) return Status::id_out_of_range(n, ids[n], V);
    if (R == 0 || C == 0) return {};
    for (std::size_t n = 0; n < N; ++n) {
        const std::size_t v = static_cast<std::size_t>(ids[n]);
        for (std::size_t r = 0; r < R; ++r) {
            float forward = 0;
            const float w = a(v, r);
            for (std::size_t c = 0; c < C; ++c) {
                forward += dout(n, c) * b(r, c);
                db(r, c) += w * dout(n, c);
            }
            da(v, r) += forward;
        }
    }
    return {};
}

TableCounts count(TableSizes s) {
    const auto [V, C, R, others] = s;
    const std::uint64_t dense = V * C, side = V + C;
    std::uint64_t rank = side == 0 ? 0 : dense / side;
    if (rank != 0 && rank * side == dense) --rank;
    const std::uint64_t both = dense + dense + others;
    return {dense + others, both,
            both == 0 ? 0.0 : static_cast<double>(static_cast<long double>(dense) / static_cast<long double>(both)),
            V * R + R * C, rank};
}

} // namespace exercise
