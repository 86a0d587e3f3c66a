// right: sums by pairwise recursion over a lambda, the row shifted by its first element before its mean is taken, everything rounded to float only once, from the last row to the first
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {

namespace {

/// f(from) + ... + f(to - 1) in double, halves first.
template <class F>
double pairwise(std::size_t from, std::size_t to, const F& f) {
    if (to - from > 32) {
        const std::size_t middle = from + (to - from) / 2;
        const double low = pairwise(from, middle, f);
        return low + pairwise(middle, to, f);
    }
    double sum = 0;
    while (from != to)
        sum += f(from++);
    return sum;
}

struct Row {
    const float* values;
    std::size_t count;
    double mean = 0;
    double factor = 0;

    Row(const float* first, std::size_t size, double eps) : values(first), count(size) {
        const double n = static_cast<double>(size);
        const double origin = first[0];
        mean = origin + pairwise(0, size, [&](std::size_t c) { return first[c] - origin; }) / n;
        const double variance = pairwise(0, size, [&](std::size_t c) {
            const double d = first[c] - mean;
            return d * d;
        }) / n;
        factor = 1.0 / std::sqrt(variance + eps);
    }
    double xhat(std::size_t c) const { return (values[c] - mean) * factor; }
};

enum class Verdict { fine, sizes, epsilon };

Status refuse(Verdict v) {
    Status s;
    if (v == Verdict::sizes) s.code = Code::shape_mismatch;
    if (v == Verdict::epsilon) s.code = Code::invalid_argument;
    return s;
}

Verdict judge(bool sizes_fit, float eps) {
    if (!sizes_fit) return Verdict::sizes;
    switch (std::fpclassify(eps)) {
    case FP_NORMAL:
    case FP_SUBNORMAL: return std::signbit(eps) ? Verdict::epsilon : Verdict::fine;
    default: return Verdict::epsilon;
    }
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    if (!(wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols && out.channels == wte.cols))
        return refuse(Verdict::sizes);
    if (!(ids.cols <= wpe.rows))
        return Status::position_out_of_range(wpe.rows, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    for (std::size_t b = 0, seen = 0; b != ids.rows && ids.cols != 0; ++b)
        for (std::size_t t = 0; t != ids.cols; ++t, ++seen) {
            const TokenId id = ids(b, t);
            // a negative id becomes a huge number
            if (static_cast<std::size_t>(static_cast<std::ptrdiff_t>(id)) >= wte.rows)
                return Status::id_out_of_range(seen, id, wte.rows);
        }
    if (wte.cols == 0 || ids.cols == 0) return {};
    const double factor = std::sqrt(static_cast<double>(wte.cols));
    for (std::size_t b = ids.rows; b-- > 0;)
        for (std::size_t t = ids.cols; t-- > 0;)
            for (std::size_t c = wte.cols; c-- > 0;)
                out(b, t, c) = static_cast<float>(factor * wte(static_cast<std::size_t>(ids(b, t)), c) + wpe(t, c));
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const auto [data, B, T, C] = dout;
    if (!(dtokens.batch == B && dtokens.time == T && dtokens.channels == C && dwpe.cols == C))
        return refuse(Verdict::sizes);
    if (!(T <= dwpe.rows))
        return Status::position_out_of_range(dwpe.rows, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);
    if (B == 0 || C == 0) return {};
    const double factor = std::sqrt(static_cast<double>(C));
    const std::size_t sheet = T * C;
    for (std::size_t place = sheet; place-- > 0;) {
        const float* column = data + place;
        for (std::size_t b = 0; b < B; ++b)
            dtokens.data[b * sheet + place] = static_cast<float>(factor * column[b * sheet]);
        float& target = dwpe(place / C, place % C);
        target = static_cast<float>(target + pairwise(0, B, [&](std::size_t b) -> double { return column[b * sheet]; }));
    }
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const Verdict verdict = judge(gain.size() == x.cols && bias.size() == x.cols && out.rows == x.rows && out.cols == x.cols, eps);
    if (verdict != Verdict::fine) return refuse(verdict);
    if (x.cols != 0)
        for (std::size_t r = x.rows; r-- > 0;) {
            const Row row(x.row(r), x.cols, eps);
            for (std::size_t c = 0; c < x.cols; ++c)
                out(r, c) = static_cast<float>(gain[c] * row.xhat(c) + bias[c]);
        }
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t N = x.rows, C = x.cols;
    const Verdict verdict = judge(dout.rows == N && dout.cols == C && dx.rows == N && dx.cols == C && gain.size() == C &&
                                      dgain.size() == C && dbias.size() == C,
                                  eps);
    if (verdict != Verdict::fine) return refuse(verdict);
    if (N == 0 || C == 0) return {};
    std::vector<Row> rows;
    rows.reserve(N);
    for (std::size_t r = 0; r < N; ++r) {
        const Row& row = rows.emplace_back(x.row(r), C, eps);
        const auto g = [&](std::size_t c) { return static_cast<double>(dout(r, c)) * gain[c]; };
        const double n = static_cast<double>(C);
        const double plain = pairwise(0, C, g) / n;
        const double stretched = pairwise(0, C, [&](std::size_t c) { return g(c) * row.xhat(c); }) / n;
        for (std::size_t c = 0; c < C; ++c)
            dx(r, c) = static_cast<float>(row.factor * (g(c) - plain - row.xhat(c) * stretched));
    }
    for (std::size_t c = 0; c < C; ++c) {
        dgain[c] = static_cast<float>(dgain[c] + pairwise(0, N, [&](std::size_t r) { return dout(r, c) * rows[r].xhat(c); }));
        dbias[c] = static_cast<float>(dbias[c] + pairwise(0, N, [&](std::size_t r) -> double { return dout(r, c); }));
    }
    return {};
}

Budget count(Config config) {
    Budget b;
    const std::uint64_t C = config.channels, table = config.vocabulary * C;
    b.token_table = table;
    b.position_table = config.positions * C;
    b.embedding_norm = std::uint64_t{config.embedding_norm} * 2 * C;
    const std::uint64_t norms = 4 * C, attention = 4 * C * C + 4 * C, mlp = 8 * C * C + 5 * C;
    b.blocks = (norms + attention + mlp) * config.layers;
    b.final_norm = C + C;
    b.head = table * std::uint64_t{!config.tied};
    b.total = b.token_table + b.position_table + b.embedding_norm + b.blocks + b.final_norm + b.head;
    switch (config.precision) {
    case Precision::fp32:
        b.weight_bytes = b.gradient_bytes = b.total * 4;
        b.optimiser_bytes = b.total * 8;
        break;
    case Precision::bf16:
        b.weight_bytes = b.gradient_bytes = b.total * 2;
        b.optimiser_bytes = b.total * 12;
        break;
    }
    b.training_bytes = b.weight_bytes + b.gradient_bytes + b.optimiser_bytes;
    return b;
}

} // namespace exercise
