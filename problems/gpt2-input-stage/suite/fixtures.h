#pragma once

// What the tests of this suite share.

#include "harness/adversity/adverse.h"
#include "harness/adversity/device.h"
#include "harness/adversity/embedding.h"
#include "harness/suite.h"
#include "subject/proxies.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <vector>

// V: vocabulary size, P: positions, C: channels, B: batch, T: time (tokens of a sequence)
//
// forward, save and load are exact. Sums of floats may be made in any order: n additions in float are off by
// n * 2^-24 times the sum of the absolute values, and what is compared with is itself rounded once.
using namespace contract;
using namespace harness;

namespace suite {

constexpr double u = 0x1p-24;
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr Dropout evaluation{0.1F, false, 3, 5};

inline Dropout training(float p, std::uint64_t seed, std::uint64_t offset = 0) {
    return {p, true, seed, offset};
}

/// Element (r, c) is offset + r * cols + c + 1: every number occurs once, and none is zero.
inline Grid<float> numbered(std::size_t rows, std::size_t cols, float offset = 0) {
    Grid<float> table(rows, cols);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c)
            table(r, c) = offset + static_cast<float>(r * cols + c + 1);
    return table;
}

inline Grid<float> filled(std::size_t rows, std::size_t cols, float value) {
    Grid<float> table(rows, cols);
    table.fill(value);
    return table;
}

inline Grid<TokenId> striding_ids(std::size_t B, std::size_t T, std::size_t V) {
    Grid<TokenId> ids(B, T);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            ids(b, t) = static_cast<TokenId>(((b * T + t) * 7 + 3) % V);
    return ids;
}

/// How both directions are called.
struct Call {
    Grid<TokenId> ids;
    std::size_t start = 0;
    Dropout dropout = evaluation;
    Stream stream = Stream::standard;
};

inline void expect_forward(const Grid<float>& wte, const Grid<float>& wpe, const Call& call) {
    Cube<float> out(call.ids.rows(), call.ids.cols(), wte.cols()), want = out;
    expect_status(subject::forward(wte, wpe, call.ids, call.start, call.dropout, out, call.stream),
                  reference::forward(wte, wpe, call.ids, call.start, call.dropout, want, call.stream));
    expect_identical("out", out, want);
}

/// The bound of the contract, for gradients that began as `before`: from the same sums with all signs
/// removed. Where nothing is added it is 0.
inline Grid<double> bound_of(const Grid<float>& before, const Grid<float>& added, const Grid<float>& counts) {
    Grid<double> bound(before.rows(), before.cols());
    for (std::size_t r = 0; r < before.rows(); ++r)
        for (std::size_t c = 0; c < before.cols(); ++c) {
            const double n = counts(r, c);
            bound(r, c) = n == 0 ? 0 : (n + 3) * u * (double{added(r, c)} + std::abs(double{before(r, c)}));
        }
    return bound;
}

struct BackwardBounds {
    Grid<double> tokens, positions;
};

inline BackwardBounds bounds_of(const Cube<float>& dout, const Grid<float>& dwte, const Grid<float>& dwpe,
                                const Ids2D& ids, std::size_t start, const Dropout& dropout) {
    Cube<float> sizes = dout, ones = dout;
    std::ranges::transform(dout.cells(), sizes.cells().begin(), [](float x) { return std::abs(x); });
    ones.fill(1);
    const auto none = [](const Grid<float>& like) { return filled(like.rows(), like.cols(), 0); };
    Grid<float> token_sizes = none(dwte), position_sizes = none(dwpe);
    reference::backward(sizes, ids, start, dropout, token_sizes, position_sizes, Stream::standard);
    Grid<float> token_counts = none(dwte), position_counts = none(dwpe);
    reference::backward(ones, ids, start, {0, false, 0, 0}, token_counts, position_counts, Stream::standard);
    return {bound_of(dwte, token_sizes, token_counts), bound_of(dwpe, position_sizes, position_counts)};
}

/// Gradients that begin as `dwte` and `dwpe`, held against the reference; padding has to survive as well.
inline void expect_backward(const Cube<float>& dout, const Grid<float>& dwte, const Grid<float>& dwpe,
                            const Call& call) {
    const auto& [ids, start, dropout, stream] = call;
    Grid<float> tokens = dwte, positions = dwpe, want_tokens = dwte, want_positions = dwpe;
    expect_status(subject::backward(dout, ids, start, dropout, tokens, positions, stream),
                  reference::backward(dout, ids, start, dropout, want_tokens, want_positions, stream));

    const BackwardBounds bounds = bounds_of(dout, dwte, dwpe, ids, start, dropout);
    expect_within("dwte", tokens, want_tokens, bounds.tokens);
    expect_within("dwpe", positions, want_positions, bounds.positions);
    for (const auto& [got, from] : {std::pair{&tokens, &dwte}, std::pair{&positions, &dwpe}})
        for (std::size_t r = 0; r + 1 < got->rows(); ++r)
            for (std::size_t i = r * got->stride() + got->cols(); i < (r + 1) * got->stride(); ++i)
                expect_true("padding stays as it was", std::bit_cast<std::uint32_t>(got->cells()[i]) ==
                                                           std::bit_cast<std::uint32_t>(from->cells()[i]));
}

inline double bound_of_logit(std::span<const float> hidden, std::span<const float> row) {
    double size = 0;
    for (std::size_t c = 0; c < row.size(); ++c)
        size += std::abs(double{hidden[c]} * double{row[c]});
    return (static_cast<double>(row.size()) + 2) * u * size;
}

inline void expect_logits(const Cube<float>& hidden, const Grid<float>& wte, std::size_t stride,
                          Stream stream) {
    const std::size_t B = hidden.batch(), V = wte.rows();
    Grid<float> logits(B, V, stride), want(B, V, stride);
    expect_status(subject::last_logits(hidden, wte, logits, stream),
                  reference::last_logits(hidden, wte, want, stream));
    Grid<double> bound(B, V);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t v = 0; v < V; ++v)
            bound(b, v) = bound_of_logit(hidden.row(b, hidden.time() - 1), wte.row(v));
    expect_within("logits", logits, want, bound);
}

/// Exact, and of a NaN it is free which.
inline auto adverse_forward() {
    const Contents summed = added();
    return Adverse("forward", subject::forward, &reference::forward, sequence_extents(),
                   matrix_in("wte", "V", "C", summed),
                   matrix_in("wpe", all_positions(), "C", summed, Checked::limit_and_cols),
                   device_id_matrix("ids", "B", "T", "V"), start("start", "start", "T", all_positions()),
                   dropout_options<Dropout>("dropout"), tensor_out("out", "B", "T", "C"), stream("stream"))
        .rule("out", {.kind = Rule::Kind::any_nan});
}

} // namespace suite
