// Fault: A tile of 16 zero gradients is skipped, although 0 * infinity and 0 * NaN are NaN.
// Origin: round 22
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace exercise {

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

/// Row r; an empty row has no address to speak of.
template <class T>
T* at(const Matrix<T>& m, std::size_t r) {
    return m.cols == 0 ? m.data : m.row(r);
}

bool valid(TokenId id, std::size_t limit) {
    return id >= 0 && static_cast<std::size_t>(id) < limit;
}

/// Eight partial sums, so that the additions need not wait for each other.
float dot(const float* x, const float* y, std::size_t count) {
    float part[8] = {};
    std::size_t c = 0;
    for (; c + 8 <= count; c += 8)
        for (std::size_t j = 0; j < 8; ++j)
            part[j] += x[c + j] * y[c + j];
    for (std::size_t j = 0; c < count; ++c, ++j)
        part[j] += x[c] * y[c];
    return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
}

Status too_many(std::size_t vocabulary, std::size_t rows) {
    return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(rows)};
}

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.cols != wte.cols || logits.rows != hidden.rows || logits.cols != wte.rows)
        return {Code::shape_mismatch};
    if (vocabulary > wte.rows) return too_many(vocabulary, wte.rows);
    for (std::size_t n = 0; n < hidden.rows; ++n) {
        const float* h = at(hidden, n);
        float* out = at(logits, n);
        for (std::size_t v = 0; v < vocabulary; ++v)
            out[v] = dot(h, at(wte, v), wte.cols);
        for (std::size_t v = vocabulary; v < wte.rows; ++v)
            out[v] = -inf;
    }
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    if (dlogits.cols != wte.rows || dhidden.rows != dlogits.rows || dhidden.cols != wte.cols)
        return {Code::shape_mismatch};
    if (vocabulary > wte.rows) return too_many(vocabulary, wte.rows);
    if (wte.cols == 0) return {};
    for (std::size_t n = 0; n < dlogits.rows; ++n) {
        const float* g = at(dlogits, n);
        float* out = dhidden.row(n);
        std::fill(out, out + wte.cols, 0.0F);
        for (std::size_t v = 0; v < vocabulary; ++v) {
            const float* w = wte.row(v);
            for (std::size_t c = 0; c < wte.cols; ++c)
                out[c] += g[v] * w[c];
        }
    }
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t count = ids.size();
    const std::size_t width = dwte.cols;
    if (dinput.rows != count || hidden.rows != count || dlogits.rows != count || dinput.cols != width ||
        hidden.cols != width || dlogits.cols != dwte.rows)
        return {Code::shape_mismatch};
    if (vocabulary > dwte.rows) return too_many(vocabulary, dwte.rows);
    for (std::size_t n = 0; n < count; ++n)
        if (!valid(ids[n], vocabulary)) return Status::id_out_of_range(n, ids[n], vocabulary);
    if (width == 0) return {};

    // A tile of rows of dwte stays in the cache while all positions pass by.
    constexpr std::size_t tile = 16;
    for (std::size_t first = 0; first < vocabulary; first += tile) {
        const std::size_t last = std::min(vocabulary, first + tile);
        for (std::size_t n = 0; n < count; ++n) {
            const float* g = dlogits.row(n);
            const float* h = hidden.row(n);
            // Positions that do not count have rows of zeros, and a sharp softmax has long runs of them.
            if (last - first == tile && std::all_of(g + first, g + last, [](float d) { return d == 0; }))
                continue;
            for (std::size_t v = first; v < last; ++v) {
                float* out = dwte.row(v);
                for (std::size_t c = 0; c < width; ++c)
                    out[c] += g[v] * h[c];
            }
        }
    }
    for (std::size_t n = 0; n < count; ++n) {
        const float* g = dinput.row(n);
        float* out = dwte.row(static_cast<std::size_t>(ids[n]));
        for (std::size_t c = 0; c < width; ++c)
            out[c] += g[c];
    }
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t tokens = logits.cols;
    if (targets.size() != logits.rows || dlogits.rows != logits.rows || dlogits.cols != tokens)
        return {Status{Code::shape_mismatch}};
    std::size_t counted = 0;
    for (std::size_t n = 0; n < targets.size(); ++n) {
        if (targets[n] == ignored) continue;
        if (!valid(targets[n], tokens)) return {Status::id_out_of_range(n, targets[n], tokens)};
        ++counted;
    }
    double total = 0;
    const double k = static_cast<double>(counted);
    for (std::size_t n = 0; n < targets.size(); ++n) {
        const float* x = at(logits, n);
        float* out = at(dlogits, n);
        if (targets[n] == ignored) {
            std::fill(out, out + tokens, 0.0F);
            continue;
        }
        const std::size_t target = static_cast<std::size_t>(targets[n]);
        float m = -inf;
        bool bad = false;
        for (std::size_t v = 0; v < tokens; ++v) {
            if (x[v] > m) m = x[v];
            bad = bad || std::isnan(x[v]);
        }
        if (bad || std::isinf(m)) {
            total = std::numeric_limits<double>::quiet_NaN();
            std::fill(out, out + tokens, std::numeric_limits<float>::quiet_NaN());
            continue;
        }
        double sum = 0;
        for (std::size_t v = 0; v < tokens; ++v) {
            out[v] = std::exp(x[v] - m);
            sum += static_cast<double>(out[v]);
        }
        total += std::log(sum) - static_cast<double>(x[target] - m);
        const double hit = static_cast<double>(out[target]);
        const double scale = 1.0 / (sum * k);
        for (std::size_t v = 0; v < tokens; ++v)
            out[v] = static_cast<float>(static_cast<double>(out[v]) * scale);
        out[target] = static_cast<float>((hit / sum - 1.0) / k);
    }
    return {Status{}, counted == 0 ? 0.0 : total / k, counted};
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || out.rows != ids.size() || out.cols != b.cols) return {Code::shape_mismatch};
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (!valid(ids[n], a.rows)) return Status::id_out_of_range(n, ids[n], a.rows);
    if (b.cols == 0) return {};
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const float* left = at(a, static_cast<std::size_t>(ids[n]));
        float* to = out.row(n);
        std::fill(to, to + b.cols, 0.0F);
        for (std::size_t r = 0; r < b.rows; ++r) {
            const float* right = b.row(r);
            for (std::size_t c = 0; c < b.cols; ++c)
                to[c] += left[r] * right[c];
        }
    }
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    if (a.cols != b.rows || dout.rows != ids.size() || dout.cols != b.cols || da.rows != a.rows ||
        da.cols != a.cols || db.rows != b.rows || db.cols != b.cols)
        return {Code::shape_mismatch};
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (!valid(ids[n], a.rows)) return Status::id_out_of_range(n, ids[n], a.rows);
    const std::size_t rank = b.rows;
    const std::size_t width = b.cols;
    if (rank == 0 || width == 0) return {};
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const float* g = dout.row(n);
        float* to = da.row(static_cast<std::size_t>(ids[n]));
        for (std::size_t r = 0; r < rank; ++r)
            to[r] += dot(g, b.row(r), width);
    }
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const float* g = dout.row(n);
        const float* left = a.row(static_cast<std::size_t>(ids[n]));
        for (std::size_t r = 0; r < rank; ++r) {
            float* to = db.row(r);
            for (std::size_t c = 0; c < width; ++c)
                to[c] += left[r] * g[c];
        }
    }
    return {};
}

TableCounts count(TableSizes sizes) {
    const std::uint64_t table = sizes.vocabulary * sizes.channels;
    const std::uint64_t border = sizes.vocabulary + sizes.channels;
    TableCounts counts;
    counts.tied = sizes.others + table;
    counts.untied = counts.tied + table;
    if (counts.untied != 0)
        counts.saved_share = static_cast<double>(table) / static_cast<double>(counts.untied);
    counts.factorised = sizes.rank * border;
    counts.max_rank = table == 0 ? 0 : (table - 1) / border;
    return counts;
}

} // namespace exercise
