// right: everything is accumulated in rows of doubles and rounded once at the end, with one generic "add a multiple of a row" as the only inner loop besides the dot product
#include "contract.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace exercise {

namespace {

using Row = std::vector<double>;

void add_multiple(Row& sum, double factor, const float* row) {
    double* s = sum.data();
    for (std::size_t i = 0, n = sum.size(); i < n; ++i)
        s[i] += factor * static_cast<double>(row[i]);
}

double dot(const float* x, const float* y, std::size_t n) {
    double even = 0, odd = 0;
    std::size_t i = 0;
    for (; i + 1 < n; i += 2) {
        even += static_cast<double>(x[i]) * static_cast<double>(y[i]);
        odd += static_cast<double>(x[i + 1]) * static_cast<double>(y[i + 1]);
    }
    if (i < n) even += static_cast<double>(x[i]) * static_cast<double>(y[i]);
    return even + odd;
}

/// The dot product of two rows; no pointer is touched where they are empty.
double score(Matrix<const float> x, std::size_t i, Matrix<const float> y, std::size_t j) {
    return x.cols == 0 ? 0.0 : dot(x.row(i), y.row(j), x.cols);
}

void store(const Row& sum, float* row) {
    for (std::size_t i = 0; i < sum.size(); ++i)
        row[i] = static_cast<float>(sum[i]);
}

void load(Row& sum, const float* row) {
    for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] = row[i];
}

bool is_token(TokenId id, std::size_t limit) {
    return id >= 0 && static_cast<std::size_t>(id) < limit;
}

Status too_many(std::size_t vocabulary, std::size_t rows) {
    return Status{Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary),
                  static_cast<std::int64_t>(rows)};
}

Status first_bad(Ids ids, std::size_t limit) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (!is_token(ids[n], limit)) return Status::id_out_of_range(n, ids[n], limit);
    return {};
}

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.cols != wte.cols || logits.rows != hidden.rows || logits.cols != wte.rows)
        return {Code::shape_mismatch, 0, 0, 0};
    if (vocabulary > wte.rows) return too_many(vocabulary, wte.rows);
    for (std::size_t n = 0; n < logits.rows; ++n)
        for (std::size_t v = 0; v < logits.cols; ++v)
            logits(n, v) = v < vocabulary ? static_cast<float>(score(hidden, n, wte, v))
                                          : -std::numeric_limits<float>::infinity();
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    if (dlogits.cols != wte.rows || dhidden.rows != dlogits.rows || dhidden.cols != wte.cols)
        return {Code::shape_mismatch, 0, 0, 0};
    if (vocabulary > wte.rows) return too_many(vocabulary, wte.rows);
    if (wte.cols == 0) return {};
    Row sum(wte.cols);
    for (std::size_t n = 0; n < dlogits.rows; ++n) {
        sum.assign(sum.size(), 0.0);
        for (std::size_t v = 0; v < vocabulary; ++v)
            add_multiple(sum, dlogits(n, v), wte.row(v));
        store(sum, dhidden.row(n));
    }
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size();
    if (dinput.rows != N || hidden.rows != N || dlogits.rows != N || dlogits.cols != dwte.rows ||
        dinput.cols != dwte.cols || hidden.cols != dwte.cols)
        return {Code::shape_mismatch, 0, 0, 0};
    if (vocabulary > dwte.rows) return too_many(vocabulary, dwte.rows);
    if (const Status bad = first_bad(ids, vocabulary); bad.code != Code::ok) return bad;
    if (N == 0 || dwte.cols == 0) return {};

    // The positions of each token as a list: first[v], then next[n] until N.
    std::vector<std::size_t> first(vocabulary, N), next(N, N);
    for (std::size_t n = N; n-- > 0;) {
        std::size_t& head = first[static_cast<std::size_t>(ids[n])];
        next[n] = head;
        head = n;
    }
    Row sum(dwte.cols);
    for (std::size_t v = 0; v < vocabulary; ++v) {
        load(sum, dwte.row(v));
        for (std::size_t n = 0; n < N; ++n)
            add_multiple(sum, dlogits(n, v), hidden.row(n));
        for (std::size_t n = first[v]; n != N; n = next[n])
            add_multiple(sum, 1.0, dinput.row(n));
        store(sum, dwte.row(v));
    }
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t N = targets.size(), V = logits.cols;
    Loss loss;
    if (logits.rows != N || dlogits.rows != N || dlogits.cols != V) {
        loss.status.code = Code::shape_mismatch;
        return loss;
    }
    for (std::size_t n = 0; n < N; ++n)
        if (targets[n] != ignored && !is_token(targets[n], V)) {
            loss.status = Status::id_out_of_range(n, targets[n], V);
            return loss;
        }
    for (const TokenId target : targets)
        loss.counted += target != ignored;

    const double K = static_cast<double>(loss.counted);
    double total = 0;
    std::vector<double> e(loss.counted == 0 ? 0 : V);
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) {
            for (std::size_t v = 0; v < V; ++v)
                dlogits(n, v) = 0.0f;
            continue;
        }
        const float* x = logits.row(n);
        float largest = x[0];
        for (std::size_t v = 1; v < V; ++v)
            if (x[v] > largest) largest = x[v];
        const double m = largest;
        double sum = 0;
        for (std::size_t v = 0; v < V; ++v) {
            e[v] = std::exp(static_cast<double>(x[v]) - m); // NaN for each bad row, somewhere
            sum += e[v];
        }
        const std::size_t target = static_cast<std::size_t>(targets[n]);
        if (std::isnan(sum)) {
            total += sum;
            for (std::size_t v = 0; v < V; ++v)
                dlogits(n, v) = std::numeric_limits<float>::quiet_NaN();
            continue;
        }
        total += std::log(sum) - (static_cast<double>(x[target]) - m);
        for (std::size_t v = 0; v < V; ++v)
            dlogits(n, v) = static_cast<float>((e[v] / sum - (v == target ? 1.0 : 0.0)) / K);
    }
    if (loss.counted > 0) loss.mean = total / K;
    return loss;
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || out.rows != ids.size() || out.cols != b.cols)
        return {Code::shape_mismatch, 0, 0, 0};
    if (const Status bad = first_bad(ids, a.rows); bad.code != Code::ok) return bad;
    if (b.cols == 0) return {};
    Row sum(b.cols);
    for (std::size_t n = 0; n < ids.size(); ++n) {
        sum.assign(sum.size(), 0.0);
        for (std::size_t r = 0; r < b.rows; ++r)
            add_multiple(sum, a(static_cast<std::size_t>(ids[n]), r), b.row(r));
        store(sum, out.row(n));
    }
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t N = ids.size(), V = a.rows, R = b.rows, C = b.cols;
    if (a.cols != R || da.rows != V || da.cols != R || db.rows != R || db.cols != C || dout.rows != N ||
        dout.cols != C)
        return {Code::shape_mismatch, 0, 0, 0};
    if (const Status bad = first_bad(ids, V); bad.code != Code::ok) return bad;
    if (N == 0 || R == 0 || C == 0) return {};

    std::vector<std::size_t> first(V, N), next(N, N);
    for (std::size_t n = N; n-- > 0;) {
        std::size_t& head = first[static_cast<std::size_t>(ids[n])];
        next[n] = head;
        head = n;
    }
    Row scores(R);
    for (std::size_t v = 0; v < V; ++v) {
        if (first[v] == N) continue;
        load(scores, da.row(v));
        for (std::size_t n = first[v]; n != N; n = next[n])
            for (std::size_t r = 0; r < R; ++r)
                scores[r] += dot(dout.row(n), b.row(r), C);
        store(scores, da.row(v));
    }
    Row sum(C);
    for (std::size_t r = 0; r < R; ++r) {
        load(sum, db.row(r));
        for (std::size_t n = 0; n < N; ++n)
            add_multiple(sum, a(static_cast<std::size_t>(ids[n]), r), dout.row(n));
        store(sum, db.row(r));
    }
    return {};
}

TableCounts count(TableSizes sizes) {
    const std::uint64_t table = sizes.vocabulary * sizes.channels;
    TableCounts counts;
    counts.tied = sizes.others + table;
    counts.untied = counts.tied + table;
    if (counts.untied > 0) counts.saved_share = static_cast<double>(table) / static_cast<double>(counts.untied);
    counts.factorised = sizes.vocabulary * sizes.rank + sizes.rank * sizes.channels;
    if (table > 0) counts.max_rank = (table - 1) / (sizes.vocabulary + sizes.channels);
    return counts;
}

} // namespace exercise
