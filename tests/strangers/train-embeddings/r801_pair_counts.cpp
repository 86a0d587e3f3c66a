// right: logits depend on the token alone, so positions are grouped by id, and a table of (id, target) pairs is counted; one softmax per distinct id that has counted positions
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace exercise {
namespace {

using Real = double;

struct Grads {
    std::vector<Real> wte, mix; // (V, C), (C, C)
};

bool fits(const Matrix<const float>& wte, const Matrix<const float>& mix, Ids ids, Ids targets) {
    return mix.rows == wte.cols && mix.cols == wte.cols && ids.size() == targets.size();
}

bool outside(TokenId id, std::size_t limit) { return id < 0 || static_cast<std::size_t>(id) >= limit; }

bool bad_rate(float rate) { return !(rate >= 0.0F) || std::isinf(rate); }

Status check_tokens(Ids ids, Ids targets, TokenId ignored, std::size_t vocabulary) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (outside(ids[n], vocabulary)) return Status::id_out_of_range(n, ids[n], vocabulary);
    for (std::size_t n = 0; n < targets.size(); ++n)
        if (targets[n] != ignored && outside(targets[n], vocabulary))
            return Status::id_out_of_range(n, targets[n], vocabulary);
    return {};
}

Real dot(const Real* a, const float* b, std::size_t n) {
    Real s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; ++i) s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

/// Checks are done. `grads` may be null.
Loss run(const Matrix<const float>& wte, const Matrix<const float>& mix, Ids ids, Ids targets, TokenId ignored,
         Grads* grads) {
    const std::size_t V = wte.rows, C = wte.cols;
    std::vector<std::pair<TokenId, TokenId>> pairs;
    pairs.reserve(ids.size());
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (targets[n] != ignored) pairs.emplace_back(ids[n], targets[n]);
    std::sort(pairs.begin(), pairs.end());

    Loss loss;
    loss.counted = pairs.size();
    if (pairs.empty()) return loss;
    const Real K = static_cast<Real>(pairs.size());

    std::vector<Real> hidden(C), dhidden(C), p(V);
    Real total = 0;
    for (std::size_t begin = 0; begin < pairs.size();) {
        const TokenId id = pairs[begin].first;
        std::size_t end = begin;
        while (end < pairs.size() && pairs[end].first == id) ++end;
        const float* x = C != 0 ? wte.row(static_cast<std::size_t>(id)) : nullptr;

        std::fill(hidden.begin(), hidden.end(), 0.0);
        for (std::size_t k = 0; k < C; ++k) {
            const Real factor = x[k];
            const float* m = mix.row(k);
            for (std::size_t c = 0; c < C; ++c) hidden[c] += factor * m[c];
        }
        Real top = 0;
        for (std::size_t v = 0; v < V; ++v) {
            p[v] = C != 0 ? dot(hidden.data(), wte.row(v), C) : 0.0;
            top = v == 0 ? p[v] : std::max(top, p[v]);
        }
        Real sum = 0;
        for (std::size_t v = 0; v < V; ++v) sum += std::exp(p[v] - top);
        const Real log_sum = std::log(sum);
        for (std::size_t i = begin; i < end; ++i)
            total += (top - p[static_cast<std::size_t>(pairs[i].second)]) + log_sum;

        if (grads != nullptr && C != 0) {
            const Real share = static_cast<Real>(end - begin);
            for (std::size_t v = 0; v < V; ++v) p[v] = share * (std::exp(p[v] - top) / sum);
            for (std::size_t i = begin; i < end;) {
                const auto target = static_cast<std::size_t>(pairs[i].second);
                std::size_t same = i;
                while (same < end && pairs[same].second == pairs[i].second) ++same;
                p[target] -= static_cast<Real>(same - i);
                i = same;
            }
            std::fill(dhidden.begin(), dhidden.end(), 0.0);
            for (std::size_t v = 0; v < V; ++v) {
                const Real d = p[v] / K;
                const float* row = wte.row(v);
                Real* to = grads->wte.data() + v * C;
                for (std::size_t c = 0; c < C; ++c) {
                    dhidden[c] += d * row[c];
                    to[c] += d * hidden[c];
                }
            }
            Real* own = grads->wte.data() + static_cast<std::size_t>(id) * C;
            for (std::size_t k = 0; k < C; ++k) {
                own[k] += dot(dhidden.data(), mix.row(k), C);
                Real* to = grads->mix.data() + k * C;
                for (std::size_t c = 0; c < C; ++c) to[c] += static_cast<Real>(x[k]) * dhidden[c];
            }
        }
        begin = end;
    }
    loss.mean = total / K;
    return loss;
}

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    const std::size_t C = wte.cols;
    if (mix.rows != C || mix.cols != C) return Status{Code::shape_mismatch};
    if (bad_rate(spread)) return Status{Code::invalid_argument};
    if (C == 0) return {};
    std::uint64_t index = 0;
    for (std::size_t v = 0; v < wte.rows; ++v)
        for (std::size_t c = 0; c < C; ++c)
            wte(v, c) = static_cast<float>((2 * uniform(seed, index++) - 1) * static_cast<double>(spread));
    for (std::size_t k = 0; k < C; ++k)
        for (std::size_t c = 0; c < C; ++c) mix(k, c) = k == c ? 1.0F : 0.0F;
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    Loss loss;
    if (!fits(wte, mix, ids, targets)) {
        loss.status = Status{Code::shape_mismatch};
        return loss;
    }
    loss.status = check_tokens(ids, targets, ignored, wte.rows);
    if (loss.status.code != Code::ok) return loss;
    return run(wte, mix, ids, targets, ignored, nullptr);
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    const std::size_t V = wte.rows, C = wte.cols;
    Loss loss;
    if (!fits(wte, mix, ids, targets) || dwte.rows != V || dwte.cols != C || dmix.rows != C || dmix.cols != C) {
        loss.status = Status{Code::shape_mismatch};
        return loss;
    }
    loss.status = check_tokens(ids, targets, ignored, V);
    if (loss.status.code != Code::ok) return loss;
    Grads grads;
    if (C != 0) {
        grads.wte.assign(V * C, 0.0);
        grads.mix.assign(C * C, 0.0);
    }
    loss = run(wte, mix, ids, targets, ignored, &grads);
    if (C == 0) return loss;
    for (std::size_t v = 0; v < V; ++v)
        for (std::size_t c = 0; c < C; ++c) dwte(v, c) = static_cast<float>(grads.wte[v * C + c]);
    for (std::size_t k = 0; k < C; ++k)
        for (std::size_t c = 0; c < C; ++c) dmix(k, c) = static_cast<float>(grads.mix[k * C + c]);
    return loss;
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return Status{Code::shape_mismatch};
    if (bad_rate(rate)) return Status{Code::invalid_argument};
    if (rate == 0.0F || weights.cols == 0) return {};
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) = static_cast<float>(weights(r, c) - static_cast<double>(rate) * gradient(r, c));
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    const std::size_t V = wte.rows, C = wte.cols;
    Loss loss;
    if (!fits(wte, mix, ids, targets)) {
        loss.status = Status{Code::shape_mismatch};
        return loss;
    }
    if (bad_rate(rate)) {
        loss.status = Status{Code::invalid_argument};
        return loss;
    }
    loss.status = check_tokens(ids, targets, ignored, V);
    if (loss.status.code != Code::ok) return loss;
    if (rate == 0.0F || C == 0) return run(wte, mix, ids, targets, ignored, nullptr);

    Grads grads{std::vector<Real>(V * C), std::vector<Real>(C * C)};
    loss = run(wte, mix, ids, targets, ignored, &grads);
    if (loss.counted == 0) return loss;
    for (std::size_t v = 0; v < V; ++v)
        for (std::size_t c = 0; c < C; ++c)
            wte(v, c) = static_cast<float>(wte(v, c) - static_cast<double>(rate) * grads.wte[v * C + c]);
    for (std::size_t k = 0; k < C; ++k)
        for (std::size_t c = 0; c < C; ++c)
            mix(k, c) = static_cast<float>(mix(k, c) - static_cast<double>(rate) * grads.mix[k * C + c]);
    return loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    const std::size_t V = wte.rows, C = wte.cols;
    if (out.size() != V) return Status{Code::shape_mismatch};
    if (outside(token, V)) return Status::id_out_of_range(0, token, V);
    if (C == 0) {
        std::fill(out.begin(), out.end(), 0.0F);
        return {};
    }
    std::vector<Real> x(C);
    Real own = 0;
    for (std::size_t c = 0; c < C; ++c) {
        x[c] = wte(static_cast<std::size_t>(token), c);
        own += x[c] * x[c];
    }
    for (std::size_t v = 0; v < V; ++v) {
        const float* row = wte.row(v);
        Real other = 0, both = 0;
        for (std::size_t c = 0; c < C; ++c) {
            other += static_cast<Real>(row[c]) * row[c];
            both += x[c] * row[c];
        }
        out[v] = own == 0 || other == 0 ? 0.0F : static_cast<float>(both / (std::sqrt(own) * std::sqrt(other)));
    }
    return {};
}

} // namespace exercise
