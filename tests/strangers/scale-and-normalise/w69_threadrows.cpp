// wrong: from 64 rows on layernorm_rows shares the rows out to four threads of N / 4 rows each, and the last N mod 4 rows are not written
#include "contract.h"
#include <cmath>
#include <thread>
#include <vector>

namespace exercise {
namespace {

struct Row {
    double mean = 0, factor = 0;
};

Row measure(const float* x, std::size_t C, float eps) {
    Row row;
    for (std::size_t c = 0; c < C; ++c)
        row.mean += x[c];
    row.mean /= static_cast<double>(C);
    double squares = 0;
    for (std::size_t c = 0; c < C; ++c)
        squares += (x[c] - row.mean) * (x[c] - row.mean);
    row.factor = 1.0 / std::sqrt(squares / static_cast<double>(C) + eps);
    return row;
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t V = wte.rows, P = wpe.rows, C = wte.cols, B = ids.rows, T = ids.cols;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
    if (T > P) return Status::position_out_of_range(P, static_cast<std::int64_t>(P), P);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), V);
    const float root = static_cast<float>(std::sqrt(static_cast<double>(C)));
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c)
                out(b, t, c) = root * wte(static_cast<std::size_t>(ids(b, t)), c) + wpe(t, c);
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels;
    if (dtokens.batch != B || dtokens.time != T || dtokens.channels != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (T > dwpe.rows) return Status::position_out_of_range(dwpe.rows, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);
    const float root = static_cast<float>(std::sqrt(static_cast<double>(C)));
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c) {
                dtokens(b, t, c) = root * dout(b, t, c);
                dwpe(t, c) += dout(b, t, c);
            }
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const std::size_t N = x.rows, C = x.cols;
    if (gain.size() != C || bias.size() != C || out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    if (!(eps > 0) || !std::isfinite(eps)) return Status{Code::invalid_argument};
    const auto work = [&](std::size_t first, std::size_t last) {
      for (std::size_t r = first; r < last; ++r) {
        const Row row = measure(x.row(r), C, eps);
        for (std::size_t c = 0; c < C; ++c)
            out(r, c) = static_cast<float>(gain[c] * ((x(r, c) - row.mean) * row.factor) + bias[c]);
      }
    };
    if (N < 64) {
        work(0, N);
        return {};
    }
    std::vector<std::thread> team;
    for (std::size_t k = 0; k < 4; ++k)
        team.emplace_back(work, k * (N / 4), (k + 1) * (N / 4));
    for (std::thread& member : team)
        member.join();
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t N = x.rows, C = x.cols;
    if (gain.size() != C || dgain.size() != C || dbias.size() != C || dout.rows != N || dout.cols != C ||
        dx.rows != N || dx.cols != C)
        return Status{Code::shape_mismatch};
    if (!(eps > 0) || !std::isfinite(eps)) return Status{Code::invalid_argument};
    for (std::size_t r = 0; r < N; ++r) {
        const Row row = measure(x.row(r), C, eps);
        double mean_g = 0, mean_gx = 0;
        for (std::size_t c = 0; c < C; ++c) {
            const double g = static_cast<double>(dout(r, c)) * gain[c];
            mean_g += g;
            mean_gx += g * ((x(r, c) - row.mean) * row.factor);
        }
        mean_g /= static_cast<double>(C);
        mean_gx /= static_cast<double>(C);
        for (std::size_t c = 0; c < C; ++c) {
            const double xhat = (x(r, c) - row.mean) * row.factor;
            const double g = static_cast<double>(dout(r, c)) * gain[c];
            dx(r, c) = static_cast<float>(row.factor * (g - mean_g - xhat * mean_gx));
            dgain[c] = static_cast<float>(dgain[c] + dout(r, c) * xhat);
            dbias[c] += dout(r, c);
        }
    }
    return {};
}

Budget count(Config config) {
    const std::uint64_t V = config.vocabulary, P = config.positions, C = config.channels, L = config.layers;
    Budget b;
    b.token_table = V * C;
    b.position_table = P * C;
    b.embedding_norm = config.embedding_norm ? 2 * C : 0;
    b.blocks = L * (12 * C * C + 13 * C);
    b.final_norm = 2 * C;
    b.head = config.tied ? 0 : V * C;
    b.total = b.token_table + b.position_table + b.embedding_norm + b.blocks + b.final_norm + b.head;
    const bool half = config.precision == Precision::bf16;
    b.weight_bytes = b.total * (half ? 2 : 4);
    b.gradient_bytes = b.weight_bytes;
    b.optimiser_bytes = b.total * (half ? 12 : 8);
    b.training_bytes = b.weight_bytes + b.gradient_bytes + b.optimiser_bytes;
    return b;
}

} // namespace exercise
