// right: rows in threads for dx, then columns in threads for dgain and dbias (a column belongs to one thread, so the grouping never changes), eight fixed lanes for the sums over c, division by the root instead of multiplication by its inverse, and embed_scaled all in float, the batch summed from its end.
#include "contract.h"

#include <cmath>
#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace exercise {

namespace {

// Calls work(k) for k = 0 .. parts - 1, each k once, in threads of which none outlives the call. What is
// computed for a k must not depend on the thread.
template <class F>
void in_threads(std::size_t parts, const F& work) {
    std::thread threads[8];
    for (std::size_t k = 1; k < parts; ++k) {
        try {
            threads[k] = std::thread([&work, k] { work(k); });
        } catch (const std::system_error&) {
            work(k);
        }
    }
    work(0);
    for (std::size_t k = 1; k < parts; ++k)
        if (threads[k].joinable()) threads[k].join();
}

std::size_t parts_for(std::size_t elements) {
    return elements < (std::size_t{1} << 16) ? 1 : 4;
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, V = wte.rows, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C)
        return Status{Code::shape_mismatch};
    if (T > P) return Status::position_out_of_range(P, static_cast<std::int64_t>(P), P);
    if (B == 0 || T == 0) return Status{};
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (const std::int64_t id = ids(b, t); id < 0 || static_cast<std::uint64_t>(id) >= V)
                return Status::id_out_of_range(b * T + t, id, V);

    const float factor = std::sqrt(static_cast<float>(C)); // all in float, three roundings and the conversion of C
    const std::size_t parts = parts_for(B * T * C);
    in_threads(parts, [&](std::size_t k) {
        for (std::size_t t = k; t < T; t += parts)
            for (std::size_t b = 0; b < B; ++b)
                for (std::size_t c = 0; c < C; ++c)
                    out(b, t, c) = factor * wte(static_cast<std::size_t>(ids(b, t)), c) + wpe(t, c);
    });
    return Status{};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels, P = dwpe.rows;
    if (dtokens.batch != B || dtokens.time != T || dtokens.channels != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (T > P) return Status::position_out_of_range(P, static_cast<std::int64_t>(P), P);
    if (B == 0 || C == 0) return Status{};

    const float factor = std::sqrt(static_cast<float>(C));
    const std::size_t parts = parts_for(B * T * C);
    in_threads(parts, [&](std::size_t k) {
        for (std::size_t t = k; t < T; t += parts)
            for (std::size_t b = B; b-- > 0;) // float sums, the last sequence first
                for (std::size_t c = 0; c < C; ++c) {
                    dtokens(b, t, c) = factor * dout(b, t, c);
                    dwpe(t, c) += dout(b, t, c);
                }
    });
    return Status{};
}

namespace {

struct Moments {
    double mean = 0;
    double root = 0; // of variance + eps
};

// Eight lanes, added up in a fixed order: the same for a row wherever it lies.
template <class F>
double sum_of(std::size_t C, const F& term) {
    double lane[8] = {};
    std::size_t c = 0;
    for (; c + 8 <= C; c += 8)
        for (std::size_t k = 0; k < 8; ++k)
            lane[k] += term(c + k);
    for (std::size_t k = 0; c < C; ++c, ++k)
        lane[k] += term(c);
    return ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
}

Moments moments(const float* x, std::size_t C, float eps) {
    const double mean = sum_of(C, [x](std::size_t c) { return static_cast<double>(x[c]); }) / static_cast<double>(C);
    const double variance = sum_of(C, [x, mean](std::size_t c) { return (x[c] - mean) * (x[c] - mean); }) /
                            static_cast<double>(C);
    return {mean, std::sqrt(variance + eps)};
}

} // namespace

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const std::size_t N = x.rows, C = x.cols;
    if (out.rows != N || out.cols != C || gain.size() != C || bias.size() != C)
        return Status{Code::shape_mismatch};
    if (!(eps > 0) || !std::isfinite(eps)) return Status{Code::invalid_argument};
    if (C == 0) return Status{};

    const std::size_t parts = parts_for(N * C);
    in_threads(parts, [&](std::size_t k) {
        for (std::size_t n = k; n < N; n += parts) {
            const float* row = x.row(n);
            const Moments m = moments(row, C, eps);
            float* to = out.row(n);
            for (std::size_t c = 0; c < C; ++c)
                to[c] = static_cast<float>((row[c] - m.mean) / m.root * gain[c] + bias[c]);
        }
    });
    return Status{};
}

// Two sweeps: rows in threads for dx, then columns in threads for dgain and dbias, each column from the last
// row to the first. Mean and root of each row are kept between the sweeps if there is memory for them.
Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t N = x.rows, C = x.cols;
    if (dout.rows != N || dout.cols != C || dx.rows != N || dx.cols != C || gain.size() != C ||
        dgain.size() != C || dbias.size() != C)
        return Status{Code::shape_mismatch};
    if (!(eps > 0) || !std::isfinite(eps)) return Status{Code::invalid_argument};
    if (C == 0 || N == 0) return Status{};

    std::vector<Moments> kept;
    try {
        kept.resize(N);
    } catch (const std::exception&) {
        kept.clear(); // computed again for each column block, slowly
    }
    const bool keep = !kept.empty();

    const std::size_t parts = parts_for(N * C);
    in_threads(parts, [&](std::size_t k) {
        for (std::size_t n = k; n < N; n += parts) {
            const float* row = x.row(n);
            const float* d = dout.row(n);
            const Moments m = moments(row, C, eps);
            if (keep) kept[n] = m;
            const auto g = [&](std::size_t c) { return static_cast<double>(d[c]) * gain[c]; };
            const auto xhat = [&](std::size_t c) { return (row[c] - m.mean) / m.root; };
            const double g_mean = sum_of(C, g) / static_cast<double>(C);
            const double gx_mean =
                sum_of(C, [&](std::size_t c) { return g(c) * xhat(c); }) / static_cast<double>(C);
            float* to = dx.row(n);
            for (std::size_t c = 0; c < C; ++c)
                to[c] = static_cast<float>(((g(c) - g_mean) - xhat(c) * gx_mean) / m.root);
        }
    });

    constexpr std::size_t width = 32;
    in_threads(parts, [&](std::size_t k) {
        for (std::size_t begin = k * width; begin < C; begin += parts * width) {
            const std::size_t end = std::min(C, begin + width);
            double gain_sum[width] = {}, bias_sum[width] = {};
            for (std::size_t n = N; n-- > 0;) {
                const Moments m = keep ? kept[n] : moments(x.row(n), C, eps);
                for (std::size_t c = begin; c < end; ++c) {
                    const double d = dout(n, c);
                    gain_sum[c - begin] += d * ((x(n, c) - m.mean) / m.root);
                    bias_sum[c - begin] += d;
                }
            }
            for (std::size_t c = begin; c < end; ++c) {
                dgain[c] = static_cast<float>(dgain[c] + gain_sum[c - begin]);
                dbias[c] = static_cast<float>(dbias[c] + bias_sum[c - begin]);
            }
        }
    });
    return Status{};
}

Budget count(Config config) {
    const std::uint64_t V = config.vocabulary, C = config.channels, L = config.layers;
    Budget budget;
    budget.token_table = V * C;
    budget.position_table = config.positions * C;
    budget.embedding_norm = config.embedding_norm ? 2 * C : 0;
    budget.blocks = L * (12 * C * C + 13 * C);
    budget.final_norm = 2 * C;
    budget.head = config.tied ? 0 : V * C;
    budget.total = budget.token_table + budget.position_table + budget.embedding_norm + budget.blocks +
                   budget.final_norm + budget.head;

    const bool small = config.precision == Precision::bf16;
    budget.weight_bytes = budget.total * (small ? 2 : 4);
    budget.gradient_bytes = budget.total * (small ? 2 : 4);
    budget.optimiser_bytes = budget.total * (small ? 12 : 8);
    budget.training_bytes = budget.weight_bytes + budget.gradient_bytes + budget.optimiser_bytes;
    return budget;
}

} // namespace exercise
