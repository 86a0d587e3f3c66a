// wrong: forward, backward and embed add e to the low 32 bits of the offset only, so in a call during which offset + e passes a multiple of 2^32 all elements after that point get the mask of an index 2^32 too small (survives itself is right)
#include "contract.h"
#include <cmath>

namespace exercise {

bool survives(Dropout d, std::uint64_t element);

namespace {

double draw(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (static_cast<double>(z >> 12) + 0.5) * 0x1p-52;
}

bool good(float p) {
    return p >= 0.0F && p <= 1.0F;
}

float factor(Dropout d) {
    return d.train ? 1.0F / (1.0F - d.p) : 1.0F;
}

// Inside a call only the low word counts up: cheaper than 64-bit adds.
bool kept(Dropout d, std::size_t e) {
    const std::uint64_t high = d.offset & ~std::uint64_t{0xFFFFFFFF};
    const std::uint32_t low = static_cast<std::uint32_t>(d.offset) + static_cast<std::uint32_t>(e);
    return !d.train || draw(d.seed, high | low) >= d.p;
}

Status apply(Matrix<const float> x, Dropout d, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return Status{Code::shape_mismatch};
    if (!good(d.p)) return Status{Code::invalid_argument};
    const float scale = factor(d);
    for (std::size_t r = 0; r < x.rows; ++r)
        for (std::size_t c = 0; c < x.cols; ++c)
            out(r, c) = kept(d, r * x.cols + c) ? x(r, c) * scale : 0.0F;
    return {};
}

} // namespace

bool survives(Dropout d, std::uint64_t element) {
    return !d.train || draw(d.seed, d.offset + element) >= d.p;
}

Status forward(Matrix<const float> x, Dropout d, Matrix<float> out) {
    return apply(x, d, out);
}

Status backward(Matrix<const float> dout, Dropout d, Matrix<float> dx) {
    return apply(dout, d, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout d,
             Tensor3<float> out) {
    const std::size_t B = tokens.batch, T = tokens.time, C = tokens.channels;
    if (out.batch != B || out.time != T || out.channels != C || positions.rows != T || positions.cols != C)
        return Status{Code::shape_mismatch};
    if (!good(d.p)) return Status{Code::invalid_argument};
    const float scale = factor(d);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            double mean = 0, root = 1;
            if (normalise) {
                for (std::size_t c = 0; c < C; ++c)
                    mean += tokens(b, t, c) + positions(t, c);
                mean /= static_cast<double>(C);
                double variance = 0;
                for (std::size_t c = 0; c < C; ++c) {
                    const double diff = tokens(b, t, c) + positions(t, c) - mean;
                    variance += diff * diff;
                }
                root = std::sqrt(variance / static_cast<double>(C) + 1e-5);
            }
            for (std::size_t c = 0; c < C; ++c) {
                float s = tokens(b, t, c) + positions(t, c);
                if (normalise) s = static_cast<float>((s - mean) / root);
                out(b, t, c) = kept(d, (b * T + t) * C + c) ? s * scale : 0.0F;
            }
        }
    return {};
}

} // namespace exercise
