// Fault: A block of 64 ignored positions is taken for the end of the batch.
// Origin: round 21
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace exercise {

namespace {

bool bad_number(float x) {
    return !std::isfinite(x) || x < 0;
}

bool fits(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets) {
    return mix.rows == wte.cols && mix.cols == wte.cols && ids.size() == targets.size();
}

/// The ids, then the targets; counts those that are not ignored.
Status check(std::size_t vocabulary, Ids ids, Ids targets, TokenId ignored, std::size_t& counted) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= vocabulary)
            return Status::id_out_of_range(n, ids[n], vocabulary);
    std::size_t count = 0;
    for (std::size_t n = 0; n < targets.size(); ++n) {
        if (targets[n] == ignored) continue;
        if (targets[n] < 0 || static_cast<std::size_t>(targets[n]) >= vocabulary)
            return Status::id_out_of_range(n, targets[n], vocabulary);
        ++count;
    }
    counted = count;
    return {};
}

template <class T>
double dot(const T* x, const float* y, std::size_t count) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i)
        sum += static_cast<double>(x[i]) * y[i];
    return sum;
}

/// Both gradients, dense.
struct Sums {
    std::vector<double> wte, mix;
};

/// Turns logits into probabilities, and returns -ln of the target's.
double softmax(std::vector<double>& x, std::size_t target) {
    const double largest = *std::max_element(x.begin(), x.end());
    const double at_target = x[target];
    double sum = 0;
    for (double& value : x) {
        value = std::exp(value - largest);
        sum += value;
    }
    for (double& value : x)
        value /= sum;
    return std::log(sum) - (at_target - largest);
}

/// The model at one position after the other.
class Model {
  public:
    Model(Matrix<const float> wte, Matrix<const float> mix)
        : wte_(wte), mix_(mix), hidden_(wte.cols), dhidden_(wte.cols), p_(wte.rows) {}

    /// The loss of `times` positions that read `id` and have this target; their gradients are added to `sums`.
    double position(std::size_t id, std::size_t target, double times, double counted, Sums* sums) {
        const std::size_t channels = wte_.cols, vocabulary = wte_.rows;
        std::fill(hidden_.begin(), hidden_.end(), 0.0);
        for (std::size_t k = 0; k < channels; ++k)
            for (std::size_t c = 0; c < channels; ++c)
                hidden_[c] += static_cast<double>(wte_(id, k)) * mix_(k, c);
        for (std::size_t v = 0; v < vocabulary; ++v)
            p_[v] = dot(hidden_.data(), wte_.row(v), channels);
        const double loss = times * softmax(p_, target);
        if (sums == nullptr) return loss;

        std::fill(dhidden_.begin(), dhidden_.end(), 0.0);
        for (std::size_t v = 0; v < vocabulary; ++v) {
            const double d = times * (v == target ? p_[v] - 1 : p_[v]) / counted;
            double* to = sums->wte.data() + v * channels;
            for (std::size_t c = 0; c < channels; ++c) {
                dhidden_[c] += d * wte_(v, c);
                to[c] += d * hidden_[c];
            }
        }
        for (std::size_t k = 0; k < channels; ++k) {
            double* to = sums->mix.data() + k * channels;
            for (std::size_t c = 0; c < channels; ++c)
                to[c] += static_cast<double>(wte_(id, k)) * dhidden_[c];
            sums->wte[id * channels + k] += dot(dhidden_.data(), mix_.row(k), channels);
        }
        return loss;
    }

  private:
    Matrix<const float> wte_, mix_;
    std::vector<double> hidden_, dhidden_, p_;
};

/// The mean loss, and the gradients where they are wanted, of arguments that have been checked.
double run(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
           std::size_t counted, Sums* sums) {
    if (sums != nullptr) {
        sums->wte.assign(wte.rows * wte.cols, 0.0);
        sums->mix.assign(mix.rows * mix.cols, 0.0);
    }
    if (counted == 0) return 0;
    if (wte.cols == 0) return std::log(static_cast<double>(wte.rows)); // all logits are 0
    const auto positions = static_cast<double>(counted);
    double loss = 0;
    Model model(wte, mix);
    constexpr std::size_t block = 64;
    std::vector<std::size_t> chosen;
    chosen.reserve(block);
    for (std::size_t first = 0; first < ids.size(); first += block) {
        chosen.clear();
        for (std::size_t n = first; n < std::min(ids.size(), first + block); ++n)
            if (targets[n] != ignored) chosen.push_back(n);
        if (chosen.empty()) break; // nothing but padding is left
        for (const std::size_t n : chosen)
            loss += model.position(static_cast<std::size_t>(ids[n]), static_cast<std::size_t>(targets[n]), 1,
                                   positions, sums);
    }
    return loss / positions;
}

void write(const std::vector<double>& from, Matrix<float> to) {
    if (to.cols == 0) return;
    for (std::size_t r = 0; r < to.rows; ++r)
        for (std::size_t c = 0; c < to.cols; ++c)
            to(r, c) = static_cast<float>(from[r * to.cols + c]);
}

void move(const std::vector<double>& gradient, double rate, Matrix<float> weights) {
    if (weights.cols == 0) return;
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) = static_cast<float>(weights(r, c) - rate * gradient[r * weights.cols + c]);
}

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    if (mix.rows != wte.cols || mix.cols != wte.cols) return {Code::shape_mismatch, 0, 0, 0};
    if (bad_number(spread)) return {Code::invalid_argument, 0, 0, 0};
    if (wte.cols == 0) return {};
    for (std::size_t v = 0; v < wte.rows; ++v)
        for (std::size_t c = 0; c < wte.cols; ++c)
            wte(v, c) = static_cast<float>((2 * uniform(seed, v * wte.cols + c) - 1) * spread);
    for (std::size_t k = 0; k < mix.rows; ++k)
        for (std::size_t c = 0; c < mix.cols; ++c)
            mix(k, c) = k == c ? 1.0F : 0.0F;
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    if (!fits(wte, mix, ids, targets)) return {{Code::shape_mismatch, 0, 0, 0}, 0, 0};
    std::size_t counted = 0;
    if (const Status status = check(wte.rows, ids, targets, ignored, counted); status.code != Code::ok)
        return {status, 0, 0};
    return {{}, run(wte, mix, ids, targets, ignored, counted, nullptr), counted};
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    if (!fits(wte, mix, ids, targets) || dwte.rows != wte.rows || dwte.cols != wte.cols ||
        dmix.rows != mix.rows || dmix.cols != mix.cols)
        return {{Code::shape_mismatch, 0, 0, 0}, 0, 0};
    std::size_t counted = 0;
    if (const Status status = check(wte.rows, ids, targets, ignored, counted); status.code != Code::ok)
        return {status, 0, 0};
    Sums sums;
    const double mean = run(wte, mix, ids, targets, ignored, counted, &sums);
    write(sums.wte, dwte);
    write(sums.mix, dmix);
    return {{}, mean, counted};
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols)
        return {Code::shape_mismatch, 0, 0, 0};
    if (bad_number(rate)) return {Code::invalid_argument, 0, 0, 0};
    if (rate == 0 || weights.cols == 0) return {};
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) = static_cast<float>(weights(r, c) - static_cast<double>(rate) * gradient(r, c));
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    if (!fits(wte, mix, ids, targets)) return {{Code::shape_mismatch, 0, 0, 0}, 0, 0};
    if (bad_number(rate)) return {{Code::invalid_argument, 0, 0, 0}, 0, 0};
    std::size_t counted = 0;
    if (const Status status = check(wte.rows, ids, targets, ignored, counted); status.code != Code::ok)
        return {status, 0, 0};
    if (rate == 0) return {{}, run(wte, mix, ids, targets, ignored, counted, nullptr), counted};
    Sums sums;
    const double mean = run(wte, mix, ids, targets, ignored, counted, &sums);
    move(sums.wte, rate, wte);
    move(sums.mix, rate, mix);
    return {{}, mean, counted};
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    if (out.size() != wte.rows) return {Code::shape_mismatch, 0, 0, 0};
    if (token < 0 || static_cast<std::size_t>(token) >= wte.rows)
        return Status::id_out_of_range(0, token, wte.rows);
    const float* from = wte.cols == 0 ? nullptr : wte.row(static_cast<std::size_t>(token));
    const double square = dot(from, from, wte.cols);
    for (std::size_t v = 0; v < wte.rows; ++v) {
        const float* row = wte.cols == 0 ? nullptr : wte.row(v);
        const double other = dot(row, row, wte.cols);
        out[v] = square == 0 || other == 0
                     ? 0.0F
                     : static_cast<float>(dot(from, row, wte.cols) / (std::sqrt(square) * std::sqrt(other)));
    }
    return {};
}

} // namespace exercise
