// wrong: embed writes the (normalised) sum into out and leaves the check of p to forward, which it calls last: embed with a p that is refused has already written out; a right one leaves out as it was
#include "contract.h"

#include <cmath>
#include <numeric>

namespace exercise {

bool survives(Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return true;
    std::uint64_t z = dropout.seed + (dropout.offset + element + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52 >= dropout.p;
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return Status{Code::shape_mismatch};
    if (!(0.0F <= dropout.p && dropout.p <= 1.0F)) return Status{Code::invalid_argument};
    if (x.cols == 0) return Status{};
    const float factor = dropout.train ? 1.0F / (1.0F - dropout.p) : 1.0F;
    std::uint64_t element = 0;
    for (std::size_t r = 0; r < x.rows; ++r)
        for (std::size_t c = 0; c < x.cols; ++c)
            out(r, c) = survives(dropout, element++) ? factor * x(r, c) : 0.0F;
    return Status{};
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return forward(dout, dropout, dx); // the same factors
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    if (out.batch != tokens.batch || out.time != tokens.time || out.channels != tokens.channels ||
        positions.rows != tokens.time || positions.cols != tokens.channels)
        return Status{Code::shape_mismatch};
    const std::size_t C = tokens.channels;
    const std::size_t rows = C == 0 ? 0 : tokens.batch * tokens.time;
    for (std::size_t row = 0; row < rows; ++row) {
        const float* token = tokens.data + row * C;
        const float* position = positions.row(row % tokens.time);
        float* to = out.data + row * C;
        for (std::size_t c = 0; c < C; ++c)
            to[c] = token[c] + position[c];
        if (!normalise) continue;
        const double mean = std::accumulate(to, to + C, 0.0) / static_cast<double>(C);
        double squares = 0;
        for (std::size_t c = 0; c < C; ++c)
            squares += (to[c] - mean) * (to[c] - mean);
        const double root = std::sqrt(squares / static_cast<double>(C) + 1e-5);
        for (std::size_t c = 0; c < C; ++c)
            to[c] = static_cast<float>((to[c] - mean) / root);
    }
    const Matrix<float> sums(out.data, rows, C);
    return forward(sums, dropout, sums);
}

} // namespace exercise
