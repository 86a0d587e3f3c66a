// wrong: cosines divides by max(|a| |b|, 1e-8), as PyTorch's cosine_similarity does; two rows whose norms have a product below 1e-8 (1e-5 and 1e-5: 0.01 where 1 is right) come out too small; the result has to be within 2 u for any finite numbers.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace exercise {

namespace {

double dot(const double* x, const float* y, std::size_t n) {
    double even = 0, odd = 0;
    std::size_t c = 0;
    for (; c + 2 <= n; c += 2) {
        even += x[c] * y[c];
        odd += x[c + 1] * y[c + 1];
    }
    return c < n ? even + odd + x[c] * y[c] : even + odd;
}

bool is_rate(float rate) {
    return rate >= 0 && std::isfinite(rate); // not so for NaN
}

Loss refused(Status status) {
    Loss loss;
    loss.status = status;
    return loss;
}

bool sizes_fit(const Matrix<const float>& wte, const Matrix<const float>& mix, Ids ids, Ids targets) {
    return mix.rows == wte.cols && mix.cols == wte.cols && ids.size() == targets.size();
}

bool same_shape(const Matrix<const float>& x, const Matrix<const float>& y) {
    return x.rows == y.rows && x.cols == y.cols;
}

Status check_tokens(std::size_t vocabulary, Ids ids, Ids targets, TokenId ignored) {
    const auto known = [&](TokenId token) { return token >= 0 && static_cast<std::size_t>(token) < vocabulary; };
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (!known(ids[n])) return Status::id_out_of_range(n, ids[n], vocabulary);
    for (std::size_t n = 0; n < targets.size(); ++n)
        if (targets[n] != ignored && !known(targets[n])) return Status::id_out_of_range(n, targets[n], vocabulary);
    return {};
}

std::size_t count_targets(Ids targets, TokenId ignored) {
    return targets.size() - static_cast<std::size_t>(std::count(targets.begin(), targets.end(), ignored));
}

/// What the model says after one token.
struct Forward {
    std::vector<double> hidden; ///< (C)
    std::vector<double> p;      ///< (V)

    Forward(const Matrix<const float>& wte) : hidden(wte.cols), p(wte.rows) {}

    /// Returns the loss of `target`.
    double run(const Matrix<const float>& wte, const Matrix<const float>& mix, TokenId id, TokenId target) {
        const float* row = wte.row(static_cast<std::size_t>(id));
        std::fill(hidden.begin(), hidden.end(), 0.0);
        for (std::size_t k = 0; k < wte.cols; ++k)
            for (std::size_t c = 0; c < wte.cols; ++c)
                hidden[c] += static_cast<double>(row[k]) * mix(k, c);
        for (std::size_t v = 0; v < wte.rows; ++v)
            p[v] = dot(hidden.data(), wte.row(v), wte.cols);
        const double most = *std::max_element(p.begin(), p.end());
        const double above = most - p[static_cast<std::size_t>(target)];
        double sum = 0;
        for (double& each : p)
            sum += each = std::exp(each - most);
        for (double& each : p)
            each /= sum;
        return std::log(sum) + above;
    }
};

/// Both gradients, in double.
struct Gradients {
    std::vector<double> wte, mix;

    explicit Gradients(const Matrix<const float>& table)
        : wte(table.rows * table.cols), mix(table.cols * table.cols) {}
};

Loss loss_of(const Matrix<const float>& wte, const Matrix<const float>& mix, Ids ids, Ids targets, TokenId ignored) {
    Loss loss;
    loss.counted = count_targets(targets, ignored);
    if (loss.counted == 0) return loss;
    Forward forward(wte);
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (targets[n] != ignored) loss.mean += forward.run(wte, mix, ids[n], targets[n]);
    loss.mean /= static_cast<double>(loss.counted);
    return loss;
}

Loss loss_of(const Matrix<const float>& wte, const Matrix<const float>& mix, Ids ids, Ids targets, TokenId ignored,
             Gradients& gradients) {
    Loss loss;
    loss.counted = count_targets(targets, ignored);
    if (loss.counted == 0) return loss;
    const std::size_t channels = wte.cols;
    const auto count = static_cast<double>(loss.counted);
    Forward forward(wte);
    std::vector<double> dhidden(channels);
    for (std::size_t n = 0; n < ids.size(); ++n) {
        if (targets[n] == ignored) continue;
        loss.mean += forward.run(wte, mix, ids[n], targets[n]);
        std::fill(dhidden.begin(), dhidden.end(), 0.0);
        for (std::size_t v = 0; v < wte.rows; ++v) {
            const double dlogit = (forward.p[v] - (v == static_cast<std::size_t>(targets[n]) ? 1 : 0)) / count;
            const float* row = wte.row(v);
            double* to = gradients.wte.data() + v * channels;
            for (std::size_t c = 0; c < channels; ++c) {
                dhidden[c] += dlogit * row[c];
                to[c] += dlogit * forward.hidden[c];
            }
        }
        const auto id = static_cast<std::size_t>(ids[n]);
        for (std::size_t k = 0; k < channels; ++k) {
            gradients.wte[id * channels + k] += dot(dhidden.data(), mix.row(k), channels);
            for (std::size_t c = 0; c < channels; ++c)
                gradients.mix[k * channels + c] += wte(id, k) * dhidden[c];
        }
    }
    loss.mean /= count;
    return loss;
}

void write(const std::vector<double>& from, const Matrix<float>& to) {
    for (std::size_t r = 0; to.cols > 0 && r < to.rows; ++r)
        for (std::size_t c = 0; c < to.cols; ++c)
            to(r, c) = static_cast<float>(from[r * to.cols + c]);
}

void descend(const std::vector<double>& gradient, float rate, const Matrix<float>& weights) {
    for (std::size_t r = 0; weights.cols > 0 && r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) = static_cast<float>(weights(r, c) - rate * gradient[r * weights.cols + c]);
}

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    if (mix.rows != wte.cols || mix.cols != wte.cols) return {Code::shape_mismatch};
    if (!(spread >= 0) || !std::isfinite(spread)) return {Code::invalid_argument};
    for (std::size_t v = 0; wte.cols > 0 && v < wte.rows; ++v)
        for (std::size_t c = 0; c < wte.cols; ++c)
            wte(v, c) = static_cast<float>((2 * uniform(seed, v * wte.cols + c) - 1) * spread);
    for (std::size_t k = 0; k < mix.rows; ++k)
        for (std::size_t c = 0; c < mix.cols; ++c)
            mix(k, c) = k == c ? 1.0F : 0.0F;
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    if (!sizes_fit(wte, mix, ids, targets)) return refused({Code::shape_mismatch});
    if (const Status status = check_tokens(wte.rows, ids, targets, ignored); status.code != Code::ok)
        return refused(status);
    return loss_of(wte, mix, ids, targets, ignored);
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    if (!sizes_fit(wte, mix, ids, targets) || !same_shape(wte, dwte) || !same_shape(mix, dmix))
        return refused({Code::shape_mismatch});
    if (const Status status = check_tokens(wte.rows, ids, targets, ignored); status.code != Code::ok)
        return refused(status);
    Gradients sums(wte);
    const Loss loss = loss_of(wte, mix, ids, targets, ignored, sums);
    write(sums.wte, dwte);
    write(sums.mix, dmix);
    return loss;
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (!same_shape(gradient, weights)) return {Code::shape_mismatch};
    if (!is_rate(rate)) return {Code::invalid_argument};
    if (rate == 0 || weights.cols == 0) return {};
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) = static_cast<float>(weights(r, c) - static_cast<double>(rate) * gradient(r, c));
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    if (!sizes_fit(wte, mix, ids, targets)) return refused({Code::shape_mismatch});
    if (!is_rate(rate)) return refused({Code::invalid_argument});
    if (const Status status = check_tokens(wte.rows, ids, targets, ignored); status.code != Code::ok)
        return refused(status);
    if (rate == 0) return loss_of(wte, mix, ids, targets, ignored);
    Gradients sums(wte);
    const Loss loss = loss_of(wte, mix, ids, targets, ignored, sums);
    descend(sums.wte, rate, wte);
    descend(sums.mix, rate, mix);
    return loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    if (out.size() != wte.rows) return {Code::shape_mismatch};
    if (token < 0 || static_cast<std::size_t>(token) >= wte.rows)
        return Status::id_out_of_range(0, token, wte.rows);
    const float* one = wte.row(static_cast<std::size_t>(token));
    double square = 0;
    for (std::size_t c = 0; c < wte.cols; ++c)
        square += static_cast<double>(one[c]) * one[c];
    for (std::size_t v = 0; v < wte.rows; ++v) {
        const float* other = wte.row(v);
        double product = 0, other_square = 0;
        for (std::size_t c = 0; c < wte.cols; ++c) {
            product += static_cast<double>(one[c]) * other[c];
            other_square += static_cast<double>(other[c]) * other[c];
        }
        const double norms = std::sqrt(square) * std::sqrt(other_square);
        out[v] = static_cast<float>(product / std::max(norms, 1e-8)); // 0 for rows of zeros
    }
    return {};
}

} // namespace exercise
