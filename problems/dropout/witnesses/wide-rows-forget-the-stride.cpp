// Fault: embed walks over positions of more than 4,096 channels by C instead of their stride.
// Origin: round 22
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace exercise {
namespace {

constexpr std::size_t short_row = 4096;

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15U;

double finish(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return finish(seed + (index + 1) * golden);
}

bool drops(const Dropout& dropout) {
    return dropout.train && dropout.p != 0;
}

bool good(float p) {
    return p >= 0 && p <= 1;
}

/// Drops and scales `count` values, of which the first has the number `first` in its call.
void drop_row(const float* x, float* out, std::size_t count, const Dropout& dropout, std::uint64_t first) {
    const double p = dropout.p;
    const float scale = 1.0F / (1.0F - dropout.p);
    std::uint64_t z = dropout.seed + (dropout.offset + first + 1) * golden;
    for (std::size_t c = 0; c < count; ++c, z += golden) out[c] = finish(z) >= p ? x[c] * scale : 0.0F;
}

Status apply(Matrix<const float> x, const Dropout& dropout, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return Status{Code::shape_mismatch};
    if (!good(dropout.p)) return Status{Code::invalid_argument};
    if (x.rows == 0 || x.cols == 0) return Status{};
    if (!drops(dropout)) {
        for (std::size_t r = 0; r < x.rows; ++r) std::memcpy(out.row(r), x.row(r), x.cols * sizeof(float));
        return Status{};
    }
    for (std::size_t r = 0; r < x.rows; ++r) drop_row(x.row(r), out.row(r), x.cols, dropout, r * x.cols);
    return Status{};
}

/// The row `s` of sums, normalised.
void normalise_row(double* s, std::size_t count) {
    const auto n = static_cast<double>(count);
    double sum = 0;
    for (std::size_t c = 0; c < count; ++c) sum += s[c];
    const double mean = sum / n;
    double squares = 0;
    for (std::size_t c = 0; c < count; ++c) squares += (s[c] - mean) * (s[c] - mean);
    const double root = std::sqrt(squares / n + 1e-5);
    for (std::size_t c = 0; c < count; ++c) s[c] = (s[c] - mean) / root;
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return !dropout.train || uniform(dropout.seed, dropout.offset + element) >= static_cast<double>(dropout.p);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    return apply(x, dropout, out);
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return apply(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    if (out.batch != tokens.batch || out.time != tokens.time || out.channels != tokens.channels ||
        positions.rows != tokens.time || positions.cols != tokens.channels)
        return Status{Code::shape_mismatch};
    if (!good(dropout.p)) return Status{Code::invalid_argument};
    const std::size_t width = tokens.channels;
    if (tokens.batch == 0 || tokens.time == 0 || width == 0) return Status{};
    const bool dropping = drops(dropout);
    for (std::size_t b = 0; b < tokens.batch; ++b) {
        const float* place = positions.data;
        for (std::size_t t = 0; t < tokens.time; ++t) {
            const float* token = tokens.row(b, t);
            float* to = out.row(b, t);
            const std::uint64_t first = (b * tokens.time + t) * width;
            if (width <= short_row) {
                const float* position = positions.row(t);
                double s[short_row];
                for (std::size_t c = 0; c < width; ++c) s[c] = static_cast<double>(token[c]) + position[c];
                if (normalise) normalise_row(s, width);
                float value[short_row];
                for (std::size_t c = 0; c < width; ++c) value[c] = static_cast<float>(s[c]);
                if (dropping) {
                    drop_row(value, to, width, dropout, first);
                } else {
                    std::copy(value, value + width, to);
                }
                continue;
            }
            // A long row is not kept: each pass makes the sums again.
            double mean = 0;
            double factor = 1;
            if (normalise) {
                double sum = 0;
                for (std::size_t c = 0; c < width; ++c) sum += static_cast<double>(token[c]) + place[c];
                mean = sum / static_cast<double>(width);
                double squares = 0;
                for (std::size_t c = 0; c < width; ++c) {
                    const double d = static_cast<double>(token[c]) + place[c] - mean;
                    squares += d * d;
                }
                factor = 1 / std::sqrt(squares / static_cast<double>(width) + 1e-5);
            }
            const double scale = dropping ? 1 / (1 - static_cast<double>(dropout.p)) : 1;
            for (std::size_t c = 0; c < width; ++c) {
                const double s = (static_cast<double>(token[c]) + place[c] - mean) * factor;
                const bool stays =
                    !dropping || uniform(dropout.seed, dropout.offset + first + c) >= static_cast<double>(dropout.p);
                to[c] = stays ? static_cast<float>(s * scale) : 0.0F;
            }
            place += width;
        }
    }
    return Status{};
}

} // namespace exercise
