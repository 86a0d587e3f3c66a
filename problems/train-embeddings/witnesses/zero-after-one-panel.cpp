// Fault: cosines tests for a zero row after the first 512 channels.
// Origin: round 24
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace exercise {
namespace {

bool usable(float x) {
    return std::isfinite(x) && !(x < 0);
}

bool square(std::size_t rows, std::size_t cols, std::size_t c) {
    return rows == c && cols == c;
}

bool outside(TokenId id, std::size_t vocabulary) {
    return id < 0 || static_cast<std::size_t>(id) >= vocabulary;
}

Status check_tokens(std::size_t vocabulary, Ids ids, Ids targets, TokenId ignored) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (outside(ids[n], vocabulary)) return Status::id_out_of_range(n, ids[n], vocabulary);
    for (std::size_t n = 0; n < targets.size(); ++n)
        if (targets[n] != ignored && outside(targets[n], vocabulary))
            return Status::id_out_of_range(n, targets[n], vocabulary);
    return {};
}

std::vector<double> widen(Matrix<const float> m) {
    std::vector<double> wide;
    if (m.rows == 0 || m.cols == 0) return wide;
    wide.resize(m.rows * m.cols);
    for (std::size_t r = 0; r < m.rows; ++r) std::copy_n(m.row(r), m.cols, wide.data() + r * m.cols);
    return wide;
}

double dot(const double* a, const double* b, std::size_t n) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; ++i) s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

void add_scaled(double factor, const double* x, double* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] += factor * x[i];
}

/// What a batch leaves behind: sums in double, of the shapes of the parameters.
struct Sums {
    std::vector<double> table, mix;
};

/// The loss, and the gradients if they are wanted. Everything was checked.
Loss run(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored, Sums* sums) {
    const std::size_t V = wte.rows, C = wte.cols;
    std::size_t K = 0;
    for (const TokenId target : targets) K += target != ignored;
    if (sums != nullptr && V > 0 && C > 0) sums->table.assign(V * C, 0.0);
    if (sums != nullptr) sums->mix.assign(C * C, 0.0);
    if (K == 0) return {Status{}, 0, 0};
    if (C == 0) return {Status{}, std::log(static_cast<double>(V)), K};

    const std::vector<double> table = widen(wte), between = widen(mix);
    std::vector<double> hidden(C), dhidden(C), logits(V);
    const double share = 1.0 / static_cast<double>(K);
    double total = 0;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        if (targets[n] == ignored) continue;
        const std::size_t id = static_cast<std::size_t>(ids[n]), target = static_cast<std::size_t>(targets[n]);
        const double* row = table.data() + id * C;
        std::fill(hidden.begin(), hidden.end(), 0.0);
        for (std::size_t k = 0; k < C; ++k) add_scaled(row[k], between.data() + k * C, hidden.data(), C);

        double largest = -std::numeric_limits<double>::infinity();
        for (std::size_t v = 0; v < V; ++v) {
            logits[v] = dot(hidden.data(), table.data() + v * C, C);
            largest = std::max(largest, logits[v]);
        }
        double sum = 0;
        for (std::size_t v = 0; v < V; ++v) sum += std::exp(logits[v] - largest);
        total += std::log(sum) + (largest - logits[target]);
        if (sums == nullptr) continue;

        std::fill(dhidden.begin(), dhidden.end(), 0.0);
        for (std::size_t v = 0; v < V; ++v) {
            const double p = std::exp(logits[v] - largest) / sum;
            const double d = (v == target ? p - 1 : p) * share;
            add_scaled(d, table.data() + v * C, dhidden.data(), C);
            add_scaled(d, hidden.data(), sums->table.data() + v * C, C);
        }
        for (std::size_t k = 0; k < C; ++k) add_scaled(row[k], dhidden.data(), sums->mix.data() + k * C, C);
        double* read = sums->table.data() + id * C;
        for (std::size_t c = 0; c < C; ++c) read[c] += dot(dhidden.data(), between.data() + c * C, C);
    }
    return {Status{}, total / static_cast<double>(K), K};
}

void store(const std::vector<double>& from, Matrix<float> to) {
    if (to.cols == 0) return;
    for (std::size_t r = 0; r < to.rows; ++r)
        for (std::size_t c = 0; c < to.cols; ++c) to(r, c) = static_cast<float>(from[r * to.cols + c]);
}

void descend(const std::vector<double>& slope, double rate, Matrix<float> weights) {
    if (weights.cols == 0) return;
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c) {
            float& w = weights(r, c);
            w = static_cast<float>(static_cast<double>(w) - rate * slope[r * weights.cols + c]);
        }
}

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    const std::size_t C = wte.cols;
    if (!square(mix.rows, mix.cols, C)) return Status{Code::shape_mismatch};
    if (!usable(spread)) return Status{Code::invalid_argument};
    if (C == 0) return {};
    for (std::size_t v = 0; v < wte.rows; ++v)
        for (std::size_t c = 0; c < C; ++c)
            wte(v, c) = static_cast<float>((2 * uniform(seed, v * C + c) - 1) * static_cast<double>(spread));
    for (std::size_t k = 0; k < C; ++k)
        for (std::size_t c = 0; c < C; ++c) mix(k, c) = k == c ? 1.0F : 0.0F;
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    if (!square(mix.rows, mix.cols, wte.cols) || ids.size() != targets.size())
        return {Status{Code::shape_mismatch}, 0, 0};
    if (const Status s = check_tokens(wte.rows, ids, targets, ignored); s.code != Code::ok) return {s, 0, 0};
    return run(wte, mix, ids, targets, ignored, nullptr);
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    const std::size_t C = wte.cols;
    if (!square(mix.rows, mix.cols, C) || ids.size() != targets.size() || dwte.rows != wte.rows ||
        dwte.cols != C || !square(dmix.rows, dmix.cols, C))
        return {Status{Code::shape_mismatch}, 0, 0};
    if (const Status s = check_tokens(wte.rows, ids, targets, ignored); s.code != Code::ok) return {s, 0, 0};
    Sums sums;
    const Loss loss = run(wte, mix, ids, targets, ignored, &sums);
    store(sums.table, dwte);
    store(sums.mix, dmix);
    return loss;
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return Status{Code::shape_mismatch};
    if (!usable(rate)) return Status{Code::invalid_argument};
    if (rate == 0 || weights.cols == 0) return {};
    for (std::size_t r = 0; r < weights.rows; ++r) {
        const float* g = gradient.row(r);
        float* w = weights.row(r);
        for (std::size_t c = 0; c < weights.cols; ++c)
            w[c] = static_cast<float>(static_cast<double>(w[c]) -
                                      static_cast<double>(rate) * static_cast<double>(g[c]));
    }
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    if (!square(mix.rows, mix.cols, wte.cols) || ids.size() != targets.size())
        return {Status{Code::shape_mismatch}, 0, 0};
    if (!usable(rate)) return {Status{Code::invalid_argument}, 0, 0};
    if (const Status s = check_tokens(wte.rows, ids, targets, ignored); s.code != Code::ok) return {s, 0, 0};
    if (rate == 0) return run(wte, mix, ids, targets, ignored, nullptr);
    Sums sums;
    const Loss loss = run(wte, mix, ids, targets, ignored, &sums);
    if (loss.counted == 0) return loss; // nothing to learn from
    descend(sums.table, static_cast<double>(rate), wte);
    descend(sums.mix, static_cast<double>(rate), mix);
    return loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    const std::size_t V = wte.rows, C = wte.cols;
    if (out.size() != V) return Status{Code::shape_mismatch};
    if (outside(token, V)) return Status::id_out_of_range(0, token, V);
    if (C == 0) {
        std::fill(out.begin(), out.end(), 0.0F);
        return {};
    }
    // Panel by panel: the token's part is widened once and stays in the nearest cache for all rows.
    constexpr std::size_t panel = 512;
    double mine[panel];
    double square_mine = 0;
    std::vector<double> product(V, 0.0), square_other(V, 0.0);
    for (std::size_t first = 0; first < C; first += panel) {
        const std::size_t count = std::min(panel, C - first);
        const float* part = wte.row(static_cast<std::size_t>(token)) + first;
        for (std::size_t c = 0; c < count; ++c) {
            mine[c] = static_cast<double>(part[c]);
            square_mine += mine[c] * mine[c];
        }
        if (square_mine == 0) { // nothing but zeros: alike to nothing
            std::fill(out.begin(), out.end(), 0.0F);
            return {};
        }
        for (std::size_t v = 0; v < V; ++v) {
            const float* other = wte.row(v) + first;
            double p = 0, s = 0;
            for (std::size_t c = 0; c < count; ++c) {
                const double b = static_cast<double>(other[c]);
                p += mine[c] * b;
                s += b * b;
            }
            product[v] += p;
            square_other[v] += s;
        }
    }
    for (std::size_t v = 0; v < V; ++v)
        out[v] = square_other[v] == 0
                     ? 0.0F
                     : static_cast<float>(product[v] / (std::sqrt(square_mine) * std::sqrt(square_other[v])));
    return {};
}

} // namespace exercise
