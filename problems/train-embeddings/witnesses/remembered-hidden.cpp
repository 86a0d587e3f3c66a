// Fault: evaluate reuses wte * mix of the previous call if addresses, sizes and first elements are equal.
// Origin: round 12
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
namespace {
class HiddenOfTokens {
  public:
    const std::vector<double>& of(Matrix<const float> wte, Matrix<const float> mix) {
        const Key now{wte.data, mix.data, wte.rows, wte.cols, wte(0, 0), mix(0, 0)};
        if (hidden_.empty() || !(now == key_)) {
            key_ = now;
            hidden_.assign(wte.rows * wte.cols, 0);
            for (std::size_t v = 0; v < wte.rows; ++v)
                for (std::size_t k = 0; k < wte.cols; ++k)
                    for (std::size_t c = 0; c < wte.cols; ++c)
                        hidden_[v * wte.cols + c] += static_cast<double>(wte(v, k)) * mix(k, c);
        }
        return hidden_;
    }

  private:
    struct Key {
        const float *wte = nullptr, *mix = nullptr;
        std::size_t rows = 0, cols = 0;
        float first_of_wte = 0, first_of_mix = 0;
        bool operator==(const Key&) const = default;
    };
    Key key_;
    std::vector<double> hidden_;
};
HiddenOfTokens remembered;
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
    const std::size_t N = ids.size(), V = wte.rows, C = wte.cols;
    if (mix.rows != C || mix.cols != C || targets.size() != N) return {{Code::shape_mismatch}};
    for (std::size_t n = 0; n < N; ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= V) return {Status::id_out_of_range(n, ids[n], V)};
    for (std::size_t n = 0; n < N; ++n)
        if (targets[n] != ignored && (targets[n] < 0 || static_cast<std::size_t>(targets[n]) >= V))
            return {Status::id_out_of_range(n, targets[n], V)};
    Loss loss;
    for (TokenId t : targets) loss.counted += t != ignored;
    if (loss.counted == 0) return loss;
    if (C == 0) return {{}, std::log(static_cast<double>(V)), loss.counted};
    const std::vector<double>& hidden = remembered.of(wte, mix);
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) continue;
        const double* h = hidden.data() + static_cast<std::size_t>(ids[n]) * C;
        std::vector<double> x(V);
        for (std::size_t v = 0; v < V; ++v)
            for (std::size_t c = 0; c < C; ++c) x[v] += h[c] * wte(v, c);
        const double m = *std::max_element(x.begin(), x.end());
        double sum = 0;
        for (double y : x) sum += std::exp(y - m);
        loss.mean += (std::log(sum) + (m - x[static_cast<std::size_t>(targets[n])])) / static_cast<double>(loss.counted);
    }
    return loss;
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
    if (std::isnan(rate) || std::isinf(rate) || rate < 0) return {Code::invalid_argument};
    if (rate == 0 || weights.cols == 0) return {};
    for (std::size_t r = 0; r < weights.rows; ++r)
        std::transform(weights.row(r), weights.row(r) + weights.cols, gradient.row(r), weights.row(r),
                       [rate](float w, float g) { return static_cast<float>(w - static_cast<double>(rate) * g); });
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
