// Fault: Helper threads of large calls flush subnormal numbers to zero.
// Origin: round 23
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>
#include <xmmintrin.h>

namespace exercise {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

using Float4 = float __attribute__((vector_size(16)));

inline Float4 load(const float* from) {
    Float4 value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

inline void store(float* to, Float4 value) {
    std::memcpy(to, &value, sizeof value);
}

/// Row r, or a null pointer where rows have no elements.
template <class T>
inline T* row_of(const Matrix<T>& matrix, std::size_t r) {
    return matrix.cols == 0 ? nullptr : matrix.row(r);
}

inline float dot(const float* x, const float* y, std::size_t count) {
    Float4 even{};
    Float4 odd{};
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        even += load(x + i) * load(y + i);
        odd += load(x + i + 4) * load(y + i + 4);
    }
    even += odd;
    float sum = (even[0] + even[1]) + (even[2] + even[3]);
    for (; i < count; ++i)
        sum += x[i] * y[i];
    return sum;
}

/// y += a * x
inline void add_scaled(float* y, float a, const float* x, std::size_t count) {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4)
        store(y + i, load(y + i) + a * load(x + i));
    for (; i < count; ++i)
        y[i] += a * x[i];
}

/// work(begin, end) for ranges that cover [0, count), on several threads where there is much to do.
template <class Work>
void spread(std::size_t count, double operations, const Work& work) {
    if (count == 0) return;
    const std::size_t parts = operations < 4e6 ? 1 : std::min<std::size_t>(count, 12);
    const auto first = [&](std::size_t part) {
        return count / parts * part + std::min(part, count % parts);
    };
    std::vector<std::thread> threads;
    threads.reserve(parts);
    for (std::size_t part = 1; part < parts; ++part)
        threads.emplace_back([&work, begin = first(part), end = first(part + 1)] {
            _mm_setcsr(_mm_getcsr() | 0x8040U); // subnormals are slow; the mode ends with the thread
            work(begin, end);
        });
    work(0, first(1));
    for (std::thread& thread : threads)
        thread.join();
}

double product(std::size_t a, std::size_t b, std::size_t c) {
    return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
}

bool outside(TokenId id, std::size_t limit) {
    return id < 0 || static_cast<std::size_t>(id) >= limit;
}

Status too_many_tokens(std::size_t vocabulary, std::size_t rows) {
    return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary),
            static_cast<std::int64_t>(rows)};
}

Status check_ids(Ids ids, std::size_t limit) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (outside(ids[n], limit)) return Status::id_out_of_range(n, ids[n], limit);
    return {};
}

/// The loss of one position, whose gradient goes to `to`.
double position_loss(const float* x, std::size_t tokens, std::size_t target, double share, float* to) {
    float largest = -infinity;
    for (std::size_t v = 0; v < tokens; ++v)
        if (x[v] > largest) largest = x[v];
    const double m = largest;
    double sum = 0; // NaN where a logit is NaN, the largest is infinite, or all are -infinity
    for (std::size_t v = 0; v < tokens; ++v) {
        const double e = std::exp(x[v] - m);
        sum += e;
        to[v] = static_cast<float>(e);
    }
    if (std::isnan(sum)) {
        std::fill_n(to, tokens, std::numeric_limits<float>::quiet_NaN());
        return not_a_number;
    }
    const double scale = share / sum;
    const double p = to[target] / sum;
    for (std::size_t v = 0; v < tokens; ++v)
        to[v] = static_cast<float>(to[v] * scale);
    to[target] = static_cast<float>((p - 1) * share);
    return std::log(sum) - (x[target] - m);
}

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    const std::size_t positions = hidden.rows;
    const std::size_t channels = hidden.cols;
    const std::size_t rows = wte.rows;
    if (wte.cols != channels || logits.rows != positions || logits.cols != rows)
        return {Code::shape_mismatch};
    if (vocabulary > rows) return too_many_tokens(vocabulary, rows);
    if (positions == 0 || rows == 0) return {};

    constexpr std::size_t tile = 16;
    spread(vocabulary, product(positions, vocabulary, channels), [&](std::size_t begin, std::size_t end) {
        for (std::size_t v0 = begin; v0 < end; v0 += tile) {
            const std::size_t v1 = std::min(end, v0 + tile);
            for (std::size_t n = 0; n < positions; ++n) {
                const float* x = row_of(hidden, n);
                float* to = logits.row(n);
                for (std::size_t v = v0; v < v1; ++v)
                    to[v] = dot(x, row_of(wte, v), channels);
            }
        }
    });
    for (std::size_t n = 0; n < positions; ++n)
        std::fill(logits.row(n) + vocabulary, logits.row(n) + rows, -infinity);
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    const std::size_t positions = dlogits.rows;
    const std::size_t channels = wte.cols;
    if (dlogits.cols != wte.rows || dhidden.rows != positions || dhidden.cols != channels)
        return {Code::shape_mismatch};
    if (vocabulary > wte.rows) return too_many_tokens(vocabulary, wte.rows);
    if (positions == 0 || channels == 0) return {};

    constexpr std::size_t tile = 16;
    spread(positions, product(positions, vocabulary, channels), [&](std::size_t begin, std::size_t end) {
        for (std::size_t n0 = begin; n0 < end; n0 += tile) {
            const std::size_t n1 = std::min(end, n0 + tile);
            for (std::size_t n = n0; n < n1; ++n)
                std::fill_n(dhidden.row(n), channels, 0.0F);
            for (std::size_t v = 0; v < vocabulary; ++v)
                for (std::size_t n = n0; n < n1; ++n)
                    add_scaled(dhidden.row(n), dlogits(n, v), wte.row(v), channels);
        }
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

    constexpr std::size_t tile = 16;
    spread(vocabulary, product(positions, vocabulary, channels), [&](std::size_t begin, std::size_t end) {
        for (std::size_t v0 = begin; v0 < end; v0 += tile) {
            const std::size_t v1 = std::min(end, v0 + tile);
            for (std::size_t n = 0; n < positions; ++n)
                for (std::size_t v = v0; v < v1; ++v)
                    add_scaled(dwte.row(v), dlogits(n, v), hidden.row(n), channels);
        }
        for (std::size_t n = 0; n < positions; ++n) {
            const auto v = static_cast<std::size_t>(ids[n]);
            if (v >= begin && v < end) add_scaled(dwte.row(v), 1.0F, dinput.row(n), channels);
        }
    });
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t positions = targets.size();
    const std::size_t tokens = logits.cols;
    Loss result;
    if (logits.rows != positions || dlogits.rows != positions || dlogits.cols != tokens) {
        result.status = {Code::shape_mismatch};
        return result;
    }
    std::size_t counted = 0;
    for (std::size_t n = 0; n < positions; ++n) {
        if (targets[n] == ignored) continue;
        if (outside(targets[n], tokens)) {
            result.status = Status::id_out_of_range(n, targets[n], tokens);
            return result;
        }
        ++counted;
    }
    result.counted = counted;
    if (positions == 0 || tokens == 0) return result;

    std::vector<double> losses(positions, 0.0);
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(counted, 1));
    spread(positions, 8 * product(positions, tokens, 1), [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            float* to = dlogits.row(n);
            if (targets[n] == ignored)
                std::fill_n(to, tokens, 0.0F);
            else
                losses[n] = position_loss(logits.row(n), tokens, static_cast<std::size_t>(targets[n]), share, to);
        }
    });
    double sum = 0;
    for (const double loss : losses)
        sum += loss;
    if (counted > 0) result.mean = sum / static_cast<double>(counted);
    return result;
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || out.rows != ids.size() || out.cols != b.cols) return {Code::shape_mismatch};
    if (const Status status = check_ids(ids, a.rows); status.code != Code::ok) return status;
    if (out.rows == 0 || out.cols == 0) return {};

    spread(out.rows, product(out.rows, a.cols, out.cols), [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            float* to = out.row(n);
            std::fill_n(to, out.cols, 0.0F);
            for (std::size_t r = 0; r < a.cols; ++r)
                add_scaled(to, a(static_cast<std::size_t>(ids[n]), r), b.row(r), out.cols);
        }
    });
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t positions = ids.size();
    const std::size_t channels = b.cols;
    const std::size_t rank = b.rows;
    if (dout.rows != positions || dout.cols != channels || a.cols != rank || da.rows != a.rows ||
        da.cols != rank || db.rows != rank || db.cols != channels)
        return {Code::shape_mismatch};
    if (const Status status = check_ids(ids, a.rows); status.code != Code::ok) return status;
    if (positions == 0 || rank == 0 || channels == 0) return {};

    spread(rank, 2 * product(positions, rank, channels), [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = 0; n < positions; ++n) {
            const auto v = static_cast<std::size_t>(ids[n]);
            const float* g = dout.row(n);
            for (std::size_t r = begin; r < end; ++r) {
                da(v, r) += dot(g, b.row(r), channels);
                add_scaled(db.row(r), a(v, r), g, channels);
            }
        }
    });
    return {};
}

TableCounts count(TableSizes sizes) {
    const std::uint64_t table = sizes.vocabulary * sizes.channels;
    TableCounts counts;
    counts.tied = table + sizes.others;
    counts.untied = 2 * table + sizes.others;
    if (counts.untied > 0)
        counts.saved_share = static_cast<double>(table) / static_cast<double>(counts.untied);
    counts.factorised = sizes.vocabulary * sizes.rank + sizes.rank * sizes.channels;
    if (table > 0) counts.max_rank = (table - 1) / (sizes.vocabulary + sizes.channels);
    return counts;
}

} // namespace exercise
