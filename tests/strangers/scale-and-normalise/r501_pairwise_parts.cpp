// right: rows are summed pairwise by recursion, in double; rows are cut into sixteen fixed parts whose threads keep column sums of their own, and these are added in the order of the parts, so the number of threads never shows.
#include "contract.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>
#include <vector>

namespace exercise {
namespace {

/// term(first) + ... + term(last - 1), by halves.
template <class Term>
double pairwise(std::size_t first, std::size_t last, const Term& term) {
    if (last - first > 128) {
        const std::size_t middle = first + (last - first) / 2;
        return pairwise(first, middle, term) + pairwise(middle, last, term);
    }
    double lanes[4] = {};
    std::size_t i = first;
    for (; i + 4 <= last; i += 4)
        for (std::size_t lane = 0; lane < 4; ++lane)
            lanes[lane] += term(i + lane);
    for (; i < last; ++i)
        lanes[0] += term(i);
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

constexpr std::size_t parts = 16;

/// work(part, begin, end) for sixteen parts of [0, count), always the same ones.
template <class Work>
void in_parts(std::size_t count, std::size_t cost, const Work& work) {
    const auto edge = [&](std::size_t part) { return count / parts * part + std::min(part, count % parts); };
    const std::size_t cores = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8);
    const std::size_t threads = cost < 500'000 ? 1 : cores;
    const auto run = [&](std::size_t first) {
        for (std::size_t part = first; part < parts; part += threads)
            if (edge(part) < edge(part + 1)) work(part, edge(part), edge(part + 1));
    };
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < threads; ++t)
        others.emplace_back(run, t);
    run(0);
}

/// The row's values minus their mean; returns the root of variance + eps.
double centre(const float* x, std::size_t width, double eps, double* centred) {
    const double mean = pairwise(0, width, [x](std::size_t c) { return double{x[c]}; }) / double(width);
    for (std::size_t c = 0; c < width; ++c)
        centred[c] = x[c] - mean;
    const double variance =
        pairwise(0, width, [centred](std::size_t c) { return centred[c] * centred[c]; }) / double(width);
    return std::sqrt(variance + eps);
}

bool allowed(float eps) {
    return std::isfinite(eps) && eps > 0;
}

template <class A, class B>
bool alike(const Matrix<A>& a, const Matrix<B>& b) {
    return a.rows == b.rows && a.cols == b.cols;
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t width = wte.cols, time = ids.cols;
    if (wpe.cols != width || out.batch != ids.rows || out.time != time || out.channels != width)
        return {Code::shape_mismatch};
    if (time > wpe.rows)
        return Status::position_out_of_range(wpe.rows, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    if (time == 0) return {};
    for (std::size_t b = 0; b < ids.rows; ++b) {
        const TokenId* const row = ids.row(b);
        const TokenId* const bad = std::find_if(row, row + time, [&](TokenId id) {
            return static_cast<std::uint64_t>(std::int64_t{id}) >= wte.rows;
        });
        if (bad != row + time)
            return Status::id_out_of_range(b * time + static_cast<std::size_t>(bad - row), *bad, wte.rows);
    }
    if (width == 0) return {};
    const double factor = std::sqrt(static_cast<double>(width));
    in_parts(ids.rows * time, ids.rows * time * width, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            const std::size_t b = n / time, t = n % time;
            std::transform(wte.row(static_cast<std::size_t>(ids(b, t))),
                           wte.row(static_cast<std::size_t>(ids(b, t))) + width, wpe.row(t), out.row(b, t),
                           [factor](float token, float position) {
                               return static_cast<float>(factor * token + position);
                           });
        }
    });
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t batch = dout.batch, time = dout.time, width = dout.channels;
    if (dtokens.batch != batch || dtokens.time != time || dtokens.channels != width || dwpe.cols != width)
        return {Code::shape_mismatch};
    if (time > dwpe.rows)
        return Status::position_out_of_range(dwpe.rows, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);
    if (batch == 0 || time == 0 || width == 0) return {};
    const double factor = std::sqrt(static_cast<double>(width));
    in_parts(time, batch * time * width, [&](std::size_t, std::size_t begin, std::size_t end) {
        std::vector<double> sum(width);
        for (std::size_t t = begin; t < end; ++t) {
            std::fill(sum.begin(), sum.end(), 0.0);
            for (std::size_t b = 0; b < batch; ++b) {
                const float* const from = dout.row(b, t);
                float* const to = dtokens.row(b, t);
                for (std::size_t c = 0; c < width; ++c) {
                    to[c] = static_cast<float>(factor * from[c]);
                    sum[c] += from[c];
                }
            }
            float* const into = dwpe.row(t);
            for (std::size_t c = 0; c < width; ++c)
                into[c] = static_cast<float>(into[c] + sum[c]);
        }
    });
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const std::size_t width = x.cols;
    if (!alike(x, out) || gain.size() != width || bias.size() != width) return {Code::shape_mismatch};
    if (!allowed(eps)) return {Code::invalid_argument};
    if (width == 0) return {};
    in_parts(x.rows, x.rows * width, [&](std::size_t, std::size_t begin, std::size_t end) {
        std::vector<double> centred(width);
        for (std::size_t n = begin; n < end; ++n) {
            const double root = centre(x.row(n), width, eps, centred.data());
            float* const to = out.row(n);
            for (std::size_t c = 0; c < width; ++c)
                to[c] = static_cast<float>(gain[c] * (centred[c] / root) + bias[c]);
        }
    });
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t width = x.cols;
    if (!alike(x, dout) || !alike(x, dx) || gain.size() != width || dgain.size() != width ||
        dbias.size() != width)
        return {Code::shape_mismatch};
    if (!allowed(eps)) return {Code::invalid_argument};
    if (width == 0 || x.rows == 0) return {};

    struct Columns {
        std::vector<double> gain, bias;
    };
    std::vector<Columns> part_sums(parts);
    in_parts(x.rows, x.rows * width * 2, [&](std::size_t part, std::size_t begin, std::size_t end) {
        Columns mine{std::vector<double>(width), std::vector<double>(width)};
        std::vector<double> xhat(width), g(width);
        for (std::size_t n = begin; n < end; ++n) {
            const double root = centre(x.row(n), width, eps, xhat.data());
            const float* const dy = dout.row(n);
            for (std::size_t c = 0; c < width; ++c) {
                xhat[c] /= root;
                g[c] = static_cast<double>(dy[c]) * gain[c];
                mine.gain[c] += dy[c] * xhat[c];
                mine.bias[c] += dy[c];
            }
            const double level = pairwise(0, width, [&](std::size_t c) { return g[c]; }) / double(width);
            const double stretch =
                pairwise(0, width, [&](std::size_t c) { return g[c] * xhat[c]; }) / double(width);
            float* const to = dx.row(n);
            for (std::size_t c = 0; c < width; ++c)
                to[c] = static_cast<float>((g[c] - level - xhat[c] * stretch) / root);
        }
        part_sums[part] = std::move(mine);
    });
    for (std::size_t c = 0; c < width; ++c) {
        double gain_sum = 0, bias_sum = 0;
        for (const Columns& some : part_sums) {
            if (some.gain.empty()) continue;
            gain_sum += some.gain[c];
            bias_sum += some.bias[c];
        }
        dgain[c] = static_cast<float>(dgain[c] + gain_sum);
        dbias[c] = static_cast<float>(dbias[c] + bias_sum);
    }
    return {};
}

Budget count(Config config) {
    const auto [V, P, C, L] = std::array{config.vocabulary, config.positions, config.channels, config.layers};
    const auto norm = [C = C] { return 2 * C; };
    const auto dense = [](std::uint64_t in, std::uint64_t out) { return in * out + out; };
    const std::uint64_t block =
        2 * norm() + dense(C, 3 * C) + dense(C, C) + dense(C, 4 * C) + dense(4 * C, C);
    Budget is{.token_table = V * C,
              .position_table = P * C,
              .embedding_norm = config.embedding_norm ? norm() : 0,
              .blocks = L * block,
              .final_norm = norm(),
              .head = config.tied ? 0 : V * C};
    is.total =
        is.token_table + is.position_table + is.embedding_norm + is.blocks + is.final_norm + is.head;
    const bool master_copy = config.precision == Precision::bf16;
    is.weight_bytes = is.total * (master_copy ? 2 : 4);
    is.gradient_bytes = is.weight_bytes;
    is.optimiser_bytes = is.total * (master_copy ? 12 : 8);
    is.training_bytes = is.weight_bytes + is.gradient_bytes + is.optimiser_bytes;
    return is;
}

} // namespace exercise
