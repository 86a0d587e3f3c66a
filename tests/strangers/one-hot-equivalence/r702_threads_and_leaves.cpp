// right: sums by pairwise recursion over halves, work divided among up to four threads (rows of the products, channels of the scatter)
#include "contract.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace exercise {

namespace {

/// Runs work(first, last) over parts of [0, count); each part is the business of one thread.
template <class Work>
void divided(std::size_t count, bool worth_it, const Work& work) {
    constexpr std::size_t most = 4;
    const std::size_t parts = worth_it ? std::min(count, most) : 1;
    std::array<std::thread, most> helpers;
    const std::size_t each = count / parts, extra = count % parts;
    std::size_t first = 0;
    for (std::size_t p = 0; p < parts; ++p) {
        const std::size_t last = first + each + (p < extra ? 1 : 0);
        if (p + 1 == parts) {
            work(first, last);
        } else {
            try {
                helpers[p] = std::thread([&work, first, last] { work(first, last); });
            } catch (const std::system_error&) {
                work(first, last);
            }
        }
        first = last;
    }
    for (std::thread& helper : helpers)
        if (helper.joinable()) helper.join();
}

/// The sum of left(i) * right(i) over [first, last), split in halves down to eight terms.
template <class Left, class Right>
double dot(const Left& left, const Right& right, std::size_t first, std::size_t last) {
    if (last - first <= 8) {
        double sum = 0;
        for (std::size_t i = first; i < last; ++i)
            sum += static_cast<double>(left(i)) * static_cast<double>(right(i));
        return sum;
    }
    const std::size_t middle = first + (last - first) / 2;
    return dot(left, right, first, middle) + dot(left, right, middle, last);
}

std::optional<Status> objection(bool sizes_fit, Ids ids, std::size_t V) {
    if (!sizes_fit) return Status{Code::shape_mismatch};
    const auto bad = std::find_if(ids.begin(), ids.end(), [V](TokenId id) {
        return id < 0 || static_cast<std::size_t>(id) >= V;
    });
    if (bad == ids.end()) return std::nullopt;
    return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, V);
}

bool heavy(std::size_t a, std::size_t b, std::size_t c) {
    return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c) > 2e5;
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (const auto no = objection(ids.size() == onehot.rows, ids, onehot.cols)) return *no;
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t v = 0; v < onehot.cols; ++v)
            onehot(n, v) = static_cast<std::size_t>(ids[n]) == v ? 1.0F : 0.0F;
    return {};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (const auto no = objection(
            onehot.rows == out.rows && onehot.cols == table.rows && table.cols == out.cols, {}, 0))
        return *no;
    const std::size_t N = out.rows, V = table.rows, C = out.cols;
    if (N == 0 || C == 0) return {};
    divided(N, heavy(N, V, C), [&](std::size_t first, std::size_t last) {
        std::vector<float> column(V); // of the table, next to each other
        for (std::size_t c = 0; c < C; ++c) {
            for (std::size_t v = 0; v < V; ++v)
                column[v] = table(v, c);
            for (std::size_t n = first; n < last; ++n)
                out(n, c) = static_cast<float>(dot([&](std::size_t v) { return onehot(n, v); },
                                                   [&](std::size_t v) { return column[v]; }, 0, V));
        }
    });
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (const auto no = objection(ids.size() == out.rows && table.cols == out.cols, ids, table.rows)) return *no;
    if (ids.empty() || out.cols == 0) return {};
    divided(ids.size(), heavy(ids.size(), out.cols, 1), [&](std::size_t first, std::size_t last) {
        for (std::size_t n = first; n < last; ++n)
            std::copy_n(table.row(static_cast<std::size_t>(ids[n])), out.cols, out.row(n));
    });
    return {};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (const auto no = objection(
            onehot.rows == dout.rows && onehot.cols == dtable.rows && dout.cols == dtable.cols, {}, 0))
        return *no;
    const std::size_t N = dout.rows, V = dtable.rows, C = dtable.cols;
    if (V == 0 || C == 0) return {};
    divided(V, heavy(N, V, C), [&](std::size_t first, std::size_t last) {
        constexpr std::size_t strip = 32;
        std::vector<float> weights(strip * N), column(N);
        for (std::size_t v0 = first; v0 < last; v0 += strip) {
            const std::size_t high = std::min(strip, last - v0);
            for (std::size_t n = 0; n < N; ++n)
                for (std::size_t v = 0; v < high; ++v)
                    weights[v * N + n] = onehot(n, v0 + v);
            for (std::size_t c = 0; c < C; ++c) {
                for (std::size_t n = 0; n < N; ++n)
                    column[n] = dout(n, c);
                for (std::size_t v = 0; v < high; ++v)
                    dtable(v0 + v, c) = static_cast<float>(dot([&](std::size_t n) { return weights[v * N + n]; },
                                                               [&](std::size_t n) { return column[n]; }, 0, N));
            }
        }
    });
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (const auto no = objection(ids.size() == dout.rows && dout.cols == dtable.cols, ids, dtable.rows))
        return *no;
    if (ids.empty() || dout.cols == 0) return {};
    // A channel belongs to one thread, which meets the ids in reading order.
    divided(dout.cols, heavy(ids.size(), dout.cols, 1), [&](std::size_t first, std::size_t last) {
        for (std::size_t n = 0; n < ids.size(); ++n) {
            float* const row = dtable.row(static_cast<std::size_t>(ids[n]));
            for (std::size_t c = first; c < last; ++c)
                row[c] += dout(n, c);
        }
    });
    return {};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    Cost cost;
    cost.flops = N * V * d * 2;
    cost.selector_bytes = N * V * 4;
    cost.bytes = cost.selector_bytes + V * d * 4 + N * d * 4;
    return cost;
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    Cost cost;
    cost.selector_bytes = N * 4;
    cost.bytes = cost.selector_bytes + 2 * (N * d * 4);
    return cost;
}

} // namespace exercise
