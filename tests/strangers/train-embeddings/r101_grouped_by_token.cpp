// right: positions are grouped by the token they read, in a map of maps of counts, so each distinct id is computed once, from the largest to the smallest
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

namespace exercise {
namespace {

using Numbers = std::vector<double>;

Status check(Matrix<const float> wte, Ids ids, Ids targets, TokenId ignored) {
    const std::size_t V = wte.rows;
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= V) return Status::id_out_of_range(n, ids[n], V);
    for (std::size_t n = 0; n < targets.size(); ++n)
        if (targets[n] != ignored && (targets[n] < 0 || static_cast<std::size_t>(targets[n]) >= V))
            return Status::id_out_of_range(n, targets[n], V);
    return Status{};
}

bool fits(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets) {
    return mix.rows == wte.cols && mix.cols == wte.cols && ids.size() == targets.size();
}

bool bad_rate(float rate) {
    return !std::isfinite(rate) || rate < 0;
}

Numbers hidden_of(Matrix<const float> wte, Matrix<const float> mix, TokenId id) {
    const std::size_t C = wte.cols;
    Numbers hidden(C, 0.0);
    for (std::size_t k = 0; k < C; ++k) {
        const double w = wte(static_cast<std::size_t>(id), k);
        for (std::size_t c = 0; c < C; ++c)
            hidden[c] += w * mix(k, c);
    }
    return hidden;
}

double dot(const double* a, const float* b, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

// The loss and both gradients, in double.
struct Slopes {
    Numbers wte, mix;
};

// Positions that read the same token have the same hidden row and the same probabilities: each token is
// done once, for all of its positions together.
Loss pass(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored, Slopes* slopes) {
    const std::size_t V = wte.rows, C = wte.cols;
    Loss loss;
    if (slopes) {
        slopes->wte.assign(V * C, 0.0);
        slopes->mix.assign(C * C, 0.0);
    }
    std::map<TokenId, std::map<TokenId, std::size_t>, std::greater<>> follows; // id -> target -> how often
    for (std::size_t n = ids.size(); n-- > 0;)
        if (targets[n] != ignored) {
            ++follows[ids[n]][targets[n]];
            ++loss.counted;
        }
    if (loss.counted == 0) return loss;
    const double K = static_cast<double>(loss.counted);
    double sum = 0;
    Numbers p(V), back(C);
    for (const auto& [token, after] : follows) {
        const std::size_t id = static_cast<std::size_t>(token);
        const Numbers hidden = hidden_of(wte, mix, token);
        for (std::size_t v = 0; v < V; ++v)
            p[v] = C == 0 ? 0.0 : dot(hidden.data(), wte.row(v), C);
        const double top = *std::max_element(p.begin(), p.end());
        double all = 0;
        for (double z : p)
            all += std::exp(z - top);
        double times = 0;
        for (const auto& [target, count] : after) {
            times += static_cast<double>(count);
            sum += static_cast<double>(count) * (std::log(all) + (top - p[static_cast<std::size_t>(target)]));
        }
        if (!slopes) continue;
        for (double& z : p)
            z = times * (std::exp(z - top) / all);
        for (const auto& [target, count] : after)
            p[static_cast<std::size_t>(target)] -= static_cast<double>(count);
        std::fill(back.begin(), back.end(), 0.0);
        for (std::size_t v = V; v-- > 0;)
            for (std::size_t c = 0; c < C; ++c) {
                const double d = p[v] / K;
                back[c] += d * wte(v, c);
                slopes->wte[v * C + c] += d * hidden[c];
            }
        for (std::size_t k = 0; k < C; ++k) {
            const double w = wte(id, k);
            for (std::size_t c = 0; c < C; ++c)
                slopes->mix[k * C + c] += w * back[c];
            slopes->wte[id * C + k] += dot(back.data(), mix.row(k), C);
        }
    }
    loss.mean = sum / K;
    return loss;
}

void write(const Numbers& from, Matrix<float> to) {
    for (std::size_t r = 0; r < to.rows; ++r)
        for (std::size_t c = 0; c < to.cols; ++c)
            to(r, c) = static_cast<float>(from[r * to.cols + c]);
}

void descend(const Numbers& slope, float rate, Matrix<float> weights) {
    if (rate == 0) return;
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) = static_cast<float>(weights(r, c) - static_cast<double>(rate) * slope[r * weights.cols + c]);
}

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    const std::size_t C = wte.cols;
    if (mix.rows != C || mix.cols != C) return Status{Code::shape_mismatch};
    if (!std::isfinite(spread) || spread < 0) return Status{Code::invalid_argument};
    for (std::size_t v = 0; v < wte.rows; ++v)
        for (std::size_t c = 0; c < C; ++c)
            wte(v, c) = static_cast<float>((2 * uniform(seed, v * C + c) - 1) * spread);
    for (std::size_t k = 0; k < C; ++k)
        for (std::size_t c = 0; c < C; ++c)
            mix(k, c) = k == c ? 1.0F : 0.0F;
    return Status{};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    if (!fits(wte, mix, ids, targets)) return Loss{Status{Code::shape_mismatch}};
    if (const Status status = check(wte, ids, targets, ignored); status.code != Code::ok) return Loss{status};
    return pass(wte, mix, ids, targets, ignored, nullptr);
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    if (!fits(wte, mix, ids, targets) || dwte.rows != wte.rows || dwte.cols != wte.cols || dmix.rows != mix.rows ||
        dmix.cols != mix.cols)
        return Loss{Status{Code::shape_mismatch}};
    if (const Status status = check(wte, ids, targets, ignored); status.code != Code::ok) return Loss{status};
    Slopes slopes;
    const Loss loss = pass(wte, mix, ids, targets, ignored, &slopes);
    write(slopes.wte, dwte);
    write(slopes.mix, dmix);
    return loss;
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return Status{Code::shape_mismatch};
    if (bad_rate(rate)) return Status{Code::invalid_argument};
    if (rate == 0) return Status{};
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) = static_cast<float>(weights(r, c) - static_cast<double>(rate) * gradient(r, c));
    return Status{};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    if (!fits(wte, mix, ids, targets)) return Loss{Status{Code::shape_mismatch}};
    if (bad_rate(rate)) return Loss{Status{Code::invalid_argument}};
    if (const Status status = check(wte, ids, targets, ignored); status.code != Code::ok) return Loss{status};
    Slopes slopes;
    const Loss loss = pass(wte, mix, ids, targets, ignored, &slopes);
    descend(slopes.wte, rate, wte);
    descend(slopes.mix, rate, mix);
    return loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    if (out.size() != wte.rows) return Status{Code::shape_mismatch};
    if (token < 0 || static_cast<std::size_t>(token) >= wte.rows) return Status::id_out_of_range(0, token, wte.rows);
    const auto product = [&](std::size_t a, std::size_t b) {
        double sum = 0;
        for (std::size_t c = 0; c < wte.cols; ++c)
            sum += static_cast<double>(wte(a, c)) * wte(b, c);
        return sum;
    };
    const std::size_t t = static_cast<std::size_t>(token);
    const double mine = std::sqrt(product(t, t));
    for (std::size_t v = 0; v < wte.rows; ++v) {
        const double both = mine * std::sqrt(product(v, v));
        out[v] = both == 0 ? 0.0F : static_cast<float>(product(t, v) / both);
    }
    return Status{};
}

} // namespace exercise
