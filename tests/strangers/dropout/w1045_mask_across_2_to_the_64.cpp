// wrong: a kept mask is reused for numbers that seem to lie within it, without regard to 2^64; forward or backward with an offset + N * C that passes 2^64 gets bits of another place, after a call of the same seed and p that did not pass it and covers the end
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace exercise {
namespace {

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

/// The last mask. It is a function of seed, p and the numbers of its elements, so backward finds here what
/// forward made, and a part of a mask is found in the whole.
class LastMask {
  public:
    static constexpr std::size_t most = std::size_t{1} << 20; ///< elements, a power of two

    /// Makes sure that the elements [begin, begin + count) are there; count <= most.
    void prepare(const Dropout& dropout, std::uint64_t begin, std::size_t count) {
        const bool same = count_ != 0 && seed_ == dropout.seed && p_ == dropout.p;
        if (same && begin >= begin_ && begin + count <= begin_ + count_) return;
        if (bits_.empty()) bits_.resize(most / 64);
        std::fill(bits_.begin(), bits_.end(), 0);
        seed_ = dropout.seed;
        p_ = dropout.p;
        begin_ = begin;
        count_ = count;
        const double p = dropout.p;
        std::uint64_t z = dropout.seed + (begin + 1) * golden;
        for (std::size_t i = 0; i < count; ++i, z += golden)
            if (finish(z) >= p) bits_[i / 64] |= std::uint64_t{1} << i % 64;
    }

    bool operator[](std::uint64_t number) const {
        const std::uint64_t i = (number - begin_) % most;
        return (bits_[i / 64] >> i % 64 & 1) != 0;
    }

  private:
    std::uint64_t seed_ = 0;
    float p_ = 0;
    std::uint64_t begin_ = 0;
    std::size_t count_ = 0;
    std::vector<std::uint64_t> bits_;
};

LastMask last_mask;

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
    if (x.rows * x.cols <= LastMask::most) {
        const float scale = 1.0F / (1.0F - dropout.p);
        last_mask.prepare(dropout, dropout.offset, x.rows * x.cols);
        std::uint64_t number = dropout.offset;
        for (std::size_t r = 0; r < x.rows; ++r) {
            const float* from = x.row(r);
            float* to = out.row(r);
            for (std::size_t c = 0; c < x.cols; ++c, ++number) to[c] = last_mask[number] ? from[c] * scale : 0.0F;
        }
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
    std::vector<double> s(width);
    std::vector<float> value(width);
    for (std::size_t b = 0; b < tokens.batch; ++b) {
        for (std::size_t t = 0; t < tokens.time; ++t) {
            const float* token = tokens.row(b, t);
            const float* position = positions.row(t);
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < width; ++c) s[c] = static_cast<double>(token[c]) + position[c];
            if (normalise) normalise_row(s.data(), width);
            for (std::size_t c = 0; c < width; ++c) value[c] = static_cast<float>(s[c]);
            if (drops(dropout)) {
                drop_row(value.data(), to, width, dropout, (b * tokens.time + t) * width);
            } else {
                std::copy(value.begin(), value.end(), to);
            }
        }
    }
    return Status{};
}

} // namespace exercise
