// Fault: table_gradient skips positions whose dlogits are all zero, although hidden may be infinite or NaN.
// Origin: round 13
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

namespace exercise {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

template <class T>
bool shaped(const Matrix<T>& m, std::size_t rows, std::size_t cols) {
    return m.rows == rows && m.cols == cols;
}

Status too_many(std::size_t vocabulary, std::size_t rows) {
    return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary),
            static_cast<std::int64_t>(rows)};
}

Status check_ids(Ids ids, std::size_t vocabulary) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::uint64_t>(ids[n]) >= vocabulary)
            return Status::id_out_of_range(n, ids[n], vocabulary);
    return {};
}

/// Places of the ids, sorted by id, equal ones in reading order.
[[maybe_unused]] std::vector<std::size_t> by_token(Ids ids) {
    std::vector<std::size_t> places(ids.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::stable_sort(places.begin(), places.end(),
                     [&](std::size_t p, std::size_t q) { return ids[p] < ids[q]; });
    return places;
}

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.cols != wte.cols || !shaped(logits, hidden.rows, wte.rows)) return {Code::shape_mismatch};
    if (vocabulary > wte.rows) return too_many(vocabulary, wte.rows);
    for (std::size_t n = 0; n < hidden.rows; ++n) {
        for (std::size_t v = 0; v < vocabulary; ++v) {
            double sum = 0;
            for (std::size_t c = 0; c < hidden.cols; ++c)
                sum += static_cast<double>(hidden(n, c)) * wte(v, c);
            logits(n, v) = static_cast<float>(sum);
        }
        for (std::size_t v = vocabulary; v < wte.rows; ++v)
            logits(n, v) = -infinity;
    }
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    if (dlogits.cols != wte.rows || !shaped(dhidden, dlogits.rows, wte.cols)) return {Code::shape_mismatch};
    if (vocabulary > wte.rows) return too_many(vocabulary, wte.rows);
    if (dhidden.rows == 0 || dhidden.cols == 0) return {};
    std::vector<double> sum(dhidden.cols);
    for (std::size_t n = 0; n < dhidden.rows; ++n) {
        std::fill(sum.begin(), sum.end(), 0.0);
        for (std::size_t v = 0; v < vocabulary; ++v) {
            const double factor = dlogits(n, v);
            const float* row = wte.row(v);
            for (std::size_t c = 0; c < sum.size(); ++c)
                sum[c] += factor * row[c];
        }
        for (std::size_t c = 0; c < sum.size(); ++c)
            dhidden(n, c) = static_cast<float>(sum[c]);
    }
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size(), C = dwte.cols;
    if (!shaped(dinput, N, C) || !shaped(hidden, N, C) || !shaped(dlogits, N, dwte.rows))
        return {Code::shape_mismatch};
    if (vocabulary > dwte.rows) return too_many(vocabulary, dwte.rows);
    if (const Status status = check_ids(ids, vocabulary); status.code != Code::ok) return status;
    if (C == 0) return {};

    // Ignored positions have rows of zeros in dlogits: the head need not visit them again for each token.
    std::vector<std::size_t> active;
    for (std::size_t n = 0; n < N; ++n) {
        const float* row = dlogits.row(n);
        if (std::any_of(row, row + vocabulary, [](float d) { return d != 0; })) active.push_back(n);
    }
    // Where the places of each token begin in `places`.
    const std::vector<std::size_t> places = by_token(ids);
    auto place = places.begin();
    std::vector<double> head(C);
    for (std::size_t v = 0; v < vocabulary && N > 0; ++v) {
        const auto first = place;
        while (place != places.end() && static_cast<std::size_t>(ids[*place]) == v)
            ++place;
        if (active.empty() && first == place) continue;
        std::fill(head.begin(), head.end(), 0.0);
        for (const std::size_t n : active)
            for (std::size_t c = 0; c < C; ++c)
                head[c] += static_cast<double>(dlogits(n, v)) * hidden(n, c);
        for (auto p = first; p != place; ++p)
            for (std::size_t c = 0; c < C; ++c)
                head[c] += dinput(*p, c);
        for (std::size_t c = 0; c < C; ++c)
            dwte(v, c) = static_cast<float>(dwte(v, c) + head[c]);
    }
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t N = targets.size(), V = logits.cols;
    if (logits.rows != N || !shaped(dlogits, N, V)) return {{Code::shape_mismatch}};
    std::size_t counted = 0;
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) continue;
        if (targets[n] < 0 || static_cast<std::uint64_t>(targets[n]) >= V)
            return {Status::id_out_of_range(n, targets[n], V)};
        ++counted;
    }
    const double K = static_cast<double>(counted);
    double total = 0;
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) {
            for (std::size_t v = 0; v < V; ++v)
                dlogits(n, v) = 0;
            continue;
        }
        const float* x = logits.row(n);
        double m = -infinity;
        bool broken = false;
        for (std::size_t v = 0; v < V; ++v) {
            if (std::isnan(x[v]) || x[v] == infinity) broken = true;
            if (x[v] > m) m = x[v];
        }
        if (broken || m == -infinity) {
            total = std::numeric_limits<double>::quiet_NaN();
            for (std::size_t v = 0; v < V; ++v)
                dlogits(n, v) = std::numeric_limits<float>::quiet_NaN();
            continue;
        }
        double sum = 0;
        for (std::size_t v = 0; v < V; ++v)
            sum += std::exp(x[v] - m);
        const auto target = static_cast<std::size_t>(targets[n]);
        total += std::log(sum) + (m - x[target]);
        for (std::size_t v = 0; v < V; ++v) {
            const double p = std::exp(x[v] - m) / sum;
            dlogits(n, v) = static_cast<float>((p - (v == target ? 1 : 0)) / K);
        }
    }
    return {{}, counted == 0 ? 0 : total / K, counted};
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || !shaped(out, ids.size(), b.cols)) return {Code::shape_mismatch};
    if (const Status status = check_ids(ids, a.rows); status.code != Code::ok) return status;
    if (ids.empty() || b.cols == 0) return {};
    std::vector<double> sum(b.cols);
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const float* left = a.row(static_cast<std::size_t>(ids[n]));
        std::fill(sum.begin(), sum.end(), 0.0);
        for (std::size_t r = 0; r < b.rows; ++r) {
            const double factor = left[r];
            const float* row = b.row(r);
            for (std::size_t c = 0; c < sum.size(); ++c)
                sum[c] += factor * row[c];
        }
        for (std::size_t c = 0; c < sum.size(); ++c)
            out(n, c) = static_cast<float>(sum[c]);
    }
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t N = ids.size(), R = a.cols, C = b.cols;
    if (b.rows != R || !shaped(dout, N, C) || !shaped(da, a.rows, R) || !shaped(db, R, C))
        return {Code::shape_mismatch};
    if (const Status status = check_ids(ids, a.rows); status.code != Code::ok) return status;
    if (N == 0 || R == 0) return {};

    const std::vector<std::size_t> places = by_token(ids);
    std::vector<double> sum(R);
    for (std::size_t begin = 0, end; begin < N; begin = end) {
        float* const to = da.row(static_cast<std::size_t>(ids[places[begin]]));
        std::copy(to, to + R, sum.begin());
        for (end = begin; end < N && ids[places[end]] == ids[places[begin]]; ++end)
            for (std::size_t r = 0; r < R; ++r)
                for (std::size_t c = 0; c < C; ++c)
                    sum[r] += static_cast<double>(dout(places[end], c)) * b(r, c);
        for (std::size_t r = 0; r < R; ++r)
            to[r] = static_cast<float>(sum[r]);
    }
    if (C == 0) return {};
    sum.resize(C);
    for (std::size_t r = 0; r < R; ++r) {
        std::copy(db.row(r), db.row(r) + C, sum.begin());
        for (std::size_t n = 0; n < N; ++n) {
            const double factor = a(static_cast<std::size_t>(ids[n]), r);
            for (std::size_t c = 0; c < C; ++c)
                sum[c] += factor * dout(n, c);
        }
        for (std::size_t c = 0; c < C; ++c)
            db(r, c) = static_cast<float>(sum[c]);
    }
    return {};
}

TableCounts count(TableSizes sizes) {
    const std::uint64_t table = sizes.vocabulary * sizes.channels, edge = sizes.vocabulary + sizes.channels;
    TableCounts result;
    result.tied = sizes.others + table;
    result.untied = result.tied + table;
    if (result.untied > 0)
        result.saved_share = static_cast<double>(table) / static_cast<double>(result.untied);
    result.factorised = sizes.rank * edge;
    if (table > 0) result.max_rank = (table - 1) / edge;
    return result;
}

} // namespace exercise
