// right: equal ranges of element numbers for up to six threads, split in the middle of rows; rows of embed are dealt out like cards
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <thread>
#include <vector>

namespace exercise {
namespace {

std::uint64_t scramble(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

bool lives(const Dropout& d, std::uint64_t e) {
    if (!d.train) return true;
    const std::uint64_t k = scramble(d.seed + (d.offset + e + 1) * 0x9E3779B97F4A7C15u) >> 12;
    return static_cast<double>(2 * k + 1) * 0x1p-53 >= static_cast<double>(d.p);
}

bool bad(float p) { return std::isnan(p) || p < 0.0F || p > 1.0F; }

/// Runs job(k) for k in [0, jobs), each on its own thread but the last, and waits for all.
template <class Job>
void in_parallel(std::size_t jobs, Job job) {
    std::vector<std::thread> threads;
    std::size_t k = 0;
    try {
        threads.reserve(jobs);
        for (; k + 1 < jobs; ++k)
            threads.emplace_back(job, k);
    } catch (...) { // no more threads: this one does the rest
    }
    for (; k < jobs; ++k)
        job(k);
    for (std::thread& thread : threads)
        thread.join();
}

std::size_t jobs_for(std::size_t elements) {
    return std::clamp<std::size_t>(elements / 20'000, 1, 6);
}

Status mask(Matrix<const float> in, const Dropout& d, Matrix<float> out) {
    if (in.rows != out.rows) return Status{Code::shape_mismatch};
    if (in.cols != out.cols) return Status{Code::shape_mismatch};
    if (bad(d.p)) return Status{Code::invalid_argument};
    if (in.rows == 0 || in.cols == 0) return Status{};
    const std::size_t count = in.rows * in.cols;
    const std::size_t jobs = jobs_for(count);
    const float scale = d.train && d.p < 1.0F ? 1.0F / (1.0F - d.p) : 1.0F;
    in_parallel(jobs, [&](std::size_t k) {
        const std::size_t begin = count / jobs * k + std::min(k, count % jobs);
        const std::size_t end = begin + count / jobs + (k < count % jobs ? 1 : 0);
        std::size_t r = begin / in.cols, c = begin % in.cols;
        for (std::size_t e = begin; e < end; ++e) {
            if (lives(d, e))
                out(r, c) = in(r, c) * scale;
            else
                out(r, c) = 0.0F;
            if (++c == in.cols) c = 0, ++r;
        }
    });
    return Status{};
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return lives(dropout, element);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    return mask(x, dropout, out);
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return mask(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    if (out.batch != tokens.batch || out.time != tokens.time || out.channels != tokens.channels)
        return Status{Code::shape_mismatch};
    if (positions.rows != tokens.time || positions.cols != tokens.channels) return Status{Code::shape_mismatch};
    if (bad(dropout.p)) return Status{Code::invalid_argument};
    if (tokens.batch == 0 || tokens.time == 0 || tokens.channels == 0) return Status{};

    const std::size_t rows = tokens.batch * tokens.time, C = tokens.channels;
    const std::size_t jobs = std::min(rows, jobs_for(rows * C));
    const float scale = dropout.train && dropout.p < 1.0F ? 1.0F / (1.0F - dropout.p) : 1.0F;
    in_parallel(jobs, [&](std::size_t k) {
        for (std::size_t r = k; r < rows; r += jobs) {
            const float* token = tokens.data + r * C;
            const float* position = positions.row(r % tokens.time);
            float* to = out.data + r * C;
            // The row of sums lies in its place of the output until it is normalised and masked there.
            double sum = 0;
            for (std::size_t c = 0; c < C; ++c) {
                to[c] = token[c] + position[c];
                sum += to[c];
            }
            if (normalise) {
                const double mean = sum / static_cast<double>(C);
                double variance = 0;
                for (std::size_t c = 0; c < C; ++c) {
                    const double d = to[c] - mean;
                    variance += d * d;
                }
                variance /= static_cast<double>(C);
                const double inverse = 1.0 / std::sqrt(variance + 1e-5);
                for (std::size_t c = 0; c < C; ++c)
                    to[c] = static_cast<float>((to[c] - mean) * inverse);
            }
            for (std::size_t c = 0; c < C; ++c)
                to[c] = lives(dropout, static_cast<std::uint64_t>(r) * C + c) ? to[c] * scale : 0.0F;
        }
    });
    return Status{};
}

} // namespace exercise
