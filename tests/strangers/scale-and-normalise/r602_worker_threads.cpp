// right: rows and column blocks are handed to four threads by an atomic counter; no result depends on who does what, as each column of a sum is added by one thread in row order
#include "contract.h"

#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

namespace exercise {

namespace {

template <class Work>
void share(std::size_t jobs, std::size_t cost_of_all, Work work) {
    std::atomic<std::size_t> next{0};
    const auto serve = [&] {
        for (std::size_t j = next.fetch_add(1); j < jobs; j = next.fetch_add(1))
            work(j);
    };
    if (cost_of_all < (1U << 12)) return serve();
    std::thread helpers[3];
    for (std::thread& helper : helpers)
        helper = std::thread(serve);
    serve();
    for (std::thread& helper : helpers)
        helper.join();
}

constexpr std::size_t strip = 64;

std::size_t strips(std::size_t columns) {
    return columns / strip + (columns % strip != 0);
}

struct RowFacts {
    double mean;
    double factor;
};

RowFacts facts(const float* row, std::size_t C, float eps) {
    double sum = 0;
    for (std::size_t c = 0; c < C; ++c)
        sum += row[c];
    const double mean = sum / static_cast<double>(C);
    double squares = 0;
    for (std::size_t c = 0; c < C; ++c)
        squares += (row[c] - mean) * (row[c] - mean);
    return {mean, 1 / std::sqrt(squares / static_cast<double>(C) + static_cast<double>(eps))};
}

bool usable(float eps) {
    return eps > 0 && eps <= 0x1.fffffep127F;
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t C = wte.cols;
    if (wpe.cols != C || out.channels != C || out.batch != ids.rows || out.time != ids.cols)
        return {Code::shape_mismatch};
    if (ids.cols > wpe.rows)
        return Status::position_out_of_range(wpe.rows, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    for (std::size_t b = 0; b < ids.rows && ids.cols > 0; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (const std::int64_t id = ids(b, t); id < 0 || static_cast<std::uint64_t>(id) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, id, wte.rows);
    if (C == 0 || ids.rows == 0 || ids.cols == 0) return {};
    const float scale = static_cast<float>(std::sqrt(static_cast<double>(C)));
    share(ids.rows * ids.cols, ids.rows * ids.cols * C, [&](std::size_t place) {
        const std::size_t b = place / ids.cols, t = place % ids.cols;
        const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
        const float* position = wpe.row(t);
        float* to = out.row(b, t);
        for (std::size_t c = 0; c < C; ++c)
            to[c] = scale * token[c] + position[c];
    });
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels;
    if (dtokens.batch != B || dtokens.time != T || dtokens.channels != C || dwpe.cols != C)
        return {Code::shape_mismatch};
    if (T > dwpe.rows)
        return Status::position_out_of_range(dwpe.rows, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);
    if (B == 0 || C == 0) return {};
    const float scale = static_cast<float>(std::sqrt(static_cast<double>(C)));
    share(T, B * T * C, [&](std::size_t t) { // a position belongs to one thread
        float* sum = dwpe.row(t);
        for (std::size_t b = 0; b < B; ++b) {
            const float* from = dout.row(b, t);
            float* to = dtokens.row(b, t);
            for (std::size_t c = 0; c < C; ++c) {
                to[c] = scale * from[c];
                sum[c] += from[c];
            }
        }
    });
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const std::size_t C = x.cols;
    if (gain.size() != C || bias.size() != C || out.cols != C || out.rows != x.rows)
        return {Code::shape_mismatch};
    if (!usable(eps)) return {Code::invalid_argument};
    if (C == 0) return {};
    share(x.rows, x.rows * C, [&](std::size_t r) {
        const RowFacts fact = facts(x.row(r), C, eps);
        for (std::size_t c = 0; c < C; ++c) {
            const double xhat = (x(r, c) - fact.mean) * fact.factor;
            out(r, c) = static_cast<float>(gain[c] * xhat + bias[c]);
        }
    });
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t N = x.rows, C = x.cols;
    if (dout.rows != N || dx.rows != N || dout.cols != C || dx.cols != C || gain.size() != C ||
        dgain.size() != C || dbias.size() != C)
        return {Code::shape_mismatch};
    if (!usable(eps)) return {Code::invalid_argument};
    if (N == 0 || C == 0) return {};
    std::vector<RowFacts> known(N);
    share(N, N * C, [&](std::size_t r) {
        const RowFacts fact = known[r] = facts(x.row(r), C, eps);
        double plain = 0, weighted = 0;
        for (std::size_t c = 0; c < C; ++c) {
            const double g = static_cast<double>(dout(r, c)) * gain[c];
            plain += g;
            weighted += g * ((x(r, c) - fact.mean) * fact.factor);
        }
        plain /= static_cast<double>(C);
        weighted /= static_cast<double>(C);
        for (std::size_t c = 0; c < C; ++c) {
            const double g = static_cast<double>(dout(r, c)) * gain[c];
            const double xhat = (x(r, c) - fact.mean) * fact.factor;
            dx(r, c) = static_cast<float>(fact.factor * (g - plain - xhat * weighted));
        }
    });
    share(strips(C), N * C, [&](std::size_t j) {
        const std::size_t first = j * strip, width = std::min(strip, C - first);
        double scaled[strip] = {}, shifted[strip] = {};
        for (std::size_t r = 0; r < N; ++r)
            for (std::size_t k = 0; k < width; ++k) {
                const double up = dout(r, first + k);
                scaled[k] += up * ((x(r, first + k) - known[r].mean) * known[r].factor);
                shifted[k] += up;
            }
        for (std::size_t k = 0; k < width; ++k) {
            dgain[first + k] = static_cast<float>(dgain[first + k] + scaled[k]);
            dbias[first + k] = static_cast<float>(dbias[first + k] + shifted[k]);
        }
    });
    return {};
}

Budget count(Config config) {
    const std::uint64_t C = config.channels;
    const std::uint64_t norm = 2 * C;
    const auto linear = [](std::uint64_t in, std::uint64_t out) { return in * out + out; };
    const std::uint64_t block =
        2 * norm + linear(C, 3 * C) + linear(C, C) + linear(C, 4 * C) + linear(4 * C, C);
    Budget b;
    b.token_table = config.vocabulary * C;
    b.position_table = config.positions * C;
    if (config.embedding_norm) b.embedding_norm = norm;
    b.blocks = config.layers * block;
    b.final_norm = norm;
    if (!config.tied) b.head = config.vocabulary * C;
    for (const std::uint64_t part :
         {b.token_table, b.position_table, b.embedding_norm, b.blocks, b.final_norm, b.head})
        b.total += part;
    const bool half = config.precision == Precision::bf16;
    b.weight_bytes = b.total * (half ? 2 : 4);
    b.gradient_bytes = b.total * (half ? 2 : 4);
    b.optimiser_bytes = b.total * (half ? 12 : 8);
    b.training_bytes = b.weight_bytes + b.gradient_bytes + b.optimiser_bytes;
    return b;
}

} // namespace exercise
