// right: goes down strips of 16 columns in the outer loop, takes the quotient x / (1 - p) in double, and embed keeps mean and root of all rows of one sequence in two scratch arrays
#include "contract.h"

#include <cmath>
#include <limits>
#include <vector>

namespace exercise {

namespace {

struct Bits {
    std::uint64_t z;
    Bits& fold(int shift) { return z ^= z >> shift, *this; }
    Bits& times(std::uint64_t factor) { return z *= factor, *this; }
};

Status verdict(bool fits, float p) {
    if (!fits) return Status{Code::shape_mismatch};
    return Status{0 <= p && p <= 1 ? Code::ok : Code::invalid_argument};
}

float result(const Dropout& d, std::uint64_t e, double value, float untouched) {
    if (!d.train || d.p == 0) return untouched;
    if (!survives(d, e)) return 0;
    return static_cast<float>(value / (1 - static_cast<double>(d.p)));
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return true;
    Bits b{(dropout.offset + element + 1) * 0x9E3779B97F4A7C15u + dropout.seed};
    b.fold(30).times(0xBF58476D1CE4E5B9u).fold(27).times(0x94D049BB133111EBu).fold(31);
    // both sides times 2^53: an odd number below 2^53, and a float moved by 53 binary places
    return static_cast<double>((b.z >> 11) | 1) >= std::ldexp(static_cast<double>(dropout.p), 53);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    const Status status = verdict(x.rows == out.rows && x.cols == out.cols, dropout.p);
    if (status != Status{}) return status;
    if (x.rows == 0) return status;
    for (std::size_t from = 0; from < x.cols; from += 16)
        for (std::size_t r = 0; r < x.rows; ++r)
            for (std::size_t c = from; c < x.cols && c < from + 16; ++c)
                out(r, c) = result(dropout, r * x.cols + c, static_cast<double>(x(r, c)), x(r, c));
    return status;
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return forward(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t T = tokens.time, C = tokens.channels;
    const Status status = verdict(out.batch == tokens.batch && out.time == T && out.channels == C && positions.rows == T &&
                                      positions.cols == C,
                                  dropout.p);
    if (status.code != Code::ok) return status;
    if (tokens.batch == 0 || T == 0 || C == 0) return status;
    const auto sum = [&](std::size_t b, std::size_t t, std::size_t c) {
        return static_cast<double>(tokens(b, t, c)) + static_cast<double>(positions(t, c));
    };
    std::vector<double> mean(T, 0.0), root(T, 1.0);
    for (std::size_t b = 0; b < tokens.batch; ++b) {
        for (std::size_t t = 0; normalise && t < T; ++t) {
            double total = 0, squares = 0;
            for (std::size_t c = C; c-- > 0;)
                total += sum(b, t, c);
            mean[t] = total / static_cast<double>(C);
            for (std::size_t c = C; c-- > 0;)
                squares += (sum(b, t, c) - mean[t]) * (sum(b, t, c) - mean[t]);
            root[t] = std::sqrt(squares / static_cast<double>(C) + 1e-5);
        }
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c) {
                const double value = normalise ? (sum(b, t, c) - mean[t]) / root[t] : sum(b, t, c);
                out(b, t, c) = result(dropout, (b * T + t) * C + c, value, static_cast<float>(value));
            }
    }
    return status;
}

} // namespace exercise
