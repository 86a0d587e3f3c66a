// right: no array of N numbers at all: each position goes through a running softmax and adds its share to double gradients at once; step moves the parameters by those without rounding them to float in between
#include "contract.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace exercise {

namespace {

using Wide = std::vector<double>;

struct Model {
    Matrix<const float> wte, mix;
    std::size_t V() const { return wte.rows; }
    std::size_t C() const { return wte.cols; }
    bool consistent() const { return mix.rows == C() && mix.cols == C(); }
    bool knows(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < V(); }
    double w(std::size_t v, std::size_t c) const { return wte(v, c); }
    double m(std::size_t k, std::size_t c) const { return mix(k, c); }
};

struct Batch {
    Ids ids, targets;
    TokenId ignored;
    std::size_t counted = 0;

    Status check(const Model& model) {
        std::size_t n = 0;
        while (n < ids.size() && model.knows(ids[n]))
            ++n;
        if (n < ids.size()) return Status::id_out_of_range(n, ids[n], model.V());
        counted = 0;
        for (n = 0; n < targets.size(); ++n)
            if (targets[n] != ignored) {
                if (!model.knows(targets[n])) return Status::id_out_of_range(n, targets[n], model.V());
                ++counted;
            }
        return Status{};
    }
};

/// What one position needs: C numbers forward, C numbers back, V scores.
struct Workspace {
    Wide hidden, dhidden, scores;
    explicit Workspace(const Model& model) : hidden(model.C()), dhidden(model.C()), scores(model.V()) {}

    /// Forward; the loss of this position. `scores` then holds the logits, p(v) their softmax.
    double forward(const Model& model, std::size_t id, std::size_t target) {
        for (std::size_t c = 0; c < model.C(); ++c) {
            double sum = 0;
            for (std::size_t k = 0; k < model.C(); ++k)
                sum += model.w(id, k) * model.m(k, c);
            hidden[c] = sum;
        }
        largest = 0;
        mass = 0;
        for (std::size_t v = 0; v < model.V(); ++v) {
            double x = 0;
            for (std::size_t c = 0; c < model.C(); ++c)
                x += hidden[c] * model.w(v, c);
            scores[v] = x;
            if (v == 0 || x > largest) {
                mass = v == 0 ? 1.0 : mass * std::exp(largest - x) + 1.0;
                largest = x;
            } else {
                mass += std::exp(x - largest);
            }
        }
        return std::log(mass) - (scores[target] - largest);
    }
    double p(std::size_t v) const { return std::exp(scores[v] - largest) / mass; }

    double largest = 0, mass = 0;
};

/// The loss; with `dwte` and `dmix`, which are zeros, the gradients as well.
double pass(const Model& model, const Batch& batch, Wide* dwte, Wide* dmix) {
    if (batch.counted == 0) return 0;
    const std::size_t V = model.V(), C = model.C();
    const double K = static_cast<double>(batch.counted);
    Workspace work(model);
    double total = 0;
    for (std::size_t n = 0; n < batch.ids.size(); ++n) {
        if (batch.targets[n] == batch.ignored) continue;
        const std::size_t id = static_cast<std::size_t>(batch.ids[n]);
        const std::size_t target = static_cast<std::size_t>(batch.targets[n]);
        total += work.forward(model, id, target);
        if (dwte == nullptr) continue;
        work.dhidden.assign(C, 0.0);
        for (std::size_t v = 0; v < V; ++v) {
            const double d = (work.p(v) - (v == target ? 1.0 : 0.0)) / K;
            for (std::size_t c = 0; c < C; ++c) {
                work.dhidden[c] += d * model.w(v, c);
                (*dwte)[v * C + c] += d * work.hidden[c];
            }
        }
        for (std::size_t k = 0; k < C; ++k) {
            double back = 0;
            for (std::size_t c = 0; c < C; ++c) {
                (*dmix)[k * C + c] += model.w(id, k) * work.dhidden[c];
                back += work.dhidden[c] * model.m(k, c);
            }
            (*dwte)[id * C + k] += back;
        }
    }
    return total / K;
}

Status shape_mismatch() {
    return {Code::shape_mismatch, 0, 0, 0};
}

bool not_a_size(float x) {
    return std::isnan(x) || x < 0.0f || x > 3.40282346638528859812e38f;
}

template <class Change>
void change(Matrix<float> weights, const Change& by) {
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) = static_cast<float>(static_cast<double>(weights(r, c)) - by(r, c));
}

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    if (!Model{wte, mix}.consistent()) return shape_mismatch();
    if (not_a_size(spread)) return {Code::invalid_argument, 0, 0, 0};
    const std::uint64_t C = wte.cols;
    for (std::uint64_t c = 0; c < C; ++c) {
        for (std::uint64_t v = 0; v < wte.rows; ++v) {
            const double centred = 2.0 * uniform(seed, v * C + c) - 1.0;
            wte.data[v * wte.stride + c] = static_cast<float>(centred * static_cast<double>(spread));
        }
        for (std::uint64_t k = 0; k < C; ++k)
            mix.data[k * mix.stride + c] = k == c ? 1.0f : 0.0f;
    }
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    const Model model{wte, mix};
    Batch batch{ids, targets, ignored};
    if (!model.consistent() || ids.size() != targets.size()) return {shape_mismatch(), 0, 0};
    if (const Status bad = batch.check(model); bad.code != Code::ok) return {bad, 0, 0};
    return {{}, pass(model, batch, nullptr, nullptr), batch.counted};
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    const Model model{wte, mix};
    Batch batch{ids, targets, ignored};
    const bool outputs = dwte.rows == wte.rows && dwte.cols == wte.cols && dmix.rows == mix.rows && dmix.cols == mix.cols;
    if (!model.consistent() || ids.size() != targets.size() || !outputs) return {shape_mismatch(), 0, 0};
    if (const Status bad = batch.check(model); bad.code != Code::ok) return {bad, 0, 0};
    const std::size_t C = model.C();
    Wide wide_wte(model.V() * C, 0.0), wide_mix(C * C, 0.0);
    const double mean = pass(model, batch, &wide_wte, &wide_mix);
    for (std::size_t c = 0; c < C; ++c) {
        for (std::size_t v = 0; v < model.V(); ++v)
            dwte(v, c) = static_cast<float>(wide_wte[v * C + c]);
        for (std::size_t k = 0; k < C; ++k)
            dmix(k, c) = static_cast<float>(wide_mix[k * C + c]);
    }
    return {{}, mean, batch.counted};
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return shape_mismatch();
    if (not_a_size(rate)) return {Code::invalid_argument, 0, 0, 0};
    if (rate > 0.0f)
        change(weights, [&](std::size_t r, std::size_t c) { return static_cast<double>(rate) * static_cast<double>(gradient(r, c)); });
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    const Model model{wte, mix};
    Batch batch{ids, targets, ignored};
    if (!model.consistent() || ids.size() != targets.size()) return {shape_mismatch(), 0, 0};
    if (not_a_size(rate)) return {{Code::invalid_argument, 0, 0, 0}, 0, 0};
    if (const Status bad = batch.check(model); bad.code != Code::ok) return {bad, 0, 0};
    const std::size_t C = model.C();
    Wide dwte(model.V() * C, 0.0), dmix(C * C, 0.0);
    const double mean = pass(model, batch, &dwte, &dmix);
    if (rate > 0.0f && batch.counted > 0) {
        const double eta = rate;
        change(wte, [&](std::size_t r, std::size_t c) { return eta * dwte[r * C + c]; });
        change(mix, [&](std::size_t r, std::size_t c) { return eta * dmix[r * C + c]; });
    }
    return {{}, mean, batch.counted};
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    const Model model{wte, {}};
    if (out.size() != model.V()) return shape_mismatch();
    if (!model.knows(token)) return Status::id_out_of_range(0, token, model.V());
    Wide own(model.C());
    double length = 0;
    for (std::size_t c = 0; c < own.size(); ++c) {
        own[c] = model.w(static_cast<std::size_t>(token), c);
        length += own[c] * own[c];
    }
    length = std::sqrt(length);
    for (std::size_t v = 0; v < out.size(); ++v) {
        double dot = 0, squares = 0;
        for (std::size_t c = 0; c < own.size(); ++c) {
            dot += own[c] * model.w(v, c);
            squares += model.w(v, c) * model.w(v, c);
        }
        const double lengths = length * std::sqrt(squares);
        out[v] = 0.0f;
        if (lengths != 0) out[v] = static_cast<float>(dot / lengths);
    }
    return {};
}

} // namespace exercise
