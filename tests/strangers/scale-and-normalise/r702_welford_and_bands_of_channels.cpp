// right: mean and variance by Welford in one pass; in larger calls three threads share the rows and then the channels of dgain and dbias, which are summed row by row in an order that does not depend on the threads
#include "contract.h"

#include <cmath>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

namespace exercise {

namespace {

/// part(first, last) for three parts of [0, count), the first two by threads of their own if `many`.
template <class Part>
void in_thirds(std::size_t count, bool many, const Part& part) {
    if (!many || count < 3) {
        part(std::size_t{0}, count);
        return;
    }
    const std::size_t third = count / 3;
    std::vector<std::thread> helpers;
    helpers.reserve(2);
    for (std::size_t i = 0; i < 2; ++i) {
        try {
            helpers.emplace_back([&part, i, third] { part(i * third, (i + 1) * third); });
        } catch (const std::system_error&) {
            part(i * third, (i + 1) * third);
        }
    }
    part(2 * third, count);
    for (std::thread& helper : helpers)
        helper.join();
}

class Row {
  public:
    Row() = default;
    Row(const float* x, std::size_t C, float eps) {
        double squares = 0;
        for (std::size_t c = 0; c < C; ++c) {
            const double before = x[c] - mean_;
            mean_ += before / static_cast<double>(c + 1);
            squares += before * (x[c] - mean_);
        }
        deviation_ = std::sqrt(squares / static_cast<double>(C) + static_cast<double>(eps));
    }
    double normal(float x) const { return (x - mean_) / deviation_; }
    double deviation() const { return deviation_; }

  private:
    double mean_ = 0, deviation_ = 1;
};

bool accepts(float eps) {
    return eps > 0 && eps < HUGE_VALF; // both are false for NaN
}

bool large(std::size_t N, std::size_t C) {
    return static_cast<double>(N) * static_cast<double>(C) > 3e4;
}

Status position_refused(std::size_t T, std::size_t P) {
    if (T <= P) return {};
    return {Code::position_out_of_range, P, static_cast<std::int64_t>(P), static_cast<std::int64_t>(P)};
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t C = wte.cols;
    if (wpe.cols != C || out.channels != C || out.batch != ids.rows || out.time != ids.cols)
        return {Code::shape_mismatch};
    if (const Status no = position_refused(ids.cols, wpe.rows); no.code != Code::ok) return no;
    if (ids.rows == 0 || ids.cols == 0) return {};
    std::vector<const float*> tokens; // where the row of each place is
    tokens.reserve(ids.rows * ids.cols);
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::uint64_t>(id) >= wte.rows)
                return Status::id_out_of_range(tokens.size(), id, wte.rows);
            tokens.push_back(C > 0 ? wte.row(static_cast<std::size_t>(id)) : nullptr);
        }
    if (C == 0) return {};
    const float factor = std::sqrt(static_cast<float>(C));
    in_thirds(tokens.size(), large(tokens.size(), C), [&](std::size_t first, std::size_t last) {
        for (std::size_t place = first; place < last; ++place) {
            const float* const position = wpe.row(place % ids.cols);
            float* const to = out.data + place * C;
            for (std::size_t c = 0; c < C; ++c)
                to[c] = factor * tokens[place][c] + position[c];
        }
    });
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels;
    if (dtokens.batch != B || dtokens.time != T || dtokens.channels != C || dwpe.cols != C)
        return {Code::shape_mismatch};
    if (const Status no = position_refused(T, dwpe.rows); no.code != Code::ok) return no;
    if (B == 0 || T == 0 || C == 0) return {};
    const float factor = std::sqrt(static_cast<float>(C));
    in_thirds(T, large(B * T, C), [&](std::size_t first, std::size_t last) {
        for (std::size_t b = 0; b < B; ++b)
            for (std::size_t i = first * C; i < last * C; ++i) {
                const float d = dout.row(b, 0)[i];
                dtokens.row(b, 0)[i] = factor * d;
                dwpe(i / C, i % C) += d;
            }
    });
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const std::size_t C = x.cols;
    if (out.rows != x.rows || out.cols != C || gain.size() != C || bias.size() != C)
        return {Code::shape_mismatch};
    if (!accepts(eps)) return {Code::invalid_argument};
    if (x.rows == 0 || C == 0) return {};
    in_thirds(x.rows, large(x.rows, C), [&](std::size_t first, std::size_t last) {
        for (std::size_t n = first; n < last; ++n) {
            const Row row(x.row(n), C, eps);
            for (std::size_t c = 0; c < C; ++c)
                out(n, c) = static_cast<float>(row.normal(x(n, c)) * gain[c] + bias[c]);
        }
    });
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t N = x.rows, C = x.cols;
    if (dout.rows != N || dout.cols != C || dx.rows != N || dx.cols != C) return {Code::shape_mismatch};
    if (gain.size() != C || dgain.size() != C || dbias.size() != C) return {Code::shape_mismatch};
    if (!accepts(eps)) return {Code::invalid_argument};
    if (N == 0 || C == 0) return {};
    std::vector<Row> rows(N);
    in_thirds(N, large(N, C), [&](std::size_t first, std::size_t last) {
        for (std::size_t n = first; n < last; ++n) {
            const Row row = rows[n] = Row(x.row(n), C, eps);
            double plain = 0, along = 0;
            for (std::size_t c = 0; c < C; ++c) {
                const double g = static_cast<double>(dout(n, c)) * static_cast<double>(gain[c]);
                plain += g;
                along += g * row.normal(x(n, c));
            }
            const double count = static_cast<double>(C);
            for (std::size_t c = 0; c < C; ++c) {
                const double g = static_cast<double>(dout(n, c)) * static_cast<double>(gain[c]);
                const double value = g - plain / count - row.normal(x(n, c)) * (along / count);
                dx(n, c) = static_cast<float>(value / row.deviation());
            }
        }
    });
    in_thirds(C, large(N, C), [&](std::size_t first, std::size_t last) {
        for (std::size_t n = 0; n < N; ++n)
            for (std::size_t c = first; c < last; ++c) {
                dgain[c] += static_cast<float>(dout(n, c) * rows[n].normal(x(n, c)));
                dbias[c] += dout(n, c);
            }
    });
    return {};
}

Budget count(Config config) {
    const std::uint64_t V = config.vocabulary, P = config.positions, C = config.channels, L = config.layers;
    const std::uint64_t norm = C + C;
    const auto layer = [](std::uint64_t in, std::uint64_t out) { return in * out + out; };
    Budget budget{};
    budget.token_table = V * C;
    budget.position_table = P * C;
    if (config.embedding_norm) budget.embedding_norm = norm;
    // Without layers C may be so large that a block does not fit; modulo 2^64 the product is 0 all the same.
    budget.blocks = L * (norm + layer(C, 3 * C) + layer(C, C) + norm + layer(C, 4 * C) + layer(4 * C, C));
    budget.final_norm = norm;
    if (!config.tied) budget.head = V * C;
    for (const std::uint64_t part : {budget.token_table, budget.position_table, budget.embedding_norm,
                                     budget.blocks, budget.final_norm, budget.head})
        budget.total += part;
    const std::uint64_t width = config.precision == Precision::fp32 ? 4 : 2;
    budget.weight_bytes = width * budget.total;
    budget.gradient_bytes = width * budget.total;
    budget.optimiser_bytes = (16 - 2 * width) * budget.total;
    budget.training_bytes = 16 * budget.total;
    return budget;
}

} // namespace exercise
