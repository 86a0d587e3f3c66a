// right: a batch is first counted as pairs (read, next), and each token that is read is computed once, its multiplicities as factors
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
// Positions that read the same token have the same p: a batch is a table of how often which token
// followed which, and each token that was read is computed once.
struct g_Bigrams {
    std::map<std::size_t, std::map<std::size_t, std::uint64_t>> after; // read -> next -> how often
    std::uint64_t counted = 0;
};
inline Status g_read(Matrix<const float> wte, Ids ids, Ids targets, TokenId ignored, g_Bigrams& pairs) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= wte.rows)
            return Status::id_out_of_range(n, ids[n], wte.rows);
    for (std::size_t n = 0; n < ids.size(); ++n) {
        if (targets[n] == ignored) continue;
        if (targets[n] < 0 || static_cast<std::size_t>(targets[n]) >= wte.rows)
            return Status::id_out_of_range(n, targets[n], wte.rows);
        ++pairs.after[static_cast<std::size_t>(ids[n])][static_cast<std::size_t>(targets[n])];
        ++pairs.counted;
    }
    return {};
}
inline Loss g_run(Matrix<const float> wte, Matrix<const float> mix, const g_Bigrams& pairs, std::vector<double>* gw,
                  std::vector<double>* gm) {
    const std::size_t V = wte.rows, C = wte.cols;
    Loss loss{{}, 0, pairs.counted};
    const double K = static_cast<double>(pairs.counted);
    if (C == 0) {
        if (K > 0) loss.mean = std::log(static_cast<double>(V));
        return loss;
    }
    std::vector<double> hidden(C), x(pairs.counted == 0 ? 0 : V), back(C);
    for (const auto& [id, next] : pairs.after) {
        double all = 0;
        for (const auto& [target, times] : next) all += static_cast<double>(times);
        for (std::size_t c = 0; c < C; ++c) {
            hidden[c] = 0;
            for (std::size_t k = 0; k < C; ++k) hidden[c] += static_cast<double>(wte(id, k)) * mix(k, c);
        }
        for (std::size_t v = 0; v < V; ++v) {
            x[v] = 0;
            for (std::size_t c = 0; c < C; ++c) x[v] += hidden[c] * wte(v, c);
        }
        const double m = *std::max_element(x.begin(), x.end());
        double sum = 0;
        for (double y : x) sum += std::exp(y - m);
        for (const auto& [target, times] : next)
            loss.mean += static_cast<double>(times) * (std::log(sum) + (m - x[target])) / K;
        if (gw == nullptr) continue;
        for (double& y : x) y = all * (std::exp(y - m) / sum); // now dlogits of all these positions together
        for (const auto& [target, times] : next) x[target] -= static_cast<double>(times);
        std::fill(back.begin(), back.end(), 0.0);
        for (std::size_t v = 0; v < V; ++v)
            for (std::size_t c = 0; c < C; ++c) {
                back[c] += x[v] / K * wte(v, c);
                (*gw)[v * C + c] += x[v] / K * hidden[c];
            }
        for (std::size_t k = 0; k < C; ++k)
            for (std::size_t c = 0; c < C; ++c) {
                (*gm)[k * C + c] += back[c] * wte(id, k);
                (*gw)[id * C + k] += back[c] * mix(k, c);
            }
    }
    return loss;
}
} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    const auto C = wte.cols;
    if (mix.cols != C || mix.rows != C) return {Code::shape_mismatch};
    if (std::isnan(spread) || std::isinf(spread) || spread < 0) return {Code::invalid_argument};
    if (C == 0) return {};
    const std::size_t V = wte.rows;
    for (std::size_t v = 0; v < V; ++v) {
        float* to = wte.row(v);
        std::generate(to, to + C, [&, i = static_cast<std::uint64_t>(v) * C]() mutable {
            return static_cast<float>((2 * uniform(seed, i++) - 1) * spread);
        });
    }
    for (std::size_t k = 0; k < C; ++k) {
        std::fill_n(mix.row(k), C, 0.0f);
        mix(k, k) = 1.0f;
    }
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    if (mix.rows != wte.cols || mix.cols != wte.cols || ids.size() != targets.size())
        return {{Code::shape_mismatch}};
    g_Bigrams pairs;
    if (const Status s = g_read(wte, ids, targets, ignored, pairs); s.code != Code::ok) return {s};
    return g_run(wte, mix, pairs, nullptr, nullptr);
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    const std::size_t V = wte.rows, C = wte.cols;
    if (mix.rows != C || mix.cols != C || ids.size() != targets.size() || dwte.rows != V || dwte.cols != C ||
        dmix.rows != C || dmix.cols != C)
        return {{Code::shape_mismatch}};
    g_Bigrams pairs;
    if (const Status s = g_read(wte, ids, targets, ignored, pairs); s.code != Code::ok) return {s};
    std::vector<double> gw(V * C), gm(C * C);
    const Loss loss = g_run(wte, mix, pairs, &gw, &gm);
    if (C == 0) return loss;
    for (std::size_t v = 0; v < V; ++v)
        for (std::size_t c = 0; c < C; ++c) dwte(v, c) = static_cast<float>(gw[v * C + c]);
    for (std::size_t k = 0; k < C; ++k)
        for (std::size_t c = 0; c < C; ++c) dmix(k, c) = static_cast<float>(gm[k * C + c]);
    return loss;
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return {Code::shape_mismatch};
    if (std::isnan(rate) || std::isinf(rate) || rate < 0) return {Code::invalid_argument};
    if (rate == 0 || weights.cols == 0) return {};
    for (std::size_t r = 0; r < weights.rows; ++r)
        std::transform(weights.row(r), weights.row(r) + weights.cols, gradient.row(r), weights.row(r),
                       [rate](float w, float g) { return static_cast<float>(w - static_cast<double>(rate) * g); });
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    const std::size_t V = wte.rows, C = wte.cols;
    if (mix.rows != C || mix.cols != C || ids.size() != targets.size()) return {{Code::shape_mismatch}};
    if (std::isnan(rate) || std::isinf(rate) || rate < 0) return {{Code::invalid_argument}};
    g_Bigrams pairs;
    if (const Status s = g_read(wte, ids, targets, ignored, pairs); s.code != Code::ok) return {s};
    std::vector<double> gw(V * C), gm(C * C);
    const Loss loss = g_run(wte, mix, pairs, &gw, &gm);
    if (rate == 0 || C == 0 || pairs.counted == 0) return loss;
    for (std::size_t v = 0; v < V; ++v)
        for (std::size_t c = 0; c < C; ++c) wte(v, c) = static_cast<float>(wte(v, c) - rate * gw[v * C + c]);
    for (std::size_t k = 0; k < C; ++k)
        for (std::size_t c = 0; c < C; ++c) mix(k, c) = static_cast<float>(mix(k, c) - rate * gm[k * C + c]);
    return loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    if (out.size() != wte.rows) return {Code::shape_mismatch};
    if (token < 0 || static_cast<std::size_t>(token) >= wte.rows)
        return Status::id_out_of_range(0, token, wte.rows);
    const auto product = [&wte](std::size_t x, std::size_t y) {
        double sum = 0;
        for (std::size_t c = 0; c < wte.cols; ++c) sum += static_cast<double>(wte(x, c)) * wte(y, c);
        return sum;
    };
    const std::size_t t = static_cast<std::size_t>(token);
    const double own = product(t, t);
    for (std::size_t v = 0; v < wte.rows; ++v) {
        const double other = product(v, v);
        out[v] = own * other > 0 ? static_cast<float>(product(t, v) / std::sqrt(own * other)) : 0;
    }
    return {};
}

} // namespace exercise
