// right: every sum in double; matrices are halved recursively, the halves on threads of their own; cross_entropy merges pairs (largest, sum) in a binary tree, tokens are grouped by sorting, max_rank is found by bisection in 128 bits

#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

namespace exercise {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class T>
T* row_of(const Matrix<T>& matrix, std::size_t r) {
    return matrix.cols == 0 ? nullptr : matrix.row(r);
}

/// Halves [begin, end) until at most `leaf` are left. The upper levels of the tree have threads.
template <class Leaf>
void halve(std::size_t begin, std::size_t end, std::size_t leaf, int forks, const Leaf& work) {
    if (begin == end) return;
    if (end - begin <= leaf) return work(begin, end);
    const std::size_t middle = begin + (end - begin) / 2;
    if (forks > 0) {
        std::thread other([=, &work] { halve(middle, end, leaf, forks - 1, work); });
        halve(begin, middle, leaf, forks - 1, work);
        other.join();
    } else {
        halve(begin, middle, leaf, 0, work);
        halve(middle, end, leaf, 0, work);
    }
}

/// Levels of the tree with threads: 8 leaves, or none for little work.
int forks_for(std::size_t a, std::size_t b, std::size_t c) {
    return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c) < 4e6 ? 0 : 3;
}

double dot(const float* x, const float* y, std::size_t count) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        s0 += static_cast<double>(x[i]) * y[i];
        s1 += static_cast<double>(x[i + 1]) * y[i + 1];
        s2 += static_cast<double>(x[i + 2]) * y[i + 2];
        s3 += static_cast<double>(x[i + 3]) * y[i + 3];
    }
    for (; i < count; ++i)
        s0 += static_cast<double>(x[i]) * y[i];
    return (s0 + s1) + (s2 + s3);
}

void add_scaled(double* sums, double a, const float* x, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        sums[i] += a * x[i];
}

bool outside(TokenId id, std::size_t limit) {
    return id < 0 || static_cast<std::size_t>(id) >= limit;
}

Status too_many_tokens(std::size_t vocabulary, std::size_t rows) {
    return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary),
            static_cast<std::int64_t>(rows)};
}

/// The first bad id, or ok.
Status check_ids(Ids ids, std::size_t limit) {
    const auto bad = std::find_if(ids.begin(), ids.end(), [&](TokenId id) { return outside(id, limit); });
    if (bad == ids.end()) return {};
    return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, limit);
}

/// Positions, those of one token next to each other and in their order.
std::vector<std::size_t> by_token(Ids ids) {
    std::vector<std::size_t> order(ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return ids[x] < ids[y]; });
    return order;
}

/// Groups of `by_token`: where each token begins, and the end.
std::vector<std::size_t> group_starts(Ids ids, const std::vector<std::size_t>& order) {
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < order.size(); ++i)
        if (i == 0 || ids[order[i]] != ids[order[i - 1]]) starts.push_back(i);
    starts.push_back(order.size());
    return starts;
}

void leaf_logits(Matrix<const float> hidden, Matrix<const float> wte, Matrix<float> logits, std::size_t n0,
                 std::size_t n1, std::size_t v0, std::size_t v1) {
    if (n1 - n0 > 8 && n1 - n0 >= v1 - v0) {
        const std::size_t middle = n0 + (n1 - n0) / 2;
        leaf_logits(hidden, wte, logits, n0, middle, v0, v1);
        leaf_logits(hidden, wte, logits, middle, n1, v0, v1);
    } else if (v1 - v0 > 8) {
        const std::size_t middle = v0 + (v1 - v0) / 2;
        leaf_logits(hidden, wte, logits, n0, n1, v0, middle);
        leaf_logits(hidden, wte, logits, n0, n1, middle, v1);
    } else {
        for (std::size_t n = n0; n < n1; ++n)
            for (std::size_t v = v0; v < v1; ++v)
                logits(n, v) = static_cast<float>(dot(row_of(hidden, n), row_of(wte, v), hidden.cols));
    }
}

/// sum * exp(largest) is the sum of exp over some logits. Where all are -infinity both say so: (-infinity, 0).
/// The sum is NaN where a logit is NaN or +infinity.
struct Exponentials {
    double largest = -infinity;
    double sum = 0;
};

Exponentials merged(Exponentials x, Exponentials y) {
    if (x.largest < y.largest) std::swap(x, y);
    if (y.largest > -infinity) y.sum *= std::exp(y.largest - x.largest);
    return {x.largest, x.sum + y.sum};
}

Exponentials exponentials(const float* x, std::size_t count) {
    if (count > 64) {
        const std::size_t half = count / 2;
        return merged(exponentials(x, half), exponentials(x + half, count - half));
    }
    Exponentials result;
    bool bad = false;
    for (std::size_t v = 0; v < count; ++v) {
        bad = bad || std::isnan(x[v]) || static_cast<double>(x[v]) == infinity;
        if (x[v] > result.largest) result.largest = x[v];
    }
    if (bad) return {result.largest, not_a_number};
    if (result.largest > -infinity)
        for (std::size_t v = 0; v < count; ++v)
            result.sum += std::exp(x[v] - result.largest);
    return result;
}

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.cols != wte.cols || logits.rows != hidden.rows || logits.cols != wte.rows)
        return {Code::shape_mismatch};
    if (vocabulary > wte.rows) return too_many_tokens(vocabulary, wte.rows);
    if (logits.rows == 0 || logits.cols == 0) return {};

    const std::size_t leaf = std::max<std::size_t>(8, vocabulary / 8 + 1);
    halve(0, vocabulary, leaf, forks_for(hidden.rows, vocabulary, hidden.cols),
          [&](std::size_t v0, std::size_t v1) { leaf_logits(hidden, wte, logits, 0, hidden.rows, v0, v1); });
    for (std::size_t n = 0; n < logits.rows; ++n)
        for (std::size_t v = vocabulary; v < logits.cols; ++v)
            logits(n, v) = -std::numeric_limits<float>::infinity();
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    if (dlogits.cols != wte.rows || dhidden.rows != dlogits.rows || dhidden.cols != wte.cols)
        return {Code::shape_mismatch};
    if (vocabulary > wte.rows) return too_many_tokens(vocabulary, wte.rows);
    const std::size_t channels = dhidden.cols;
    if (dhidden.rows == 0 || channels == 0) return {};

    halve(0, dhidden.rows, 8, forks_for(dhidden.rows, vocabulary, channels),
          [&](std::size_t n0, std::size_t n1) {
              std::vector<double> sums((n1 - n0) * channels, 0.0);
              for (std::size_t v = 0; v < vocabulary; ++v)
                  for (std::size_t n = n0; n < n1; ++n)
                      add_scaled(sums.data() + (n - n0) * channels, dlogits(n, v), wte.row(v), channels);
              for (std::size_t n = n0; n < n1; ++n)
                  for (std::size_t c = 0; c < channels; ++c)
                      dhidden(n, c) = static_cast<float>(sums[(n - n0) * channels + c]);
          });
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t positions = ids.size();
    const std::size_t channels = dwte.cols;
    if (dinput.rows != positions || hidden.rows != positions || dlogits.rows != positions ||
        dinput.cols != channels || hidden.cols != channels || dlogits.cols != dwte.rows)
        return {Code::shape_mismatch};
    if (vocabulary > dwte.rows) return too_many_tokens(vocabulary, dwte.rows);
    if (const Status status = check_ids(ids, vocabulary); status.code != Code::ok) return status;
    if (positions == 0 || channels == 0) return {};

    const std::vector<std::size_t> order = by_token(ids);
    halve(0, vocabulary, 8, forks_for(positions, vocabulary, channels), [&](std::size_t v0, std::size_t v1) {
        std::vector<double> sums((v1 - v0) * channels);
        for (std::size_t v = v0; v < v1; ++v)
            std::copy_n(dwte.row(v), channels, sums.data() + (v - v0) * channels);
        for (std::size_t n = 0; n < positions; ++n)
            for (std::size_t v = v0; v < v1; ++v)
                add_scaled(sums.data() + (v - v0) * channels, dlogits(n, v), hidden.row(n), channels);
        auto next = std::lower_bound(order.begin(), order.end(), v0, [&](std::size_t n, std::size_t v) {
            return static_cast<std::size_t>(ids[n]) < v;
        });
        for (; next != order.end() && static_cast<std::size_t>(ids[*next]) < v1; ++next)
            add_scaled(sums.data() + (static_cast<std::size_t>(ids[*next]) - v0) * channels, 1.0,
                       dinput.row(*next), channels);
        for (std::size_t v = v0; v < v1; ++v)
            for (std::size_t c = 0; c < channels; ++c)
                dwte(v, c) = static_cast<float>(sums[(v - v0) * channels + c]);
    });
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    Loss result;
    const std::size_t tokens = logits.cols;
    if (logits.rows != targets.size() || dlogits.rows != targets.size() || dlogits.cols != tokens) {
        result.status = {Code::shape_mismatch};
        return result;
    }
    std::vector<std::size_t> counted;
    for (std::size_t n = 0; n < targets.size(); ++n) {
        if (targets[n] == ignored) continue;
        if (outside(targets[n], tokens)) {
            result.status = Status::id_out_of_range(n, targets[n], tokens);
            return result;
        }
        counted.push_back(n);
    }
    result.counted = counted.size();
    if (targets.empty() || tokens == 0) return result;

    for (std::size_t n = 0; n < targets.size(); ++n)
        if (targets[n] == ignored) std::fill_n(dlogits.row(n), tokens, 0.0F);
    if (counted.empty()) return result;

    const auto count = static_cast<double>(counted.size());
    std::vector<double> losses(counted.size());
    halve(0, counted.size(), 1, forks_for(counted.size(), tokens, 8), [&](std::size_t i, std::size_t) {
        const std::size_t n = counted[i];
        const float* x = logits.row(n);
        float* to = dlogits.row(n);
        const Exponentials row = exponentials(x, tokens);
        if (!(row.sum > 0)) { // NaN, or 0 where all are -infinity
            std::fill_n(to, tokens, std::numeric_limits<float>::quiet_NaN());
            losses[i] = not_a_number;
            return;
        }
        const auto target = static_cast<std::size_t>(targets[n]);
        for (std::size_t v = 0; v < tokens; ++v) {
            const double p = std::exp(x[v] - row.largest) / row.sum;
            to[v] = static_cast<float>((v == target ? p - 1 : p) / count);
        }
        losses[i] = std::log(row.sum) - (x[target] - row.largest);
    });
    result.mean = std::accumulate(losses.begin(), losses.end(), 0.0) / count;
    return result;
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || out.rows != ids.size() || out.cols != b.cols) return {Code::shape_mismatch};
    if (const Status status = check_ids(ids, a.rows); status.code != Code::ok) return status;
    const std::size_t channels = out.cols;
    if (out.rows == 0 || channels == 0) return {};

    // The row of each token that occurs, once; its other positions get copies.
    const std::vector<std::size_t> order = by_token(ids);
    const std::vector<std::size_t> starts = group_starts(ids, order);
    const std::size_t leaf = std::max<std::size_t>(1, starts.size() / 8);
    halve(0, starts.size() - 1, leaf, forks_for(starts.size(), a.cols, channels),
          [&](std::size_t g0, std::size_t g1) {
              std::vector<double> sums(channels);
              for (std::size_t g = g0; g < g1; ++g) {
                  std::fill(sums.begin(), sums.end(), 0.0);
                  const auto token = static_cast<std::size_t>(ids[order[starts[g]]]);
                  for (std::size_t r = 0; r < a.cols; ++r)
                      add_scaled(sums.data(), a(token, r), b.row(r), channels);
                  for (std::size_t i = starts[g]; i < starts[g + 1]; ++i)
                      for (std::size_t c = 0; c < channels; ++c)
                          out(order[i], c) = static_cast<float>(sums[c]);
              }
          });
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t channels = b.cols;
    const std::size_t rank = b.rows;
    if (dout.rows != ids.size() || dout.cols != channels || a.cols != rank || da.rows != a.rows ||
        da.cols != rank || db.rows != rank || db.cols != channels)
        return {Code::shape_mismatch};
    if (const Status status = check_ids(ids, a.rows); status.code != Code::ok) return status;
    if (ids.empty() || rank == 0 || channels == 0) return {};

    const std::vector<std::size_t> order = by_token(ids);
    const std::vector<std::size_t> starts = group_starts(ids, order);
    halve(0, rank, std::max<std::size_t>(1, rank / 8), forks_for(ids.size(), rank, channels),
          [&](std::size_t r0, std::size_t r1) {
              std::vector<double> rows((r1 - r0) * channels);
              for (std::size_t r = r0; r < r1; ++r)
                  std::copy_n(db.row(r), channels, rows.data() + (r - r0) * channels);
              std::vector<double> sums(r1 - r0);
              for (std::size_t g = 0; g + 1 < starts.size(); ++g) {
                  const auto token = static_cast<std::size_t>(ids[order[starts[g]]]);
                  std::copy_n(da.row(token) + r0, r1 - r0, sums.data());
                  for (std::size_t i = starts[g]; i < starts[g + 1]; ++i) {
                      const float* gradient = dout.row(order[i]);
                      for (std::size_t r = r0; r < r1; ++r) {
                          sums[r - r0] += dot(gradient, b.row(r), channels);
                          add_scaled(rows.data() + (r - r0) * channels, a(token, r), gradient, channels);
                      }
                  }
                  for (std::size_t r = r0; r < r1; ++r)
                      da(token, r) = static_cast<float>(sums[r - r0]);
              }
              for (std::size_t r = r0; r < r1; ++r)
                  for (std::size_t c = 0; c < channels; ++c)
                      db(r, c) = static_cast<float>(rows[(r - r0) * channels + c]);
          });
    return {};
}

TableCounts count(TableSizes sizes) {
    using Wide = unsigned __int128;
    const std::uint64_t table = sizes.vocabulary * sizes.channels;
    TableCounts counts;
    counts.tied = table + sizes.others;
    counts.untied = counts.tied + table;
    counts.saved_share =
        counts.untied == 0 ? 0.0 : static_cast<double>(table) / static_cast<double>(counts.untied);
    counts.factorised = sizes.rank * sizes.vocabulary + sizes.rank * sizes.channels;

    // rank `low` saves something (or is 0), rank `high` does not: C (V + C) >= V C
    const Wide sum = Wide{sizes.vocabulary} + sizes.channels;
    std::uint64_t low = 0;
    std::uint64_t high = std::max<std::uint64_t>(sizes.channels, 1);
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        (middle * sum < table ? low : high) = middle;
    }
    counts.max_rank = low;
    return counts;
}

} // namespace exercise
