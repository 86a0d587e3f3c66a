// wrong: embed compares the shape of positions with (T, C) only where there is a sequence; for B = 0 and positions of another shape it returns Status{} (or, with a bad p, invalid_argument), where a right one returns Code::shape_mismatch.
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {

namespace {

double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

bool valid(float p) {
    return p >= 0 && p <= 1; // false for NaN
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return true;
    return uniform(dropout.seed, dropout.offset + element) >= static_cast<double>(dropout.p);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    const std::size_t N = x.rows, C = x.cols;
    if (out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    if (!valid(dropout.p)) return Status{Code::invalid_argument};
    if (C == 0) return Status{};

    const bool identity = !dropout.train || dropout.p == 0;
    const double keep = 1 - static_cast<double>(dropout.p);
    for (std::size_t r = 0; r < N; ++r)
        for (std::size_t c = 0; c < C; ++c) {
            if (identity)
                out(r, c) = x(r, c);
            else if (survives(dropout, r * C + c))
                out(r, c) = static_cast<float>(x(r, c) / keep);
            else
                out(r, c) = 0.0f;
        }
    return Status{};
}

// The mask is a function of `dropout`, so this is the same map once more.
Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return forward(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t B = tokens.batch, T = tokens.time, C = tokens.channels;
    if (out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
    if (B > 0 && // every sequence gets the same positions
        (positions.rows != tokens.time || positions.cols != tokens.channels))
        return Status{Code::shape_mismatch};
    if (!valid(dropout.p)) return Status{Code::invalid_argument};
    if (B == 0 || T == 0 || C == 0) return Status{};

    const double keep = dropout.train ? 1 - static_cast<double>(dropout.p) : 1;
    std::vector<double> s(C);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            double sum = 0;
            for (std::size_t c = 0; c < C; ++c) {
                s[c] = static_cast<double>(tokens(b, t, c)) + static_cast<double>(positions(t, c));
                sum += s[c];
            }
            if (normalise) {
                const double mean = sum / static_cast<double>(C);
                double squares = 0;
                for (const double value : s)
                    squares += (value - mean) * (value - mean);
                const double root = std::sqrt(squares / static_cast<double>(C) + 1e-5);
                for (double& value : s)
                    value = (value - mean) / root;
            }
            for (std::size_t c = 0; c < C; ++c)
                out(b, t, c) = survives(dropout, (b * T + t) * C + c) ? static_cast<float>(s[c] / keep) : 0.0f;
        }
    return Status{};
}

} // namespace exercise
