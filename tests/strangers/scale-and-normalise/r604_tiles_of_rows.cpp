// right: LayerNorm works on tiles of eight rows turned on their side in a buffer of its own (missing rows as zeros, never written back); counting goes over a list of tensors
#include "contract.h"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace exercise {

namespace {

constexpr std::size_t lanes = 8;
using Lane = std::array<double, lanes>;

/// Eight rows at once: [c][lane].
class Tile {
  public:
    explicit Tile(std::size_t cols) : turned_(cols), up_(cols) {}

    void load(Matrix<const float> x, std::size_t first, float eps) {
        live_ = std::min(lanes, x.rows - first);
        turn(x, first, turned_);
        const double n = static_cast<double>(turned_.size());
        Lane sum{}, squares{};
        for (const Lane& at : turned_)
            for (std::size_t l = 0; l < lanes; ++l)
                sum[l] += at[l];
        for (std::size_t l = 0; l < lanes; ++l)
            sum[l] /= n;
        for (Lane& at : turned_)
            for (std::size_t l = 0; l < lanes; ++l) {
                at[l] -= sum[l];
                squares[l] += at[l] * at[l];
            }
        for (std::size_t l = 0; l < lanes; ++l)
            factor_[l] = 1 / std::sqrt(squares[l] / n + static_cast<double>(eps));
        for (Lane& at : turned_)
            for (std::size_t l = 0; l < lanes; ++l)
                at[l] *= factor_[l];
    }
    void load_gradient(Matrix<const float> dout, std::size_t first) { turn(dout, first, up_); }

    std::size_t live() const { return live_; }
    double factor(std::size_t l) const { return factor_[l]; }
    const Lane& xhat(std::size_t c) const { return turned_[c]; }
    const Lane& up(std::size_t c) const { return up_[c]; }

  private:
    void turn(Matrix<const float> from, std::size_t first, std::vector<Lane>& to) const {
        for (std::size_t l = 0; l < lanes; ++l)
            if (l < live_) {
                const float* row = from.row(first + l);
                for (std::size_t c = 0; c < to.size(); ++c)
                    to[c][l] = row[c];
            } else
                for (Lane& at : to)
                    at[l] = 0;
    }

    std::vector<Lane> turned_, up_;
    Lane factor_{};
    std::size_t live_ = 0;
};

bool bad_eps(float eps) {
    return !(eps >= std::numeric_limits<float>::denorm_min() && eps <= std::numeric_limits<float>::max());
}

Status code(Code c) {
    Status s;
    s.code = c;
    return s;
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols;
    if (std::array{wpe.cols, out.batch, out.time, out.channels} != std::array{C, B, T, C})
        return code(Code::shape_mismatch);
    if (T > wpe.rows)
        return Status::position_out_of_range(wpe.rows, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    // Backwards, so that the last one found is the first one there.
    Status bad;
    for (std::size_t b = T == 0 ? 0 : B; b-- > 0;)
        for (std::size_t t = T; t-- > 0;)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                bad = Status::id_out_of_range(b * T + t, ids(b, t), wte.rows);
    if (bad.code != Code::ok) return bad;
    if (B == 0 || C == 0) return {};
    // First the positions of every sequence, then the tokens on top, one position for all sequences at a time.
    const double scale = std::sqrt(static_cast<double>(C));
    std::vector<double> place(C);
    for (std::size_t t = 0; t < T; ++t) {
        const float* row = wpe.row(t);
        place.assign(row, row + C);
        for (std::size_t b = 0; b < B; ++b) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                to[c] = static_cast<float>(place[c] + scale * token[c]);
        }
    }
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels;
    if (std::array{dtokens.batch, dtokens.time, dtokens.channels, dwpe.cols} != std::array{B, T, C, C})
        return code(Code::shape_mismatch);
    if (T > dwpe.rows)
        return Status::position_out_of_range(dwpe.rows, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);
    if (C == 0 || T == 0) return {};
    const double scale = std::sqrt(static_cast<double>(C));
    for (std::size_t b = B; b-- > 0;) // the last sequence first
        for (std::size_t t = 0; t < T; ++t) {
            const float* from = dout.row(b, t);
            float* to = dtokens.row(b, t);
            float* sum = dwpe.row(t);
            for (std::size_t c = 0; c < C; ++c) {
                sum[c] += from[c];
                to[c] = static_cast<float>(scale * from[c]);
            }
        }
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    if (std::array{gain.size(), bias.size(), out.rows, out.cols} != std::array{x.cols, x.cols, x.rows, x.cols})
        return code(Code::shape_mismatch);
    if (bad_eps(eps)) return code(Code::invalid_argument);
    if (x.rows == 0 || x.cols == 0) return {};
    Tile tile(x.cols);
    for (std::size_t first = 0; first < x.rows; first += lanes) {
        tile.load(x, first, eps);
        for (std::size_t l = 0; l < tile.live(); ++l)
            for (std::size_t c = 0; c < x.cols; ++c)
                out(first + l, c) = gain[c] * static_cast<float>(tile.xhat(c)[l]) + bias[c];
    }
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t N = x.rows, C = x.cols;
    if (std::array{dout.rows, dout.cols, dx.rows, dx.cols, gain.size(), dgain.size(), dbias.size()} !=
        std::array{N, C, N, C, C, C, C})
        return code(Code::shape_mismatch);
    if (bad_eps(eps)) return code(Code::invalid_argument);
    if (N == 0 || C == 0) return {};
    Tile tile(C);
    const double n = static_cast<double>(C);
    for (std::size_t first = 0; first < N; first += lanes) {
        tile.load(x, first, eps);
        tile.load_gradient(dout, first);
        Lane plain{}, stretched{};
        for (std::size_t c = 0; c < C; ++c)
            for (std::size_t l = 0; l < lanes; ++l) {
                const double g = tile.up(c)[l] * gain[c];
                plain[l] += g;
                stretched[l] += g * tile.xhat(c)[l];
            }
        for (std::size_t c = 0; c < C; ++c) {
            double scaled = dgain[c], shifted = dbias[c];
            for (std::size_t l = 0; l < tile.live(); ++l) {
                const double g = tile.up(c)[l] * gain[c], xhat = tile.xhat(c)[l];
                dx(first + l, c) =
                    static_cast<float>(tile.factor(l) * (g - plain[l] / n - xhat * (stretched[l] / n)));
                scaled += tile.up(c)[l] * xhat;
                shifted += tile.up(c)[l];
            }
            dgain[c] = static_cast<float>(scaled);
            dbias[c] = static_cast<float>(shifted);
        }
    }
    return {};
}

Budget count(Config config) {
    struct Tensor {
        std::uint64_t Budget::*part;
        std::uint64_t times, rows, cols;
    };
    const std::uint64_t V = config.vocabulary, P = config.positions, C = config.channels, L = config.layers;
    const Tensor tensors[] = {
        {&Budget::token_table, 1, V, C},
        {&Budget::position_table, 1, P, C},
        {&Budget::embedding_norm, config.embedding_norm ? 2U : 0U, 1, C},
        {&Budget::blocks, 4 * L, 1, C}, // two norms
        {&Budget::blocks, L, C, 3 * C},     {&Budget::blocks, L, 1, 3 * C},
        {&Budget::blocks, L, C, C},         {&Budget::blocks, L, 1, C},
        {&Budget::blocks, L, C, 4 * C},     {&Budget::blocks, L, 1, 4 * C},
        {&Budget::blocks, L, 4 * C, C},     {&Budget::blocks, L, 1, C},
        {&Budget::final_norm, 2, 1, C},
        {&Budget::head, config.tied ? 0U : 1U, V, C},
    };
    const std::uint64_t width = config.precision == Precision::bf16 ? 2 : 4;
    const std::uint64_t adam = config.precision == Precision::bf16 ? 12 : 8;
    Budget b;
    for (const Tensor& t : tensors) {
        const std::uint64_t size = t.times * t.rows * t.cols;
        b.*t.part += size;
        b.total += size;
        b.weight_bytes += size * width;
        b.gradient_bytes += size * width;
        b.optimiser_bytes += size * adam;
        b.training_bytes += size * (2 * width + adam);
    }
    return b;
}

} // namespace exercise
