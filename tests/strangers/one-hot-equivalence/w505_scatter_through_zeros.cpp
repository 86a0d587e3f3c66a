// wrong: scatter_add collects the sums in a zeroed table of its own and adds that whole table, so in rows that no id names a -0 becomes +0 (and a signalling NaN quiet), also where N = 0; such rows keep their bits.
#include "contract.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace exercise {
namespace {

struct Checked {
    Status status{};

    Checked& sizes(bool fit) {
        if (status.code == Code::ok && !fit) status.code = Code::shape_mismatch;
        return *this;
    }
    Checked& tokens(Ids ids, std::size_t V) {
        for (std::size_t n = 0; n < ids.size() && status.code == Code::ok; ++n)
            if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= V) status = Status::id_out_of_range(n, ids[n], V);
        return *this;
    }
    explicit operator bool() const { return status.code == Code::ok; }
};

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    const Checked ok = Checked{}.sizes(onehot.rows == ids.size()).tokens(ids, onehot.cols);
    if (!ok) return ok.status;
    for (std::size_t n = 0; n < onehot.rows; ++n)
        for (std::size_t v = 0; v < onehot.cols; ++v)
            onehot(n, v) = static_cast<float>(static_cast<std::size_t>(ids[n]) == v);
    return {};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    const Checked ok =
        Checked{}.sizes(onehot.rows == out.rows && onehot.cols == table.rows && out.cols == table.cols);
    if (!ok) return ok.status;
    std::vector<float> sums(out.cols);
    for (std::size_t n = 0; n < out.rows && !sums.empty(); ++n) {
        std::ranges::fill(sums, 0.0f);
        for (std::size_t v = 0; v < table.rows; ++v)
            for (std::size_t c = 0; c < out.cols; ++c)
                sums[c] += onehot(n, v) * table(v, c);
        std::ranges::copy(sums, out.row(n));
    }
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const Checked ok =
        Checked{}.sizes(ids.size() == out.rows && table.cols == out.cols).tokens(ids, table.rows);
    if (!ok) return ok.status;
    for (std::size_t n = 0; n < out.rows && out.cols > 0; ++n) {
        const float* row = table.row(static_cast<std::size_t>(ids[n]));
        std::copy(row, row + table.cols, out.row(n));
    }
    return {};
}

namespace {

/// Writes onehot^T * dout to rows of C without padding.
std::vector<float> transposed_product(Matrix<const float> onehot, Matrix<const float> dout) {
    std::vector<float> result(onehot.cols * dout.cols);
    for (std::size_t n = 0; n < dout.rows; ++n)
        for (std::size_t v = 0; v < onehot.cols; ++v)
            for (std::size_t c = 0; c < dout.cols; ++c)
                result[v * dout.cols + c] += onehot(n, v) * dout(n, c);
    return result;
}

} // namespace

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    const Checked ok =
        Checked{}.sizes(onehot.rows == dout.rows && onehot.cols == dtable.rows && dout.cols == dtable.cols);
    if (!ok) return ok.status;
    const std::vector<float> result = transposed_product(onehot, dout);
    for (std::size_t v = 0; v < dtable.rows && dtable.cols > 0; ++v)
        std::copy_n(result.data() + v * dtable.cols, dtable.cols, dtable.row(v));
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    const Checked ok = Checked{}.sizes(ids.size() == dout.rows && dout.cols == dtable.cols).tokens(ids, dtable.rows);
    if (!ok) return ok.status;
    const std::size_t C = dtable.cols;
    std::vector<float> sums(dtable.rows * C);
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t c = 0; c < C; ++c)
            sums[static_cast<std::size_t>(ids[n]) * C + c] += dout(n, c);
    for (std::size_t v = 0; v < dtable.rows; ++v)
        for (std::size_t c = 0; c < C; ++c)
            dtable(v, c) += sums[v * C + c];
    return {};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    return {.flops = 2 * N * V * d, .selector_bytes = 4 * N * V, .bytes = 4 * (N * V + (N + V) * d)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {.flops = 0, .selector_bytes = 4 * N, .bytes = 4 * N * (1 + 2 * d)};
}

} // namespace exercise
