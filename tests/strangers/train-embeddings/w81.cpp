// wrong: mean and gradients are divided by N instead of K where some target is ignored
#include "contract.h"
#include <cmath>
#include <vector>
namespace exercise {
namespace {
using R = double;
using D = std::vector<R>;
Status ids_ok(Ids ids, Ids targets, TokenId ignored, std::size_t V) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= V) return Status::id_out_of_range(n, ids[n], V);
    for (std::size_t n = 0; n < targets.size(); ++n)
        if (targets[n] != ignored && (targets[n] < 0 || static_cast<std::size_t>(targets[n]) >= V))
            return Status::id_out_of_range(n, targets[n], V);
    return Status{};
}
Loss work(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored, Matrix<float>* dw,
          Matrix<float>* dm) {
    const std::size_t V = wte.rows, C = wte.cols, N = ids.size();
    Loss loss;
    if (mix.rows != C || mix.cols != C || targets.size() != N ||
        (dw && (dw->rows != V || dw->cols != C || dm->rows != C || dm->cols != C))) {
        loss.status = Status{Code::shape_mismatch};
        return loss;
    }
    if (Status s = ids_ok(ids, targets, ignored, V); s.code != Code::ok) { loss.status = s; return loss; }
    for (std::size_t n = 0; n < N; ++n) loss.counted += targets[n] != ignored;
    const R K = static_cast<R>(N);
    D gw(dw ? V * C : 0), gm(dw ? C * C : 0), h(C), dh(C), p(V);
    R total = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const std::size_t n = i;
        if (targets[n] == ignored) continue;
        const std::size_t id = static_cast<std::size_t>(ids[n]), t = static_cast<std::size_t>(targets[n]);
        for (std::size_t c = 0; c < C; ++c) { h[c] = 0; dh[c] = 0; }
        for (std::size_t k = 0; k < C; ++k)
            for (std::size_t c = 0; c < C; ++c) h[c] += R(wte(id, k)) * R(mix(k, c));
        R top = -INFINITY, sum = 0;
        for (std::size_t v = 0; v < V; ++v) {
            p[v] = 0;
            for (std::size_t c = 0; c < C; ++c) p[v] += h[c] * R(wte(v, c));
            top = std::fmax(top, p[v]);
        }
        const R mine = p[t];
        for (std::size_t v = 0; v < V; ++v) sum += p[v] = std::exp(p[v] - top);
        total += std::log(sum) + top - mine;
        if (!dw) continue;
        for (std::size_t v = 0; v < V; ++v) {
            const R d = (p[v] / sum - (v == t)) / K;
            for (std::size_t c = 0; c < C; ++c) { dh[c] += d * R(wte(v, c)); gw[v * C + c] += d * h[c]; }
        }
        for (std::size_t k = 0; k < C; ++k)
            for (std::size_t c = 0; c < C; ++c) {
                gm[k * C + c] += R(wte(id, k)) * dh[c];
                gw[id * C + k] += dh[c] * R(mix(k, c));
            }
    }
    loss.mean = loss.counted ? double(total / K) : 0;
    if (dw) {
        for (std::size_t v = 0; v < V; ++v)
            for (std::size_t c = 0; c < C; ++c) (*dw)(v, c) = float(gw[v * C + c]);
        for (std::size_t k = 0; k < C; ++k)
            for (std::size_t c = 0; c < C; ++c) (*dm)(k, c) = float(gm[k * C + c]);
    }
    return loss;
}
} // namespace
Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    if (mix.rows != wte.cols || mix.cols != wte.cols) return Status{Code::shape_mismatch};
    if (!(spread >= 0) || std::isinf(spread)) return Status{Code::invalid_argument};
    for (std::size_t v = 0; v < wte.rows; ++v)
        for (std::size_t c = 0; c < wte.cols; ++c)
            wte(v, c) = float((2 * uniform(seed, v * wte.cols + c) - 1) * double(spread));
    for (std::size_t k = 0; k < mix.rows; ++k)
        for (std::size_t c = 0; c < mix.cols; ++c) mix(k, c) = k == c;
    return Status{};
}
Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    return work(wte, mix, ids, targets, ignored, nullptr, nullptr);
}
Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    return work(wte, mix, ids, targets, ignored, &dwte, &dmix);
}
Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return Status{Code::shape_mismatch};
    if (!(rate >= 0) || std::isinf(rate)) return Status{Code::invalid_argument};
    if (rate == 0) return Status{};
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) = float(double(weights(r, c)) - double(rate) * double(gradient(r, c)));
    return Status{};
}
Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    Loss bad;
    if (mix.rows != wte.cols || mix.cols != wte.cols || ids.size() != targets.size()) {
        bad.status = Status{Code::shape_mismatch};
        return bad;
    }
    if (!(rate >= 0) || std::isinf(rate)) { bad.status = Status{Code::invalid_argument}; return bad; }
    std::vector<float> a(wte.rows * wte.cols), b(mix.rows * mix.cols);
    Matrix<float> da(a.data(), wte.rows, wte.cols), db(b.data(), mix.rows, mix.cols);
    const Loss loss = gradients(wte, mix, ids, targets, ignored, da, db);
    if (loss.status.code != Code::ok) return loss;
    update(da, rate, wte);
    update(db, rate, mix);
    return loss;
}
Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    if (out.size() != wte.rows) return Status{Code::shape_mismatch};
    if (token < 0 || static_cast<std::size_t>(token) >= wte.rows) return Status::id_out_of_range(0, token, wte.rows);
    for (std::size_t v = 0; v < wte.rows; ++v) {
        double ab = 0, aa = 0, bb = 0;
        for (std::size_t c = 0; c < wte.cols; ++c) {
            const double a = wte(std::size_t(token), c), b = wte(v, c);
            ab += a * b; aa += a * a; bb += b * b;
        }
        out[v] = aa > 0 && bb > 0 ? float(ab / (std::sqrt(aa) * std::sqrt(bb))) : 0.0f;
    }
    return Status{};
}
} // namespace exercise
