// right: products in float with eight running sums an element; scatter_add by a hash map from id to its places; gather copies repeated rows from where they went first
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace exercise {

namespace {

/// Eight running sums in float, of which number i % 8 takes term i; in the end a tree.
class Lanes {
  public:
    void add(std::size_t i, float term) { lane_[i & 7U] += term; }
    float total() const {
        return ((lane_[0] + lane_[4]) + (lane_[2] + lane_[6])) + ((lane_[1] + lane_[5]) + (lane_[3] + lane_[7]));
    }

  private:
    float lane_[8] = {};
};

constexpr Status mismatch() {
    Status status;
    status.code = Code::shape_mismatch;
    return status;
}

/// The ids as a table of distinct rows: for each the places that name it, in reading order.
using Readers = std::unordered_map<TokenId, std::vector<std::size_t>>;

std::size_t good_ids(Ids ids, std::size_t V) {
    std::size_t n = 0;
    // Ids end at 2^31 - 1, so a larger V refuses negative ones only.
    const auto limit = static_cast<std::int64_t>(std::min<std::size_t>(V, std::size_t{1} << 31U));
    while (n < ids.size() && ids[n] >= 0 && ids[n] < limit)
        ++n;
    return n;
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (ids.size() != onehot.rows) return mismatch();
    if (const std::size_t n = good_ids(ids, onehot.cols); n < ids.size())
        return Status::id_out_of_range(n, ids[n], onehot.cols);
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::fill_n(onehot.row(n), onehot.cols, 0.0F);
    for (std::size_t n = 0; n < ids.size(); ++n)
        onehot(n, static_cast<std::size_t>(ids[n])) += 1.0F;
    return {};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.rows != out.rows) return mismatch();
    if (onehot.cols != table.rows) return mismatch();
    if (table.cols != out.cols) return mismatch();
    if (out.rows == 0 || out.cols == 0) return {};
    std::vector<Lanes> sums;
    for (std::size_t n = 0; n < out.rows; ++n) {
        sums.assign(out.cols, Lanes{});
        for (std::size_t v = 0; v < table.rows; ++v)
            for (std::size_t c = 0; c < out.cols; ++c)
                sums[c].add(v, onehot(n, v) * table(v, c));
        for (std::size_t c = 0; c < out.cols; ++c)
            out(n, c) = sums[c].total();
    }
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (ids.size() != out.rows) return mismatch();
    if (table.cols != out.cols) return mismatch();
    if (const std::size_t n = good_ids(ids, table.rows); n < ids.size())
        return Status::id_out_of_range(n, ids[n], table.rows);
    if (out.cols == 0) return {};
    // A row that was copied before is taken from where it went.
    std::unordered_map<TokenId, std::size_t> copied;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const auto [where, first] = copied.try_emplace(ids[n], n);
        const float* const from = first ? table.row(static_cast<std::size_t>(ids[n])) : out.row(where->second);
        std::copy(from, from + out.cols, out.row(n));
    }
    return {};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows) return mismatch();
    if (onehot.cols != dtable.rows) return mismatch();
    if (dout.cols != dtable.cols) return mismatch();
    if (dtable.rows == 0 || dtable.cols == 0) return {};
    std::vector<Lanes> sums;
    for (std::size_t v = 0; v < dtable.rows; ++v) {
        sums.assign(dtable.cols, Lanes{});
        for (std::size_t n = 0; n < dout.rows; ++n)
            for (std::size_t c = 0; c < dtable.cols; ++c)
                sums[c].add(n, onehot(n, v) * dout(n, c));
        for (std::size_t c = 0; c < dtable.cols; ++c)
            dtable(v, c) = sums[c].total();
    }
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (ids.size() != dout.rows) return mismatch();
    if (dout.cols != dtable.cols) return mismatch();
    if (const std::size_t n = good_ids(ids, dtable.rows); n < ids.size())
        return Status::id_out_of_range(n, ids[n], dtable.rows);
    if (dout.cols == 0) return {};
    Readers readers;
    for (std::size_t n = 0; n < ids.size(); ++n)
        readers[ids[n]].push_back(n);
    for (const auto& [id, places] : readers) { // in whatever order: the rows do not meet
        float* const row = dtable.row(static_cast<std::size_t>(id));
        for (std::size_t c = 0; c < dout.cols; ++c) {
            float sum = 0;
            for (const std::size_t n : places)
                sum += dout(n, c);
            row[c] += sum;
        }
    }
    return {};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    const std::uint64_t products = N * V * d;
    return {products + products, sizeof(float) * N * V, sizeof(float) * N * V + sizeof(float) * d * (V + N)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {0, sizeof(TokenId) * N, sizeof(TokenId) * N + sizeof(float) * d * N + sizeof(float) * d * N};
}

} // namespace exercise
