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

/// Written so that a NaN makes it false.
bool valid(Dropout dropout) {
    return dropout.p >= 0 && dropout.p <= 1;
}

/// One value behind dropout. A choice, not a product: 0 * infinity would be NaN.
float drop(double value, Dropout dropout, std::uint64_t element) {
    if (!survives(dropout, element)) return 0.0f;
    const double scale = dropout.train ? 1 / (1 - static_cast<double>(dropout.p)) : 1;
    return static_cast<float>(value * scale);
}

/// Forward and backward are the same map: it is linear, and each element has its own factor.
Status drop_rows(Matrix<const float> from, Dropout dropout, Matrix<float> to) {
    if (to.rows != from.rows || to.cols != from.cols) return {Code::shape_mismatch};
    if (!valid(dropout)) return {Code::invalid_argument};
    for (std::size_t r = 0; r < from.rows; ++r)
        for (std::size_t c = 0; c < from.cols; ++c)
            to(r, c) = drop(from(r, c), dropout, r * from.cols + c);
    return {};
}

void normalise_row(std::vector<double>& row) {
    const auto C = static_cast<double>(row.size());
    double mean = 0;
    for (const double value : row)
        mean += value;
    mean /= C;
    double variance = 0;
    for (const double value : row)
        variance += (value - mean) * (value - mean) / C;
    for (double& value : row)
        value = (value - mean) / std::sqrt(variance + 1e-5);
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return !dropout.train || uniform(dropout.seed, dropout.offset + element) >= dropout.p;
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    return drop_rows(x, dropout, out);
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return drop_rows(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const bool fits = positions.rows == tokens.time && positions.cols == tokens.channels &&
                      out.batch == tokens.batch && out.time == tokens.time && out.channels == tokens.channels;
    if (!fits) return {Code::shape_mismatch};
    if (!valid(dropout)) return {Code::invalid_argument};

    std::uint64_t element = 0;
    for (std::size_t b = 0; b < tokens.batch; ++b)
        for (std::size_t t = 0; t < tokens.time; ++t) {
            std::vector<double> row;
            for (std::size_t c = 0; c < tokens.channels; ++c)
                row.push_back(static_cast<double>(tokens(b, t, c)) + positions(t, c));
            if (normalise) normalise_row(row);
            for (std::size_t c = 0; c < tokens.channels; ++c)
                out(b, t, c) = drop(row[c], dropout, element++);
        }
    return {};
}

} // namespace exercise
