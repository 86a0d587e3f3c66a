// right: equal ids have equal logits, so the batch becomes a sorted list of distinct ids with the counts of their targets, and all products are made once for each distinct id, over whole matrices.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace exercise {
namespace {

/// A dense matrix of doubles.
class Block {
  public:
    Block() = default;
    Block(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols), values_(rows * cols) {}
    explicit Block(Matrix<const float> from) : Block(from.rows, from.cols) {
        for (std::size_t r = 0; r < rows_ && cols_ != 0; ++r)
            std::copy_n(from.row(r), cols_, row(r));
    }

    std::size_t rows() const { return rows_; }
    std::size_t cols() const { return cols_; }
    double* row(std::size_t r) { return values_.data() + r * cols_; }
    const double* row(std::size_t r) const { return values_.data() + r * cols_; }

    /// Each float of `to` becomes f(what it is, the double here).
    template <class F>
    void onto(Matrix<float> to, F f) const {
        for (std::size_t r = 0; r < rows_ && cols_ != 0; ++r)
            std::transform(to.row(r), to.row(r) + cols_, row(r), to.row(r), f);
    }

  private:
    std::size_t rows_ = 0, cols_ = 0;
    std::vector<double> values_;
};

void axpy(double a, const double* x, std::size_t size, double* y) {
    for (std::size_t i = 0; i < size; ++i)
        y[i] += a * x[i];
}

double dot(const double* x, const double* y, std::size_t size) {
    double lane[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= size; i += 4)
        for (std::size_t j = 0; j < 4; ++j)
            lane[j] += x[i + j] * y[i + j];
    for (; i < size; ++i)
        lane[0] += x[i] * y[i];
    return lane[0] + lane[1] + (lane[2] + lane[3]);
}

/// For each distinct id that counts somewhere: how often each target follows it.
struct Followers {
    TokenId id;
    double times = 0;
    std::vector<std::pair<TokenId, double>> targets;
};

std::vector<Followers> group(Ids ids, Ids targets, TokenId ignored) {
    std::vector<std::pair<TokenId, TokenId>> pairs;
    pairs.reserve(ids.size());
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (targets[n] != ignored) pairs.emplace_back(ids[n], targets[n]);
    std::sort(pairs.begin(), pairs.end());
    std::vector<Followers> groups;
    for (const auto& [id, target] : pairs) {
        if (groups.empty() || groups.back().id != id) groups.push_back({id, 0, {}});
        Followers& group = groups.back();
        group.times += 1;
        if (group.targets.empty() || group.targets.back().first != target) group.targets.emplace_back(target, 0);
        group.targets.back().second += 1;
    }
    return groups;
}

bool good(TokenId id, std::size_t vocabulary) {
    return static_cast<std::uint64_t>(std::int64_t{id}) < vocabulary;
}

Status check(std::size_t vocabulary, Ids ids, Ids targets, TokenId ignored) {
    const auto bad_id =
        std::find_if_not(ids.begin(), ids.end(), [&](TokenId id) { return good(id, vocabulary); });
    if (bad_id != ids.end())
        return Status::id_out_of_range(static_cast<std::size_t>(bad_id - ids.begin()), *bad_id, vocabulary);
    const auto bad_target = std::find_if_not(targets.begin(), targets.end(), [&](TokenId id) {
        return id == ignored || good(id, vocabulary);
    });
    if (bad_target != targets.end())
        return Status::id_out_of_range(static_cast<std::size_t>(bad_target - targets.begin()), *bad_target,
                                       vocabulary);
    return {};
}

bool fits(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets) {
    return mix.rows == wte.cols && mix.cols == wte.cols && ids.size() == targets.size();
}

bool allowed(float value) {
    return value >= 0 && value <= std::numeric_limits<float>::max();
}

/// The whole computation. The gradients are made only if there is a place for them.
struct Gradients {
    Block dwte, dmix;
};
Loss run(Matrix<const float> wte_view, Matrix<const float> mix_view, Ids ids, Ids targets, TokenId ignored,
         Gradients* gradients) {
    const Block wte(wte_view), mix(mix_view);
    const std::size_t V = wte.rows(), C = wte.cols();
    const std::vector<Followers> groups = group(ids, targets, ignored);
    Loss loss;
    loss.counted = static_cast<std::size_t>(
        std::count_if(targets.begin(), targets.end(), [&](TokenId target) { return target != ignored; }));
    if (gradients) *gradients = {Block(V, C), Block(C, C)};
    if (loss.counted == 0) return loss;
    const double K = static_cast<double>(loss.counted);

    std::vector<double> hidden(C), dhidden(C), logits(V);
    for (const Followers& group : groups) {
        const double* const own = wte.row(static_cast<std::size_t>(group.id));
        std::fill(hidden.begin(), hidden.end(), 0.0);
        for (std::size_t k = 0; k < C; ++k)
            axpy(own[k], mix.row(k), C, hidden.data());
        for (std::size_t v = 0; v < V; ++v)
            logits[v] = dot(hidden.data(), wte.row(v), C);

        const double top = *std::max_element(logits.begin(), logits.end());
        double below_top = 0; // sum over the targets of top - logit
        for (const auto& [target, times] : group.targets)
            below_top += times * (top - logits[static_cast<std::size_t>(target)]);
        double total = 0;
        for (double& logit : logits)
            total += logit = std::exp(logit - top);
        loss.mean += group.times * std::log(total) + below_top;
        if (!gradients) continue;

        // logits now becomes dlogits, summed over all positions of this id
        for (double& p : logits)
            p = group.times * (p / total);
        for (const auto& [target, times] : group.targets)
            logits[static_cast<std::size_t>(target)] -= times;
        for (double& d : logits)
            d /= K;
        std::fill(dhidden.begin(), dhidden.end(), 0.0);
        for (std::size_t v = 0; v < V; ++v) {
            axpy(logits[v], wte.row(v), C, dhidden.data());
            axpy(logits[v], hidden.data(), C, gradients->dwte.row(v));
        }
        double* const lookup = gradients->dwte.row(static_cast<std::size_t>(group.id));
        for (std::size_t k = 0; k < C; ++k) {
            axpy(own[k], dhidden.data(), C, gradients->dmix.row(k));
            lookup[k] += dot(dhidden.data(), mix.row(k), C);
        }
    }
    loss.mean /= K;
    return loss;
}

float replace(float, double value) {
    return static_cast<float>(value);
}

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    if (mix.rows != wte.cols || mix.cols != wte.cols) return {Code::shape_mismatch};
    if (!allowed(spread)) return {Code::invalid_argument};
    if (wte.cols == 0) return {};
    std::uint64_t index = 0;
    for (std::size_t v = 0; v < wte.rows; ++v)
        std::generate_n(wte.row(v), wte.cols, [&] {
            return static_cast<float>((2 * uniform(seed, index++) - 1) * static_cast<double>(spread));
        });
    for (std::size_t k = 0; k < mix.rows; ++k) {
        std::fill_n(mix.row(k), mix.cols, 0.0F);
        mix(k, k) = 1.0F;
    }
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    if (!fits(wte, mix, ids, targets)) return {.status = {Code::shape_mismatch}};
    if (const Status status = check(wte.rows, ids, targets, ignored); status != Status{})
        return {.status = status};
    return run(wte, mix, ids, targets, ignored, nullptr);
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    if (!fits(wte, mix, ids, targets) || dwte.rows != wte.rows || dwte.cols != wte.cols ||
        dmix.rows != mix.rows || dmix.cols != mix.cols)
        return {.status = {Code::shape_mismatch}};
    if (const Status status = check(wte.rows, ids, targets, ignored); status != Status{})
        return {.status = status};
    Gradients made;
    const Loss loss = run(wte, mix, ids, targets, ignored, &made);
    made.dwte.onto(dwte, replace);
    made.dmix.onto(dmix, replace);
    return loss;
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (gradient.rows != weights.rows || gradient.cols != weights.cols) return {Code::shape_mismatch};
    if (!allowed(rate)) return {Code::invalid_argument};
    if (rate == 0 || weights.cols == 0) return {};
    for (std::size_t r = 0; r < weights.rows; ++r)
        std::transform(weights.row(r), weights.row(r) + weights.cols, gradient.row(r), weights.row(r),
                       [rate](double w, double g) { return static_cast<float>(w - rate * g); });
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    if (!fits(wte, mix, ids, targets)) return {.status = {Code::shape_mismatch}};
    if (!allowed(rate)) return {.status = {Code::invalid_argument}};
    if (const Status status = check(wte.rows, ids, targets, ignored); status != Status{})
        return {.status = status};
    if (rate == 0) return run(wte, mix, ids, targets, ignored, nullptr);
    Gradients made;
    const Loss loss = run(wte, mix, ids, targets, ignored, &made);
    const auto descend = [rate](float w, double g) { return static_cast<float>(w - rate * g); };
    made.dwte.onto(wte, descend);
    made.dmix.onto(mix, descend);
    return loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    if (out.size() != wte.rows) return {Code::shape_mismatch};
    if (!good(token, wte.rows)) return Status::id_out_of_range(0, token, wte.rows);
    const auto product = [&](std::size_t a, std::size_t b) {
        double sum = 0;
        for (std::size_t c = 0; c < wte.cols; ++c)
            sum += static_cast<double>(wte(a, c)) * wte(b, c);
        return sum;
    };
    const auto self = static_cast<std::size_t>(token);
    const double length = std::sqrt(product(self, self));
    for (std::size_t v = 0; v < wte.rows; ++v) {
        const double other = std::sqrt(product(v, v));
        out[v] = length > 0 && other > 0 ? static_cast<float>(product(self, v) / (length * other)) : 0.0F;
    }
    return {};
}

} // namespace exercise
