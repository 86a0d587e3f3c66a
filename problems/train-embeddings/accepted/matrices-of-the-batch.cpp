// accepted: one matrix product after the other, each for the whole batch, with the logits of all positions
// kept
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace exercise {
namespace {

using Sums = std::vector<double>;

double number(float value) {
    return static_cast<double>(value);
}

bool is_token(TokenId id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary;
}

bool is_rate(float rate) {
    return std::isfinite(rate) && rate >= 0;
}

bool fits(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets) {
    return mix.rows == wte.cols && mix.cols == wte.cols && ids.size() == targets.size();
}

Status first_bad_token(Ids ids, Ids targets, TokenId ignored, std::size_t vocabulary) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (!is_token(ids[n], vocabulary)) return Status::id_out_of_range(n, ids[n], vocabulary);
    for (std::size_t n = 0; n < targets.size(); ++n)
        if (targets[n] != ignored && !is_token(targets[n], vocabulary))
            return Status::id_out_of_range(n, targets[n], vocabulary);
    return {};
}

/// What one position computes on the way to its loss.
struct Position {
    Sums hidden;
    Sums p;
    double loss = 0;
};

Position forward(Matrix<const float> wte, Matrix<const float> mix, TokenId id, TokenId target) {
    const std::size_t V = wte.rows, C = wte.cols;
    const auto read = static_cast<std::size_t>(id);
    Position at{Sums(C), Sums(V)};
    for (std::size_t k = 0; k < C; ++k)
        for (std::size_t c = 0; c < C; ++c)
            at.hidden[c] += number(wte(read, k)) * number(mix(k, c));
    for (std::size_t v = 0; v < V; ++v)
        for (std::size_t c = 0; c < C; ++c)
            at.p[v] += at.hidden[c] * number(wte(v, c)); // a logit, so far
    // exp(x - m) is at most 1, so nothing overflows, and the largest term keeps the sum away from 0.
    const double m = *std::max_element(at.p.begin(), at.p.end());
    const double down = at.p[static_cast<std::size_t>(target)] - m;
    double sum = 0;
    for (double& x : at.p)
        sum += x = std::exp(x - m);
    for (double& x : at.p)
        x /= sum;
    at.loss = std::log(sum) - down;
    return at;
}

std::size_t count(Ids targets, TokenId ignored) {
    return targets.size() - static_cast<std::size_t>(std::count(targets.begin(), targets.end(), ignored));
}

/// A matrix of doubles.
struct Table {
    Table(std::size_t row_count, std::size_t col_count)
        : rows(row_count), cols(col_count), cells(row_count * col_count) {}
    double& operator()(std::size_t r, std::size_t c) { return cells[r * cols + c]; }

    std::size_t rows, cols;
    Sums cells;
};

/// The loss and both gradients in double, of a batch that is right.
struct Learned {
    Loss loss;
    Sums dwte;
    Sums dmix;
};

Learned learn(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    const std::size_t N = ids.size(), V = wte.rows, C = wte.cols, K = count(targets, ignored);
    const auto read = [&](std::size_t n) { return wte.row(static_cast<std::size_t>(ids[n])); };
    Table hidden(N, C), dlogits(N, V), dhidden(N, C), dread(N, C), dwte(V, C), dmix(C, C);
    Sums losses(N);
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) continue;
        const Position at = forward(wte, mix, ids[n], targets[n]);
        losses[n] = at.loss;
        for (std::size_t c = 0; c < C; ++c)
            hidden(n, c) = at.hidden[c];
        for (std::size_t v = 0; v < V; ++v) {
            const double hit = v == static_cast<std::size_t>(targets[n]) ? 1 : 0;
            dlogits(n, v) = (at.p[v] - hit) / static_cast<double>(K);
        }
        for (std::size_t c = 0; c < C; ++c)
            for (std::size_t v = 0; v < V; ++v)
                dhidden(n, c) += dlogits(n, v) * number(wte(v, c));
        for (std::size_t k = 0; k < C; ++k)
            for (std::size_t c = 0; c < C; ++c)
                dread(n, k) += dhidden(n, c) * number(mix(k, c));
    }
    for (std::size_t v = 0; v < V; ++v) {
        for (std::size_t n = 0; n < N; ++n)
            for (std::size_t c = 0; c < C; ++c)
                dwte(v, c) += dlogits(n, v) * hidden(n, c);
    }
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t k = 0; k < C; ++k)
            dwte(static_cast<std::size_t>(ids[n]), k) += dread(n, k);
    for (std::size_t k = 0; k < C; ++k) {
        for (std::size_t n = 0; n < N; ++n)
            for (std::size_t c = 0; c < C; ++c)
                dmix(k, c) += number(read(n)[k]) * dhidden(n, c);
    }
    double sum = 0;
    for (const double loss : losses)
        sum += loss;
    return {{{}, K == 0 ? 0 : sum / static_cast<double>(K), K}, std::move(dwte.cells), std::move(dmix.cells)};
}

void write(const Sums& sums, Matrix<float> out) {
    for (std::size_t r = 0; r < out.rows; ++r)
        for (std::size_t c = 0; c < out.cols; ++c)
            out(r, c) = static_cast<float>(sums[r * out.cols + c]);
}

void move(const Sums& gradient, float rate, Matrix<float> weights) {
    if (rate == 0) return; // 0 - 0 would turn -0 into 0
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) =
                static_cast<float>(number(weights(r, c)) - number(rate) * gradient[r * weights.cols + c]);
}

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    const std::size_t C = wte.cols;
    if (mix.rows != C || mix.cols != C) return {Code::shape_mismatch};
    if (!is_rate(spread)) return {Code::invalid_argument};
    for (std::size_t v = 0; v < wte.rows; ++v)
        for (std::size_t c = 0; c < C; ++c)
            wte(v, c) = static_cast<float>((2 * uniform(seed, v * C + c) - 1) * number(spread));
    for (std::size_t k = 0; k < C; ++k)
        for (std::size_t c = 0; c < C; ++c)
            mix(k, c) = k == c ? 1.0F : 0.0F;
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    if (!fits(wte, mix, ids, targets)) return {{Code::shape_mismatch}};
    if (const Status bad = first_bad_token(ids, targets, ignored, wte.rows); bad.code != Code::ok)
        return {bad};
    Loss loss{{}, 0, count(targets, ignored)};
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (targets[n] != ignored)
            loss.mean += forward(wte, mix, ids[n], targets[n]).loss / static_cast<double>(loss.counted);
    return loss;
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    if (!fits(wte, mix, ids, targets) || dwte.rows != wte.rows || dwte.cols != wte.cols ||
        dmix.rows != mix.rows || dmix.cols != mix.cols)
        return {{Code::shape_mismatch}};
    if (const Status bad = first_bad_token(ids, targets, ignored, wte.rows); bad.code != Code::ok)
        return {bad};
    const Learned all = learn(wte, mix, ids, targets, ignored);
    write(all.dwte, dwte);
    write(all.dmix, dmix);
    return all.loss;
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return {Code::shape_mismatch};
    if (!is_rate(rate)) return {Code::invalid_argument};
    Sums sums;
    for (std::size_t r = 0; r < gradient.rows; ++r)
        for (std::size_t c = 0; c < gradient.cols; ++c)
            sums.push_back(number(gradient(r, c)));
    move(sums, rate, weights);
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    if (!fits(wte, mix, ids, targets)) return {{Code::shape_mismatch}};
    if (!is_rate(rate)) return {{Code::invalid_argument}};
    if (const Status bad = first_bad_token(ids, targets, ignored, wte.rows); bad.code != Code::ok)
        return {bad};
    const Learned all = learn(wte, mix, ids, targets, ignored); // of the parameters before any of them moves
    move(all.dwte, rate, wte);
    move(all.dmix, rate, mix);
    return all.loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    const std::size_t V = wte.rows, C = wte.cols;
    if (out.size() != V) return {Code::shape_mismatch};
    if (!is_token(token, V)) return Status::id_out_of_range(0, token, V);
    const auto product = [&](std::size_t a, std::size_t b) {
        double sum = 0;
        for (std::size_t c = 0; c < C; ++c)
            sum += number(wte(a, c)) * number(wte(b, c));
        return sum;
    };
    const auto t = static_cast<std::size_t>(token);
    for (std::size_t v = 0; v < V; ++v) {
        const double lengths = std::sqrt(product(t, t)) * std::sqrt(product(v, v));
        out[v] = lengths == 0 ? 0.0F : static_cast<float>(product(t, v) / lengths);
    }
    return {};
}

} // namespace exercise
