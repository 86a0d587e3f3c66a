// wrong: embed works through a row in tiles of 1,024 channels that fit a buffer, and normalises each tile with its own mean and variance: wrong for normalise and C > 1,024; a right one uses the mean and variance of the whole row
#include "contract.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace exercise {
namespace {

struct Mask {
    Dropout d;
    bool operator[](std::uint64_t e) const {
        if (!d.train) return true;
        std::uint64_t z = d.seed + (d.offset + e + 1) * 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52 >= d.p;
    }
    float factor() const { return d.train ? 1.0F / (1.0F - d.p) : 1.0F; }
    bool allowed() const { return d.p >= 0 && d.p <= 1; }
};

void layer_norm(std::span<float> row) {
    const double n = static_cast<double>(row.size());
    double mean = 0;
    for (const float value : row)
        mean += value;
    mean /= n;
    double variance = 0;
    for (const float value : row)
        variance += (value - mean) * (value - mean);
    const double root = std::sqrt(variance / n + 1e-5);
    for (float& value : row)
        value = static_cast<float>((value - mean) / root);
}

Status masked(Matrix<const float> in, const Mask& mask, Matrix<float> out) {
    if (in.rows != out.rows || in.cols != out.cols) return Status{Code::shape_mismatch};
    if (!mask.allowed()) return Status{Code::invalid_argument};
    if (in.cols == 0) return Status{};
    for (std::size_t r = 0; r < in.rows; ++r) {
        const std::uint64_t first = static_cast<std::uint64_t>(r) * in.cols;
        for (std::size_t c = 0; c < in.cols; ++c)
            out(r, c) = mask[first + c] ? in(r, c) * mask.factor() : 0.0F;
    }
    return Status{};
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return Mask{dropout}[element];
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    return masked(x, Mask{dropout}, out);
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return masked(dout, Mask{dropout}, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t B = tokens.batch, T = tokens.time, C = tokens.channels;
    if (out.batch != B || out.time != T || out.channels != C || positions.rows != T || positions.cols != C)
        return Status{Code::shape_mismatch};
    const Mask mask{dropout};
    if (!mask.allowed()) return Status{Code::invalid_argument};
    if (B == 0 || T == 0 || C == 0) return Status{};
    std::array<float, 1'024> buffer; // on the stack: no allocation for each row
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = tokens.row(b, t);
            const float* position = positions.row(t);
            for (std::size_t c = 0; c < C; c += buffer.size()) {
                const std::span<float> tile(buffer.data(), std::min(buffer.size(), C - c));
                for (std::size_t i = 0; i < tile.size(); ++i)
                    tile[i] = token[c + i] + position[c + i];
                if (normalise) layer_norm(tile);
                for (std::size_t i = 0; i < tile.size(); ++i)
                    out(b, t, c + i) = mask[(b * T + t) * C + c + i] ? tile[i] * mask.factor() : 0.0F;
            }
        }
    return Status{};
}

} // namespace exercise
