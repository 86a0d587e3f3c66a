// right: positions are grouped by the token they read: one softmax for each different token of a batch, its gradient built from how often each target followed
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace exercise {

namespace {

struct Grads {
    std::vector<double> wte, mix;
};

bool outside(TokenId id, std::size_t limit) {
    return id < 0 || static_cast<std::size_t>(id) >= limit;
}

bool bad_rate(float rate) {
    return !(rate >= 0.0f && std::isfinite(rate));
}

bool fits(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets) {
    return mix.rows == wte.cols && mix.cols == wte.cols && ids.size() == targets.size();
}

Status tokens_status(std::size_t V, Ids ids, Ids targets, TokenId ignored) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (outside(ids[n], V)) return Status::id_out_of_range(n, ids[n], V);
    for (std::size_t n = 0; n < targets.size(); ++n)
        if (targets[n] != ignored && outside(targets[n], V)) return Status::id_out_of_range(n, targets[n], V);
    return {};
}

/// Everything there is to compute, for arguments that are fine. Without `grads` the loss alone.
Loss run(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored, Grads* grads) {
    const std::size_t V = wte.rows, C = wte.cols;
    if (grads) {
        grads->wte.assign(V * C, 0.0);
        grads->mix.assign(C * C, 0.0);
    }
    std::vector<std::size_t> order;
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (targets[n] != ignored) order.push_back(n);
    Loss loss;
    loss.counted = order.size();
    if (order.empty()) return loss;
    std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
        return ids[x] != ids[y] ? ids[x] < ids[y] : x < y;
    });

    const double K = static_cast<double>(order.size());
    std::vector<double> hidden(C), dhidden(C), x(V), d(V);
    std::vector<std::size_t> follows(V, 0);
    double total = 0;
    for (auto from = order.begin(); from != order.end();) {
        const TokenId id = ids[*from];
        const auto to = std::find_if(from, order.end(), [&](std::size_t n) { return ids[n] != id; });
        const std::size_t token = static_cast<std::size_t>(id);
        const double times = static_cast<double>(to - from);

        std::fill(hidden.begin(), hidden.end(), 0.0);
        for (std::size_t k = 0; k < C; ++k)
            for (std::size_t c = 0; c < C; ++c)
                hidden[c] += static_cast<double>(wte(token, k)) * static_cast<double>(mix(k, c));
        for (std::size_t v = 0; v < V; ++v) {
            x[v] = 0;
            for (std::size_t c = 0; c < C; ++c)
                x[v] += hidden[c] * static_cast<double>(wte(v, c));
        }
        const double m = *std::max_element(x.begin(), x.end());
        double sum = 0;
        for (std::size_t v = 0; v < V; ++v) {
            d[v] = std::exp(x[v] - m);
            sum += d[v];
        }
        for (auto at = from; at != to; ++at) {
            const std::size_t target = static_cast<std::size_t>(targets[*at]);
            total += std::log(sum) + (m - x[target]);
            ++follows[target];
        }
        if (grads) {
            std::fill(dhidden.begin(), dhidden.end(), 0.0);
            for (std::size_t v = 0; v < V; ++v) {
                const double g = (times * (d[v] / sum) - static_cast<double>(follows[v])) / K;
                for (std::size_t c = 0; c < C; ++c) {
                    dhidden[c] += g * static_cast<double>(wte(v, c));
                    grads->wte[v * C + c] += g * hidden[c];
                }
            }
            for (std::size_t k = 0; k < C; ++k)
                for (std::size_t c = 0; c < C; ++c) {
                    grads->mix[k * C + c] += static_cast<double>(wte(token, k)) * dhidden[c];
                    grads->wte[token * C + k] += dhidden[c] * static_cast<double>(mix(k, c));
                }
        }
        for (auto at = from; at != to; ++at)
            follows[static_cast<std::size_t>(targets[*at])] = 0;
        from = to;
    }
    loss.mean = total / K;
    return loss;
}

void write(const std::vector<double>& values, Matrix<float> out) {
    for (std::size_t r = 0; r < out.rows; ++r)
        for (std::size_t c = 0; c < out.cols; ++c)
            out(r, c) = static_cast<float>(values[r * out.cols + c]);
}

void descend(const std::vector<double>& g, double rate, Matrix<float> weights) {
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c) {
            float& w = weights(r, c);
            w = static_cast<float>(static_cast<double>(w) - rate * g[r * weights.cols + c]);
        }
}

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    if (mix.rows != wte.cols || mix.cols != wte.cols) return {Code::shape_mismatch, 0, 0, 0};
    if (bad_rate(spread)) return {Code::invalid_argument, 0, 0, 0};
    std::uint64_t e = 0;
    for (std::size_t v = 0; v < wte.rows; ++v)
        for (std::size_t c = 0; c < wte.cols; ++c)
            wte(v, c) = static_cast<float>((2 * uniform(seed, e++) - 1) * static_cast<double>(spread));
    for (std::size_t k = 0; k < mix.rows; ++k)
        for (std::size_t c = 0; c < mix.cols; ++c)
            mix(k, c) = k == c ? 1.0f : 0.0f;
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    if (!fits(wte, mix, ids, targets)) return {{Code::shape_mismatch, 0, 0, 0}, 0, 0};
    if (const Status bad = tokens_status(wte.rows, ids, targets, ignored); bad != Status{}) return {bad, 0, 0};
    return run(wte, mix, ids, targets, ignored, nullptr);
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    if (!fits(wte, mix, ids, targets) || dwte.rows != wte.rows || dwte.cols != wte.cols ||
        dmix.rows != mix.rows || dmix.cols != mix.cols)
        return {{Code::shape_mismatch, 0, 0, 0}, 0, 0};
    if (const Status bad = tokens_status(wte.rows, ids, targets, ignored); bad != Status{}) return {bad, 0, 0};
    Grads grads;
    const Loss loss = run(wte, mix, ids, targets, ignored, &grads);
    write(grads.wte, dwte);
    write(grads.mix, dmix);
    return loss;
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return {Code::shape_mismatch, 0, 0, 0};
    if (bad_rate(rate)) return {Code::invalid_argument, 0, 0, 0};
    if (rate == 0.0f) return {};
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) = static_cast<float>(static_cast<double>(weights(r, c)) -
                                               static_cast<double>(rate) * static_cast<double>(gradient(r, c)));
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    if (!fits(wte, mix, ids, targets)) return {{Code::shape_mismatch, 0, 0, 0}, 0, 0};
    if (bad_rate(rate)) return {{Code::invalid_argument, 0, 0, 0}, 0, 0};
    if (const Status bad = tokens_status(wte.rows, ids, targets, ignored); bad != Status{}) return {bad, 0, 0};
    if (rate == 0.0f) return run(wte, mix, ids, targets, ignored, nullptr);
    Grads grads;
    const Loss loss = run(wte, mix, ids, targets, ignored, &grads);
    descend(grads.wte, rate, wte);
    descend(grads.mix, rate, mix);
    return loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    if (out.size() != wte.rows) return {Code::shape_mismatch, 0, 0, 0};
    if (outside(token, wte.rows)) return Status::id_out_of_range(0, token, wte.rows);
    const auto dot = [&](std::size_t i, std::size_t j) {
        double sum = 0;
        for (std::size_t c = 0; c < wte.cols; ++c)
            sum += static_cast<double>(wte(i, c)) * static_cast<double>(wte(j, c));
        return sum;
    };
    const std::size_t t = static_cast<std::size_t>(token);
    const double own = dot(t, t);
    for (std::size_t v = 0; v < wte.rows; ++v) {
        const double other = dot(v, v);
        out[v] = own == 0 || other == 0 ? 0.0f
                                        : static_cast<float>(dot(t, v) / (std::sqrt(own) * std::sqrt(other)));
    }
    return {};
}

} // namespace exercise
