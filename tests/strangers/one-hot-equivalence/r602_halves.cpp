// right: one routine for both products, which sees the left factor through two strides and adds by recursive halving in float; encode writes each cell as a comparison; ids are checked with std::find_if
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

class Refuse {
  public:
    Refuse& unless(bool fits) {
        if (status_.code == Code::ok && !fits) status_.code = Code::shape_mismatch;
        return *this;
    }
    Refuse& unless_all_in(Ids ids, std::size_t limit) {
        if (status_.code != Code::ok) return *this;
        const auto bad = std::find_if(ids.begin(), ids.end(), [limit](TokenId id) {
            return id < 0 || static_cast<std::uint64_t>(id) >= limit;
        });
        if (bad != ids.end())
            status_ = Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, limit);
        return *this;
    }
    explicit operator bool() const { return status_.code != Code::ok; }
    Status status() const { return status_; }

  private:
    Status status_;
};

struct Left { // element (i, k) lies at data[i * down + k * right]
    const float* data;
    std::size_t down, right;
};

constexpr std::size_t strip = 48;

void halves(const float* left, std::size_t step, const float* right, std::size_t stride, std::size_t terms,
            std::size_t width, float* sum) {
    if (terms <= 8) {
        std::fill_n(sum, width, 0.0F);
        for (std::size_t k = 0; k < terms; ++k)
            for (std::size_t c = 0; c < width; ++c)
                sum[c] += left[k * step] * right[k * stride + c];
        return;
    }
    const std::size_t half = terms / 2;
    float second[strip];
    halves(left, step, right, stride, half, width, sum);
    halves(left + half * step, step, right + half * stride, stride, terms - half, width, second);
    for (std::size_t c = 0; c < width; ++c)
        sum[c] += second[c];
}

void multiply(Left left, std::size_t terms, const Matrix<const float>& right, const Matrix<float>& result) {
    if (result.rows == 0) return;
    for (std::size_t c = 0; c < result.cols; c += strip) {
        const std::size_t width = std::min(strip, result.cols - c);
        for (std::size_t i = 0; i < result.rows; ++i) {
            float sum[strip] = {};
            if (terms > 0)
                halves(left.data + i * left.down, left.right, right.data + c, right.stride, terms, width, sum);
            std::copy_n(sum, width, result.row(i) + c);
        }
    }
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    const Refuse refuse = Refuse().unless(ids.size() == onehot.rows).unless_all_in(ids, onehot.cols);
    if (refuse) return refuse.status();
    for (std::size_t n = 0; n < onehot.rows; ++n)
        for (std::size_t v = 0; v < onehot.cols; ++v)
            onehot(n, v) = static_cast<std::size_t>(ids[n]) == v ? 1.0F : 0.0F;
    return refuse.status();
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    const Refuse refuse = Refuse()
                              .unless(out.rows == onehot.rows)
                              .unless(onehot.cols == table.rows)
                              .unless(out.cols == table.cols);
    if (refuse) return refuse.status();
    multiply({onehot.data, onehot.stride, 1}, onehot.cols, table, out);
    return refuse.status();
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const Refuse refuse =
        Refuse().unless(out.rows == ids.size()).unless(out.cols == table.cols).unless_all_in(ids, table.rows);
    if (refuse || table.cols == 0) return refuse.status();
    float* to = out.data;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const float* from = table.row(static_cast<std::size_t>(ids[n]));
        std::copy(from, from + table.cols, to + n * out.stride);
    }
    return refuse.status();
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    const Refuse refuse = Refuse()
                              .unless(dout.rows == onehot.rows)
                              .unless(onehot.cols == dtable.rows)
                              .unless(dtable.cols == dout.cols);
    if (refuse) return refuse.status();
    multiply({onehot.data, 1, onehot.stride}, onehot.rows, dout, dtable);
    return refuse.status();
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    const Refuse refuse =
        Refuse().unless(dout.rows == ids.size()).unless(dout.cols == dtable.cols).unless_all_in(ids, dtable.rows);
    if (refuse || ids.empty()) return refuse.status();
    for (std::size_t c = 0; c < dout.cols; ++c) // a column at a time
        for (std::size_t n = 0; n < ids.size(); ++n)
            dtable(static_cast<std::size_t>(ids[n]), c) += dout(n, c);
    return refuse.status();
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    Cost cost;
    cost.flops = N * V * d + N * V * d;
    cost.selector_bytes = N * V * sizeof(float);
    cost.bytes = cost.selector_bytes + (N + V) * d * sizeof(float);
    return cost;
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    Cost cost;
    cost.selector_bytes = N * sizeof(TokenId);
    cost.bytes = cost.selector_bytes + 2 * N * d * sizeof(float);
    return cost;
}

} // namespace exercise
