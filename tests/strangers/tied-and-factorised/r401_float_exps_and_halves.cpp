// right: dot products are summed in halves, other sums from the last term to the first, all in double; cross_entropy keeps its exponentials, in float, in the row of dlogits and adds only them up in double; rows are shared out to threads that are joined.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

namespace exercise {

namespace {

/// Calls `part(first, last)` for parts of [0, count), each in a thread of its own where there is much work.
template <class Part>
void in_parts(std::size_t count, std::size_t work_each, Part part) {
    constexpr std::size_t most = 4;
    if (count < 2 || count * work_each < 200'000) return part(std::size_t{0}, count);
    const std::size_t workers = std::min(count, most);
    std::vector<std::jthread> threads;
    for (std::size_t w = 1; w < workers; ++w)
        threads.emplace_back(part, count * w / workers, count * (w + 1) / workers);
    part(std::size_t{0}, count / workers);
}

/// From the middle outwards: halves of their own, down to eight products.
double dot(const float* x, const float* y, std::size_t n) {
    if (n > 16) {
        const std::size_t half = n / 2;
        return dot(x, y, half) + dot(x + half, y + half, n - half);
    }
    double sum = 0;
    while (n-- > 0)
        sum += static_cast<double>(x[n]) * y[n];
    return sum;
}

/// sum += factor * row
void add(std::vector<double>& sum, double factor, const float* row) {
    for (std::size_t c = 0; c < sum.size(); ++c)
        sum[c] += factor * row[c];
}

Status check_vocabulary(std::size_t vocabulary, std::size_t rows) {
    if (vocabulary <= rows) return {};
    return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(rows)};
}

Status check_ids(Ids ids, std::size_t limit) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= limit) return Status::id_out_of_range(n, ids[n], limit);
    return {};
}

/// Positions, sorted by the token that stands there.
std::vector<std::pair<TokenId, std::size_t>> by_token(Ids ids) {
    std::vector<std::pair<TokenId, std::size_t>> places;
    places.reserve(ids.size());
    for (std::size_t n = 0; n < ids.size(); ++n)
        places.emplace_back(ids[n], n);
    std::sort(places.begin(), places.end());
    return places;
}

bool same_shape(const Matrix<const float>& x, const Matrix<const float>& y) {
    return x.rows == y.rows && x.cols == y.cols;
}

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.cols != wte.cols || logits.rows != hidden.rows || logits.cols != wte.rows)
        return {Code::shape_mismatch};
    if (const Status status = check_vocabulary(vocabulary, wte.rows); status.code != Code::ok) return status;
    if (logits.cols == 0) return {};
    in_parts(hidden.rows, wte.rows * hidden.cols, [&](std::size_t first, std::size_t last) {
        for (std::size_t n = first; n < last; ++n) {
            float* to = logits.row(n);
            for (std::size_t v = wte.rows; v-- > 0;)
                to[v] = v < vocabulary ? static_cast<float>(dot(hidden.row(n), wte.row(v), hidden.cols))
                                       : -std::numeric_limits<float>::infinity();
        }
    });
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    if (dlogits.cols != wte.rows || dhidden.rows != dlogits.rows || dhidden.cols != wte.cols)
        return {Code::shape_mismatch};
    if (const Status status = check_vocabulary(vocabulary, wte.rows); status.code != Code::ok) return status;
    if (dhidden.cols == 0) return {};
    in_parts(dlogits.rows, wte.rows * wte.cols, [&](std::size_t first, std::size_t last) {
        std::vector<double> sum(wte.cols);
        for (std::size_t n = first; n < last; ++n) {
            std::fill(sum.begin(), sum.end(), 0.0);
            for (std::size_t v = vocabulary; v-- > 0;)
                add(sum, dlogits(n, v), wte.row(v));
            std::copy(sum.begin(), sum.end(), dhidden.row(n));
        }
    });
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    if (dinput.rows != ids.size() || hidden.rows != ids.size() || dlogits.rows != ids.size() ||
        dinput.cols != dwte.cols || hidden.cols != dwte.cols || dlogits.cols != dwte.rows)
        return {Code::shape_mismatch};
    if (const Status status = check_vocabulary(vocabulary, dwte.rows); status.code != Code::ok) return status;
    if (const Status status = check_ids(ids, vocabulary); status.code != Code::ok) return status;
    if (ids.empty() || dwte.cols == 0) return {};

    const auto places = by_token(ids);
    in_parts(vocabulary, ids.size() * dwte.cols, [&](std::size_t first, std::size_t last) {
        std::vector<double> sum(dwte.cols);
        auto place = std::lower_bound(places.begin(), places.end(),
                                      std::pair{static_cast<TokenId>(first), std::size_t{0}});
        for (std::size_t v = first; v < last; ++v) {
            float* row = dwte.row(v);
            std::copy(row, row + dwte.cols, sum.begin());
            for (; place != places.end() && static_cast<std::size_t>(place->first) == v; ++place)
                add(sum, 1, dinput.row(place->second));
            for (std::size_t n = ids.size(); n-- > 0;)
                add(sum, dlogits(n, v), hidden.row(n));
            std::copy(sum.begin(), sum.end(), row);
        }
    });
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    Loss loss;
    if (targets.size() != logits.rows || !same_shape(logits, dlogits)) {
        loss.status = {Code::shape_mismatch};
        return loss;
    }
    const std::size_t vocabulary = logits.cols;
    std::size_t counted = 0;
    for (std::size_t n = 0; n < targets.size(); ++n) {
        if (targets[n] == ignored) continue;
        if (targets[n] < 0 || static_cast<std::size_t>(targets[n]) >= vocabulary) {
            loss.status = Status::id_out_of_range(n, targets[n], vocabulary);
            return loss;
        }
        ++counted;
    }

    const auto count = static_cast<double>(counted);
    std::vector<double> losses(targets.size());
    in_parts(targets.size(), 8 * vocabulary, [&](std::size_t first, std::size_t last) {
        for (std::size_t n = first; n < last; ++n) {
            if (vocabulary == 0) continue; // nothing to write
            float* to = dlogits.row(n);
            if (targets[n] == ignored) {
                std::fill_n(to, vocabulary, 0.0F);
                continue;
            }
            const float* x = logits.row(n);
            float most = -std::numeric_limits<float>::infinity();
            bool sound = true;
            for (std::size_t v = 0; v < vocabulary; ++v) {
                sound = sound && x[v] < std::numeric_limits<float>::infinity(); // not so for NaN
                most = std::max(most, x[v]);
            }
            if (!sound || std::isinf(most)) {
                losses[n] = std::numeric_limits<double>::quiet_NaN();
                std::fill_n(to, vocabulary, std::numeric_limits<float>::quiet_NaN());
                continue;
            }
            // The row of dlogits first holds the exponentials, in float; only their sum is a double.
            double sum = 0;
            for (std::size_t v = 0; v < vocabulary; ++v)
                sum += to[v] = std::exp(x[v] - most);
            const auto target = static_cast<std::size_t>(targets[n]);
            losses[n] = std::log(sum) - (static_cast<double>(x[target]) - most);
            for (std::size_t v = 0; v < vocabulary; ++v)
                to[v] = static_cast<float>((to[v] / sum - (v == target ? 1 : 0)) / count);
        }
    });
    for (const double each : losses)
        loss.mean += each;
    if (counted > 0) loss.mean /= count;
    loss.counted = counted;
    return loss;
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || out.rows != ids.size() || out.cols != b.cols) return {Code::shape_mismatch};
    if (const Status status = check_ids(ids, a.rows); status.code != Code::ok) return status;
    if (out.cols == 0) return {};
    in_parts(ids.size(), a.cols * b.cols, [&](std::size_t first, std::size_t last) {
        std::vector<double> sum(b.cols);
        for (std::size_t n = first; n < last; ++n) {
            const float* row = a.row(static_cast<std::size_t>(ids[n]));
            std::fill(sum.begin(), sum.end(), 0.0);
            for (std::size_t r = 0; r < a.cols; ++r)
                add(sum, row[r], b.row(r));
            std::copy(sum.begin(), sum.end(), out.row(n));
        }
    });
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    if (a.cols != b.rows || dout.rows != ids.size() || dout.cols != b.cols || !same_shape(a, da) ||
        !same_shape(b, db))
        return {Code::shape_mismatch};
    if (const Status status = check_ids(ids, a.rows); status.code != Code::ok) return status;
    if (ids.empty() || a.cols == 0) return {};

    const auto places = by_token(ids);
    std::vector<double> sum(a.cols);
    for (std::size_t i = 0; i < places.size();) {
        const TokenId token = places[i].first;
        float* row = da.row(static_cast<std::size_t>(token));
        std::copy(row, row + a.cols, sum.begin());
        for (; i < places.size() && places[i].first == token; ++i)
            for (std::size_t r = 0; r < a.cols; ++r)
                sum[r] += dot(dout.row(places[i].second), b.row(r), b.cols);
        std::copy(sum.begin(), sum.end(), row);
    }

    if (b.cols == 0) return {};
    in_parts(b.rows, ids.size() * b.cols, [&](std::size_t first, std::size_t last) {
        std::vector<double> total(b.cols);
        for (std::size_t r = first; r < last; ++r) {
            float* row = db.row(r);
            std::copy(row, row + b.cols, total.begin());
            for (std::size_t n = 0; n < ids.size(); ++n)
                add(total, a(static_cast<std::size_t>(ids[n]), r), dout.row(n));
            std::copy(total.begin(), total.end(), row);
        }
    });
    return {};
}

TableCounts count(TableSizes sizes) {
    const std::uint64_t table = sizes.vocabulary * sizes.channels;
    TableCounts counts;
    counts.tied = table + sizes.others;
    counts.untied = 2 * table + sizes.others;
    if (counts.untied > 0) counts.saved_share = static_cast<double>(table) / static_cast<double>(counts.untied);
    counts.factorised = sizes.rank * (sizes.vocabulary + sizes.channels);
    if (table > 0) counts.max_rank = (table - 1) / (sizes.vocabulary + sizes.channels);
    return counts;
}

} // namespace exercise
