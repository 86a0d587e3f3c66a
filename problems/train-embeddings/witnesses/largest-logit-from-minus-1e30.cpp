// Fault: The search for the largest logit begins at -1e30.
// Origin: round 15
#include "contract.h"

#include <cmath>
#include <limits>
#include <vector>

namespace exercise {

namespace {

bool bad_id(TokenId id, std::size_t limit) {
    return id < 0 || static_cast<std::size_t>(id) >= limit;
}

bool bad_rate(float rate) {
    return !(rate >= 0) || std::isinf(rate);
}

bool fits(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets) {
    return mix.rows == wte.cols && mix.cols == wte.cols && ids.size() == targets.size();
}

bool counts(TokenId target, TokenId ignored) {
    return target != ignored;
}

/// Refusals for ids and targets.
Status check_tokens(std::size_t vocabulary, Ids ids, Ids targets, TokenId ignored) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (bad_id(ids[n], vocabulary)) return Status::id_out_of_range(n, ids[n], vocabulary);
    for (std::size_t n = 0; n < targets.size(); ++n)
        if (targets[n] != ignored && bad_id(targets[n], vocabulary))
            return Status::id_out_of_range(n, targets[n], vocabulary);
    return {};
}

/// hidden = wte[id] * mix
void mixed(Matrix<const float> wte, Matrix<const float> mix, TokenId id, std::vector<double>& hidden) {
    const float* row = wte.row(static_cast<std::size_t>(id));
    hidden.assign(wte.cols, 0.0);
    for (std::size_t k = 0; k < wte.cols; ++k)
        for (std::size_t c = 0; c < wte.cols; ++c) hidden[c] += static_cast<double>(row[k]) * mix(k, c);
}

/// p becomes the softmax of the logits; returns -ln p[target].
double predict(Matrix<const float> wte, const std::vector<double>& hidden, std::size_t target,
               std::vector<double>& p) {
    p.assign(wte.rows, 0.0);
    double m = -1e30; // minus infinity, as good as
    for (std::size_t v = 0; v < wte.rows; ++v) {
        for (std::size_t c = 0; c < wte.cols; ++c) p[v] += hidden[c] * wte(v, c);
        if (p[v] > m) m = p[v];
    }
    const double below = m - p[target];
    double sum = 0;
    for (double& x : p) {
        x = std::exp(x - m);
        sum += x;
    }
    for (double& x : p) x /= sum;
    return std::log(sum) + below;
}

Loss mean_loss(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    Loss loss;
    std::vector<double> hidden, p;
    double sum = 0;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        if (!counts(targets[n], ignored)) continue;
        ++loss.counted;
        mixed(wte, mix, ids[n], hidden);
        sum += predict(wte, hidden, static_cast<std::size_t>(targets[n]), p);
    }
    if (loss.counted != 0) loss.mean = sum / static_cast<double>(loss.counted);
    return loss;
}

/// The loss, and the gradients in double, dense.
Loss derive(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
            std::vector<double>& dwte, std::vector<double>& dmix) {
    const std::size_t channels = wte.cols;
    dwte.assign(wte.rows * channels, 0.0);
    dmix.assign(channels * channels, 0.0);
    Loss loss;
    for (const TokenId target : targets) loss.counted += counts(target, ignored);
    if (loss.counted == 0) return loss;
    const double k = static_cast<double>(loss.counted);
    std::vector<double> hidden, p, dhidden;
    double sum = 0;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        if (!counts(targets[n], ignored)) continue;
        const std::size_t id = static_cast<std::size_t>(ids[n]);
        const std::size_t target = static_cast<std::size_t>(targets[n]);
        mixed(wte, mix, ids[n], hidden);
        sum += predict(wte, hidden, target, p);
        p[target] -= 1;
        dhidden.assign(channels, 0.0);
        for (std::size_t v = 0; v < wte.rows; ++v) {
            const double d = p[v] / k;
            for (std::size_t c = 0; c < channels; ++c) {
                dhidden[c] += d * wte(v, c);
                dwte[v * channels + c] += d * hidden[c];
            }
        }
        for (std::size_t r = 0; r < channels; ++r) {
            double lookup = 0;
            for (std::size_t c = 0; c < channels; ++c) {
                dmix[r * channels + c] += wte(id, r) * dhidden[c];
                lookup += dhidden[c] * mix(r, c);
            }
            dwte[id * channels + r] += lookup;
        }
    }
    loss.mean = sum / k;
    return loss;
}

void write(const std::vector<double>& from, Matrix<float> to) {
    for (std::size_t r = 0; r < to.rows && to.cols != 0; ++r)
        for (std::size_t c = 0; c < to.cols; ++c) to(r, c) = static_cast<float>(from[r * to.cols + c]);
}

void descend(const std::vector<double>& from, double rate, Matrix<float> to) {
    for (std::size_t r = 0; r < to.rows && to.cols != 0; ++r)
        for (std::size_t c = 0; c < to.cols; ++c)
            to(r, c) = static_cast<float>(to(r, c) - rate * from[r * to.cols + c]);
}

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    if (mix.rows != wte.cols || mix.cols != wte.cols) return Status{Code::shape_mismatch};
    if (!(spread >= 0) || std::isinf(spread)) return Status{Code::invalid_argument};
    const std::size_t channels = wte.cols;
    if (channels == 0) return {};
    for (std::size_t v = 0; v < wte.rows; ++v)
        for (std::size_t c = 0; c < channels; ++c)
            wte(v, c) = static_cast<float>((2 * uniform(seed, v * channels + c) - 1) * static_cast<double>(spread));
    for (std::size_t k = 0; k < channels; ++k)
        for (std::size_t c = 0; c < channels; ++c) mix(k, c) = k == c ? 1.0f : 0.0f;
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    if (!fits(wte, mix, ids, targets)) return Loss{Status{Code::shape_mismatch}};
    if (const Status status = check_tokens(wte.rows, ids, targets, ignored); status.code != Code::ok)
        return Loss{status};
    return mean_loss(wte, mix, ids, targets, ignored);
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    if (!fits(wte, mix, ids, targets) || dwte.rows != wte.rows || dwte.cols != wte.cols ||
        dmix.rows != mix.rows || dmix.cols != mix.cols)
        return Loss{Status{Code::shape_mismatch}};
    if (const Status status = check_tokens(wte.rows, ids, targets, ignored); status.code != Code::ok)
        return Loss{status};
    std::vector<double> table, matrix;
    const Loss loss = derive(wte, mix, ids, targets, ignored, table, matrix);
    write(table, dwte);
    write(matrix, dmix);
    return loss;
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return Status{Code::shape_mismatch};
    if (bad_rate(rate)) return Status{Code::invalid_argument};
    if (rate == 0 || weights.cols == 0) return {};
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) = static_cast<float>(weights(r, c) - static_cast<double>(rate) * gradient(r, c));
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    if (!fits(wte, mix, ids, targets)) return Loss{Status{Code::shape_mismatch}};
    if (bad_rate(rate)) return Loss{Status{Code::invalid_argument}};
    if (const Status status = check_tokens(wte.rows, ids, targets, ignored); status.code != Code::ok)
        return Loss{status};
    if (rate == 0) return mean_loss(wte, mix, ids, targets, ignored);
    std::vector<double> table, matrix;
    const Loss loss = derive(wte, mix, ids, targets, ignored, table, matrix);
    descend(table, rate, wte);
    descend(matrix, rate, mix);
    return loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    if (out.size() != wte.rows) return Status{Code::shape_mismatch};
    if (bad_id(token, wte.rows)) return Status::id_out_of_range(0, token, wte.rows);
    const std::size_t channels = wte.cols;
    const auto dot = [&](std::size_t i, std::size_t j) {
        double sum = 0;
        for (std::size_t c = 0; c < channels; ++c) sum += static_cast<double>(wte(i, c)) * wte(j, c);
        return sum;
    };
    const std::size_t t = static_cast<std::size_t>(token);
    const double own = std::sqrt(dot(t, t));
    for (std::size_t v = 0; v < wte.rows; ++v) {
        const double other = std::sqrt(dot(v, v));
        out[v] = own == 0 || other == 0 ? 0.0f : static_cast<float>(dot(t, v) / (own * other));
    }
    return {};
}

} // namespace exercise
