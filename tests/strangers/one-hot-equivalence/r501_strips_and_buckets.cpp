// right: both products are one template over strips of columns, with sums in double, shared out to threads by rows of the result; scatter_add sorts the ids into buckets first, so that each row is read and written once.
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <system_error>
#include <thread>
#include <vector>

namespace exercise {
namespace {

constexpr std::size_t strip = 32; // columns whose sums stay in registers or the nearest cache

/// Calls body(begin, end) for parts of [0, count), in threads if there is much to do.
void in_parts(std::size_t count, double operations, const std::function<void(std::size_t, std::size_t)>& body) {
    std::size_t parts = 1;
    if (operations > 4e6) parts = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8);
    parts = std::min(parts, count);
    if (parts <= 1) return body(0, count);
    const std::size_t step = (count - 1) / parts + 1;
    std::vector<std::thread> threads;
    std::size_t begin = 0;
    try {
        threads.reserve(parts);
        for (; begin + step < count; begin += step)
            threads.emplace_back(body, begin, begin + step);
    } catch (const std::exception&) {
        // the rest is done here
    }
    body(begin, count);
    for (std::thread& thread : threads)
        thread.join();
}

/// result[i, c] = sum over k < terms of factor(i, k) * right[k, c]
template <class Factor>
void product(Factor factor, std::size_t terms, Matrix<const float> right, Matrix<float> result) {
    if (result.rows == 0 || result.cols == 0) return;
    const double operations =
        2.0 * static_cast<double>(result.rows) * static_cast<double>(terms) * static_cast<double>(result.cols);
    in_parts(result.rows, operations, [&](std::size_t begin, std::size_t end) {
        constexpr std::size_t together = 4; // rows of the result that share what is read
        for (std::size_t first = begin; first < end; first += together) {
            const std::size_t rows = std::min(together, end - first);
            for (std::size_t left = 0; left < result.cols; left += strip) {
                const std::size_t width = std::min(strip, result.cols - left);
                double sums[together][strip] = {};
                for (std::size_t k = 0; k < terms; ++k) {
                    const float* line = right.row(k) + left;
                    for (std::size_t i = 0; i < rows; ++i) {
                        const double x = factor(first + i, k);
                        if (width == strip)
                            for (std::size_t c = 0; c < strip; ++c)
                                sums[i][c] += x * line[c];
                        else
                            for (std::size_t c = 0; c < width; ++c)
                                sums[i][c] += x * line[c];
                    }
                }
                for (std::size_t i = 0; i < rows; ++i)
                    std::transform(sums[i], sums[i] + width, result.row(first + i) + left,
                                   [](double sum) { return static_cast<float>(sum); });
            }
        }
    });
}

Status validate(bool sizes_fit, Ids ids, std::size_t V) {
    if (!sizes_fit) return Status{Code::shape_mismatch};
    const auto bad = std::ranges::find_if(ids, [V](std::int64_t id) {
        return static_cast<std::uint64_t>(id) >= V; // a negative one is huge
    });
    if (bad == ids.end()) return Status{};
    return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, V);
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    const Status status = validate(onehot.rows == ids.size(), ids, onehot.cols);
    if (status != Status{}) return status;
    for (std::size_t n = 0; n < ids.size(); ++n) { // V > 0, or an id would be bad
        float* row = onehot.row(n);
        float* hot = row + ids[n];
        std::fill(row, hot, 0.0f);
        *hot = 1.0f;
        std::fill(hot + 1, row + onehot.cols, 0.0f);
    }
    return status;
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.cols != table.rows || onehot.rows != out.rows || table.cols != out.cols)
        return Status{Code::shape_mismatch};
    product([onehot](std::size_t n, std::size_t v) { return onehot(n, v); }, table.rows, table, out);
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const Status status = validate(ids.size() == out.rows && table.cols == out.cols, ids, table.rows);
    if (status != Status{} || table.cols == 0) return status;
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids[n])), table.cols * sizeof(float));
    return status;
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || onehot.cols != dtable.rows || dout.cols != dtable.cols)
        return Status{Code::shape_mismatch};
    product([onehot](std::size_t v, std::size_t n) { return onehot(n, v); }, dout.rows, dout, dtable);
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    const Status status = validate(ids.size() == dout.rows && dout.cols == dtable.cols, ids, dtable.rows);
    if (status != Status{} || ids.empty() || dout.cols == 0) return status;

    std::vector<std::size_t> order(ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [ids](std::size_t n) { return ids[n]; });

    std::vector<double> sums(dout.cols);
    for (std::size_t i = 0; i < order.size();) {
        const TokenId id = ids[order[i]];
        float* row = dtable.row(static_cast<std::size_t>(id));
        std::copy_n(row, sums.size(), sums.begin());
        for (; i < order.size() && ids[order[i]] == id; ++i) {
            const float* gradient = dout.row(order[i]);
            for (std::size_t c = 0; c < sums.size(); ++c)
                sums[c] += gradient[c];
        }
        std::transform(sums.begin(), sums.end(), row, [](double sum) { return static_cast<float>(sum); });
    }
    return status;
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    Cost cost{.flops = 2 * N * V * d, .selector_bytes = 4 * N * V};
    cost.bytes = cost.selector_bytes + 4 * V * d + 4 * N * d;
    return cost;
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    Cost cost{.selector_bytes = 4 * N};
    cost.bytes = cost.selector_bytes + 4 * N * d + 4 * N * d;
    return cost;
}

} // namespace exercise
