// right: two phases with four threads each for large batches: first every position by itself, then every row of the two gradients by itself, so that no thread shares a sum
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <system_error>
#include <thread>
#include <vector>

namespace exercise {

namespace {

void in_parallel(std::size_t count, bool worth_it, const std::function<void(std::size_t)>& work) {
    const std::size_t ways = worth_it ? 4 : 1;
    const auto every = [&](std::size_t first) {
        for (std::size_t i = first; i < count; i += ways)
            work(i);
    };
    std::vector<std::thread> threads;
    threads.reserve(ways);
    std::size_t started = 1;
    for (; started < ways; ++started) {
        try {
            threads.emplace_back(every, started);
        } catch (const std::system_error&) {
            break;
        }
    }
    every(0);
    for (std::size_t rest = started; rest < ways; ++rest)
        every(rest);
    for (std::thread& thread : threads)
        thread.join();
}

class Batch {
  public:
    Batch(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored)
        : wte_(wte), mix_(mix), V_(wte.rows), C_(wte.cols) {
        for (std::size_t n = 0; n < ids.size(); ++n)
            if (targets[n] != ignored) {
                ids_.push_back(static_cast<std::size_t>(ids[n]));
                targets_.push_back(static_cast<std::size_t>(targets[n]));
            }
        worth_it_ = ids_.size() * V_ * (C_ + 1) > 500'000;
        hidden_.resize(K() * C_);
        dhidden_.resize(K() * C_);
        dlogits_.resize(K() * V_);
        losses_.resize(K());
        in_parallel(K(), worth_it_, [this](std::size_t n) { position(n); });
    }

    std::size_t K() const { return ids_.size(); }

    double mean() const {
        double sum = 0;
        for (const double loss : losses_)
            sum += loss;
        return K() == 0 ? 0.0 : sum / static_cast<double>(K());
    }

    /// The gradients, in double: dwte (V, C), then dmix (C, C).
    std::vector<double> gradients() const {
        std::vector<double> all((V_ + C_) * C_, 0.0);
        std::vector<std::vector<std::size_t>> readers(V_);
        for (std::size_t n = 0; n < K(); ++n)
            readers[ids_[n]].push_back(n);
        in_parallel(V_ + C_, worth_it_, [&](std::size_t row) {
            double* g = all.data() + row * C_;
            if (row < V_) {
                for (std::size_t n = 0; n < K(); ++n)
                    for (std::size_t c = 0; c < C_; ++c)
                        g[c] += dlogits_[n * V_ + row] * hidden_[n * C_ + c];
                for (const std::size_t n : readers[row])
                    for (std::size_t c = 0; c < C_; ++c)
                        for (std::size_t k = 0; k < C_; ++k)
                            g[c] += dhidden_[n * C_ + k] * static_cast<double>(mix_(c, k));
            } else {
                for (std::size_t n = 0; n < K(); ++n)
                    for (std::size_t c = 0; c < C_; ++c)
                        g[c] += static_cast<double>(wte_(ids_[n], row - V_)) * dhidden_[n * C_ + c];
            }
        });
        return all;
    }

  private:
    void position(std::size_t n) {
        double* hidden = hidden_.data() + n * C_;
        double* dhidden = dhidden_.data() + n * C_;
        double* x = dlogits_.data() + n * V_;
        for (std::size_t k = 0; k < C_; ++k)
            for (std::size_t c = 0; c < C_; ++c)
                hidden[c] += static_cast<double>(wte_(ids_[n], k)) * static_cast<double>(mix_(k, c));
        for (std::size_t v = 0; v < V_; ++v)
            for (std::size_t c = 0; c < C_; ++c)
                x[v] += hidden[c] * static_cast<double>(wte_(v, c));
        const double m = *std::max_element(x, x + V_);
        double sum = 0;
        for (std::size_t v = 0; v < V_; ++v)
            sum += std::exp(x[v] - m);
        losses_[n] = std::log(sum) - (x[targets_[n]] - m);
        for (std::size_t v = 0; v < V_; ++v) {
            const double p = std::exp(x[v] - m) / sum;
            x[v] = (v == targets_[n] ? p - 1.0 : p) / static_cast<double>(K());
            for (std::size_t c = 0; c < C_; ++c)
                dhidden[c] += x[v] * static_cast<double>(wte_(v, c));
        }
    }

    Matrix<const float> wte_, mix_;
    std::size_t V_, C_;
    bool worth_it_ = false;
    std::vector<std::size_t> ids_, targets_;
    std::vector<double> hidden_, dhidden_, dlogits_, losses_;
};

Status check_sizes(bool good) {
    Status status;
    if (!good) status.code = Code::shape_mismatch;
    return status;
}

Status check_number(float x) {
    Status status;
    if (std::isnan(x) || std::isinf(x) || x < 0) status.code = Code::invalid_argument;
    return status;
}

Status check_tokens(Ids tokens, std::size_t V, const TokenId* ignored) {
    for (std::size_t n = 0; n < tokens.size(); ++n) {
        if (ignored != nullptr && tokens[n] == *ignored) continue;
        if (tokens[n] < 0 || static_cast<std::size_t>(tokens[n]) >= V)
            return Status::id_out_of_range(n, tokens[n], V);
    }
    return {};
}

/// The first of several refusals; the later checks are made only where those before find nothing.
Status first_of(Status status) {
    return status;
}

template <class... Rest>
Status first_of(Status status, const std::function<Status()>& next, const Rest&... rest) {
    return status.code != Code::ok ? status : first_of(next(), rest...);
}

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    const std::size_t C = wte.cols;
    Status status = check_sizes(mix.rows == C && mix.cols == C);
    if (status.code == Code::ok) status = check_number(spread);
    if (status.code != Code::ok) return status;
    for (std::size_t v = wte.rows; v-- > 0;)
        for (std::size_t c = C; c-- > 0;)
            wte(v, c) = static_cast<float>((2 * uniform(seed, v * C + c) - 1) * static_cast<double>(spread));
    for (std::size_t k = 0; k < C; ++k)
        for (std::size_t c = 0; c < C; ++c)
            mix(k, c) = static_cast<float>(k == c);
    return status;
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    Loss loss;
    loss.status = first_of(
        check_sizes(mix.rows == wte.cols && mix.cols == wte.cols && ids.size() == targets.size()),
        std::function<Status()>([&] { return check_tokens(ids, wte.rows, nullptr); }),
        std::function<Status()>([&] { return check_tokens(targets, wte.rows, &ignored); }));
    if (loss.status.code != Code::ok) return loss;
    const Batch batch(wte, mix, ids, targets, ignored);
    loss.mean = batch.mean();
    loss.counted = batch.K();
    return loss;
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    const std::size_t V = wte.rows, C = wte.cols;
    Loss loss;
    loss.status = first_of(
        check_sizes(mix.rows == C && mix.cols == C && ids.size() == targets.size() && dwte.rows == V &&
                    dwte.cols == C && dmix.rows == C && dmix.cols == C),
        std::function<Status()>([&] { return check_tokens(ids, V, nullptr); }),
        std::function<Status()>([&] { return check_tokens(targets, V, &ignored); }));
    if (loss.status.code != Code::ok) return loss;
    const Batch batch(wte, mix, ids, targets, ignored);
    loss.mean = batch.mean();
    loss.counted = batch.K();
    const std::vector<double> g = batch.gradients();
    for (std::size_t r = 0; r < V + C; ++r)
        for (std::size_t c = 0; c < C; ++c)
            (r < V ? dwte(r, c) : dmix(r - V, c)) = static_cast<float>(g[r * C + c]);
    return loss;
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    const Status status = first_of(
        check_sizes(gradient.rows == weights.rows && gradient.cols == weights.cols),
        std::function<Status()>([&] { return check_number(rate); }));
    if (status.code != Code::ok || rate == 0) return status;
    for (std::size_t r = 0; r < weights.rows; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c)
            weights(r, c) -= rate * gradient(r, c); // in float: two roundings
    return status;
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    const std::size_t V = wte.rows, C = wte.cols;
    Loss loss;
    loss.status = first_of(
        check_sizes(mix.rows == C && mix.cols == C && ids.size() == targets.size()),
        std::function<Status()>([&] { return check_number(rate); }),
        std::function<Status()>([&] { return check_tokens(ids, V, nullptr); }),
        std::function<Status()>([&] { return check_tokens(targets, V, &ignored); }));
    if (loss.status.code != Code::ok) return loss;
    const Batch batch(wte, mix, ids, targets, ignored);
    loss.mean = batch.mean();
    loss.counted = batch.K();
    if (rate == 0) return loss;
    const std::vector<double> g = batch.gradients();
    for (std::size_t r = 0; r < V + C; ++r)
        for (std::size_t c = 0; c < C; ++c) {
            float& w = r < V ? wte(r, c) : mix(r - V, c);
            w = static_cast<float>(static_cast<double>(w) - static_cast<double>(rate) * g[r * C + c]);
        }
    return loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    if (out.size() != wte.rows) return check_sizes(false);
    if (const Status bad = check_tokens(Ids(&token, 1), wte.rows, nullptr); bad.code != Code::ok) return bad;
    const std::size_t t = static_cast<std::size_t>(token);
    in_parallel(wte.rows, wte.rows * wte.cols > 500'000, [&](std::size_t v) {
        double own = 0, other = 0, both = 0;
        for (std::size_t c = 0; c < wte.cols; ++c) {
            const double x = wte(t, c), y = wte(v, c);
            own += x * x;
            other += y * y;
            both += x * y;
        }
        const double squares = own * other;
        out[v] = squares > 0 ? static_cast<float>(both / std::sqrt(squares)) : 0.0f;
    });
    return {};
}

} // namespace exercise
