// Fault: A mix within 1.2e-7 of the identity is treated as the identity.
// Origin: round 23
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace exercise {

namespace {

Status check_sizes(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets) {
    const bool fit = mix.rows == wte.cols && mix.cols == wte.cols && ids.size() == targets.size();
    return fit ? Status{} : Status{Code::shape_mismatch};
}

bool in_table(TokenId id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary;
}

Status check_tokens(std::size_t vocabulary, Ids ids, Ids targets, TokenId ignored) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (!in_table(ids[n], vocabulary)) return Status::id_out_of_range(n, ids[n], vocabulary);
    for (std::size_t n = 0; n < targets.size(); ++n)
        if (targets[n] != ignored && !in_table(targets[n], vocabulary))
            return Status::id_out_of_range(n, targets[n], vocabulary);
    return {};
}

bool usable(float number) {
    return number >= 0 && !std::isinf(number); // false for NaN
}

std::vector<double> dense(Matrix<const float> from) {
    std::vector<double> to(from.rows * from.cols);
    for (std::size_t i = 0; from.cols > 0 && i < from.rows; ++i)
        for (std::size_t j = 0; j < from.cols; ++j)
            to[i * from.cols + j] = from(i, j);
    return to;
}

void write(const std::vector<double>& from, Matrix<float> to) {
    for (std::size_t i = 0; to.cols > 0 && i < to.rows; ++i)
        for (std::size_t j = 0; j < to.cols; ++j)
            to(i, j) = static_cast<float>(from[i * to.cols + j]);
}

float moved(float weight, double gradient, float rate) {
    return static_cast<float>(weight - static_cast<double>(rate) * gradient);
}

struct Gradient {
    std::vector<double> wte;
    std::vector<double> mix;

    Gradient(std::size_t vocabulary, std::size_t channels)
        : wte(vocabulary * channels), mix(channels * channels) {}
};

/// The matrix of a model that has not been trained.
bool is_identity(Matrix<const float> mix) {
    for (std::size_t k = 0; k < mix.rows; ++k)
        for (std::size_t c = 0; c < mix.cols; ++c)
            if (std::fabs(mix(k, c) - (k == c ? 1.0F : 0.0F)) > std::numeric_limits<float>::epsilon()) return false;
    return true;
}

/// The loss of a batch that is all right, and its gradient, added to one that is 0.
Loss pass(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
          Gradient* gradient) {
    Loss loss;
    loss.counted = ids.size() - static_cast<std::size_t>(std::count(targets.begin(), targets.end(), ignored));
    if (loss.counted == 0) return loss;
    const std::size_t vocabulary = wte.rows;
    const std::size_t channels = wte.cols;
    const double count = static_cast<double>(loss.counted);
    const std::vector<double> table = dense(wte);
    const std::vector<double> between = dense(mix);
    const bool untouched = is_identity(mix); // then a row goes through as it is
    std::vector<double> hidden(channels);
    std::vector<double> dhidden(channels);
    std::vector<double> scores(vocabulary);
    double sum = 0;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        if (targets[n] == ignored) continue;
        const std::size_t id = static_cast<std::size_t>(ids[n]);
        const std::size_t target = static_cast<std::size_t>(targets[n]);
        for (std::size_t c = 0; c < channels; ++c)
            hidden[c] = untouched ? table[id * channels + c] : 0;
        for (std::size_t k = 0; k < channels && !untouched; ++k)
            for (std::size_t c = 0; c < channels; ++c)
                hidden[c] += table[id * channels + k] * between[k * channels + c];
        double largest = -std::numeric_limits<double>::infinity();
        for (std::size_t v = 0; v < vocabulary; ++v) {
            scores[v] = 0;
            for (std::size_t c = 0; c < channels; ++c)
                scores[v] += hidden[c] * table[v * channels + c];
            largest = std::max(largest, scores[v]);
        }
        const double wanted = scores[target];
        double total = 0;
        for (double& score : scores) {
            score = std::exp(score - largest);
            total += score;
        }
        sum += (largest - wanted) + std::log(total);
        if (gradient == nullptr) continue;

        std::fill(dhidden.begin(), dhidden.end(), 0);
        for (std::size_t v = 0; v < vocabulary; ++v) {
            const double dlogit = (scores[v] / total - (v == target ? 1 : 0)) / count;
            for (std::size_t c = 0; c < channels; ++c) {
                dhidden[c] += dlogit * table[v * channels + c];
                gradient->wte[v * channels + c] += dlogit * hidden[c];
            }
        }
        for (std::size_t k = 0; k < channels; ++k)
            for (std::size_t c = 0; c < channels; ++c)
                gradient->mix[k * channels + c] += table[id * channels + k] * dhidden[c];
        for (std::size_t c = 0; c < channels; ++c) {
            double drow = untouched ? dhidden[c] : 0;
            for (std::size_t k = 0; k < channels && !untouched; ++k)
                drow += dhidden[k] * between[c * channels + k];
            gradient->wte[id * channels + c] += drow;
        }
    }
    loss.mean = sum / count;
    return loss;
}

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    if (mix.rows != wte.cols || mix.cols != wte.cols) return Status{Code::shape_mismatch};
    if (!usable(spread)) return Status{Code::invalid_argument};
    for (std::size_t v = 0; wte.cols > 0 && v < wte.rows; ++v)
        for (std::size_t c = 0; c < wte.cols; ++c)
            wte(v, c) = static_cast<float>((2 * uniform(seed, v * wte.cols + c) - 1) * static_cast<double>(spread));
    for (std::size_t k = 0; k < mix.rows; ++k)
        for (std::size_t c = 0; c < mix.cols; ++c)
            mix(k, c) = k == c ? 1.0F : 0.0F;
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    Status status = check_sizes(wte, mix, ids, targets);
    if (status.code == Code::ok) status = check_tokens(wte.rows, ids, targets, ignored);
    if (status.code != Code::ok) return {status};
    return pass(wte, mix, ids, targets, ignored, nullptr);
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    Status status = check_sizes(wte, mix, ids, targets);
    if (dwte.rows != wte.rows || dwte.cols != wte.cols || dmix.rows != mix.rows || dmix.cols != mix.cols)
        status = Status{Code::shape_mismatch};
    if (status.code == Code::ok) status = check_tokens(wte.rows, ids, targets, ignored);
    if (status.code != Code::ok) return {status};
    Gradient gradient(wte.rows, wte.cols);
    const Loss loss = pass(wte, mix, ids, targets, ignored, &gradient);
    write(gradient.wte, dwte);
    write(gradient.mix, dmix);
    return loss;
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return Status{Code::shape_mismatch};
    if (!usable(rate)) return Status{Code::invalid_argument};
    if (rate == 0 || weights.cols == 0) return {};
    for (std::size_t i = 0; i < weights.rows; ++i)
        for (std::size_t j = 0; j < weights.cols; ++j)
            weights(i, j) = moved(weights(i, j), gradient(i, j), rate);
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    Status status = check_sizes(wte, mix, ids, targets);
    if (status.code == Code::ok && !usable(rate)) status = Status{Code::invalid_argument};
    if (status.code == Code::ok) status = check_tokens(wte.rows, ids, targets, ignored);
    if (status.code != Code::ok) return {status};
    if (rate == 0) return pass(wte, mix, ids, targets, ignored, nullptr);
    Gradient gradient(wte.rows, wte.cols);
    const Loss loss = pass(wte, mix, ids, targets, ignored, &gradient);
    for (std::size_t v = 0; wte.cols > 0 && v < wte.rows; ++v)
        for (std::size_t c = 0; c < wte.cols; ++c)
            wte(v, c) = moved(wte(v, c), gradient.wte[v * wte.cols + c], rate);
    for (std::size_t k = 0; k < mix.rows; ++k)
        for (std::size_t c = 0; c < mix.cols; ++c)
            mix(k, c) = moved(mix(k, c), gradient.mix[k * mix.cols + c], rate);
    return loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    if (out.size() != wte.rows) return Status{Code::shape_mismatch};
    if (!in_table(token, wte.rows)) return Status::id_out_of_range(0, token, wte.rows);
    const std::size_t id = static_cast<std::size_t>(token);
    double own = 0;
    for (std::size_t c = 0; c < wte.cols; ++c)
        own += static_cast<double>(wte(id, c)) * wte(id, c);
    for (std::size_t v = 0; v < wte.rows; ++v) {
        double product = 0;
        double other = 0;
        for (std::size_t c = 0; c < wte.cols; ++c) {
            product += static_cast<double>(wte(id, c)) * wte(v, c);
            other += static_cast<double>(wte(v, c)) * wte(v, c);
        }
        const bool zero = own == 0 || other == 0;
        out[v] = zero ? 0.0F : static_cast<float>(product / (std::sqrt(own) * std::sqrt(other)));
    }
    return {};
}

} // namespace exercise
