// right: positions with the same token share one forward and one backward row (times how often it comes, less its targets), tokens and rows of dwte are shared out to threads that are joined; all in double, sums in sorted order.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>
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

/// Both gradients, in double.
struct Gradients {
    std::vector<double> wte, mix;

    explicit Gradients(const Matrix<const float>& table)
        : wte(table.rows * table.cols), mix(table.cols * table.cols) {}
};

/// Calls `part(first, last)` for parts of [0, count), in threads where there is much work.
template <class Part>
void in_parts(std::size_t count, std::size_t work_each, Part part) {
    const std::size_t workers = count * work_each < 300'000 ? 1 : std::min<std::size_t>(count, 4);
    std::vector<std::jthread> threads;
    for (std::size_t w = 1; w < workers; ++w)
        threads.emplace_back(part, count * w / workers, count * (w + 1) / workers);
    part(std::size_t{0}, count / workers);
}

/// The model answers a token in the same way wherever it stands, so each different token that counts is asked
/// once: `read` (U of them), with their hidden rows (U, C) and what they send back, (U, V).
Loss loss_of(const Matrix<const float>& wte, const Matrix<const float>& mix, Ids ids, Ids targets, TokenId ignored,
             Gradients* gradients) {
    Loss loss;
    std::vector<std::pair<std::size_t, std::size_t>> pairs; // token and target
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (targets[n] != ignored)
            pairs.emplace_back(static_cast<std::size_t>(ids[n]), static_cast<std::size_t>(targets[n]));
    loss.counted = pairs.size();
    if (pairs.empty()) return loss;
    std::sort(pairs.begin(), pairs.end());

    struct Token {
        std::size_t id, first, last; // its pairs
    };
    std::vector<Token> read;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (i == 0 || pairs[i].first != pairs[i - 1].first) read.push_back({pairs[i].first, i, i});
        read.back().last = i + 1;
    }

    const std::size_t channels = wte.cols, vocabulary = wte.rows;
    const auto count = static_cast<double>(pairs.size());
    std::vector<double> hidden(read.size() * channels), dhidden(read.size() * channels);
    std::vector<double> dlogits(read.size() * vocabulary), losses(read.size());
    in_parts(read.size(), (channels + vocabulary) * channels + 20 * vocabulary, [&](std::size_t first, std::size_t last) {
        for (std::size_t u = first; u < last; ++u) {
            const Token& token = read[u];
            double* h = hidden.data() + u * channels;
            for (std::size_t k = 0; k < channels; ++k)
                for (std::size_t c = 0; c < channels; ++c)
                    h[c] += static_cast<double>(wte(token.id, k)) * mix(k, c);
            double* x = dlogits.data() + u * vocabulary; // logits at first
            for (std::size_t v = 0; v < vocabulary; ++v)
                x[v] = dot(h, wte.row(v), channels);
            const double most = *std::max_element(x, x + vocabulary);
            for (std::size_t i = token.first; i < token.last; ++i)
                losses[u] += most - x[pairs[i].second];
            double sum = 0;
            for (std::size_t v = vocabulary; v-- > 0;)
                sum += x[v] = std::exp(x[v] - most);
            const auto times = static_cast<double>(token.last - token.first);
            losses[u] += times * std::log(sum);
            if (gradients == nullptr) continue;
            for (std::size_t v = 0; v < vocabulary; ++v)
                x[v] = times * (x[v] / sum);
            for (std::size_t i = token.first; i < token.last; ++i)
                x[pairs[i].second] -= 1;
            double* dh = dhidden.data() + u * channels;
            for (std::size_t v = 0; v < vocabulary; ++v) {
                x[v] /= count;
                for (std::size_t c = 0; c < channels; ++c)
                    dh[c] += x[v] * wte(v, c);
            }
        }
    });
    for (const double each : losses)
        loss.mean += each;
    loss.mean /= count;
    if (gradients == nullptr) return loss;

    in_parts(vocabulary, read.size() * channels, [&](std::size_t first, std::size_t last) {
        for (std::size_t v = first; v < last; ++v)
            for (std::size_t u = 0; u < read.size(); ++u)
                for (std::size_t c = 0; c < channels; ++c)
                    gradients->wte[v * channels + c] += dlogits[u * vocabulary + v] * hidden[u * channels + c];
    });
    for (std::size_t u = 0; u < read.size(); ++u)
        for (std::size_t k = 0; k < channels; ++k) {
            const double* dh = dhidden.data() + u * channels;
            gradients->wte[read[u].id * channels + k] += dot(dh, mix.row(k), channels);
            for (std::size_t c = 0; c < channels; ++c)
                gradients->mix[k * channels + c] += wte(read[u].id, k) * dh[c];
        }
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
    return loss_of(wte, mix, ids, targets, ignored, nullptr);
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    if (!sizes_fit(wte, mix, ids, targets) || !same_shape(wte, dwte) || !same_shape(mix, dmix))
        return refused({Code::shape_mismatch});
    if (const Status status = check_tokens(wte.rows, ids, targets, ignored); status.code != Code::ok)
        return refused(status);
    Gradients sums(wte);
    const Loss loss = loss_of(wte, mix, ids, targets, ignored, &sums);
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
    if (rate == 0) return loss_of(wte, mix, ids, targets, ignored, nullptr);
    Gradients sums(wte);
    const Loss loss = loss_of(wte, mix, ids, targets, ignored, &sums);
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
        out[v] = norms > 0 ? static_cast<float>(product / norms) : 0.0F;
    }
    return {};
}

} // namespace exercise
