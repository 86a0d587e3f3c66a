// accepted: eight numbers of the generator at once, and a bit mask that selects
#include "contract.h"

#include <bit>
#include <cmath>
#include <vector>

namespace {

constexpr std::size_t lanes = 8;

/// Bit i of the result: whether element first + i survives.
unsigned eight(contract::Dropout dropout, std::uint64_t first) {
    std::uint64_t z[lanes];
    for (std::size_t i = 0; i < lanes; ++i)
        z[i] = dropout.seed + (dropout.offset + first + i + 1) * 0x9E3779B97F4A7C15u;
    for (std::uint64_t& lane : z)
        lane = (lane ^ (lane >> 30)) * 0xBF58476D1CE4E5B9u;
    for (std::uint64_t& lane : z)
        lane = (lane ^ (lane >> 27)) * 0x94D049BB133111EBu;
    unsigned bits = 0;
    for (std::size_t i = 0; i < lanes; ++i) {
        const double uniform = (static_cast<double>((z[i] ^ (z[i] >> 31)) >> 12) + 0.5) * 0x1p-52;
        bits |= static_cast<unsigned>(!dropout.train || uniform >= dropout.p) << i;
    }
    return bits;
}

/// All bits of the product where the mask says so, and none where not: NaN and infinity go too.
void drop_run(const float* from, float* to, std::size_t count, contract::Dropout dropout,
              std::uint64_t first) {
    const float factor = dropout.train ? static_cast<float>(1 / (1 - double{dropout.p})) : 1.0F;
    for (std::size_t i = 0; i < count; i += lanes) {
        const unsigned bits = eight(dropout, first + i);
        for (std::size_t lane = 0; lane < lanes && i + lane < count; ++lane) {
            const std::uint32_t all = -((bits >> lane) & 1U);
            to[i + lane] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(from[i + lane] * factor) & all);
        }
    }
}

contract::Status drop_rows(contract::Matrix<const float> from, contract::Dropout dropout,
                           contract::Matrix<float> to) {
    using contract::Code;
    if (to.rows != from.rows || to.cols != from.cols) return {Code::shape_mismatch};
    if (!(dropout.p >= 0 && dropout.p <= 1)) return {Code::invalid_argument};
    for (std::size_t r = 0; r < from.rows; ++r)
        drop_run(from.row(r), to.row(r), from.cols, dropout, r * from.cols);
    return {};
}

} // namespace

namespace exercise {

bool survives(Dropout dropout, std::uint64_t element) {
    return eight(dropout, element) & 1U;
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
    if (!(dropout.p >= 0 && dropout.p <= 1)) return {Code::invalid_argument};
    const std::size_t C = tokens.channels;
    for (std::size_t b = 0; b < tokens.batch; ++b)
        for (std::size_t t = 0; t < tokens.time; ++t) {
            std::vector<float> row(C);
            double mean = 0;
            for (std::size_t c = 0; c < C; ++c)
                mean += row[c] = tokens(b, t, c) + positions(t, c);
            if (normalise) {
                mean /= static_cast<double>(C);
                double variance = 0;
                for (const float value : row)
                    variance += (value - mean) * (value - mean) / static_cast<double>(C);
                for (float& value : row)
                    value = static_cast<float>((value - mean) / std::sqrt(variance + 1e-5));
            }
            drop_run(row.data(), out.row(b, t), C, dropout, (b * tokens.time + t) * C);
        }
    return {};
}

} // namespace exercise
