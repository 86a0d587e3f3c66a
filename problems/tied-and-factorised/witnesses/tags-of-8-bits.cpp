// Fault: factor_gather caches rows in slots whose tags have 8 bits, so ids 2^18 apart share a row.
// Origin: round 21
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace exercise {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

Status mismatch() {
    return {Code::shape_mismatch, 0, 0, 0};
}

Status too_many(std::size_t vocabulary, std::size_t rows) {
    return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary),
            static_cast<std::int64_t>(rows)};
}

Status check_ids(Ids ids, std::size_t limit) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= limit)
            return Status::id_out_of_range(n, ids[n], limit);
    return {};
}

float dot(const float* x, const float* y, std::size_t count) {
    constexpr std::size_t lanes = 8;
    float sums[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t j = 0; j < lanes; ++j)
            sums[j] += x[i + j] * y[i + j];
    float sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    for (; i < count; ++i)
        sum += x[i] * y[i];
    return sum;
}

/// y += factor * x
void axpy(float factor, const float* x, float* y, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        y[i] += factor * x[i];
}

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.rows != logits.rows || hidden.cols != wte.cols || wte.rows != logits.cols) return mismatch();
    if (vocabulary > wte.rows) return too_many(vocabulary, wte.rows);
    if (logits.cols == 0) return {};
    for (std::size_t n = 0; n < logits.rows; ++n) {
        float* to = logits.row(n);
        for (std::size_t v = 0; v < vocabulary; ++v)
            to[v] = dot(hidden.row(n), wte.row(v), wte.cols);
        std::fill(to + vocabulary, to + logits.cols, -infinity);
    }
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    if (dlogits.rows != dhidden.rows || dlogits.cols != wte.rows || dhidden.cols != wte.cols)
        return mismatch();
    if (vocabulary > wte.rows) return too_many(vocabulary, wte.rows);
    if (dhidden.cols == 0) return {};
    for (std::size_t n = 0; n < dhidden.rows; ++n) {
        float* to = dhidden.row(n);
        std::fill(to, to + dhidden.cols, 0.0F);
        for (std::size_t v = 0; v < vocabulary; ++v)
            axpy(dlogits(n, v), wte.row(v), to, dhidden.cols);
    }
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t count = ids.size(), channels = dwte.cols;
    if (dinput.rows != count || hidden.rows != count || dlogits.rows != count || dinput.cols != channels ||
        hidden.cols != channels || dlogits.cols != dwte.rows)
        return mismatch();
    if (vocabulary > dwte.rows) return too_many(vocabulary, dwte.rows);
    if (const Status status = check_ids(ids, vocabulary); status.code != Code::ok) return status;
    if (count == 0 || channels == 0) return {};
    constexpr std::size_t tile = 16; // of rows, which use one cache line of dlogits
    for (std::size_t first = 0; first < vocabulary; first += tile) {
        const std::size_t last = std::min(vocabulary, first + tile);
        for (std::size_t n = 0; n < count; ++n)
            for (std::size_t v = first; v < last; ++v)
                axpy(dlogits(n, v), hidden.row(n), dwte.row(v), channels);
    }
    for (std::size_t n = 0; n < count; ++n)
        axpy(1.0F, dinput.row(n), dwte.row(static_cast<std::size_t>(ids[n])), channels);
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t count = targets.size(), vocabulary = logits.cols;
    if (logits.rows != count || dlogits.rows != count || dlogits.cols != vocabulary)
        return {mismatch(), 0, 0};
    std::size_t counted = 0;
    for (std::size_t n = 0; n < count; ++n) {
        if (targets[n] == ignored) continue;
        if (targets[n] < 0 || static_cast<std::size_t>(targets[n]) >= vocabulary)
            return {Status::id_out_of_range(n, targets[n], vocabulary), 0, 0};
        ++counted;
    }
    if (vocabulary == 0) return {};
    const auto positions = static_cast<double>(counted);
    double loss = 0;
    for (std::size_t n = 0; n < count; ++n) {
        float* to = dlogits.row(n);
        if (targets[n] == ignored) {
            std::fill(to, to + vocabulary, 0.0F);
            continue;
        }
        const float* x = logits.row(n);
        const auto target = static_cast<std::size_t>(targets[n]);
        float largest = -infinity;
        for (std::size_t v = 0; v < vocabulary; ++v)
            largest = std::max(largest, x[v]);
        double sum = 0;
        for (std::size_t v = 0; v < vocabulary; ++v) {
            to[v] = std::exp(x[v] - largest);
            sum += to[v];
        }
        const double factor = 1 / (sum * positions);
        const double p = to[target] / sum;
        loss += std::log(sum) - (static_cast<double>(x[target]) - static_cast<double>(largest));
        for (std::size_t v = 0; v < vocabulary; ++v)
            to[v] = static_cast<float>(to[v] * factor);
        to[target] = static_cast<float>((p - 1) / positions);
    }
    return {{}, counted == 0 ? 0 : loss / positions, counted};
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || b.cols != out.cols || out.rows != ids.size()) return mismatch();
    if (const Status status = check_ids(ids, a.rows); status.code != Code::ok) return status;
    if (out.cols == 0 || ids.empty()) return {};
    // Tokens that occur more than once are computed once. Slot and tag tell 262,144 ids apart, and the
    // largest vocabularies have 256,000 tokens.
    struct Slot {
        bool used = false;
        std::uint8_t tag = 0;
        std::size_t row = 0; ///< of out
    };
    std::vector<Slot> slots(1024);
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const auto v = static_cast<std::size_t>(ids[n]);
        float* to = out.row(n);
        Slot& slot = slots[v % slots.size()];
        const auto tag = static_cast<std::uint8_t>(v / slots.size());
        if (slot.used && slot.tag == tag) {
            std::memcpy(to, out.row(slot.row), out.cols * sizeof(float));
            continue;
        }
        std::fill(to, to + out.cols, 0.0F);
        for (std::size_t r = 0; r < a.cols; ++r)
            axpy(a(v, r), b.row(r), to, out.cols);
        slot = {true, tag, n};
    }
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t rank = a.cols, channels = b.cols;
    if (b.rows != rank || dout.rows != ids.size() || dout.cols != channels || da.rows != a.rows ||
        da.cols != rank || db.rows != rank || db.cols != channels)
        return mismatch();
    if (const Status status = check_ids(ids, a.rows); status.code != Code::ok) return status;
    if (channels == 0) return {};
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const auto v = static_cast<std::size_t>(ids[n]);
        for (std::size_t r = 0; r < rank; ++r) {
            da(v, r) += dot(dout.row(n), b.row(r), channels);
            axpy(a(v, r), dout.row(n), db.row(r), channels);
        }
    }
    return {};
}

TableCounts count(TableSizes sizes) {
    const std::uint64_t table = sizes.vocabulary * sizes.channels;
    const std::uint64_t both = sizes.vocabulary + sizes.channels;
    TableCounts counts;
    counts.tied = table + sizes.others;
    counts.untied = counts.tied + table;
    if (counts.untied != 0)
        counts.saved_share = static_cast<double>(table) / static_cast<double>(counts.untied);
    counts.factorised = sizes.rank * both;
    if (table != 0) counts.max_rank = (table - 1) / both;
    return counts;
}

} // namespace exercise
