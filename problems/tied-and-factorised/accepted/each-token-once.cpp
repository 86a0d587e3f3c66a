// accepted: the row of a token is multiplied out once, however often it occurs; ranks by counting up
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

namespace exercise {
namespace {

Status bad_vocabulary(std::size_t vocabulary, std::size_t rows) {
    return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary),
            static_cast<std::int64_t>(rows)};
}

bool is_token(TokenId id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary;
}

Status first_bad_id(Ids ids, std::size_t vocabulary) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (!is_token(ids[n], vocabulary)) return Status::id_out_of_range(n, ids[n], vocabulary);
    return {};
}

/// One sum for each element of the rows of tokens that occur: rows of others are never touched.
using RowSums = std::map<TokenId, std::vector<double>>;

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    const std::size_t N = hidden.rows, C = hidden.cols, W = wte.rows;
    if (wte.cols != C || logits.rows != N || logits.cols != W) return {Code::shape_mismatch};
    if (vocabulary > W) return bad_vocabulary(vocabulary, W);
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t v = 0; v < W; ++v) {
            double sum = 0;
            for (std::size_t c = 0; c < C; ++c)
                sum += double{hidden(n, c)} * double{wte(v, c)};
            logits(n, v) = v < vocabulary ? static_cast<float>(sum) : -std::numeric_limits<float>::infinity();
        }
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    const std::size_t N = dlogits.rows, C = wte.cols, W = wte.rows;
    if (dlogits.cols != W || dhidden.rows != N || dhidden.cols != C) return {Code::shape_mismatch};
    if (vocabulary > W) return bad_vocabulary(vocabulary, W);
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t c = 0; c < C; ++c) {
            double sum = 0;
            for (std::size_t v = 0; v < vocabulary; ++v)
                sum += double{dlogits(n, v)} * double{wte(v, c)};
            dhidden(n, c) = static_cast<float>(sum);
        }
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size(), C = dwte.cols, W = dwte.rows;
    if (dinput.rows != N || dinput.cols != C || hidden.rows != N || hidden.cols != C || dlogits.rows != N ||
        dlogits.cols != W)
        return {Code::shape_mismatch};
    if (vocabulary > W) return bad_vocabulary(vocabulary, W);
    if (const Status bad = first_bad_id(ids, vocabulary); bad.code != Code::ok) return bad;
    if (N == 0) return {};

    RowSums from_the_lookup;
    for (std::size_t n = 0; n < N; ++n) {
        std::vector<double>& sums = from_the_lookup[ids[n]];
        sums.resize(C);
        for (std::size_t c = 0; c < C; ++c)
            sums[c] += static_cast<double>(dinput(n, c));
    }
    for (std::size_t v = 0; v < vocabulary; ++v) {
        const auto read = from_the_lookup.find(static_cast<TokenId>(v));
        for (std::size_t c = 0; c < C; ++c) {
            double sum = read == from_the_lookup.end() ? 0 : read->second[c];
            for (std::size_t n = 0; n < N; ++n)
                sum += double{dlogits(n, v)} * double{hidden(n, c)};
            dwte(v, c) = static_cast<float>(double{dwte(v, c)} + sum);
        }
    }
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t N = logits.rows, V = logits.cols;
    if (targets.size() != N || dlogits.rows != N || dlogits.cols != V) return {{Code::shape_mismatch}};
    std::size_t counted = 0;
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) continue;
        if (!is_token(targets[n], V)) return {Status::id_out_of_range(n, targets[n], V)};
        ++counted;
    }

    double sum_of_losses = 0;
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) {
            std::fill_n(dlogits.row(n), V, 0.0F);
            continue;
        }
        // exp(x - m) is at most 1, so nothing overflows, and the largest term keeps the sum away from 0.
        // Where m is infinite, or a logit NaN, x - m or the sum is NaN.
        const auto target = static_cast<std::size_t>(targets[n]);
        const double m = static_cast<double>(*std::max_element(logits.row(n), logits.row(n) + V));
        double sum = 0;
        for (std::size_t v = 0; v < V; ++v)
            sum += std::exp(static_cast<double>(logits(n, v)) - m);
        sum_of_losses += std::log(sum) - (static_cast<double>(logits(n, target)) - m);
        for (std::size_t v = 0; v < V; ++v) {
            const double p = std::exp(static_cast<double>(logits(n, v)) - m) / sum;
            dlogits(n, v) = static_cast<float>((p - (v == target ? 1 : 0)) / static_cast<double>(counted));
        }
    }
    return {{}, counted == 0 ? 0 : sum_of_losses / static_cast<double>(counted), counted};
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    const std::size_t N = ids.size(), R = a.cols, C = b.cols;
    if (b.rows != R || out.rows != N || out.cols != C) return {Code::shape_mismatch};
    if (const Status bad = first_bad_id(ids, a.rows); bad.code != Code::ok) return bad;
    std::map<TokenId, std::size_t> first_place;
    for (std::size_t n = 0; n < N; ++n) {
        const auto [known, is_new] = first_place.try_emplace(ids[n], n);
        if (!is_new) {
            std::copy_n(out.row(known->second), C, out.row(n));
            continue;
        }
        std::vector<double> sums(C);
        for (std::size_t r = 0; r < R; ++r)
            for (std::size_t c = 0; c < C; ++c)
                sums[c] += double{a(static_cast<std::size_t>(ids[n]), r)} * double{b(r, c)};
        std::copy(sums.begin(), sums.end(), out.row(n));
    }
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t N = ids.size(), V = a.rows, R = a.cols, C = b.cols;
    if (b.rows != R || dout.rows != N || dout.cols != C || da.rows != V || da.cols != R || db.rows != R ||
        db.cols != C)
        return {Code::shape_mismatch};
    if (const Status bad = first_bad_id(ids, V); bad.code != Code::ok) return bad;
    if (N == 0) return {};

    RowSums rows_of_a;
    for (std::size_t n = 0; n < N; ++n) {
        std::vector<double>& sums = rows_of_a[ids[n]];
        sums.resize(R);
        for (std::size_t r = 0; r < R; ++r)
            for (std::size_t c = 0; c < C; ++c)
                sums[r] += double{dout(n, c)} * double{b(r, c)};
    }
    for (const auto& [id, sums] : rows_of_a)
        for (std::size_t r = 0; r < R; ++r) {
            float& gradient = da(static_cast<std::size_t>(id), r);
            gradient = static_cast<float>(double{gradient} + sums[r]);
        }
    for (std::size_t r = 0; r < R; ++r)
        for (std::size_t c = 0; c < C; ++c) {
            double sum = 0;
            for (std::size_t n = 0; n < N; ++n)
                sum += double{a(static_cast<std::size_t>(ids[n]), r)} * double{dout(n, c)};
            db(r, c) = static_cast<float>(double{db(r, c)} + sum);
        }
    return {};
}

TableCounts count(TableSizes sizes) {
    const std::uint64_t V = sizes.vocabulary, C = sizes.channels, table = V * C;
    TableCounts counts;
    counts.tied = sizes.others + table;
    counts.untied = sizes.others + 2 * table;
    if (counts.untied > 0)
        counts.saved_share = static_cast<double>(table) / static_cast<double>(counts.untied);
    counts.factorised = sizes.rank * (V + C);
    // R (V + C) < V C. Where both sides can be equal, that rank saves nothing.
    if (table > 0) counts.max_rank = table / (V + C) - (table % (V + C) == 0 ? 1 : 0);
    return counts;
}

} // namespace exercise
