// right: p becomes one integer threshold on the 52 bits, the generator's state is stepped by addition, and forward, backward and embed share one writer of elements in reading order
#include "contract.h"

#include <cmath>
#include <cstring>
#include <optional>

namespace exercise {

namespace {

constexpr std::uint64_t step = 0x9E3779B97F4A7C15u;

std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// k + 1/2 >= p 2^52 for whole k, that is k >= p 2^52 - 1/2; every step is exact
std::uint64_t threshold(float p) {
    const double least = std::ceil(static_cast<double>(p) * 0x1p52 - 0.5);
    return least <= 0 ? 0 : static_cast<std::uint64_t>(least);
}

// Decides about one element after another.
class Mask {
  public:
    Mask(const Dropout& dropout, std::uint64_t first)
        : state_(dropout.seed + (dropout.offset + first) * step), least_(dropout.train ? threshold(dropout.p) : 0) {}
    bool next() { return mixed(state_ += step) >> 12 >= least_; }

  private:
    std::uint64_t state_;
    std::uint64_t least_;
};

std::optional<Status> refusal(bool fits, float p) {
    if (!fits) return Status{Code::shape_mismatch};
    if (!(p >= 0 && p <= 1)) return Status{Code::invalid_argument};
    return {};
}

bool identity(const Dropout& dropout) {
    return !dropout.train || dropout.p == 0;
}

Status drop(Matrix<const float> from, const Dropout& dropout, Matrix<float> to) {
    if (const auto no = refusal(from.rows == to.rows && from.cols == to.cols, dropout.p)) return *no;
    if (to.rows == 0 || to.cols == 0) return {};
    if (identity(dropout)) {
        for (std::size_t r = 0; r < to.rows; ++r)
            std::memcpy(to.row(r), from.row(r), to.cols * sizeof(float));
        return {};
    }
    const float factor = 1 / (1 - dropout.p);
    Mask mask(dropout, 0);
    for (std::size_t r = 0; r < to.rows; ++r)
        for (std::size_t c = 0; c < to.cols; ++c)
            to(r, c) = mask.next() ? from(r, c) * factor : 0.0F;
    return {};
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return Mask(dropout, element).next();
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    return drop(x, dropout, out);
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return drop(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t width = tokens.channels;
    const bool fits = out.batch == tokens.batch && out.time == tokens.time && out.channels == width &&
                      positions.rows == tokens.time && positions.cols == width;
    if (const auto no = refusal(fits, dropout.p)) return *no;
    if (tokens.batch == 0 || tokens.time == 0 || width == 0) return {};
    const bool plain = identity(dropout);
    const double keep = plain ? 1 : 1 - static_cast<double>(dropout.p);
    Mask mask(dropout, 0);
    for (std::size_t b = 0; b < tokens.batch; ++b)
        for (std::size_t t = 0; t < tokens.time; ++t) {
            const float* token = tokens.row(b, t);
            const float* position = positions.row(t);
            const auto sum = [=](std::size_t c) { return static_cast<double>(token[c] + position[c]); };
            double mean = 0, root = 1;
            if (normalise) {
                for (std::size_t c = 0; c < width; ++c)
                    mean += sum(c);
                mean /= static_cast<double>(width);
                double squares = 0;
                for (std::size_t c = 0; c < width; ++c)
                    squares += (sum(c) - mean) * (sum(c) - mean);
                root = std::sqrt(squares / static_cast<double>(width) + 1e-5);
            }
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < width; ++c)
                to[c] = plain || mask.next() ? static_cast<float>((sum(c) - mean) / root / keep) : 0.0F;
        }
    return {};
}

} // namespace exercise
