// wrong: update and step subtract 0 * g where the rate is 0, so a weight meets NaN or infinity in the gradient and becomes NaN, and a weight of -0 becomes +0 against a negative gradient; a right one keeps every bit.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace exercise {
namespace {

struct Batch {
    Ids ids, targets;
    TokenId ignored;
};

Status check(const Batch& batch, std::size_t V) {
    for (std::size_t n = 0; n < batch.ids.size(); ++n)
        if (batch.ids[n] < 0 || std::size_t(batch.ids[n]) >= V)
            return Status::id_out_of_range(n, batch.ids[n], V);
    for (std::size_t n = 0; n < batch.targets.size(); ++n) {
        const TokenId target = batch.targets[n];
        if (target != batch.ignored && (target < 0 || std::size_t(target) >= V))
            return Status::id_out_of_range(n, target, V);
    }
    return {};
}

bool counts(const Batch& batch, std::size_t n) {
    return batch.targets[n] != batch.ignored;
}

/// Loss and, where they are wanted, both gradients in double, dense.
struct Pass {
    double sum = 0;
    std::size_t counted = 0;
    std::vector<double> dwte, dmix;

    Pass(Matrix<const float> wte, Matrix<const float> mix, const Batch& batch, bool want_gradients) {
        const std::size_t V = wte.rows, C = wte.cols;
        for (std::size_t n = 0; n < batch.ids.size(); ++n)
            counted += counts(batch, n);
        if (want_gradients) {
            dwte.assign(V * C, 0);
            dmix.assign(C * C, 0);
        }
        std::vector<double> hidden(C), dhidden(C), p(V);
        for (std::size_t n = 0; n < batch.ids.size(); ++n) {
            if (!counts(batch, n)) continue;
            const auto id = std::size_t(batch.ids[n]), target = std::size_t(batch.targets[n]);
            std::fill(hidden.begin(), hidden.end(), 0);
            for (std::size_t k = 0; k < C; ++k)
                for (std::size_t c = 0; c < C; ++c)
                    hidden[c] += double(wte(id, k)) * mix(k, c);
            for (std::size_t v = 0; v < V; ++v) {
                p[v] = 0;
                for (std::size_t c = 0; c < C; ++c)
                    p[v] += hidden[c] * wte(v, c);
            }
            const double top = *std::max_element(p.begin(), p.end());
            const double chosen = p[target];
            double total = 0;
            for (double& x : p)
                total += x = std::exp(x - top);
            sum += std::log(total) + top - chosen;
            if (!want_gradients) continue;

            std::fill(dhidden.begin(), dhidden.end(), 0);
            for (std::size_t v = 0; v < V; ++v) {
                const double dlogit = (p[v] / total - (v == target)) / double(counted);
                for (std::size_t c = 0; c < C; ++c) {
                    dhidden[c] += dlogit * wte(v, c);
                    dwte[v * C + c] += dlogit * hidden[c];
                }
            }
            for (std::size_t k = 0; k < C; ++k)
                for (std::size_t c = 0; c < C; ++c) {
                    dmix[k * C + c] += wte(id, k) * dhidden[c];
                    dwte[id * C + k] += dhidden[c] * mix(k, c);
                }
        }
    }
    Loss loss() const { return {Status{}, counted == 0 ? 0 : sum / double(counted), counted}; }
};

void store(const std::vector<double>& from, Matrix<float> to) {
    for (std::size_t r = 0; r < to.rows; ++r)
        for (std::size_t c = 0; c < to.cols; ++c)
            to(r, c) = float(from[r * to.cols + c]);
}

bool square(Matrix<const float> mix, std::size_t C) {
    return mix.rows == C && mix.cols == C;
}

bool allowed(float x) {
    return std::isfinite(x) && x >= 0;
}

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    if (!square(mix, wte.cols)) return {Code::shape_mismatch};
    if (!allowed(spread)) return {Code::invalid_argument};
    for (std::size_t v = 0; v < wte.rows; ++v)
        for (std::size_t c = 0; c < wte.cols; ++c)
            wte(v, c) = float((2 * uniform(seed, v * wte.cols + c) - 1) * spread);
    for (std::size_t k = 0; k < mix.rows; ++k)
        for (std::size_t c = 0; c < mix.cols; ++c)
            mix(k, c) = k == c ? 1.0F : 0.0F;
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    const Batch batch{ids, targets, ignored};
    if (!square(mix, wte.cols) || ids.size() != targets.size()) return {{Code::shape_mismatch}};
    if (const Status status = check(batch, wte.rows); status.code != Code::ok) return {status};
    return Pass(wte, mix, batch, false).loss();
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    const Batch batch{ids, targets, ignored};
    if (!square(mix, wte.cols) || ids.size() != targets.size() || dwte.rows != wte.rows ||
        dwte.cols != wte.cols || !square(dmix, wte.cols))
        return {{Code::shape_mismatch}};
    if (const Status status = check(batch, wte.rows); status.code != Code::ok) return {status};
    const Pass pass(wte, mix, batch, true);
    store(pass.dwte, dwte);
    store(pass.dmix, dmix);
    return pass.loss();
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return {Code::shape_mismatch};
    if (!allowed(rate)) return {Code::invalid_argument};
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) = float(weights(r, c) - double(rate) * gradient(r, c));
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    const Batch batch{ids, targets, ignored};
    if (!square(mix, wte.cols) || ids.size() != targets.size()) return {{Code::shape_mismatch}};
    if (!allowed(rate)) return {{Code::invalid_argument}};
    if (const Status status = check(batch, wte.rows); status.code != Code::ok) return {status};
    const Pass pass(wte, mix, batch, true);
    std::vector<float> dwte(wte.rows * wte.cols), dmix(mix.rows * mix.cols);
    store(pass.dwte, Matrix<float>(dwte.data(), wte.rows, wte.cols));
    store(pass.dmix, Matrix<float>(dmix.data(), mix.rows, mix.cols));
    update(Matrix<const float>(dwte.data(), wte.rows, wte.cols), rate, wte);
    update(Matrix<const float>(dmix.data(), mix.rows, mix.cols), rate, mix);
    return pass.loss();
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    if (out.size() != wte.rows) return {Code::shape_mismatch};
    if (token < 0 || std::size_t(token) >= wte.rows) return Status::id_out_of_range(0, token, wte.rows);
    for (std::size_t v = 0; v < wte.rows; ++v) {
        double dot = 0, own = 0, other = 0;
        for (std::size_t c = 0; c < wte.cols; ++c) {
            const double a = wte(std::size_t(token), c), b = wte(v, c);
            dot += a * b;
            own += a * a;
            other += b * b;
        }
        const double lengths = std::sqrt(own) * std::sqrt(other);
        out[v] = lengths == 0 ? 0.0F : float(dot / lengths);
    }
    return {};
}

} // namespace exercise
