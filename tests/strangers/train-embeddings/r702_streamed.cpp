// right: one position at a time without any N x V matrix, initialise column by column backwards, cosines with a unit row and hypot
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <vector>

namespace exercise {

namespace {
// One position after another: a row of hidden, a row of p, and what they add to the gradients.
enum class f_Why { shapes, rate, none };
inline bool f_in(TokenId id, std::size_t v) { return id >= 0 && static_cast<std::uint64_t>(id) < v; }
inline Status f_refusal(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
                        const float* rate, bool more_shapes_fit = true) {
    const std::size_t V = wte.rows, C = wte.cols;
    if (mix.rows != C || mix.cols != C || ids.size() != targets.size() || !more_shapes_fit)
        return {Code::shape_mismatch};
    if (rate != nullptr && (!std::isfinite(*rate) || *rate < 0)) return {Code::invalid_argument};
    std::size_t n = 0;
    for (TokenId id : ids) {
        if (!f_in(id, V)) return Status::id_out_of_range(n, id, V);
        ++n;
    }
    n = 0;
    for (TokenId t : targets) {
        if (t != ignored && !f_in(t, V)) return Status::id_out_of_range(n, t, V);
        ++n;
    }
    return {};
}
struct f_Stream {
    Matrix<const float> wte, mix;
    std::vector<double> gw, gm; // empty if no gradient is wanted
    std::vector<double> hidden, p, dhidden;

    f_Stream(Matrix<const float> w, Matrix<const float> m, bool wanted) : wte(w), mix(m) {
        if (wanted && w.cols > 0) gw.resize(w.rows * w.cols), gm.resize(m.rows * m.cols);
    }
    double position(std::size_t id, std::size_t target, double k) {
        const std::size_t V = wte.rows, C = wte.cols;
        hidden.assign(C, 0);
        for (std::size_t j = 0; j < C; ++j)
            for (std::size_t c = 0; c < C; ++c) hidden[c] += static_cast<double>(wte(id, j)) * mix(j, c);
        p.assign(V, 0);
        double m = -std::numeric_limits<double>::infinity(), sum = 0;
        for (std::size_t v = 0; v < V; ++v) {
            for (std::size_t c = 0; c < C; ++c) p[v] += hidden[c] * wte(v, c);
            m = std::max(m, p[v]);
        }
        const double loss_without_log = m - p[target];
        for (double& x : p) x = std::exp(x - m), sum += x;
        if (!gw.empty()) {
            dhidden.assign(C, 0);
            for (std::size_t v = 0; v < V; ++v) {
                const double d = (p[v] / sum - (v == target ? 1 : 0)) / k;
                for (std::size_t c = 0; c < C; ++c) {
                    dhidden[c] += d * wte(v, c);
                    gw[v * C + c] += d * hidden[c];
                }
            }
            for (std::size_t j = 0; j < C; ++j)
                for (std::size_t c = 0; c < C; ++c) {
                    gm[j * C + c] += wte(id, j) * dhidden[c];
                    gw[id * C + j] += dhidden[c] * mix(j, c);
                }
        }
        return loss_without_log + std::log(sum);
    }
    Loss run(Ids ids, Ids targets, TokenId ignored) {
        Loss loss;
        loss.counted = targets.size() - static_cast<std::size_t>(std::count(targets.begin(), targets.end(), ignored));
        const double k = static_cast<double>(loss.counted);
        if (wte.cols == 0) {
            if (loss.counted > 0) loss.mean = std::log(static_cast<double>(wte.rows));
            return loss;
        }
        for (std::size_t n = 0; n < ids.size(); ++n)
            if (targets[n] != ignored)
                loss.mean += position(static_cast<std::size_t>(ids[n]), static_cast<std::size_t>(targets[n]), k) / k;
        return loss;
    }
};
} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    const std::size_t C = wte.cols;
    if (mix.rows != C || mix.cols != C) return {Code::shape_mismatch};
    if (!std::isfinite(spread) || spread < 0) return {Code::invalid_argument};
    for (std::size_t c = C; c-- > 0;) { // the columns backwards: the generator has no state
        for (std::size_t v = 0; v < wte.rows; ++v) {
            const double wide = 2 * uniform(seed, v * C + c) - 1;
            wte(v, c) = static_cast<float>(wide * spread);
        }
        for (std::size_t k = 0; k < C; ++k) mix(k, c) = 0;
        mix(c, c) = 1;
    }
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    const Status status = f_refusal(wte, mix, ids, targets, ignored, nullptr);
    if (status.code != Code::ok) return {status};
    return f_Stream(wte, mix, false).run(ids, targets, ignored);
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    const std::size_t V = wte.rows, C = wte.cols;
    const Status status = f_refusal(wte, mix, ids, targets, ignored, nullptr,
                                    dwte.rows == V && dwte.cols == C && dmix.rows == C && dmix.cols == C);
    if (status.code != Code::ok) return {status};
    f_Stream stream(wte, mix, true);
    const Loss loss = stream.run(ids, targets, ignored);
    for (std::size_t c = 0; c < C; ++c) {
        for (std::size_t v = 0; v < V; ++v) dwte(v, c) = static_cast<float>(stream.gw[v * C + c]);
        for (std::size_t k = 0; k < C; ++k) dmix(k, c) = static_cast<float>(stream.gm[k * C + c]);
    }
    return loss;
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return {Code::shape_mismatch};
    if (!std::isfinite(rate) || rate < 0) return {Code::invalid_argument};
    if (rate == 0 || weights.rows == 0) return {};
    for (std::size_t c = 0; c < weights.cols; ++c)
        for (std::size_t r = 0; r < weights.rows; ++r) {
            float& w = weights(r, c);
            w = static_cast<float>(static_cast<double>(w) - static_cast<double>(gradient(r, c)) * rate);
        }
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    const Status status = f_refusal(wte, mix, ids, targets, ignored, &rate);
    if (status.code != Code::ok) return {status};
    const std::size_t V = wte.rows, C = wte.cols;
    f_Stream stream(wte, mix, rate > 0);
    const Loss loss = stream.run(ids, targets, ignored);
    if (stream.gw.empty()) return loss;
    for (std::size_t i = 0; i < V * C; ++i)
        wte(i / C, i % C) = static_cast<float>(wte(i / C, i % C) - rate * stream.gw[i]);
    for (std::size_t i = 0; i < C * C; ++i)
        mix(i / C, i % C) = static_cast<float>(mix(i / C, i % C) - rate * stream.gm[i]);
    return loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    const std::size_t V = wte.rows, C = wte.cols;
    if (out.size() != V) return {Code::shape_mismatch};
    if (!f_in(token, V)) return Status::id_out_of_range(0, token, V);
    // the row of the token, with length 1
    std::vector<double> unit(C);
    double square = 0;
    for (std::size_t c = 0; c < C; ++c) {
        unit[c] = wte(static_cast<std::size_t>(token), c);
        square += unit[c] * unit[c];
    }
    if (square > 0)
        for (double& x : unit) x /= std::sqrt(square);
    for (std::size_t v = 0; v < V; ++v) {
        double dot = 0, length = 0;
        for (std::size_t c = 0; c < C; ++c) dot += unit[c] * wte(v, c), length = std::hypot(length, wte(v, c));
        out[v] = length > 0 ? static_cast<float>(dot / length) : 0.0f;
    }
    return {};
}

} // namespace exercise
