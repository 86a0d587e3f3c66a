// right: four generators at a time in vectors of whole numbers; the comparison with p is one of whole numbers, a value is kept or cleared by a mask over its bits, and the sums of a row are made in four lanes of double.
#include "contract.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace exercise {
namespace {

using Lanes [[gnu::vector_size(32)]] = std::uint64_t;
using Doubles [[gnu::vector_size(32)]] = double;
constexpr std::size_t width = 4;

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u;

/// From the state of a generator to the upper 52 of its 64 bits, in one number or four.
template <class Word>
inline void upper_bits(Word& z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z = (z ^ (z >> 31)) >> 12;
}

inline std::uint64_t one(std::uint64_t z) {
    upper_bits(z);
    return z;
}

/// (k + 0.5) * 2^-52 >= p means k >= p * 2^52 - 0.5, and k is whole.
std::uint64_t threshold(const Dropout& dropout) {
    if (!dropout.train || !(dropout.p > 0)) return 0;
    return static_cast<std::uint64_t>(std::ceil(static_cast<double>(dropout.p) * 0x1p52 - 0.5));
}

struct Plan {
    std::uint64_t limit;
    std::uint64_t state; ///< of element 0
    float factor;

    explicit Plan(const Dropout& d)
        : limit(threshold(d)), state(d.seed + (d.offset + 1) * golden),
          factor(d.train && d.p > 0 ? 1.0f / (1.0f - d.p) : 1.0f) {}

    bool changes() const { return limit != 0 || factor != 1.0f; }
};

inline void keep_or_clear(float& value, float factor, bool keep) {
    const std::uint32_t all = 0u - static_cast<std::uint32_t>(keep);
    value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value * factor) & all);
}

/// `count` values in place, the first of which is element `first`.
void drop(float* values, std::size_t count, const Plan& plan, std::uint64_t first) {
    std::uint64_t z = plan.state + first * golden;
    const Lanes steps = {0, golden, 2 * golden, 3 * golden};
    std::size_t c = 0;
    for (; c + width <= count; c += width, z += width * golden) {
        Lanes k = z + steps;
        upper_bits(k);
        for (std::size_t lane = 0; lane < width; ++lane)
            keep_or_clear(values[c + lane], plan.factor, k[lane] >= plan.limit);
    }
    for (; c < count; ++c, z += golden)
        keep_or_clear(values[c], plan.factor, one(z) >= plan.limit);
}

double total(const Doubles& lanes) {
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

void normalise_row(float* row, std::size_t count) {
    const double n = static_cast<double>(count);
    const std::size_t whole = count / width * width;

    Doubles sums = {};
    for (std::size_t c = 0; c < whole; c += width)
        sums += Doubles{row[c], row[c + 1], row[c + 2], row[c + 3]};
    double sum = total(sums);
    for (std::size_t c = whole; c < count; ++c)
        sum += row[c];
    const double mean = sum / n;

    Doubles squares = {};
    for (std::size_t c = 0; c < whole; c += width) {
        const Doubles d = Doubles{row[c], row[c + 1], row[c + 2], row[c + 3]} - mean;
        squares += d * d;
    }
    double square = total(squares);
    for (std::size_t c = whole; c < count; ++c)
        square += (row[c] - mean) * (row[c] - mean);
    const double root = std::sqrt(square / n + 1e-5);

    for (std::size_t c = 0; c < count; ++c)
        row[c] = static_cast<float>((row[c] - mean) / root);
}

Status refusal(bool fits, float p) {
    if (!fits) return Status{Code::shape_mismatch};
    if (!(p >= 0.0f) || !(p <= 1.0f)) return Status{Code::invalid_argument};
    return Status{};
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    const Plan plan(dropout);
    return one(plan.state + element * golden) >= plan.limit;
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    const Status status = refusal(x.rows == out.rows && x.cols == out.cols, dropout.p);
    if (status.code != Code::ok || x.rows == 0 || x.cols == 0) return status;
    const Plan plan(dropout);
    for (std::size_t r = 0; r < x.rows; ++r) {
        std::memcpy(out.row(r), x.row(r), x.cols * sizeof(float));
        if (plan.changes()) drop(out.row(r), x.cols, plan, r * x.cols);
    }
    return status;
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return forward(dout, dropout, dx); // each constant is its own derivative
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const bool fits = tokens.batch == out.batch && tokens.time == out.time && tokens.channels == out.channels &&
                      positions.rows == tokens.time && positions.cols == tokens.channels;
    const Status status = refusal(fits, dropout.p);
    const std::size_t B = out.batch, T = out.time, C = out.channels;
    if (status.code != Code::ok || B == 0 || T == 0 || C == 0) return status;
    const Plan plan(dropout);
    for (std::size_t t = 0; t < T; ++t) { // a position is read for all sequences at once
        const float* position = positions.row(t);
        for (std::size_t b = 0; b < B; ++b) {
            const float* token = tokens.row(b, t);
            float* row = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                row[c] = token[c] + position[c];
            if (normalise) normalise_row(row, C);
            if (plan.changes()) drop(row, C, plan, (b * T + t) * C);
        }
    }
    return status;
}

} // namespace exercise
