// right: the random state is carried on by a constant step from one element to the next, uniform >= p is decided in whole numbers (2 k + 1 against p * 2^53 rounded up, exact for every p), the selection is a bit mask, embed works in place in out, and rows go to three threads that are joined.
#include "contract.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <system_error>
#include <thread>

namespace exercise {

namespace {

constexpr std::uint64_t step = 0x9E3779B97F4A7C15u;

// Elements from a given one on, one after the other: the state moves by a constant, and an element survives
// if 2 k + 1, with the 52 bits k of its number, reaches p * 2^53. (uniform = (2 k + 1) * 2^-53, so this is the
// same comparison times 2^53, and a whole number reaches a bound where it reaches the bound rounded up.)
class Stream {
  public:
    Stream(const Dropout& dropout, std::uint64_t first)
        : state_(dropout.seed + (dropout.offset + first + 1) * step),
          bound_(dropout.train ? static_cast<std::uint64_t>(std::ceil(static_cast<double>(dropout.p) * 0x1p53)) : 0) {}

    bool next() {
        std::uint64_t z = state_;
        state_ += step;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        z ^= z >> 31;
        return ((z >> 12) * 2 + 1) >= bound_;
    }

  private:
    std::uint64_t state_;
    std::uint64_t bound_;
};

// Selects with a mask of bits: x or +0.
float select(float x, bool keep) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & (keep ? ~std::uint32_t{0} : std::uint32_t{0}));
}

// work(k) for k = 0, 1, 2, each once; a thread computes the same as the caller would.
template <class F>
void in_three(bool large, const F& work) {
    std::thread threads[2];
    for (std::size_t k = 0; k < 2; ++k) {
        try {
            if (large) threads[k] = std::thread([&work, k] { work(k); });
        } catch (const std::system_error&) {
        }
    }
    work(2);
    for (std::size_t k = 0; k < 2; ++k) {
        if (threads[k].joinable())
            threads[k].join();
        else
            work(k);
    }
}

bool bad(float p) {
    return !(p >= 0 && p <= 1);
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return Stream(dropout, element).next();
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    const std::size_t N = x.rows, C = x.cols;
    if (out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    if (bad(dropout.p)) return Status{Code::invalid_argument};
    if (N == 0 || C == 0) return Status{};

    const bool copy = !dropout.train || dropout.p == 0;
    // With p = 1 nobody survives; 0 then stands in for a factor that does not exist.
    const float factor = dropout.p < 1 ? 1 / (1 - dropout.p) : 0.0f;
    in_three(N >= 3 && N * C >= (std::size_t{1} << 16), [&](std::size_t k) {
        for (std::size_t r = k; r < N; r += 3) {
            if (copy) {
                std::memcpy(out.row(r), x.row(r), C * sizeof(float));
                continue;
            }
            Stream stream(dropout, r * C);
            const float* from = x.row(r);
            float* to = out.row(r);
            for (std::size_t c = 0; c < C; ++c)
                to[c] = select(from[c] * factor, stream.next());
        }
    });
    return Status{};
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return forward(dout, dropout, dx);
}

// The sums go to `out` first, in float, and are normalised and dropped there, so that no memory is needed.
Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t B = tokens.batch, T = tokens.time, C = tokens.channels;
    if (out.batch != B || out.time != T || out.channels != C || positions.rows != T || positions.cols != C)
        return Status{Code::shape_mismatch};
    if (bad(dropout.p)) return Status{Code::invalid_argument};
    if (B == 0 || T == 0 || C == 0) return Status{};

    const float factor = !dropout.train ? 1.0f : dropout.p < 1 ? 1 / (1 - dropout.p) : 0.0f;
    in_three(T >= 3 && B * T * C >= (std::size_t{1} << 16), [&](std::size_t k) {
        for (std::size_t t = k; t < T; t += 3)
            for (std::size_t b = 0; b < B; ++b) {
                const float* token = tokens.row(b, t);
                const float* position = positions.row(t);
                float* to = out.row(b, t);
                for (std::size_t c = 0; c < C; ++c)
                    to[c] = token[c] + position[c];
                double mean = 0, root = 1;
                if (normalise) {
                    double sum = 0, squares = 0;
                    for (std::size_t c = 0; c < C; ++c)
                        sum += to[c];
                    mean = sum / static_cast<double>(C);
                    for (std::size_t c = 0; c < C; ++c)
                        squares += (to[c] - mean) * (to[c] - mean);
                    root = std::sqrt(squares / static_cast<double>(C) + 1e-5);
                }
                Stream stream(dropout, (b * T + t) * C);
                for (std::size_t c = 0; c < C; ++c)
                    to[c] = select(static_cast<float>((to[c] - mean) / root * factor), stream.next());
            }
    });
    return Status{};
}

} // namespace exercise
