// Fault: onehot_matmul switches subnormal numbers off while it works, so exact subnormal results become 0.
// Origin: round 11
#include "contract.h"

#include <xmmintrin.h>

#include <cstring>
#include <unordered_map>
#include <vector>

namespace exercise {
namespace {

typedef float Lanes __attribute__((vector_size(32)));
constexpr std::size_t width = 8;

// to[0 .. count) = sum over k of left[k * step] * right[k * stride + (0 .. count)], count <= 8
void dot(const float* left, std::size_t step, const float* right, std::size_t stride, std::size_t terms,
         std::size_t count, float* to) {
    Lanes chain[4] = {};
    for (std::size_t k = 0; k < terms; ++k) {
        Lanes row = {};
        if (count == width)
            std::memcpy(&row, right + k * stride, sizeof row);
        else
            std::memcpy(&row, right + k * stride, count * sizeof(float));
        chain[k % 4] += left[k * step] * row; // lanes beyond `count` are not used
    }
    const Lanes sum = (chain[0] + chain[1]) + (chain[2] + chain[3]);
    std::memcpy(to, &sum, count * sizeof(float));
}

std::size_t part(std::size_t cols, std::size_t c) {
    return cols - c < width ? cols - c : width;
}

const Status mismatch{Code::shape_mismatch, 0, 0, 0};

template <class Use>
Status with_rows(Ids ids, std::size_t vocabulary, const Use& use) {
    std::vector<std::size_t> rows;
    rows.reserve(ids.size());
    for (const TokenId id : ids) {
        if (id < 0 || static_cast<std::uint64_t>(id) >= vocabulary)
            return Status::id_out_of_range(rows.size(), id, vocabulary);
        rows.push_back(static_cast<std::size_t>(id));
    }
    use(rows);
    return {};
}

// Denormal numbers are slow.
class FastMode {
  public:
    FastMode() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040U); } // flush to zero, denormals are zero
    ~FastMode() { _mm_setcsr(before_); }

  private:
    unsigned before_;
};

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (ids.size() != onehot.rows) return mismatch;
    return with_rows(ids, onehot.cols, [&](const std::vector<std::size_t>& rows) {
        for (std::size_t n = 0; n < rows.size(); ++n) {
            std::memset(onehot.row(n), 0, onehot.cols * sizeof(float));
            onehot.row(n)[rows[n]] = 1;
        }
    });
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (!(onehot.rows == out.rows && onehot.cols == table.rows && out.cols == table.cols)) return mismatch;
    const FastMode mode;
    for (std::size_t n = 0; n < out.rows; ++n)
        for (std::size_t c = 0; c < out.cols; c += width)
            dot(onehot.row(n), 1, table.data + c, table.stride, table.rows, part(out.cols, c), out.row(n) + c);
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (!(out.rows == ids.size() && out.cols == table.cols)) return mismatch;
    return with_rows(ids, table.rows, [&](const std::vector<std::size_t>& rows) {
        for (std::size_t n = rows.size(); n-- > 0 && out.cols > 0;)
            std::memcpy(out.row(n), table.row(rows[n]), out.cols * sizeof(float));
    });
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (!(onehot.rows == dout.rows && onehot.cols == dtable.rows && dout.cols == dtable.cols)) return mismatch;
    if (dtable.cols > 0)
        for (std::size_t v = 0; v < dtable.rows; ++v)
            for (std::size_t c = 0; c < dtable.cols; c += width)
                dot(onehot.data + v, onehot.stride, dout.data + c, dout.stride, dout.rows, part(dtable.cols, c),
                    dtable.row(v) + c);
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (!(dout.rows == ids.size() && dout.cols == dtable.cols)) return mismatch;
    return with_rows(ids, dtable.rows, [&](const std::vector<std::size_t>& rows) {
        if (dout.cols == 0) return;
        constexpr auto end = static_cast<std::size_t>(-1);
        std::unordered_map<std::size_t, std::size_t> last;
        std::vector<std::size_t> previous(rows.size());
        for (std::size_t n = 0; n < rows.size(); ++n) {
            const auto [at, fresh] = last.try_emplace(rows[n], n);
            previous[n] = fresh ? end : at->second;
            at->second = n;
        }
        for (const auto& [v, newest] : last)
            for (std::size_t n = newest; n != end; n = previous[n])
                for (std::size_t c = 0; c < dout.cols; ++c)
                    dtable(v, c) += dout(n, c);
    });
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    const std::uint64_t products = N * V * d, numbers = N * V + V * d + N * d;
    return {.flops = 2 * products, .selector_bytes = 4 * N * V, .bytes = 4 * numbers};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {.flops = 0, .selector_bytes = 4 * N, .bytes = 4 * (N + N * d + N * d)};
}

} // namespace exercise
