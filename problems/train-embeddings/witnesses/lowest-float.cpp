// Fault: The search for the largest logit begins at the lowest float, although logits are doubles.
// Origin: round 22
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace exercise {
namespace {

bool inside(TokenId id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary;
}

bool good_rate(float rate) {
    return rate >= 0 && !std::isinf(rate); // NaN is not >= 0
}

bool fits(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets) {
    return mix.rows == wte.cols && mix.cols == wte.cols && ids.size() == targets.size();
}

Status check_tokens(std::size_t vocabulary, Ids ids, Ids targets, TokenId ignored) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (!inside(ids[n], vocabulary)) return Status::id_out_of_range(n, ids[n], vocabulary);
    for (std::size_t n = 0; n < targets.size(); ++n)
        if (targets[n] != ignored && !inside(targets[n], vocabulary))
            return Status::id_out_of_range(n, targets[n], vocabulary);
    return {};
}

/// Gradients before they are rounded, dense.
struct Sums {
    std::vector<double> wte;
    std::vector<double> mix;
};

/// The loss, and its gradients added to `sums` if there are any to make.
Loss run(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored, Sums* sums) {
    const std::size_t V = wte.rows;
    const std::size_t C = wte.cols;
    const auto counted = static_cast<std::size_t>(
        std::count_if(targets.begin(), targets.end(), [&](TokenId t) { return t != ignored; }));
    if (counted == 0) return {};
    const auto K = static_cast<double>(counted);

    std::vector<double> hidden(C);
    std::vector<double> dhidden(C);
    std::vector<double> scores(V);
    double sum = 0;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        if (targets[n] == ignored) continue;
        const auto id = static_cast<std::size_t>(ids[n]);
        const auto target = static_cast<std::size_t>(targets[n]);
        const float* read = wte.row(id);
        std::fill(hidden.begin(), hidden.end(), 0.0);
        for (std::size_t k = 0; k < C; ++k) {
            const double x = read[k];
            const float* m = mix.row(k);
            for (std::size_t c = 0; c < C; ++c)
                hidden[c] += x * m[c];
        }
        double largest = std::numeric_limits<float>::lowest();
        for (std::size_t v = 0; v < V; ++v) {
            const float* row = wte.row(v);
            double score = 0;
            for (std::size_t c = 0; c < C; ++c)
                score += hidden[c] * row[c];
            scores[v] = score;
            largest = std::max(largest, score);
        }
        const double behind = largest - scores[target];
        double total = 0;
        for (double& score : scores) {
            score = std::exp(score - largest);
            total += score;
        }
        sum += (std::log(total) + behind);
        if (sums == nullptr) continue;

        std::fill(dhidden.begin(), dhidden.end(), 0.0);
        for (std::size_t v = 0; v < V; ++v) {
            const double p = scores[v] / total;
            const double d = (p - (v == target ? 1.0 : 0.0)) / K;
            const float* row = wte.row(v);
            double* gradient = sums->wte.data() + v * C;
            for (std::size_t c = 0; c < C; ++c) {
                dhidden[c] += d * row[c];
                gradient[c] += d * hidden[c];
            }
        }
        for (std::size_t k = 0; k < C; ++k) {
            const double x = read[k];
            const float* m = mix.row(k);
            double* gradient = sums->mix.data() + k * C;
            double back = 0;
            for (std::size_t c = 0; c < C; ++c) {
                gradient[c] += x * dhidden[c];
                back += dhidden[c] * m[c];
            }
            sums->wte[id * C + k] += back;
        }
    }
    return {Status{}, sum / K, counted};
}

void round_into(const std::vector<double>& from, Matrix<float> to) {
    for (std::size_t r = 0; r < to.rows; ++r)
        for (std::size_t c = 0; c < to.cols; ++c)
            to(r, c) = static_cast<float>(from[r * to.cols + c]);
}

void descend(const std::vector<double>& gradient, double rate, Matrix<float> weights) {
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) = static_cast<float>(weights(r, c) - rate * gradient[r * weights.cols + c]);
}

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    if (mix.rows != wte.cols || mix.cols != wte.cols) return Status{Code::shape_mismatch};
    if (!good_rate(spread)) return Status{Code::invalid_argument};
    if (wte.cols == 0) return {};
    for (std::size_t v = 0; v < wte.rows; ++v)
        for (std::size_t c = 0; c < wte.cols; ++c)
            wte(v, c) = static_cast<float>((2 * uniform(seed, v * wte.cols + c) - 1) * spread);
    for (std::size_t k = 0; k < mix.rows; ++k)
        for (std::size_t c = 0; c < mix.cols; ++c)
            mix(k, c) = k == c ? 1.0f : 0.0f;
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    if (!fits(wte, mix, ids, targets)) return {Status{Code::shape_mismatch}};
    if (const Status status = check_tokens(wte.rows, ids, targets, ignored); status.code != Code::ok)
        return {status};
    return run(wte, mix, ids, targets, ignored, nullptr);
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    const std::size_t V = wte.rows;
    const std::size_t C = wte.cols;
    if (!fits(wte, mix, ids, targets) || dwte.rows != V || dwte.cols != C || dmix.rows != C || dmix.cols != C)
        return {Status{Code::shape_mismatch}};
    if (const Status status = check_tokens(V, ids, targets, ignored); status.code != Code::ok) return {status};
    Sums sums{std::vector<double>(V * C), std::vector<double>(C * C)};
    const Loss loss = run(wte, mix, ids, targets, ignored, &sums);
    if (C == 0) return loss;
    round_into(sums.wte, dwte);
    round_into(sums.mix, dmix);
    return loss;
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return Status{Code::shape_mismatch};
    if (!good_rate(rate)) return Status{Code::invalid_argument};
    if (rate == 0 || weights.cols == 0) return {};
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) = static_cast<float>(weights(r, c) - static_cast<double>(rate) * gradient(r, c));
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    if (!fits(wte, mix, ids, targets)) return {Status{Code::shape_mismatch}};
    if (!good_rate(rate)) return {Status{Code::invalid_argument}};
    if (const Status status = check_tokens(wte.rows, ids, targets, ignored); status.code != Code::ok)
        return {status};
    if (rate == 0) return run(wte, mix, ids, targets, ignored, nullptr);
    Sums sums{std::vector<double>(wte.rows * wte.cols), std::vector<double>(mix.rows * mix.cols)};
    const Loss loss = run(wte, mix, ids, targets, ignored, &sums);
    if (wte.cols == 0) return loss;
    descend(sums.wte, rate, wte);
    descend(sums.mix, rate, mix);
    return loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    if (out.size() != wte.rows) return Status{Code::shape_mismatch};
    if (!inside(token, wte.rows)) return Status::id_out_of_range(0, token, wte.rows);
    const auto dot = [&](std::size_t a, std::size_t b) {
        double sum = 0;
        for (std::size_t c = 0; c < wte.cols; ++c)
            sum += static_cast<double>(wte(a, c)) * wte(b, c);
        return sum;
    };
    const auto mine = static_cast<std::size_t>(token);
    const double length = std::sqrt(dot(mine, mine));
    for (std::size_t v = 0; v < wte.rows; ++v) {
        const double other = std::sqrt(dot(v, v));
        out[v] = length == 0 || other == 0 ? 0.0f : static_cast<float>(dot(mine, v) / (length * other));
    }
    return {};
}

} // namespace exercise
