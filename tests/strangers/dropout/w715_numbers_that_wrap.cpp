// wrong: forward and backward walk the numbers from offset to offset + N * C with `<`, so nothing is written where that sum passes 2^64; shows with offsets just below 2^64 (train, p > 0); a right one takes offset + e modulo 2^64
#include "contract.h"

#include <algorithm>
#include <cmath>

namespace exercise {

namespace {

bool alive(const Dropout& d, std::uint64_t number) {
    std::uint64_t z = d.seed + (number + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52 >= static_cast<double>(d.p);
}

Code judge(bool same, float p) {
    return !same ? Code::shape_mismatch : p >= 0 && p <= 1 ? Code::ok : Code::invalid_argument;
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return !dropout.train || alive(dropout, dropout.offset + element);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    const Code code = judge(x.rows == out.rows && x.cols == out.cols, dropout.p);
    if (code != Code::ok || x.rows == 0 || x.cols == 0) return {code};
    if (!dropout.train || dropout.p == 0) {
        for (std::size_t r = 0; r < x.rows; ++r)
            std::copy_n(x.row(r), x.cols, out.row(r));
        return {code};
    }
    const std::uint64_t last = dropout.offset + x.rows * x.cols;
    std::size_t r = 0, c = 0;
    for (std::uint64_t number = dropout.offset; number < last; ++number) {
        out(r, c) = alive(dropout, number) ? x(r, c) / (1 - dropout.p) : 0.0F;
        if (++c == x.cols) ++r, c = 0;
    }
    return {code};
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return forward(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t T = tokens.time, C = tokens.channels;
    const Code code = judge(out.batch == tokens.batch && out.time == T && out.channels == C && positions.rows == T &&
                                positions.cols == C,
                            dropout.p);
    if (code != Code::ok || tokens.batch == 0 || T == 0 || C == 0) return {code};
    for (std::size_t r = 0; r < tokens.batch * T; ++r) {
        const float* a = tokens.data + r * C;
        const float* b = positions.row(r % T);
        double mean = 0, spread = 1;
        if (normalise) {
            for (std::size_t c = 0; c < C; ++c)
                mean += static_cast<double>(a[c] + b[c]);
            mean /= static_cast<double>(C);
            double variance = 0;
            for (std::size_t c = 0; c < C; ++c)
                variance += (static_cast<double>(a[c] + b[c]) - mean) * (static_cast<double>(a[c] + b[c]) - mean);
            spread = std::sqrt(variance / static_cast<double>(C) + 1e-5);
        }
        for (std::size_t c = 0; c < C; ++c) {
            const double value = (static_cast<double>(a[c] + b[c]) - mean) / spread;
            const bool keep = survives(dropout, r * C + c);
            const double factor = dropout.train && keep ? 1 / (1 - static_cast<double>(dropout.p)) : 1;
            out.data[r * C + c] = keep ? static_cast<float>(value * factor) : 0.0F;
        }
    }
    return {code};
}

} // namespace exercise
