// right: makes the mask as words of 64 bits that run on over the ends of rows, clears the output and visits only the survivors by countr_zero
#include "contract.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

namespace exercise {
namespace {

bool one(const Dropout& d, std::uint64_t e) {
    if (!d.train) return true;
    std::uint64_t z = d.seed + (d.offset + e + 1) * 0x9E3779B97F4A7C15u;
    z ^= z >> 30;
    z *= 0xBF58476D1CE4E5B9u;
    z ^= z >> 27;
    z *= 0x94D049BB133111EBu;
    z ^= z >> 31;
    return std::ldexp(static_cast<double>(z >> 12) + 0.5, -52) >= d.p;
}

/// Calls f(e) for all surviving e in [begin, end), upwards.
template <class F>
void each_survivor(const Dropout& d, std::uint64_t begin, std::uint64_t end, F f) {
    for (std::uint64_t first = begin; first < end;) {
        const std::uint64_t count = std::min<std::uint64_t>(64, end - first);
        std::uint64_t word = 0;
        for (std::uint64_t i = 0; i < count; ++i)
            word |= static_cast<std::uint64_t>(one(d, first + i)) << i;
        for (; word != 0; word &= word - 1)
            f(first + static_cast<std::uint64_t>(std::countr_zero(word)));
        first += count;
    }
}

float scaled(const Dropout& d, double value) {
    if (!d.train) return static_cast<float>(value);
    return static_cast<float>(value / (1.0 - static_cast<double>(d.p)));
}

std::optional<Status> refusal(bool fits, float p) {
    if (!fits) return Status{Code::shape_mismatch};
    if (p >= 0.0F && p <= 1.0F) return std::nullopt;
    return Status{Code::invalid_argument};
}

Status thin_out(Matrix<const float> in, Dropout d, Matrix<float> out) {
    if (const auto no = refusal(in.rows == out.rows && in.cols == out.cols, d.p)) return *no;
    if (in.rows == 0 || in.cols == 0) return Status{};
    const bool copies = !d.train || d.p == 0.0F;
    std::size_t r = 0, begin = 0; // element `begin` opens row r
    for (std::size_t row = 0; row < out.rows; ++row)
        std::fill_n(out.row(row), out.cols, 0.0F);
    each_survivor(d, 0, static_cast<std::uint64_t>(in.rows) * in.cols, [&](std::uint64_t e) {
        while (e - begin >= in.cols)
            begin += in.cols, ++r;
        const std::size_t c = e - begin;
        if (copies)
            std::memcpy(&out(r, c), &in(r, c), sizeof(float));
        else
            out(r, c) = scaled(d, in(r, c));
    });
    return Status{};
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return one(dropout, element);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    return thin_out(x, dropout, out);
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return thin_out(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const auto [B, T, C] = std::array{tokens.batch, tokens.time, tokens.channels};
    const bool fits = std::array{out.batch, out.time, out.channels} == std::array{B, T, C} &&
                      positions.rows == T && positions.cols == C;
    if (const auto no = refusal(fits, dropout.p)) return *no;
    if (B == 0 || T == 0 || C == 0) return Status{};
    std::uint64_t e = 0;
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t, e += tokens.channels) {
            const float* token = tokens.row(b, t);
            const float* position = positions.row(t);
            const auto s = [&](std::size_t c) { return static_cast<double>(token[c]) + position[c]; };
            double mean = 0, root = 1;
            if (normalise) {
                // Halves of halves, so that long rows lose nothing.
                const auto total = [](auto self, std::size_t from, std::size_t to, auto term) -> double {
                    if (to - from > 32)
                        return self(self, from, from + (to - from) / 2, term) +
                               self(self, from + (to - from) / 2, to, term);
                    double sum = 0;
                    for (std::size_t c = from; c < to; ++c)
                        sum += term(c);
                    return sum;
                };
                const double n = static_cast<double>(tokens.channels);
                mean = total(total, 0, tokens.channels, s) / n;
                const double m = mean;
                root = std::sqrt(
                    total(total, 0, tokens.channels, [&](std::size_t c) { return (s(c) - m) * (s(c) - m); }) / n +
                    1e-5);
            }
            float* to = out.row(b, t);
            std::fill_n(to, tokens.channels, 0.0F);
            each_survivor(dropout, e, e + tokens.channels, [&](std::uint64_t element) {
                const std::size_t c = element - e;
                to[c] = scaled(dropout, normalise ? (s(c) - mean) / root : s(c));
            });
        }
    return Status{};
}

} // namespace exercise
