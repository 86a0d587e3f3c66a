// wrong: gradients keeps its arrays of hidden and dhidden from call to call and fills only the rows of counted positions, but adds the lookup of every position: rows of ignored positions hold what an earlier call left there; the first call is right, and so is any batch without ignored positions; shows in gradients and step with an ignored position at a place of the arrays where a counted one stood in an earlier call; a right one keeps nothing
#include "contract.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace exercise {

namespace {

Status check_ids(std::size_t V, Ids ids, Ids targets, TokenId ignored) {
    const std::int64_t limit = static_cast<std::int64_t>(V);
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || ids[n] >= limit) return Status::id_out_of_range(n, ids[n], V);
    for (std::size_t n = 0; n < targets.size(); ++n)
        if (targets[n] != ignored && (targets[n] < 0 || targets[n] >= limit))
            return Status::id_out_of_range(n, targets[n], V);
    return {};
}

void hidden_of(Matrix<const float> wte, Matrix<const float> mix, std::size_t id, std::vector<double>& hidden) {
    for (std::size_t c = 0; c < wte.cols; ++c) {
        hidden[c] = 0;
        for (std::size_t k = 0; k < wte.cols; ++k)
            hidden[c] += static_cast<double>(wte(id, k)) * mix(k, c);
    }
}

/// Turns hidden into p, and returns the loss.
double softmax(Matrix<const float> wte, const std::vector<double>& hidden, std::size_t target,
               std::vector<double>& p) {
    for (std::size_t v = 0; v < wte.rows; ++v) {
        p[v] = 0;
        for (std::size_t c = 0; c < wte.cols; ++c)
            p[v] += hidden[c] * wte(v, c);
    }
    double shift = p[0];
    for (std::size_t v = 1; v < wte.rows; ++v)
        if (p[v] > shift) shift = p[v];
    const double score = p[target] - shift;
    double sum = 0;
    for (std::size_t v = 0; v < wte.rows; ++v) {
        p[v] = std::exp(p[v] - shift);
        sum += p[v];
    }
    for (std::size_t v = 0; v < wte.rows; ++v)
        p[v] /= sum;
    return std::log(sum) - score;
}

std::size_t counted_in(Ids targets, TokenId ignored) {
    std::size_t counted = 0;
    for (const TokenId target : targets)
        if (target != ignored) ++counted;
    return counted;
}

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    if (mix.rows != wte.cols || mix.cols != wte.cols) return {Code::shape_mismatch, 0, 0, 0};
    if (!std::isfinite(spread) || spread < 0) return {Code::invalid_argument, 0, 0, 0};
    for (std::size_t v = 0; v < wte.rows; ++v)
        for (std::size_t c = 0; c < wte.cols; ++c)
            wte(v, c) = static_cast<float>((2 * uniform(seed, v * wte.cols + c) - 1) * spread);
    for (std::size_t k = 0; k < mix.rows; ++k)
        for (std::size_t c = 0; c < mix.cols; ++c)
            mix(k, c) = k == c ? 1.0f : 0.0f;
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    if (mix.rows != wte.cols || mix.cols != wte.cols || ids.size() != targets.size())
        return {{Code::shape_mismatch, 0, 0, 0}, 0, 0};
    const Status status = check_ids(wte.rows, ids, targets, ignored);
    if (status.code != Code::ok) return {status, 0, 0};
    std::vector<double> hidden(wte.cols), p(wte.rows);
    double total = 0;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        if (targets[n] == ignored) continue;
        hidden_of(wte, mix, static_cast<std::size_t>(ids[n]), hidden);
        total += softmax(wte, hidden, static_cast<std::size_t>(targets[n]), p);
    }
    const std::size_t counted = counted_in(targets, ignored);
    return {{}, counted == 0 ? 0 : total / static_cast<double>(counted), counted};
}

namespace {

/// Memory for a batch. It grows and stays, since asking for it again in every step is slow.
struct Scratch {
    std::vector<double> hidden, dhidden, dlogits;
    void reserve_for(std::size_t N, std::size_t V, std::size_t C) {
        if (hidden.size() < N * C) hidden.resize(N * C);
        if (dhidden.size() < N * C) dhidden.resize(N * C);
        if (dlogits.size() < N * V) dlogits.resize(N * V);
    }
};
Scratch scratch;

} // namespace

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    const std::size_t N = ids.size();
    const std::size_t V = wte.rows;
    const std::size_t C = wte.cols;
    if (mix.rows != C || mix.cols != C || targets.size() != N || dwte.rows != V || dwte.cols != C ||
        dmix.rows != C || dmix.cols != C)
        return {{Code::shape_mismatch, 0, 0, 0}, 0, 0};
    const Status status = check_ids(V, ids, targets, ignored);
    if (status.code != Code::ok) return {status, 0, 0};
    scratch.reserve_for(N, V, C);
    const std::size_t counted = counted_in(targets, ignored);
    std::vector<double> row(C), p(V);
    double total = 0;

    // forward, and back to hidden
    for (std::size_t n = 0; n < N; ++n) {
        double* dlogits = scratch.dlogits.data() + n * V;
        double* dhidden = scratch.dhidden.data() + n * C;
        if (targets[n] == ignored) {
            for (std::size_t v = 0; v < V; ++v)
                dlogits[v] = 0;
            continue;
        }
        hidden_of(wte, mix, static_cast<std::size_t>(ids[n]), row);
        total += softmax(wte, row, static_cast<std::size_t>(targets[n]), p);
        for (std::size_t c = 0; c < C; ++c) {
            scratch.hidden[n * C + c] = row[c];
            dhidden[c] = 0;
        }
        for (std::size_t v = 0; v < V; ++v) {
            const bool hit = v == static_cast<std::size_t>(targets[n]);
            dlogits[v] = (p[v] - (hit ? 1 : 0)) / static_cast<double>(counted);
            for (std::size_t c = 0; c < C; ++c)
                dhidden[c] += dlogits[v] * wte(v, c);
        }
    }

    // the parameters
    std::vector<double> gw(V * C), gm(C * C);
    for (std::size_t n = 0; n < N; ++n) {
        const std::size_t id = static_cast<std::size_t>(ids[n]);
        const double* dhidden = scratch.dhidden.data() + n * C;
        for (std::size_t v = 0; v < V; ++v)
            for (std::size_t c = 0; c < C; ++c)
                gw[v * C + c] += scratch.dlogits[n * V + v] * scratch.hidden[n * C + c];
        for (std::size_t k = 0; k < C; ++k)
            for (std::size_t c = 0; c < C; ++c) {
                gm[k * C + c] += wte(id, k) * dhidden[c];
                gw[id * C + k] += dhidden[c] * mix(k, c);
            }
    }
    for (std::size_t v = 0; v < V; ++v)
        for (std::size_t c = 0; c < C; ++c)
            dwte(v, c) = static_cast<float>(gw[v * C + c]);
    for (std::size_t k = 0; k < C; ++k)
        for (std::size_t c = 0; c < C; ++c)
            dmix(k, c) = static_cast<float>(gm[k * C + c]);
    return {{}, counted == 0 ? 0 : total / static_cast<double>(counted), counted};
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return {Code::shape_mismatch, 0, 0, 0};
    if (!std::isfinite(rate) || rate < 0) return {Code::invalid_argument, 0, 0, 0};
    if (rate == 0) return {};
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) -= rate * gradient(r, c);
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    if (mix.rows != wte.cols || mix.cols != wte.cols || ids.size() != targets.size())
        return {{Code::shape_mismatch, 0, 0, 0}, 0, 0};
    if (!std::isfinite(rate) || rate < 0) return {{Code::invalid_argument, 0, 0, 0}, 0, 0};
    std::vector<float> gw(wte.rows * wte.cols), gm(mix.rows * mix.cols);
    const Matrix<float> dwte(gw.data(), wte.rows, wte.cols), dmix(gm.data(), mix.rows, mix.cols);
    const Loss loss = gradients(wte, mix, ids, targets, ignored, dwte, dmix);
    if (loss.status.code != Code::ok) return loss;
    update(dwte, rate, wte);
    update(dmix, rate, mix);
    return loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    if (out.size() != wte.rows) return {Code::shape_mismatch, 0, 0, 0};
    if (token < 0 || static_cast<std::size_t>(token) >= wte.rows)
        return Status::id_out_of_range(0, token, wte.rows);
    const std::size_t t = static_cast<std::size_t>(token);
    for (std::size_t v = 0; v < wte.rows; ++v) {
        double dot = 0, tt = 0, vv = 0;
        for (std::size_t c = 0; c < wte.cols; ++c) {
            dot += static_cast<double>(wte(t, c)) * wte(v, c);
            tt += static_cast<double>(wte(t, c)) * wte(t, c);
            vv += static_cast<double>(wte(v, c)) * wte(v, c);
        }
        out[v] = tt == 0 || vv == 0 ? 0.0f : static_cast<float>(dot / (std::sqrt(tt) * std::sqrt(vv)));
    }
    return {};
}

} // namespace exercise
