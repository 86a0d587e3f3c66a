// right: threads with join share out rows (never one row between two), pairwise recursion for dot products, long double and Neumaier's compensation for the mean, goto for refusals, logits walked from the last row to the first.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

namespace exercise {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Calls work(i) for i = count - 1, ..., 0, on a few threads where there is much to do.
template <class Work>
void each(std::size_t count, std::size_t cost, const Work& work) {
    constexpr std::size_t hands = 4;
    if (count < hands || cost < 20000 / count) {
        while (count-- > 0)
            work(count);
        return;
    }
    const auto part = [&](std::size_t hand) {
        for (std::size_t i = count / hands * hand + std::min(hand, count % hands),
                         end = count / hands * (hand + 1) + std::min(hand + 1, count % hands);
             end-- > i;)
            work(end);
    };
    std::vector<std::thread> others;
    for (std::size_t hand = 1; hand < hands; ++hand)
        others.emplace_back(part, hand);
    part(0);
    for (auto& t : others)
        t.join();
}

/// Sum of products by halves; the leaves have 8 lanes.
float pairwise(const float* a, const float* b, std::size_t n) {
    if (n > 256) {
        const std::size_t half = n / 16 * 8;
        return pairwise(a, b, half) + pairwise(a + half, b + half, n - half);
    }
    float lane[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    std::size_t i = 0;
    for (; n - i >= 8; i += 8)
        for (int k = 0; k < 8; ++k)
            lane[k] += a[i + k] * b[i + k];
    for (int k = 0; i < n; ++i, ++k)
        lane[k] += a[i] * b[i];
    return ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
}

void plus(float* to, float factor, const float* from, std::size_t n) {
    for (; n >= 8; n -= 8, to += 8, from += 8) {
        float t[8];
        for (int k = 0; k < 8; ++k)
            t[k] = to[k] + factor * from[k];
        for (int k = 0; k < 8; ++k)
            to[k] = t[k];
    }
    while (n-- > 0)
        *to++ += factor * *from++;
}

void zero(Matrix<float> m, std::size_t r) {
    for (std::size_t c = 0; c < m.cols; ++c)
        m(r, c) = 0.0F;
}

std::size_t bad_at(Ids ids, std::size_t limit) {
    std::size_t n = 0;
    while (n < ids.size() && ids[n] >= 0 && static_cast<std::uint64_t>(ids[n]) < limit)
        ++n;
    return n;
}

Status too_many(std::size_t vocabulary, std::size_t rows) {
    return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(rows)};
}

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.cols != wte.cols) goto sizes;
    if (logits.rows != hidden.rows) goto sizes;
    if (logits.cols != wte.rows) goto sizes;
    if (vocabulary > wte.rows) return too_many(vocabulary, wte.rows);
    // a piece of work is 64 columns of all rows: two threads never write one element
    each((wte.rows + 63) / 64, 64 * hidden.rows * (hidden.cols + 1), [&](std::size_t piece) {
        const std::size_t end = std::min(wte.rows, piece * 64 + 64);
        for (std::size_t n = hidden.rows; n-- > 0;)
            for (std::size_t v = piece * 64; v < end; ++v)
                logits(n, v) = v >= vocabulary ? -infinity : pairwise(hidden.row(n), wte.row(v), wte.cols);
    });
    return {};
sizes:
    return {Code::shape_mismatch};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    if (dhidden.cols != wte.cols) goto sizes;
    if (dlogits.rows != dhidden.rows) goto sizes;
    if (dlogits.cols != wte.rows) goto sizes;
    if (vocabulary > wte.rows) return too_many(vocabulary, wte.rows);
    // a piece of work is 16 rows; the table goes by once for each
    each((dhidden.rows + 15) / 16, 16 * vocabulary * wte.cols, [&](std::size_t piece) {
        const std::size_t end = std::min(dhidden.rows, piece * 16 + 16);
        for (std::size_t n = piece * 16; n < end; ++n)
            zero(dhidden, n);
        for (std::size_t v = vocabulary; v-- > 0;)
            for (std::size_t n = piece * 16; n < end; ++n)
                plus(dhidden.row(n), dlogits(n, v), wte.row(v), wte.cols);
    });
    return {};
sizes:
    return {Code::shape_mismatch};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t count = ids.size(), cols = dwte.cols;
    std::size_t bad = 0;
    std::vector<std::size_t> head, after; // chains of the positions of a token, in blocks of 64 tokens
    if (dinput.rows != count || hidden.rows != count || dlogits.rows != count) goto sizes;
    if (dinput.cols != cols || hidden.cols != cols || dlogits.cols != dwte.rows) goto sizes;
    if (vocabulary > dwte.rows) return too_many(vocabulary, dwte.rows);
    bad = bad_at(ids, vocabulary);
    if (bad < count) return Status::id_out_of_range(bad, ids[bad], vocabulary);
    if (count == 0) return {};
    head.assign((vocabulary + 63) / 64, count);
    after.resize(count);
    for (std::size_t n = count; n-- > 0;) {
        std::size_t& h = head[static_cast<std::size_t>(ids[n]) / 64];
        after[n] = h;
        h = n;
    }
    each(head.size(), 64 * count * cols, [&](std::size_t piece) {
        for (std::size_t n = head[piece]; n < count; n = after[n])
            plus(dwte.row(static_cast<std::size_t>(ids[n])), 1.0F, dinput.row(n), cols);
        const std::size_t end = std::min(vocabulary, piece * 64 + 64);
        for (std::size_t n = 0; n < count; ++n)
            for (std::size_t v = piece * 64; v < end; ++v)
                plus(dwte.row(v), dlogits(n, v), hidden.row(n), cols);
    });
    return {};
sizes:
    return {Code::shape_mismatch};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t count = targets.size(), width = logits.cols;
    if (logits.rows != count || dlogits.rows != count || dlogits.cols != width)
        return Loss{Status{Code::shape_mismatch}, 0, 0};
    std::size_t counted = 0;
    for (std::size_t n = 0; n < count; ++n) {
        const std::int64_t t = targets[n];
        if (t == ignored) continue;
        if (t < 0 || static_cast<std::uint64_t>(t) >= width) return Loss{Status::id_out_of_range(n, t, width), 0, 0};
        ++counted;
    }
    std::unique_ptr<double[]> losses(new double[count + 1]());
    each(count, width * 8, [&](std::size_t n) {
        if (targets[n] == ignored) return zero(dlogits, n);
        const std::size_t target = static_cast<std::size_t>(targets[n]);
        bool sound = false, nan = false; // some logit above -infinity; some NaN or +infinity
        float m = -infinity;
        for (std::size_t v = 0; v < width; ++v) {
            const float x = logits(n, v);
            if (!(x < infinity)) nan = true;
            if (x > -infinity) sound = true;
            if (x > m) m = x;
        }
        if (nan || !sound) {
            losses[n] = std::numeric_limits<double>::quiet_NaN();
            for (std::size_t v = 0; v < width; ++v)
                dlogits(n, v) = std::numeric_limits<float>::quiet_NaN();
            return;
        }
        long double sum = 0;
        for (std::size_t v = width; v-- > 0;)
            sum += std::exp(static_cast<double>(logits(n, v)) - static_cast<double>(m));
        const double whole = static_cast<double>(sum);
        losses[n] = std::log(whole) - (static_cast<double>(logits(n, target)) - static_cast<double>(m));
        for (std::size_t v = 0; v < width; ++v) {
            double g = std::exp(static_cast<double>(logits(n, v)) - static_cast<double>(m)) / whole;
            if (v == target) g -= 1.0;
            dlogits(n, v) = static_cast<float>(g / static_cast<double>(counted));
        }
    });
    long double sum = 0, lost = 0;
    bool finite = true;
    for (std::size_t n = 0; n < count; ++n) {
        const long double x = losses[n];
        const long double next = sum + x;
        if (!std::isfinite(next)) finite = false;
        if (finite) lost += std::fabs(sum) >= std::fabs(x) ? (sum - next) + x : (x - next) + sum;
        sum = next;
    }
    if (finite) sum += lost;
    return Loss{Status{}, counted > 0 ? static_cast<double>(sum / static_cast<long double>(counted)) : 0.0, counted};
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    std::size_t bad = 0;
    if (a.cols != b.rows || out.rows != ids.size() || out.cols != b.cols) goto sizes;
    bad = bad_at(ids, a.rows);
    if (bad != ids.size()) return Status::id_out_of_range(bad, ids[bad], a.rows);
    each(ids.size(), b.rows * b.cols, [&](std::size_t n) {
        zero(out, n);
        const float* factors = a.row(static_cast<std::size_t>(ids[n]));
        for (std::size_t r = b.rows; r-- > 0;)
            plus(out.row(n), factors[r], b.row(r), b.cols);
    });
    return {};
sizes:
    return {Code::shape_mismatch};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    std::size_t bad = 0;
    if (a.cols != b.rows || dout.rows != ids.size() || dout.cols != b.cols) goto sizes;
    if (da.rows != a.rows || da.cols != a.cols || db.rows != b.rows || db.cols != b.cols) goto sizes;
    bad = bad_at(ids, a.rows);
    if (bad != ids.size()) return Status::id_out_of_range(bad, ids[bad], a.rows);
    // component r of the rank is column r of da and row r of db: a piece of work of its own
    each(b.rows, ids.size() * b.cols * 2, [&](std::size_t r) {
        for (std::size_t n = 0; n < ids.size(); ++n) {
            const std::size_t v = static_cast<std::size_t>(ids[n]);
            plus(db.row(r), a(v, r), dout.row(n), b.cols);
            da(v, r) += pairwise(dout.row(n), b.row(r), b.cols);
        }
    });
    return {};
sizes:
    return {Code::shape_mismatch};
}

TableCounts count(TableSizes s) {
    __extension__ typedef unsigned __int128 wide;
    const wide table = wide{s.vocabulary} * s.channels;
    const wide pair = wide{s.vocabulary} + s.channels;
    TableCounts c;
    c.tied = static_cast<std::uint64_t>(table + s.others);
    c.untied = static_cast<std::uint64_t>(table + table + s.others);
    c.saved_share = c.untied == 0 ? 0 : static_cast<double>(static_cast<long double>(table) / static_cast<long double>(c.untied));
    c.factorised = static_cast<std::uint64_t>(pair * s.rank);
    if (table > 0) c.max_rank = static_cast<std::uint64_t>(table / pair - (table % pair == 0 ? 1 : 0));
    return c;
}

} // namespace exercise
