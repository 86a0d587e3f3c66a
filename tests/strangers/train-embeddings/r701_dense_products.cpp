// right: whole dense matrices of double with one operator* and transposed copies; step never rounds a gradient to float
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
// Dense matrices of double, and one product for all of them.
struct e_Dense {
    std::size_t rows = 0, cols = 0;
    std::vector<double> at;
    e_Dense(std::size_t r, std::size_t c) : rows(r), cols(c), at(r * c) {}
    explicit e_Dense(Matrix<const float> m) : e_Dense(m.rows, m.cols) {
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < cols; ++c) (*this)(r, c) = m(r, c);
    }
    double& operator()(std::size_t r, std::size_t c) { return at[r * cols + c]; }
    double operator()(std::size_t r, std::size_t c) const { return at[r * cols + c]; }
    e_Dense turned() const {
        e_Dense t(cols, rows);
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < cols; ++c) t(c, r) = (*this)(r, c);
        return t;
    }
    void write(Matrix<float> to) const {
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < cols; ++c) to(r, c) = static_cast<float>((*this)(r, c));
    }
};
inline e_Dense operator*(const e_Dense& x, const e_Dense& y) {
    e_Dense z(x.rows, y.cols);
    for (std::size_t i = 0; i < x.rows; ++i)
        for (std::size_t k = 0; k < x.cols; ++k)
            for (std::size_t j = 0; j < y.cols; ++j) z(i, j) += x(i, k) * y(k, j);
    return z;
}
struct e_Model {
    Matrix<const float> wte, mix;
    Ids ids, targets;
    TokenId ignored;

    bool square() const { return mix.rows == wte.cols && mix.cols == wte.cols && ids.size() == targets.size(); }
    Status tokens() const {
        const auto outside = [this](TokenId id) { return id < 0 || static_cast<std::size_t>(id) >= wte.rows; };
        for (std::size_t n = 0; n < ids.size(); ++n)
            if (outside(ids[n])) return Status::id_out_of_range(n, ids[n], wte.rows);
        for (std::size_t n = 0; n < ids.size(); ++n)
            if (targets[n] != ignored && outside(targets[n]))
                return Status::id_out_of_range(n, targets[n], wte.rows);
        return {};
    }
    // dw (V, C) and dm (C, C) get the gradients where they are asked for.
    Loss run(e_Dense* dw, e_Dense* dm) const {
        Loss loss;
        for (TokenId t : targets) loss.counted += t != ignored ? 1 : 0;
        const std::size_t N = ids.size(), V = wte.rows, C = wte.cols;
        if (loss.counted == 0) return loss;
        if (C == 0) {
            loss.mean = std::log(static_cast<double>(V));
            return loss;
        }
        const e_Dense table(wte), between(mix);
        e_Dense read(N, C);
        for (std::size_t n = 0; n < N; ++n)
            for (std::size_t c = 0; c < C; ++c) read(n, c) = table(static_cast<std::size_t>(ids[n]), c);
        const e_Dense turned = table.turned();
        const e_Dense hidden = read * between;
        e_Dense p = hidden * turned;
        for (std::size_t n = 0; n < N; ++n) {
            if (targets[n] == ignored) {
                for (std::size_t v = 0; v < V; ++v) p(n, v) = 0;
                continue;
            }
            double m = p(n, 0), sum = 0;
            for (std::size_t v = 1; v < V; ++v) m = std::max(m, p(n, v));
            const std::size_t t = static_cast<std::size_t>(targets[n]);
            const double below = m - p(n, t);
            for (std::size_t v = 0; v < V; ++v) sum += p(n, v) = std::exp(p(n, v) - m);
            for (std::size_t v = 0; v < V; ++v) p(n, v) /= sum;
            p(n, t) -= 1;
            for (std::size_t v = 0; v < V; ++v) p(n, v) /= static_cast<double>(loss.counted);
            loss.mean += std::log(sum) + below;
        }
        loss.mean /= static_cast<double>(loss.counted);
        if (dw == nullptr) return loss;
        const e_Dense dhidden = p * table;
        *dm = read.turned() * dhidden;
        *dw = p.turned() * hidden;
        const e_Dense back = dhidden * between.turned();
        for (std::size_t n = 0; n < N; ++n)
            for (std::size_t c = 0; c < C; ++c) (*dw)(static_cast<std::size_t>(ids[n]), c) += back(n, c);
        return loss;
    }
};
inline bool e_bad(float x) { return !(x >= 0 && x <= std::numeric_limits<float>::max()); }
} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    if (mix.rows != wte.cols || mix.cols != wte.cols) return {Code::shape_mismatch};
    if (e_bad(spread)) return {Code::invalid_argument};
    if (wte.cols == 0) return {};
    std::uint64_t index = 0;
    for (std::size_t v = 0; v < wte.rows; ++v)
        for (std::size_t c = 0; c < wte.cols; ++c)
            wte(v, c) = static_cast<float>((2 * uniform(seed, index++) - 1) * static_cast<double>(spread));
    for (std::size_t k = 0; k < mix.rows; ++k)
        for (std::size_t c = 0; c < mix.cols; ++c) mix(k, c) = k == c;
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    const e_Model model{wte, mix, ids, targets, ignored};
    if (!model.square()) return {{Code::shape_mismatch}};
    if (const Status s = model.tokens(); s.code != Code::ok) return {s};
    return model.run(nullptr, nullptr);
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    const e_Model model{wte, mix, ids, targets, ignored};
    if (!model.square() || dwte.rows != wte.rows || dwte.cols != wte.cols || dmix.rows != mix.rows ||
        dmix.cols != mix.cols)
        return {{Code::shape_mismatch}};
    if (const Status s = model.tokens(); s.code != Code::ok) return {s};
    if (wte.cols == 0) return model.run(nullptr, nullptr);
    e_Dense dw(dwte.rows, dwte.cols), dm(dmix.rows, dmix.cols);
    const Loss loss = model.run(&dw, &dm);
    dw.write(dwte);
    dm.write(dmix);
    return loss;
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return {Code::shape_mismatch};
    if (e_bad(rate)) return {Code::invalid_argument};
    if (rate == 0 || weights.cols == 0) return {};
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) = static_cast<float>(weights(r, c) - static_cast<double>(rate) * gradient(r, c));
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    const e_Model model{wte, mix, ids, targets, ignored};
    if (!model.square()) return {{Code::shape_mismatch}};
    if (e_bad(rate)) return {{Code::invalid_argument}};
    if (const Status s = model.tokens(); s.code != Code::ok) return {s};
    if (rate == 0 || wte.cols == 0) return model.run(nullptr, nullptr);
    e_Dense dw(wte.rows, wte.cols), dm(mix.rows, mix.cols);
    const Loss loss = model.run(&dw, &dm);
    const auto descend = [rate](const e_Dense& g, Matrix<float> w) {
        for (std::size_t r = 0; r < w.rows; ++r)
            for (std::size_t c = 0; c < w.cols; ++c) w(r, c) = static_cast<float>(w(r, c) - rate * g(r, c));
    };
    descend(dw, wte);
    descend(dm, mix);
    return loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    if (out.size() != wte.rows) return {Code::shape_mismatch};
    if (token < 0 || static_cast<std::size_t>(token) >= wte.rows)
        return Status::id_out_of_range(0, token, wte.rows);
    for (std::size_t v = 0; v < out.size(); ++v) {
        double xx = 0, yy = 0, xy = 0;
        for (std::size_t c = 0; c < wte.cols; ++c) {
            const double x = wte(static_cast<std::size_t>(token), c), y = wte(v, c);
            xx += x * x, yy += y * y, xy += x * y;
        }
        out[v] = xx == 0 || yy == 0 ? 0.0f : static_cast<float>(xy / (std::sqrt(xx) * std::sqrt(yy)));
    }
    return {};
}

} // namespace exercise
