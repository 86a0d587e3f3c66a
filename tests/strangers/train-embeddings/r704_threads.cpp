// right: threads over positions and then over written rows, no sum crosses a thread; only the counted positions are kept
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
// Threads: first over positions, then over the rows that are written. No sum crosses a thread.
template <class F>
void h_each(std::size_t count, std::size_t work_of_one, F f) {
    const std::size_t crew = std::min<std::size_t>(4, count);
    if (crew < 2 || static_cast<double>(count) * static_cast<double>(work_of_one) < 1e5) {
        for (std::size_t i = 0; i < count; ++i) f(i);
        return;
    }
    std::vector<std::thread> threads;
    threads.reserve(crew);
    for (std::size_t t = 0; t < crew; ++t) {
        const auto share = [=] {
            for (std::size_t i = t; i < count; i += crew) f(i);
        };
        try {
            threads.emplace_back(share);
        } catch (const std::system_error&) {
            share();
        }
    }
    for (std::thread& each : threads) each.join();
}
inline bool h_rate(float r) { return r >= 0 && r < std::numeric_limits<float>::infinity(); }
inline Status h_ids(Ids ids, std::size_t limit, const TokenId* except) {
    const auto bad = std::find_if(ids.begin(), ids.end(), [=](TokenId id) {
        return (except == nullptr || id != *except) && (id < 0 || static_cast<std::size_t>(id) >= limit);
    });
    if (bad == ids.end()) return {};
    return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, limit);
}
struct h_Batch {
    Matrix<const float> wte, mix;
    std::vector<std::size_t> read, next; // of the counted positions only
    Loss loss;
    std::vector<double> gw, gm;

    h_Batch(Matrix<const float> w, Matrix<const float> m, Ids ids, Ids targets, TokenId ignored) : wte(w), mix(m) {
        loss.status = h_ids(ids, w.rows, nullptr);
        if (loss.status.code == Code::ok) loss.status = h_ids(targets, w.rows, &ignored);
        if (loss.status.code != Code::ok) return;
        for (std::size_t n = 0; n < ids.size(); ++n) {
            if (targets[n] == ignored) continue;
            read.push_back(static_cast<std::size_t>(ids[n]));
            next.push_back(static_cast<std::size_t>(targets[n]));
        }
        loss.counted = read.size();
    }
    void run(bool wanted) {
        const std::size_t V = wte.rows, C = wte.cols, K = read.size();
        if (C == 0) {
            if (K > 0) loss.mean = std::log(static_cast<double>(V));
            return;
        }
        if (wanted) gw.assign(V * C, 0), gm.assign(C * C, 0);
        if (K == 0) return;
        std::vector<double> hidden(K * C), d(K * V), dhidden(K * C), each(K);
        h_each(K, V * C, [&](std::size_t n) {
            double *h = &hidden[n * C], *x = &d[n * V], *dh = &dhidden[n * C];
            for (std::size_t c = 0; c < C; ++c)
                for (std::size_t k = 0; k < C; ++k) h[c] += static_cast<double>(wte(read[n], k)) * mix(k, c);
            for (std::size_t v = 0; v < V; ++v)
                for (std::size_t c = 0; c < C; ++c) x[v] += h[c] * wte(v, c);
            const double m = *std::max_element(x, x + V), far = m - x[next[n]];
            double sum = 0;
            for (std::size_t v = 0; v < V; ++v) sum += x[v] = std::exp(x[v] - m);
            each[n] = std::log(sum) + far;
            for (std::size_t v = 0; v < V; ++v) {
                x[v] = (x[v] / sum - (v == next[n] ? 1.0 : 0.0)) / static_cast<double>(K);
                for (std::size_t c = 0; c < C; ++c) dh[c] += x[v] * wte(v, c);
            }
        });
        for (double x : each) loss.mean += x / static_cast<double>(K);
        if (!wanted) return;
        h_each(V, K * C, [&](std::size_t v) {
            for (std::size_t n = 0; n < K; ++n)
                for (std::size_t c = 0; c < C; ++c) {
                    gw[v * C + c] += d[n * V + v] * hidden[n * C + c];
                    if (read[n] != v) continue;
                    for (std::size_t k = 0; k < C; ++k) gw[v * C + c] += dhidden[n * C + k] * mix(c, k);
                }
        });
        h_each(C, K * C, [&](std::size_t k) {
            for (std::size_t n = 0; n < K; ++n)
                for (std::size_t c = 0; c < C; ++c) gm[k * C + c] += wte(read[n], k) * dhidden[n * C + c];
        });
    }
};
} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    const std::size_t C = wte.cols;
    if (mix.rows != C || mix.cols != C) return {Code::shape_mismatch};
    if (!h_rate(spread)) return {Code::invalid_argument};
    if (C == 0) return {};
    h_each(wte.rows, 20 * C, [=](std::size_t v) {
        for (std::size_t c = 0; c < C; ++c)
            wte(v, c) = static_cast<float>((2.0 * uniform(seed, v * C + c) - 1.0) * static_cast<double>(spread));
    });
    h_each(C, C, [=](std::size_t k) {
        for (std::size_t c = 0; c < C; ++c) mix(k, c) = k == c ? 1.0f : 0.0f;
    });
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    if (mix.rows != wte.cols || mix.cols != wte.cols || ids.size() != targets.size())
        return {{Code::shape_mismatch}};
    h_Batch batch(wte, mix, ids, targets, ignored);
    if (batch.loss.status.code == Code::ok) batch.run(false);
    return batch.loss;
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    const std::size_t V = wte.rows, C = wte.cols;
    if (mix.rows != C || mix.cols != C || ids.size() != targets.size() || dwte.rows != V || dwte.cols != C ||
        dmix.rows != C || dmix.cols != C)
        return {{Code::shape_mismatch}};
    h_Batch batch(wte, mix, ids, targets, ignored);
    if (batch.loss.status.code != Code::ok) return batch.loss;
    batch.run(true);
    if (C == 0) return batch.loss;
    for (std::size_t v = 0; v < V; ++v)
        std::transform(batch.gw.data() + v * C, batch.gw.data() + v * C + C, dwte.row(v),
                       [](double g) { return static_cast<float>(g); });
    for (std::size_t k = 0; k < C; ++k)
        std::transform(batch.gm.data() + k * C, batch.gm.data() + k * C + C, dmix.row(k),
                       [](double g) { return static_cast<float>(g); });
    return batch.loss;
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return {Code::shape_mismatch};
    if (!h_rate(rate)) return {Code::invalid_argument};
    if (rate == 0 || weights.cols == 0) return {};
    h_each(weights.rows, weights.cols, [=](std::size_t r) {
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) = static_cast<float>(weights(r, c) - static_cast<double>(rate) * gradient(r, c));
    });
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    const std::size_t V = wte.rows, C = wte.cols;
    if (mix.rows != C || mix.cols != C || ids.size() != targets.size()) return {{Code::shape_mismatch}};
    if (!h_rate(rate)) return {{Code::invalid_argument}};
    h_Batch batch(wte, mix, ids, targets, ignored);
    if (batch.loss.status.code != Code::ok) return batch.loss;
    batch.run(true);
    if (rate == 0 || C == 0) return batch.loss;
    for (std::size_t v = 0; v < V; ++v)
        for (std::size_t c = 0; c < C; ++c)
            wte(v, c) = static_cast<float>(wte(v, c) - static_cast<double>(rate) * batch.gw[v * C + c]);
    for (std::size_t k = 0; k < C; ++k)
        for (std::size_t c = 0; c < C; ++c)
            mix(k, c) = static_cast<float>(mix(k, c) - static_cast<double>(rate) * batch.gm[k * C + c]);
    return batch.loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    const std::size_t V = wte.rows, C = wte.cols;
    if (out.size() != V) return {Code::shape_mismatch};
    if (const Status s = h_ids({&token, 1}, V, nullptr); s.code != Code::ok) return s;
    std::vector<double> length(V);
    h_each(V, C, [&, V](std::size_t v) {
        (void)V;
        double sum = 0;
        for (std::size_t c = 0; c < C; ++c) sum += static_cast<double>(wte(v, c)) * wte(v, c);
        length[v] = std::sqrt(sum);
    });
    const std::size_t t = static_cast<std::size_t>(token);
    for (std::size_t v = 0; v < V; ++v) {
        double sum = 0;
        for (std::size_t c = 0; c < C; ++c) sum += static_cast<double>(wte(t, c)) * wte(v, c);
        const double both = length[t] * length[v];
        out[v] = static_cast<float>(both == 0 ? 0 : sum / both);
    }
    return {};
}

} // namespace exercise
